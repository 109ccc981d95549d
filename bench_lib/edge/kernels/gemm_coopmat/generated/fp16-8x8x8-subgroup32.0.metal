#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;

#include <metal_simdgroup_matrix>
template<typename T, int Cols, int Rows, typename V>
void _slang_simdgroup_fill(thread simdgroup_matrix<T, Cols, Rows>* dest, V val) {
    *dest = make_filled_simdgroup_matrix<T, Cols, Rows>(T(val));
}
template<typename Matrix, typename T>
Matrix _slang_simdgroup_load(const device T* src, ulong elements_per_row) {
    Matrix result;
    simdgroup_load(result, src, elements_per_row);
    return result;
}
template<typename Matrix, typename T>
Matrix _slang_simdgroup_load_transpose(const device T* src, ulong elements_per_row) {
    Matrix result;
    simdgroup_load(result, src, elements_per_row, ulong2(0), true);
    return result;
}
template<typename Matrix, typename T>
Matrix _slang_simdgroup_load(const threadgroup T* src, ulong elements_per_row) {
    Matrix result;
    simdgroup_load(result, src, elements_per_row);
    return result;
}
template<typename Matrix, typename T>
Matrix _slang_simdgroup_load_transpose(const threadgroup T* src, ulong elements_per_row) {
    Matrix result;
    simdgroup_load(result, src, elements_per_row, ulong2(0), true);
    return result;
}

void linalg_CoopMat_Store_0(simdgroup_matrix<float, int(8), int(8)> this_0, float device* buffer_0, uint element_0, uint stride_0)
{
    simdgroup_store((this_0), (device float*)((buffer_0)) + (element_0), (ulong)(stride_0));
    return;
}

simdgroup_matrix<float, int(8), int(8)> linalg_coopMatMulAdd_0(simdgroup_matrix<half, int(8), int(8)> matA_0, simdgroup_matrix<half, int(8), int(8)> matB_0, simdgroup_matrix<float, int(8), int(8)> matC_0)
{
    simdgroup_matrix<float, int(8), int(8)> _S1;
    simdgroup_multiply_accumulate(_S1, matA_0, matB_0, matC_0);
    return _S1;
}

struct EntryPointParams_0
{
    uint m_0;
    uint n_0;
    uint k_0;
};

struct KernelContext_0
{
    half device* a_0;
    half device* b_0;
    float device* c_0;
    EntryPointParams_0 constant* entryPointParams_0;
    array<half, int(2048)> threadgroup* tileA_0;
    array<half, int(2048)> threadgroup* tileB_0;
    array<float, int(256)> threadgroup* tileC_0;
};

