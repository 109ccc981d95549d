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
    packed_uint4 device* result_1;
    EntryPointParams_0 constant* entryPointParams_0;
    uint _S1;
    uint _S2;
    array<float, int(64)> threadgroup* partials_0;
};

float Sum_overSubgroup_0(float value_1)
{
    float _S3 = simd_sum(value_1);
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

float reduceRow_0(float value_2, uint thread_0, KernelContext_0 thread* kernelContext_0)
{
    uint _S4 = kernelContext_0->_S1;
    float _S5;
    uint i_1;
    if((kernelContext_0->_S1) <= 256U)
    {
        float _S6 = Sum_overSubgroup_0(value_2);
        _S5 = _S6;
    }
    else
    {
        _S5 = value_2;
        i_1 = 1U;
        for(;;)
        {
            if(i_1 < 256U)
            {
            }
            else
            {
                break;
            }
            float _S7 = (simd_shuffle((_S5), ushort((int((kernelContext_0->_S2) ^ i_1)))));
            float _S8 = Sum_combine_0(_S5, _S7);
            uint step_0 = i_1 * 2U;
            _S5 = _S8;
            i_1 = step_0;
        }
    }
    if(_S4 < 256U)
    {
        uint count_0 = 256U / _S4;
        uint _S9 = thread_0 % _S4;
        if(_S9 == 0U)
        {
            uint _S10 = thread_0 / _S4;
            (*kernelContext_0->partials_0)[_S10] = _S5;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S11 = thread_0 / 256U * count_0;
        _S5 = Sum_identity_0();
        i_1 = 0U;
        for(;;)
        {
            if(i_1 < count_0)
            {
            }
            else
            {
                break;
            }
            float _S12 = Sum_combine_0(_S5, (*kernelContext_0->partials_0)[_S11 + i_1]);
            uint _S13 = i_1 + 1U;
            _S5 = _S12;
            i_1 = _S13;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return _S5;
}

float2 f16tof32_0(uint2 value_3)
{
    thread float2 result_2;
    int i_2 = int(0);
    for(;;)
    {
        if(i_2 < int(2))
        {
        }
        else
        {
            break;
        }
        result_2[i_2] = (as_type<half>((ushort)((value_3[i_2]))));
        i_2 = i_2 + int(1);
    }
    return result_2;
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
    uint _S14 = base_0 + thread_2 / 256U;
    (&row_0)->index_0 = _S14;
    (&row_0)->isInside_0 = _S14 < rows_1;
    (&row_0)->lane_0 = thread_2 % 256U;
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

array<float, int(8)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S16 = words_0(source_1);
    float2 _S17 = f16tof32_0(uint2((_S16[int(0)]) & 65535U, (_S16[int(0)]) >> 16U));
    thread array<float, int(8)> values_0;
    values_0[int(0)] = _S17.x;
    values_0[int(1)] = _S17.y;
    float2 _S18 = f16tof32_0(uint2((_S16[int(1)]) & 65535U, (_S16[int(1)]) >> 16U));
    values_0[int(2)] = _S18.x;
    values_0[int(3)] = _S18.y;
    float2 _S19 = f16tof32_0(uint2((_S16[int(2)]) & 65535U, (_S16[int(2)]) >> 16U));
    values_0[int(4)] = _S19.x;
    values_0[int(5)] = _S19.y;
    float2 _S20 = f16tof32_0(uint2((_S16[int(3)]) & 65535U, (_S16[int(3)]) >> 16U));
    values_0[int(6)] = _S20.x;
    values_0[int(7)] = _S20.y;
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

[[kernel]] void rmsnorm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_3 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], packed_uint4 device* x_1 [[buffer(0)]], packed_uint4 device* weight_1 [[buffer(1)]], packed_uint4 device* result_3 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->weight_0 = weight_1;
    (&kernelContext_1)->result_1 = result_3;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    uint base_1 = group_0.x;
    for(;;)
    {
        if(base_1 < ((&kernelContext_1)->entryPointParams_0->rows_0))
        {
        }
        else
        {
            break;
        }
        uint _S21 = thread_3.x;
        Row_0 row_1 = rowOf_0(base_1, _S21, (&kernelContext_1)->entryPointParams_0->rows_0, (&kernelContext_1)->entryPointParams_0->row_loads_0);
        thread array<array<float, int(8)>, int(1)> kept_0;
        uint load_1 = row_1.lane_0;
        float squares_0 = 0.0;
        for(;;)
        {
            thread Row_0 _S22 = row_1;
            bool _S23 = Row_has_0(&_S22, load_1);
            if(_S23)
            {
            }
            else
            {
                break;
            }
            kept_0[0U] = unpack_0(uint4(*((&kernelContext_1)->x_0+(row_1.first_0 + load_1))) , (&kernelContext_1)->entryPointParams_0->x_scale_0);
            float squares_1 = fma(kept_0[0U][int(7)], kept_0[0U][int(7)], fma(kept_0[0U][int(6)], kept_0[0U][int(6)], fma(kept_0[0U][int(5)], kept_0[0U][int(5)], fma(kept_0[0U][int(4)], kept_0[0U][int(4)], fma(kept_0[0U][int(3)], kept_0[0U][int(3)], fma(kept_0[0U][int(2)], kept_0[0U][int(2)], fma(kept_0[0U][int(1)], kept_0[0U][int(1)], fma(kept_0[0U][int(0)], kept_0[0U][int(0)], squares_0))))))));
            load_1 = load_1 + 256U;
            squares_0 = squares_1;
        }
        float _S24 = reduceRow_0(squares_0, _S21, &kernelContext_1);
        float _S25 = rsqrt(_S24 * (&kernelContext_1)->entryPointParams_0->inverse_cols_0 + (&kernelContext_1)->entryPointParams_0->eps_0);
        uint load_2 = row_1.lane_0;
        for(;;)
        {
            thread Row_0 _S26 = row_1;
            bool _S27 = Row_has_0(&_S26, load_2);
            if(_S27)
            {
            }
            else
            {
                break;
            }
            uint _S28 = row_1.first_0 + load_2;
            kept_0[0U] = unpack_0(uint4(*((&kernelContext_1)->x_0+_S28)) , (&kernelContext_1)->entryPointParams_0->x_scale_0);
            array<float, int(8)> _S29 = unpack_0(uint4(*((&kernelContext_1)->weight_0+load_2)) , (&kernelContext_1)->entryPointParams_0->weight_scale_0);
            kept_0[0U][int(0)] = kept_0[0U][int(0)] * _S25 * _S29[int(0)];
            kept_0[0U][int(1)] = kept_0[0U][int(1)] * _S25 * _S29[int(1)];
            kept_0[0U][int(2)] = kept_0[0U][int(2)] * _S25 * _S29[int(2)];
            kept_0[0U][int(3)] = kept_0[0U][int(3)] * _S25 * _S29[int(3)];
            kept_0[0U][int(4)] = kept_0[0U][int(4)] * _S25 * _S29[int(4)];
            kept_0[0U][int(5)] = kept_0[0U][int(5)] * _S25 * _S29[int(5)];
            kept_0[0U][int(6)] = kept_0[0U][int(6)] * _S25 * _S29[int(6)];
            kept_0[0U][int(7)] = kept_0[0U][int(7)] * _S25 * _S29[int(7)];
            packed_uint4 device* _S30 = (&kernelContext_1)->result_1+_S28;
            float _S31 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(8)> _S32 = kept_0[0U];
            uint4 _S33 = pack_0(&_S32, _S31);
            *_S30 = packed_uint4(_S33) ;
            load_2 = load_2 + 256U;
        }
        base_1 = base_1 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

