#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint rows_0;
    uint row_loads_0;
    uint row_step_0;
    float inverse_cols_0;
    float eps_0;
    float x_scale_0;
    float weight_scale_0;
    float inverse_result_scale_0;
};

struct KernelContext_0
{
    float device* x_0;
    float device* weight_0;
    float device* result_0;
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

struct Row_0
{
    uint index_0;
    bool isInside_0;
    uint lane_0;
    uint thread_1;
    uint first_0;
    uint numLoads_0;
};

Row_0 rowOf_0(uint base_0, uint thread_2, uint rows_1, uint numLoads_1)
{
    thread Row_0 row_0;
    uint _S14 = base_0 + thread_2 / 256U;
    (&row_0)->index_0 = _S14;
    (&row_0)->isInside_0 = _S14 < rows_1;
    (&row_0)->lane_0 = thread_2 % 256U;
    (&row_0)->thread_1 = thread_2;
    (&row_0)->numLoads_0 = numLoads_1;
    (&row_0)->first_0 = _S14 * numLoads_1;
    return row_0;
}

bool Row_has_0(const Row_0 thread* this_0, uint load_0)
{
    bool _S15;
    if(this_0->isInside_0)
    {
        _S15 = load_0 < (this_0->numLoads_0);
    }
    else
    {
        _S15 = false;
    }
    return _S15;
}

array<float, int(1)> unpack_0(float source_0, float scale_0)
{
    thread array<float, int(1)> values_0;
    values_0[int(0)] = source_0;
    return values_0;
}

float pack_0(const array<float, int(1)> thread* values_1, float inverse_scale_0)
{
    return (*values_1)[int(0)];
}

[[kernel]] void rmsnorm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_3 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], float device* x_1 [[buffer(0)]], float device* weight_1 [[buffer(1)]], float device* result_1 [[buffer(2)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(3)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->weight_0 = weight_1;
    (&kernelContext_1)->result_0 = result_1;
    (&kernelContext_1)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_1)->partials_0 = &partials_1;
    (&kernelContext_1)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_1)->_S2 = _builtinWaveLaneIndex_0;
    uint base_1 = group_0.x;
    for(;;)
    {
        if(base_1 < ((&kernelContext_1)->entryPointParams_0->rows_0))
        {
        }
        else
        {
            break;
        }
        uint _S16 = thread_3.x;
        Row_0 row_1 = rowOf_0(base_1, _S16, (&kernelContext_1)->entryPointParams_0->rows_0, (&kernelContext_1)->entryPointParams_0->row_loads_0);
        thread array<array<float, int(1)>, int(16)> kept_0;
        thread Row_0 _S17 = row_1;
        bool _S18 = Row_has_0(&_S17, row_1.lane_0);
        float squares_0;
        if(_S18)
        {
            kept_0[0U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + row_1.lane_0], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_0 = fma(kept_0[0U][int(0)], kept_0[0U][int(0)], 0.0);
        }
        else
        {
            squares_0 = 0.0;
        }
        uint load_1 = row_1.lane_0 + 256U;
        thread Row_0 _S19 = row_1;
        bool _S20 = Row_has_0(&_S19, load_1);
        float squares_1;
        if(_S20)
        {
            kept_0[1U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_1], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_1 = fma(kept_0[1U][int(0)], kept_0[1U][int(0)], squares_0);
        }
        else
        {
            squares_1 = squares_0;
        }
        uint load_2 = load_1 + 256U;
        thread Row_0 _S21 = row_1;
        bool _S22 = Row_has_0(&_S21, load_2);
        float squares_2;
        if(_S22)
        {
            kept_0[2U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_2], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_2 = fma(kept_0[2U][int(0)], kept_0[2U][int(0)], squares_1);
        }
        else
        {
            squares_2 = squares_1;
        }
        uint load_3 = load_2 + 256U;
        thread Row_0 _S23 = row_1;
        bool _S24 = Row_has_0(&_S23, load_3);
        float squares_3;
        if(_S24)
        {
            kept_0[3U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_3], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_3 = fma(kept_0[3U][int(0)], kept_0[3U][int(0)], squares_2);
        }
        else
        {
            squares_3 = squares_2;
        }
        uint load_4 = load_3 + 256U;
        thread Row_0 _S25 = row_1;
        bool _S26 = Row_has_0(&_S25, load_4);
        float squares_4;
        if(_S26)
        {
            kept_0[4U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_4], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_4 = fma(kept_0[4U][int(0)], kept_0[4U][int(0)], squares_3);
        }
        else
        {
            squares_4 = squares_3;
        }
        uint load_5 = load_4 + 256U;
        thread Row_0 _S27 = row_1;
        bool _S28 = Row_has_0(&_S27, load_5);
        float squares_5;
        if(_S28)
        {
            kept_0[5U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_5], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_5 = fma(kept_0[5U][int(0)], kept_0[5U][int(0)], squares_4);
        }
        else
        {
            squares_5 = squares_4;
        }
        uint load_6 = load_5 + 256U;
        thread Row_0 _S29 = row_1;
        bool _S30 = Row_has_0(&_S29, load_6);
        float squares_6;
        if(_S30)
        {
            kept_0[6U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_6], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_6 = fma(kept_0[6U][int(0)], kept_0[6U][int(0)], squares_5);
        }
        else
        {
            squares_6 = squares_5;
        }
        uint load_7 = load_6 + 256U;
        thread Row_0 _S31 = row_1;
        bool _S32 = Row_has_0(&_S31, load_7);
        float squares_7;
        if(_S32)
        {
            kept_0[7U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_7], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_7 = fma(kept_0[7U][int(0)], kept_0[7U][int(0)], squares_6);
        }
        else
        {
            squares_7 = squares_6;
        }
        uint load_8 = load_7 + 256U;
        thread Row_0 _S33 = row_1;
        bool _S34 = Row_has_0(&_S33, load_8);
        float squares_8;
        if(_S34)
        {
            kept_0[8U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_8], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_8 = fma(kept_0[8U][int(0)], kept_0[8U][int(0)], squares_7);
        }
        else
        {
            squares_8 = squares_7;
        }
        uint load_9 = load_8 + 256U;
        thread Row_0 _S35 = row_1;
        bool _S36 = Row_has_0(&_S35, load_9);
        float squares_9;
        if(_S36)
        {
            kept_0[9U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_9], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_9 = fma(kept_0[9U][int(0)], kept_0[9U][int(0)], squares_8);
        }
        else
        {
            squares_9 = squares_8;
        }
        uint load_10 = load_9 + 256U;
        thread Row_0 _S37 = row_1;
        bool _S38 = Row_has_0(&_S37, load_10);
        float squares_10;
        if(_S38)
        {
            kept_0[10U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_10], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_10 = fma(kept_0[10U][int(0)], kept_0[10U][int(0)], squares_9);
        }
        else
        {
            squares_10 = squares_9;
        }
        uint load_11 = load_10 + 256U;
        thread Row_0 _S39 = row_1;
        bool _S40 = Row_has_0(&_S39, load_11);
        float squares_11;
        if(_S40)
        {
            kept_0[11U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_11], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_11 = fma(kept_0[11U][int(0)], kept_0[11U][int(0)], squares_10);
        }
        else
        {
            squares_11 = squares_10;
        }
        uint load_12 = load_11 + 256U;
        thread Row_0 _S41 = row_1;
        bool _S42 = Row_has_0(&_S41, load_12);
        float squares_12;
        if(_S42)
        {
            kept_0[12U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_12], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_12 = fma(kept_0[12U][int(0)], kept_0[12U][int(0)], squares_11);
        }
        else
        {
            squares_12 = squares_11;
        }
        uint load_13 = load_12 + 256U;
        thread Row_0 _S43 = row_1;
        bool _S44 = Row_has_0(&_S43, load_13);
        float squares_13;
        if(_S44)
        {
            kept_0[13U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_13], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_13 = fma(kept_0[13U][int(0)], kept_0[13U][int(0)], squares_12);
        }
        else
        {
            squares_13 = squares_12;
        }
        uint load_14 = load_13 + 256U;
        thread Row_0 _S45 = row_1;
        bool _S46 = Row_has_0(&_S45, load_14);
        float squares_14;
        if(_S46)
        {
            kept_0[14U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_14], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_14 = fma(kept_0[14U][int(0)], kept_0[14U][int(0)], squares_13);
        }
        else
        {
            squares_14 = squares_13;
        }
        uint load_15 = load_14 + 256U;
        thread Row_0 _S47 = row_1;
        bool _S48 = Row_has_0(&_S47, load_15);
        float squares_15;
        if(_S48)
        {
            kept_0[15U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_15], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            squares_15 = fma(kept_0[15U][int(0)], kept_0[15U][int(0)], squares_14);
        }
        else
        {
            squares_15 = squares_14;
        }
        float _S49 = reduceRow_0(squares_15, _S16, &kernelContext_1);
        float _S50 = rsqrt(_S49 * (&kernelContext_1)->entryPointParams_0->inverse_cols_0 + (&kernelContext_1)->entryPointParams_0->eps_0);
        if(_S18)
        {
            kept_0[0U][int(0)] = kept_0[0U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[row_1.lane_0], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S51 = (&kernelContext_1)->result_0+(row_1.first_0 + row_1.lane_0);
            float _S52 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S53 = kept_0[0U];
            float _S54 = pack_0(&_S53, _S52);
            *_S51 = _S54;
        }
        if(_S20)
        {
            kept_0[1U][int(0)] = kept_0[1U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_1], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S55 = (&kernelContext_1)->result_0+(row_1.first_0 + load_1);
            float _S56 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S57 = kept_0[1U];
            float _S58 = pack_0(&_S57, _S56);
            *_S55 = _S58;
        }
        if(_S22)
        {
            kept_0[2U][int(0)] = kept_0[2U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_2], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S59 = (&kernelContext_1)->result_0+(row_1.first_0 + load_2);
            float _S60 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S61 = kept_0[2U];
            float _S62 = pack_0(&_S61, _S60);
            *_S59 = _S62;
        }
        if(_S24)
        {
            kept_0[3U][int(0)] = kept_0[3U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_3], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S63 = (&kernelContext_1)->result_0+(row_1.first_0 + load_3);
            float _S64 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S65 = kept_0[3U];
            float _S66 = pack_0(&_S65, _S64);
            *_S63 = _S66;
        }
        if(_S26)
        {
            kept_0[4U][int(0)] = kept_0[4U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_4], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S67 = (&kernelContext_1)->result_0+(row_1.first_0 + load_4);
            float _S68 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S69 = kept_0[4U];
            float _S70 = pack_0(&_S69, _S68);
            *_S67 = _S70;
        }
        if(_S28)
        {
            kept_0[5U][int(0)] = kept_0[5U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_5], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S71 = (&kernelContext_1)->result_0+(row_1.first_0 + load_5);
            float _S72 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S73 = kept_0[5U];
            float _S74 = pack_0(&_S73, _S72);
            *_S71 = _S74;
        }
        if(_S30)
        {
            kept_0[6U][int(0)] = kept_0[6U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_6], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S75 = (&kernelContext_1)->result_0+(row_1.first_0 + load_6);
            float _S76 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S77 = kept_0[6U];
            float _S78 = pack_0(&_S77, _S76);
            *_S75 = _S78;
        }
        if(_S32)
        {
            kept_0[7U][int(0)] = kept_0[7U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_7], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S79 = (&kernelContext_1)->result_0+(row_1.first_0 + load_7);
            float _S80 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S81 = kept_0[7U];
            float _S82 = pack_0(&_S81, _S80);
            *_S79 = _S82;
        }
        if(_S34)
        {
            kept_0[8U][int(0)] = kept_0[8U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_8], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S83 = (&kernelContext_1)->result_0+(row_1.first_0 + load_8);
            float _S84 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S85 = kept_0[8U];
            float _S86 = pack_0(&_S85, _S84);
            *_S83 = _S86;
        }
        if(_S36)
        {
            kept_0[9U][int(0)] = kept_0[9U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_9], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S87 = (&kernelContext_1)->result_0+(row_1.first_0 + load_9);
            float _S88 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S89 = kept_0[9U];
            float _S90 = pack_0(&_S89, _S88);
            *_S87 = _S90;
        }
        if(_S38)
        {
            kept_0[10U][int(0)] = kept_0[10U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_10], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S91 = (&kernelContext_1)->result_0+(row_1.first_0 + load_10);
            float _S92 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S93 = kept_0[10U];
            float _S94 = pack_0(&_S93, _S92);
            *_S91 = _S94;
        }
        if(_S40)
        {
            kept_0[11U][int(0)] = kept_0[11U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_11], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S95 = (&kernelContext_1)->result_0+(row_1.first_0 + load_11);
            float _S96 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S97 = kept_0[11U];
            float _S98 = pack_0(&_S97, _S96);
            *_S95 = _S98;
        }
        if(_S42)
        {
            kept_0[12U][int(0)] = kept_0[12U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_12], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S99 = (&kernelContext_1)->result_0+(row_1.first_0 + load_12);
            float _S100 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S101 = kept_0[12U];
            float _S102 = pack_0(&_S101, _S100);
            *_S99 = _S102;
        }
        if(_S44)
        {
            kept_0[13U][int(0)] = kept_0[13U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_13], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S103 = (&kernelContext_1)->result_0+(row_1.first_0 + load_13);
            float _S104 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S105 = kept_0[13U];
            float _S106 = pack_0(&_S105, _S104);
            *_S103 = _S106;
        }
        if(_S46)
        {
            kept_0[14U][int(0)] = kept_0[14U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_14], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S107 = (&kernelContext_1)->result_0+(row_1.first_0 + load_14);
            float _S108 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S109 = kept_0[14U];
            float _S110 = pack_0(&_S109, _S108);
            *_S107 = _S110;
        }
        if(_S48)
        {
            kept_0[15U][int(0)] = kept_0[15U][int(0)] * _S50 * unpack_0((&kernelContext_1)->weight_0[load_15], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)];
            float device* _S111 = (&kernelContext_1)->result_0+(row_1.first_0 + load_15);
            float _S112 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S113 = kept_0[15U];
            float _S114 = pack_0(&_S113, _S112);
            *_S111 = _S114;
        }
        base_1 = base_1 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

