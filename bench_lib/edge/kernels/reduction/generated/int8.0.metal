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
    int device* partial_0;
    EntryPointParams_0 constant* entryPointParams_0;
    uint _S1;
    uint _S2;
    array<int, int(64)> threadgroup* partials_0;
};

int Sum_overSubgroup_0(int value_0)
{
    int _S3 = simd_sum(value_0);
    return _S3;
}

int Sum_combine_0(int a_0, int b_0)
{
    return a_0 + b_0;
}

int Sum_identity_0()
{
    return int(0);
}

int reduceRow_0(int value_1, uint thread_0, KernelContext_0 thread* kernelContext_0)
{
    uint _S4 = kernelContext_0->_S1;
    int _S5;
    uint i_0;
    if((kernelContext_0->_S1) <= 256U)
    {
        int _S6 = Sum_overSubgroup_0(value_1);
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
            int _S7 = (simd_shuffle((_S5), ushort((int((kernelContext_0->_S2) ^ i_0)))));
            int _S8 = Sum_combine_0(_S5, _S7);
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
            int _S12 = Sum_combine_0(_S5, (*kernelContext_0->partials_0)[_S11 + i_0]);
            uint _S13 = i_0 + 1U;
            _S5 = _S12;
            i_0 = _S13;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return _S5;
}

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<int, int(16)> unpackNumbers_0(uint4 source_1)
{
    uint4 _S14 = words_0(source_1);
    thread array<int, int(16)> values_0;
    values_0[int(0)] = int((_S14[int(0)]) << 24U) >> 24U;
    values_0[int(1)] = int((_S14[int(0)]) << 16U) >> 24U;
    values_0[int(2)] = int((_S14[int(0)]) << 8U) >> 24U;
    values_0[int(3)] = int((_S14[int(0)]) << 0U) >> 24U;
    values_0[int(4)] = int((_S14[int(1)]) << 24U) >> 24U;
    values_0[int(5)] = int((_S14[int(1)]) << 16U) >> 24U;
    values_0[int(6)] = int((_S14[int(1)]) << 8U) >> 24U;
    values_0[int(7)] = int((_S14[int(1)]) << 0U) >> 24U;
    values_0[int(8)] = int((_S14[int(2)]) << 24U) >> 24U;
    values_0[int(9)] = int((_S14[int(2)]) << 16U) >> 24U;
    values_0[int(10)] = int((_S14[int(2)]) << 8U) >> 24U;
    values_0[int(11)] = int((_S14[int(2)]) << 0U) >> 24U;
    values_0[int(12)] = int((_S14[int(3)]) << 24U) >> 24U;
    values_0[int(13)] = int((_S14[int(3)]) << 16U) >> 24U;
    values_0[int(14)] = int((_S14[int(3)]) << 8U) >> 24U;
    values_0[int(15)] = int((_S14[int(3)]) << 0U) >> 24U;
    return values_0;
}

[[kernel]] void reduction(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], packed_uint4 device* x_1 [[buffer(0)]], int device* partial_1 [[buffer(1)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(2)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->partial_0 = partial_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<int, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    thread array<int, int(16)> sums_0;
    sums_0[int(0)] = int(0);
    sums_0[int(1)] = int(0);
    sums_0[int(2)] = int(0);
    sums_0[int(3)] = int(0);
    sums_0[int(4)] = int(0);
    sums_0[int(5)] = int(0);
    sums_0[int(6)] = int(0);
    sums_0[int(7)] = int(0);
    sums_0[int(8)] = int(0);
    sums_0[int(9)] = int(0);
    sums_0[int(10)] = int(0);
    sums_0[int(11)] = int(0);
    sums_0[int(12)] = int(0);
    sums_0[int(13)] = int(0);
    sums_0[int(14)] = int(0);
    sums_0[int(15)] = int(0);
    uint whole_0 = entryPointParams_1->n_0 / 16U;
    uint _S15 = group_0.x;
    uint _S16 = thread_1.x;
    uint first_0 = _S15 * 256U + _S16;
    uint i_1 = first_0;
    for(;;)
    {
        if(i_1 < whole_0)
        {
        }
        else
        {
            break;
        }
        array<int, int(16)> _S17 = unpackNumbers_0(uint4(*((&kernelContext_1)->x_0+i_1)) );
        sums_0[int(0)] = sums_0[int(0)] + _S17[int(0)];
        sums_0[int(1)] = sums_0[int(1)] + _S17[int(1)];
        sums_0[int(2)] = sums_0[int(2)] + _S17[int(2)];
        sums_0[int(3)] = sums_0[int(3)] + _S17[int(3)];
        sums_0[int(4)] = sums_0[int(4)] + _S17[int(4)];
        sums_0[int(5)] = sums_0[int(5)] + _S17[int(5)];
        sums_0[int(6)] = sums_0[int(6)] + _S17[int(6)];
        sums_0[int(7)] = sums_0[int(7)] + _S17[int(7)];
        sums_0[int(8)] = sums_0[int(8)] + _S17[int(8)];
        sums_0[int(9)] = sums_0[int(9)] + _S17[int(9)];
        sums_0[int(10)] = sums_0[int(10)] + _S17[int(10)];
        sums_0[int(11)] = sums_0[int(11)] + _S17[int(11)];
        sums_0[int(12)] = sums_0[int(12)] + _S17[int(12)];
        sums_0[int(13)] = sums_0[int(13)] + _S17[int(13)];
        sums_0[int(14)] = sums_0[int(14)] + _S17[int(14)];
        sums_0[int(15)] = sums_0[int(15)] + _S17[int(15)];
        i_1 = i_1 + (&kernelContext_1)->entryPointParams_0->stride_0;
    }
    bool _S18;
    if(first_0 == 0U)
    {
        _S18 = (whole_0 * 16U) < (entryPointParams_1->n_0);
    }
    else
    {
        _S18 = false;
    }
    if(_S18)
    {
        array<int, int(16)> _S19 = unpackNumbers_0(uint4(*((&kernelContext_1)->x_0+whole_0)) );
        uint _S20 = whole_0 * 16U;
        int _S21;
        if(_S20 < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(0)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(0)] = sums_0[int(0)] + _S21;
        if((_S20 + 1U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(1)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(1)] = sums_0[int(1)] + _S21;
        if((_S20 + 2U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(2)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(2)] = sums_0[int(2)] + _S21;
        if((_S20 + 3U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(3)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(3)] = sums_0[int(3)] + _S21;
        if((_S20 + 4U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(4)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(4)] = sums_0[int(4)] + _S21;
        if((_S20 + 5U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(5)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(5)] = sums_0[int(5)] + _S21;
        if((_S20 + 6U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(6)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(6)] = sums_0[int(6)] + _S21;
        if((_S20 + 7U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(7)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(7)] = sums_0[int(7)] + _S21;
        if((_S20 + 8U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(8)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(8)] = sums_0[int(8)] + _S21;
        if((_S20 + 9U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(9)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(9)] = sums_0[int(9)] + _S21;
        if((_S20 + 10U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(10)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(10)] = sums_0[int(10)] + _S21;
        if((_S20 + 11U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(11)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(11)] = sums_0[int(11)] + _S21;
        if((_S20 + 12U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(12)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(12)] = sums_0[int(12)] + _S21;
        if((_S20 + 13U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(13)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(13)] = sums_0[int(13)] + _S21;
        if((_S20 + 14U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(14)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(14)] = sums_0[int(14)] + _S21;
        if((_S20 + 15U) < (entryPointParams_1->n_0))
        {
            _S21 = _S19[int(15)];
        }
        else
        {
            _S21 = int(0);
        }
        sums_0[int(15)] = sums_0[int(15)] + _S21;
    }
    int _S22 = sums_0[int(0)] + sums_0[int(8)];
    int _S23 = sums_0[int(1)] + sums_0[int(9)];
    int _S24 = sums_0[int(2)] + sums_0[int(10)];
    int _S25 = sums_0[int(3)] + sums_0[int(11)];
    int _S26 = sums_0[int(4)] + sums_0[int(12)];
    sums_0[int(4)] = _S26;
    int _S27 = sums_0[int(5)] + sums_0[int(13)];
    sums_0[int(5)] = _S27;
    int _S28 = sums_0[int(6)] + sums_0[int(14)];
    sums_0[int(6)] = _S28;
    int _S29 = sums_0[int(7)] + sums_0[int(15)];
    sums_0[int(7)] = _S29;
    int _S30 = _S22 + _S26;
    int _S31 = _S23 + _S27;
    int _S32 = _S24 + _S28;
    sums_0[int(2)] = _S32;
    int _S33 = _S25 + _S29;
    sums_0[int(3)] = _S33;
    int _S34 = _S30 + _S32;
    int _S35 = _S31 + _S33;
    sums_0[int(1)] = _S35;
    int _S36 = _S34 + _S35;
    sums_0[int(0)] = _S36;
    int _S37 = reduceRow_0(_S36, _S16, &kernelContext_1);
    if(_S16 == 0U)
    {
        *((&kernelContext_1)->partial_0+_S15) = _S37;
    }
    return;
}

