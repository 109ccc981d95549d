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
    char device* x_0;
    char device* weight_0;
    char device* bias_0;
    char device* result_0;
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

array<float, int(1)> unpack_0(char source_0, float scale_0)
{
    thread array<float, int(1)> values_0;
    values_0[int(0)] = float(int(source_0)) * scale_0;
    return values_0;
}

int quantized_0(float value_2)
{
    return int(clamp(rint(value_2), -127.0, 127.0));
}

char pack_0(const array<float, int(1)> thread* values_1, float inverse_scale_0)
{
    return char(quantized_0((*values_1)[int(0)] * inverse_scale_0));
}

[[kernel]] void layernorm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_3 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], char device* x_1 [[buffer(0)]], char device* weight_1 [[buffer(1)]], char device* bias_1 [[buffer(2)]], char device* result_1 [[buffer(3)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(4)]])
{
    thread KernelContext_0 kernelContext_1;
    (&kernelContext_1)->x_0 = x_1;
    (&kernelContext_1)->weight_0 = weight_1;
    (&kernelContext_1)->bias_0 = bias_1;
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
        float sum_0;
        if(_S18)
        {
            kept_0[0U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + row_1.lane_0], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_0 = kept_0[0U][int(0)];
        }
        else
        {
            sum_0 = 0.0;
        }
        uint load_1 = row_1.lane_0 + 256U;
        thread Row_0 _S19 = row_1;
        bool _S20 = Row_has_0(&_S19, load_1);
        float sum_1;
        if(_S20)
        {
            kept_0[1U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_1], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_1 = sum_0 + kept_0[1U][int(0)];
        }
        else
        {
            sum_1 = sum_0;
        }
        uint load_2 = load_1 + 256U;
        thread Row_0 _S21 = row_1;
        bool _S22 = Row_has_0(&_S21, load_2);
        float sum_2;
        if(_S22)
        {
            kept_0[2U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_2], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_2 = sum_1 + kept_0[2U][int(0)];
        }
        else
        {
            sum_2 = sum_1;
        }
        uint load_3 = load_2 + 256U;
        thread Row_0 _S23 = row_1;
        bool _S24 = Row_has_0(&_S23, load_3);
        float sum_3;
        if(_S24)
        {
            kept_0[3U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_3], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_3 = sum_2 + kept_0[3U][int(0)];
        }
        else
        {
            sum_3 = sum_2;
        }
        uint load_4 = load_3 + 256U;
        thread Row_0 _S25 = row_1;
        bool _S26 = Row_has_0(&_S25, load_4);
        float sum_4;
        if(_S26)
        {
            kept_0[4U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_4], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_4 = sum_3 + kept_0[4U][int(0)];
        }
        else
        {
            sum_4 = sum_3;
        }
        uint load_5 = load_4 + 256U;
        thread Row_0 _S27 = row_1;
        bool _S28 = Row_has_0(&_S27, load_5);
        float sum_5;
        if(_S28)
        {
            kept_0[5U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_5], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_5 = sum_4 + kept_0[5U][int(0)];
        }
        else
        {
            sum_5 = sum_4;
        }
        uint load_6 = load_5 + 256U;
        thread Row_0 _S29 = row_1;
        bool _S30 = Row_has_0(&_S29, load_6);
        float sum_6;
        if(_S30)
        {
            kept_0[6U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_6], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_6 = sum_5 + kept_0[6U][int(0)];
        }
        else
        {
            sum_6 = sum_5;
        }
        uint load_7 = load_6 + 256U;
        thread Row_0 _S31 = row_1;
        bool _S32 = Row_has_0(&_S31, load_7);
        float sum_7;
        if(_S32)
        {
            kept_0[7U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_7], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_7 = sum_6 + kept_0[7U][int(0)];
        }
        else
        {
            sum_7 = sum_6;
        }
        uint load_8 = load_7 + 256U;
        thread Row_0 _S33 = row_1;
        bool _S34 = Row_has_0(&_S33, load_8);
        float sum_8;
        if(_S34)
        {
            kept_0[8U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_8], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_8 = sum_7 + kept_0[8U][int(0)];
        }
        else
        {
            sum_8 = sum_7;
        }
        uint load_9 = load_8 + 256U;
        thread Row_0 _S35 = row_1;
        bool _S36 = Row_has_0(&_S35, load_9);
        float sum_9;
        if(_S36)
        {
            kept_0[9U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_9], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_9 = sum_8 + kept_0[9U][int(0)];
        }
        else
        {
            sum_9 = sum_8;
        }
        uint load_10 = load_9 + 256U;
        thread Row_0 _S37 = row_1;
        bool _S38 = Row_has_0(&_S37, load_10);
        float sum_10;
        if(_S38)
        {
            kept_0[10U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_10], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_10 = sum_9 + kept_0[10U][int(0)];
        }
        else
        {
            sum_10 = sum_9;
        }
        uint load_11 = load_10 + 256U;
        thread Row_0 _S39 = row_1;
        bool _S40 = Row_has_0(&_S39, load_11);
        float sum_11;
        if(_S40)
        {
            kept_0[11U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_11], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_11 = sum_10 + kept_0[11U][int(0)];
        }
        else
        {
            sum_11 = sum_10;
        }
        uint load_12 = load_11 + 256U;
        thread Row_0 _S41 = row_1;
        bool _S42 = Row_has_0(&_S41, load_12);
        float sum_12;
        if(_S42)
        {
            kept_0[12U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_12], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_12 = sum_11 + kept_0[12U][int(0)];
        }
        else
        {
            sum_12 = sum_11;
        }
        uint load_13 = load_12 + 256U;
        thread Row_0 _S43 = row_1;
        bool _S44 = Row_has_0(&_S43, load_13);
        float sum_13;
        if(_S44)
        {
            kept_0[13U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_13], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_13 = sum_12 + kept_0[13U][int(0)];
        }
        else
        {
            sum_13 = sum_12;
        }
        uint load_14 = load_13 + 256U;
        thread Row_0 _S45 = row_1;
        bool _S46 = Row_has_0(&_S45, load_14);
        float sum_14;
        if(_S46)
        {
            kept_0[14U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_14], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_14 = sum_13 + kept_0[14U][int(0)];
        }
        else
        {
            sum_14 = sum_13;
        }
        uint load_15 = load_14 + 256U;
        thread Row_0 _S47 = row_1;
        bool _S48 = Row_has_0(&_S47, load_15);
        float sum_15;
        if(_S48)
        {
            kept_0[15U] = unpack_0((&kernelContext_1)->x_0[row_1.first_0 + load_15], (&kernelContext_1)->entryPointParams_0->x_scale_0);
            sum_15 = sum_14 + kept_0[15U][int(0)];
        }
        else
        {
            sum_15 = sum_14;
        }
        float _S49 = reduceRow_0(sum_15, _S16, &kernelContext_1);
        float _S50 = _S49 * (&kernelContext_1)->entryPointParams_0->inverse_cols_0;
        float squares_0;
        if(_S18)
        {
            float _S51 = kept_0[0U][int(0)] - _S50;
            kept_0[0U][int(0)] = _S51;
            squares_0 = fma(_S51, _S51, 0.0);
        }
        else
        {
            squares_0 = 0.0;
        }
        float squares_1;
        if(_S20)
        {
            float _S52 = kept_0[1U][int(0)] - _S50;
            kept_0[1U][int(0)] = _S52;
            squares_1 = fma(_S52, _S52, squares_0);
        }
        else
        {
            squares_1 = squares_0;
        }
        float squares_2;
        if(_S22)
        {
            float _S53 = kept_0[2U][int(0)] - _S50;
            kept_0[2U][int(0)] = _S53;
            squares_2 = fma(_S53, _S53, squares_1);
        }
        else
        {
            squares_2 = squares_1;
        }
        float squares_3;
        if(_S24)
        {
            float _S54 = kept_0[3U][int(0)] - _S50;
            kept_0[3U][int(0)] = _S54;
            squares_3 = fma(_S54, _S54, squares_2);
        }
        else
        {
            squares_3 = squares_2;
        }
        float squares_4;
        if(_S26)
        {
            float _S55 = kept_0[4U][int(0)] - _S50;
            kept_0[4U][int(0)] = _S55;
            squares_4 = fma(_S55, _S55, squares_3);
        }
        else
        {
            squares_4 = squares_3;
        }
        float squares_5;
        if(_S28)
        {
            float _S56 = kept_0[5U][int(0)] - _S50;
            kept_0[5U][int(0)] = _S56;
            squares_5 = fma(_S56, _S56, squares_4);
        }
        else
        {
            squares_5 = squares_4;
        }
        float squares_6;
        if(_S30)
        {
            float _S57 = kept_0[6U][int(0)] - _S50;
            kept_0[6U][int(0)] = _S57;
            squares_6 = fma(_S57, _S57, squares_5);
        }
        else
        {
            squares_6 = squares_5;
        }
        float squares_7;
        if(_S32)
        {
            float _S58 = kept_0[7U][int(0)] - _S50;
            kept_0[7U][int(0)] = _S58;
            squares_7 = fma(_S58, _S58, squares_6);
        }
        else
        {
            squares_7 = squares_6;
        }
        float squares_8;
        if(_S34)
        {
            float _S59 = kept_0[8U][int(0)] - _S50;
            kept_0[8U][int(0)] = _S59;
            squares_8 = fma(_S59, _S59, squares_7);
        }
        else
        {
            squares_8 = squares_7;
        }
        float squares_9;
        if(_S36)
        {
            float _S60 = kept_0[9U][int(0)] - _S50;
            kept_0[9U][int(0)] = _S60;
            squares_9 = fma(_S60, _S60, squares_8);
        }
        else
        {
            squares_9 = squares_8;
        }
        float squares_10;
        if(_S38)
        {
            float _S61 = kept_0[10U][int(0)] - _S50;
            kept_0[10U][int(0)] = _S61;
            squares_10 = fma(_S61, _S61, squares_9);
        }
        else
        {
            squares_10 = squares_9;
        }
        float squares_11;
        if(_S40)
        {
            float _S62 = kept_0[11U][int(0)] - _S50;
            kept_0[11U][int(0)] = _S62;
            squares_11 = fma(_S62, _S62, squares_10);
        }
        else
        {
            squares_11 = squares_10;
        }
        float squares_12;
        if(_S42)
        {
            float _S63 = kept_0[12U][int(0)] - _S50;
            kept_0[12U][int(0)] = _S63;
            squares_12 = fma(_S63, _S63, squares_11);
        }
        else
        {
            squares_12 = squares_11;
        }
        float squares_13;
        if(_S44)
        {
            float _S64 = kept_0[13U][int(0)] - _S50;
            kept_0[13U][int(0)] = _S64;
            squares_13 = fma(_S64, _S64, squares_12);
        }
        else
        {
            squares_13 = squares_12;
        }
        float squares_14;
        if(_S46)
        {
            float _S65 = kept_0[14U][int(0)] - _S50;
            kept_0[14U][int(0)] = _S65;
            squares_14 = fma(_S65, _S65, squares_13);
        }
        else
        {
            squares_14 = squares_13;
        }
        float squares_15;
        if(_S48)
        {
            float _S66 = kept_0[15U][int(0)] - _S50;
            kept_0[15U][int(0)] = _S66;
            squares_15 = fma(_S66, _S66, squares_14);
        }
        else
        {
            squares_15 = squares_14;
        }
        float _S67 = reduceRow_0(squares_15, _S16, &kernelContext_1);
        float _S68 = rsqrt(_S67 * (&kernelContext_1)->entryPointParams_0->inverse_cols_0 + (&kernelContext_1)->entryPointParams_0->eps_0);
        if(_S18)
        {
            kept_0[0U][int(0)] = fma(kept_0[0U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[row_1.lane_0], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[row_1.lane_0], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S69 = (&kernelContext_1)->result_0+(row_1.first_0 + row_1.lane_0);
            float _S70 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S71 = kept_0[0U];
            char _S72 = pack_0(&_S71, _S70);
            *_S69 = _S72;
        }
        if(_S20)
        {
            kept_0[1U][int(0)] = fma(kept_0[1U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_1], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_1], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S73 = (&kernelContext_1)->result_0+(row_1.first_0 + load_1);
            float _S74 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S75 = kept_0[1U];
            char _S76 = pack_0(&_S75, _S74);
            *_S73 = _S76;
        }
        if(_S22)
        {
            kept_0[2U][int(0)] = fma(kept_0[2U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_2], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_2], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S77 = (&kernelContext_1)->result_0+(row_1.first_0 + load_2);
            float _S78 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S79 = kept_0[2U];
            char _S80 = pack_0(&_S79, _S78);
            *_S77 = _S80;
        }
        if(_S24)
        {
            kept_0[3U][int(0)] = fma(kept_0[3U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_3], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_3], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S81 = (&kernelContext_1)->result_0+(row_1.first_0 + load_3);
            float _S82 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S83 = kept_0[3U];
            char _S84 = pack_0(&_S83, _S82);
            *_S81 = _S84;
        }
        if(_S26)
        {
            kept_0[4U][int(0)] = fma(kept_0[4U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_4], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_4], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S85 = (&kernelContext_1)->result_0+(row_1.first_0 + load_4);
            float _S86 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S87 = kept_0[4U];
            char _S88 = pack_0(&_S87, _S86);
            *_S85 = _S88;
        }
        if(_S28)
        {
            kept_0[5U][int(0)] = fma(kept_0[5U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_5], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_5], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S89 = (&kernelContext_1)->result_0+(row_1.first_0 + load_5);
            float _S90 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S91 = kept_0[5U];
            char _S92 = pack_0(&_S91, _S90);
            *_S89 = _S92;
        }
        if(_S30)
        {
            kept_0[6U][int(0)] = fma(kept_0[6U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_6], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_6], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S93 = (&kernelContext_1)->result_0+(row_1.first_0 + load_6);
            float _S94 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S95 = kept_0[6U];
            char _S96 = pack_0(&_S95, _S94);
            *_S93 = _S96;
        }
        if(_S32)
        {
            kept_0[7U][int(0)] = fma(kept_0[7U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_7], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_7], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S97 = (&kernelContext_1)->result_0+(row_1.first_0 + load_7);
            float _S98 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S99 = kept_0[7U];
            char _S100 = pack_0(&_S99, _S98);
            *_S97 = _S100;
        }
        if(_S34)
        {
            kept_0[8U][int(0)] = fma(kept_0[8U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_8], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_8], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S101 = (&kernelContext_1)->result_0+(row_1.first_0 + load_8);
            float _S102 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S103 = kept_0[8U];
            char _S104 = pack_0(&_S103, _S102);
            *_S101 = _S104;
        }
        if(_S36)
        {
            kept_0[9U][int(0)] = fma(kept_0[9U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_9], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_9], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S105 = (&kernelContext_1)->result_0+(row_1.first_0 + load_9);
            float _S106 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S107 = kept_0[9U];
            char _S108 = pack_0(&_S107, _S106);
            *_S105 = _S108;
        }
        if(_S38)
        {
            kept_0[10U][int(0)] = fma(kept_0[10U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_10], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_10], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S109 = (&kernelContext_1)->result_0+(row_1.first_0 + load_10);
            float _S110 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S111 = kept_0[10U];
            char _S112 = pack_0(&_S111, _S110);
            *_S109 = _S112;
        }
        if(_S40)
        {
            kept_0[11U][int(0)] = fma(kept_0[11U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_11], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_11], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S113 = (&kernelContext_1)->result_0+(row_1.first_0 + load_11);
            float _S114 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S115 = kept_0[11U];
            char _S116 = pack_0(&_S115, _S114);
            *_S113 = _S116;
        }
        if(_S42)
        {
            kept_0[12U][int(0)] = fma(kept_0[12U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_12], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_12], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S117 = (&kernelContext_1)->result_0+(row_1.first_0 + load_12);
            float _S118 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S119 = kept_0[12U];
            char _S120 = pack_0(&_S119, _S118);
            *_S117 = _S120;
        }
        if(_S44)
        {
            kept_0[13U][int(0)] = fma(kept_0[13U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_13], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_13], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S121 = (&kernelContext_1)->result_0+(row_1.first_0 + load_13);
            float _S122 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S123 = kept_0[13U];
            char _S124 = pack_0(&_S123, _S122);
            *_S121 = _S124;
        }
        if(_S46)
        {
            kept_0[14U][int(0)] = fma(kept_0[14U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_14], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_14], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S125 = (&kernelContext_1)->result_0+(row_1.first_0 + load_14);
            float _S126 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S127 = kept_0[14U];
            char _S128 = pack_0(&_S127, _S126);
            *_S125 = _S128;
        }
        if(_S48)
        {
            kept_0[15U][int(0)] = fma(kept_0[15U][int(0)] * _S68, unpack_0((&kernelContext_1)->weight_0[load_15], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)], unpack_0((&kernelContext_1)->bias_0[load_15], (&kernelContext_1)->entryPointParams_0->weight_scale_0)[int(0)]);
            char device* _S129 = (&kernelContext_1)->result_0+(row_1.first_0 + load_15);
            float _S130 = (&kernelContext_1)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S131 = kept_0[15U];
            char _S132 = pack_0(&_S131, _S130);
            *_S129 = _S132;
        }
        base_1 = base_1 + (&kernelContext_1)->entryPointParams_0->row_step_0;
    }
    return;
}

