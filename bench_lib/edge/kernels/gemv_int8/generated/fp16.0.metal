#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint m_0;
    uint groups_0;
    uint row_step_0;
};

struct KernelContext_0
{
    packed_uint4 device* x_0;
    packed_uint2 device* weights_0;
    uint device* scales_0;
    float device* y_0;
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

float2 f16tof32_0(uint2 value_2)
{
    thread float2 result_0;
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
        result_0[i_1] = (as_type<half>((ushort)((value_2[i_1]))));
        i_1 = i_1 + int(1);
    }
    return result_0;
}

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(8)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S14 = words_0(source_1);
    float2 _S15 = f16tof32_0(uint2((_S14[int(0)]) & 65535U, (_S14[int(0)]) >> 16U));
    thread array<float, int(8)> values_0;
    values_0[int(0)] = _S15.x;
    values_0[int(1)] = _S15.y;
    float2 _S16 = f16tof32_0(uint2((_S14[int(1)]) & 65535U, (_S14[int(1)]) >> 16U));
    values_0[int(2)] = _S16.x;
    values_0[int(3)] = _S16.y;
    float2 _S17 = f16tof32_0(uint2((_S14[int(2)]) & 65535U, (_S14[int(2)]) >> 16U));
    values_0[int(4)] = _S17.x;
    values_0[int(5)] = _S17.y;
    float2 _S18 = f16tof32_0(uint2((_S14[int(3)]) & 65535U, (_S14[int(3)]) >> 16U));
    values_0[int(6)] = _S18.x;
    values_0[int(7)] = _S18.y;
    return values_0;
}

float weight_0(uint2 w_0, int i_2)
{
    return float(int((w_0[i_2 / int(4)]) << uint(int(24) - int(8) * (i_2 % int(4)))) >> 24U);
}

[[kernel]] void gemv_int8(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], packed_uint4 device* x_1 [[buffer(2)]], packed_uint2 device* weights_1 [[buffer(0)]], uint device* scales_1 [[buffer(1)]], float device* y_1 [[buffer(3)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(4)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->weights_0 = weights_1;
    (&kernelContext_1)->scales_0 = scales_1;
    (&kernelContext_1)->y_0 = y_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    uint _S19 = thread_1.x;
    uint _S20 = _S19 % 32U;
    uint _S21 = entryPointParams_1->groups_0 * 4U;
    uint base_0 = group_0.x * 8U * 2U;
    for(;;)
    {
        if(base_0 < ((&kernelContext_1)->entryPointParams_0->m_0))
        {
        }
        else
        {
            break;
        }
        uint _S22 = base_0 + _S19 / 32U * 2U;
        thread array<float, int(2)> sums_0;
        sums_0[int(0)] = 0.0;
        sums_0[int(1)] = 0.0;
        uint i_3 = _S20;
        for(;;)
        {
            if(i_3 < _S21)
            {
            }
            else
            {
                break;
            }
            thread array<float, int(8)> values_1;
            array<float, int(8)> _S23 = unpack_0(uint4(*((&kernelContext_1)->x_0+i_3)) , 1.0);
            values_1[int(0)] = _S23[int(0)];
            values_1[int(1)] = _S23[int(1)];
            values_1[int(2)] = _S23[int(2)];
            values_1[int(3)] = _S23[int(3)];
            values_1[int(4)] = _S23[int(4)];
            values_1[int(5)] = _S23[int(5)];
            values_1[int(6)] = _S23[int(6)];
            values_1[int(7)] = _S23[int(7)];
            uint _S24 = min(_S22, (&kernelContext_1)->entryPointParams_0->m_0 - 1U);
            uint2 _S25 = uint2(*((&kernelContext_1)->weights_0+(_S24 * _S21 + i_3))) ;
            uint scale_1 = _S24 * entryPointParams_1->groups_0 + i_3 / 4U;
            uint _S26 = (&kernelContext_1)->scales_0[scale_1 / 2U];
            sums_0[int(0)] = fma(f16tof32_0(uint2(_S26 & 65535U, _S26 >> 16U))[scale_1 % 2U], fma(weight_0(_S25, int(7)), _S23[int(7)], fma(weight_0(_S25, int(6)), _S23[int(6)], fma(weight_0(_S25, int(5)), _S23[int(5)], fma(weight_0(_S25, int(4)), _S23[int(4)], fma(weight_0(_S25, int(3)), _S23[int(3)], fma(weight_0(_S25, int(2)), _S23[int(2)], fma(weight_0(_S25, int(1)), _S23[int(1)], fma(weight_0(_S25, int(0)), _S23[int(0)], 0.0)))))))), sums_0[int(0)]);
            uint _S27 = min(_S22 + 1U, (&kernelContext_1)->entryPointParams_0->m_0 - 1U);
            uint2 _S28 = uint2(*((&kernelContext_1)->weights_0+(_S27 * _S21 + i_3))) ;
            uint scale_2 = _S27 * entryPointParams_1->groups_0 + i_3 / 4U;
            uint _S29 = (&kernelContext_1)->scales_0[scale_2 / 2U];
            sums_0[int(1)] = fma(f16tof32_0(uint2(_S29 & 65535U, _S29 >> 16U))[scale_2 % 2U], fma(weight_0(_S28, int(7)), _S23[int(7)], fma(weight_0(_S28, int(6)), _S23[int(6)], fma(weight_0(_S28, int(5)), _S23[int(5)], fma(weight_0(_S28, int(4)), _S23[int(4)], fma(weight_0(_S28, int(3)), _S23[int(3)], fma(weight_0(_S28, int(2)), _S23[int(2)], fma(weight_0(_S28, int(1)), _S23[int(1)], fma(weight_0(_S28, int(0)), _S23[int(0)], 0.0)))))))), sums_0[int(1)]);
            i_3 = i_3 + 32U;
        }
        float _S30 = reduceRow_0(sums_0[int(0)], _S19, &kernelContext_1);
        bool _S31 = _S20 == 0U;
        bool _S32;
        if(_S31)
        {
            _S32 = _S22 < ((&kernelContext_1)->entryPointParams_0->m_0);
        }
        else
        {
            _S32 = false;
        }
        if(_S32)
        {
            *((&kernelContext_1)->y_0+_S22) = _S30;
        }
        float _S33 = reduceRow_0(sums_0[int(1)], _S19, &kernelContext_1);
        bool _S34;
        if(_S31)
        {
            _S34 = (_S22 + 1U) < ((&kernelContext_1)->entryPointParams_0->m_0);
        }
        else
        {
            _S34 = false;
        }
        if(_S34)
        {
            *((&kernelContext_1)->y_0+(_S22 + 1U)) = _S33;
        }
        base_0 = base_0 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

