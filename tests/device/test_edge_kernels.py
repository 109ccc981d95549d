"""Every kernel, in every variant that a device here can run, on odd and random shapes, against float64."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from vulkan_here import require_device, require_validation, selectors

from bench_lib.edge.kernel import Sizes
from bench_lib.edge.kernel_reader import load_kernel, ops
from bench_lib.edge.prepared import PreparedKernel
from bench_lib.edge.vulkan.device import VulkanDevice, open_device
from bench_lib.edge.vulkan.features import needed
from bench_lib.edge.vulkan.spirv import read_module
from bench_lib.errors import UsageError

#: By size: the least, sizes around what a vector, a subgroup and a tile hold, and a bound for random ones.
EDGES = {
    "n": ([1, 2, 3, 7, 8, 15, 16, 17, 255, 257, 4099], 100_000),
    "rows": ([1, 2, 9, 33], 40),
    "cols": ([1, 3, 4, 16, 31, 257, 1024, 4096, 5008], 3000),
    "m": ([1, 3, 17, 64, 65], 150),
    "k": ([1, 2, 3, 31, 64, 257], 400),
    "heads": ([1, 2, 4], 6),
    "kv_heads": ([1, 2], 3),
    "length": ([1, 5, 256, 257], 600),
    "dim": ([1, 5, 16, 64, 80, 128], 140),
}
EDGES["n_of_gemm"] = EDGES["m"]


#: Every feature that some kernel needs: each is asked for where the device has it.
_REQUIRED = frozenset(itertools.chain(*(v.required for op in ops() for v in load_kernel(op).variants)))


def shapes_of(op: str, names: tuple[str, ...]) -> list[Sizes]:
    """Edges of all sizes side by side, then random shapes; the same at every run."""
    rng = np.random.default_rng(sum(map(ord, op)))
    tables = [EDGES["n_of_gemm"] if name == "n" and len(names) > 1 else EDGES[name] for name in names]
    longest = max((len(edges) for edges, _ in tables), default=1)
    found: list[Sizes] = []
    for index in range(longest):
        found.append({n: t[0][index % len(t[0])] for n, t in zip(names, tables, strict=True)})
    for _ in range(6):
        found.append({n: int(rng.integers(1, t[1])) for n, t in zip(names, tables, strict=True)})
        # A random size is seldom a multiple of what a vector holds.
        found.append(
            {
                n: min(t[1], int(rng.integers(1, 2 + t[1] // 16)) * 16)
                for n, t in zip(names, tables, strict=True)
            }
        )
    return found


@pytest.fixture(scope="module", params=selectors() or ("none",))
def device(request: pytest.FixtureRequest) -> Iterator[VulkanDevice]:
    require_device()
    require_validation()
    with open_device(request.param) as first:
        features = first.facts.features & _REQUIRED
    made = open_device(request.param, features=features, validation=True)
    yield made
    instance = made.instance
    made.close()
    assert instance.messages == []


@pytest.mark.parametrize("op", ops())
def test_output_is_within_tolerance(device: VulkanDevice, op: str) -> None:
    kernel = load_kernel(op)
    ran = 0
    for variant in kernel.variants:
        if variant.lacks(device.facts) is not None:
            continue
        fitting = [s for s in shapes_of(op, kernel.sizes) if variant.takes(s)]
        # Pipelines for GPUs take a software device long to run: a few shapes of each are enough there.
        is_foreign = variant.device == "gpu" and device.facts.kind == "software"
        for sizes in fitting[:: 3 if is_foreign else 1]:
            prepared = PreparedKernel(device, kernel, variant, sizes=sizes, mode="mapped", seed=ran)
            batch = device.batch(prepared.sets(1)[0])
            batch.run()
            assert prepared.check(0) <= 1, f"{variant.name} {sizes}"
            batch.close()
            prepared.close()
            ran += 1
    assert ran or op == "gemm_coopmat"
    assert device.instance.messages == []


@pytest.mark.parametrize("op", ops())
def test_a_device_is_given_what_was_written_for_it(device: VulkanDevice, op: str) -> None:
    kernel = load_kernel(op)
    sizes = {
        "rows": 8,
        "cols": 64,
        "n": 64,
        "m": 64,
        "k": 64,
        "heads": 2,
        "kv_heads": 1,
        "length": 64,
        "dim": 64,
    }
    if op == "gemm_coopmat":
        return
    chosen = kernel.choose(kernel.dtypes[0], sizes={n: sizes[n] for n in kernel.sizes}, device=device.facts)
    assert chosen.device in (device.facts.kind, "any") or device.facts.subgroup_size not in (4, 8)


def test_variants_require_what_their_code_does() -> None:
    for op in ops():
        for variant in load_kernel(op).variants:
            modules = [read_module(step.spirv or b"") for step in variant.passes]
            assert variant.required == frozenset(itertools.chain(*(needed(m) for m in modules))), variant.name
            for step, module in zip(variant.passes, modules, strict=True):
                assert module.entry_points[step.entry_point] == step.workgroup
                assert module.bindings == {(0, index) for index in range(len(step.bindings))}
                # SwiftShader and the smallest GPUs take no more.
                assert np.prod(step.workgroup) <= 256


@pytest.mark.parametrize(
    "bad", [{"m": 0, "k": 4}, {"m": 4, "k": -1}, {"m": 4}, {"m": 4, "k": 4, "n": 1}, {"m": 2**20, "k": 2**20}]
)
def test_empty_missing_and_too_large_sizes_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        load_kernel("gemv").variants[0].check_sizes(bad)
