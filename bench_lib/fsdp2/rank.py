"""What one rank's process does, from joining the group to its result."""

from __future__ import annotations

import dataclasses
import faulthandler
import gc
import json
import multiprocessing
import os
import signal
import threading
import time
import traceback
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from bench_lib.clocks import Clock, CudaEventClock, HostClock
from bench_lib.files import write_whole
from bench_lib.fsdp2 import (
    link_sweep,
    memory,
    sharding,
    trace,
    trace_memory,
    training,
    variants,
    workdir,
    workloads,
)
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.energy import EnergyCounter
from bench_lib.fsdp2.progress import ProgressWriter
from bench_lib.sampling import Plan, collect

#: Steps profiled for the CPU allocator's peak; the smallest counts, since a missed release can only add.
NUM_MEMORY_STEPS = 2

#: A rank whose peer died fails too, with a communication error. It waits for the launcher to see
#: the cause before the echo.
ECHO_DELAY_S = 1.0


@dataclass
class RankResult:
    """What one rank measured. Times in s, sizes in bytes; ``loss`` is this rank's own, one a step."""

    rank: int
    step_time_s: list[float]
    loss: list[float]
    cpu_time_s: float
    peak_rss_bytes: int
    peak_allocated_bytes: int | None
    peak_reserved_bytes: int | None
    clock: str
    allocator: str
    rss_source: str
    facts: dict[str, Any] = field(default_factory=dict)
    profile: dict[str, Any] | None = None


def main(workdir: str) -> None:
    """Entry point of a rank, called by torch's elastic agent."""
    directory = Path(workdir)
    rank = int(os.environ["RANK"])
    _leave_with_parent()
    with (directory / f"rank-{rank}.stack").open("w", encoding="utf-8") as stack:
        # SIGUSR1 asks where the rank is; SIGTERM is the launcher's, and noted so that a rank which it
        # ended is told from one that was killed. Both work while the rank is stuck in C++.
        faulthandler.enable(stack)
        faulthandler.register(signal.SIGUSR1, stack, all_threads=False)
        report = ProgressWriter(directory, rank=rank)
        terminated = (directory / f"rank-{rank}.sigterm").open("w", encoding="utf-8")
        faulthandler.register(signal.SIGTERM, terminated, all_threads=False, chain=True)
        # As the other signals: the exit code then names it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            _train(directory, rank=rank, report=report)
        except Exception as error:
            _leave_evidence(directory, rank=rank, error=error)
            raise
        report("done")


