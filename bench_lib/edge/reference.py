"""What a kernel's output has to be: inputs and float64 results from the ``reference.py`` of its folder.

That file is Python code of the folder's author, and is run. It defines

``make_inputs(sizes, types, parameters, rng)``
    Arrays by binding, of the elements' types; ``rng`` is a seeded :class:`numpy.random.Generator`.
``expected(inputs, sizes, types, parameters)``
    For each output a pair (values, magnitudes) of float64 arrays; see
    :class:`bench_lib.edge.kernel.Tolerance`.
"""

from __future__ import annotations

import importlib.util
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bench_lib.edge.kernel import Kernel, Sizes, Variant
from bench_lib.errors import DamagedFileError

Arrays = dict[str, npt.NDArray[Any]]

NUMPY_TYPES: Final[dict[str, type]] = {
    "f32": np.float32,
    "f16": np.float16,
    "i8": np.int8,
    "u8": np.uint8,
    "i32": np.int32,
    "u32": np.uint32,
}


@dataclass(frozen=True)
class Comparison:
    """How one output compares with its reference.

    Parameters
    ----------
    worst
        Largest error divided by what is allowed; at most 1 where the output is right. Infinite where one is
        not a number and the other is.
    index
        Where.
    found, expected
        The two values there.
    """

    output: str
    worst: float
    index: int
    found: float
    expected: float

    @property
    def is_right(self) -> bool:
        """Whether every element is within its tolerance."""
        return self.worst <= 1.0


