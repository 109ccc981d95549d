"""How much of a GPU's peaks can be reached, from ceilings measured on the same GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from bench_lib.errors import UsageError
from bench_lib.roofline.roofs import Roofs
from bench_lib.roofline.values import Axis, LaunchValues

if TYPE_CHECKING:
    from bench_lib.roofline.ceilings import Ceilings


#: Pipe → precision of the matrix product that fills it, and the report's names of its peak.
_PRODUCTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "fma": ("fp32", ("fp32",)),
    "tensor": ("bf16", ("tensor_bf16", "tensor_fp16")),
}


def attainable_shares(
    ceilings: Ceilings | None, *, gpu: str | None, boost: Roofs, values: LaunchValues
) -> Mapping[Axis, float]:
    """Measured ceiling over peak at boost, by axis: 0.92 where a copy reaches 92 % of DRAM's peak.

    Only for DRAM, and for arithmetic where FMA or tensor pipes lead it; other axes keep their peak,
    and so does one whose peak the report does not have. Never above 1.

    Raises
    ------
    UsageError
        The ceilings are another GPU's.
    """
    if ceilings is None:
        return {}
    if gpu is None or gpu.casefold() != ceilings.name.casefold():
        raise UsageError.of(
            "--ceilings",
            found=f"those of {ceilings.name}",
            expected=f"those of {gpu or 'the GPU of the report, which does not name it'}",
            hint="Run bench-lib ceilings --device cuda --json on the GPU that was profiled.",
        )
    shares: dict[Axis, float] = {}
    dram = boost.bytes_per_s.get("dram")
    if dram:
        shares["dram"] = min(1.0, ceilings.copy_bytes_per_s / dram)
    top = values.top("math")
    if top is not None and top.pipe in _PRODUCTS:
        precision, peaks = _PRODUCTS[top.pipe]
        peak = next((p for name in peaks if (p := boost.flop_per_s.get(name))), None)
        rate = ceilings.flop_per_s.get(precision)
        if peak and rate:
            shares["math"] = min(1.0, rate / peak)
    return shares
