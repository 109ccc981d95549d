#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint dim_0;
    uint num_parts_0;
};

struct KernelContext_0
{
    float device* partStats_0;
    float device* partSums_0;
    float device* result_0;
    EntryPointParams_0 constant* entryPointParams_0;
};

[[kernel]] void attention_combine(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], float device* partStats_1 [[buffer(1)]], float device* partSums_1 [[buffer(0)]], float device* result_1 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->partStats_0 = partStats_1;
    (&kernelContext_0)->partSums_0 = partSums_1;
    (&kernelContext_0)->result_0 = result_1;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    uint _S1 = group_0.x;
    uint first_0 = _S1 * entryPointParams_1->num_parts_0;
    float largest_0 = partStats_1[2U * first_0];
    uint p_0 = 1U;
    for(;;)
    {
        if(p_0 < (entryPointParams_1->num_parts_0))
        {
        }
        else
        {
            break;
        }
        float _S2 = max(largest_0, (&kernelContext_0)->partStats_0[2U * (first_0 + p_0)]);
        uint _S3 = p_0 + 1U;
        largest_0 = _S2;
        p_0 = _S3;
    }
    uint d_0 = invocation_0.x;
    for(;;)
    {
        if(d_0 < ((&kernelContext_0)->entryPointParams_0->dim_0))
        {
        }
        else
        {
            break;
        }
        float total_0 = 0.0;
        float sum_0 = 0.0;
        p_0 = 0U;
        for(;;)
        {
            if(p_0 < (entryPointParams_1->num_parts_0))
            {
            }
            else
            {
                break;
            }
            uint _S4 = first_0 + p_0;
            uint _S5 = 2U * _S4;
            float factor_0 = exp2((&kernelContext_0)->partStats_0[_S5] - largest_0);
            float _S6 = fma(factor_0, (&kernelContext_0)->partSums_0[_S4 * (&kernelContext_0)->entryPointParams_0->dim_0 + d_0], total_0);
            float _S7 = fma(factor_0, (&kernelContext_0)->partStats_0[_S5 + 1U], sum_0);
            uint _S8 = p_0 + 1U;
            total_0 = _S6;
            sum_0 = _S7;
            p_0 = _S8;
        }
        *((&kernelContext_0)->result_0+(_S1 * (&kernelContext_0)->entryPointParams_0->dim_0 + d_0)) = total_0 / sum_0;
        d_0 = d_0 + 256U;
    }
    return;
}

