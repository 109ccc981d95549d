#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint count_0;
};

struct KernelContext_0
{
    int device* partial_0;
    int device* result_0;
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
        uint count_1 = 256U / _S4;
        uint _S9 = thread_0 % _S4;
        if(_S9 == 0U)
        {
            uint _S10 = thread_0 / _S4;
            (*kernelContext_0->partials_0)[_S10] = _S5;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S11 = thread_0 / 256U * count_1;
        _S5 = Sum_identity_0();
        i_0 = 0U;
        for(;;)
        {
            if(i_0 < count_1)
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

[[kernel]] void reduction_final(uint3 thread_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], int device* partial_1 [[buffer(0)]], int device* result_1 [[buffer(1)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(2)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->partial_0 = partial_1;
    (&kernelContext_1)->result_0 = result_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<int, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    uint _S14 = thread_1.x;
    uint i_1 = _S14;
    int sum_0 = int(0);
    for(;;)
    {
        if(i_1 < ((&kernelContext_1)->entryPointParams_0->count_0))
        {
        }
        else
        {
            break;
        }
        int sum_1 = sum_0 + (&kernelContext_1)->partial_0[i_1];
        i_1 = i_1 + 256U;
        sum_0 = sum_1;
    }
    int _S15 = reduceRow_0(sum_0, _S14, &kernelContext_1);
    if(_S14 == 0U)
    {
        *((&kernelContext_1)->result_0+int(0)) = _S15;
    }
    return;
}

