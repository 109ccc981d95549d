"""The process that holds torch's elastic agent: ``python -m bench_lib.fsdp2.launcher DIRECTORY``.

It is a process of its own, and leads its own session, so that whoever asked for the measurement
(asv, a shell) imports no torch, and can end agent, ranks and helpers by one signal to one group.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from bench_lib.ended import signal_name
from bench_lib.errors import BenchLibError, UnavailableError, UsageError
from bench_lib.files import write_whole
from bench_lib.fsdp2 import workdir
from bench_lib.fsdp2.config import RunConfig
from bench_lib.units import format_value

#: Exit codes of this process.
EXIT_OK, EXIT_RANKS_FAILED, EXIT_NOT_STARTED = 0, 1, 2

SHUTDOWN_TIMEOUT_S = 5

#: Imported once, before ranks are forked. ``fully_shard`` takes the last, 0.5 s of processor time a rank.
PRELOADED = ("bench_lib.fsdp2.rank", "torch._dynamo")


def _die_with_caller(directory: Path) -> None:
    """End the whole session when the caller's end of standard input closes, however it died.

    The caller cannot remove its folder then, so this process does.
    """

    def watch() -> None:
        while os.read(0, 4096):
            pass
        shutil.rmtree(directory, ignore_errors=True)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _launch_config(config: RunConfig, directory: Path) -> Any:
    import dataclasses

    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, Std
    from torch.distributed.launcher.api import LaunchConfig

    meeting = config.rendezvous
    single = meeting.nnodes == 1
    configs: dict[str, Any] = dict(meeting.rdzv_conf or {})
    if meeting.rdzv_backend == "static":
        configs.setdefault("rank", meeting.node_rank or 0)
    arguments: dict[str, Any] = {
        "min_nodes": meeting.nnodes,
        "max_nodes": meeting.nnodes,
        "nproc_per_node": config.ranks_per_node,
        "run_id": meeting.rdzv_id or f"bench-lib-{os.getpid()}",
        "role": "rank",
        "rdzv_backend": meeting.rdzv_backend,
        # Port 0: the agent's store takes a free one, so runs side by side never meet.
        "rdzv_endpoint": meeting.rdzv_endpoint or ("localhost:0" if single else ""),
        "rdzv_configs": configs,
        "local_addr": meeting.local_addr or ("localhost" if single else None),
        "max_restarts": 0,
        "monitor_interval": 0.1,
        "start_method": "forkserver",
        "logs_specs": DefaultLogsSpecs(log_dir=str(directory / "logs"), redirects=Std.ALL),
        "shutdown_timeout": SHUTDOWN_TIMEOUT_S,
    }
    known = {f.name for f in dataclasses.fields(LaunchConfig)}
    return LaunchConfig(**{k: v for k, v in arguments.items() if k in known})


def _require_gpus(config: RunConfig, device: Any) -> None:
    import torch

    if device.type == "cuda" and torch.cuda.device_count() < config.ranks_per_node:
        raise UnavailableError(
            "not-enough-gpus",
            f"{config.ranks_per_node} ranks on this node need a GPU each, and there are "
            f"{torch.cuda.device_count()}.",
            remedy="Ask for fewer ranks, or pass --device cpu.",
        )


def _preflight(config: RunConfig) -> dict[str, Any]:
    """Check what can be checked before ranks exist, and say what is about to run."""
    from bench_lib.fsdp2 import estimate, rank, sharding, variants, workloads

    if config.job == "links":
        _require_gpus(config, rank.choose_device(config))
        return {"device": rank.choose_device(config).type, "flop_per_step_and_rank": 0.0}
    preset = workloads.of_config(config)
    variant = variants.find(config.variant)
    variants.require_ranks(config.variant, num_ranks=config.num_ranks)
    variants.require_batch(config.variant, batch_per_rank=preset.batch_per_rank)
    device = rank.choose_device(config)
    sharding.require_able(variant, device_type=device.type)
    _require_gpus(config, device)
    work = preset.flop_per_step() * (config.num_steps + config.num_warmup) * config.num_ranks
    if device.type == "cpu" and config.max_cpu_flop is not None and work > config.max_cpu_flop:
        raise UnavailableError(
            "too-slow-on-cpu",
            f"preset {preset.name} on {estimate.ranks_text(config.num_ranks)} is "
            f"{format_value(work, 'FLOP', digits=3)} of work, more than the "
            f"{format_value(config.max_cpu_flop, 'FLOP', digits=3)} that this benchmark "
            "allows on a CPU.",
            remedy=f"Run it on a GPU, or once by hand: bench-lib fsdp2 run --preset {preset.name} "
            f"--ranks {config.num_ranks} --steps 1",
        )
    needed = estimate.peak_bytes(
        preset, num_ranks=config.num_ranks, param_dtype=config.param_dtype, variant=variant
    )
    estimate.require_memory(needed, config=config, preset=preset, device_type=device.type)
    return {"device": device.type, "flop_per_step_and_rank": preset.flop_per_step()}


def main(argv: list[str]) -> int:
    """Run the group described by ``DIRECTORY/config.json``; results and evidence go there too."""
    directory = Path(argv[0])
    config = RunConfig.load(directory / workdir.CONFIG)
    _die_with_caller(directory)
    # Starts importing torch for the ranks while this process imports it for the agent.
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(PRELOADED))
    forkserver.ensure_running()

    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.elastic.rendezvous import RendezvousError
    from torch.distributed.launcher.api import elastic_launch

    from bench_lib.fsdp2 import rank

    try:
        plan = _preflight(config)
    except BenchLibError as error:
        refusal = {"kind": "usage", "message": str(error)}
        if isinstance(error, UnavailableError):
            refusal = {"kind": error.code, "message": f"{error.detail} {error.remedy}".strip()}
        elif not isinstance(error, UsageError):
            refusal = {"kind": "error", "message": str(error)}
        write_whole(directory / workdir.PLAN, json.dumps({"refusal": refusal}))
        return EXIT_NOT_STARTED
    write_whole(directory / workdir.PLAN, json.dumps(plan))
    try:
        elastic_launch(_launch_config(config, directory), rank.main)(str(directory))
    except RendezvousError as error:
        meeting = config.rendezvous
        where = f"at {meeting.rdzv_endpoint}" if meeting.rdzv_endpoint else "on this node"
        # torch's own sentence refers to the inner exception, which says what was wrong.
        said = str(error.__cause__ or error).strip().splitlines() or ["no message"]
        message = (
            f"{meeting.nnodes} node(s) did not meet {where}: {type(error).__name__}: {said[0].rstrip('.')}. "
            "Start the same command on every node, with an endpoint that all of them reach."
        )
        write_whole(directory / workdir.ERROR, message)
        return EXIT_RANKS_FAILED
    except SignalException as error:
        write_whole(directory / workdir.SIGNALLED, signal_name(error.sigval))
        return EXIT_RANKS_FAILED
    except ChildFailedError as error:
        failures = [{"rank": r, "exitcode": f.exitcode} for r, f in error.failures.items()]
        write_whole(directory / workdir.FAILURE, json.dumps(failures))
        return EXIT_RANKS_FAILED
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
