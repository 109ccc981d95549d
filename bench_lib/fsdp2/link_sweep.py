"""The sweep of :mod:`bench_lib.fsdp2.links` on one rank: collectives alone, from small to large."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist

from bench_lib.fsdp2 import estimate, links
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.progress import ProgressWriter

#: Share of the memory that is free: other work may want some while the sweep runs.
_MEMORY_SHARE = 0.5


def sweep(config: RunConfig, *, rank: int, device: torch.device, report: ProgressWriter) -> dict[str, Any]:
    """Seconds of each collective at each size, by kind; a rank's own, to be joined over ranks."""
    num_ranks = config.num_ranks
    plan: list[Any] = [None]
    if rank == 0:
        on_cpu = device.type == "cpu"
        # On GPUs each rank has a memory of its own, which the count of ranks must not divide.
        free = estimate.available_bytes() if on_cpu else torch.cuda.mem_get_info()[0] * num_ranks
        plan = [links.sizes(num_ranks=num_ranks, available_bytes=_MEMORY_SHARE * free)]
    # Ranks look at memory one after another; all must take the same sizes.
    dist.broadcast_object_list(plan, src=0, device=device if device.type == "cuda" else None)
    points = []
    for number, size in enumerate(plan[0]):
        report("size", number)
        whole = torch.ones(size // 4, dtype=torch.float32, device=device)
        part = torch.ones(size // 4 // num_ranks, dtype=torch.float32, device=device)
        for kind, run in (
            ("all-gather", lambda w=whole, p=part: dist.all_gather_into_tensor(w, p)),
            ("reduce-scatter", lambda w=whole, p=part: dist.reduce_scatter_tensor(p, w)),
        ):
            times = _times(run, repeats=links.repeats(size), calls=links.calls_on_end(size), device=device)
            points.append({"kind": kind, "num_bytes": size, "times_s": times})
    return {"rank": rank, "points": points, "backend": dist.get_backend(), "device": device.type}


def _times(run: Callable[[], object], *, repeats: int, calls: int, device: torch.device) -> list[float]:
    """Seconds of a call, a repeat each: the mean of several on end.

    Ranks leave a barrier one after another. Behind each single call that would count as its time, or
    make it look shorter than it is to the rank that comes last.
    """
    made = []
    for number in range(links.WARMUP + repeats):
        dist.barrier()
        if device.type == "cuda":
            torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(calls if number >= links.WARMUP else 1):
            run()
        if device.type == "cuda":
            torch.cuda.synchronize()
        if number >= links.WARMUP:
            made.append((time.perf_counter() - start) / calls)
    return made
