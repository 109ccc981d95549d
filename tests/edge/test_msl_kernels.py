"""Every Metal kernel of the project: accepted by the static check, and right on shapes that no tile divides.

Each runs as it would on a Mac, through the Metal runtime, with the processor in place of the GPU.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
import types
import zlib
from collections.abc import Iterator
from dataclasses import replace

import fake_metal
import msl_host
import msl_static
import numpy as np
import pytest

from bench_lib.edge.kernel import Kernel, Variant
from bench_lib.edge.kernel_reader import load_kernel, ops
from bench_lib.edge.metal import binding
from bench_lib.edge.metal.device import MetalDevice, open_device
from bench_lib.edge.reference import compare, expected, make_inputs, output_array
from bench_lib.edge.runtime import Dispatch
from bench_lib.errors import UsageError

PAIRS = [(kernel, variant) for kernel in map(load_kernel, ops()) for variant in kernel.variants]
CASES = [pytest.param(kernel, variant, id=f"{kernel.op}-{variant.name}") for kernel, variant in PAIRS]

#: Shapes a variant is run on, and what one may cost: the host runs about a million loads a second.
NUM_SHAPES = 4
MOST_FLOP = 400_000
#: Part of ``when`` that says from which size on a variant is faster; it is right below that too.
_FASTER_FROM = re.compile(r"\s*\*\s*\([^()]*>= \d{6,}\)")
MOST_ELEMENTS = 100_000
MOST_LANES = 30_000

ODD = (1, 2, 3, 5, 7, 9, 13, 17, 31, 33, 37, 63, 65, 67, 100, 127, 129, 131, 257, 300, 513, 1000, 1025)
EVEN = (4, 8, 16, 24, 32, 48, 64, 96, 128, 160, 256, 384, 512, 1024, 2048, 4096)


def cost_fits(variant: Variant, sizes: dict[str, int]) -> bool:
    """Whether the host runs that shape in a second or two."""
    elements = sum(b.num_elements(sizes) for b in variant.bindings)
    lanes = sum(math.prod(step.workgroup) * math.prod(step.groups(sizes)) for step in variant.passes)
    return elements <= MOST_ELEMENTS and lanes <= MOST_LANES and variant.flop(sizes) <= MOST_FLOP


def candidates(variant: Variant) -> Iterator[dict[str, int]]:
    """Shapes to try: all ones first, then seeded draws."""
    yield dict.fromkeys(variant.size_names, 1)
    rng = np.random.default_rng(zlib.crc32(f"{variant.op} {variant.name}".encode()))
    for draw in itertools.count():
        # Odd ones first: a variant that takes only multiples gets its shapes from the later draws.
        choice = ODD if draw < 2000 else (*ODD, *EVEN)
        yield {name: int(rng.choice(choice)) for name in variant.size_names}


def shapes(variant: Variant) -> list[dict[str, int]]:
    """Small shapes that ``variant`` takes, or would take if speed were no matter."""
    small = shapes_within(variant)
    return small or shapes_within(replace(variant, when=_FASTER_FROM.sub("", variant.when)))


def shapes_within(variant: Variant) -> list[dict[str, int]]:
    """Shapes that ``variant`` takes and that cost little; as many as there are, up to :data:`NUM_SHAPES`."""
    found: list[dict[str, int]] = []
    for sizes in itertools.islice(candidates(variant), 20_000):
        try:
            variant.check_sizes(sizes)
            usable = sizes not in found and variant.takes(sizes) and cost_fits(variant, sizes)
        except UsageError:
            continue
        if usable:
            found.append(sizes)
        if len(found) == NUM_SHAPES:
            break
    return found


def run(
    device: MetalDevice, variant: Variant, inputs: dict[str, np.ndarray], sizes: dict[str, int]
) -> dict[str, bytes]:
    """Contents of all buffers after the passes of ``variant``; what nobody wrote is 0xff."""
    buffers = {}
    for place in variant.bindings:
        buffers[place.name] = device.buffer(place.num_bytes(sizes))
        buffers[place.name].write(b"\xff" * place.num_bytes(sizes))
        if place.name in inputs:
            buffers[place.name].write(inputs[place.name])
    commands = []
    for step in variant.passes:
        assert step.msl is not None
        pipeline = device.pipeline(
            step.msl.encode(),
            entry_point=step.entry_point,
            num_buffers=len(step.bindings),
            push_constant_bytes=step.push_constant_bytes,
            specialization=step.specialization(sizes),
            workgroup=step.workgroup,
        )
        bound = [buffers[place.name] for place in step.bindings]
        commands.append(Dispatch(pipeline, bound, step.groups(sizes), step.push_constants(sizes)))
    device.batch(commands).run()
    return {name: buffer.read() for name, buffer in buffers.items()}


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[MetalDevice, fake_metal.Device]]:
    fake = fake_metal.Device("GPU", families=(1007, 1008, 1009, 5001))
    monkeypatch.setattr(binding, "sys", types.SimpleNamespace(platform="darwin"))
    for name, module in fake_metal.modules(fake).items():
        monkeypatch.setitem(sys.modules, name, module)
    with open_device("GPU") as device:
        yield device, fake


@pytest.mark.skipif(not msl_static.available(), reason="libclang is not installed")
@pytest.mark.parametrize(("kernel", "variant"), CASES)
def test_the_static_check_accepts(kernel: Kernel, variant: Variant) -> None:
    for step in variant.passes:
        if step.msl is not None:
            assert msl_static.check(step.msl) == []


@pytest.mark.skipif(not msl_host.available(), reason="no g++ on this machine")
@pytest.mark.parametrize(("kernel", "variant"), CASES)
def test_right_on_shapes_that_no_tile_divides(
    kernel: Kernel, variant: Variant, gpu: tuple[MetalDevice, fake_metal.Device]
) -> None:
    device, fake = gpu
    if any(step.msl is None for step in variant.passes):
        pytest.skip("no MSL: its source is not in Slang")
    if (reason := variant.lacks(device.facts)) is not None:
        pytest.skip(f"no Apple GPU runs it: {reason}")
    chosen = shapes(variant)
    assert chosen, f"no shape of {kernel.op} {variant.name} is small enough to run here"
    for seed, sizes in enumerate(chosen):
        fake._seed = seed
        inputs = make_inputs(kernel, variant, sizes=sizes, seed=seed)
        contents = run(device, variant, inputs, sizes)
        outputs = {
            place.name: output_array(variant, place.name, contents[place.name])
            for place in variant.bindings
            if place.role == "output"
        }
        for comparison in compare(variant, outputs, expected(kernel, variant, inputs, sizes=sizes)):
            assert comparison.is_right, f"{sizes}: {comparison}"
        for name, array in inputs.items():
            kept = contents[name][: array.nbytes] == array.tobytes()
            assert kept, f"{sizes}: it wrote to its input {name}"
