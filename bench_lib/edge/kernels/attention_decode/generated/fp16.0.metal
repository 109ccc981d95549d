#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint heads_a_group_0;
    uint length_0;
    uint dim_0;
    uint num_parts_0;
    float scale_0;
    float value_scale_0;
};

struct KernelContext_0
{
    float device* q_0;
    packed_uint4 device* keys_0;
    packed_uint4 device* values_0;
    float device* partSums_0;
    float device* partStats_0;
    EntryPointParams_0 constant* entryPointParams_0;
    array<float, int(512)> threadgroup* query_0;
    uint _S1;
    array<float, int(256)> threadgroup* weights_0;
    uint _S2;
    array<float, int(32)> threadgroup* partials_0;
    array<float, int(1024)> threadgroup* columns_0;
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
    uint _S4 = kernelContext_0->_S2;
    float _S5;
    uint i_0;
    if((kernelContext_0->_S2) <= 128U)
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
            if(i_0 < 128U)
            {
            }
            else
            {
                break;
            }
            float _S7 = (simd_shuffle((_S5), ushort((int((kernelContext_0->_S1) ^ i_0)))));
            float _S8 = Sum_combine_0(_S5, _S7);
            uint step_0 = i_0 * 2U;
            _S5 = _S8;
            i_0 = step_0;
        }
    }
    if(_S4 < 128U)
    {
        uint count_0 = 128U / _S4;
        uint _S9 = thread_0 % _S4;
        if(_S9 == 0U)
        {
            uint _S10 = thread_0 / _S4;
            (*kernelContext_0->partials_0)[_S10] = _S5;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S11 = thread_0 / 128U * count_0;
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

float Max_overSubgroup_0(float value_2)
{
    float _S14 = simd_max(value_2);
    return _S14;
}

float Max_combine_0(float a_1, float b_1)
{
    return max(a_1, b_1);
}

float Max_identity_0()
{
    return -3.4028234663852886e+38;
}

float reduceRow_1(float value_3, uint thread_1, KernelContext_0 thread* kernelContext_1)
{
    uint _S15 = kernelContext_1->_S2;
    float _S16;
    uint i_1;
    if((kernelContext_1->_S2) <= 128U)
    {
        float _S17 = Max_overSubgroup_0(value_3);
        _S16 = _S17;
    }
    else
    {
        _S16 = value_3;
        i_1 = 1U;
        for(;;)
        {
            if(i_1 < 128U)
            {
            }
            else
            {
                break;
            }
            float _S18 = (simd_shuffle((_S16), ushort((int((kernelContext_1->_S1) ^ i_1)))));
            float _S19 = Max_combine_0(_S16, _S18);
            uint step_1 = i_1 * 2U;
            _S16 = _S19;
            i_1 = step_1;
        }
    }
    if(_S15 < 128U)
    {
        uint count_1 = 128U / _S15;
        uint _S20 = thread_1 % _S15;
        if(_S20 == 0U)
        {
            uint _S21 = thread_1 / _S15;
            (*kernelContext_1->partials_0)[_S21] = _S16;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S22 = thread_1 / 128U * count_1;
        _S16 = Max_identity_0();
        i_1 = 0U;
        for(;;)
        {
            if(i_1 < count_1)
            {
            }
            else
            {
                break;
            }
            float _S23 = Max_combine_0(_S16, (*kernelContext_1->partials_0)[_S22 + i_1]);
            uint _S24 = i_1 + 1U;
            _S16 = _S23;
            i_1 = _S24;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return _S16;
}

float2 f16tof32_0(uint2 value_4)
{
    thread float2 result_0;
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
        result_0[i_2] = (as_type<half>((ushort)((value_4[i_2]))));
        i_2 = i_2 + int(1);
    }
    return result_0;
}

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(8)> unpack_0(uint4 source_1, float scale_1)
{
    uint4 _S25 = words_0(source_1);
    float2 _S26 = f16tof32_0(uint2((_S25[int(0)]) & 65535U, (_S25[int(0)]) >> 16U));
    thread array<float, int(8)> values_1;
    values_1[int(0)] = _S26.x;
    values_1[int(1)] = _S26.y;
    float2 _S27 = f16tof32_0(uint2((_S25[int(1)]) & 65535U, (_S25[int(1)]) >> 16U));
    values_1[int(2)] = _S27.x;
    values_1[int(3)] = _S27.y;
    float2 _S28 = f16tof32_0(uint2((_S25[int(2)]) & 65535U, (_S25[int(2)]) >> 16U));
    values_1[int(4)] = _S28.x;
    values_1[int(5)] = _S28.y;
    float2 _S29 = f16tof32_0(uint2((_S25[int(3)]) & 65535U, (_S25[int(3)]) >> 16U));
    values_1[int(6)] = _S29.x;
    values_1[int(7)] = _S29.y;
    return values_1;
}

[[kernel]] void attention_part(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], float device* q_1 [[buffer(0)]], packed_uint4 device* keys_1 [[buffer(1)]], packed_uint4 device* values_2 [[buffer(2)]], float device* partSums_1 [[buffer(3)]], float device* partStats_1 [[buffer(4)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(5)]])
{
    uint i_3;
    float score_0;
    float sum_0;
    float weight_0;
    thread KernelContext_0 kernelContext_2;
    (&kernelContext_2)->q_0 = q_1;
    (&kernelContext_2)->keys_0 = keys_1;
    (&kernelContext_2)->values_0 = values_2;
    (&kernelContext_2)->partSums_0 = partSums_1;
    (&kernelContext_2)->partStats_0 = partStats_1;
    (&kernelContext_2)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(512)> query_1;
    (&kernelContext_2)->query_0 = &query_1;
    threadgroup array<float, int(256)> weights_1;
    (&kernelContext_2)->weights_0 = &weights_1;
    threadgroup array<float, int(32)> partials_1;
    (&kernelContext_2)->partials_0 = &partials_1;
    threadgroup array<float, int(1024)> columns_1;
    (&kernelContext_2)->columns_0 = &columns_1;
    (&kernelContext_2)->_S1 = _builtinWaveLaneIndex_0;
    (&kernelContext_2)->_S2 = _builtinWaveLaneCount_0;
    uint thread_2 = invocation_0.x;
    uint head_0 = group_0.y;
    uint _S30 = group_0.x;
    uint first_0 = _S30 * 256U;
    uint _S31 = min(256U, entryPointParams_1->length_0 - first_0);
    uint dimLoads_0 = entryPointParams_1->dim_0 / 8U;
    uint _S32 = head_0 / entryPointParams_1->heads_a_group_0;
    uint _S33 = (_S32 * entryPointParams_1->length_0 + first_0) * dimLoads_0;
    uint d_0 = thread_2;
    for(;;)
    {
        if(d_0 < (entryPointParams_1->dim_0))
        {
        }
        else
        {
            break;
        }
        (*(&kernelContext_2)->query_0)[d_0] = (&kernelContext_2)->q_0[head_0 * entryPointParams_1->dim_0 + d_0] * ((&kernelContext_2)->entryPointParams_0->scale_0 * 1.4426950216293335);
        d_0 = d_0 + 128U;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint position_0 = thread_2 / 4U;
    for(;;)
    {
        if(position_0 < 256U)
        {
        }
        else
        {
            break;
        }
        bool _S34 = position_0 < _S31;
        if(_S34)
        {
            i_3 = thread_2 % 4U;
            score_0 = 0.0;
            for(;;)
            {
                if(i_3 < dimLoads_0)
                {
                }
                else
                {
                    break;
                }
                array<float, int(8)> _S35 = unpack_0(uint4(*((&kernelContext_2)->keys_0+(_S33 + position_0 * dimLoads_0 + i_3))) , 1.0);
                uint _S36 = i_3 * 8U;
                float score_1 = fma(_S35[int(7)], (*(&kernelContext_2)->query_0)[_S36 + 7U], fma(_S35[int(6)], (*(&kernelContext_2)->query_0)[_S36 + 6U], fma(_S35[int(5)], (*(&kernelContext_2)->query_0)[_S36 + 5U], fma(_S35[int(4)], (*(&kernelContext_2)->query_0)[_S36 + 4U], fma(_S35[int(3)], (*(&kernelContext_2)->query_0)[_S36 + 3U], fma(_S35[int(2)], (*(&kernelContext_2)->query_0)[_S36 + 2U], fma(_S35[int(1)], (*(&kernelContext_2)->query_0)[_S36 + 1U], fma(_S35[int(0)], (*(&kernelContext_2)->query_0)[_S36], score_0))))))));
                i_3 = i_3 + 4U;
                score_0 = score_1;
            }
        }
        else
        {
            score_0 = 0.0;
        }
        float _S37 = (simd_shuffle((score_0), ushort((int(((&kernelContext_2)->_S1) ^ 1U)))));
        float score_2 = score_0 + _S37;
        float _S38 = (simd_shuffle((score_2), ushort((int(((&kernelContext_2)->_S1) ^ 2U)))));
        float score_3 = score_2 + _S38;
        if((thread_2 % 4U) == 0U)
        {
            if(_S34)
            {
                sum_0 = score_3;
            }
            else
            {
                sum_0 = Max_identity_0();
            }
            (*(&kernelContext_2)->weights_0)[position_0] = sum_0;
        }
        position_0 = position_0 + 32U;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float _S39 = Max_identity_0();
    position_0 = thread_2;
    score_0 = _S39;
    for(;;)
    {
        if(position_0 < 256U)
        {
        }
        else
        {
            break;
        }
        float _S40 = max(score_0, (*(&kernelContext_2)->weights_0)[position_0]);
        position_0 = position_0 + 128U;
        score_0 = _S40;
    }
    float _S41 = reduceRow_1(score_0, thread_2, &kernelContext_2);
    position_0 = thread_2;
    sum_0 = 0.0;
    for(;;)
    {
        if(position_0 < 256U)
        {
        }
        else
        {
            break;
        }
        if(position_0 < _S31)
        {
            weight_0 = exp2((*(&kernelContext_2)->weights_0)[position_0] - _S41);
        }
        else
        {
            weight_0 = 0.0;
        }
        (*(&kernelContext_2)->weights_0)[position_0] = weight_0;
        float sum_1 = sum_0 + weight_0;
        position_0 = position_0 + 128U;
        sum_0 = sum_1;
    }
    float _S42 = reduceRow_0(sum_0, thread_2, &kernelContext_2);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint part_0 = head_0 * (&kernelContext_2)->entryPointParams_0->num_parts_0 + _S30;
    uint _S43 = min(dimLoads_0, 128U);
    uint slots_0 = 128U / _S43;
    uint _S44 = thread_2 / _S43;
    uint _S45 = thread_2 % _S43;
    i_3 = _S45;
    for(;;)
    {
        if(i_3 < dimLoads_0)
        {
        }
        else
        {
            break;
        }
        thread array<float, int(8)> total_0;
        total_0[int(0)] = 0.0;
        total_0[int(1)] = 0.0;
        total_0[int(2)] = 0.0;
        total_0[int(3)] = 0.0;
        total_0[int(4)] = 0.0;
        total_0[int(5)] = 0.0;
        total_0[int(6)] = 0.0;
        total_0[int(7)] = 0.0;
        position_0 = _S44;
        for(;;)
        {
            if(position_0 < _S31)
            {
            }
            else
            {
                break;
            }
            if(_S44 < slots_0)
            {
                array<float, int(8)> _S46 = unpack_0(uint4(*((&kernelContext_2)->values_0+(_S33 + position_0 * dimLoads_0 + i_3))) , (&kernelContext_2)->entryPointParams_0->value_scale_0);
                float _S47 = (*(&kernelContext_2)->weights_0)[position_0];
                total_0[int(0)] = fma((*(&kernelContext_2)->weights_0)[position_0], _S46[int(0)], total_0[int(0)]);
                total_0[int(1)] = fma(_S47, _S46[int(1)], total_0[int(1)]);
                total_0[int(2)] = fma(_S47, _S46[int(2)], total_0[int(2)]);
                total_0[int(3)] = fma(_S47, _S46[int(3)], total_0[int(3)]);
                total_0[int(4)] = fma(_S47, _S46[int(4)], total_0[int(4)]);
                total_0[int(5)] = fma(_S47, _S46[int(5)], total_0[int(5)]);
                total_0[int(6)] = fma(_S47, _S46[int(6)], total_0[int(6)]);
                total_0[int(7)] = fma(_S47, _S46[int(7)], total_0[int(7)]);
            }
            position_0 = position_0 + slots_0;
        }
        bool _S48 = slots_0 == 1U;
        bool _S49;
        if(_S48)
        {
            _S49 = _S44 == 0U;
        }
        else
        {
            _S49 = false;
        }
        if(_S49)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U)) = total_0[int(0)];
        }
        uint _S50 = thread_2 * 8U;
        (*(&kernelContext_2)->columns_0)[_S50] = total_0[int(0)];
        bool _S51;
        if(_S48)
        {
            _S51 = _S44 == 0U;
        }
        else
        {
            _S51 = false;
        }
        if(_S51)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 1U)) = total_0[int(1)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 1U] = total_0[int(1)];
        bool _S52;
        if(_S48)
        {
            _S52 = _S44 == 0U;
        }
        else
        {
            _S52 = false;
        }
        if(_S52)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 2U)) = total_0[int(2)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 2U] = total_0[int(2)];
        bool _S53;
        if(_S48)
        {
            _S53 = _S44 == 0U;
        }
        else
        {
            _S53 = false;
        }
        if(_S53)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 3U)) = total_0[int(3)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 3U] = total_0[int(3)];
        bool _S54;
        if(_S48)
        {
            _S54 = _S44 == 0U;
        }
        else
        {
            _S54 = false;
        }
        if(_S54)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 4U)) = total_0[int(4)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 4U] = total_0[int(4)];
        bool _S55;
        if(_S48)
        {
            _S55 = _S44 == 0U;
        }
        else
        {
            _S55 = false;
        }
        if(_S55)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 5U)) = total_0[int(5)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 5U] = total_0[int(5)];
        bool _S56;
        if(_S48)
        {
            _S56 = _S44 == 0U;
        }
        else
        {
            _S56 = false;
        }
        if(_S56)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 6U)) = total_0[int(6)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 6U] = total_0[int(6)];
        bool _S57;
        if(_S48)
        {
            _S57 = _S44 == 0U;
        }
        else
        {
            _S57 = false;
        }
        if(_S57)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + i_3 * 8U + 7U)) = total_0[int(7)];
        }
        (*(&kernelContext_2)->columns_0)[_S50 + 7U] = total_0[int(7)];
        i_3 = i_3 + _S43;
    }
    if(slots_0 > 1U)
    {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        d_0 = thread_2;
        for(;;)
        {
            if(d_0 < (entryPointParams_1->dim_0))
            {
            }
            else
            {
                break;
            }
            uint s_0 = 0U;
            weight_0 = 0.0;
            for(;;)
            {
                if(s_0 < slots_0)
                {
                }
                else
                {
                    break;
                }
                float total_1 = weight_0 + (*(&kernelContext_2)->columns_0)[s_0 * entryPointParams_1->dim_0 + d_0];
                s_0 = s_0 + 1U;
                weight_0 = total_1;
            }
            *((&kernelContext_2)->partSums_0+(part_0 * entryPointParams_1->dim_0 + d_0)) = weight_0;
            d_0 = d_0 + 128U;
        }
    }
    if(thread_2 == 0U)
    {
        uint _S58 = 2U * part_0;
        *((&kernelContext_2)->partStats_0+_S58) = _S41;
        *((&kernelContext_2)->partStats_0+(_S58 + 1U)) = _S42;
    }
    return;
}

