#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<int, int(16)> unpackNumbers_0(uint4 source_1)
{
    uint4 _S1 = words_0(source_1);
    thread array<int, int(16)> values_0;
    values_0[int(0)] = int((_S1[int(0)]) << 24U) >> 24U;
    values_0[int(1)] = int((_S1[int(0)]) << 16U) >> 24U;
    values_0[int(2)] = int((_S1[int(0)]) << 8U) >> 24U;
    values_0[int(3)] = int((_S1[int(0)]) << 0U) >> 24U;
    values_0[int(4)] = int((_S1[int(1)]) << 24U) >> 24U;
    values_0[int(5)] = int((_S1[int(1)]) << 16U) >> 24U;
    values_0[int(6)] = int((_S1[int(1)]) << 8U) >> 24U;
    values_0[int(7)] = int((_S1[int(1)]) << 0U) >> 24U;
    values_0[int(8)] = int((_S1[int(2)]) << 24U) >> 24U;
    values_0[int(9)] = int((_S1[int(2)]) << 16U) >> 24U;
    values_0[int(10)] = int((_S1[int(2)]) << 8U) >> 24U;
    values_0[int(11)] = int((_S1[int(2)]) << 0U) >> 24U;
    values_0[int(12)] = int((_S1[int(3)]) << 24U) >> 24U;
    values_0[int(13)] = int((_S1[int(3)]) << 16U) >> 24U;
    values_0[int(14)] = int((_S1[int(3)]) << 8U) >> 24U;
    values_0[int(15)] = int((_S1[int(3)]) << 0U) >> 24U;
    return values_0;
}

int multiplyAdd_0(int a_0, int b_0, int c_0)
{
    return a_0 * b_0 + c_0;
}

struct EntryPointParams_0
{
    uint m_0;
    uint n_0;
    uint k_0;
};

struct KernelContext_0
{
    packed_uint4 device* a_1;
    packed_uint4 device* b_1;
    int device* c_1;
    EntryPointParams_0 constant* entryPointParams_0;
    array<int, int(2048)> threadgroup* tileA_0;
    array<int, int(2048)> threadgroup* tileB_0;
};

