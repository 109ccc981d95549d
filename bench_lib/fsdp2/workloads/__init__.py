"""Training workloads: one file each, found by name.

A file in this folder lists its presets in ``PRESETS``; nothing else needs to change. A preset from
elsewhere is named ``module:attribute``. Importing a workload imports torch.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from bench_lib.errors import UsageError

if TYPE_CHECKING:
    import torch
    from torch import nn

    from bench_lib.fsdp2.config import RunConfig


@runtime_checkable
class Preset(Protocol):
    """A model with its sizes, and the data it trains on.

    Attributes
    ----------
    name
        How the command line and asv's parameters name it.
    batch_per_rank, sequence_length
        Shape (batch, sequence) of the tokens that each rank takes a step.
    """

    @property
    def name(self) -> str: ...
    @property
    def batch_per_rank(self) -> int: ...
    @property
    def sequence_length(self) -> int: ...

    def build(self) -> nn.Module:
        """The model, on the current default device; its values need not be initialised."""
        ...

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """Modules that are sharded on their own, in the order of the forward pass."""
        ...

    def initialise(self, name: str, tensor: torch.Tensor, *, generator: torch.Generator) -> None:
        """Fill the whole (unsharded) parameter ``name`` in place."""
        ...

    def batch(self, *, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Inputs and targets of one rank's share of a step, on the CPU."""
        ...

    def loss(self, model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        """Mean loss over the batch, a scalar."""
        ...

    def flop_per_step(self) -> float:
        """Model FLOP of forward and backward over one rank's batch, without recomputation."""
        ...


def all_presets() -> dict[str, Preset]:
    """Every preset of this folder by name. Imports torch."""
    found: dict[str, Preset] = {}
    for module_info in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        for preset in module.PRESETS:
            if preset.name in found:
                raise ValueError(f"two presets are named {preset.name!r}")
            found[preset.name] = preset
    return found


def find(name: str) -> Preset:
    """The preset called ``name``, or the one at ``module:attribute``.

    The attribute may also be a factory: something that gives a preset when called without arguments.

    Raises
    ------
    UsageError
        There is none; the message lists those that exist.
    """
    module_name, colon, attribute = name.partition(":")
    if colon:
        try:
            preset = functools.reduce(getattr, attribute.split("."), importlib.import_module(module_name))
            if callable(preset) and (isinstance(preset, type) or not isinstance(preset, Preset)):
                preset = preset()
        except ModuleNotFoundError as error:
            raise UsageError.of(
                "preset",
                found=name,
                expected=f"an importable preset ({error})",
                hint="Name the folder of the module in PYTHONPATH: the working directory is not searched.",
            ) from error
        # A module or a factory of the user raises what it likes.
        except Exception as error:
            said = (str(error).splitlines() or ["no message"])[0]
            raise UsageError.of(
                "preset", found=name, expected=f"an importable preset ({type(error).__name__}: {said})"
            ) from error
        if not isinstance(preset, Preset):
            raise UsageError.of("preset", found=name, expected="an object with the methods of Preset")
        return preset
    presets = all_presets()
    if name not in presets:
        raise UsageError.of(
            "preset", found=name, expected="one of " + ", ".join(presets) + ", or module:attribute"
        )
    return presets[name]


def resized(
    preset: Preset,
    *,
    batch_per_rank: int | None = None,
    sequence_length: int | None = None,
    num_layers: int | None = None,
) -> Preset:
    """``preset`` with another batch, sequence or depth; ``None`` leaves each as it is.

    Raises
    ------
    UsageError
        The preset is no dataclass with such fields.
    """
    wanted = {
        "batch_per_rank": batch_per_rank,
        "sequence_length": sequence_length,
        "num_layers": num_layers,
    }
    changes = {name: value for name, value in wanted.items() if value is not None}
    if not changes:
        return preset
    known: set[str] = (
        {f.name for f in dataclasses.fields(preset)} if dataclasses.is_dataclass(preset) else set()
    )
    missing = sorted(set(changes) - known)
    if missing:
        raise UsageError(
            f"preset {preset.name}: found no field {missing[0]!r} to change, expected a dataclass with it. "
            "Give the preset that field, or run it at its own size."
        )
    made: Preset = dataclasses.replace(preset, **changes)  # type: ignore[type-var]
    return made


def of_config(config: RunConfig) -> Preset:
    """The preset that a run names, at the size that it asks for."""
    return resized(
        find(config.preset), batch_per_rank=config.batch_per_rank, sequence_length=config.sequence_length
    )
