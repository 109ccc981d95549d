"""Floating-point work of a launch, bytes it moved, and arithmetic intensity.

A precision whose counters are absent is unknown, unless the table of executed instructions shows
that there was none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.launch import HasInstances, Launch
from bench_lib.roofline.values import extract

PRECISIONS: Final = ("fp64", "fp32", "fp16", "tensor")

#: precision → (letter in the opcode names, FLOP of one thread's add, of its FMA).
#: FP16 arithmetic works on pairs: an HFMA2 is four FLOP a thread. ncu's own chart counted two up to
#: 2024.1 and four from 2025.1 on.
_SCALAR: Final = {"fp64": ("d", 1, 2), "fp32": ("f", 1, 2), "fp16": ("h", 2, 4)}
#: FLOP a thread of each arithmetic opcode; the packed forms (…2) work on pairs.
_OPCODES: Final = {
    "fp64": {"DADD": 1, "DMUL": 1, "DFMA": 2},
    "fp32": {"FADD": 1, "FMUL": 1, "FFMA": 2, "FADD2": 2, "FMUL2": 2, "FFMA2": 4, "FADD32I": 1, "FMUL32I": 1}
    | {"FFMA32I": 2},
    "fp16": {"HADD2": 2, "HMUL2": 2, "HFMA2": 4, "HADD2_32I": 2, "HMUL2_32I": 2, "HFMA2_32I": 4},
}
_OPCODE_TABLE: Final = "sass__inst_executed_per_opcode_with_modifier_all"
#: Threads whose predicate was true, by opcode: what the ``pred_on`` counters count.
_THREAD_TABLE: Final = "sass__thread_inst_executed_true_per_opcode"
_TENSOR_OPCODE: Final = re.compile(r"(?:HMMA|DMMA|OMMA|QMMA|HGMMA|QGMMA|UTC\w*MMA)\b.*")
_INTEGER_MMA: Final = re.compile(r"(?:IMMA|BMMA|IGMMA|BGMMA|UTCIMMA)\b.*")
#: Warp-level MMA: opcode and shape → FLOP an instruction, 2·M·N·K. Volta's 884 is a quarter-warp
#: shape issued for two pairs: 512 FLOP.
_MMA_SHAPE: Final = re.compile(r"(?P<op>HMMA|DMMA)\.(?:SP\.)?(?P<shape>884|1684|1688|16816|16832)\b")
_MMA_FLOP: Final = {
    ("HMMA", "884"): 512,
    ("HMMA", "1684"): 2 * 16 * 8 * 4,
    ("HMMA", "1688"): 2 * 16 * 8 * 8,
    ("HMMA", "16816"): 2 * 16 * 8 * 16,
    ("HMMA", "16832"): 2 * 16 * 8 * 32,
    ("DMMA", "884"): 2 * 8 * 8 * 4,
    ("DMMA", "1684"): 2 * 16 * 8 * 4,
    ("DMMA", "1688"): 2 * 16 * 8 * 8,
    ("DMMA", "16816"): 2 * 16 * 8 * 16,
}
#: ``sm__ops_path_tensor_[op_X_]src_S[_dst_D][_sparsity_on|off]``
OPS_PATH: Final = re.compile(
    r"sm__ops_path_tensor(?:_op_(?P<op>[a-z]+))?_src_(?P<src>[a-z0-9_]+?)(?:_dst_(?P<dst>[a-z0-9]+))?"
    r"(?:_sparsity_(?P<sparsity>on|off))?\.sum(?P<rollup>\.per_cycle_elapsed|\.per_second)?"
)


@dataclass(frozen=True)
class Work:
    """What a launch did.

    Parameters
    ----------
    flop_by_precision
        FLOP by ``fp64``, ``fp32``, ``fp16`` and ``tensor``; ``None`` is unknown, 0 is counted as none.
    dram_bytes
        Bytes read from and written to device memory.
    duration_s
        Duration under the profiler's clocks.
    """

    flop_by_precision: Mapping[str, float | None] = field(default_factory=dict)
    dram_bytes: float | None = None
    dram_read_bytes: float | None = None
    duration_s: float | None = None

    @property
    def flop(self) -> float | None:
        """All FLOP; unknown where any precision is."""
        parts = [self.flop_by_precision.get(p) for p in PRECISIONS]
        known = [p for p in parts if p is not None]
        return sum(known) if len(known) == len(parts) else None

    @property
    def arithmetic_intensity_flop_per_byte(self) -> float | None:
        """FLOP a byte of DRAM traffic; unknown where either is, or where there was no traffic."""
        if self.flop is None or not self.dram_bytes:
            return None
        return self.flop / self.dram_bytes

    @property
    def flop_per_s_by_precision(self) -> dict[str, float]:
        """Achieved rate of each precision whose work is known, under the profiler's clocks."""
        if not self.duration_s:
            return {}
        known = self.flop_by_precision.items()
        return {name: flop / self.duration_s for name, flop in known if flop is not None}

    @property
    def flop_per_s(self) -> float | None:
        """Achieved rate, under the profiler's clocks."""
        if self.flop is None or not self.duration_s:
            return None
        return self.flop / self.duration_s


