#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
uint2 f32tof16_0(float2 value_0)
{
    thread uint2 result_0;
    int i_0 = int(0);
    for(;;)
    {
        if(i_0 < int(2))
        {
        }
        else
        {
            break;
        }
        result_0[i_0] = (as_type<ushort>((half)((value_0[i_0]))));
        i_0 = i_0 + int(1);
    }
    return result_0;
}

float2 f16tof32_0(uint2 value_1)
{
    thread float2 result_1;
    int i_1 = int(0);
    for(;;)
    {
        if(i_1 < int(2))
        {
        }
        else
        {
            break;
        }
        result_1[i_1] = (as_type<half>((ushort)((value_1[i_1]))));
        i_1 = i_1 + int(1);
    }
    return result_1;
}

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(8)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S1 = words_0(source_1);
    float2 _S2 = f16tof32_0(uint2((_S1[int(0)]) & 65535U, (_S1[int(0)]) >> 16U));
    thread array<float, int(8)> values_0;
    values_0[int(0)] = _S2.x;
    values_0[int(1)] = _S2.y;
    float2 _S3 = f16tof32_0(uint2((_S1[int(1)]) & 65535U, (_S1[int(1)]) >> 16U));
    values_0[int(2)] = _S3.x;
    values_0[int(3)] = _S3.y;
    float2 _S4 = f16tof32_0(uint2((_S1[int(2)]) & 65535U, (_S1[int(2)]) >> 16U));
    values_0[int(4)] = _S4.x;
    values_0[int(5)] = _S4.y;
    float2 _S5 = f16tof32_0(uint2((_S1[int(3)]) & 65535U, (_S1[int(3)]) >> 16U));
    values_0[int(6)] = _S5.x;
    values_0[int(7)] = _S5.y;
    return values_0;
}

uint4 stored_0(uint4 w_0)
{
    return w_0;
}

uint4 pack_0(const array<float, int(8)> thread* values_1, float inverse_scale_0)
{
    thread uint4 w_1;
    uint2 values_2 = f32tof16_0(float2((*values_1)[int(0)], (*values_1)[int(1)]));
    w_1.x = ((values_2.x) & 65535U) | ((values_2.y) << 16U);
    uint2 values_3 = f32tof16_0(float2((*values_1)[int(2)], (*values_1)[int(3)]));
    w_1.y = ((values_3.x) & 65535U) | ((values_3.y) << 16U);
    uint2 values_4 = f32tof16_0(float2((*values_1)[int(4)], (*values_1)[int(5)]));
    w_1.z = ((values_4.x) & 65535U) | ((values_4.y) << 16U);
    uint2 values_5 = f32tof16_0(float2((*values_1)[int(6)], (*values_1)[int(7)]));
    w_1.w = ((values_5.x) & 65535U) | ((values_5.y) << 16U);
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
    packed_uint4 device* result_2;
    EntryPointParams_0 constant* entryPointParams_0;
};

[[kernel]] void saxpy(uint3 thread_0 [[thread_position_in_grid]], packed_uint4 device* y_1 [[buffer(1)]], packed_uint4 device* x_1 [[buffer(0)]], packed_uint4 device* result_3 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->y_0 = y_1;
    (&kernelContext_0)->x_0 = x_1;
    (&kernelContext_0)->result_2 = result_3;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    uint i_2 = thread_0.x;
    for(;;)
    {
        if(i_2 < ((&kernelContext_0)->entryPointParams_0->num_loads_0))
        {
        }
        else
        {
            break;
        }
        thread array<float, int(8)> values_6 = unpack_0(uint4(*((&kernelContext_0)->y_0+i_2)) , (&kernelContext_0)->entryPointParams_0->scale_1);
        array<float, int(8)> _S6 = unpack_0(uint4(*((&kernelContext_0)->x_0+i_2)) , (&kernelContext_0)->entryPointParams_0->scale_1);
        values_6[int(0)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(0)], values_6[int(0)]);
        values_6[int(1)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(1)], values_6[int(1)]);
        values_6[int(2)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(2)], values_6[int(2)]);
        values_6[int(3)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(3)], values_6[int(3)]);
        values_6[int(4)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(4)], values_6[int(4)]);
        values_6[int(5)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(5)], values_6[int(5)]);
        values_6[int(6)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(6)], values_6[int(6)]);
        values_6[int(7)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S6[int(7)], values_6[int(7)]);
        packed_uint4 device* _S7 = (&kernelContext_0)->result_2+i_2;
        float _S8 = (&kernelContext_0)->entryPointParams_0->inverse_scale_1;
        thread array<float, int(8)> _S9 = values_6;
        uint4 _S10 = pack_0(&_S9, _S8);
        *_S7 = packed_uint4(_S10) ;
        i_2 = i_2 + (&kernelContext_0)->entryPointParams_0->stride_0;
    }
    return;
}

