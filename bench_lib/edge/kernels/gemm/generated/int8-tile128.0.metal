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
    uint _S3 = group_0.y * 128U;
    uint _S4 = group_0.x * 128U;
    uint _S5 = thread_0 % 16U;
    uint _S6 = thread_0 / 16U;
    uint _S7 = entryPointParams_1->k_0 / 16U;
    uint _S8 = entryPointParams_1->n_0 / 16U;
    thread array<array<int, int(8)>, int(8)> sums_0;
    sums_0[int(0)][int(0)] = int(0);
    sums_0[int(0)][int(1)] = int(0);
    sums_0[int(0)][int(2)] = int(0);
    sums_0[int(0)][int(3)] = int(0);
    sums_0[int(0)][int(4)] = int(0);
    sums_0[int(0)][int(5)] = int(0);
    sums_0[int(0)][int(6)] = int(0);
    sums_0[int(0)][int(7)] = int(0);
    sums_0[int(1)][int(0)] = int(0);
    sums_0[int(1)][int(1)] = int(0);
    sums_0[int(1)][int(2)] = int(0);
    sums_0[int(1)][int(3)] = int(0);
    sums_0[int(1)][int(4)] = int(0);
    sums_0[int(1)][int(5)] = int(0);
    sums_0[int(1)][int(6)] = int(0);
    sums_0[int(1)][int(7)] = int(0);
    sums_0[int(2)][int(0)] = int(0);
    sums_0[int(2)][int(1)] = int(0);
    sums_0[int(2)][int(2)] = int(0);
    sums_0[int(2)][int(3)] = int(0);
    sums_0[int(2)][int(4)] = int(0);
    sums_0[int(2)][int(5)] = int(0);
    sums_0[int(2)][int(6)] = int(0);
    sums_0[int(2)][int(7)] = int(0);
    sums_0[int(3)][int(0)] = int(0);
    sums_0[int(3)][int(1)] = int(0);
    sums_0[int(3)][int(2)] = int(0);
    sums_0[int(3)][int(3)] = int(0);
    sums_0[int(3)][int(4)] = int(0);
    sums_0[int(3)][int(5)] = int(0);
    sums_0[int(3)][int(6)] = int(0);
    sums_0[int(3)][int(7)] = int(0);
    sums_0[int(4)][int(0)] = int(0);
    sums_0[int(4)][int(1)] = int(0);
    sums_0[int(4)][int(2)] = int(0);
    sums_0[int(4)][int(3)] = int(0);
    sums_0[int(4)][int(4)] = int(0);
    sums_0[int(4)][int(5)] = int(0);
    sums_0[int(4)][int(6)] = int(0);
    sums_0[int(4)][int(7)] = int(0);
    sums_0[int(5)][int(0)] = int(0);
    sums_0[int(5)][int(1)] = int(0);
    sums_0[int(5)][int(2)] = int(0);
    sums_0[int(5)][int(3)] = int(0);
    sums_0[int(5)][int(4)] = int(0);
    sums_0[int(5)][int(5)] = int(0);
    sums_0[int(5)][int(6)] = int(0);
    sums_0[int(5)][int(7)] = int(0);
    sums_0[int(6)][int(0)] = int(0);
    sums_0[int(6)][int(1)] = int(0);
    sums_0[int(6)][int(2)] = int(0);
    sums_0[int(6)][int(3)] = int(0);
    sums_0[int(6)][int(4)] = int(0);
    sums_0[int(6)][int(5)] = int(0);
    sums_0[int(6)][int(6)] = int(0);
    sums_0[int(6)][int(7)] = int(0);
    sums_0[int(7)][int(0)] = int(0);
    sums_0[int(7)][int(1)] = int(0);
    sums_0[int(7)][int(2)] = int(0);
    sums_0[int(7)][int(3)] = int(0);
    sums_0[int(7)][int(4)] = int(0);
    sums_0[int(7)][int(5)] = int(0);
    sums_0[int(7)][int(6)] = int(0);
    sums_0[int(7)][int(7)] = int(0);
    thread array<array<int, int(16)>, int(1)> nextA_0;
    thread array<array<int, int(16)>, int(1)> nextB_0;
    uint slice_0 = 0U;
    for(;;)
    {
        if(slice_0 < (entryPointParams_1->k_0 + 16U))
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
            uint _S10 = thread_0 % 1U * 16U;
            bool _S11 = thread_0 < 128U;
            if(_S11)
            {
                (*(&kernelContext_0)->tileA_0)[_S10 * 128U + thread_0] = nextA_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 1U) * 128U + thread_0] = nextA_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 2U) * 128U + thread_0] = nextA_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 3U) * 128U + thread_0] = nextA_0[int(0)][int(3)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 4U) * 128U + thread_0] = nextA_0[int(0)][int(4)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 5U) * 128U + thread_0] = nextA_0[int(0)][int(5)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 6U) * 128U + thread_0] = nextA_0[int(0)][int(6)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 7U) * 128U + thread_0] = nextA_0[int(0)][int(7)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 8U) * 128U + thread_0] = nextA_0[int(0)][int(8)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 9U) * 128U + thread_0] = nextA_0[int(0)][int(9)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 10U) * 128U + thread_0] = nextA_0[int(0)][int(10)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 11U) * 128U + thread_0] = nextA_0[int(0)][int(11)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 12U) * 128U + thread_0] = nextA_0[int(0)][int(12)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 13U) * 128U + thread_0] = nextA_0[int(0)][int(13)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 14U) * 128U + thread_0] = nextA_0[int(0)][int(14)];
                (*(&kernelContext_0)->tileA_0)[(_S10 + 15U) * 128U + thread_0] = nextA_0[int(0)][int(15)];
            }
            if(_S11)
            {
                uint _S12 = thread_0 * 16U;
                (*(&kernelContext_0)->tileB_0)[_S12] = nextB_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 1U] = nextB_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 2U] = nextB_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 3U] = nextB_0[int(0)][int(3)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 4U] = nextB_0[int(0)][int(4)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 5U] = nextB_0[int(0)][int(5)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 6U] = nextB_0[int(0)][int(6)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 7U] = nextB_0[int(0)][int(7)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 8U] = nextB_0[int(0)][int(8)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 9U] = nextB_0[int(0)][int(9)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 10U] = nextB_0[int(0)][int(10)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 11U] = nextB_0[int(0)][int(11)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 12U] = nextB_0[int(0)][int(12)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 13U] = nextB_0[int(0)][int(13)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 14U] = nextB_0[int(0)][int(14)];
                (*(&kernelContext_0)->tileB_0)[_S12 + 15U] = nextB_0[int(0)][int(15)];
            }
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if(slice_0 < (entryPointParams_1->k_0))
        {
            uint r_0 = _S3 + thread_0;
            uint q_0 = slice_0 + thread_0 % 1U * 16U;
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
            bool _S13 = thread_0 < 128U;
            if(_S13)
            {
                _S2 = r_0 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S2 = false;
            }
            bool _S14;
            if(_S2)
            {
                _S14 = q_0 < (entryPointParams_1->k_0);
            }
            else
            {
                _S14 = false;
            }
            if(_S14)
            {
                nextA_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->a_1+(r_0 * _S7 + q_0 / 16U))) );
            }
            uint q_1 = slice_0 + thread_0 / 8U;
            uint s_0 = _S4 + thread_0 % 8U * 16U;
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
            bool _S15;
            if(_S13)
            {
                _S15 = q_1 < (entryPointParams_1->k_0);
            }
            else
            {
                _S15 = false;
            }
            bool _S16;
            if(_S15)
            {
                _S16 = s_0 < (entryPointParams_1->n_0);
            }
            else
            {
                _S16 = false;
            }
            if(_S16)
            {
                nextB_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->b_1+(q_1 * _S8 + s_0 / 16U))) );
            }
        }
        if(_S9)
        {
            uint q_2 = 0U;
            for(;;)
            {
                if(q_2 < 16U)
                {
                }
                else
                {
                    break;
                }
                thread array<int, int(8)> left_0;
                thread array<int, int(8)> right_0;
                uint _S17 = q_2 * 128U;
                uint _S18 = _S6 * 4U;
                uint _S19 = _S17 + _S18;
                int _S20 = (*(&kernelContext_0)->tileA_0)[_S19];
                left_0[int(0)] = (*(&kernelContext_0)->tileA_0)[_S19];
                int _S21 = (*(&kernelContext_0)->tileA_0)[_S19 + 1U];
                left_0[int(1)] = (*(&kernelContext_0)->tileA_0)[_S19 + 1U];
                int _S22 = (*(&kernelContext_0)->tileA_0)[_S19 + 2U];
                left_0[int(2)] = (*(&kernelContext_0)->tileA_0)[_S19 + 2U];
                int _S23 = (*(&kernelContext_0)->tileA_0)[_S19 + 3U];
                left_0[int(3)] = (*(&kernelContext_0)->tileA_0)[_S19 + 3U];
                uint _S24 = _S17 + 64U;
                uint _S25 = _S24 + _S18;
                int _S26 = (*(&kernelContext_0)->tileA_0)[_S25];
                left_0[int(4)] = (*(&kernelContext_0)->tileA_0)[_S25];
                int _S27 = (*(&kernelContext_0)->tileA_0)[_S25 + 1U];
                left_0[int(5)] = (*(&kernelContext_0)->tileA_0)[_S25 + 1U];
                int _S28 = (*(&kernelContext_0)->tileA_0)[_S25 + 2U];
                left_0[int(6)] = (*(&kernelContext_0)->tileA_0)[_S25 + 2U];
                int _S29 = (*(&kernelContext_0)->tileA_0)[_S25 + 3U];
                left_0[int(7)] = (*(&kernelContext_0)->tileA_0)[_S25 + 3U];
                uint _S30 = _S5 * 4U;
                uint _S31 = _S17 + _S30;
                int _S32 = (*(&kernelContext_0)->tileB_0)[_S31];
                right_0[int(0)] = (*(&kernelContext_0)->tileB_0)[_S31];
                int _S33 = (*(&kernelContext_0)->tileB_0)[_S31 + 1U];
                right_0[int(1)] = (*(&kernelContext_0)->tileB_0)[_S31 + 1U];
                int _S34 = (*(&kernelContext_0)->tileB_0)[_S31 + 2U];
                right_0[int(2)] = (*(&kernelContext_0)->tileB_0)[_S31 + 2U];
                int _S35 = (*(&kernelContext_0)->tileB_0)[_S31 + 3U];
                right_0[int(3)] = (*(&kernelContext_0)->tileB_0)[_S31 + 3U];
                uint _S36 = _S24 + _S30;
                int _S37 = (*(&kernelContext_0)->tileB_0)[_S36];
                right_0[int(4)] = (*(&kernelContext_0)->tileB_0)[_S36];
                int _S38 = (*(&kernelContext_0)->tileB_0)[_S36 + 1U];
                right_0[int(5)] = (*(&kernelContext_0)->tileB_0)[_S36 + 1U];
                int _S39 = (*(&kernelContext_0)->tileB_0)[_S36 + 2U];
                right_0[int(6)] = (*(&kernelContext_0)->tileB_0)[_S36 + 2U];
                int _S40 = (*(&kernelContext_0)->tileB_0)[_S36 + 3U];
                right_0[int(7)] = (*(&kernelContext_0)->tileB_0)[_S36 + 3U];
                sums_0[int(0)][int(0)] = multiplyAdd_0(_S20, _S32, sums_0[int(0)][int(0)]);
                sums_0[int(0)][int(1)] = multiplyAdd_0(_S20, _S33, sums_0[int(0)][int(1)]);
                sums_0[int(0)][int(2)] = multiplyAdd_0(_S20, _S34, sums_0[int(0)][int(2)]);
                sums_0[int(0)][int(3)] = multiplyAdd_0(_S20, _S35, sums_0[int(0)][int(3)]);
                sums_0[int(0)][int(4)] = multiplyAdd_0(_S20, _S37, sums_0[int(0)][int(4)]);
                sums_0[int(0)][int(5)] = multiplyAdd_0(_S20, _S38, sums_0[int(0)][int(5)]);
                sums_0[int(0)][int(6)] = multiplyAdd_0(_S20, _S39, sums_0[int(0)][int(6)]);
                sums_0[int(0)][int(7)] = multiplyAdd_0(_S20, _S40, sums_0[int(0)][int(7)]);
                sums_0[int(1)][int(0)] = multiplyAdd_0(_S21, _S32, sums_0[int(1)][int(0)]);
                sums_0[int(1)][int(1)] = multiplyAdd_0(_S21, _S33, sums_0[int(1)][int(1)]);
                sums_0[int(1)][int(2)] = multiplyAdd_0(_S21, _S34, sums_0[int(1)][int(2)]);
                sums_0[int(1)][int(3)] = multiplyAdd_0(_S21, _S35, sums_0[int(1)][int(3)]);
                sums_0[int(1)][int(4)] = multiplyAdd_0(_S21, _S37, sums_0[int(1)][int(4)]);
                sums_0[int(1)][int(5)] = multiplyAdd_0(_S21, _S38, sums_0[int(1)][int(5)]);
                sums_0[int(1)][int(6)] = multiplyAdd_0(_S21, _S39, sums_0[int(1)][int(6)]);
                sums_0[int(1)][int(7)] = multiplyAdd_0(_S21, _S40, sums_0[int(1)][int(7)]);
                sums_0[int(2)][int(0)] = multiplyAdd_0(_S22, _S32, sums_0[int(2)][int(0)]);
                sums_0[int(2)][int(1)] = multiplyAdd_0(_S22, _S33, sums_0[int(2)][int(1)]);
                sums_0[int(2)][int(2)] = multiplyAdd_0(_S22, _S34, sums_0[int(2)][int(2)]);
                sums_0[int(2)][int(3)] = multiplyAdd_0(_S22, _S35, sums_0[int(2)][int(3)]);
                sums_0[int(2)][int(4)] = multiplyAdd_0(_S22, _S37, sums_0[int(2)][int(4)]);
                sums_0[int(2)][int(5)] = multiplyAdd_0(_S22, _S38, sums_0[int(2)][int(5)]);
                sums_0[int(2)][int(6)] = multiplyAdd_0(_S22, _S39, sums_0[int(2)][int(6)]);
                sums_0[int(2)][int(7)] = multiplyAdd_0(_S22, _S40, sums_0[int(2)][int(7)]);
                sums_0[int(3)][int(0)] = multiplyAdd_0(_S23, _S32, sums_0[int(3)][int(0)]);
                sums_0[int(3)][int(1)] = multiplyAdd_0(_S23, _S33, sums_0[int(3)][int(1)]);
                sums_0[int(3)][int(2)] = multiplyAdd_0(_S23, _S34, sums_0[int(3)][int(2)]);
                sums_0[int(3)][int(3)] = multiplyAdd_0(_S23, _S35, sums_0[int(3)][int(3)]);
                sums_0[int(3)][int(4)] = multiplyAdd_0(_S23, _S37, sums_0[int(3)][int(4)]);
                sums_0[int(3)][int(5)] = multiplyAdd_0(_S23, _S38, sums_0[int(3)][int(5)]);
                sums_0[int(3)][int(6)] = multiplyAdd_0(_S23, _S39, sums_0[int(3)][int(6)]);
                sums_0[int(3)][int(7)] = multiplyAdd_0(_S23, _S40, sums_0[int(3)][int(7)]);
                sums_0[int(4)][int(0)] = multiplyAdd_0(_S26, _S32, sums_0[int(4)][int(0)]);
                sums_0[int(4)][int(1)] = multiplyAdd_0(_S26, _S33, sums_0[int(4)][int(1)]);
                sums_0[int(4)][int(2)] = multiplyAdd_0(_S26, _S34, sums_0[int(4)][int(2)]);
                sums_0[int(4)][int(3)] = multiplyAdd_0(_S26, _S35, sums_0[int(4)][int(3)]);
                sums_0[int(4)][int(4)] = multiplyAdd_0(_S26, _S37, sums_0[int(4)][int(4)]);
                sums_0[int(4)][int(5)] = multiplyAdd_0(_S26, _S38, sums_0[int(4)][int(5)]);
                sums_0[int(4)][int(6)] = multiplyAdd_0(_S26, _S39, sums_0[int(4)][int(6)]);
                sums_0[int(4)][int(7)] = multiplyAdd_0(_S26, _S40, sums_0[int(4)][int(7)]);
                sums_0[int(5)][int(0)] = multiplyAdd_0(_S27, _S32, sums_0[int(5)][int(0)]);
                sums_0[int(5)][int(1)] = multiplyAdd_0(_S27, _S33, sums_0[int(5)][int(1)]);
                sums_0[int(5)][int(2)] = multiplyAdd_0(_S27, _S34, sums_0[int(5)][int(2)]);
                sums_0[int(5)][int(3)] = multiplyAdd_0(_S27, _S35, sums_0[int(5)][int(3)]);
                sums_0[int(5)][int(4)] = multiplyAdd_0(_S27, _S37, sums_0[int(5)][int(4)]);
                sums_0[int(5)][int(5)] = multiplyAdd_0(_S27, _S38, sums_0[int(5)][int(5)]);
                sums_0[int(5)][int(6)] = multiplyAdd_0(_S27, _S39, sums_0[int(5)][int(6)]);
                sums_0[int(5)][int(7)] = multiplyAdd_0(_S27, _S40, sums_0[int(5)][int(7)]);
                sums_0[int(6)][int(0)] = multiplyAdd_0(_S28, _S32, sums_0[int(6)][int(0)]);
                sums_0[int(6)][int(1)] = multiplyAdd_0(_S28, _S33, sums_0[int(6)][int(1)]);
                sums_0[int(6)][int(2)] = multiplyAdd_0(_S28, _S34, sums_0[int(6)][int(2)]);
                sums_0[int(6)][int(3)] = multiplyAdd_0(_S28, _S35, sums_0[int(6)][int(3)]);
                sums_0[int(6)][int(4)] = multiplyAdd_0(_S28, _S37, sums_0[int(6)][int(4)]);
                sums_0[int(6)][int(5)] = multiplyAdd_0(_S28, _S38, sums_0[int(6)][int(5)]);
                sums_0[int(6)][int(6)] = multiplyAdd_0(_S28, _S39, sums_0[int(6)][int(6)]);
                sums_0[int(6)][int(7)] = multiplyAdd_0(_S28, _S40, sums_0[int(6)][int(7)]);
                sums_0[int(7)][int(0)] = multiplyAdd_0(_S29, _S32, sums_0[int(7)][int(0)]);
                sums_0[int(7)][int(1)] = multiplyAdd_0(_S29, _S33, sums_0[int(7)][int(1)]);
                sums_0[int(7)][int(2)] = multiplyAdd_0(_S29, _S34, sums_0[int(7)][int(2)]);
                sums_0[int(7)][int(3)] = multiplyAdd_0(_S29, _S35, sums_0[int(7)][int(3)]);
                sums_0[int(7)][int(4)] = multiplyAdd_0(_S29, _S37, sums_0[int(7)][int(4)]);
                sums_0[int(7)][int(5)] = multiplyAdd_0(_S29, _S38, sums_0[int(7)][int(5)]);
                sums_0[int(7)][int(6)] = multiplyAdd_0(_S29, _S39, sums_0[int(7)][int(6)]);
                sums_0[int(7)][int(7)] = multiplyAdd_0(_S29, _S40, sums_0[int(7)][int(7)]);
                q_2 = q_2 + 1U;
            }
        }
        slice_0 = slice_0 + 16U;
    }
    uint _S41 = _S6 * 4U;
    uint _S42 = _S3 + _S41;
    uint _S43 = _S5 * 4U;
    uint _S44 = _S4 + _S43;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + _S44)) = sums_0[int(0)][int(0)];
    }
    uint s_1 = _S44 + 1U;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + s_1)) = sums_0[int(0)][int(1)];
    }
    uint s_2 = _S44 + 2U;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + s_2)) = sums_0[int(0)][int(2)];
    }
    uint s_3 = _S44 + 3U;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + s_3)) = sums_0[int(0)][int(3)];
    }
    uint _S45 = _S4 + 64U + _S43;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + _S45)) = sums_0[int(0)][int(4)];
    }
    uint s_4 = _S45 + 1U;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + s_4)) = sums_0[int(0)][int(5)];
    }
    uint s_5 = _S45 + 2U;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + s_5)) = sums_0[int(0)][int(6)];
    }
    uint s_6 = _S45 + 3U;
    if(_S42 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S42 * entryPointParams_1->n_0 + s_6)) = sums_0[int(0)][int(7)];
    }
    uint _S46 = _S42 + 1U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + _S44)) = sums_0[int(1)][int(0)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_1)) = sums_0[int(1)][int(1)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_2)) = sums_0[int(1)][int(2)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_3)) = sums_0[int(1)][int(3)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + _S45)) = sums_0[int(1)][int(4)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_4)) = sums_0[int(1)][int(5)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_5)) = sums_0[int(1)][int(6)];
    }
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_6)) = sums_0[int(1)][int(7)];
    }
    uint _S47 = _S42 + 2U;
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + _S44)) = sums_0[int(2)][int(0)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_1)) = sums_0[int(2)][int(1)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_2)) = sums_0[int(2)][int(2)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_3)) = sums_0[int(2)][int(3)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + _S45)) = sums_0[int(2)][int(4)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_4)) = sums_0[int(2)][int(5)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_5)) = sums_0[int(2)][int(6)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_6)) = sums_0[int(2)][int(7)];
    }
    uint _S48 = _S42 + 3U;
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + _S44)) = sums_0[int(3)][int(0)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_1)) = sums_0[int(3)][int(1)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_2)) = sums_0[int(3)][int(2)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_3)) = sums_0[int(3)][int(3)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + _S45)) = sums_0[int(3)][int(4)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_4)) = sums_0[int(3)][int(5)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_5)) = sums_0[int(3)][int(6)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_6)) = sums_0[int(3)][int(7)];
    }
    uint _S49 = _S3 + 64U + _S41;
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + _S44)) = sums_0[int(4)][int(0)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_1)) = sums_0[int(4)][int(1)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_2)) = sums_0[int(4)][int(2)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_3)) = sums_0[int(4)][int(3)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + _S45)) = sums_0[int(4)][int(4)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_4)) = sums_0[int(4)][int(5)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_5)) = sums_0[int(4)][int(6)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_6)) = sums_0[int(4)][int(7)];
    }
    uint _S50 = _S49 + 1U;
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + _S44)) = sums_0[int(5)][int(0)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_1)) = sums_0[int(5)][int(1)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_2)) = sums_0[int(5)][int(2)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_3)) = sums_0[int(5)][int(3)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + _S45)) = sums_0[int(5)][int(4)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_4)) = sums_0[int(5)][int(5)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_5)) = sums_0[int(5)][int(6)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_6)) = sums_0[int(5)][int(7)];
    }
    uint _S51 = _S49 + 2U;
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + _S44)) = sums_0[int(6)][int(0)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_1)) = sums_0[int(6)][int(1)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_2)) = sums_0[int(6)][int(2)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_3)) = sums_0[int(6)][int(3)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + _S45)) = sums_0[int(6)][int(4)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_4)) = sums_0[int(6)][int(5)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_5)) = sums_0[int(6)][int(6)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_6)) = sums_0[int(6)][int(7)];
    }
    uint _S52 = _S49 + 3U;
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S44 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + _S44)) = sums_0[int(7)][int(0)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_1)) = sums_0[int(7)][int(1)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_2)) = sums_0[int(7)][int(2)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_3)) = sums_0[int(7)][int(3)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + _S45)) = sums_0[int(7)][int(4)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_4)) = sums_0[int(7)][int(5)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_5)) = sums_0[int(7)][int(6)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_6)) = sums_0[int(7)][int(7)];
    }
    return;
}

