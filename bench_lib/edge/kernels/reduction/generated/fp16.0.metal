#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint n_0;
    uint stride_0;
};

struct KernelContext_0
{
    packed_uint4 device* x_0;
    float device* partial_0;
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
    if((kernelContext_0->_S1) <= 256U)
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
            float _S7 = (simd_shuffle((_S5), ushort((int((kernelContext_0->_S2) ^ i_0)))));
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

array<float, int(8)> unpackNumbers_0(uint4 source_2)
{
    return unpack_0(source_2, 1.0);
}

[[kernel]] void reduction(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], packed_uint4 device* x_1 [[buffer(0)]], float device* partial_1 [[buffer(1)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(2)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->partial_0 = partial_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    thread array<float, int(8)> sums_0;
    sums_0[int(0)] = 0.0;
    sums_0[int(1)] = 0.0;
    sums_0[int(2)] = 0.0;
    sums_0[int(3)] = 0.0;
    sums_0[int(4)] = 0.0;
    sums_0[int(5)] = 0.0;
    sums_0[int(6)] = 0.0;
    sums_0[int(7)] = 0.0;
    uint whole_0 = entryPointParams_1->n_0 / 8U;
    uint _S19 = group_0.x;
    uint _S20 = thread_1.x;
    uint first_0 = _S19 * 256U + _S20;
    uint i_2 = first_0;
    for(;;)
    {
        if(i_2 < whole_0)
        {
        }
        else
        {
            break;
        }
        array<float, int(8)> _S21 = unpackNumbers_0(uint4(*((&kernelContext_1)->x_0+i_2)) );
        sums_0[int(0)] = sums_0[int(0)] + _S21[int(0)];
        sums_0[int(1)] = sums_0[int(1)] + _S21[int(1)];
        sums_0[int(2)] = sums_0[int(2)] + _S21[int(2)];
        sums_0[int(3)] = sums_0[int(3)] + _S21[int(3)];
        sums_0[int(4)] = sums_0[int(4)] + _S21[int(4)];
        sums_0[int(5)] = sums_0[int(5)] + _S21[int(5)];
        sums_0[int(6)] = sums_0[int(6)] + _S21[int(6)];
        sums_0[int(7)] = sums_0[int(7)] + _S21[int(7)];
        i_2 = i_2 + (&kernelContext_1)->entryPointParams_0->stride_0;
    }
    bool _S22;
    if(first_0 == 0U)
    {
        _S22 = (whole_0 * 8U) < (entryPointParams_1->n_0);
    }
    else
    {
        _S22 = false;
    }
    if(_S22)
    {
        array<float, int(8)> _S23 = unpackNumbers_0(uint4(*((&kernelContext_1)->x_0+whole_0)) );
        uint _S24 = whole_0 * 8U;
        float _S25;
        if(_S24 < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(0)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(0)] = sums_0[int(0)] + _S25;
        if((_S24 + 1U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(1)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(1)] = sums_0[int(1)] + _S25;
        if((_S24 + 2U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(2)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(2)] = sums_0[int(2)] + _S25;
        if((_S24 + 3U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(3)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(3)] = sums_0[int(3)] + _S25;
        if((_S24 + 4U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(4)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(4)] = sums_0[int(4)] + _S25;
        if((_S24 + 5U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(5)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(5)] = sums_0[int(5)] + _S25;
        if((_S24 + 6U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(6)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(6)] = sums_0[int(6)] + _S25;
        if((_S24 + 7U) < (entryPointParams_1->n_0))
        {
            _S25 = _S23[int(7)];
        }
        else
        {
            _S25 = 0.0;
        }
        sums_0[int(7)] = sums_0[int(7)] + _S25;
    }
    float _S26 = sums_0[int(0)] + sums_0[int(4)];
    float _S27 = sums_0[int(1)] + sums_0[int(5)];
    float _S28 = sums_0[int(2)] + sums_0[int(6)];
    sums_0[int(2)] = _S28;
    float _S29 = sums_0[int(3)] + sums_0[int(7)];
    sums_0[int(3)] = _S29;
    float _S30 = _S26 + _S28;
    float _S31 = _S27 + _S29;
    sums_0[int(1)] = _S31;
    float _S32 = _S30 + _S31;
    sums_0[int(0)] = _S32;
    float _S33 = reduceRow_0(_S32, _S20, &kernelContext_1);
    if(_S20 == 0U)
    {
        *((&kernelContext_1)->partial_0+_S19) = _S33;
    }
    return;
}

