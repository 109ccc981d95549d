"""A variant of a kernel made ready on a device: pipelines, sets of buffers, and the check of its output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bench_lib.edge.kernel import Kernel, Sizes, Variant
from bench_lib.edge.reference import compare, expected, make_inputs, output_array
from bench_lib.edge.runtime import Buffer, Command, Device, Dispatch, MemoryMode, Pipeline
from bench_lib.errors import BenchLibError

#: What outputs hold before a kernel runs: NaN as floats, unlikely as integers.
_POISON = b"\xff"


class WrongOutputError(BenchLibError):
    """A kernel's output differs from its reference by more than it may; it is never timed."""


def code_of(variant: Variant, index: int, *, api: str) -> bytes:
    """Code of one pass for an API."""
    step = variant.passes[index]
    if api == "metal":
        return (step.msl or "").encode()
    return step.spirv or b""


def set_bytes(variant: Variant, *, sizes: Sizes) -> int:
    """Bytes of one set of buffers."""
    return sum(binding.num_bytes(sizes) for binding in variant.bindings)


def make_pipelines(device: Device, variant: Variant, *, sizes: Sizes) -> tuple[Pipeline, ...]:
    """A pipeline for each pass.

    Raises
    ------
    UnavailableError
        The device lacks what one of them needs.
    """
    return tuple(
        device.pipeline(
            code_of(variant, index, api=device.facts.api),
            entry_point=step.entry_point,
            num_buffers=len(step.bindings),
            push_constant_bytes=step.push_constant_bytes,
            specialization=step.specialization(sizes),
            workgroup=step.workgroup,
        )
        for index, step in enumerate(variant.passes)
    )


class PreparedKernel:
    """A variant with its inputs and reference, ready to be recorded on sets of buffers.

    Parameters
    ----------
    mode
        Memory of the buffers. ``staged`` is the device's own memory, where a kernel is as fast as it can be.
    seed
        Of the inputs.
    """

    def __init__(
        self,
        device: Device,
        kernel: Kernel,
        variant: Variant,
        *,
        sizes: Sizes,
        mode: MemoryMode = "staged",
        seed: int = 0,
    ) -> None:
        self._device, self._variant, self._sizes, self._mode = device, variant, sizes, mode
        self._inputs = make_inputs(kernel, variant, sizes=sizes, seed=seed)
        self._reference = expected(kernel, variant, self._inputs, sizes=sizes)
        self.pipelines = make_pipelines(device, variant, sizes=sizes)
        self._sets: list[dict[str, Buffer]] = []

    @property
    def creation_s(self) -> float:
        """Seconds that making all pipelines took."""
        return sum(pipeline.creation_s for pipeline in self.pipelines)

    @property
    def commands_per_run(self) -> int:
        """Dispatches that the op takes once."""
        return len(self.pipelines)

    def _make_set(self) -> dict[str, Buffer]:
        made: dict[str, Buffer] = {}
        for binding in self._variant.bindings:
            buffer = self._device.buffer(binding.num_bytes(self._sizes), mode=self._mode)
            made[binding.name] = buffer
            data: npt.NDArray[Any] | None = self._inputs.get(binding.name)
            buffer.write(_POISON * buffer.num_bytes if data is None else data)
        return made

    def sets(self, count: int) -> tuple[Sequence[Command], ...]:
        """Commands that run the op once, for each of ``count`` sets of buffers with the same content."""
        while len(self._sets) < count:
            self._sets.append(self._make_set())
        return tuple(self._commands(buffers) for buffers in self._sets[:count])

    def _commands(self, buffers: dict[str, Buffer]) -> Sequence[Command]:
        return tuple(
            Dispatch(
                pipeline,
                [buffers[binding.name] for binding in step.bindings],
                step.groups(self._sizes),
                step.push_constants(self._sizes),
            )
            for pipeline, step in zip(self.pipelines, self._variant.passes, strict=True)
        )

    def check(self, index: int) -> float:
        """Largest error of the outputs in set ``index``, as a share of what is allowed.

        Raises
        ------
        WrongOutputError
            It is above 1.
        """
        contents = {
            name: output_array(self._variant, name, self._sets[index][name].read())
            for name in self._reference
        }
        compared = compare(self._variant, contents, self._reference)
        for one in compared:
            if not one.is_right:
                raise WrongOutputError(
                    f"{one.output}[{one.index}] is {one.found:.9g}, expected {one.expected:.9g}: "
                    f"{one.worst:.3g} times the error allowed."
                )
        return float(np.max([one.worst for one in compared], initial=0.0))

    def close_sets(self, *, keep: int = 0) -> None:
        """Free all sets of buffers but the first ``keep``."""
        for buffers in self._sets[keep:]:
            for buffer in buffers.values():
                buffer.close()
        del self._sets[keep:]

    def close(self) -> None:
        """Free the buffers and the pipelines."""
        self.close_sets()
        for pipeline in self.pipelines:
            pipeline.close()
        self.pipelines = ()
