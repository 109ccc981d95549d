"""Two small kernels in the shape in which a shader compiler writes Metal, to test the checks with."""

from __future__ import annotations

#: Sum of each row: strided partial sums, a sum over each simdgroup, and one over those.
ROW_SUM = """\
#include <metal_stdlib>
using namespace metal;
struct Parameters { uint columns; float scale; };
struct Context {
    Parameters constant* parameters;
    packed_float4 device* x;
    half device* y;
    array<float, int(4)> threadgroup* part;
};
[[kernel]] void row_sum(
    uint3 position [[thread_position_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    uint width [[threads_per_simdgroup]],
    Parameters constant* parameters [[buffer(2)]],
    packed_float4 device* x [[buffer(0)]],
    half device* y [[buffer(1)]])
{
    thread Context context;
    (&context)->parameters = parameters;
    (&context)->x = x;
    (&context)->y = y;
    threadgroup array<float, int(4)> part;
    (&context)->part = &part;
    uint lane = position.x;
    float sum = 0.0;
    for (uint i = lane; i < (&context)->parameters->columns; i = i + 128U)
    {
        float4 v = float4(*((&context)->x + (group.x * (&context)->parameters->columns + i)));
        sum = sum + dot(v, float4(1.0, 1.0, 1.0, 1.0));
    }
    sum = simd_sum(sum);
    if (simd_is_first())
    {
        (*(&context)->part)[lane / width] = sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0U)
    {
        float total = 0.0;
        for (uint k = 0U; k < 128U / width; k = k + 1U)
        {
            total = total + (*(&context)->part)[k];
        }
        *((&context)->y + group.x) = half(total * (&context)->parameters->scale);
    }
    return;
}
"""

#: C = A B for half A and B, one 8 by 8 tile a simdgroup, staged through threadgroup memory.
MATRIX = """\
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;
struct Parameters { uint inner; uint columns; };
[[kernel]] void matrix(
    uint lane [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    half device* a [[buffer(0)]],
    half device* b [[buffer(1)]],
    float device* c [[buffer(2)]],
    Parameters constant* parameters [[buffer(3)]])
{
    threadgroup half tile[64];
    simdgroup_matrix<float, int(8), int(8)> sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0);
    for (uint i = 0U; i < parameters->inner; i = i + 8U)
    {
        for (uint k = lane; k < 64U; k = k + 32U)
        {
            tile[k] = a[(group.x * 8U + k / 8U) * parameters->inner + i + k % 8U];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        simdgroup_matrix<half, int(8), int(8)> left;
        simdgroup_matrix<half, int(8), int(8)> right;
        simdgroup_load(left, (const threadgroup half*)tile, ulong(8));
        simdgroup_load(right, (const device half*)b + (i * parameters->columns + group.y * 8U),
            ulong(parameters->columns));
        simdgroup_multiply_accumulate(sum, left, right, sum);
        threadgroup_barrier(mem_flags::mem_threadgroup); // before the tile is filled anew
    }
    simdgroup_store(sum, c + (group.x * 8U * parameters->columns + group.y * 8U), ulong(parameters->columns));
}
"""
