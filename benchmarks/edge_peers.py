"""GEMM, GEMV and RMSNorm against the Vulkan kernels of ncnn, IREE and llama.cpp, on the same device in turn.

Each framework runs chains of the op in a process of its own; see ``peers/chains.py``. The ratios are our
time over theirs, by pair of samples: below 1 ours is faster. A framework that is not installed is a skip.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_lib.edge.kernel_job import features_of
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.measure import find_device
from bench_lib.edge.prepared import PreparedKernel
from bench_lib.edge.tracked import wanted_device
from bench_lib.edge.vulkan.device import open_device
from bench_lib.errors import DeviceError, UnavailableError

FOLDER = Path(__file__).with_name("peers")
PEERS = {"ncnn": "ncnn_chain.py", "iree": "iree_chain.py", "llama.cpp": "llama_cpp_chain.py"}
#: Rows and columns of what goes through the chain; a GEMV's matrix is larger than the last-level caches here.
SHAPES = {"gemm": (512, 512), "gemv": (1, 4096), "rmsnorm": (1024, 4096)}
#: What is compared → op and data type, as the frameworks' programs call them.
CASES = {
    **{op: (op, "fp32") for op in SHAPES},
    **{f"{op} fp16": (op, "fp16") for op in SHAPES},
    "gemv int8": ("gemv", "int8"),
    "gemv int4": ("gemv", "int4"),
}
RUNS = 5
#: Pairs of samples: the most, the fewest, and the seconds after which no more than those are taken.
MOST_PAIRS, FEWEST_PAIRS, SERIES_S = 11, 5, 30.0


def sizes_of(op: str) -> dict[str, int]:
    """The shape as our op names its sizes."""
    rows, cols = SHAPES[op]
    if op == "gemm":
        return {"m": rows, "n": cols, "k": cols}
    return {"m": cols, "k": cols} if op == "gemv" else {"rows": rows, "cols": cols}


def _answer(process: subprocess.Popen[str], errors: Path) -> dict[str, float]:
    """What the framework's program says next; a skip where it cannot take part."""
    assert process.stdout is not None
    line = process.stdout.readline()
    # Some frameworks log there too.
    while line and not line.startswith("{"):
        line = process.stdout.readline()
    if not line:
        said = errors.read_text(errors="replace").strip().splitlines()
        raise DeviceError(
            "process-failed", f"the framework's program ended early: {said[-1] if said else ''}"
        )
    answer: dict[str, float] = json.loads(line)
    if "skip" in answer:
        raise NotImplementedError(str(answer["skip"]))
    return answer


@functools.lru_cache(maxsize=1)
def ratios(peer: str, case: str) -> dict[str, list[float]]:
    """Our time a run over the framework's, by pair of samples: processor time, and the host's clock."""
    facts = find_device(wanted_device())
    op, dtype = CASES[case]
    has_blocks = dtype in ("int8", "int4")
    kernel, sizes = load_kernel(f"{op}_{dtype}" if has_blocks else op), sizes_of(op)
    # Of weights in blocks, the data type of a variant is that of x.
    variant = kernel.choose("fp32" if has_blocks else dtype, sizes=sizes, device=facts)
    command = [sys.executable, FOLDER / PEERS[peer], op, dtype, *SHAPES[op], facts.name]
    with (
        tempfile.TemporaryDirectory() as name,
        (Path(name) / "errors").open("w") as errors,
        subprocess.Popen(
            [*map(str, command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=name,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        ) as process,
        open_device(facts.selector, features=features_of(variant, facts)) as device,
    ):
        assert process.stdin is not None
        try:
            _answer(process, Path(errors.name))
        except DeviceError as error:
            # Some end themselves where they do not like the device.
            raise NotImplementedError(str(error)) from error
        prepared = PreparedKernel(device, kernel, variant, sizes=sizes)
        (commands,) = prepared.sets(1)
        batch = device.batch(commands, count=RUNS * prepared.commands_per_run)
        batch.run()
        prepared.check(0)
        found: dict[str, list[float]] = {"cpu_s": [], "wall_s": []}
        begin = time.monotonic()
        for index in range(MOST_PAIRS):
            if index >= FEWEST_PAIRS and time.monotonic() - begin > SERIES_S:
                break
            # Which goes first takes turns: the second may find the processor warm.
            ours = batch.run() if index % 2 else None
            process.stdin.write("\n")
            process.stdin.flush()
            theirs = _answer(process, Path(errors.name))
            timing = ours or batch.run()
            for key, seconds in (("cpu_s", timing.cpu_s), ("wall_s", timing.round_trip_s)):
                # A difference of two times may be nothing where noise is most of it.
                if theirs[key] > 0:
                    found[key].append(seconds / RUNS / theirs[key])
        return found


class AgainstFrameworks:
    """Our time over a framework's, on the same data type, shape and device."""

    params = (list(CASES), list(PEERS))
    param_names = ("op", "framework")
    timeout = 600

    def setup(self, op: str, framework: str) -> None:
        try:
            self._found = ratios(framework, op)
        except UnavailableError as error:
            raise NotImplementedError(str(error)) from error

    def track_cpu_time_ratio(self, op: str, framework: str) -> dict[str, object]:
        if find_device(wanted_device()).kind != "software":
            raise NotImplementedError("the processor's time says nothing of a GPU's kernels")
        return {"samples": self._found["cpu_s"], "number": 1}

    def track_wall_time_ratio(self, op: str, framework: str) -> dict[str, object]:
        return {"samples": self._found["wall_s"], "number": 1}

    track_cpu_time_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_cpu_time_ratio.version = "edge-peers-cpu-1"  # type: ignore[attr-defined]
    track_wall_time_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_wall_time_ratio.version = "edge-peers-wall-1"  # type: ignore[attr-defined]