def opcode_counts(launch: Launch, table: str = _OPCODE_TABLE) -> dict[str, float] | None:
    """Executed instructions by opcode; ``None`` where the source has no such table.

    Raises
    ------
    DamagedFileError
        The table's bytes are broken.
    """
    metrics = launch.metrics
    if not isinstance(metrics, HasInstances) or table not in launch.metrics:
        return None
    rows = metrics.instances(table)
    if not rows:
        return None
    counts: dict[str, float] = {}
    for opcode, count in rows:
        if not isinstance(opcode, str) or not isinstance(count, int | float) or not count >= 0:
            raise DamagedFileError(
                metrics.path, found="an instruction table with a broken row", expected="opcodes and counts"
            )
        counts[opcode] = counts.get(opcode, 0.0) + count
    return counts


def _from_counters(launch: Launch, letter: str, add_flop: int, fma_flop: int) -> float | None:
    """FLOP = (add + mul)·a + fma·b, from totals or from rates a cycle times elapsed cycles."""
    weights = (("add", add_flop), ("mul", add_flop), ("fma", fma_flop))
    prefix = f"smsp__sass_thread_inst_executed_op_{letter}"
    totals = [launch.number(f"{prefix}{op}_pred_on.sum") for op, _ in weights]
    if None not in totals:
        return sum(t * w for t, (_, w) in zip(totals, weights, strict=True) if t is not None)
    rates = [launch.number(f"{prefix}{op}_pred_on.sum.per_cycle_elapsed") for op, _ in weights]
    cycles_per_s = launch.number("smsp__cycles_elapsed.avg.per_second")
    duration_s = extract(launch).duration_s
    if None in rates or cycles_per_s is None or duration_s is None:
        return None
    per_cycle = sum(r * w for r, (_, w) in zip(rates, weights, strict=True) if r is not None)
    return per_cycle * cycles_per_s * duration_s


def _total(launch: Launch, metric: str, rollup: str | None) -> float | None:
    value = launch.number(metric)
    duration_s = extract(launch).duration_s
    if value is None or rollup is None:
        return value
    if duration_s is None:
        return None
    if rollup == ".per_second":
        return value * duration_s
    cycles_per_s = launch.number("sm__cycles_elapsed.avg.per_second")
    return None if cycles_per_s is None else value * cycles_per_s * duration_s