def _call(kernel: Kernel, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Run code of the folder's author, who is told of whatever it raises: it is theirs to mend."""
    try:
        return function(*arguments)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        path = kernel.reference_path
        own = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        line = f" in line {own[-1]}" if own else ""
        said = " ".join(str(error).split())[:300]
        raise DamagedFileError(
            path,
            found=f"{name} that raised {type(error).__name__}{line}{f': {said}' if said else ''}",
            expected="make_inputs and expected, which raise nothing for these sizes",
        ) from error


def _module(kernel: Kernel) -> ModuleType:
    path = kernel.reference_path
    spec = importlib.util.spec_from_file_location(f"bench_lib_reference_{kernel.op.replace('-', '_')}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise DamagedFileError(path, found="no Python file", expected="make_inputs and expected")
    module = importlib.util.module_from_spec(spec)
    _call(kernel, "import", spec.loader.exec_module, module)
    for name in ("make_inputs", "expected"):
        if not callable(getattr(module, name, None)):
            raise DamagedFileError(path, found=f"no function {name}", expected="make_inputs and expected")
    return module


def _types(variant: Variant) -> dict[str, str]:
    return {binding.name: binding.element for binding in variant.bindings}


def _mapping(kernel: Kernel, function: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise DamagedFileError(
            kernel.reference_path,
            found=f"{function} that returns {type(given).__name__}",
            expected="a dict by binding",
        )
    return given


def _values_and_magnitudes(
    kernel: Kernel, name: str, pair: Any
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """One output of the reference, flat. A magnitude without a bound would let anything pass."""
    expected = "a pair of arrays of numbers, (values, magnitudes), and the magnitudes finite"
    try:
        values, magnitudes = (np.asarray(part, dtype=np.float64) for part in pair)
        scale = np.broadcast_to(magnitudes, values.shape)
    except (TypeError, ValueError) as error:
        raise DamagedFileError(
            kernel.reference_path, found=f"output {name}: {error}", expected=expected
        ) from error
    if not np.isfinite(scale).all():
        raise DamagedFileError(
            kernel.reference_path,
            found=f"output {name} with magnitudes that are not finite",
            expected=expected,
        )
    # Outputs hold it before a kernel runs, so a kernel that writes nothing would be right.
    if np.isnan(values).any():
        raise DamagedFileError(
            kernel.reference_path, found=f"output {name} with values that are not numbers", expected=expected
        )
    return values.reshape(-1), scale.reshape(-1)


def make_inputs(kernel: Kernel, variant: Variant, *, sizes: Sizes, seed: int = 0) -> Arrays:
    """Inputs by binding, each as long as its buffer; the same for the same seed.

    Raises
    ------
    DamagedFileError
        The reference gives other bindings, types or lengths than ``kernel.toml`` says.
    """
    variant.check_sizes(sizes)
    rng = np.random.default_rng(seed)
    made = _mapping(
        kernel,
        "make_inputs",
        _call(
            kernel,
            "make_inputs",
            _module(kernel).make_inputs,
            sizes,
            _types(variant),
            kernel.parameters,
            rng,
        ),
    )
    wanted = {binding.name: binding for binding in variant.bindings if binding.role == "input"}
    if set(made) != set(wanted):
        raise DamagedFileError(
            kernel.reference_path, found=f"inputs {sorted(made)}", expected=f"inputs {sorted(wanted)}"
        )
    inputs: Arrays = {}
    for name, binding in wanted.items():
        array = _call(kernel, f"input {name}", np.ascontiguousarray, made[name]).reshape(-1)
        kind, length = NUMPY_TYPES[binding.element], binding.num_elements(sizes)
        if array.dtype != kind or not 0 < array.size <= length:
            raise DamagedFileError(
                kernel.reference_path,
                found=f"input {name} of {array.size} {array.dtype}",
                expected=f"at most {length} {np.dtype(kind)}",
            )
        inputs[name] = np.concatenate([array, np.zeros(length - array.size, dtype=kind)])
    return inputs


def expected(
    kernel: Kernel, variant: Variant, inputs: Mapping[str, npt.NDArray[Any]], *, sizes: Sizes
) -> dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """Values and magnitudes of every output, flat; padding of a buffer is left out.

    Raises
    ------
    DamagedFileError
        The reference gives other outputs than ``kernel.toml`` says.
    """
    given = _mapping(
        kernel,
        "expected",
        _call(
            kernel,
            "expected",
            _module(kernel).expected,
            dict(inputs),
            sizes,
            _types(variant),
            kernel.parameters,
        ),
    )
    wanted = {binding.name: binding for binding in variant.bindings if binding.role == "output"}
    if set(given) != set(wanted):
        raise DamagedFileError(
            kernel.reference_path, found=f"outputs {sorted(given)}", expected=f"outputs {sorted(wanted)}"
        )
    results = {}
    for name, pair in given.items():
        flat, scale = _values_and_magnitudes(kernel, name, pair)
        if not 0 < flat.size <= wanted[name].num_elements(sizes):
            raise DamagedFileError(
                kernel.reference_path,
                found=f"output {name} of {flat.size} elements",
                expected="at most its buffer's",
            )
        results[name] = (flat, scale)
    return results


def compare(
    variant: Variant,
    outputs: Mapping[str, npt.NDArray[Any]],
    reference: Mapping[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]],
) -> tuple[Comparison, ...]:
    """Each output against its reference."""
    found = []
    for name, (values, magnitudes) in reference.items():
        actual = np.asarray(outputs[name]).reshape(-1)[: values.size].astype(np.float64)
        allowed = variant.tolerance.absolute + variant.tolerance.relative * np.abs(magnitudes)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.abs(actual - values)
            ratio = np.where(error == 0, 0.0, error / allowed)
        same = (np.isnan(actual) & np.isnan(values)) | (actual == values)
        ratio = np.where(same, 0.0, np.where(np.isnan(ratio), np.inf, ratio))
        at = int(np.argmax(ratio))
        found.append(Comparison(name, float(ratio[at]), at, float(actual[at]), float(values[at])))
    return tuple(found)


def output_array(variant: Variant, name: str, content: bytes) -> npt.NDArray[Any]:
    """Content of a buffer as an array of its elements' type."""
    element = next(binding.element for binding in variant.bindings if binding.name == name)
    return np.frombuffer(content, dtype=NUMPY_TYPES[element])
