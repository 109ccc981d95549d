"""The runtime's device times against a C program that runs the same SPIR-V, in turn within one run."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from bench_lib.edge.isolated import ask
from bench_lib.edge.jobs import KernelJob
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.measure import find_device
from bench_lib.edge.reference import make_inputs
from bench_lib.edge.runtime import DeviceFacts
from bench_lib.edge.timing import TimingPlan
from bench_lib.edge.tracked import wanted_device
from bench_lib.errors import DeviceError, UnavailableError

SOURCE = Path(__file__).with_name("independent") / "dispatch.c"
NUM_PAIRS, NUM_SAMPLES = 5, 20


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


class Pair:
    """One kernel, ready to be run by both programs with the same numbers of runs and samples."""

    def __init__(self, op: str, folder: Path, *, device: DeviceFacts) -> None:
        self.kernel, self.device, self.folder = load_kernel(op), device, folder
        self.sizes = self.kernel.shapes[0]
        dtype = self.kernel.dtypes[0]
        self.variant = self.kernel.choose(dtype, sizes=self.sizes, device=device)
        self.program = compile_program(folder)
        (folder / "kernel.spv").write_bytes(self.variant.spirv)
        for name, array in make_inputs(self.kernel, self.variant, sizes=self.sizes).items():
            (folder / name).write_bytes(array.tobytes())

    def ours(self) -> tuple[float, float, int]:
        """Median device and processor seconds, and runs a sample."""
        plan = TimingPlan(num_samples=NUM_SAMPLES)
        job = KernelJob(
            device=self.device.selector,
            kernel=self.kernel.op,
            variant=self.variant.name,
            sizes=self.sizes,
            plan=plan,
            memory_mode="mapped",
            cold=False,
            creation=False,
        )
        found = ask(job, timeout_s=300)
        if not found.parts:
            raise DeviceError(found.code, found.reason)
        by_metric = {m.metric: m for m in found.parts[0].measurements}
        device, cpu = by_metric["dispatch_time"], by_metric["dispatch_cpu_time"]
        return statistics.median(device.samples), statistics.median(cpu.samples), device.number

    def theirs(self, runs: int) -> tuple[float, float]:
        """Median device and processor seconds of the C program."""
        step = self.variant.passes[0]
        buffers = [
            f"{b.num_bytes(self.sizes)}:{self.folder / b.name if b.role == 'input' else ''}"
            for b in step.bindings
        ]
        command = [self.program, self.device.name, self.folder / "kernel.spv", step.entry_point]
        command += [runs, NUM_SAMPLES, *step.groups(self.sizes)]
        command += [step.push_constants(self.sizes).hex(), *buffers]
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, check=True, timeout=300
        )
        values = list(map(float, done.stdout.split()))
        return statistics.median(values[::2]), statistics.median(values[1::2])


class AgainstIndependent:
    """Our time over the C program's, by pair; 1 is agreement.

    On a software device that shares its processor, compare processor time: the other steps with the load.
    """

    params = (["saxpy", "rmsnorm", "gemv"],)
    param_names = ("op",)
    timeout = 1800

    def setup(self, op: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        try:
            self._pair = Pair(op, Path(self._folder.name), device=find_device(wanted_device()))
        except UnavailableError as error:
            raise NotImplementedError(str(error)) from error

    def teardown(self, op: str) -> None:
        self._folder.cleanup()

    def ratios(self) -> tuple[list[float], list[float]]:
        """Ratios of device time and of processor time, one a pair."""
        *_, runs = self._pair.ours()
        device, cpu = [], []
        for index in range(NUM_PAIRS):
            # Which goes first takes turns, so that a slow spell of the machine favours neither.
            theirs = None if index % 2 else self._pair.theirs(runs)
            ours_s, ours_cpu_s, runs = self._pair.ours()
            theirs_s, theirs_cpu_s = theirs or self._pair.theirs(runs)
            device.append(ours_s / theirs_s)
            cpu.append(ours_cpu_s / theirs_cpu_s)
        return device, cpu

    def track_device_time_ratio(self, op: str) -> dict[str, object]:
        return {"samples": self.ratios()[0], "number": 1}

    def track_cpu_time_ratio(self, op: str) -> dict[str, object]:
        return {"samples": self.ratios()[1], "number": 1}

    track_device_time_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_device_time_ratio.version = "edge-independent-device-1"  # type: ignore[attr-defined]
    track_cpu_time_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_cpu_time_ratio.version = "edge-independent-cpu-1"  # type: ignore[attr-defined]
