#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct EntryPointParams_0
{
    uint rows_0;
    uint row_loads_0;
    uint row_step_0;
    float x_scale_0;
    float inverse_result_scale_0;
};

struct KernelContext_0
{
    half device* x_0;
    half device* result_0;
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

float Max_overSubgroup_0(float value_2)
{
    float _S14 = simd_max(value_2);
    return _S14;
}

float Max_combine_0(float a_1, float b_1)
{
    return max(a_1, b_1);
}

float Max_identity_0()
{
    return -3.4028234663852886e+38;
}

float reduceRow_1(float value_3, uint thread_1, KernelContext_0 thread* kernelContext_1)
{
    uint _S15 = kernelContext_1->_S1;
    float _S16;
    uint i_1;
    if((kernelContext_1->_S1) <= 256U)
    {
        float _S17 = Max_overSubgroup_0(value_3);
        _S16 = _S17;
    }
    else
    {
        _S16 = value_3;
        i_1 = 1U;
        for(;;)
        {
            if(i_1 < 256U)
            {
            }
            else
            {
                break;
            }
            float _S18 = (simd_shuffle((_S16), ushort((int((kernelContext_1->_S2) ^ i_1)))));
            float _S19 = Max_combine_0(_S16, _S18);
            uint step_1 = i_1 * 2U;
            _S16 = _S19;
            i_1 = step_1;
        }
    }
    if(_S15 < 256U)
    {
        uint count_1 = 256U / _S15;
        uint _S20 = thread_1 % _S15;
        if(_S20 == 0U)
        {
            uint _S21 = thread_1 / _S15;
            (*kernelContext_1->partials_0)[_S21] = _S16;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        uint _S22 = thread_1 / 256U * count_1;
        _S16 = Max_identity_0();
        i_1 = 0U;
        for(;;)
        {
            if(i_1 < count_1)
            {
            }
            else
            {
                break;
            }
            float _S23 = Max_combine_0(_S16, (*kernelContext_1->partials_0)[_S22 + i_1]);
            uint _S24 = i_1 + 1U;
            _S16 = _S23;
            i_1 = _S24;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return _S16;
}

struct Row_0
{
    uint index_0;
    bool isInside_0;
    uint lane_0;
    uint thread_2;
    uint first_0;
    uint numLoads_0;
};

Row_0 rowOf_0(uint base_0, uint thread_3, uint rows_1, uint numLoads_1)
{
    thread Row_0 row_0;
    uint _S25 = base_0 + thread_3 / 256U;
    (&row_0)->index_0 = _S25;
    (&row_0)->isInside_0 = _S25 < rows_1;
    (&row_0)->lane_0 = thread_3 % 256U;
    (&row_0)->thread_2 = thread_3;
    (&row_0)->numLoads_0 = numLoads_1;
    (&row_0)->first_0 = _S25 * numLoads_1;
    return row_0;
}

bool Row_has_0(const Row_0 thread* this_0, uint load_0)
{
    bool _S26;
    if(this_0->isInside_0)
    {
        _S26 = load_0 < (this_0->numLoads_0);
    }
    else
    {
        _S26 = false;
    }
    return _S26;
}

array<float, int(1)> unpack_0(half source_0, float scale_0)
{
    thread array<float, int(1)> values_0;
    values_0[int(0)] = float(source_0);
    return values_0;
}

half pack_0(const array<float, int(1)> thread* values_1, float inverse_scale_0)
{
    return half((*values_1)[int(0)]);
}

[[kernel]] void softmax(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_4 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], half device* x_1 [[buffer(0)]], half device* result_1 [[buffer(1)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(2)]])
{
    thread KernelContext_0 kernelContext_2;
    (&kernelContext_2)->x_0 = x_1;
    (&kernelContext_2)->result_0 = result_1;
    (&kernelContext_2)->entryPointParams_0 = entryPointParams_1;
    threadgroup array<float, int(64)> partials_1;
    (&kernelContext_2)->partials_0 = &partials_1;
    (&kernelContext_2)->_S1 = _builtinWaveLaneCount_0;
    (&kernelContext_2)->_S2 = _builtinWaveLaneIndex_0;
    uint base_1 = group_0.x;
    for(;;)
    {
        if(base_1 < ((&kernelContext_2)->entryPointParams_0->rows_0))
        {
        }
        else
        {
            break;
        }
        uint _S27 = thread_4.x;
        Row_0 row_1 = rowOf_0(base_1, _S27, (&kernelContext_2)->entryPointParams_0->rows_0, (&kernelContext_2)->entryPointParams_0->row_loads_0);
        thread array<array<float, int(1)>, int(16)> kept_0;
        float _S28 = Max_identity_0();
        thread Row_0 _S29 = row_1;
        bool _S30 = Row_has_0(&_S29, row_1.lane_0);
        float largest_0;
        if(_S30)
        {
            kept_0[0U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + row_1.lane_0], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_0 = max(_S28, kept_0[0U][int(0)]);
        }
        else
        {
            largest_0 = _S28;
        }
        uint load_1 = row_1.lane_0 + 256U;
        thread Row_0 _S31 = row_1;
        bool _S32 = Row_has_0(&_S31, load_1);
        float largest_1;
        if(_S32)
        {
            kept_0[1U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_1], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_1 = max(largest_0, kept_0[1U][int(0)]);
        }
        else
        {
            largest_1 = largest_0;
        }
        uint load_2 = load_1 + 256U;
        thread Row_0 _S33 = row_1;
        bool _S34 = Row_has_0(&_S33, load_2);
        float largest_2;
        if(_S34)
        {
            kept_0[2U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_2], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_2 = max(largest_1, kept_0[2U][int(0)]);
        }
        else
        {
            largest_2 = largest_1;
        }
        uint load_3 = load_2 + 256U;
        thread Row_0 _S35 = row_1;
        bool _S36 = Row_has_0(&_S35, load_3);
        float largest_3;
        if(_S36)
        {
            kept_0[3U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_3], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_3 = max(largest_2, kept_0[3U][int(0)]);
        }
        else
        {
            largest_3 = largest_2;
        }
        uint load_4 = load_3 + 256U;
        thread Row_0 _S37 = row_1;
        bool _S38 = Row_has_0(&_S37, load_4);
        float largest_4;
        if(_S38)
        {
            kept_0[4U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_4], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_4 = max(largest_3, kept_0[4U][int(0)]);
        }
        else
        {
            largest_4 = largest_3;
        }
        uint load_5 = load_4 + 256U;
        thread Row_0 _S39 = row_1;
        bool _S40 = Row_has_0(&_S39, load_5);
        float largest_5;
        if(_S40)
        {
            kept_0[5U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_5], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_5 = max(largest_4, kept_0[5U][int(0)]);
        }
        else
        {
            largest_5 = largest_4;
        }
        uint load_6 = load_5 + 256U;
        thread Row_0 _S41 = row_1;
        bool _S42 = Row_has_0(&_S41, load_6);
        float largest_6;
        if(_S42)
        {
            kept_0[6U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_6], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_6 = max(largest_5, kept_0[6U][int(0)]);
        }
        else
        {
            largest_6 = largest_5;
        }
        uint load_7 = load_6 + 256U;
        thread Row_0 _S43 = row_1;
        bool _S44 = Row_has_0(&_S43, load_7);
        float largest_7;
        if(_S44)
        {
            kept_0[7U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_7], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_7 = max(largest_6, kept_0[7U][int(0)]);
        }
        else
        {
            largest_7 = largest_6;
        }
        uint load_8 = load_7 + 256U;
        thread Row_0 _S45 = row_1;
        bool _S46 = Row_has_0(&_S45, load_8);
        float largest_8;
        if(_S46)
        {
            kept_0[8U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_8], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_8 = max(largest_7, kept_0[8U][int(0)]);
        }
        else
        {
            largest_8 = largest_7;
        }
        uint load_9 = load_8 + 256U;
        thread Row_0 _S47 = row_1;
        bool _S48 = Row_has_0(&_S47, load_9);
        float largest_9;
        if(_S48)
        {
            kept_0[9U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_9], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_9 = max(largest_8, kept_0[9U][int(0)]);
        }
        else
        {
            largest_9 = largest_8;
        }
        uint load_10 = load_9 + 256U;
        thread Row_0 _S49 = row_1;
        bool _S50 = Row_has_0(&_S49, load_10);
        float largest_10;
        if(_S50)
        {
            kept_0[10U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_10], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_10 = max(largest_9, kept_0[10U][int(0)]);
        }
        else
        {
            largest_10 = largest_9;
        }
        uint load_11 = load_10 + 256U;
        thread Row_0 _S51 = row_1;
        bool _S52 = Row_has_0(&_S51, load_11);
        float largest_11;
        if(_S52)
        {
            kept_0[11U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_11], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_11 = max(largest_10, kept_0[11U][int(0)]);
        }
        else
        {
            largest_11 = largest_10;
        }
        uint load_12 = load_11 + 256U;
        thread Row_0 _S53 = row_1;
        bool _S54 = Row_has_0(&_S53, load_12);
        float largest_12;
        if(_S54)
        {
            kept_0[12U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_12], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_12 = max(largest_11, kept_0[12U][int(0)]);
        }
        else
        {
            largest_12 = largest_11;
        }
        uint load_13 = load_12 + 256U;
        thread Row_0 _S55 = row_1;
        bool _S56 = Row_has_0(&_S55, load_13);
        float largest_13;
        if(_S56)
        {
            kept_0[13U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_13], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_13 = max(largest_12, kept_0[13U][int(0)]);
        }
        else
        {
            largest_13 = largest_12;
        }
        uint load_14 = load_13 + 256U;
        thread Row_0 _S57 = row_1;
        bool _S58 = Row_has_0(&_S57, load_14);
        float largest_14;
        if(_S58)
        {
            kept_0[14U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_14], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_14 = max(largest_13, kept_0[14U][int(0)]);
        }
        else
        {
            largest_14 = largest_13;
        }
        uint load_15 = load_14 + 256U;
        thread Row_0 _S59 = row_1;
        bool _S60 = Row_has_0(&_S59, load_15);
        float largest_15;
        if(_S60)
        {
            kept_0[15U] = unpack_0((&kernelContext_2)->x_0[row_1.first_0 + load_15], (&kernelContext_2)->entryPointParams_0->x_scale_0);
            largest_15 = max(largest_14, kept_0[15U][int(0)]);
        }
        else
        {
            largest_15 = largest_14;
        }
        float _S61 = reduceRow_1(largest_15, _S27, &kernelContext_2);
        float sum_0;
        if(_S30)
        {
            float _S62 = exp2((kept_0[0U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[0U][int(0)] = _S62;
            sum_0 = _S62;
        }
        else
        {
            sum_0 = 0.0;
        }
        float sum_1;
        if(_S32)
        {
            float _S63 = exp2((kept_0[1U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[1U][int(0)] = _S63;
            sum_1 = sum_0 + _S63;
        }
        else
        {
            sum_1 = sum_0;
        }
        float sum_2;
        if(_S34)
        {
            float _S64 = exp2((kept_0[2U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[2U][int(0)] = _S64;
            sum_2 = sum_1 + _S64;
        }
        else
        {
            sum_2 = sum_1;
        }
        float sum_3;
        if(_S36)
        {
            float _S65 = exp2((kept_0[3U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[3U][int(0)] = _S65;
            sum_3 = sum_2 + _S65;
        }
        else
        {
            sum_3 = sum_2;
        }
        float sum_4;
        if(_S38)
        {
            float _S66 = exp2((kept_0[4U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[4U][int(0)] = _S66;
            sum_4 = sum_3 + _S66;
        }
        else
        {
            sum_4 = sum_3;
        }
        float sum_5;
        if(_S40)
        {
            float _S67 = exp2((kept_0[5U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[5U][int(0)] = _S67;
            sum_5 = sum_4 + _S67;
        }
        else
        {
            sum_5 = sum_4;
        }
        float sum_6;
        if(_S42)
        {
            float _S68 = exp2((kept_0[6U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[6U][int(0)] = _S68;
            sum_6 = sum_5 + _S68;
        }
        else
        {
            sum_6 = sum_5;
        }
        float sum_7;
        if(_S44)
        {
            float _S69 = exp2((kept_0[7U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[7U][int(0)] = _S69;
            sum_7 = sum_6 + _S69;
        }
        else
        {
            sum_7 = sum_6;
        }
        float sum_8;
        if(_S46)
        {
            float _S70 = exp2((kept_0[8U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[8U][int(0)] = _S70;
            sum_8 = sum_7 + _S70;
        }
        else
        {
            sum_8 = sum_7;
        }
        float sum_9;
        if(_S48)
        {
            float _S71 = exp2((kept_0[9U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[9U][int(0)] = _S71;
            sum_9 = sum_8 + _S71;
        }
        else
        {
            sum_9 = sum_8;
        }
        float sum_10;
        if(_S50)
        {
            float _S72 = exp2((kept_0[10U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[10U][int(0)] = _S72;
            sum_10 = sum_9 + _S72;
        }
        else
        {
            sum_10 = sum_9;
        }
        float sum_11;
        if(_S52)
        {
            float _S73 = exp2((kept_0[11U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[11U][int(0)] = _S73;
            sum_11 = sum_10 + _S73;
        }
        else
        {
            sum_11 = sum_10;
        }
        float sum_12;
        if(_S54)
        {
            float _S74 = exp2((kept_0[12U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[12U][int(0)] = _S74;
            sum_12 = sum_11 + _S74;
        }
        else
        {
            sum_12 = sum_11;
        }
        float sum_13;
        if(_S56)
        {
            float _S75 = exp2((kept_0[13U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[13U][int(0)] = _S75;
            sum_13 = sum_12 + _S75;
        }
        else
        {
            sum_13 = sum_12;
        }
        float sum_14;
        if(_S58)
        {
            float _S76 = exp2((kept_0[14U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[14U][int(0)] = _S76;
            sum_14 = sum_13 + _S76;
        }
        else
        {
            sum_14 = sum_13;
        }
        float sum_15;
        if(_S60)
        {
            float _S77 = exp2((kept_0[15U][int(0)] - _S61) * 1.4426950216293335);
            kept_0[15U][int(0)] = _S77;
            sum_15 = sum_14 + _S77;
        }
        else
        {
            sum_15 = sum_14;
        }
        float _S78 = reduceRow_0(sum_15, _S27, &kernelContext_2);
        float _S79 = 1.0 / _S78;
        if(_S30)
        {
            kept_0[0U][int(0)] = kept_0[0U][int(0)] * _S79;
            half device* _S80 = (&kernelContext_2)->result_0+(row_1.first_0 + row_1.lane_0);
            float _S81 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S82 = kept_0[0U];
            half _S83 = pack_0(&_S82, _S81);
            *_S80 = _S83;
        }
        if(_S32)
        {
            kept_0[1U][int(0)] = kept_0[1U][int(0)] * _S79;
            half device* _S84 = (&kernelContext_2)->result_0+(row_1.first_0 + load_1);
            float _S85 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S86 = kept_0[1U];
            half _S87 = pack_0(&_S86, _S85);
            *_S84 = _S87;
        }
        if(_S34)
        {
            kept_0[2U][int(0)] = kept_0[2U][int(0)] * _S79;
            half device* _S88 = (&kernelContext_2)->result_0+(row_1.first_0 + load_2);
            float _S89 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S90 = kept_0[2U];
            half _S91 = pack_0(&_S90, _S89);
            *_S88 = _S91;
        }
        if(_S36)
        {
            kept_0[3U][int(0)] = kept_0[3U][int(0)] * _S79;
            half device* _S92 = (&kernelContext_2)->result_0+(row_1.first_0 + load_3);
            float _S93 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S94 = kept_0[3U];
            half _S95 = pack_0(&_S94, _S93);
            *_S92 = _S95;
        }
        if(_S38)
        {
            kept_0[4U][int(0)] = kept_0[4U][int(0)] * _S79;
            half device* _S96 = (&kernelContext_2)->result_0+(row_1.first_0 + load_4);
            float _S97 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S98 = kept_0[4U];
            half _S99 = pack_0(&_S98, _S97);
            *_S96 = _S99;
        }
        if(_S40)
        {
            kept_0[5U][int(0)] = kept_0[5U][int(0)] * _S79;
            half device* _S100 = (&kernelContext_2)->result_0+(row_1.first_0 + load_5);
            float _S101 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S102 = kept_0[5U];
            half _S103 = pack_0(&_S102, _S101);
            *_S100 = _S103;
        }
        if(_S42)
        {
            kept_0[6U][int(0)] = kept_0[6U][int(0)] * _S79;
            half device* _S104 = (&kernelContext_2)->result_0+(row_1.first_0 + load_6);
            float _S105 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S106 = kept_0[6U];
            half _S107 = pack_0(&_S106, _S105);
            *_S104 = _S107;
        }
        if(_S44)
        {
            kept_0[7U][int(0)] = kept_0[7U][int(0)] * _S79;
            half device* _S108 = (&kernelContext_2)->result_0+(row_1.first_0 + load_7);
            float _S109 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S110 = kept_0[7U];
            half _S111 = pack_0(&_S110, _S109);
            *_S108 = _S111;
        }
        if(_S46)
        {
            kept_0[8U][int(0)] = kept_0[8U][int(0)] * _S79;
            half device* _S112 = (&kernelContext_2)->result_0+(row_1.first_0 + load_8);
            float _S113 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S114 = kept_0[8U];
            half _S115 = pack_0(&_S114, _S113);
            *_S112 = _S115;
        }
        if(_S48)
        {
            kept_0[9U][int(0)] = kept_0[9U][int(0)] * _S79;
            half device* _S116 = (&kernelContext_2)->result_0+(row_1.first_0 + load_9);
            float _S117 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S118 = kept_0[9U];
            half _S119 = pack_0(&_S118, _S117);
            *_S116 = _S119;
        }
        if(_S50)
        {
            kept_0[10U][int(0)] = kept_0[10U][int(0)] * _S79;
            half device* _S120 = (&kernelContext_2)->result_0+(row_1.first_0 + load_10);
            float _S121 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S122 = kept_0[10U];
            half _S123 = pack_0(&_S122, _S121);
            *_S120 = _S123;
        }
        if(_S52)
        {
            kept_0[11U][int(0)] = kept_0[11U][int(0)] * _S79;
            half device* _S124 = (&kernelContext_2)->result_0+(row_1.first_0 + load_11);
            float _S125 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S126 = kept_0[11U];
            half _S127 = pack_0(&_S126, _S125);
            *_S124 = _S127;
        }
        if(_S54)
        {
            kept_0[12U][int(0)] = kept_0[12U][int(0)] * _S79;
            half device* _S128 = (&kernelContext_2)->result_0+(row_1.first_0 + load_12);
            float _S129 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S130 = kept_0[12U];
            half _S131 = pack_0(&_S130, _S129);
            *_S128 = _S131;
        }
        if(_S56)
        {
            kept_0[13U][int(0)] = kept_0[13U][int(0)] * _S79;
            half device* _S132 = (&kernelContext_2)->result_0+(row_1.first_0 + load_13);
            float _S133 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S134 = kept_0[13U];
            half _S135 = pack_0(&_S134, _S133);
            *_S132 = _S135;
        }
        if(_S58)
        {
            kept_0[14U][int(0)] = kept_0[14U][int(0)] * _S79;
            half device* _S136 = (&kernelContext_2)->result_0+(row_1.first_0 + load_14);
            float _S137 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S138 = kept_0[14U];
            half _S139 = pack_0(&_S138, _S137);
            *_S136 = _S139;
        }
        if(_S60)
        {
            kept_0[15U][int(0)] = kept_0[15U][int(0)] * _S79;
            half device* _S140 = (&kernelContext_2)->result_0+(row_1.first_0 + load_15);
            float _S141 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(1)> _S142 = kept_0[15U];
            half _S143 = pack_0(&_S142, _S141);
            *_S140 = _S143;
        }
        base_1 = base_1 + (&kernelContext_2)->entryPointParams_0->row_step_0;
    }
    return;
}

