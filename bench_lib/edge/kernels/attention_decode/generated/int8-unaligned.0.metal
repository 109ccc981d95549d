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
    char device* keys_0;
    char device* values_0;
    float device* partSums_0;
    float device* partStats_0;
    EntryPointParams_0 constant* entryPointParams_0;
    array<float, int(512)> threadgroup* query_0;
    uint _S1;
    array<float, int(256)> threadgroup* weights_0;
    uint _S2;
    array<float, int(64)> threadgroup* partials_0;
    array<float, int(256)> threadgroup* columns_0;
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
    if((kernelContext_0->_S2) <= 256U)
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
            if(i_0 < 256U)
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
    if((kernelContext_1->_S2) <= 256U)
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
            if(i_1 < 256U)
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
    if(_S15 < 256U)
    {
        uint count_1 = 256U / _S15;
        uint _S20 = thread_1 % _S15;
        if(_S20 == 0U)
        {
            uint _S21 = thread_1 / _S15;
            (*kernelContext_1->partials_0)[_S21] = _S16;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S22 = thread_1 / 256U * count_1;
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

array<float, int(1)> unpack_0(char source_0, float scale_1)
{
    thread array<float, int(1)> values_1;
    values_1[int(0)] = float(int(source_0)) * scale_1;
    return values_1;
}

[[kernel]] void attention_part(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], float device* q_1 [[buffer(0)]], char device* keys_1 [[buffer(1)]], char device* values_2 [[buffer(2)]], float device* partSums_1 [[buffer(3)]], float device* partStats_1 [[buffer(4)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(5)]])
{
    uint i_2;
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
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_2)->partials_0 = &partials_1;
    threadgroup array<float, int(256)> columns_1;
    (&kernelContext_2)->columns_0 = &columns_1;
    (&kernelContext_2)->_S1 = _builtinWaveLaneIndex_0;
    (&kernelContext_2)->_S2 = _builtinWaveLaneCount_0;
    uint thread_2 = invocation_0.x;
    uint head_0 = group_0.y;
    uint _S25 = group_0.x;
    uint first_0 = _S25 * 256U;
    uint _S26 = min(256U, entryPointParams_1->length_0 - first_0);
    uint _S27 = head_0 / entryPointParams_1->heads_a_group_0;
    uint _S28 = (_S27 * entryPointParams_1->length_0 + first_0) * (&kernelContext_2)->entryPointParams_0->dim_0;
    uint d_0 = thread_2;
    for(;;)
    {
        if(d_0 < ((&kernelContext_2)->entryPointParams_0->dim_0))
        {
        }
        else
        {
            break;
        }
        (*(&kernelContext_2)->query_0)[d_0] = (&kernelContext_2)->q_0[head_0 * (&kernelContext_2)->entryPointParams_0->dim_0 + d_0] * ((&kernelContext_2)->entryPointParams_0->scale_0 * 1.4426950216293335);
        d_0 = d_0 + 256U;
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
        bool _S29 = position_0 < _S26;
        if(_S29)
        {
            i_2 = thread_2 % 4U;
            score_0 = 0.0;
            for(;;)
            {
                if(i_2 < ((&kernelContext_2)->entryPointParams_0->dim_0))
                {
                }
                else
                {
                    break;
                }
                array<float, int(1)> _S30 = unpack_0((&kernelContext_2)->keys_0[_S28 + position_0 * (&kernelContext_2)->entryPointParams_0->dim_0 + i_2], 1.0);
                float score_1 = fma(_S30[int(0)], (*(&kernelContext_2)->query_0)[i_2], score_0);
                i_2 = i_2 + 4U;
                score_0 = score_1;
            }
        }
        else
        {
            score_0 = 0.0;
        }
        float _S31 = (simd_shuffle((score_0), ushort((int(((&kernelContext_2)->_S1) ^ 1U)))));
        float score_2 = score_0 + _S31;
        float _S32 = (simd_shuffle((score_2), ushort((int(((&kernelContext_2)->_S1) ^ 2U)))));
        float score_3 = score_2 + _S32;
        if((thread_2 % 4U) == 0U)
        {
            if(_S29)
            {
                sum_0 = score_3;
            }
            else
            {
                sum_0 = Max_identity_0();
            }
            (*(&kernelContext_2)->weights_0)[position_0] = sum_0;
        }
        position_0 = position_0 + 64U;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float _S33 = Max_identity_0();
    position_0 = thread_2;
    score_0 = _S33;
    for(;;)
    {
        if(position_0 < 256U)
        {
        }
        else
        {
            break;
        }
        float _S34 = max(score_0, (*(&kernelContext_2)->weights_0)[position_0]);
        position_0 = position_0 + 256U;
        score_0 = _S34;
    }
    float _S35 = reduceRow_1(score_0, thread_2, &kernelContext_2);
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
        if(position_0 < _S26)
        {
            weight_0 = exp2((*(&kernelContext_2)->weights_0)[position_0] - _S35);
        }
        else
        {
            weight_0 = 0.0;
        }
        (*(&kernelContext_2)->weights_0)[position_0] = weight_0;
        float sum_1 = sum_0 + weight_0;
        position_0 = position_0 + 256U;
        sum_0 = sum_1;
    }
    float _S36 = reduceRow_0(sum_0, thread_2, &kernelContext_2);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint part_0 = head_0 * (&kernelContext_2)->entryPointParams_0->num_parts_0 + _S25;
    uint _S37 = min((&kernelContext_2)->entryPointParams_0->dim_0, 256U);
    uint slots_0 = 256U / _S37;
    uint _S38 = thread_2 / _S37;
    uint _S39 = thread_2 % _S37;
    i_2 = _S39;
    for(;;)
    {
        if(i_2 < ((&kernelContext_2)->entryPointParams_0->dim_0))
        {
        }
        else
        {
            break;
        }
        thread array<float, int(1)> total_0;
        total_0[int(0)] = 0.0;
        position_0 = _S38;
        for(;;)
        {
            if(position_0 < _S26)
            {
            }
            else
            {
                break;
            }
            if(_S38 < slots_0)
            {
                total_0[int(0)] = fma((*(&kernelContext_2)->weights_0)[position_0], unpack_0((&kernelContext_2)->values_0[_S28 + position_0 * (&kernelContext_2)->entryPointParams_0->dim_0 + i_2], (&kernelContext_2)->entryPointParams_0->value_scale_0)[int(0)], total_0[int(0)]);
            }
            position_0 = position_0 + slots_0;
        }
        bool _S40;
        if(slots_0 == 1U)
        {
            _S40 = _S38 == 0U;
        }
        else
        {
            _S40 = false;
        }
        if(_S40)
        {
            *((&kernelContext_2)->partSums_0+(part_0 * (&kernelContext_2)->entryPointParams_0->dim_0 + i_2)) = total_0[int(0)];
        }
        (*(&kernelContext_2)->columns_0)[thread_2] = total_0[int(0)];
        i_2 = i_2 + _S37;
    }
    if(slots_0 > 1U)
    {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        d_0 = thread_2;
        for(;;)
        {
            if(d_0 < ((&kernelContext_2)->entryPointParams_0->dim_0))
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
                float total_1 = weight_0 + (*(&kernelContext_2)->columns_0)[s_0 * (&kernelContext_2)->entryPointParams_0->dim_0 + d_0];
                s_0 = s_0 + 1U;
                weight_0 = total_1;
            }
            *((&kernelContext_2)->partSums_0+(part_0 * (&kernelContext_2)->entryPointParams_0->dim_0 + d_0)) = weight_0;
            d_0 = d_0 + 256U;
        }
    }
    if(thread_2 == 0U)
    {
        uint _S41 = 2U * part_0;
        *((&kernelContext_2)->partStats_0+_S41) = _S35;
        *((&kernelContext_2)->partStats_0+(_S41 + 1U)) = _S36;
    }
    return;
}

