"""The runtime's device times against a C program that runs the same SPIR-V, sample by sample in turn."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from pathlib import Path

from bench_lib.edge.kernel_job import features_of
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.measure import find_device
from bench_lib.edge.prepared import PreparedKernel
from bench_lib.edge.reference import make_inputs
from bench_lib.edge.timing import TimingPlan, estimate_run_s, runs_per_sample
from bench_lib.edge.tracked import wanted_device
from bench_lib.edge.vulkan.device import open_device
from bench_lib.errors import DeviceError, UnavailableError

SOURCE = Path(__file__).with_name("independent") / "dispatch.c"
NUM_PAIRS, TIMEOUT_S = 200, 60


def compile_program(folder: Path) -> Path:
    """The C program, or a skip where it cannot be compiled: it needs Vulkan's headers."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NotImplementedError("no C compiler")
    program = folder / "dispatch"
    done = subprocess.run(
        [compiler, "-O2", "-o", program, SOURCE, "-lvulkan"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotImplementedError("the program does not compile; on Debian: apt-get install libvulkan-dev")
    return program


def ratios(op: str) -> tuple[list[float], list[float]]:
    """Our device time over the C program's, and our processor time over its, by pair of samples.

    Both hold the kernel ready and take a sample in turn, milliseconds apart: on a machine that others share,
    anything slower would compare two loads.
    """
    facts = find_device(wanted_device())
    kernel = load_kernel(op)
    sizes = kernel.shapes[0]
    variant = kernel.choose(kernel.dtypes[0], sizes=sizes, device=facts)
    step = variant.passes[0]
    with (
        tempfile.TemporaryDirectory() as name,
        open_device(facts.selector, features=features_of(variant, facts)) as device,
    ):
        folder = Path(name)
        program = compile_program(folder)
        (folder / "kernel.spv").write_bytes(variant.spirv)
        for input_, array in make_inputs(kernel, variant, sizes=sizes).items():
            (folder / input_).write_bytes(array.tobytes())
        prepared = PreparedKernel(device, kernel, variant, sizes=sizes, mode="mapped")
        (commands,) = prepared.sets(1)
        run_s = estimate_run_s(device, commands, timeout_s=TIMEOUT_S)
        prepared.check(0)
        runs = runs_per_sample(run_s, TimingPlan(sample_s=0.003))
        batch = device.batch(commands, count=runs)
        batch.run()
        arguments = [facts.name, folder / "kernel.spv", step.entry_point, runs, NUM_PAIRS]
        arguments += [*step.groups(sizes), step.push_constants(sizes).hex()]
        for b in step.bindings:
            arguments.append(f"{b.num_bytes(sizes)}:{folder / b.name if b.role == 'input' else ''}")
        device_ratios, cpu_ratios = [], []
        with subprocess.Popen(
            [program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            for index in range(NUM_PAIRS):
                # Which goes first takes turns: the second may find the processor warm.
                ours = batch.run() if index % 2 else None
                process.stdin.write("\n")
                process.stdin.flush()
                line = process.stdout.readline().split()
                if len(line) != 2:
                    raise DeviceError("process-failed", "the independent program ended early.")
                timing = ours or batch.run()
                theirs_s, theirs_cpu_s = map(float, line)
                device_ratios.append((timing.device_s or math.nan) / runs / theirs_s)
                cpu_ratios.append(timing.cpu_s / runs / theirs_cpu_s)
        return device_ratios, cpu_ratios


class AgainstIndependent:
    """Our time over the C program's, by pair of samples; 1 is agreement."""

    params = (["saxpy", "rmsnorm", "gemv"],)
    param_names = ("op",)
    timeout = 600

    def setup(self, op: str) -> None:
        try:
            self._device, self._cpu = ratios(op)
        except UnavailableError as error:
            raise NotImplementedError(str(error)) from error

    def track_device_time_ratio(self, op: str) -> dict[str, object]:
        return {"samples": self._device, "number": 1}

    def track_cpu_time_ratio(self, op: str) -> dict[str, object]:
        return {"samples": self._cpu, "number": 1}

    track_device_time_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_device_time_ratio.version = "edge-independent-device-1"  # type: ignore[attr-defined]
    track_cpu_time_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_cpu_time_ratio.version = "edge-independent-cpu-1"  # type: ignore[attr-defined]
