#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(4)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S1 = words_0(source_1);
    thread array<float, int(4)> values_0;
    values_0[int(0)] = (as_type<float>((_S1[int(0)])));
    values_0[int(1)] = (as_type<float>((_S1[int(1)])));
    values_0[int(2)] = (as_type<float>((_S1[int(2)])));
    values_0[int(3)] = (as_type<float>((_S1[int(3)])));
    return values_0;
}

uint4 stored_0(uint4 w_0)
{
    return w_0;
}

uint4 pack_0(const array<float, int(4)> thread* values_1, float inverse_scale_0)
{
    thread uint4 w_1;
    w_1.x = (as_type<uint>(((*values_1)[int(0)])));
    w_1.y = (as_type<uint>(((*values_1)[int(1)])));
    w_1.z = (as_type<uint>(((*values_1)[int(2)])));
    w_1.w = (as_type<uint>(((*values_1)[int(3)])));
    return stored_0(w_1);
}

struct EntryPointParams_0
{
    uint num_loads_0;
    uint stride_0;
    float a_0;
    float scale_1;
    float inverse_scale_1;
};

struct KernelContext_0
{
    packed_uint4 device* y_0;
    packed_uint4 device* x_0;
    packed_uint4 device* result_0;
    EntryPointParams_0 constant* entryPointParams_0;
};

[[kernel]] void saxpy(uint3 thread_0 [[thread_position_in_grid]], packed_uint4 device* y_1 [[buffer(1)]], packed_uint4 device* x_1 [[buffer(0)]], packed_uint4 device* result_1 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->y_0 = y_1;
    (&kernelContext_0)->x_0 = x_1;
    (&kernelContext_0)->result_0 = result_1;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    uint i_0 = thread_0.x;
    for(;;)
    {
        if(i_0 < ((&kernelContext_0)->entryPointParams_0->num_loads_0))
        {
        }
        else
        {
            break;
        }
        thread array<float, int(4)> values_2 = unpack_0(uint4(*((&kernelContext_0)->y_0+i_0)) , (&kernelContext_0)->entryPointParams_0->scale_1);
        array<float, int(4)> _S2 = unpack_0(uint4(*((&kernelContext_0)->x_0+i_0)) , (&kernelContext_0)->entryPointParams_0->scale_1);
        values_2[int(0)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(0)], values_2[int(0)]);
        values_2[int(1)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(1)], values_2[int(1)]);
        values_2[int(2)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(2)], values_2[int(2)]);
        values_2[int(3)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(3)], values_2[int(3)]);
        packed_uint4 device* _S3 = (&kernelContext_0)->result_0+i_0;
        float _S4 = (&kernelContext_0)->entryPointParams_0->inverse_scale_1;
        thread array<float, int(4)> _S5 = values_2;
        uint4 _S6 = pack_0(&_S5, _S4);
        *_S3 = packed_uint4(_S6) ;
        i_0 = i_0 + (&kernelContext_0)->entryPointParams_0->stride_0;
    }
    return;
}