[[kernel]] void gemm_coopmat(uint3 group_0 [[threadgroup_position_in_grid]], uint3 invocation_0 [[thread_position_in_threadgroup]], half device* a_1 [[buffer(0)]], half device* b_1 [[buffer(1)]], float device* c_1 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    uint at_0;
    bool _S2;
    half value_0;
    thread KernelContext_0 kernelContext_0;
    (&kernelContext_0)->a_0 = a_1;
    (&kernelContext_0)->b_0 = b_1;
    (&kernelContext_0)->c_0 = c_1;
    (&kernelContext_0)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<half, int(2048)> tileA_1;
    (&kernelContext_0)->tileA_0 = &tileA_1;
    threadgroup array<half, int(2048)> tileB_1;
    (&kernelContext_0)->tileB_0 = &tileB_1;
    threadgroup array<float, int(256)> tileC_1;
    (&kernelContext_0)->tileC_0 = &tileC_1;
    uint thread_0 = invocation_0.x;
    uint wave_0 = thread_0 / 32U;
    uint _S3 = thread_0 % 32U;
    uint firstRow_0 = group_0.y * 64U;
    uint firstColumn_0 = group_0.x * 64U;
    uint _S4 = wave_0 / 2U * 32U;
    uint _S5 = wave_0 % 2U * 32U;
    thread array<array<simdgroup_matrix<float, int(8), int(8)>, int(4)>, int(4)> sums_0;
    thread simdgroup_matrix<float, int(8), int(8)> _S6;
    _slang_simdgroup_fill((&_S6), (0.0));
    sums_0[int(0)][int(0)] = _S6;
    thread simdgroup_matrix<float, int(8), int(8)> _S7;
    _slang_simdgroup_fill((&_S7), (0.0));
    sums_0[int(0)][int(1)] = _S7;
    thread simdgroup_matrix<float, int(8), int(8)> _S8;
    _slang_simdgroup_fill((&_S8), (0.0));
    sums_0[int(0)][int(2)] = _S8;
    thread simdgroup_matrix<float, int(8), int(8)> _S9;
    _slang_simdgroup_fill((&_S9), (0.0));
    sums_0[int(0)][int(3)] = _S9;
    thread simdgroup_matrix<float, int(8), int(8)> _S10;
    _slang_simdgroup_fill((&_S10), (0.0));
    sums_0[int(1)][int(0)] = _S10;
    thread simdgroup_matrix<float, int(8), int(8)> _S11;
    _slang_simdgroup_fill((&_S11), (0.0));
    sums_0[int(1)][int(1)] = _S11;
    thread simdgroup_matrix<float, int(8), int(8)> _S12;
    _slang_simdgroup_fill((&_S12), (0.0));
    sums_0[int(1)][int(2)] = _S12;
    thread simdgroup_matrix<float, int(8), int(8)> _S13;
    _slang_simdgroup_fill((&_S13), (0.0));
    sums_0[int(1)][int(3)] = _S13;
    thread simdgroup_matrix<float, int(8), int(8)> _S14;
    _slang_simdgroup_fill((&_S14), (0.0));
    sums_0[int(2)][int(0)] = _S14;
    thread simdgroup_matrix<float, int(8), int(8)> _S15;
    _slang_simdgroup_fill((&_S15), (0.0));
    sums_0[int(2)][int(1)] = _S15;
    thread simdgroup_matrix<float, int(8), int(8)> _S16;
    _slang_simdgroup_fill((&_S16), (0.0));
    sums_0[int(2)][int(2)] = _S16;
    thread simdgroup_matrix<float, int(8), int(8)> _S17;
    _slang_simdgroup_fill((&_S17), (0.0));
    sums_0[int(2)][int(3)] = _S17;
    thread simdgroup_matrix<float, int(8), int(8)> _S18;
    _slang_simdgroup_fill((&_S18), (0.0));
    sums_0[int(3)][int(0)] = _S18;
    thread simdgroup_matrix<float, int(8), int(8)> _S19;
    _slang_simdgroup_fill((&_S19), (0.0));
    sums_0[int(3)][int(1)] = _S19;
    thread simdgroup_matrix<float, int(8), int(8)> _S20;
    _slang_simdgroup_fill((&_S20), (0.0));
    sums_0[int(3)][int(2)] = _S20;
    thread simdgroup_matrix<float, int(8), int(8)> _S21;
    _slang_simdgroup_fill((&_S21), (0.0));
    sums_0[int(3)][int(3)] = _S21;
    uint slice_0 = 0U;
    for(;;)
    {
        if(slice_0 < ((&kernelContext_0)->entryPointParams_0->k_0))
        {
        }
        else
        {
            break;
        }
        at_0 = thread_0;
        for(;;)
        {
            if(at_0 < 2048U)
            {
            }
            else
            {
                break;
            }
            uint r_0 = firstRow_0 + at_0 / 32U;
            uint q_0 = slice_0 + at_0 % 32U;
            if(r_0 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S2 = q_0 < ((&kernelContext_0)->entryPointParams_0->k_0);
            }
            else
            {
                _S2 = false;
            }
            if(_S2)
            {
                value_0 = (&kernelContext_0)->a_0[r_0 * (&kernelContext_0)->entryPointParams_0->k_0 + q_0];
            }
            else
            {
                value_0 = 0.0;
            }
            (*(&kernelContext_0)->tileA_0)[at_0] = value_0;
            at_0 = at_0 + 128U;
        }
        uint at_1 = thread_0;
        for(;;)
        {
            if(at_1 < 2048U)
            {
            }
            else
            {
                break;
            }
            uint q_1 = slice_0 + at_1 / 64U;
            uint s_0 = firstColumn_0 + at_1 % 64U;
            if(q_1 < ((&kernelContext_0)->entryPointParams_0->k_0))
            {
                _S2 = s_0 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S2 = false;
            }
            if(_S2)
            {
                value_0 = (&kernelContext_0)->b_0[q_1 * (&kernelContext_0)->entryPointParams_0->n_0 + s_0];
            }
            else
            {
                value_0 = 0.0;
            }
            (*(&kernelContext_0)->tileB_0)[at_1] = value_0;
            at_1 = at_1 + 128U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        thread array<simdgroup_matrix<half, int(8), int(8)>, int(4)> left_0;
        uint _S22 = _S4 * 32U;
        simdgroup_matrix<half, int(8), int(8)> _S23 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S22), (ulong)(32U)));
        left_0[int(0)] = _S23;
        uint _S24 = (_S4 + 8U) * 32U;
        simdgroup_matrix<half, int(8), int(8)> _S25 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S24), (ulong)(32U)));
        left_0[int(1)] = _S25;
        uint _S26 = (_S4 + 16U) * 32U;
        simdgroup_matrix<half, int(8), int(8)> _S27 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S26), (ulong)(32U)));
        left_0[int(2)] = _S27;
        uint _S28 = (_S4 + 24U) * 32U;
        simdgroup_matrix<half, int(8), int(8)> _S29 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S28), (ulong)(32U)));
        left_0[int(3)] = _S29;
        simdgroup_matrix<half, int(8), int(8)> _S30 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S5), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S31 = linalg_coopMatMulAdd_0(left_0[int(0)], _S30, sums_0[int(0)][int(0)]);
        sums_0[int(0)][int(0)] = _S31;
        simdgroup_matrix<float, int(8), int(8)> _S32 = linalg_coopMatMulAdd_0(left_0[int(1)], _S30, sums_0[int(1)][int(0)]);
        sums_0[int(1)][int(0)] = _S32;
        simdgroup_matrix<float, int(8), int(8)> _S33 = linalg_coopMatMulAdd_0(left_0[int(2)], _S30, sums_0[int(2)][int(0)]);
        sums_0[int(2)][int(0)] = _S33;
        simdgroup_matrix<float, int(8), int(8)> _S34 = linalg_coopMatMulAdd_0(left_0[int(3)], _S30, sums_0[int(3)][int(0)]);
        sums_0[int(3)][int(0)] = _S34;
        simdgroup_matrix<half, int(8), int(8)> _S35 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S5 + 8U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S36 = linalg_coopMatMulAdd_0(left_0[int(0)], _S35, sums_0[int(0)][int(1)]);
        sums_0[int(0)][int(1)] = _S36;
        simdgroup_matrix<float, int(8), int(8)> _S37 = linalg_coopMatMulAdd_0(left_0[int(1)], _S35, sums_0[int(1)][int(1)]);
        sums_0[int(1)][int(1)] = _S37;
        simdgroup_matrix<float, int(8), int(8)> _S38 = linalg_coopMatMulAdd_0(left_0[int(2)], _S35, sums_0[int(2)][int(1)]);
        sums_0[int(2)][int(1)] = _S38;
        simdgroup_matrix<float, int(8), int(8)> _S39 = linalg_coopMatMulAdd_0(left_0[int(3)], _S35, sums_0[int(3)][int(1)]);
        sums_0[int(3)][int(1)] = _S39;
        simdgroup_matrix<half, int(8), int(8)> _S40 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S5 + 16U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S41 = linalg_coopMatMulAdd_0(left_0[int(0)], _S40, sums_0[int(0)][int(2)]);
        sums_0[int(0)][int(2)] = _S41;
        simdgroup_matrix<float, int(8), int(8)> _S42 = linalg_coopMatMulAdd_0(left_0[int(1)], _S40, sums_0[int(1)][int(2)]);
        sums_0[int(1)][int(2)] = _S42;
        simdgroup_matrix<float, int(8), int(8)> _S43 = linalg_coopMatMulAdd_0(left_0[int(2)], _S40, sums_0[int(2)][int(2)]);
        sums_0[int(2)][int(2)] = _S43;
        simdgroup_matrix<float, int(8), int(8)> _S44 = linalg_coopMatMulAdd_0(left_0[int(3)], _S40, sums_0[int(3)][int(2)]);
        sums_0[int(3)][int(2)] = _S44;
        simdgroup_matrix<half, int(8), int(8)> _S45 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S5 + 24U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S46 = linalg_coopMatMulAdd_0(left_0[int(0)], _S45, sums_0[int(0)][int(3)]);
        sums_0[int(0)][int(3)] = _S46;
        simdgroup_matrix<float, int(8), int(8)> _S47 = linalg_coopMatMulAdd_0(left_0[int(1)], _S45, sums_0[int(1)][int(3)]);
        sums_0[int(1)][int(3)] = _S47;
        simdgroup_matrix<float, int(8), int(8)> _S48 = linalg_coopMatMulAdd_0(left_0[int(2)], _S45, sums_0[int(2)][int(3)]);
        sums_0[int(2)][int(3)] = _S48;
        simdgroup_matrix<float, int(8), int(8)> _S49 = linalg_coopMatMulAdd_0(left_0[int(3)], _S45, sums_0[int(3)][int(3)]);
        sums_0[int(3)][int(3)] = _S49;
        thread array<simdgroup_matrix<half, int(8), int(8)>, int(4)> left_1;
        simdgroup_matrix<half, int(8), int(8)> _S50 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S22 + 8U), (ulong)(32U)));
        left_1[int(0)] = _S50;
        simdgroup_matrix<half, int(8), int(8)> _S51 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S24 + 8U), (ulong)(32U)));
        left_1[int(1)] = _S51;
        simdgroup_matrix<half, int(8), int(8)> _S52 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S26 + 8U), (ulong)(32U)));
        left_1[int(2)] = _S52;
        simdgroup_matrix<half, int(8), int(8)> _S53 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S28 + 8U), (ulong)(32U)));
        left_1[int(3)] = _S53;
        uint _S54 = 512U + _S5;
        simdgroup_matrix<half, int(8), int(8)> _S55 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S54), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S56 = linalg_coopMatMulAdd_0(left_1[int(0)], _S55, sums_0[int(0)][int(0)]);
        sums_0[int(0)][int(0)] = _S56;
        simdgroup_matrix<float, int(8), int(8)> _S57 = linalg_coopMatMulAdd_0(left_1[int(1)], _S55, sums_0[int(1)][int(0)]);
        sums_0[int(1)][int(0)] = _S57;
        simdgroup_matrix<float, int(8), int(8)> _S58 = linalg_coopMatMulAdd_0(left_1[int(2)], _S55, sums_0[int(2)][int(0)]);
        sums_0[int(2)][int(0)] = _S58;
        simdgroup_matrix<float, int(8), int(8)> _S59 = linalg_coopMatMulAdd_0(left_1[int(3)], _S55, sums_0[int(3)][int(0)]);
        sums_0[int(3)][int(0)] = _S59;
        simdgroup_matrix<half, int(8), int(8)> _S60 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S54 + 8U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S61 = linalg_coopMatMulAdd_0(left_1[int(0)], _S60, sums_0[int(0)][int(1)]);
        sums_0[int(0)][int(1)] = _S61;
        simdgroup_matrix<float, int(8), int(8)> _S62 = linalg_coopMatMulAdd_0(left_1[int(1)], _S60, sums_0[int(1)][int(1)]);
        sums_0[int(1)][int(1)] = _S62;
        simdgroup_matrix<float, int(8), int(8)> _S63 = linalg_coopMatMulAdd_0(left_1[int(2)], _S60, sums_0[int(2)][int(1)]);
        sums_0[int(2)][int(1)] = _S63;
        simdgroup_matrix<float, int(8), int(8)> _S64 = linalg_coopMatMulAdd_0(left_1[int(3)], _S60, sums_0[int(3)][int(1)]);
        sums_0[int(3)][int(1)] = _S64;
        simdgroup_matrix<half, int(8), int(8)> _S65 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S54 + 16U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S66 = linalg_coopMatMulAdd_0(left_1[int(0)], _S65, sums_0[int(0)][int(2)]);
        sums_0[int(0)][int(2)] = _S66;
        simdgroup_matrix<float, int(8), int(8)> _S67 = linalg_coopMatMulAdd_0(left_1[int(1)], _S65, sums_0[int(1)][int(2)]);
        sums_0[int(1)][int(2)] = _S67;
        simdgroup_matrix<float, int(8), int(8)> _S68 = linalg_coopMatMulAdd_0(left_1[int(2)], _S65, sums_0[int(2)][int(2)]);
        sums_0[int(2)][int(2)] = _S68;
        simdgroup_matrix<float, int(8), int(8)> _S69 = linalg_coopMatMulAdd_0(left_1[int(3)], _S65, sums_0[int(3)][int(2)]);
        sums_0[int(3)][int(2)] = _S69;
        simdgroup_matrix<half, int(8), int(8)> _S70 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S54 + 24U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S71 = linalg_coopMatMulAdd_0(left_1[int(0)], _S70, sums_0[int(0)][int(3)]);
        sums_0[int(0)][int(3)] = _S71;
        simdgroup_matrix<float, int(8), int(8)> _S72 = linalg_coopMatMulAdd_0(left_1[int(1)], _S70, sums_0[int(1)][int(3)]);
        sums_0[int(1)][int(3)] = _S72;
        simdgroup_matrix<float, int(8), int(8)> _S73 = linalg_coopMatMulAdd_0(left_1[int(2)], _S70, sums_0[int(2)][int(3)]);
        sums_0[int(2)][int(3)] = _S73;
        simdgroup_matrix<float, int(8), int(8)> _S74 = linalg_coopMatMulAdd_0(left_1[int(3)], _S70, sums_0[int(3)][int(3)]);
        sums_0[int(3)][int(3)] = _S74;
        thread array<simdgroup_matrix<half, int(8), int(8)>, int(4)> left_2;
        simdgroup_matrix<half, int(8), int(8)> _S75 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S22 + 16U), (ulong)(32U)));
        left_2[int(0)] = _S75;
        simdgroup_matrix<half, int(8), int(8)> _S76 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S24 + 16U), (ulong)(32U)));
        left_2[int(1)] = _S76;
        simdgroup_matrix<half, int(8), int(8)> _S77 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S26 + 16U), (ulong)(32U)));
        left_2[int(2)] = _S77;
        simdgroup_matrix<half, int(8), int(8)> _S78 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S28 + 16U), (ulong)(32U)));
        left_2[int(3)] = _S78;
        uint _S79 = 1024U + _S5;
        simdgroup_matrix<half, int(8), int(8)> _S80 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S79), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S81 = linalg_coopMatMulAdd_0(left_2[int(0)], _S80, sums_0[int(0)][int(0)]);
        sums_0[int(0)][int(0)] = _S81;
        simdgroup_matrix<float, int(8), int(8)> _S82 = linalg_coopMatMulAdd_0(left_2[int(1)], _S80, sums_0[int(1)][int(0)]);
        sums_0[int(1)][int(0)] = _S82;
        simdgroup_matrix<float, int(8), int(8)> _S83 = linalg_coopMatMulAdd_0(left_2[int(2)], _S80, sums_0[int(2)][int(0)]);
        sums_0[int(2)][int(0)] = _S83;
        simdgroup_matrix<float, int(8), int(8)> _S84 = linalg_coopMatMulAdd_0(left_2[int(3)], _S80, sums_0[int(3)][int(0)]);
        sums_0[int(3)][int(0)] = _S84;
        simdgroup_matrix<half, int(8), int(8)> _S85 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S79 + 8U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S86 = linalg_coopMatMulAdd_0(left_2[int(0)], _S85, sums_0[int(0)][int(1)]);
        sums_0[int(0)][int(1)] = _S86;
        simdgroup_matrix<float, int(8), int(8)> _S87 = linalg_coopMatMulAdd_0(left_2[int(1)], _S85, sums_0[int(1)][int(1)]);
        sums_0[int(1)][int(1)] = _S87;
        simdgroup_matrix<float, int(8), int(8)> _S88 = linalg_coopMatMulAdd_0(left_2[int(2)], _S85, sums_0[int(2)][int(1)]);
        sums_0[int(2)][int(1)] = _S88;
        simdgroup_matrix<float, int(8), int(8)> _S89 = linalg_coopMatMulAdd_0(left_2[int(3)], _S85, sums_0[int(3)][int(1)]);
        sums_0[int(3)][int(1)] = _S89;
        simdgroup_matrix<half, int(8), int(8)> _S90 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S79 + 16U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S91 = linalg_coopMatMulAdd_0(left_2[int(0)], _S90, sums_0[int(0)][int(2)]);
        sums_0[int(0)][int(2)] = _S91;
        simdgroup_matrix<float, int(8), int(8)> _S92 = linalg_coopMatMulAdd_0(left_2[int(1)], _S90, sums_0[int(1)][int(2)]);
        sums_0[int(1)][int(2)] = _S92;
        simdgroup_matrix<float, int(8), int(8)> _S93 = linalg_coopMatMulAdd_0(left_2[int(2)], _S90, sums_0[int(2)][int(2)]);
        sums_0[int(2)][int(2)] = _S93;
        simdgroup_matrix<float, int(8), int(8)> _S94 = linalg_coopMatMulAdd_0(left_2[int(3)], _S90, sums_0[int(3)][int(2)]);
        sums_0[int(3)][int(2)] = _S94;
        simdgroup_matrix<half, int(8), int(8)> _S95 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S79 + 24U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S96 = linalg_coopMatMulAdd_0(left_2[int(0)], _S95, sums_0[int(0)][int(3)]);
        sums_0[int(0)][int(3)] = _S96;
        simdgroup_matrix<float, int(8), int(8)> _S97 = linalg_coopMatMulAdd_0(left_2[int(1)], _S95, sums_0[int(1)][int(3)]);
        sums_0[int(1)][int(3)] = _S97;
        simdgroup_matrix<float, int(8), int(8)> _S98 = linalg_coopMatMulAdd_0(left_2[int(2)], _S95, sums_0[int(2)][int(3)]);
        sums_0[int(2)][int(3)] = _S98;
        simdgroup_matrix<float, int(8), int(8)> _S99 = linalg_coopMatMulAdd_0(left_2[int(3)], _S95, sums_0[int(3)][int(3)]);
        sums_0[int(3)][int(3)] = _S99;
        thread array<simdgroup_matrix<half, int(8), int(8)>, int(4)> left_3;
        simdgroup_matrix<half, int(8), int(8)> _S100 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S22 + 24U), (ulong)(32U)));
        left_3[int(0)] = _S100;
        simdgroup_matrix<half, int(8), int(8)> _S101 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S24 + 24U), (ulong)(32U)));
        left_3[int(1)] = _S101;
        simdgroup_matrix<half, int(8), int(8)> _S102 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S26 + 24U), (ulong)(32U)));
        left_3[int(2)] = _S102;
        simdgroup_matrix<half, int(8), int(8)> _S103 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileA_0)))[0]) + (_S28 + 24U), (ulong)(32U)));
        left_3[int(3)] = _S103;
        uint _S104 = 1536U + _S5;
        simdgroup_matrix<half, int(8), int(8)> _S105 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S104), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S106 = linalg_coopMatMulAdd_0(left_3[int(0)], _S105, sums_0[int(0)][int(0)]);
        sums_0[int(0)][int(0)] = _S106;
        simdgroup_matrix<float, int(8), int(8)> _S107 = linalg_coopMatMulAdd_0(left_3[int(1)], _S105, sums_0[int(1)][int(0)]);
        sums_0[int(1)][int(0)] = _S107;
        simdgroup_matrix<float, int(8), int(8)> _S108 = linalg_coopMatMulAdd_0(left_3[int(2)], _S105, sums_0[int(2)][int(0)]);
        sums_0[int(2)][int(0)] = _S108;
        simdgroup_matrix<float, int(8), int(8)> _S109 = linalg_coopMatMulAdd_0(left_3[int(3)], _S105, sums_0[int(3)][int(0)]);
        sums_0[int(3)][int(0)] = _S109;
        simdgroup_matrix<half, int(8), int(8)> _S110 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S104 + 8U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S111 = linalg_coopMatMulAdd_0(left_3[int(0)], _S110, sums_0[int(0)][int(1)]);
        sums_0[int(0)][int(1)] = _S111;
        simdgroup_matrix<float, int(8), int(8)> _S112 = linalg_coopMatMulAdd_0(left_3[int(1)], _S110, sums_0[int(1)][int(1)]);
        sums_0[int(1)][int(1)] = _S112;
        simdgroup_matrix<float, int(8), int(8)> _S113 = linalg_coopMatMulAdd_0(left_3[int(2)], _S110, sums_0[int(2)][int(1)]);
        sums_0[int(2)][int(1)] = _S113;
        simdgroup_matrix<float, int(8), int(8)> _S114 = linalg_coopMatMulAdd_0(left_3[int(3)], _S110, sums_0[int(3)][int(1)]);
        sums_0[int(3)][int(1)] = _S114;
        simdgroup_matrix<half, int(8), int(8)> _S115 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S104 + 16U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S116 = linalg_coopMatMulAdd_0(left_3[int(0)], _S115, sums_0[int(0)][int(2)]);
        sums_0[int(0)][int(2)] = _S116;
        simdgroup_matrix<float, int(8), int(8)> _S117 = linalg_coopMatMulAdd_0(left_3[int(1)], _S115, sums_0[int(1)][int(2)]);
        sums_0[int(1)][int(2)] = _S117;
        simdgroup_matrix<float, int(8), int(8)> _S118 = linalg_coopMatMulAdd_0(left_3[int(2)], _S115, sums_0[int(2)][int(2)]);
        sums_0[int(2)][int(2)] = _S118;
        simdgroup_matrix<float, int(8), int(8)> _S119 = linalg_coopMatMulAdd_0(left_3[int(3)], _S115, sums_0[int(3)][int(2)]);
        sums_0[int(3)][int(2)] = _S119;
        simdgroup_matrix<half, int(8), int(8)> _S120 = (_slang_simdgroup_load<simdgroup_matrix<half, int(8), int(8)>>(&((*(((&kernelContext_0)->tileB_0)))[0]) + (_S104 + 24U), (ulong)(64U)));
        simdgroup_matrix<float, int(8), int(8)> _S121 = linalg_coopMatMulAdd_0(left_3[int(0)], _S120, sums_0[int(0)][int(3)]);
        sums_0[int(0)][int(3)] = _S121;
        simdgroup_matrix<float, int(8), int(8)> _S122 = linalg_coopMatMulAdd_0(left_3[int(1)], _S120, sums_0[int(1)][int(3)]);
        sums_0[int(1)][int(3)] = _S122;
        simdgroup_matrix<float, int(8), int(8)> _S123 = linalg_coopMatMulAdd_0(left_3[int(2)], _S120, sums_0[int(2)][int(3)]);
        sums_0[int(2)][int(3)] = _S123;
        simdgroup_matrix<float, int(8), int(8)> _S124 = linalg_coopMatMulAdd_0(left_3[int(3)], _S120, sums_0[int(3)][int(3)]);
        sums_0[int(3)][int(3)] = _S124;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        slice_0 = slice_0 + 32U;
    }
    if((firstRow_0 + 64U) <= ((&kernelContext_0)->entryPointParams_0->m_0))
    {
        _S2 = (firstColumn_0 + 64U) <= ((&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        _S2 = false;
    }
    uint _S125 = firstRow_0 + _S4;
    uint _S126 = firstColumn_0 + _S5;
    bool _S127;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(0)][int(0)], (&kernelContext_0)->c_0, _S125 * (&kernelContext_0)->entryPointParams_0->n_0 + _S126, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S128 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(0)][int(0)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S128), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_0 = _S125 + at_0 / 8U;
            uint x_0 = _S126 + at_0 % 8U;
            if(y_0 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_0 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_0 * (&kernelContext_0)->entryPointParams_0->n_0 + x_0)) = (*(&kernelContext_0)->tileC_0)[_S128 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint s_1 = _S126 + 8U;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(0)][int(1)], (&kernelContext_0)->c_0, _S125 * (&kernelContext_0)->entryPointParams_0->n_0 + s_1, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S129 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(0)][int(1)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S129), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_1 = _S125 + at_0 / 8U;
            uint x_1 = s_1 + at_0 % 8U;
            if(y_1 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_1 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_1 * (&kernelContext_0)->entryPointParams_0->n_0 + x_1)) = (*(&kernelContext_0)->tileC_0)[_S129 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint s_2 = _S126 + 16U;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(0)][int(2)], (&kernelContext_0)->c_0, _S125 * (&kernelContext_0)->entryPointParams_0->n_0 + s_2, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S130 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(0)][int(2)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S130), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_2 = _S125 + at_0 / 8U;
            uint x_2 = s_2 + at_0 % 8U;
            if(y_2 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_2 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_2 * (&kernelContext_0)->entryPointParams_0->n_0 + x_2)) = (*(&kernelContext_0)->tileC_0)[_S130 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint s_3 = _S126 + 24U;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(0)][int(3)], (&kernelContext_0)->c_0, _S125 * (&kernelContext_0)->entryPointParams_0->n_0 + s_3, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S131 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(0)][int(3)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S131), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_3 = _S125 + at_0 / 8U;
            uint x_3 = s_3 + at_0 % 8U;
            if(y_3 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_3 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_3 * (&kernelContext_0)->entryPointParams_0->n_0 + x_3)) = (*(&kernelContext_0)->tileC_0)[_S131 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint r_1 = _S125 + 8U;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(1)][int(0)], (&kernelContext_0)->c_0, r_1 * (&kernelContext_0)->entryPointParams_0->n_0 + _S126, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S132 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(1)][int(0)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S132), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_4 = r_1 + at_0 / 8U;
            uint x_4 = _S126 + at_0 % 8U;
            if(y_4 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_4 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_4 * (&kernelContext_0)->entryPointParams_0->n_0 + x_4)) = (*(&kernelContext_0)->tileC_0)[_S132 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(1)][int(1)], (&kernelContext_0)->c_0, r_1 * (&kernelContext_0)->entryPointParams_0->n_0 + s_1, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S133 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(1)][int(1)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S133), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_5 = r_1 + at_0 / 8U;
            uint x_5 = s_1 + at_0 % 8U;
            if(y_5 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_5 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_5 * (&kernelContext_0)->entryPointParams_0->n_0 + x_5)) = (*(&kernelContext_0)->tileC_0)[_S133 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(1)][int(2)], (&kernelContext_0)->c_0, r_1 * (&kernelContext_0)->entryPointParams_0->n_0 + s_2, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S134 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(1)][int(2)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S134), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_6 = r_1 + at_0 / 8U;
            uint x_6 = s_2 + at_0 % 8U;
            if(y_6 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_6 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_6 * (&kernelContext_0)->entryPointParams_0->n_0 + x_6)) = (*(&kernelContext_0)->tileC_0)[_S134 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(1)][int(3)], (&kernelContext_0)->c_0, r_1 * (&kernelContext_0)->entryPointParams_0->n_0 + s_3, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S135 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(1)][int(3)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S135), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_7 = r_1 + at_0 / 8U;
            uint x_7 = s_3 + at_0 % 8U;
            if(y_7 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_7 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_7 * (&kernelContext_0)->entryPointParams_0->n_0 + x_7)) = (*(&kernelContext_0)->tileC_0)[_S135 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint r_2 = _S125 + 16U;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(2)][int(0)], (&kernelContext_0)->c_0, r_2 * (&kernelContext_0)->entryPointParams_0->n_0 + _S126, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S136 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(2)][int(0)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S136), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_8 = r_2 + at_0 / 8U;
            uint x_8 = _S126 + at_0 % 8U;
            if(y_8 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_8 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_8 * (&kernelContext_0)->entryPointParams_0->n_0 + x_8)) = (*(&kernelContext_0)->tileC_0)[_S136 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(2)][int(1)], (&kernelContext_0)->c_0, r_2 * (&kernelContext_0)->entryPointParams_0->n_0 + s_1, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S137 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(2)][int(1)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S137), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_9 = r_2 + at_0 / 8U;
            uint x_9 = s_1 + at_0 % 8U;
            if(y_9 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_9 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_9 * (&kernelContext_0)->entryPointParams_0->n_0 + x_9)) = (*(&kernelContext_0)->tileC_0)[_S137 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(2)][int(2)], (&kernelContext_0)->c_0, r_2 * (&kernelContext_0)->entryPointParams_0->n_0 + s_2, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S138 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(2)][int(2)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S138), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_10 = r_2 + at_0 / 8U;
            uint x_10 = s_2 + at_0 % 8U;
            if(y_10 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_10 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_10 * (&kernelContext_0)->entryPointParams_0->n_0 + x_10)) = (*(&kernelContext_0)->tileC_0)[_S138 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(2)][int(3)], (&kernelContext_0)->c_0, r_2 * (&kernelContext_0)->entryPointParams_0->n_0 + s_3, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S139 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(2)][int(3)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S139), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_11 = r_2 + at_0 / 8U;
            uint x_11 = s_3 + at_0 % 8U;
            if(y_11 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_11 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_11 * (&kernelContext_0)->entryPointParams_0->n_0 + x_11)) = (*(&kernelContext_0)->tileC_0)[_S139 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    uint r_3 = _S125 + 24U;
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(3)][int(0)], (&kernelContext_0)->c_0, r_3 * (&kernelContext_0)->entryPointParams_0->n_0 + _S126, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S140 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(3)][int(0)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S140), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_12 = r_3 + at_0 / 8U;
            uint x_12 = _S126 + at_0 % 8U;
            if(y_12 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_12 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_12 * (&kernelContext_0)->entryPointParams_0->n_0 + x_12)) = (*(&kernelContext_0)->tileC_0)[_S140 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(3)][int(1)], (&kernelContext_0)->c_0, r_3 * (&kernelContext_0)->entryPointParams_0->n_0 + s_1, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S141 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(3)][int(1)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S141), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_13 = r_3 + at_0 / 8U;
            uint x_13 = s_1 + at_0 % 8U;
            if(y_13 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_13 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_13 * (&kernelContext_0)->entryPointParams_0->n_0 + x_13)) = (*(&kernelContext_0)->tileC_0)[_S141 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(3)][int(2)], (&kernelContext_0)->c_0, r_3 * (&kernelContext_0)->entryPointParams_0->n_0 + s_2, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S142 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(3)][int(2)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S142), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_14 = r_3 + at_0 / 8U;
            uint x_14 = s_2 + at_0 % 8U;
            if(y_14 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S127 = x_14 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S127 = false;
            }
            if(_S127)
            {
                *((&kernelContext_0)->c_0+(y_14 * (&kernelContext_0)->entryPointParams_0->n_0 + x_14)) = (*(&kernelContext_0)->tileC_0)[_S142 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if(_S2)
    {
        linalg_CoopMat_Store_0(sums_0[int(3)][int(3)], (&kernelContext_0)->c_0, r_3 * (&kernelContext_0)->entryPointParams_0->n_0 + s_3, (&kernelContext_0)->entryPointParams_0->n_0);
    }
    else
    {
        uint _S143 = wave_0 * 8U * 8U;
        simdgroup_store((sums_0[int(3)][int(3)]), &((*(((&kernelContext_0)->tileC_0)))[0]) + (_S143), (ulong)(8U));
        threadgroup_barrier(mem_flags::mem_threadgroup);
        at_0 = _S3;
        for(;;)
        {
            if(at_0 < 64U)
            {
            }
            else
            {
                break;
            }
            uint y_15 = r_3 + at_0 / 8U;
            uint x_15 = s_3 + at_0 % 8U;
            if(y_15 < ((&kernelContext_0)->entryPointParams_0->m_0))
            {
                _S2 = x_15 < ((&kernelContext_0)->entryPointParams_0->n_0);
            }
            else
            {
                _S2 = false;
            }
            if(_S2)
            {
                *((&kernelContext_0)->c_0+(y_15 * (&kernelContext_0)->entryPointParams_0->n_0 + x_15)) = (*(&kernelContext_0)->tileC_0)[_S143 + at_0];
            }
            at_0 = at_0 + 32U;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return;
}

