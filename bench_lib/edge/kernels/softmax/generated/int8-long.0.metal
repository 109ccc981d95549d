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
    packed_uint4 device* x_0;
    packed_uint4 device* result_0;
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

uint4 words_0(uint4 source_0)
{
    return source_0;
}

array<float, int(16)> unpack_0(uint4 source_1, float scale_0)
{
    uint4 _S27 = words_0(source_1);
    thread array<float, int(16)> values_0;
    values_0[int(0)] = float(int((_S27[int(0)]) << 24U) >> 24U) * scale_0;
    values_0[int(1)] = float(int((_S27[int(0)]) << 16U) >> 24U) * scale_0;
    values_0[int(2)] = float(int((_S27[int(0)]) << 8U) >> 24U) * scale_0;
    values_0[int(3)] = float(int((_S27[int(0)]) << 0U) >> 24U) * scale_0;
    values_0[int(4)] = float(int((_S27[int(1)]) << 24U) >> 24U) * scale_0;
    values_0[int(5)] = float(int((_S27[int(1)]) << 16U) >> 24U) * scale_0;
    values_0[int(6)] = float(int((_S27[int(1)]) << 8U) >> 24U) * scale_0;
    values_0[int(7)] = float(int((_S27[int(1)]) << 0U) >> 24U) * scale_0;
    values_0[int(8)] = float(int((_S27[int(2)]) << 24U) >> 24U) * scale_0;
    values_0[int(9)] = float(int((_S27[int(2)]) << 16U) >> 24U) * scale_0;
    values_0[int(10)] = float(int((_S27[int(2)]) << 8U) >> 24U) * scale_0;
    values_0[int(11)] = float(int((_S27[int(2)]) << 0U) >> 24U) * scale_0;
    values_0[int(12)] = float(int((_S27[int(3)]) << 24U) >> 24U) * scale_0;
    values_0[int(13)] = float(int((_S27[int(3)]) << 16U) >> 24U) * scale_0;
    values_0[int(14)] = float(int((_S27[int(3)]) << 8U) >> 24U) * scale_0;
    values_0[int(15)] = float(int((_S27[int(3)]) << 0U) >> 24U) * scale_0;
    return values_0;
}

int quantized_0(float value_4)
{
    return int(clamp(rint(value_4), -127.0, 127.0));
}

uint4 stored_0(uint4 w_0)
{
    return w_0;
}

