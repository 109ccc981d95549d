#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(4)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S1 = words_0(source_1);
    thread array<float, int(4)> values_0;
    values_0[int(0)] = (as_type<float>((_S1[int(0)])));
    values_0[int(1)] = (as_type<float>((_S1[int(1)])));
    values_0[int(2)] = (as_type<float>((_S1[int(2)])));
    values_0[int(3)] = (as_type<float>((_S1[int(3)])));
    return values_0;
}

array<float, int(4)> unpackNumbers_0(uint4 source_2)
{
    return unpack_0(source_2, 1.0);
}

float multiplyAdd_0(float a_0, float b_0, float c_0)
{
    return fma(a_0, b_0, c_0);
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
    float device* c_1;
    EntryPointParams_0 constant* entryPointParams_0;
    array<float, int(1024)> threadgroup* tileA_0;
    array<float, int(1024)> threadgroup* tileB_0;
};

[[kernel]] void gemm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], packed_uint4 device* a_2 [[buffer(0)]], packed_uint4 device* b_2 [[buffer(1)]], float device* c_2 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    bool _S2;
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->a_1 = a_2;
    (&kernelContext_0)->b_1 = b_2;
    (&kernelContext_0)->c_1 = c_2;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(1024)> tileA_1;
    (&kernelContext_0)->tileA_0 = &tileA_1;
    threadgroup array<float, int(1024)> tileB_1;
    (&kernelContext_0)->tileB_0 = &tileB_1;
    uint thread_0 = invocation_0.x;
    uint _S3 = group_0.y * 128U;
    uint _S4 = group_0.x * 128U;
    uint _S5 = thread_0 % 16U;
    uint _S6 = thread_0 / 16U;
    uint _S7 = entryPointParams_1->k_0 / 4U;
    uint _S8 = entryPointParams_1->n_0 / 4U;
    thread array<array<float, int(8)>, int(8)> sums_0;
    sums_0[int(0)][int(0)] = 0.0;
    sums_0[int(0)][int(1)] = 0.0;
    sums_0[int(0)][int(2)] = 0.0;
    sums_0[int(0)][int(3)] = 0.0;
    sums_0[int(0)][int(4)] = 0.0;
    sums_0[int(0)][int(5)] = 0.0;
    sums_0[int(0)][int(6)] = 0.0;
    sums_0[int(0)][int(7)] = 0.0;
    sums_0[int(1)][int(0)] = 0.0;
    sums_0[int(1)][int(1)] = 0.0;
    sums_0[int(1)][int(2)] = 0.0;
    sums_0[int(1)][int(3)] = 0.0;
    sums_0[int(1)][int(4)] = 0.0;
    sums_0[int(1)][int(5)] = 0.0;
    sums_0[int(1)][int(6)] = 0.0;
    sums_0[int(1)][int(7)] = 0.0;
    sums_0[int(2)][int(0)] = 0.0;
    sums_0[int(2)][int(1)] = 0.0;
    sums_0[int(2)][int(2)] = 0.0;
    sums_0[int(2)][int(3)] = 0.0;
    sums_0[int(2)][int(4)] = 0.0;
    sums_0[int(2)][int(5)] = 0.0;
    sums_0[int(2)][int(6)] = 0.0;
    sums_0[int(2)][int(7)] = 0.0;
    sums_0[int(3)][int(0)] = 0.0;
    sums_0[int(3)][int(1)] = 0.0;
    sums_0[int(3)][int(2)] = 0.0;
    sums_0[int(3)][int(3)] = 0.0;
    sums_0[int(3)][int(4)] = 0.0;
    sums_0[int(3)][int(5)] = 0.0;
    sums_0[int(3)][int(6)] = 0.0;
    sums_0[int(3)][int(7)] = 0.0;
    sums_0[int(4)][int(0)] = 0.0;
    sums_0[int(4)][int(1)] = 0.0;
    sums_0[int(4)][int(2)] = 0.0;
    sums_0[int(4)][int(3)] = 0.0;
    sums_0[int(4)][int(4)] = 0.0;
    sums_0[int(4)][int(5)] = 0.0;
    sums_0[int(4)][int(6)] = 0.0;
    sums_0[int(4)][int(7)] = 0.0;
    sums_0[int(5)][int(0)] = 0.0;
    sums_0[int(5)][int(1)] = 0.0;
    sums_0[int(5)][int(2)] = 0.0;
    sums_0[int(5)][int(3)] = 0.0;
    sums_0[int(5)][int(4)] = 0.0;
    sums_0[int(5)][int(5)] = 0.0;
    sums_0[int(5)][int(6)] = 0.0;
    sums_0[int(5)][int(7)] = 0.0;
    sums_0[int(6)][int(0)] = 0.0;
    sums_0[int(6)][int(1)] = 0.0;
    sums_0[int(6)][int(2)] = 0.0;
    sums_0[int(6)][int(3)] = 0.0;
    sums_0[int(6)][int(4)] = 0.0;
    sums_0[int(6)][int(5)] = 0.0;
    sums_0[int(6)][int(6)] = 0.0;
    sums_0[int(6)][int(7)] = 0.0;
    sums_0[int(7)][int(0)] = 0.0;
    sums_0[int(7)][int(1)] = 0.0;
    sums_0[int(7)][int(2)] = 0.0;
    sums_0[int(7)][int(3)] = 0.0;
    sums_0[int(7)][int(4)] = 0.0;
    sums_0[int(7)][int(5)] = 0.0;
    sums_0[int(7)][int(6)] = 0.0;
    sums_0[int(7)][int(7)] = 0.0;
    thread array<array<float, int(4)>, int(1)> nextA_0;
    thread array<array<float, int(4)>, int(1)> nextB_0;
    uint slice_0 = 0U;
    for(;;)
    {
        if(slice_0 < (entryPointParams_1->k_0 + 8U))
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
            uint _S11 = thread_0 % 2U * 4U;
            bool _S12 = thread_0 < 256U;
            if(_S12)
            {
                (*(&kernelContext_0)->tileA_0)[_S11 * 128U + _S10] = nextA_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 1U) * 128U + _S10] = nextA_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 2U) * 128U + _S10] = nextA_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileA_0)[(_S11 + 3U) * 128U + _S10] = nextA_0[int(0)][int(3)];
            }
            if(_S12)
            {
                uint _S13 = thread_0 * 4U;
                (*(&kernelContext_0)->tileB_0)[_S13] = nextB_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 1U] = nextB_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 2U] = nextB_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileB_0)[_S13 + 3U] = nextB_0[int(0)][int(3)];
            }
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if(slice_0 < (entryPointParams_1->k_0))
        {
            uint r_0 = _S3 + thread_0 / 2U;
            uint q_0 = slice_0 + thread_0 % 2U * 4U;
            nextA_0[int(0)][int(0)] = 0.0;
            nextA_0[int(0)][int(1)] = 0.0;
            nextA_0[int(0)][int(2)] = 0.0;
            nextA_0[int(0)][int(3)] = 0.0;
            bool _S14 = thread_0 < 256U;
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
                nextA_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->a_1+(r_0 * _S7 + q_0 / 4U))) );
            }
            uint q_1 = slice_0 + thread_0 / 32U;
            uint s_0 = _S4 + thread_0 % 32U * 4U;
            nextB_0[int(0)][int(0)] = 0.0;
            nextB_0[int(0)][int(1)] = 0.0;
            nextB_0[int(0)][int(2)] = 0.0;
            nextB_0[int(0)][int(3)] = 0.0;
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
                nextB_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->b_1+(q_1 * _S8 + s_0 / 4U))) );
            }
        }
        if(_S9)
        {
            uint q_2 = 0U;
            for(;;)
            {
                if(q_2 < 8U)
                {
                }
                else
                {
                    break;
                }
                thread array<float, int(8)> left_0;
                thread array<float, int(8)> right_0;
                uint _S18 = q_2 * 128U;
                uint _S19 = _S6 * 4U;
                uint _S20 = _S18 + _S19;
                float _S21 = (*(&kernelContext_0)->tileA_0)[_S20];
                left_0[int(0)] = (*(&kernelContext_0)->tileA_0)[_S20];
                float _S22 = (*(&kernelContext_0)->tileA_0)[_S20 + 1U];
                left_0[int(1)] = (*(&kernelContext_0)->tileA_0)[_S20 + 1U];
                float _S23 = (*(&kernelContext_0)->tileA_0)[_S20 + 2U];
                left_0[int(2)] = (*(&kernelContext_0)->tileA_0)[_S20 + 2U];
                float _S24 = (*(&kernelContext_0)->tileA_0)[_S20 + 3U];
                left_0[int(3)] = (*(&kernelContext_0)->tileA_0)[_S20 + 3U];
                uint _S25 = _S18 + 64U;
                uint _S26 = _S25 + _S19;
                float _S27 = (*(&kernelContext_0)->tileA_0)[_S26];
                left_0[int(4)] = (*(&kernelContext_0)->tileA_0)[_S26];
                float _S28 = (*(&kernelContext_0)->tileA_0)[_S26 + 1U];
                left_0[int(5)] = (*(&kernelContext_0)->tileA_0)[_S26 + 1U];
                float _S29 = (*(&kernelContext_0)->tileA_0)[_S26 + 2U];
                left_0[int(6)] = (*(&kernelContext_0)->tileA_0)[_S26 + 2U];
                float _S30 = (*(&kernelContext_0)->tileA_0)[_S26 + 3U];
                left_0[int(7)] = (*(&kernelContext_0)->tileA_0)[_S26 + 3U];
                uint _S31 = _S5 * 4U;
                uint _S32 = _S18 + _S31;
                float _S33 = (*(&kernelContext_0)->tileB_0)[_S32];
                right_0[int(0)] = (*(&kernelContext_0)->tileB_0)[_S32];
                float _S34 = (*(&kernelContext_0)->tileB_0)[_S32 + 1U];
                right_0[int(1)] = (*(&kernelContext_0)->tileB_0)[_S32 + 1U];
                float _S35 = (*(&kernelContext_0)->tileB_0)[_S32 + 2U];
                right_0[int(2)] = (*(&kernelContext_0)->tileB_0)[_S32 + 2U];
                float _S36 = (*(&kernelContext_0)->tileB_0)[_S32 + 3U];
                right_0[int(3)] = (*(&kernelContext_0)->tileB_0)[_S32 + 3U];
                uint _S37 = _S25 + _S31;
                float _S38 = (*(&kernelContext_0)->tileB_0)[_S37];
                right_0[int(4)] = (*(&kernelContext_0)->tileB_0)[_S37];
                float _S39 = (*(&kernelContext_0)->tileB_0)[_S37 + 1U];
                right_0[int(5)] = (*(&kernelContext_0)->tileB_0)[_S37 + 1U];
                float _S40 = (*(&kernelContext_0)->tileB_0)[_S37 + 2U];
                right_0[int(6)] = (*(&kernelContext_0)->tileB_0)[_S37 + 2U];
                float _S41 = (*(&kernelContext_0)->tileB_0)[_S37 + 3U];
                right_0[int(7)] = (*(&kernelContext_0)->tileB_0)[_S37 + 3U];
                sums_0[int(0)][int(0)] = multiplyAdd_0(_S21, _S33, sums_0[int(0)][int(0)]);
                sums_0[int(0)][int(1)] = multiplyAdd_0(_S21, _S34, sums_0[int(0)][int(1)]);
                sums_0[int(0)][int(2)] = multiplyAdd_0(_S21, _S35, sums_0[int(0)][int(2)]);
                sums_0[int(0)][int(3)] = multiplyAdd_0(_S21, _S36, sums_0[int(0)][int(3)]);
                sums_0[int(0)][int(4)] = multiplyAdd_0(_S21, _S38, sums_0[int(0)][int(4)]);
                sums_0[int(0)][int(5)] = multiplyAdd_0(_S21, _S39, sums_0[int(0)][int(5)]);
                sums_0[int(0)][int(6)] = multiplyAdd_0(_S21, _S40, sums_0[int(0)][int(6)]);
                sums_0[int(0)][int(7)] = multiplyAdd_0(_S21, _S41, sums_0[int(0)][int(7)]);
                sums_0[int(1)][int(0)] = multiplyAdd_0(_S22, _S33, sums_0[int(1)][int(0)]);
                sums_0[int(1)][int(1)] = multiplyAdd_0(_S22, _S34, sums_0[int(1)][int(1)]);
                sums_0[int(1)][int(2)] = multiplyAdd_0(_S22, _S35, sums_0[int(1)][int(2)]);
                sums_0[int(1)][int(3)] = multiplyAdd_0(_S22, _S36, sums_0[int(1)][int(3)]);
                sums_0[int(1)][int(4)] = multiplyAdd_0(_S22, _S38, sums_0[int(1)][int(4)]);
                sums_0[int(1)][int(5)] = multiplyAdd_0(_S22, _S39, sums_0[int(1)][int(5)]);
                sums_0[int(1)][int(6)] = multiplyAdd_0(_S22, _S40, sums_0[int(1)][int(6)]);
                sums_0[int(1)][int(7)] = multiplyAdd_0(_S22, _S41, sums_0[int(1)][int(7)]);
                sums_0[int(2)][int(0)] = multiplyAdd_0(_S23, _S33, sums_0[int(2)][int(0)]);
                sums_0[int(2)][int(1)] = multiplyAdd_0(_S23, _S34, sums_0[int(2)][int(1)]);
                sums_0[int(2)][int(2)] = multiplyAdd_0(_S23, _S35, sums_0[int(2)][int(2)]);
                sums_0[int(2)][int(3)] = multiplyAdd_0(_S23, _S36, sums_0[int(2)][int(3)]);
                sums_0[int(2)][int(4)] = multiplyAdd_0(_S23, _S38, sums_0[int(2)][int(4)]);
                sums_0[int(2)][int(5)] = multiplyAdd_0(_S23, _S39, sums_0[int(2)][int(5)]);
                sums_0[int(2)][int(6)] = multiplyAdd_0(_S23, _S40, sums_0[int(2)][int(6)]);
                sums_0[int(2)][int(7)] = multiplyAdd_0(_S23, _S41, sums_0[int(2)][int(7)]);
                sums_0[int(3)][int(0)] = multiplyAdd_0(_S24, _S33, sums_0[int(3)][int(0)]);
                sums_0[int(3)][int(1)] = multiplyAdd_0(_S24, _S34, sums_0[int(3)][int(1)]);
                sums_0[int(3)][int(2)] = multiplyAdd_0(_S24, _S35, sums_0[int(3)][int(2)]);
                sums_0[int(3)][int(3)] = multiplyAdd_0(_S24, _S36, sums_0[int(3)][int(3)]);
                sums_0[int(3)][int(4)] = multiplyAdd_0(_S24, _S38, sums_0[int(3)][int(4)]);
                sums_0[int(3)][int(5)] = multiplyAdd_0(_S24, _S39, sums_0[int(3)][int(5)]);
                sums_0[int(3)][int(6)] = multiplyAdd_0(_S24, _S40, sums_0[int(3)][int(6)]);
                sums_0[int(3)][int(7)] = multiplyAdd_0(_S24, _S41, sums_0[int(3)][int(7)]);
                sums_0[int(4)][int(0)] = multiplyAdd_0(_S27, _S33, sums_0[int(4)][int(0)]);
                sums_0[int(4)][int(1)] = multiplyAdd_0(_S27, _S34, sums_0[int(4)][int(1)]);
                sums_0[int(4)][int(2)] = multiplyAdd_0(_S27, _S35, sums_0[int(4)][int(2)]);
                sums_0[int(4)][int(3)] = multiplyAdd_0(_S27, _S36, sums_0[int(4)][int(3)]);
                sums_0[int(4)][int(4)] = multiplyAdd_0(_S27, _S38, sums_0[int(4)][int(4)]);
                sums_0[int(4)][int(5)] = multiplyAdd_0(_S27, _S39, sums_0[int(4)][int(5)]);
                sums_0[int(4)][int(6)] = multiplyAdd_0(_S27, _S40, sums_0[int(4)][int(6)]);
                sums_0[int(4)][int(7)] = multiplyAdd_0(_S27, _S41, sums_0[int(4)][int(7)]);
                sums_0[int(5)][int(0)] = multiplyAdd_0(_S28, _S33, sums_0[int(5)][int(0)]);
                sums_0[int(5)][int(1)] = multiplyAdd_0(_S28, _S34, sums_0[int(5)][int(1)]);
                sums_0[int(5)][int(2)] = multiplyAdd_0(_S28, _S35, sums_0[int(5)][int(2)]);
                sums_0[int(5)][int(3)] = multiplyAdd_0(_S28, _S36, sums_0[int(5)][int(3)]);
                sums_0[int(5)][int(4)] = multiplyAdd_0(_S28, _S38, sums_0[int(5)][int(4)]);
                sums_0[int(5)][int(5)] = multiplyAdd_0(_S28, _S39, sums_0[int(5)][int(5)]);
                sums_0[int(5)][int(6)] = multiplyAdd_0(_S28, _S40, sums_0[int(5)][int(6)]);
                sums_0[int(5)][int(7)] = multiplyAdd_0(_S28, _S41, sums_0[int(5)][int(7)]);
                sums_0[int(6)][int(0)] = multiplyAdd_0(_S29, _S33, sums_0[int(6)][int(0)]);
                sums_0[int(6)][int(1)] = multiplyAdd_0(_S29, _S34, sums_0[int(6)][int(1)]);
                sums_0[int(6)][int(2)] = multiplyAdd_0(_S29, _S35, sums_0[int(6)][int(2)]);
                sums_0[int(6)][int(3)] = multiplyAdd_0(_S29, _S36, sums_0[int(6)][int(3)]);
                sums_0[int(6)][int(4)] = multiplyAdd_0(_S29, _S38, sums_0[int(6)][int(4)]);
                sums_0[int(6)][int(5)] = multiplyAdd_0(_S29, _S39, sums_0[int(6)][int(5)]);
                sums_0[int(6)][int(6)] = multiplyAdd_0(_S29, _S40, sums_0[int(6)][int(6)]);
                sums_0[int(6)][int(7)] = multiplyAdd_0(_S29, _S41, sums_0[int(6)][int(7)]);
                sums_0[int(7)][int(0)] = multiplyAdd_0(_S30, _S33, sums_0[int(7)][int(0)]);
                sums_0[int(7)][int(1)] = multiplyAdd_0(_S30, _S34, sums_0[int(7)][int(1)]);
                sums_0[int(7)][int(2)] = multiplyAdd_0(_S30, _S35, sums_0[int(7)][int(2)]);
                sums_0[int(7)][int(3)] = multiplyAdd_0(_S30, _S36, sums_0[int(7)][int(3)]);
                sums_0[int(7)][int(4)] = multiplyAdd_0(_S30, _S38, sums_0[int(7)][int(4)]);
                sums_0[int(7)][int(5)] = multiplyAdd_0(_S30, _S39, sums_0[int(7)][int(5)]);
                sums_0[int(7)][int(6)] = multiplyAdd_0(_S30, _S40, sums_0[int(7)][int(6)]);
                sums_0[int(7)][int(7)] = multiplyAdd_0(_S30, _S41, sums_0[int(7)][int(7)]);
                q_2 = q_2 + 1U;
            }
        }
        slice_0 = slice_0 + 8U;
    }
    uint _S42 = _S6 * 4U;
    uint _S43 = _S3 + _S42;
    uint _S44 = _S5 * 4U;
    uint _S45 = _S4 + _S44;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + _S45)) = sums_0[int(0)][int(0)];
    }
    uint s_1 = _S45 + 1U;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + s_1)) = sums_0[int(0)][int(1)];
    }
    uint s_2 = _S45 + 2U;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + s_2)) = sums_0[int(0)][int(2)];
    }
    uint s_3 = _S45 + 3U;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + s_3)) = sums_0[int(0)][int(3)];
    }
    uint _S46 = _S4 + 64U + _S44;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + _S46)) = sums_0[int(0)][int(4)];
    }
    uint s_4 = _S46 + 1U;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + s_4)) = sums_0[int(0)][int(5)];
    }
    uint s_5 = _S46 + 2U;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + s_5)) = sums_0[int(0)][int(6)];
    }
    uint s_6 = _S46 + 3U;
    if(_S43 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S43 * entryPointParams_1->n_0 + s_6)) = sums_0[int(0)][int(7)];
    }
    uint _S47 = _S43 + 1U;
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + _S45)) = sums_0[int(1)][int(0)];
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_1)) = sums_0[int(1)][int(1)];
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_2)) = sums_0[int(1)][int(2)];
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_3)) = sums_0[int(1)][int(3)];
    }
    if(_S47 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + _S46)) = sums_0[int(1)][int(4)];
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_4)) = sums_0[int(1)][int(5)];
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_5)) = sums_0[int(1)][int(6)];
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
        *((&kernelContext_0)->c_1+(_S47 * entryPointParams_1->n_0 + s_6)) = sums_0[int(1)][int(7)];
    }
    uint _S48 = _S43 + 2U;
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + _S45)) = sums_0[int(2)][int(0)];
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_1)) = sums_0[int(2)][int(1)];
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_2)) = sums_0[int(2)][int(2)];
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_3)) = sums_0[int(2)][int(3)];
    }
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + _S46)) = sums_0[int(2)][int(4)];
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_4)) = sums_0[int(2)][int(5)];
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_5)) = sums_0[int(2)][int(6)];
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
        *((&kernelContext_0)->c_1+(_S48 * entryPointParams_1->n_0 + s_6)) = sums_0[int(2)][int(7)];
    }
    uint _S49 = _S43 + 3U;
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + _S45)) = sums_0[int(3)][int(0)];
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_1)) = sums_0[int(3)][int(1)];
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_2)) = sums_0[int(3)][int(2)];
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_3)) = sums_0[int(3)][int(3)];
    }
    if(_S49 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + _S46)) = sums_0[int(3)][int(4)];
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_4)) = sums_0[int(3)][int(5)];
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_5)) = sums_0[int(3)][int(6)];
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
        *((&kernelContext_0)->c_1+(_S49 * entryPointParams_1->n_0 + s_6)) = sums_0[int(3)][int(7)];
    }
    uint _S50 = _S3 + 64U + _S42;
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + _S45)) = sums_0[int(4)][int(0)];
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_1)) = sums_0[int(4)][int(1)];
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_2)) = sums_0[int(4)][int(2)];
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_3)) = sums_0[int(4)][int(3)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + _S46)) = sums_0[int(4)][int(4)];
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_4)) = sums_0[int(4)][int(5)];
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_5)) = sums_0[int(4)][int(6)];
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
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_6)) = sums_0[int(4)][int(7)];
    }
    uint _S51 = _S50 + 1U;
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + _S45)) = sums_0[int(5)][int(0)];
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_1)) = sums_0[int(5)][int(1)];
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_2)) = sums_0[int(5)][int(2)];
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_3)) = sums_0[int(5)][int(3)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + _S46)) = sums_0[int(5)][int(4)];
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_4)) = sums_0[int(5)][int(5)];
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_5)) = sums_0[int(5)][int(6)];
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
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_6)) = sums_0[int(5)][int(7)];
    }
    uint _S52 = _S50 + 2U;
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + _S45)) = sums_0[int(6)][int(0)];
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_1)) = sums_0[int(6)][int(1)];
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_2)) = sums_0[int(6)][int(2)];
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_3)) = sums_0[int(6)][int(3)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + _S46)) = sums_0[int(6)][int(4)];
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_4)) = sums_0[int(6)][int(5)];
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_5)) = sums_0[int(6)][int(6)];
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
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_6)) = sums_0[int(6)][int(7)];
    }
    uint _S53 = _S50 + 3U;
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S45 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + _S45)) = sums_0[int(7)][int(0)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_1)) = sums_0[int(7)][int(1)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_2)) = sums_0[int(7)][int(2)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_3)) = sums_0[int(7)][int(3)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = _S46 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + _S46)) = sums_0[int(7)][int(4)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_4)) = sums_0[int(7)][int(5)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_5)) = sums_0[int(7)][int(6)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S2 = false;
    }
    if(_S2)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_6)) = sums_0[int(7)][int(7)];
    }
    return;
}

