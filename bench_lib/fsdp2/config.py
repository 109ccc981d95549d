"""What one run of a group of ranks is asked to do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from bench_lib.errors import UsageError
from bench_lib.files import write_whole
from bench_lib.fsdp2 import variants

MAX_RANKS = 65536
#: More than any machine has; OpenMP ends the process where it cannot start as many.
MAX_THREADS = 1024
#: torch's that need nothing beside it.
RDZV_BACKENDS = ("c10d", "static")
#: Seed, step and rank are put side by side in the 63 bits of a generator's seed.
MAX_SEED = 2**15


def _is_endpoint(text: str) -> bool:
    """Whether torch's rendezvous takes it; an IPv6 address stands in brackets."""
    match = re.fullmatch(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::([0-9]{1,5}))?", text, re.ASCII)
    return match is not None and int(match[1] or 0) < 65536


@dataclass(frozen=True)
class Rendezvous:
    """Where several nodes meet; the fields are ``torchrun``'s arguments of the same names.

    A single node needs none of it.
    """

    nnodes: int = 1
    node_rank: int | None = None
    rdzv_backend: str = "c10d"
    rdzv_endpoint: str = ""
    rdzv_id: str = ""
    rdzv_conf: dict[str, str] | None = None
    local_addr: str | None = None

    @property
    def join_timeout_s(self) -> float:
        """How long nodes wait for each other: ``join_timeout`` of the settings, else torch's default."""
        return float((self.rdzv_conf or {}).get("join_timeout", 600))

    def __post_init__(self) -> None:
        try:
            patience = self.join_timeout_s
        except ValueError:
            patience = -1.0
        if not 0 < patience < 10**9:
            found = (self.rdzv_conf or {}).get("join_timeout")
            raise UsageError.of("--rdzv-conf join_timeout", found=found, expected="seconds above 0")
        if self.rdzv_endpoint and not _is_endpoint(self.rdzv_endpoint):
            expected = "HOST or HOST:PORT, with a port from 0 to 65535"
            raise UsageError.of("--rdzv-endpoint", found=self.rdzv_endpoint, expected=expected)
        if self.nnodes < 1:
            raise UsageError.of("--nnodes", found=self.nnodes, expected="a whole number from 1 up")
        if self.rdzv_backend not in RDZV_BACKENDS:
            expected = "one of " + ", ".join(RDZV_BACKENDS)
            raise UsageError.of("--rdzv-backend", found=self.rdzv_backend, expected=expected)
        if self.node_rank is not None and not 0 <= self.node_rank < self.nnodes:
            expected = f"from 0 to {self.nnodes - 1}, below --nnodes"
            raise UsageError.of("--node-rank", found=self.node_rank, expected=expected)
        if self.nnodes > 1 and not (self.rdzv_endpoint and self.rdzv_id):
            raise UsageError(
                f"--nnodes {self.nnodes} needs a meeting point: pass --rdzv-endpoint HOST:PORT and "
                "--rdzv-id NAME, the same on every node."
            )


@dataclass(frozen=True)
class RunConfig:
    """One launch: the preset, the ranks, and how many steps.

    Parameters
    ----------
    preset
        Name of a workload preset, or ``module:attribute``.
    num_ranks
        World size: ranks of all nodes together.
    num_steps, num_warmup
        Timed steps, and steps before them.
    param_dtype
        Data type of computation and all-gathers. Gradients are reduced, and parameters and optimizer
        state kept, in float32 whatever it is.
    device
        ``cuda``, ``cpu``, or ``auto``: CUDA where there is a GPU. Each rank of a node needs its own.
    threads_per_rank
        Intra-op CPU threads of each rank; fixed, so that rank counts can be compared.
    seed
        Of parameters and data.
    stall_timeout_s
        The group is ended when no rank makes progress for so long. ``None``: 120 s, or the time a
        step would take at 1 GFLOP/s a rank on a CPU if that is longer.
    measure_memory
        Run the untimed steps that find the allocator's peak on a CPU.
    max_cpu_flop
        Refuse a run on CPU that takes more work than this, summed over steps and ranks. ``None``: no bound.
    job
        ``links`` times collectives alone, and has no preset.
    profile
        Run one more step under the profiler, for communication and for memory by owner.
    variant
        A name of :mod:`bench_lib.fsdp2.variants`, or several joined with ``+``.
    batch_per_rank, sequence_length
        In place of the preset's own. ``None``: the preset's.
    """

    preset: str
    num_ranks: int
    num_steps: int = 20
    num_warmup: int = 3
    param_dtype: str = "bfloat16"
    device: str = "auto"
    threads_per_rank: int = 1
    seed: int = 0
    stall_timeout_s: float | None = None
    measure_memory: bool = True
    max_cpu_flop: float | None = None
    job: Literal["train", "links"] = "train"
    profile: bool = False
    variant: str = variants.BASELINE
    batch_per_rank: int | None = None
    sequence_length: int | None = None
    rendezvous: Rendezvous = Rendezvous()

    def __post_init__(self) -> None:
        for name, flag, least in (
            ("num_ranks", "--ranks", 1),
            ("num_steps", "--steps", 1),
            ("num_warmup", "--warmup", 0),
            ("threads_per_rank", "--threads", 1),
            ("batch_per_rank", "--batch", 1),
            ("sequence_length", "--seq", 1),
        ):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UsageError.of(flag, found=value, expected=f"a whole number from {least} up")
        if not 0 <= self.seed < MAX_SEED:
            raise UsageError.of("--seed", found=self.seed, expected=f"from 0 to {MAX_SEED - 1}")
        if self.num_ranks > MAX_RANKS:
            raise UsageError.of("--ranks", found=self.num_ranks, expected=f"at most {MAX_RANKS}")
        if self.threads_per_rank > MAX_THREADS:
            raise UsageError.of("--threads", found=self.threads_per_rank, expected=f"at most {MAX_THREADS}")
        variants.find(self.variant)
        for name, flag, choices in (
            ("param_dtype", "--dtype", ("bfloat16", "float32")),
            ("device", "--device", ("auto", "cpu", "cuda")),
        ):
            value = getattr(self, name)
            if value not in choices:
                raise UsageError.of(flag, found=value, expected="one of " + ", ".join(choices))
        if self.stall_timeout_s is not None and not self.stall_timeout_s > 0:
            raise UsageError.of("--stall-timeout", found=self.stall_timeout_s, expected="seconds above 0")
        if self.num_ranks % self.rendezvous.nnodes:
            raise UsageError.of(
                "--ranks",
                found=self.num_ranks,
                expected=f"a multiple of --nnodes ({self.rendezvous.nnodes})",
            )

    @property
    def ranks_per_node(self) -> int:
        """Ranks that this node starts."""
        return self.num_ranks // self.rendezvous.nnodes

    def save(self, path: Path) -> None:
        """Write for the launcher to read."""
        write_whole(path, msgspec.json.encode(self))

    @classmethod
    def load(cls, path: Path) -> RunConfig:
        """Read what :meth:`save` wrote."""
        return msgspec.json.decode(path.read_bytes(), type=cls)
