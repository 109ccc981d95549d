#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint m_0;
    uint row_loads_0;
    uint row_step_0;
};

struct KernelContext_0
{
    char device* x_0;
    char device* a_0;
    int device* y_0;
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

int Sum_combine_0(int a_1, int b_0)
{
    return a_1 + b_0;
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
    if((kernelContext_0->_S1) <= 32U)
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
            if(i_0 < 32U)
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
            int _S12 = Sum_combine_0(_S5, (*kernelContext_0->partials_0)[_S11 + i_0]);
            uint _S13 = i_0 + 1U;
            _S5 = _S12;
            i_0 = _S13;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return _S5;
}

array<int, int(1)> unpackNumbers_0(char source_0)
{
    thread array<int, int(1)> values_0;
    values_0[int(0)] = int(source_0);
    return values_0;
}

int multiplyAdd_0(int a_2, int b_1, int c_0)
{
    return a_2 * b_1 + c_0;
}

[[kernel]] void gemv(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], char device* x_1 [[buffer(1)]], char device* a_3 [[buffer(0)]], int device* y_1 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->a_0 = a_3;
    (&kernelContext_1)->y_0 = y_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<int, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    uint _S14 = thread_1.x;
    uint _S15 = _S14 % 32U;
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
        uint _S16 = base_0 + _S14 / 32U * 2U;
        thread array<int, int(2)> sums_0;
        thread array<uint, int(2)> start_0;
        sums_0[int(0)] = int(0);
        start_0[int(0)] = min(_S16, (&kernelContext_1)->entryPointParams_0->m_0 - 1U) * (&kernelContext_1)->entryPointParams_0->row_loads_0;
        sums_0[int(1)] = int(0);
        uint _S17 = _S16 + 1U;
        start_0[int(1)] = min(_S17, (&kernelContext_1)->entryPointParams_0->m_0 - 1U) * (&kernelContext_1)->entryPointParams_0->row_loads_0;
        uint i_1 = _S15;
        for(;;)
        {
            if(i_1 < ((&kernelContext_1)->entryPointParams_0->row_loads_0))
            {
            }
            else
            {
                break;
            }
            array<int, int(1)> _S18 = unpackNumbers_0((&kernelContext_1)->x_0[i_1]);
            sums_0[int(0)] = multiplyAdd_0(unpackNumbers_0((&kernelContext_1)->a_0[start_0[int(0)] + i_1])[int(0)], _S18[int(0)], sums_0[int(0)]);
            sums_0[int(1)] = multiplyAdd_0(unpackNumbers_0((&kernelContext_1)->a_0[start_0[int(1)] + i_1])[int(0)], _S18[int(0)], sums_0[int(1)]);
            i_1 = i_1 + 32U;
        }
        int _S19 = reduceRow_0(sums_0[int(0)], _S14, &kernelContext_1);
        bool _S20 = _S15 == 0U;
        bool _S21;
        if(_S20)
        {
            _S21 = _S16 < ((&kernelContext_1)->entryPointParams_0->m_0);
        }
        else
        {
            _S21 = false;
        }
        if(_S21)
        {
            *((&kernelContext_1)->y_0+_S16) = _S19;
        }
        int _S22 = reduceRow_0(sums_0[int(1)], _S14, &kernelContext_1);
        bool _S23;
        if(_S20)
        {
            _S23 = _S17 < ((&kernelContext_1)->entryPointParams_0->m_0);
        }
        else
        {
            _S23 = false;
        }
        if(_S23)
        {
            *((&kernelContext_1)->y_0+_S17) = _S22;
        }
        base_0 = base_0 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

