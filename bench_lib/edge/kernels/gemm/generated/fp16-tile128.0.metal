#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
float2 f16tof32_0(uint2 value_0)
{
    thread float2 result_0;
    int i_0 = int(0);
    for(;;)
    {
        if(i_0 < int(2))
        {
        }
        else
        {
            break;
        }
        result_0[i_0] = (as_type<half>((ushort)((value_0[i_0]))));
        i_0 = i_0 + int(1);
    }
    return result_0;
}

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(8)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S1 = words_0(source_1);
    float2 _S2 = f16tof32_0(uint2((_S1[int(0)]) & 65535U, (_S1[int(0)]) >> 16U));
    thread array<float, int(8)> values_0;
    values_0[int(0)] = _S2.x;
    values_0[int(1)] = _S2.y;
    float2 _S3 = f16tof32_0(uint2((_S1[int(1)]) & 65535U, (_S1[int(1)]) >> 16U));
    values_0[int(2)] = _S3.x;
    values_0[int(3)] = _S3.y;
    float2 _S4 = f16tof32_0(uint2((_S1[int(2)]) & 65535U, (_S1[int(2)]) >> 16U));
    values_0[int(4)] = _S4.x;
    values_0[int(5)] = _S4.y;
    float2 _S5 = f16tof32_0(uint2((_S1[int(3)]) & 65535U, (_S1[int(3)]) >> 16U));
    values_0[int(6)] = _S5.x;
    values_0[int(7)] = _S5.y;
    return values_0;
}