[[kernel]] void gemm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], packed_uint4 device* a_2 [[buffer(0)]], packed_uint4 device* b_2 [[buffer(1)]], int device* c_2 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    bool _S2;
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->a_1 = a_2;
    (&kernelContext_0)->b_1 = b_2;
    (&kernelContext_0)->c_1 = c_2;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<int, int(2048)> tileA_1;
    (&kernelContext_0)->tileA_0 = &tileA_1;
    threadgroup array<int, int(2048)> tileB_1;
    (&kernelContext_0)->tileB_0 = &tileB_1;
    uint thread_0 = invocation_0.x;
    uint _S3 = group_0.y * 64U;
    uint _S4 = group_0.x * 64U;
    uint _S5 = thread_0 % 16U;
    uint _S6 = thread_0 / 16U;
    uint _S7 = entryPointParams_1->k_0 / 16U;
    uint _S8 = entryPointParams_1->n_0 / 16U;
    thread array<array<int, int(4)>, int(4)> sums_0;
    sums_0[int(0)][int(0)] = int(0);
    sums_0[int(0)][int(1)] = int(0);
    sums_0[int(0)][int(2)] = int(0);
    sums_0[int(0)][int(3)] = int(0);
    sums_0[int(1)][int(0)] = int(0);
    sums_0[int(1)][int(1)] = int(0);
    sums_0[int(1)][int(2)] = int(0);
    sums_0[int(1)][int(3)] = int(0);
    sums_0[int(2)][int(0)] = int(0);
    sums_0[int(2)][int(1)] = int(0);
    sums_0[int(2)][int(2)] = int(0);
    sums_0[int(2)][int(3)] = int(0);
    sums_0[int(3)][int(0)] = int(0);
    sums_0[int(3)][int(1)] = int(0);
    sums_0[int(3)][int(2)] = int(0);
    sums_0[int(3)][int(3)] = int(0);
    thread array<array<int, int(16)>, int(1)> nextA_0;
    thread array<array<int, int(16)>, int(1)> nextB_0;
    uint slice_0 = 0U;
    for(;;)
    {
        if(slice_0 < (entryPointParams_1->k_0 + 32U))
        {
        }
        else
        {
            break;
        }
        bool _S9 = slice_0 > 0U;
        if(_S9)
        {
            threadgroup_barrier(mem_flags::mem_threadgroup);
            uint _S10 = thread_0 / 2U;
            uint _S11 = thread_0 % 2U * 16U;
            bool _S12 = thread_0 < 128U;
            if(_S12)
            {
                (*(&kernelContext_0)->tileA_0)[_S11 * 64U + _S10] = nextA_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 1U) * 64U + _S10] = nextA_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 2U) * 64U + _S10] = nextA_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 3U) * 64U + _S10] = nextA_0[int(0)][int(3)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 4U) * 64U + _S10] = nextA_0[int(0)][int(4)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 5U) * 64U + _S10] = nextA_0[int(0)][int(5)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 6U) * 64U + _S10] = nextA_0[int(0)][int(6)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 7U) * 64U + _S10] = nextA_0[int(0)][int(7)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 8U) * 64U + _S10] = nextA_0[int(0)][int(8)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 9U) * 64U + _S10] = nextA_0[int(0)][int(9)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 10U) * 64U + _S10] = nextA_0[int(0)][int(10)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 11U) * 64U + _S10] = nextA_0[int(0)][int(11)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 12U) * 64U + _S10] = nextA_0[int(0)][int(12)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 13U) * 64U + _S10] = nextA_0[int(0)][int(13)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 14U) * 64U + _S10] = nextA_0[int(0)][int(14)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 15U) * 64U + _S10] = nextA_0[int(0)][int(15)];
            }
            if(_S12)
            {
                uint _S13 = thread_0 * 16U;
                (*(&kernelContext_0)->tileB_0)[_S13] = nextB_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 1U] = nextB_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 2U] = nextB_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 3U] = nextB_0[int(0)][int(3)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 4U] = nextB_0[int(0)][int(4)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 5U] = nextB_0[int(0)][int(5)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 6U] = nextB_0[int(0)][int(6)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 7U] = nextB_0[int(0)][int(7)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 8U] = nextB_0[int(0)][int(8)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 9U] = nextB_0[int(0)][int(9)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 10U] = nextB_0[int(0)][int(10)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 11U] = nextB_0[int(0)][int(11)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 12U] = nextB_0[int(0)][int(12)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 13U] = nextB_0[int(0)][int(13)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 14U] = nextB_0[int(0)][int(14)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 15U] = nextB_0[int(0)][int(15)];
            }
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if(slice_0 < (entryPointParams_1->k_0))
        {
            uint r_0 = _S3 + thread_0 / 2U;
            uint q_0 = slice_0 + thread_0 % 2U * 16U;
            nextA_0[int(0)][int(0)] = int(0);
            nextA_0[int(0)][int(1)] = int(0);
            nextA_0[int(0)][int(2)] = int(0);
            nextA_0[int(0)][int(3)] = int(0);
            nextA_0[int(0)][int(4)] = int(0);
            nextA_0[int(0)][int(5)] = int(0);
            nextA_0[int(0)][int(6)] = int(0);
            nextA_0[int(0)][int(7)] = int(0);
            nextA_0[int(0)][int(8)] = int(0);
            nextA_0[int(0)][int(9)] = int(0);
            nextA_0[int(0)][int(10)] = int(0);
            nextA_0[int(0)][int(11)] = int(0);
            nextA_0[int(0)][int(12)] = int(0);
            nextA_0[int(0)][int(13)] = int(0);
            nextA_0[int(0)][int(14)] = int(0);
            nextA_0[int(0)][int(15)] = int(0);
            bool _S14 = thread_0 < 128U;
            if(_S14)
            {
                _S2 = r_0 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S2 = false;
            }
            bool _S15;
            if(_S2)
            {
                _S15 = q_0 < (entryPointParams_1->k_0);
            }
            else
            {
                _S15 = false;
            }
            if(_S15)
            {
                nextA_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->a_1+(r_0 * _S7 + q_0 / 16U))) );
            }
            uint q_1 = slice_0 + thread_0 / 4U;
            uint s_0 = _S4 + thread_0 % 4U * 16U;
            nextB_0[int(0)][int(0)] = int(0);
            nextB_0[int(0)][int(1)] = int(0);
            nextB_0[int(0)][int(2)] = int(0);
            nextB_0[int(0)][int(3)] = int(0);
            nextB_0[int(0)][int(4)] = int(0);
            nextB_0[int(0)][int(5)] = int(0);
            nextB_0[int(0)][int(6)] = int(0);
            nextB_0[int(0)][int(7)] = int(0);
            nextB_0[int(0)][int(8)] = int(0);
            nextB_0[int(0)][int(9)] = int(0);
            nextB_0[int(0)][int(10)] = int(0);
            nextB_0[int(0)][int(11)] = int(0);
            nextB_0[int(0)][int(12)] = int(0);
            nextB_0[int(0)][int(13)] = int(0);
            nextB_0[int(0)][int(14)] = int(0);
            nextB_0[int(0)][int(15)] = int(0);
            bool _S16;
            if(_S14)
            {
                _S16 = q_1 < (entryPointParams_1->k_0);
            }
            else
            {
                _S16 = false;
            }
            bool _S17;
            if(_S16)
            {
                _S17 = s_0 < (entryPointParams_1->n_0);
            }
            else
            {
                _S17 = false;
            }
            if(_S17)
            {
                nextB_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->b_1+(q_1 * _S8 + s_0 / 16U))) );
            }
        }
        if(_S9)
        {
            uint q_2 = 0U;
            for(;;)
            {
                if(q_2 < 32U)
                {
                }
                else
                {
                    break;
                }
                thread array<int, int(4)> left_0;
                thread array<int, int(4)> right_0;
                uint _S18 = q_2 * 64U;
                uint _S19 = _S18 + _S6 * 4U;
                int _S20 = (*(&kernelContext_0)->tileA_0)[_S19];
                left_0[int(0)] = (*(&kernelContext_0)->tileA_0)[_S19];
                int _S21 = (*(&kernelContext_0)->tileA_0)[_S19 + 1U];
                left_0[int(1)] = (*(&kernelContext_0)->tileA_0)[_S19 + 1U];
                int _S22 = (*(&kernelContext_0)->tileA_0)[_S19 + 2U];
                left_0[int(2)] = (*(&kernelContext_0)->tileA_0)[_S19 + 2U];
                int _S23 = (*(&kernelContext_0)->tileA_0)[_S19 + 3U];
                left_0[int(3)] = (*(&kernelContext_0)->tileA_0)[_S19 + 3U];
                uint _S24 = _S18 + _S5 * 4U;
                int _S25 = (*(&kernelContext_0)->tileB_0)[_S24];
                right_0[int(0)] = (*(&kernelContext_0)->tileB_0)[_S24];
                int _S26 = (*(&kernelContext_0)->tileB_0)[_S24 + 1U];
                right_0[int(1)] = (*(&kernelContext_0)->tileB_0)[_S24 + 1U];
                int _S27 = (*(&kernelContext_0)->tileB_0)[_S24 + 2U];
                right_0[int(2)] = (*(&kernelContext_0)->tileB_0)[_S24 + 2U];
                int _S28 = (*(&kernelContext_0)->tileB_0)[_S24 + 3U];
                right_0[int(3)] = (*(&kernelContext_0)->tileB_0)[_S24 + 3U];
                sums_0[int(0)][int(0)] = multiplyAdd_0(_S20, _S25, sums_0[int(0)][int(0)]);
                sums_0[int(0)][int(1)] = multiplyAdd_0(_S20, _S26, sums_0[int(0)][int(1)]);
                sums_0[int(0)][int(2)] = multiplyAdd_0(_S20, _S27, sums_0[int(0)][int(2)]);
                sums_0[int(0)][int(3)] = multiplyAdd_0(_S20, _S28, sums_0[int(0)][int(3)]);
                sums_0[int(1)][int(0)] = multiplyAdd_0(_S21, _S25, sums_0[int(1)][int(0)]);
                sums_0[int(1)][int(1)] = multiplyAdd_0(_S21, _S26, sums_0[int(1)][int(1)]);
                sums_0[int(1)][int(2)] = multiplyAdd_0(_S21, _S27, sums_0[int(1)][int(2)]);
                sums_0[int(1)][int(3)] = multiplyAdd_0(_S21, _S28, sums_0[int(1)][int(3)]);
                sums_0[int(2)][int(0)] = multiplyAdd_0(_S22, _S25, sums_0[int(2)][int(0)]);
                sums_0[int(2)][int(1)] = multiplyAdd_0(_S22, _S26, sums_0[int(2)][int(1)]);
                sums_0[int(2)][int(2)] = multiplyAdd_0(_S22, _S27, sums_0[int(2)][int(2)]);
                sums_0[int(2)][int(3)] = multiplyAdd_0(_S22, _S28, sums_0[int(2)][int(3)]);
                sums_0[int(3)][int(0)] = multiplyAdd_0(_S23, _S25, sums_0[int(3)][int(0)]);
                sums_0[int(3)][int(1)] = multiplyAdd_0(_S23, _S26, sums_0[int(3)][int(1)]);
                sums_0[int(3)][int(2)] = multiplyAdd_0(_S23, _S27, sums_0[int(3)][int(2)]);
                sums_0[int(3)][int(3)] = multiplyAdd_0(_S23, _S28, sums_0[int(3)][int(3)]);
                q_2 = q_2 + 1U;
            }
        }
        slice_0 = slice_0 + 32U;
    }
    uint _S29 = _S3 + _S6 * 4U;
    uint _S30 = _S4 + _S5 * 4U;
    if(_S29 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S30 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S29 * entryPointParams_1->n_0 + _S30)) = sums_0[int(0)][int(0)];
    }
    uint s_1 = _S30 + 1U;
    if(_S29 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S29 * entryPointParams_1->n_0 + s_1)) = sums_0[int(0)][int(1)];
    }
    uint s_2 = _S30 + 2U;
    if(_S29 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S29 * entryPointParams_1->n_0 + s_2)) = sums_0[int(0)][int(2)];
    }
    uint s_3 = _S30 + 3U;
    if(_S29 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S29 * entryPointParams_1->n_0 + s_3)) = sums_0[int(0)][int(3)];
    }
    uint _S31 = _S29 + 1U;
    if(_S31 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S30 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S31 * entryPointParams_1->n_0 + _S30)) = sums_0[int(1)][int(0)];
    }
    if(_S31 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S31 * entryPointParams_1->n_0 + s_1)) = sums_0[int(1)][int(1)];
    }
    if(_S31 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S31 * entryPointParams_1->n_0 + s_2)) = sums_0[int(1)][int(2)];
    }
    if(_S31 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S31 * entryPointParams_1->n_0 + s_3)) = sums_0[int(1)][int(3)];
    }
    uint _S32 = _S29 + 2U;
    if(_S32 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S30 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S32 * entryPointParams_1->n_0 + _S30)) = sums_0[int(2)][int(0)];
    }
    if(_S32 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S32 * entryPointParams_1->n_0 + s_1)) = sums_0[int(2)][int(1)];
    }
    if(_S32 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S32 * entryPointParams_1->n_0 + s_2)) = sums_0[int(2)][int(2)];
    }
    if(_S32 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S32 * entryPointParams_1->n_0 + s_3)) = sums_0[int(2)][int(3)];
    }
    uint _S33 = _S29 + 3U;
    if(_S33 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S30 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S33 * entryPointParams_1->n_0 + _S30)) = sums_0[int(3)][int(0)];
    }
    if(_S33 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S33 * entryPointParams_1->n_0 + s_1)) = sums_0[int(3)][int(1)];
    }
    if(_S33 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S33 * entryPointParams_1->n_0 + s_2)) = sums_0[int(3)][int(2)];
    }
    if(_S33 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S33 * entryPointParams_1->n_0 + s_3)) = sums_0[int(3)][int(3)];
    }
    return;
}

