#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint num_loads_0;
    uint stride_0;
};

struct KernelContext_0
{
    packed_uint4 device* result_0;
    packed_uint4 device* x_0;
    EntryPointParams_0 constant* entryPointParams_0;
};

[[kernel]] void copy(uint3 thread_0 [[thread_position_in_grid]], packed_uint4 device* result_1 [[buffer(1)]], packed_uint4 device* x_1 [[buffer(0)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(2)]])
{
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->result_0 = result_1;
    (&kernelContext_0)->x_0 = x_1;
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
        *((&kernelContext_0)->result_0+i_0) = packed_uint4(uint4(*((&kernelContext_0)->x_0+i_0)) ) ;
        i_0 = i_0 + (&kernelContext_0)->entryPointParams_0->stride_0;
    }
    return;
}

