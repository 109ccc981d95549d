#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint rows_0;
    uint row_loads_0;
    uint row_step_0;
    float inverse_cols_0;
    float eps_0;
    float x_scale_0;
    float weight_scale_0;
    float inverse_result_scale_0;
};

struct KernelContext_0
{
    packed_uint4 device* x_0;
    packed_uint4 device* weight_0;
    packed_uint4 device* result_0;
    EntryPointParams_0 constant* entryPointParams_0;
    uint _S1;
    uint _S2;
    array<float, int(64)> threadgroup* partials_0;
};

float Sum_overSubgroup_0(float value_0)
{
    float _S3 = simd_sum(value_0);
    return _S3;
}

float Sum_combine_0(float a_0, float b_0)
{
    return a_0 + b_0;
}

float Sum_identity_0()
{
    return 0.0;
}

float reduceRow_0(float value_1, uint thread_0, KernelContext_0 thread* kernelContext_0)
{
    uint _S4 = kernelContext_0->_S1;
    float _S5;
    uint i_0;
    if((kernelContext_0->_S1) <= 32U)
    {
        float _S6 = Sum_overSubgroup_0(value_1);
        _S5 = _S6;
    }
    else
    {
        _S5 = value_1;
        i_0 = 1U;
        for(;;)
        {
            if(i_0 < 32U)
            {
            }
            else
            {
                break;
            }
            float _S7 = (simd_shuffle((_S5), ushort((int((kernelContext_0->_S2) ^ i_0)))));
            float _S8 = Sum_combine_0(_S5, _S7);
            uint step_0 = i_0 * 2U;
            _S5 = _S8;
            i_0 = step_0;
        }
    }
    if(_S4 < 32U)
    {
        uint count_0 = 32U / _S4;
        uint _S9 = thread_0 % _S4;
        if(_S9 == 0U)
        {
            uint _S10 = thread_0 / _S4;
            (*kernelContext_0->partials_0)[_S10] = _S5;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S11 = thread_0 / 32U * count_0;
        _S5 = Sum_identity_0();
        i_0 = 0U;
        for(;;)
        {
            if(i_0 < count_0)
            {
            }
            else
            {
                break;
            }
            float _S12 = Sum_combine_0(_S5, (*kernelContext_0->partials_0)[_S11 + i_0]);
            uint _S13 = i_0 + 1U;
            _S5 = _S12;
            i_0 = _S13;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return _S5;
}

struct Row_0
{
    uint index_0;
    bool isInside_0;
    uint lane_0;
    uint thread_1;
    uint first_0;
    uint numLoads_0;
};

Row_0 rowOf_0(uint base_0, uint thread_2, uint rows_1, uint numLoads_1)
{
    thread Row_0 row_0;
    uint _S14 = base_0 + thread_2 / 32U;
    (&row_0)->index_0 = _S14;
    (&row_0)->isInside_0 = _S14 < rows_1;
    (&row_0)->lane_0 = thread_2 % 32U;
    (&row_0)->thread_1 = thread_2;
    (&row_0)->numLoads_0 = numLoads_1;
    (&row_0)->first_0 = _S14 * numLoads_1;
    return row_0;
}

bool Row_has_0(const Row_0 thread* this_0, uint load_0)
{
    bool _S15;
    if(this_0->isInside_0)
    {
        _S15 = load_0 < (this_0->numLoads_0);
    }
    else
    {
        _S15 = false;
    }
    return _S15;
}

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(16)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S16 = words_0(source_1);
    thread array<float, int(16)> values_0;
    values_0[int(0)] = float(int((_S16[int(0)]) << 24U) >> 24U) * scale_0;
    values_0[int(1)] = float(int((_S16[int(0)]) << 16U) >> 24U) * scale_0;
    values_0[int(2)] = float(int((_S16[int(0)]) << 8U) >> 24U) * scale_0;
    values_0[int(3)] = float(int((_S16[int(0)]) << 0U) >> 24U) * scale_0;
    values_0[int(4)] = float(int((_S16[int(1)]) << 24U) >> 24U) * scale_0;
    values_0[int(5)] = float(int((_S16[int(1)]) << 16U) >> 24U) * scale_0;
    values_0[int(6)] = float(int((_S16[int(1)]) << 8U) >> 24U) * scale_0;
    values_0[int(7)] = float(int((_S16[int(1)]) << 0U) >> 24U) * scale_0;
    values_0[int(8)] = float(int((_S16[int(2)]) << 24U) >> 24U) * scale_0;
    values_0[int(9)] = float(int((_S16[int(2)]) << 16U) >> 24U) * scale_0;
    values_0[int(10)] = float(int((_S16[int(2)]) << 8U) >> 24U) * scale_0;
    values_0[int(11)] = float(int((_S16[int(2)]) << 0U) >> 24U) * scale_0;
    values_0[int(12)] = float(int((_S16[int(3)]) << 24U) >> 24U) * scale_0;
    values_0[int(13)] = float(int((_S16[int(3)]) << 16U) >> 24U) * scale_0;
    values_0[int(14)] = float(int((_S16[int(3)]) << 8U) >> 24U) * scale_0;
    values_0[int(15)] = float(int((_S16[int(3)]) << 0U) >> 24U) * scale_0;
    return values_0;
}

int quantized_0(float value_2)
{
    return int(clamp(rint(value_2), -127.0, 127.0));
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

[[kernel]] void rmsnorm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_3 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], packed_uint4 device* x_1 [[buffer(0)]], packed_uint4 device* weight_1 [[buffer(1)]], packed_uint4 device* result_1 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->weight_0 = weight_1;
    (&kernelContext_1)->result_0 = result_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    uint base_1 = group_0.x * 8U;
    for(;;)
    {
        if(base_1 < ((&kernelContext_1)->entryPointParams_0->rows_0))
        {
        }
        else
        {
            break;
        }
        uint _S17 = thread_3.x;
        Row_0 row_1 = rowOf_0(base_1, _S17, (&kernelContext_1)->entryPointParams_0->rows_0, (&kernelContext_1)->entryPointParams_0->row_loads_0);
        thread array<array<float, int(16)>, int(1)> kept_0;
        thread Row_0 _S18 = row_1;
        bool _S19 = Row_has_0(&_S18, row_1.lane_0);
        float squares_0;
        if(_S19)
        {
            kept_0[0U] = unpack_0(uint4(*((&kernelContext_1)->x_0+(row_1.first_0 + row_1.lane_0))) , (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_0 = fma(kept_0[0U][int(15)], kept_0[0U][int(15)], fma(kept_0[0U][int(14)], kept_0[0U][int(14)], fma(kept_0[0U][int(13)], kept_0[0U][int(13)], fma(kept_0[0U][int(12)], kept_0[0U][int(12)], fma(kept_0[0U][int(11)], kept_0[0U][int(11)], fma(kept_0[0U][int(10)], kept_0[0U][int(10)], fma(kept_0[0U][int(9)], kept_0[0U][int(9)], fma(kept_0[0U][int(8)], kept_0[0U][int(8)], fma(kept_0[0U][int(7)], kept_0[0U][int(7)], fma(kept_0[0U][int(6)], kept_0[0U][int(6)], fma(kept_0[0U][int(5)], kept_0[0U][int(5)], fma(kept_0[0U][int(4)], kept_0[0U][int(4)], fma(kept_0[0U][int(3)], kept_0[0U][int(3)], fma(kept_0[0U][int(2)], kept_0[0U][int(2)], fma(kept_0[0U][int(1)], kept_0[0U][int(1)], fma(kept_0[0U][int(0)], kept_0[0U][int(0)], 0.0))))))))))))))));
        }
        else
        {
            squares_0 = 0.0;
        }
        float _S20 = reduceRow_0(squares_0, _S17, &kernelContext_1);
        float _S21 = rsqrt(_S20 * (&kernelContext_1)->entryPointParams_0->inverse_cols_0 + (&kernelContext_1)->entryPointParams_0->eps_0);
        if(_S19)
        {
            array<float, int(16)> _S22 = unpack_0(uint4(*((&kernelContext_1)->weight_0+row_1.lane_0)) , (&kernelContext_1)->entryPointParams_0->weight_scale_0);
            kept_0[0U][int(0)] = kept_0[0U][int(0)] * _S21 * _S22[int(0)];
            kept_0[0U][int(1)] = kept_0[0U][int(1)] * _S21 * _S22[int(1)];
            kept_0[0U][int(2)] = kept_0[0U][int(2)] * _S21 * _S22[int(2)];
            kept_0[0U][int(3)] = kept_0[0U][int(3)] * _S21 * _S22[int(3)];
            kept_0[0U][int(4)] = kept_0[0U][int(4)] * _S21 * _S22[int(4)];
            kept_0[0U][int(5)] = kept_0[0U][int(5)] * _S21 * _S22[int(5)];
            kept_0[0U][int(6)] = kept_0[0U][int(6)] * _S21 * _S22[int(6)];
            kept_0[0U][int(7)] = kept_0[0U][int(7)] * _S21 * _S22[int(7)];
            kept_0[0U][int(8)] = kept_0[0U][int(8)] * _S21 * _S22[int(8)];
            kept_0[0U][int(9)] = kept_0[0U][int(9)] * _S21 * _S22[int(9)];
            kept_0[0U][int(10)] = kept_0[0U][int(10)] * _S21 * _S22[int(10)];
            kept_0[0U][int(11)] = kept_0[0U][int(11)] * _S21 * _S22[int(11)];
            kept_0[0U][int(12)] = kept_0[0U][int(12)] * _S21 * _S22[int(12)];
            kept_0[0U][int(13)] = kept_0[0U][int(13)] * _S21 * _S22[int(13)];
            kept_0[0U][int(14)] = kept_0[0U][int(14)] * _S21 * _S22[int(14)];
            kept_0[0U][int(15)] = kept_0[0U][int(15)] * _S21 * _S22[int(15)];
            packed_uint4 device* _S23 = (&kernelContext_1)->result_0+(row_1.first_0 + row_1.lane_0);
            float _S24 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(16)> _S25 = kept_0[0U];
            uint4 _S26 = pack_0(&_S25, _S24);
            *_S23 = packed_uint4(_S26) ;
        }
        base_1 = base_1 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

