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

array<float, int(4)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S14 = words_0(source_1);
    thread array<float, int(4)> values_0;
    values_0[int(0)] = (as_type<float>((_S14[int(0)])));
    values_0[int(1)] = (as_type<float>((_S14[int(1)])));
    values_0[int(2)] = (as_type<float>((_S14[int(2)])));
    values_0[int(3)] = (as_type<float>((_S14[int(3)])));
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
    uint _S15 = thread_1.x;
    uint _S16 = _S15 % 32U;
    uint _S17 = entryPointParams_1->groups_0 * 4U;
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
        uint _S18 = base_0 + _S15 / 32U * 2U;
        thread array<float, int(2)> sums_0;
        sums_0[int(0)] = 0.0;
        sums_0[int(1)] = 0.0;
        uint i_3 = _S16;
        for(;;)
        {
            if(i_3 < _S17)
            {
            }
            else
            {
                break;
            }
            thread array<float, int(8)> values_1;
            uint _S19 = i_3 * 2U;
            array<float, int(4)> _S20 = unpack_0(uint4(*((&kernelContext_1)->x_0+_S19)) , 1.0);
            values_1[int(0)] = _S20[int(0)];
            values_1[int(1)] = _S20[int(1)];
            values_1[int(2)] = _S20[int(2)];
            values_1[int(3)] = _S20[int(3)];
            array<float, int(4)> _S21 = unpack_0(uint4(*((&kernelContext_1)->x_0+(_S19 + 1U))) , 1.0);
            values_1[int(4)] = _S21[int(0)];
            values_1[int(5)] = _S21[int(1)];
            values_1[int(6)] = _S21[int(2)];
            values_1[int(7)] = _S21[int(3)];
            uint _S22 = min(_S18, (&kernelContext_1)->entryPointParams_0->m_0 - 1U);
            uint2 _S23 = uint2(*((&kernelContext_1)->weights_0+(_S22 * _S17 + i_3))) ;
            uint scale_1 = _S22 * entryPointParams_1->groups_0 + i_3 / 4U;
            uint _S24 = (&kernelContext_1)->scales_0[scale_1 / 2U];
            sums_0[int(0)] = fma(f16tof32_0(uint2(_S24 & 65535U, _S24 >> 16U))[scale_1 % 2U], fma(weight_0(_S23, int(7)), _S21[int(3)], fma(weight_0(_S23, int(6)), _S21[int(2)], fma(weight_0(_S23, int(5)), _S21[int(1)], fma(weight_0(_S23, int(4)), _S21[int(0)], fma(weight_0(_S23, int(3)), _S20[int(3)], fma(weight_0(_S23, int(2)), _S20[int(2)], fma(weight_0(_S23, int(1)), _S20[int(1)], fma(weight_0(_S23, int(0)), _S20[int(0)], 0.0)))))))), sums_0[int(0)]);
            uint _S25 = min(_S18 + 1U, (&kernelContext_1)->entryPointParams_0->m_0 - 1U);
            uint2 _S26 = uint2(*((&kernelContext_1)->weights_0+(_S25 * _S17 + i_3))) ;
            uint scale_2 = _S25 * entryPointParams_1->groups_0 + i_3 / 4U;
            uint _S27 = (&kernelContext_1)->scales_0[scale_2 / 2U];
            sums_0[int(1)] = fma(f16tof32_0(uint2(_S27 & 65535U, _S27 >> 16U))[scale_2 % 2U], fma(weight_0(_S26, int(7)), _S21[int(3)], fma(weight_0(_S26, int(6)), _S21[int(2)], fma(weight_0(_S26, int(5)), _S21[int(1)], fma(weight_0(_S26, int(4)), _S21[int(0)], fma(weight_0(_S26, int(3)), _S20[int(3)], fma(weight_0(_S26, int(2)), _S20[int(2)], fma(weight_0(_S26, int(1)), _S20[int(1)], fma(weight_0(_S26, int(0)), _S20[int(0)], 0.0)))))))), sums_0[int(1)]);
            i_3 = i_3 + 32U;
        }
        float _S28 = reduceRow_0(sums_0[int(0)], _S15, &kernelContext_1);
        bool _S29 = _S16 == 0U;
        bool _S30;
        if(_S29)
        {
            _S30 = _S18 < ((&kernelContext_1)->entryPointParams_0->m_0);
        }
        else
        {
            _S30 = false;
        }
        if(_S30)
        {
            *((&kernelContext_1)->y_0+_S18) = _S28;
        }
        float _S31 = reduceRow_0(sums_0[int(1)], _S15, &kernelContext_1);
        bool _S32;
        if(_S29)
        {
            _S32 = (_S18 + 1U) < ((&kernelContext_1)->entryPointParams_0->m_0);
        }
        else
        {
            _S32 = false;
        }
        if(_S32)
        {
            *((&kernelContext_1)->y_0+(_S18 + 1U)) = _S31;
        }
        base_0 = base_0 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