def _leave_with_parent() -> None:
    """End this process when the launcher's ends, however it ended: ranks are never left behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            parent.join()
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=watch, daemon=True).start()


def _leave_evidence(directory: Path, *, rank: int, error: Exception) -> None:
    echo = isinstance(error, dist.DistError) or "gloo" in str(error).lower() or "nccl" in str(error).lower()
    evidence = {
        "time": time.time(),
        "message": f"{type(error).__name__}: {error}",
        "traceback": traceback.format_exc(),
        "is_communication": echo,
    }
    write_whole(directory / f"rank-{rank}.error", json.dumps(evidence))
    if echo:
        time.sleep(ECHO_DELAY_S)


def choose_device(config: RunConfig) -> torch.device:
    """The device of this rank. ``auto`` is CUDA wherever there is a GPU, even where there are too few.

    Ranks that a GPU is missing for are refused, not moved to the CPU: a series must not change its device
    with the number of ranks.
    """
    if config.device == "cuda" or (config.device == "auto" and torch.cuda.is_available()):
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")


def _train(directory: Path, *, rank: int, report: ProgressWriter) -> None:
    config = RunConfig.load(directory / workdir.CONFIG)
    report("joining the group")
    torch.set_num_threads(config.threads_per_rank)
    device = choose_device(config)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    backend = "nccl" if device.type == "cuda" else "gloo"
    # Longer than the supervisor's patience: it can tell which rank is stuck, a collective cannot.
    dist.init_process_group(backend, timeout=timedelta(hours=24))
    # A rank that fails skips the orderly end below: it could wait for ever for ranks that are gone.
    results: dict[str, Any]
    if config.job == "links":
        results = link_sweep.sweep(config, rank=rank, device=device, report=report)
    else:
        measured = _measure(config, rank=rank, device=device, backend=backend, report=report)
        results = measured.__dict__
    report("gathering results")
    gathered: list[dict[str, Any] | None] = [None] * dist.get_world_size()
    dist.all_gather_object(gathered, results)
    dist.destroy_process_group()
    if rank == 0:
        write_whole(directory / workdir.RESULT, json.dumps(gathered))


def _measure(
    config: RunConfig, *, rank: int, device: torch.device, backend: str, report: ProgressWriter
) -> RankResult:
    preset = workloads.of_config(config)
    variant = variants.find(config.variant)
    param_dtype: torch.dtype = getattr(torch, config.param_dtype)
    report("building the model")
    build_started = time.perf_counter()
    model = training.make_model(
        preset,
        variant=variant,
        num_ranks=config.num_ranks,
        param_dtype=param_dtype,
        device=device,
        seed=config.seed,
    )
    build_time_s = time.perf_counter() - build_started
    optimizer = training.make_optimizer(model)
    on_cpu = device.type == "cpu"
    num_memory_steps = NUM_MEMORY_STEPS if on_cpu and config.measure_memory else 0
    num_steps = config.num_warmup + config.num_steps
    batches = [
        tuple(t.to(device) for t in training.make_batch(preset, seed=config.seed, step=s, rank=rank))
        for s in range(num_steps + num_memory_steps + config.profile)
    ]
    context = sharding.autocast(variant, device_type=device.type, param_dtype=param_dtype)
    run = training.Training(preset, model, optimizer, batches, report, [], variant, context)  # type: ignore[arg-type]
    rss = memory.ResidentSet()
    clock: Clock[Any] = HostClock() if on_cpu else CudaEventClock()
    started = {"cpu": 0.0}

    energy = EnergyCounter(device)

    def before_samples() -> None:
        gc.collect()
        if not on_cpu:
            torch.cuda.reset_peak_memory_stats(device)
        rss.reset()
        dist.barrier()
        energy.start()
        started["cpu"] = time.process_time()

    plan = Plan(num_samples=config.num_steps, num_warmup=config.num_warmup)
    samples = collect(run.step, clock=clock, plan=plan, before_samples=before_samples)
    cpu_time_s = (time.process_time() - started["cpu"]) / config.num_steps
    energy_j = energy.stop()
    peak_rss = rss.peak_bytes()
    losses = [float(loss) for loss in run.losses]
    if on_cpu:
        allocated = _cpu_peak(run, range(num_steps, num_steps + num_memory_steps))
        reserved = None
    else:
        allocated = torch.cuda.max_memory_allocated(device)
        reserved = torch.cuda.max_memory_reserved(device)
    profile = None
    if config.profile:
        profile = _profile(run, step=len(batches) - 1, world_size=config.num_ranks, cuda=not on_cpu)
    return RankResult(
        profile=profile,
        rank=rank,
        step_time_s=list(samples),
        loss=losses,
        cpu_time_s=cpu_time_s,
        peak_rss_bytes=peak_rss,
        peak_allocated_bytes=allocated,
        peak_reserved_bytes=reserved,
        clock=clock.name,
        allocator=memory.CPU_ALLOCATOR if on_cpu else memory.CUDA_ALLOCATOR,
        rss_source=rss.source,
        facts={
            "backend": backend,
            "device": device.type,
            "torch": torch.__version__,
            "num_parameters": sum(p.numel() for p in model.parameters()),
            "batch_per_rank": preset.batch_per_rank,
            "sequence_length": preset.sequence_length,
            "tokens_per_step": preset.batch_per_rank * preset.sequence_length * config.num_ranks,
            "flop_per_step_and_rank": preset.flop_per_step(),
            "build_time_s": build_time_s,
            "energy_per_step_j": None if energy_j is None else energy_j / config.num_steps,
            "energy_reason": energy.reason,
        },
    )


#: Annotation around the profiled step.
_SPAN = "bench_lib: step"


def _profile(run: training.Training, *, step: int, world_size: int, cuda: bool) -> dict[str, Any]:
    """What a profiled step says of communication, and of memory by owner."""
    run.optimizer.zero_grad()
    gc.collect()
    resting = run.resting_by_owner()
    # Ranks start together: the first collective should not hold how long the last of them takes to come.
    dist.barrier()

    def annotated() -> None:
        with torch.profiler.record_function(_SPAN):
            run.step(step)
            if cuda:
                torch.cuda.synchronize()

    document = memory.profiled(annotated, cuda=cuda)
    found = trace.read_step(document, span=_SPAN, world_size=world_size)
    by_owner = trace_memory.memory_by_owner(document, device_type=int(cuda), resting=resting)
    return {**dataclasses.asdict(found), "memory_by_owner": by_owner}


def _cpu_peak(run: training.Training, steps: range) -> int | None:
    peaks = []
    for index in steps:
        run.optimizer.zero_grad()
        gc.collect()
        resting = run.resting_bytes()
        peaks.append(memory.cpu_allocator_peak(lambda i=index: run.step(i), resting_bytes=resting))  # type: ignore[misc]
    return min(peaks, default=None)