uint4 pack_0(const array<float, int(16)> thread* values_1, float inverse_scale_0)
{
    thread uint4 w_1;
    w_1.x = (((0U | (uint((quantized_0((*values_1)[int(0)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(1)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(2)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(3)] * inverse_scale_0)) & int(255)) << 24U);
    w_1.y = (((0U | (uint((quantized_0((*values_1)[int(4)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(5)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(6)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(7)] * inverse_scale_0)) & int(255)) << 24U);
    w_1.z = (((0U | (uint((quantized_0((*values_1)[int(8)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(9)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(10)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(11)] * inverse_scale_0)) & int(255)) << 24U);
    w_1.w = (((0U | (uint((quantized_0((*values_1)[int(12)] * inverse_scale_0)) & int(255)) << 0U)) | (uint((quantized_0((*values_1)[int(13)] * inverse_scale_0)) & int(255)) << 8U)) | (uint((quantized_0((*values_1)[int(14)] * inverse_scale_0)) & int(255)) << 16U)) | (uint((quantized_0((*values_1)[int(15)] * inverse_scale_0)) & int(255)) << 24U);
    return stored_0(w_1);
}

[[kernel]] void softmax(uint3 group_0 [[threadgroup_position_in_grid]], uint3 thread_4 [[thread_position_in_threadgroup]], uint _builtinWaveLaneCount_0 [[threads_per_simdgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], packed_uint4 device* x_1 [[buffer(0)]], packed_uint4 device* result_1 [[buffer(1)]], EntryPointParams_0 constant* entryPointParams_1 [[buffer(2)]])
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
        uint _S28 = thread_4.x;
        Row_0 row_1 = rowOf_0(base_1, _S28, (&kernelContext_2)->entryPointParams_0->rows_0, (&kernelContext_2)->entryPointParams_0->row_loads_0);
        thread array<array<float, int(16)>, int(1)> kept_0;
        float _S29 = Max_identity_0();
        uint load_1 = row_1.lane_0;
        float largest_0 = _S29;
        for(;;)
        {
            thread Row_0 _S30 = row_1;
            bool _S31 = Row_has_0(&_S30, load_1);
            if(_S31)
            {
            }
            else
            {
                break;
            }
            kept_0[0U] = unpack_0(uint4(*((&kernelContext_2)->x_0+(row_1.first_0 + load_1))) , (&kernelContext_2)->entryPointParams_0->x_scale_0);
            float _S32 = max(max(max(max(max(max(max(max(max(max(max(max(max(max(max(max(largest_0, kept_0[0U][int(0)]), kept_0[0U][int(1)]), kept_0[0U][int(2)]), kept_0[0U][int(3)]), kept_0[0U][int(4)]), kept_0[0U][int(5)]), kept_0[0U][int(6)]), kept_0[0U][int(7)]), kept_0[0U][int(8)]), kept_0[0U][int(9)]), kept_0[0U][int(10)]), kept_0[0U][int(11)]), kept_0[0U][int(12)]), kept_0[0U][int(13)]), kept_0[0U][int(14)]), kept_0[0U][int(15)]);
            load_1 = load_1 + 256U;
            largest_0 = _S32;
        }
        float _S33 = reduceRow_1(largest_0, _S28, &kernelContext_2);
        uint load_2 = row_1.lane_0;
        float sum_0 = 0.0;
        for(;;)
        {
            thread Row_0 _S34 = row_1;
            bool _S35 = Row_has_0(&_S34, load_2);
            if(_S35)
            {
            }
            else
            {
                break;
            }
            kept_0[0U] = unpack_0(uint4(*((&kernelContext_2)->x_0+(row_1.first_0 + load_2))) , (&kernelContext_2)->entryPointParams_0->x_scale_0);
            float _S36 = exp2((kept_0[0U][int(0)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(0)] = _S36;
            float sum_1 = sum_0 + _S36;
            float _S37 = exp2((kept_0[0U][int(1)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(1)] = _S37;
            float sum_2 = sum_1 + _S37;
            float _S38 = exp2((kept_0[0U][int(2)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(2)] = _S38;
            float sum_3 = sum_2 + _S38;
            float _S39 = exp2((kept_0[0U][int(3)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(3)] = _S39;
            float sum_4 = sum_3 + _S39;
            float _S40 = exp2((kept_0[0U][int(4)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(4)] = _S40;
            float sum_5 = sum_4 + _S40;
            float _S41 = exp2((kept_0[0U][int(5)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(5)] = _S41;
            float sum_6 = sum_5 + _S41;
            float _S42 = exp2((kept_0[0U][int(6)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(6)] = _S42;
            float sum_7 = sum_6 + _S42;
            float _S43 = exp2((kept_0[0U][int(7)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(7)] = _S43;
            float sum_8 = sum_7 + _S43;
            float _S44 = exp2((kept_0[0U][int(8)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(8)] = _S44;
            float sum_9 = sum_8 + _S44;
            float _S45 = exp2((kept_0[0U][int(9)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(9)] = _S45;
            float sum_10 = sum_9 + _S45;
            float _S46 = exp2((kept_0[0U][int(10)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(10)] = _S46;
            float sum_11 = sum_10 + _S46;
            float _S47 = exp2((kept_0[0U][int(11)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(11)] = _S47;
            float sum_12 = sum_11 + _S47;
            float _S48 = exp2((kept_0[0U][int(12)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(12)] = _S48;
            float sum_13 = sum_12 + _S48;
            float _S49 = exp2((kept_0[0U][int(13)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(13)] = _S49;
            float sum_14 = sum_13 + _S49;
            float _S50 = exp2((kept_0[0U][int(14)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(14)] = _S50;
            float sum_15 = sum_14 + _S50;
            float _S51 = exp2((kept_0[0U][int(15)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(15)] = _S51;
            float sum_16 = sum_15 + _S51;
            load_2 = load_2 + 256U;
            sum_0 = sum_16;
        }
        float _S52 = reduceRow_0(sum_0, _S28, &kernelContext_2);
        float _S53 = 1.0 / _S52;
        uint load_3 = row_1.lane_0;
        for(;;)
        {
            thread Row_0 _S54 = row_1;
            bool _S55 = Row_has_0(&_S54, load_3);
            if(_S55)
            {
            }
            else
            {
                break;
            }
            uint _S56 = row_1.first_0 + load_3;
            kept_0[0U] = unpack_0(uint4(*((&kernelContext_2)->x_0+_S56)) , (&kernelContext_2)->entryPointParams_0->x_scale_0);
            kept_0[0U][int(0)] = exp2((kept_0[0U][int(0)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(1)] = exp2((kept_0[0U][int(1)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(2)] = exp2((kept_0[0U][int(2)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(3)] = exp2((kept_0[0U][int(3)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(4)] = exp2((kept_0[0U][int(4)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(5)] = exp2((kept_0[0U][int(5)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(6)] = exp2((kept_0[0U][int(6)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(7)] = exp2((kept_0[0U][int(7)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(8)] = exp2((kept_0[0U][int(8)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(9)] = exp2((kept_0[0U][int(9)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(10)] = exp2((kept_0[0U][int(10)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(11)] = exp2((kept_0[0U][int(11)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(12)] = exp2((kept_0[0U][int(12)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(13)] = exp2((kept_0[0U][int(13)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(14)] = exp2((kept_0[0U][int(14)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(15)] = exp2((kept_0[0U][int(15)] - _S33) * 1.4426950216293335);
            kept_0[0U][int(0)] = kept_0[0U][int(0)] * _S53;
            kept_0[0U][int(1)] = kept_0[0U][int(1)] * _S53;
            kept_0[0U][int(2)] = kept_0[0U][int(2)] * _S53;
            kept_0[0U][int(3)] = kept_0[0U][int(3)] * _S53;
            kept_0[0U][int(4)] = kept_0[0U][int(4)] * _S53;
            kept_0[0U][int(5)] = kept_0[0U][int(5)] * _S53;
            kept_0[0U][int(6)] = kept_0[0U][int(6)] * _S53;
            kept_0[0U][int(7)] = kept_0[0U][int(7)] * _S53;
            kept_0[0U][int(8)] = kept_0[0U][int(8)] * _S53;
            kept_0[0U][int(9)] = kept_0[0U][int(9)] * _S53;
            kept_0[0U][int(10)] = kept_0[0U][int(10)] * _S53;
            kept_0[0U][int(11)] = kept_0[0U][int(11)] * _S53;
            kept_0[0U][int(12)] = kept_0[0U][int(12)] * _S53;
            kept_0[0U][int(13)] = kept_0[0U][int(13)] * _S53;
            kept_0[0U][int(14)] = kept_0[0U][int(14)] * _S53;
            kept_0[0U][int(15)] = kept_0[0U][int(15)] * _S53;
            packed_uint4 device* _S57 = (&kernelContext_2)->result_0+_S56;
            float _S58 = (&kernelContext_2)->entryPointParams_0->inverse_result_scale_0;
            thread array<float, int(16)> _S59 = kept_0[0U];
            uint4 _S60 = pack_0(&_S59, _S58);
            *_S57 = packed_uint4(_S60) ;
            load_3 = load_3 + 256U;
        }
        base_1 = base_1 + (&kernelContext_2)->entryPointParams_0->row_step_0;
    }
    return;
}

