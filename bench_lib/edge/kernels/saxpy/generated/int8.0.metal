#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(16)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S1 = words_0(source_1);
    thread array<float, int(16)> values_0;
    values_0[int(0)] = float(int((_S1[int(0)]) << 24U) >> 24U) * scale_0;
    values_0[int(1)] = float(int((_S1[int(0)]) << 16U) >> 24U) * scale_0;
    values_0[int(2)] = float(int((_S1[int(0)]) << 8U) >> 24U) * scale_0;
    values_0[int(3)] = float(int((_S1[int(0)]) << 0U) >> 24U) * scale_0;
    values_0[int(4)] = float(int((_S1[int(1)]) << 24U) >> 24U) * scale_0;
    values_0[int(5)] = float(int((_S1[int(1)]) << 16U) >> 24U) * scale_0;
    values_0[int(6)] = float(int((_S1[int(1)]) << 8U) >> 24U) * scale_0;
    values_0[int(7)] = float(int((_S1[int(1)]) << 0U) >> 24U) * scale_0;
    values_0[int(8)] = float(int((_S1[int(2)]) << 24U) >> 24U) * scale_0;
    values_0[int(9)] = float(int((_S1[int(2)]) << 16U) >> 24U) * scale_0;
    values_0[int(10)] = float(int((_S1[int(2)]) << 8U) >> 24U) * scale_0;
    values_0[int(11)] = float(int((_S1[int(2)]) << 0U) >> 24U) * scale_0;
    values_0[int(12)] = float(int((_S1[int(3)]) << 24U) >> 24U) * scale_0;
    values_0[int(13)] = float(int((_S1[int(3)]) << 16U) >> 24U) * scale_0;
    values_0[int(14)] = float(int((_S1[int(3)]) << 8U) >> 24U) * scale_0;
    values_0[int(15)] = float(int((_S1[int(3)]) << 0U) >> 24U) * scale_0;
    return values_0;
}

int quantized_0(float value_0)
{
    return int(clamp(rint(value_0), -127.0, 127.0));
}

uint4 stored_0(uint4 w_0)
{
    return w_0;
}

uint4 pack_0(const array<float, int(16)> thread* values_1, float inverse_scale_0)
{
    thread uint4 w_1;
    w_1.x = (((0U | (uint((quantized_0((*values_1)[int(0)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(1)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(2)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(3)] * inverse_scale_0)) & int(255)) << 24U);
    w_1.y = (((0U | (uint((quantized_0((*values_1)[int(4)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(5)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(6)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(7)] * inverse_scale_0)) & int(255)) << 24U);
    w_1.z = (((0U | (uint((quantized_0((*values_1)[int(8)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(9)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(10)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(11)] * inverse_scale_0)) & int(255)) << 24U);
    w_1.w = (((0U | (uint((quantized_0((*values_1)[int(12)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(13)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(14)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(15)] * inverse_scale_0)) & int(255)) << 24U);
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
        thread array<float, int(16)> values_2 = unpack_0(uint4(*((&kernelContext_0)->y_0+i_0)) , (&kernelContext_0)->entryPointParams_0->scale_1);
        array<float, int(16)> _S2 = unpack_0(uint4(*((&kernelContext_0)->x_0+i_0)) , (&kernelContext_0)->entryPointParams_0->scale_1);
        values_2[int(0)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(0)], values_2[int(0)]);
        values_2[int(1)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(1)], values_2[int(1)]);
        values_2[int(2)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(2)], values_2[int(2)]);
        values_2[int(3)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(3)], values_2[int(3)]);
        values_2[int(4)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(4)], values_2[int(4)]);
        values_2[int(5)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(5)], values_2[int(5)]);
        values_2[int(6)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(6)], values_2[int(6)]);
        values_2[int(7)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(7)], values_2[int(7)]);
        values_2[int(8)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(8)], values_2[int(8)]);
        values_2[int(9)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(9)], values_2[int(9)]);
        values_2[int(10)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(10)], values_2[int(10)]);
        values_2[int(11)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(11)], values_2[int(11)]);
        values_2[int(12)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(12)], values_2[int(12)]);
        values_2[int(13)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(13)], values_2[int(13)]);
        values_2[int(14)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(14)], values_2[int(14)]);
        values_2[int(15)] = fma((&kernelContext_0)->entryPointParams_0->a_0, _S2[int(15)], values_2[int(15)]);
        packed_uint4 device* _S3 = (&kernelContext_0)->result_0+i_0;
        float _S4 = (&kernelContext_0)->entryPointParams_0->inverse_scale_1;
        thread array<float, int(16)> _S5 = values_2;
        uint4 _S6 = pack_0(&_S5, _S4);
        *_S3 = packed_uint4(_S6) ;
        i_0 = i_0 + (&kernelContext_0)->entryPointParams_0->stride_0;
    }
    return;
}

