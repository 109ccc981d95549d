#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint value_0;
};

struct KernelContext_0
{
    uint device* done_0;
    EntryPointParams_0 constant* entryPointParams_0;
};

[[kernel]] void null_dispatch(uint device* done_1 [[buffer(0)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(1)]])
{
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->done_0 = done_1;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    *(done_1+int(0)) = entryPointParams_1->value_0;
    return;
}