array<float, int(8)> unpackNumbers_0(uint4 source_2)
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
    bool _S6;
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
    uint _S7 = group_0.y * 128U;
    uint _S8 = group_0.x * 128U;
    uint _S9 = thread_0 % 16U;
    uint _S10 = thread_0 / 16U;
    uint _S11 = entryPointParams_1->k_0 / 8U;
    uint _S12 = entryPointParams_1->n_0 / 8U;
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
    thread array<array<float, int(8)>, int(1)> nextA_0;
    thread array<array<float, int(8)>, int(1)> nextB_0;
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
        bool _S13 = slice_0 > 0U;
        if(_S13)
        {
            threadgroup_barrier(mem_flags::mem_threadgroup);
            uint _S14 = thread_0 % 1U * 8U;
            bool _S15 = thread_0 < 128U;
            if(_S15)
            {
                (*(&kernelContext_0)->tileA_0)[_S14 * 128U + thread_0] = nextA_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 1U) * 128U + thread_0] = nextA_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 2U) * 128U + thread_0] = nextA_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 3U) * 128U + thread_0] = nextA_0[int(0)][int(3)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 4U) * 128U + thread_0] = nextA_0[int(0)][int(4)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 5U) * 128U + thread_0] = nextA_0[int(0)][int(5)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 6U) * 128U + thread_0] = nextA_0[int(0)][int(6)];
                (*(&kernelContext_0)->tileA_0)[(_S14 + 7U) * 128U + thread_0] = nextA_0[int(0)][int(7)];
            }
            if(_S15)
            {
                uint _S16 = thread_0 * 8U;
                (*(&kernelContext_0)->tileB_0)[_S16] = nextB_0[int(0)][int(0)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 1U] = nextB_0[int(0)][int(1)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 2U] = nextB_0[int(0)][int(2)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 3U] = nextB_0[int(0)][int(3)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 4U] = nextB_0[int(0)][int(4)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 5U] = nextB_0[int(0)][int(5)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 6U] = nextB_0[int(0)][int(6)];
                (*(&kernelContext_0)->tileB_0)[_S16 + 7U] = nextB_0[int(0)][int(7)];
            }
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if(slice_0 < (entryPointParams_1->k_0))
        {
            uint r_0 = _S7 + thread_0;
            uint q_0 = slice_0 + thread_0 % 1U * 8U;
            nextA_0[int(0)][int(0)] = 0.0;
            nextA_0[int(0)][int(1)] = 0.0;
            nextA_0[int(0)][int(2)] = 0.0;
            nextA_0[int(0)][int(3)] = 0.0;
            nextA_0[int(0)][int(4)] = 0.0;
            nextA_0[int(0)][int(5)] = 0.0;
            nextA_0[int(0)][int(6)] = 0.0;
            nextA_0[int(0)][int(7)] = 0.0;
            bool _S17 = thread_0 < 128U;
            if(_S17)
            {
                _S6 = r_0 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S6 = false;
            }
            bool _S18;
            if(_S6)
            {
                _S18 = q_0 < (entryPointParams_1->k_0);
            }
            else
            {
                _S18 = false;
            }
            if(_S18)
            {
                nextA_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->a_1+(r_0 * _S11 + q_0 / 8U))) );
            }
            uint q_1 = slice_0 + thread_0 / 16U;
            uint s_0 = _S8 + _S9 * 8U;
            nextB_0[int(0)][int(0)] = 0.0;
            nextB_0[int(0)][int(1)] = 0.0;
            nextB_0[int(0)][int(2)] = 0.0;
            nextB_0[int(0)][int(3)] = 0.0;
            nextB_0[int(0)][int(4)] = 0.0;
            nextB_0[int(0)][int(5)] = 0.0;
            nextB_0[int(0)][int(6)] = 0.0;
            nextB_0[int(0)][int(7)] = 0.0;
            bool _S19;
            if(_S17)
            {
                _S19 = q_1 < (entryPointParams_1->k_0);
            }
            else
            {
                _S19 = false;
            }
            bool _S20;
            if(_S19)
            {
                _S20 = s_0 < (entryPointParams_1->n_0);
            }
            else
            {
                _S20 = false;
            }
            if(_S20)
            {
                nextB_0[int(0)] = unpackNumbers_0(uint4(*((&kernelContext_0)->b_1+(q_1 * _S12 + s_0 / 8U))) );
            }
        }
        if(_S13)
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
                uint _S21 = q_2 * 128U;
                uint _S22 = _S10 * 4U;
                uint _S23 = _S21 + _S22;
                float _S24 = (*(&kernelContext_0)->tileA_0)[_S23];
                left_0[int(0)] = (*(&kernelContext_0)->tileA_0)[_S23];
                float _S25 = (*(&kernelContext_0)->tileA_0)[_S23 + 1U];
                left_0[int(1)] = (*(&kernelContext_0)->tileA_0)[_S23 + 1U];
                float _S26 = (*(&kernelContext_0)->tileA_0)[_S23 + 2U];
                left_0[int(2)] = (*(&kernelContext_0)->tileA_0)[_S23 + 2U];
                float _S27 = (*(&kernelContext_0)->tileA_0)[_S23 + 3U];
                left_0[int(3)] = (*(&kernelContext_0)->tileA_0)[_S23 + 3U];
                uint _S28 = _S21 + 64U;
                uint _S29 = _S28 + _S22;
                float _S30 = (*(&kernelContext_0)->tileA_0)[_S29];
                left_0[int(4)] = (*(&kernelContext_0)->tileA_0)[_S29];
                float _S31 = (*(&kernelContext_0)->tileA_0)[_S29 + 1U];
                left_0[int(5)] = (*(&kernelContext_0)->tileA_0)[_S29 + 1U];
                float _S32 = (*(&kernelContext_0)->tileA_0)[_S29 + 2U];
                left_0[int(6)] = (*(&kernelContext_0)->tileA_0)[_S29 + 2U];
                float _S33 = (*(&kernelContext_0)->tileA_0)[_S29 + 3U];
                left_0[int(7)] = (*(&kernelContext_0)->tileA_0)[_S29 + 3U];
                uint _S34 = _S9 * 4U;
                uint _S35 = _S21 + _S34;
                float _S36 = (*(&kernelContext_0)->tileB_0)[_S35];
                right_0[int(0)] = (*(&kernelContext_0)->tileB_0)[_S35];
                float _S37 = (*(&kernelContext_0)->tileB_0)[_S35 + 1U];
                right_0[int(1)] = (*(&kernelContext_0)->tileB_0)[_S35 + 1U];
                float _S38 = (*(&kernelContext_0)->tileB_0)[_S35 + 2U];
                right_0[int(2)] = (*(&kernelContext_0)->tileB_0)[_S35 + 2U];
                float _S39 = (*(&kernelContext_0)->tileB_0)[_S35 + 3U];
                right_0[int(3)] = (*(&kernelContext_0)->tileB_0)[_S35 + 3U];
                uint _S40 = _S28 + _S34;
                float _S41 = (*(&kernelContext_0)->tileB_0)[_S40];
                right_0[int(4)] = (*(&kernelContext_0)->tileB_0)[_S40];
                float _S42 = (*(&kernelContext_0)->tileB_0)[_S40 + 1U];
                right_0[int(5)] = (*(&kernelContext_0)->tileB_0)[_S40 + 1U];
                float _S43 = (*(&kernelContext_0)->tileB_0)[_S40 + 2U];
                right_0[int(6)] = (*(&kernelContext_0)->tileB_0)[_S40 + 2U];
                float _S44 = (*(&kernelContext_0)->tileB_0)[_S40 + 3U];
                right_0[int(7)] = (*(&kernelContext_0)->tileB_0)[_S40 + 3U];
                sums_0[int(0)][int(0)] = multiplyAdd_0(_S24, _S36, sums_0[int(0)][int(0)]);
                sums_0[int(0)][int(1)] = multiplyAdd_0(_S24, _S37, sums_0[int(0)][int(1)]);
                sums_0[int(0)][int(2)] = multiplyAdd_0(_S24, _S38, sums_0[int(0)][int(2)]);
                sums_0[int(0)][int(3)] = multiplyAdd_0(_S24, _S39, sums_0[int(0)][int(3)]);
                sums_0[int(0)][int(4)] = multiplyAdd_0(_S24, _S41, sums_0[int(0)][int(4)]);
                sums_0[int(0)][int(5)] = multiplyAdd_0(_S24, _S42, sums_0[int(0)][int(5)]);
                sums_0[int(0)][int(6)] = multiplyAdd_0(_S24, _S43, sums_0[int(0)][int(6)]);
                sums_0[int(0)][int(7)] = multiplyAdd_0(_S24, _S44, sums_0[int(0)][int(7)]);
                sums_0[int(1)][int(0)] = multiplyAdd_0(_S25, _S36, sums_0[int(1)][int(0)]);
                sums_0[int(1)][int(1)] = multiplyAdd_0(_S25, _S37, sums_0[int(1)][int(1)]);
                sums_0[int(1)][int(2)] = multiplyAdd_0(_S25, _S38, sums_0[int(1)][int(2)]);
                sums_0[int(1)][int(3)] = multiplyAdd_0(_S25, _S39, sums_0[int(1)][int(3)]);
                sums_0[int(1)][int(4)] = multiplyAdd_0(_S25, _S41, sums_0[int(1)][int(4)]);
                sums_0[int(1)][int(5)] = multiplyAdd_0(_S25, _S42, sums_0[int(1)][int(5)]);
                sums_0[int(1)][int(6)] = multiplyAdd_0(_S25, _S43, sums_0[int(1)][int(6)]);
                sums_0[int(1)][int(7)] = multiplyAdd_0(_S25, _S44, sums_0[int(1)][int(7)]);
                sums_0[int(2)][int(0)] = multiplyAdd_0(_S26, _S36, sums_0[int(2)][int(0)]);
                sums_0[int(2)][int(1)] = multiplyAdd_0(_S26, _S37, sums_0[int(2)][int(1)]);
                sums_0[int(2)][int(2)] = multiplyAdd_0(_S26, _S38, sums_0[int(2)][int(2)]);
                sums_0[int(2)][int(3)] = multiplyAdd_0(_S26, _S39, sums_0[int(2)][int(3)]);
                sums_0[int(2)][int(4)] = multiplyAdd_0(_S26, _S41, sums_0[int(2)][int(4)]);
                sums_0[int(2)][int(5)] = multiplyAdd_0(_S26, _S42, sums_0[int(2)][int(5)]);
                sums_0[int(2)][int(6)] = multiplyAdd_0(_S26, _S43, sums_0[int(2)][int(6)]);
                sums_0[int(2)][int(7)] = multiplyAdd_0(_S26, _S44, sums_0[int(2)][int(7)]);
                sums_0[int(3)][int(0)] = multiplyAdd_0(_S27, _S36, sums_0[int(3)][int(0)]);
                sums_0[int(3)][int(1)] = multiplyAdd_0(_S27, _S37, sums_0[int(3)][int(1)]);
                sums_0[int(3)][int(2)] = multiplyAdd_0(_S27, _S38, sums_0[int(3)][int(2)]);
                sums_0[int(3)][int(3)] = multiplyAdd_0(_S27, _S39, sums_0[int(3)][int(3)]);
                sums_0[int(3)][int(4)] = multiplyAdd_0(_S27, _S41, sums_0[int(3)][int(4)]);
                sums_0[int(3)][int(5)] = multiplyAdd_0(_S27, _S42, sums_0[int(3)][int(5)]);
                sums_0[int(3)][int(6)] = multiplyAdd_0(_S27, _S43, sums_0[int(3)][int(6)]);
                sums_0[int(3)][int(7)] = multiplyAdd_0(_S27, _S44, sums_0[int(3)][int(7)]);
                sums_0[int(4)][int(0)] = multiplyAdd_0(_S30, _S36, sums_0[int(4)][int(0)]);
                sums_0[int(4)][int(1)] = multiplyAdd_0(_S30, _S37, sums_0[int(4)][int(1)]);
                sums_0[int(4)][int(2)] = multiplyAdd_0(_S30, _S38, sums_0[int(4)][int(2)]);
                sums_0[int(4)][int(3)] = multiplyAdd_0(_S30, _S39, sums_0[int(4)][int(3)]);
                sums_0[int(4)][int(4)] = multiplyAdd_0(_S30, _S41, sums_0[int(4)][int(4)]);
                sums_0[int(4)][int(5)] = multiplyAdd_0(_S30, _S42, sums_0[int(4)][int(5)]);
                sums_0[int(4)][int(6)] = multiplyAdd_0(_S30, _S43, sums_0[int(4)][int(6)]);
                sums_0[int(4)][int(7)] = multiplyAdd_0(_S30, _S44, sums_0[int(4)][int(7)]);
                sums_0[int(5)][int(0)] = multiplyAdd_0(_S31, _S36, sums_0[int(5)][int(0)]);
                sums_0[int(5)][int(1)] = multiplyAdd_0(_S31, _S37, sums_0[int(5)][int(1)]);
                sums_0[int(5)][int(2)] = multiplyAdd_0(_S31, _S38, sums_0[int(5)][int(2)]);
                sums_0[int(5)][int(3)] = multiplyAdd_0(_S31, _S39, sums_0[int(5)][int(3)]);
                sums_0[int(5)][int(4)] = multiplyAdd_0(_S31, _S41, sums_0[int(5)][int(4)]);
                sums_0[int(5)][int(5)] = multiplyAdd_0(_S31, _S42, sums_0[int(5)][int(5)]);
                sums_0[int(5)][int(6)] = multiplyAdd_0(_S31, _S43, sums_0[int(5)][int(6)]);
                sums_0[int(5)][int(7)] = multiplyAdd_0(_S31, _S44, sums_0[int(5)][int(7)]);
                sums_0[int(6)][int(0)] = multiplyAdd_0(_S32, _S36, sums_0[int(6)][int(0)]);
                sums_0[int(6)][int(1)] = multiplyAdd_0(_S32, _S37, sums_0[int(6)][int(1)]);
                sums_0[int(6)][int(2)] = multiplyAdd_0(_S32, _S38, sums_0[int(6)][int(2)]);
                sums_0[int(6)][int(3)] = multiplyAdd_0(_S32, _S39, sums_0[int(6)][int(3)]);
                sums_0[int(6)][int(4)] = multiplyAdd_0(_S32, _S41, sums_0[int(6)][int(4)]);
                sums_0[int(6)][int(5)] = multiplyAdd_0(_S32, _S42, sums_0[int(6)][int(5)]);
                sums_0[int(6)][int(6)] = multiplyAdd_0(_S32, _S43, sums_0[int(6)][int(6)]);
                sums_0[int(6)][int(7)] = multiplyAdd_0(_S32, _S44, sums_0[int(6)][int(7)]);
                sums_0[int(7)][int(0)] = multiplyAdd_0(_S33, _S36, sums_0[int(7)][int(0)]);
                sums_0[int(7)][int(1)] = multiplyAdd_0(_S33, _S37, sums_0[int(7)][int(1)]);
                sums_0[int(7)][int(2)] = multiplyAdd_0(_S33, _S38, sums_0[int(7)][int(2)]);
                sums_0[int(7)][int(3)] = multiplyAdd_0(_S33, _S39, sums_0[int(7)][int(3)]);
                sums_0[int(7)][int(4)] = multiplyAdd_0(_S33, _S41, sums_0[int(7)][int(4)]);
                sums_0[int(7)][int(5)] = multiplyAdd_0(_S33, _S42, sums_0[int(7)][int(5)]);
                sums_0[int(7)][int(6)] = multiplyAdd_0(_S33, _S43, sums_0[int(7)][int(6)]);
                sums_0[int(7)][int(7)] = multiplyAdd_0(_S33, _S44, sums_0[int(7)][int(7)]);
                q_2 = q_2 + 1U;
            }
        }
        slice_0 = slice_0 + 8U;
    }
    uint _S45 = _S10 * 4U;
    uint _S46 = _S7 + _S45;
    uint _S47 = _S9 * 4U;
    uint _S48 = _S8 + _S47;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + _S48)) = sums_0[int(0)][int(0)];
    }
    uint s_1 = _S48 + 1U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_1)) = sums_0[int(0)][int(1)];
    }
    uint s_2 = _S48 + 2U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_2)) = sums_0[int(0)][int(2)];
    }
    uint s_3 = _S48 + 3U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_3)) = sums_0[int(0)][int(3)];
    }
    uint _S49 = _S8 + 64U + _S47;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + _S49)) = sums_0[int(0)][int(4)];
    }
    uint s_4 = _S49 + 1U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_4)) = sums_0[int(0)][int(5)];
    }
    uint s_5 = _S49 + 2U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_5)) = sums_0[int(0)][int(6)];
    }
    uint s_6 = _S49 + 3U;
    if(_S46 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S46 * entryPointParams_1->n_0 + s_6)) = sums_0[int(0)][int(7)];
    }
    uint _S50 = _S46 + 1U;
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + _S48)) = sums_0[int(1)][int(0)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_1)) = sums_0[int(1)][int(1)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_2)) = sums_0[int(1)][int(2)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_3)) = sums_0[int(1)][int(3)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + _S49)) = sums_0[int(1)][int(4)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_4)) = sums_0[int(1)][int(5)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_5)) = sums_0[int(1)][int(6)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S50 * entryPointParams_1->n_0 + s_6)) = sums_0[int(1)][int(7)];
    }
    uint _S51 = _S46 + 2U;
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + _S48)) = sums_0[int(2)][int(0)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_1)) = sums_0[int(2)][int(1)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_2)) = sums_0[int(2)][int(2)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_3)) = sums_0[int(2)][int(3)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + _S49)) = sums_0[int(2)][int(4)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_4)) = sums_0[int(2)][int(5)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_5)) = sums_0[int(2)][int(6)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S51 * entryPointParams_1->n_0 + s_6)) = sums_0[int(2)][int(7)];
    }
    uint _S52 = _S46 + 3U;
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + _S48)) = sums_0[int(3)][int(0)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_1)) = sums_0[int(3)][int(1)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_2)) = sums_0[int(3)][int(2)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_3)) = sums_0[int(3)][int(3)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + _S49)) = sums_0[int(3)][int(4)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_4)) = sums_0[int(3)][int(5)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_5)) = sums_0[int(3)][int(6)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S52 * entryPointParams_1->n_0 + s_6)) = sums_0[int(3)][int(7)];
    }
    uint _S53 = _S7 + 64U + _S45;
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + _S48)) = sums_0[int(4)][int(0)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_1)) = sums_0[int(4)][int(1)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_2)) = sums_0[int(4)][int(2)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_3)) = sums_0[int(4)][int(3)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + _S49)) = sums_0[int(4)][int(4)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_4)) = sums_0[int(4)][int(5)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_5)) = sums_0[int(4)][int(6)];
    }
    if(_S53 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S53 * entryPointParams_1->n_0 + s_6)) = sums_0[int(4)][int(7)];
    }
    uint _S54 = _S53 + 1U;
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + _S48)) = sums_0[int(5)][int(0)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + s_1)) = sums_0[int(5)][int(1)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + s_2)) = sums_0[int(5)][int(2)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + s_3)) = sums_0[int(5)][int(3)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + _S49)) = sums_0[int(5)][int(4)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + s_4)) = sums_0[int(5)][int(5)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + s_5)) = sums_0[int(5)][int(6)];
    }
    if(_S54 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S54 * entryPointParams_1->n_0 + s_6)) = sums_0[int(5)][int(7)];
    }
    uint _S55 = _S53 + 2U;
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + _S48)) = sums_0[int(6)][int(0)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + s_1)) = sums_0[int(6)][int(1)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + s_2)) = sums_0[int(6)][int(2)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + s_3)) = sums_0[int(6)][int(3)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + _S49)) = sums_0[int(6)][int(4)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + s_4)) = sums_0[int(6)][int(5)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + s_5)) = sums_0[int(6)][int(6)];
    }
    if(_S55 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S55 * entryPointParams_1->n_0 + s_6)) = sums_0[int(6)][int(7)];
    }
    uint _S56 = _S53 + 3U;
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S48 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + _S48)) = sums_0[int(7)][int(0)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_1 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + s_1)) = sums_0[int(7)][int(1)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_2 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + s_2)) = sums_0[int(7)][int(2)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_3 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + s_3)) = sums_0[int(7)][int(3)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = _S49 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + _S49)) = sums_0[int(7)][int(4)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_4 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + s_4)) = sums_0[int(7)][int(5)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_5 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + s_5)) = sums_0[int(7)][int(6)];
    }
    if(_S56 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S6 = s_6 < (entryPointParams_1->n_0);
    }
    else
    {
        _S6 = false;
    }
    if(_S6)
    {
        *((&kernelContext_0)->c_1+(_S56 * entryPointParams_1->n_0 + s_6)) = sums_0[int(7)][int(7)];
    }
    return;
}

