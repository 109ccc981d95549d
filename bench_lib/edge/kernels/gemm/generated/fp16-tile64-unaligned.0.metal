#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
array<float, int(1)> unpack_0(half source_0, float scale_0)
{
    thread array<float, int(1)> values_0;
    values_0[int(0)] = float(source_0);
    return values_0;
}

array<float, int(1)> unpackNumbers_0(half source_1)
{
    return unpack_0(source_1, 1.0);
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
    half device* a_1;
    half device* b_1;
    float device* c_1;
    EntryPointParams_0 constant* entryPointParams_0;
    array<float, int(1024)> threadgroup* tileA_0;
    array<float, int(1024)> threadgroup* tileB_0;
};

[[kernel]] void gemm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], half device* a_2 [[buffer(0)]], half device* b_2 [[buffer(1)]], float device* c_2 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    bool _S1;
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
    uint _S2 = group_0.y * 64U;
    uint _S3 = group_0.x * 64U;
    uint _S4 = thread_0 % 16U;
    uint _S5 = thread_0 / 16U;
    thread array<array<float, int(4)>, int(4)> sums_0;
    sums_0[int(0)][int(0)] = 0.0;
    sums_0[int(0)][int(1)] = 0.0;
    sums_0[int(0)][int(2)] = 0.0;
    sums_0[int(0)][int(3)] = 0.0;
    sums_0[int(1)][int(0)] = 0.0;
    sums_0[int(1)][int(1)] = 0.0;
    sums_0[int(1)][int(2)] = 0.0;
    sums_0[int(1)][int(3)] = 0.0;
    sums_0[int(2)][int(0)] = 0.0;
    sums_0[int(2)][int(1)] = 0.0;
    sums_0[int(2)][int(2)] = 0.0;
    sums_0[int(2)][int(3)] = 0.0;
    sums_0[int(3)][int(0)] = 0.0;
    sums_0[int(3)][int(1)] = 0.0;
    sums_0[int(3)][int(2)] = 0.0;
    sums_0[int(3)][int(3)] = 0.0;
    thread array<array<float, int(1)>, int(4)> nextA_0;
    thread array<array<float, int(1)>, int(4)> nextB_0;
    uint slice_0 = 0U;
    for(;;)
    {
        if(slice_0 < ((&kernelContext_0)->entryPointParams_0->k_0 + 16U))
        {
        }
        else
        {
            break;
        }
        bool _S6 = slice_0 > 0U;
        if(_S6)
        {
            threadgroup_barrier(mem_flags::mem_threadgroup);
            uint _S7 = thread_0 / 16U;
            bool _S8 = thread_0 < 1024U;
            if(_S8)
            {
                (*(&kernelContext_0)->tileA_0)[_S4 * 64U + _S7] = nextA_0[int(0)][int(0)];
            }
            uint at_0 = thread_0 + 256U;
            uint _S9 = at_0 / 16U;
            uint _S10 = at_0 % 16U;
            bool _S11 = at_0 < 1024U;
            if(_S11)
            {
                (*(&kernelContext_0)->tileA_0)[_S10 * 64U + _S9] = nextA_0[int(1)][int(0)];
            }
            uint at_1 = thread_0 + 512U;
            uint _S12 = at_1 / 16U;
            uint _S13 = at_1 % 16U;
            bool _S14 = at_1 < 1024U;
            if(_S14)
            {
                (*(&kernelContext_0)->tileA_0)[_S13 * 64U + _S12] = nextA_0[int(2)][int(0)];
            }
            uint at_2 = thread_0 + 768U;
            uint _S15 = at_2 / 16U;
            uint _S16 = at_2 % 16U;
            bool _S17 = at_2 < 1024U;
            if(_S17)
            {
                (*(&kernelContext_0)->tileA_0)[_S16 * 64U + _S15] = nextA_0[int(3)][int(0)];
            }
            if(_S8)
            {
                (*(&kernelContext_0)->tileB_0)[thread_0] = nextB_0[int(0)][int(0)];
            }
            if(_S11)
            {
                (*(&kernelContext_0)->tileB_0)[at_0] = nextB_0[int(1)][int(0)];
            }
            if(_S14)
            {
                (*(&kernelContext_0)->tileB_0)[at_1] = nextB_0[int(2)][int(0)];
            }
            if(_S17)
            {
                (*(&kernelContext_0)->tileB_0)[at_2] = nextB_0[int(3)][int(0)];
            }
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if(slice_0 < ((&kernelContext_0)->entryPointParams_0->k_0))
        {
            uint r_0 = _S2 + thread_0 / 16U;
            uint q_0 = slice_0 + _S4;
            nextA_0[int(0)][int(0)] = 0.0;
            bool _S18 = thread_0 < 1024U;
            if(_S18)
            {
                _S1 = r_0 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S1 = false;
            }
            bool _S19;
            if(_S1)
            {
                _S19 = q_0 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S19 = false;
            }
            if(_S19)
            {
                nextA_0[int(0)] = unpackNumbers_0((&kernelContext_0)->a_1[r_0 * (&kernelContext_0)->entryPointParams_0->k_0 + q_0]);
            }
            uint at_3 = thread_0 + 256U;
            uint r_1 = _S2 + at_3 / 16U;
            uint q_1 = slice_0 + at_3 % 16U;
            nextA_0[int(1)][int(0)] = 0.0;
            bool _S20 = at_3 < 1024U;
            bool _S21;
            if(_S20)
            {
                _S21 = r_1 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S21 = false;
            }
            bool _S22;
            if(_S21)
            {
                _S22 = q_1 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S22 = false;
            }
            if(_S22)
            {
                nextA_0[int(1)] = unpackNumbers_0((&kernelContext_0)->a_1[r_1 * (&kernelContext_0)->entryPointParams_0->k_0 + q_1]);
            }
            uint at_4 = thread_0 + 512U;
            uint r_2 = _S2 + at_4 / 16U;
            uint q_2 = slice_0 + at_4 % 16U;
            nextA_0[int(2)][int(0)] = 0.0;
            bool _S23 = at_4 < 1024U;
            bool _S24;
            if(_S23)
            {
                _S24 = r_2 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S24 = false;
            }
            bool _S25;
            if(_S24)
            {
                _S25 = q_2 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S25 = false;
            }
            if(_S25)
            {
                nextA_0[int(2)] = unpackNumbers_0((&kernelContext_0)->a_1[r_2 * (&kernelContext_0)->entryPointParams_0->k_0 + q_2]);
            }
            uint at_5 = thread_0 + 768U;
            uint r_3 = _S2 + at_5 / 16U;
            uint q_3 = slice_0 + at_5 % 16U;
            nextA_0[int(3)][int(0)] = 0.0;
            bool _S26 = at_5 < 1024U;
            bool _S27;
            if(_S26)
            {
                _S27 = r_3 < ((&kernelContext_0)->entryPointParams_0->m_0);
            }
            else
            {
                _S27 = false;
            }
            bool _S28;
            if(_S27)
            {
                _S28 = q_3 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S28 = false;
            }
            if(_S28)
            {
                nextA_0[int(3)] = unpackNumbers_0((&kernelContext_0)->a_1[r_3 * (&kernelContext_0)->entryPointParams_0->k_0 + q_3]);
            }
            uint q_4 = slice_0 + thread_0 / 64U;
            uint s_0 = _S3 + thread_0 % 64U;
            nextB_0[int(0)][int(0)] = 0.0;
            bool _S29;
            if(_S18)
            {
                _S29 = q_4 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S29 = false;
            }
            bool _S30;
            if(_S29)
            {
                _S30 = s_0 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S30 = false;
            }
            if(_S30)
            {
                nextB_0[int(0)] = unpackNumbers_0((&kernelContext_0)->b_1[q_4 * (&kernelContext_0)->entryPointParams_0->n_0 + s_0]);
            }
            uint q_5 = slice_0 + at_3 / 64U;
            uint s_1 = _S3 + at_3 % 64U;
            nextB_0[int(1)][int(0)] = 0.0;
            bool _S31;
            if(_S20)
            {
                _S31 = q_5 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S31 = false;
            }
            bool _S32;
            if(_S31)
            {
                _S32 = s_1 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S32 = false;
            }
            if(_S32)
            {
                nextB_0[int(1)] = unpackNumbers_0((&kernelContext_0)->b_1[q_5 * (&kernelContext_0)->entryPointParams_0->n_0 + s_1]);
            }
            uint q_6 = slice_0 + at_4 / 64U;
            uint s_2 = _S3 + at_4 % 64U;
            nextB_0[int(2)][int(0)] = 0.0;
            bool _S33;
            if(_S23)
            {
                _S33 = q_6 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S33 = false;
            }
            bool _S34;
            if(_S33)
            {
                _S34 = s_2 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S34 = false;
            }
            if(_S34)
            {
                nextB_0[int(2)] = unpackNumbers_0((&kernelContext_0)->b_1[q_6 * (&kernelContext_0)->entryPointParams_0->n_0 + s_2]);
            }
            uint q_7 = slice_0 + at_5 / 64U;
            uint s_3 = _S3 + at_5 % 64U;
            nextB_0[int(3)][int(0)] = 0.0;
            bool _S35;
            if(_S26)
            {
                _S35 = q_7 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S35 = false;
            }
            bool _S36;
            if(_S35)
            {
                _S36 = s_3 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S36 = false;
            }
            if(_S36)
            {
                nextB_0[int(3)] = unpackNumbers_0((&kernelContext_0)->b_1[q_7 * (&kernelContext_0)->entryPointParams_0->n_0 + s_3]);
            }
        }
        if(_S6)
        {
            uint q_8 = 0U;
            for(;;)
            {
                if(q_8 < 16U)
                {
                }
                else
                {
                    break;
                }
                thread array<float, int(4)> left_0;
                thread array<float, int(4)> right_0;
                uint _S37 = q_8 * 64U;
                uint _S38 = _S37 + _S5 * 4U;
                float _S39 = (*(&kernelContext_0)->tileA_0)[_S38];
                left_0[int(0)] = (*(&kernelContext_0)->tileA_0)[_S38];
                float _S40 = (*(&kernelContext_0)->tileA_0)[_S38 + 1U];
                left_0[int(1)] = (*(&kernelContext_0)->tileA_0)[_S38 + 1U];
                float _S41 = (*(&kernelContext_0)->tileA_0)[_S38 + 2U];
                left_0[int(2)] = (*(&kernelContext_0)->tileA_0)[_S38 + 2U];
                float _S42 = (*(&kernelContext_0)->tileA_0)[_S38 + 3U];
                left_0[int(3)] = (*(&kernelContext_0)->tileA_0)[_S38 + 3U];
                uint _S43 = _S37 + _S4 * 4U;
                float _S44 = (*(&kernelContext_0)->tileB_0)[_S43];
                right_0[int(0)] = (*(&kernelContext_0)->tileB_0)[_S43];
                float _S45 = (*(&kernelContext_0)->tileB_0)[_S43 + 1U];
                right_0[int(1)] = (*(&kernelContext_0)->tileB_0)[_S43 + 1U];
                float _S46 = (*(&kernelContext_0)->tileB_0)[_S43 + 2U];
                right_0[int(2)] = (*(&kernelContext_0)->tileB_0)[_S43 + 2U];
                float _S47 = (*(&kernelContext_0)->tileB_0)[_S43 + 3U];
                right_0[int(3)] = (*(&kernelContext_0)->tileB_0)[_S43 + 3U];
                sums_0[int(0)][int(0)] = multiplyAdd_0(_S39, _S44, sums_0[int(0)][int(0)]);
                sums_0[int(0)][int(1)] = multiplyAdd_0(_S39, _S45, sums_0[int(0)][int(1)]);
                sums_0[int(0)][int(2)] = multiplyAdd_0(_S39, _S46, sums_0[int(0)][int(2)]);
                sums_0[int(0)][int(3)] = multiplyAdd_0(_S39, _S47, sums_0[int(0)][int(3)]);
                sums_0[int(1)][int(0)] = multiplyAdd_0(_S40, _S44, sums_0[int(1)][int(0)]);
                sums_0[int(1)][int(1)] = multiplyAdd_0(_S40, _S45, sums_0[int(1)][int(1)]);
                sums_0[int(1)][int(2)] = multiplyAdd_0(_S40, _S46, sums_0[int(1)][int(2)]);
                sums_0[int(1)][int(3)] = multiplyAdd_0(_S40, _S47, sums_0[int(1)][int(3)]);
                sums_0[int(2)][int(0)] = multiplyAdd_0(_S41, _S44, sums_0[int(2)][int(0)]);
                sums_0[int(2)][int(1)] = multiplyAdd_0(_S41, _S45, sums_0[int(2)][int(1)]);
                sums_0[int(2)][int(2)] = multiplyAdd_0(_S41, _S46, sums_0[int(2)][int(2)]);
                sums_0[int(2)][int(3)] = multiplyAdd_0(_S41, _S47, sums_0[int(2)][int(3)]);
                sums_0[int(3)][int(0)] = multiplyAdd_0(_S42, _S44, sums_0[int(3)][int(0)]);
                sums_0[int(3)][int(1)] = multiplyAdd_0(_S42, _S45, sums_0[int(3)][int(1)]);
                sums_0[int(3)][int(2)] = multiplyAdd_0(_S42, _S46, sums_0[int(3)][int(2)]);
                sums_0[int(3)][int(3)] = multiplyAdd_0(_S42, _S47, sums_0[int(3)][int(3)]);
                q_8 = q_8 + 1U;
            }
        }
        slice_0 = slice_0 + 16U;
    }
    uint _S48 = _S2 + _S5 * 4U;
    uint _S49 = _S3 + _S4 * 4U;
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = _S49 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S48 * (&kernelContext_0)->entryPointParams_0->n_0 + _S49)) = sums_0[int(0)][int(0)];
    }
    uint s_4 = _S49 + 1U;
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_4 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S48 * (&kernelContext_0)->entryPointParams_0->n_0 + s_4)) = sums_0[int(0)][int(1)];
    }
    uint s_5 = _S49 + 2U;
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_5 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S48 * (&kernelContext_0)->entryPointParams_0->n_0 + s_5)) = sums_0[int(0)][int(2)];
    }
    uint s_6 = _S49 + 3U;
    if(_S48 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_6 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S48 * (&kernelContext_0)->entryPointParams_0->n_0 + s_6)) = sums_0[int(0)][int(3)];
    }
    uint _S50 = _S48 + 1U;
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = _S49 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S50 * (&kernelContext_0)->entryPointParams_0->n_0 + _S49)) = sums_0[int(1)][int(0)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_4 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S50 * (&kernelContext_0)->entryPointParams_0->n_0 + s_4)) = sums_0[int(1)][int(1)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_5 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S50 * (&kernelContext_0)->entryPointParams_0->n_0 + s_5)) = sums_0[int(1)][int(2)];
    }
    if(_S50 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_6 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S50 * (&kernelContext_0)->entryPointParams_0->n_0 + s_6)) = sums_0[int(1)][int(3)];
    }
    uint _S51 = _S48 + 2U;
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = _S49 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S51 * (&kernelContext_0)->entryPointParams_0->n_0 + _S49)) = sums_0[int(2)][int(0)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_4 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S51 * (&kernelContext_0)->entryPointParams_0->n_0 + s_4)) = sums_0[int(2)][int(1)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_5 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S51 * (&kernelContext_0)->entryPointParams_0->n_0 + s_5)) = sums_0[int(2)][int(2)];
    }
    if(_S51 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_6 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S51 * (&kernelContext_0)->entryPointParams_0->n_0 + s_6)) = sums_0[int(2)][int(3)];
    }
    uint _S52 = _S48 + 3U;
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = _S49 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S52 * (&kernelContext_0)->entryPointParams_0->n_0 + _S49)) = sums_0[int(3)][int(0)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_4 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S52 * (&kernelContext_0)->entryPointParams_0->n_0 + s_4)) = sums_0[int(3)][int(1)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_5 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S52 * (&kernelContext_0)->entryPointParams_0->n_0 + s_5)) = sums_0[int(3)][int(2)];
    }
    if(_S52 < ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S1 = s_6 < ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S1 = false;
    }
    if(_S1)
    {
        *((&kernelContext_0)->c_1+(_S52 * (&kernelContext_0)->entryPointParams_0->n_0 + s_6)) = sums_0[int(3)][int(3)];
    }
    return;
}