def tensor_flop_by_source(launch: Launch) -> dict[str, float]:
    """Tensor FLOP by source type, from the ``ops_path`` counters; integer types are left out.

    Names overlap: a total, its parts by operation, and each with and without sparsity. For one
    source and destination the most general counter counts, else the sum of its parts.
    """
    found: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for metric in launch.metrics:
        match = OPS_PATH.fullmatch(metric) if metric.startswith("sm__ops_path_tensor") else None
        if match is None or re.match(r"u?int|s\d|u\d|b1|bin", match["src"]):
            continue
        value = _total(launch, metric, match["rollup"])
        if value is not None:
            variants = found.setdefault((match["src"], match["dst"] or ""), {})
            variants.setdefault((match["op"] or "", match["sparsity"] or ""), value)
    flop: dict[str, float] = {}
    for (source, destination), variants in found.items():
        if destination == "" and any(s == source and d for s, d in found):
            continue
        flop[source] = flop.get(source, 0.0) + _most_general(variants)
    return flop


def _most_general(variants: Mapping[tuple[str, str], float]) -> float:
    def over_sparsity(op: str) -> float | None:
        if (op, "") in variants:
            return variants[op, ""]
        parts = [v for (o, s), v in variants.items() if o == op and s]
        return sum(parts) if parts else None

    total = over_sparsity("")
    if total is not None:
        return total
    return sum(over_sparsity(op) or 0.0 for op in {op for op, _ in variants})


def _tensor(launch: Launch, opcodes: Mapping[str, float] | None) -> float | None:
    by_source = tensor_flop_by_source(launch)
    if opcodes is not None:
        used = {o: n for o, n in opcodes.items() if n and _TENSOR_OPCODE.fullmatch(o)}
        if not used:
            return 0.0
        flop = 0.0
        for opcode, count in used.items():
            match = _MMA_SHAPE.match(opcode)
            per_instruction = match and _MMA_FLOP.get((match["op"], match["shape"]))
            if per_instruction is None:
                # A shape that is not known: only the hardware's own count will do.
                return sum(by_source.values()) or None
            flop += count * per_instruction
        return flop
    if any(by_source.values()):
        return sum(by_source.values())
    # HFMA2.MMA runs in the tensor pipe and is no MMA, so only an idle pipe proves anything here.
    pipe = [
        launch.number(name)
        for name in launch.metrics
        if re.match(r"sm(?:sp)?__(?:inst_executed_)?pipe_(?:tensor|tc)", name)
        and not name.endswith("peak_sustained")
    ]
    busy = [p for p in pipe if p is not None]
    return 0.0 if busy and not any(busy) else None


def measure_work(launch: Launch) -> Work:
    """FLOP and DRAM bytes of a launch.

    **Source**: ncu's roofline sections: (add + mul + 2·fma) of the ``smsp__sass_thread_inst_executed_op``
    counters; tensor by ``sm__ops_path_tensor``, or the table of opcodes times the MMA's shape.
    """
    opcodes, threads = opcode_counts(launch), opcode_counts(launch, _THREAD_TABLE)
    flop: dict[str, float | None] = {}
    for precision, (letter, add_flop, fma_flop) in _SCALAR.items():
        counted = _from_counters(launch, letter, add_flop, fma_flop)
        if counted is None and threads is not None:
            counted = sum(n * _OPCODES[precision].get(o.partition(".")[0], 0) for o, n in threads.items())
        flop[precision] = counted
    flop["tensor"] = _tensor(launch, opcodes)
    duration_s = extract(launch).duration_s
    read, total = _dram_bytes(launch, duration_s)
    return Work(flop_by_precision=flop, dram_bytes=total, dram_read_bytes=read, duration_s=duration_s)


def _dram_bytes(launch: Launch, duration_s: float | None) -> tuple[float | None, float | None]:
    """Bytes (read, in all); RTX 50 exports say ``op_read`` where others say ``read``."""

    def total_of(*names: str) -> float | None:
        for name in names:
            total = launch.number(f"{name}.sum")
            rate = launch.number(f"{name}.sum.per_second")
            if total is None and rate is not None and duration_s is not None:
                total = rate * duration_s
            if total is not None:
                return total
        return None

    read = total_of("dram__bytes_read", "dram__bytes_op_read")
    write = total_of("dram__bytes_write", "dram__bytes_op_write")
    return read, read + write if read is not None and write is not None else total_of("dram__bytes")
