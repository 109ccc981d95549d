"""Memory of a rank at any world size, by owner: asks tracker processes, and keeps their answers.

The side that imports no torch. Figures are simulated: no tensor of them was ever allocated.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from bench_lib.errors import BenchLibError, UnavailableError, UsageError
from bench_lib.files import write_whole
from bench_lib.fsdp2 import variants
from bench_lib.fsdp2.config import MAX_RANKS
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.step_model.peak_memory import Segments

CACHE_VARIABLE: Final = "BENCH_LIB_CACHE"
#: Deeper models are tracked at :data:`DEPTHS` layers, and every stretch of the step is continued in a line.
MOST_LAYERS_TRACKED: Final = 6
DEPTHS: Final = (3, 4)
#: Tracking 4 layers at 4,096 ranks takes about a minute of processor time.
TIMEOUT_S: Final = 3600

Report = Callable[[str], None]


@dataclass(frozen=True)
class Question:
    """Whose peak is asked for. ``None`` leaves the preset's own batch, sequence or depth.

    ``foreach`` is AdamW's: it steps all parameters at once, as it does on CUDA, with temporaries for all of
    them; off, one by one, as it does on a CPU.
    """

    preset: str
    num_ranks: int
    variant: str = variants.BASELINE
    batch_per_rank: int | None = None
    sequence_length: int | None = None
    num_layers: int | None = None
    param_dtype: str = "bfloat16"
    foreach: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.num_ranks <= MAX_RANKS:
            raise UsageError.of("--ranks", found=self.num_ranks, expected=f"from 1 to {MAX_RANKS}")
        for flag, value in (("--batch", self.batch_per_rank), ("--seq", self.sequence_length)):
            if value is not None and not 1 <= value <= 2**24:
                raise UsageError.of(flag, found=value, expected="a whole number from 1 up")
        variants.require_ranks(self.variant, num_ranks=self.num_ranks)


@dataclass(frozen=True)
class TrackedMemory:
    """The answer: bytes of one rank at the moment of its peak.

    ``num_layers`` is ``None`` for a preset that does not say; ``tracked_layers`` are the depths that were
    really tracked. ``pools`` are what each pool of CUDA's caching allocator would have to hold, each at
    its own peak.
    """

    question: Question
    batch_per_rank: int
    sequence_length: int
    num_parameters: int
    num_layers: int | None
    tracked_layers: tuple[int, ...]
    moment: str
    peak_bytes: int
    by_owner: Mapping[str, int]
    pools: Segments

    @property
    def method(self) -> str:
        """How the figure came about, in words."""
        if not self.tracked_layers:
            return "tracked with fake tensors, all layers"
        depths = " and ".join(map(str, self.tracked_layers))
        return f"tracked with fake tensors at {depths} layers, continued in a line to {self.num_layers}"


def track(
    question: Question, *, exact: bool = False, cache: bool = True, report: Report = lambda line: None
) -> TrackedMemory:
    """Peak memory of one rank by owner.

    Parameters
    ----------
    exact
        Track every layer, however many there are.
    cache
        Keep answers, and use those kept: by what was asked, this package's code and torch's version.
    report
        Given a line before each process that is asked.

    Raises
    ------
    UsageError
        Preset or variant do not exist, or do not fit the ranks or the batch.
    UnavailableError
        torch is missing, or the variant cannot be tracked.
    """
    facts = _ask(question, "facts", cache=cache, report=report)
    batch_per_rank = question.batch_per_rank or facts["batch_per_rank"]
    variants.require_batch(question.variant, batch_per_rank=batch_per_rank)
    depth = facts["num_layers"]
    continued = not exact and depth is not None and depth > MOST_LAYERS_TRACKED
    if continued:
        shallow = [dataclasses.replace(question, num_layers=n) for n in DEPTHS]
        with ThreadPoolExecutor(len(shallow)) as pool:  # each waits for a process of its own
            low, high = pool.map(lambda q: _ask(q, "peaks", cache=cache, report=report), shallow)
        peaks = continue_to(depth, low=low, high=high)
    else:
        peaks = _ask(question, "peaks", cache=cache, report=report)
    moment = max(peaks, key=lambda name: peaks[name]["total"])
    return TrackedMemory(
        question=question,
        batch_per_rank=batch_per_rank,
        sequence_length=facts["sequence_length"],
        num_parameters=facts["num_parameters"],
        num_layers=depth,
        tracked_layers=DEPTHS if continued else (),
        moment=moment,
        peak_bytes=peaks[moment]["total"],
        by_owner={owner: peaks[moment][owner] for owner in OWNERS},
        pools=pools_of(peaks),
    )


def ask_facts(preset: str, *, batch_per_rank: int | None, sequence_length: int | None) -> dict[str, Any]:
    """Batch, sequence, layers and parameters that a preset has at this size."""
    question = Question(preset, 1, batch_per_rank=batch_per_rank, sequence_length=sequence_length)
    found = _ask(question, "facts", cache=True, report=lambda line: None)
    return {**found, "batch_per_rank": batch_per_rank or found["batch_per_rank"]}


def ask_flop(question: Question) -> tuple[float, float]:
    """FLOP of one rank's step by PyTorch's counter: the model's, and those with recomputation."""
    counted = _ask(question, "flop", cache=True, report=lambda line: None)
    return counted["model"], counted["hardware"]


def continue_to(
    depth: int, *, low: Mapping[str, Mapping[str, int]], high: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, int]]:
    """Peaks at ``depth`` layers, from those at :data:`DEPTHS`.

    Between two ends of a stretch everything grows evenly: each further layer adds its own shards, its own
    activations and its own gradients. The largest of all stretches is then the peak, which need not be the
    one that was the largest in a shallow model.
    """
    steps = (depth - DEPTHS[1]) / (DEPTHS[1] - DEPTHS[0])
    made: dict[str, dict[str, int]] = {}
    for stretch in low.keys() & high.keys():
        made[stretch] = {
            owner: max(0, round(high[stretch][owner] + steps * (high[stretch][owner] - low[stretch][owner])))
            for owner in high[stretch]
        }
    return dict(sorted(made.items()))


def pools_of(peaks: Mapping[str, Mapping[str, int]]) -> Segments:
    """The largest that each pool holds in any stretch.

    PyTorch's tracker calls the optimizer's temporaries its state. What stays is what is there in the other
    stretches; the rest comes and goes.
    """

    def largest(pool: str) -> int:
        return max(peak[f"pool_{pool}"] for peak in peaks.values())

    state = max(peak["pool_state"] for name, peak in peaks.items() if name != "optimizer")
    passing = max(p["pool_passing"] + max(0, p["pool_state"] - state) for p in peaks.values())
    return Segments(float(state), float(largest("gradients")), float(largest("gathered")), float(passing))


def _cache_folder() -> Path:
    root = os.environ.get(CACHE_VARIABLE)
    return Path(root) if root else platformdirs.user_cache_path("bench_lib", appauthor=False)


def _source_digest() -> str:
    """Of the code that an answer depends on: a workload or a variant that changes asks anew."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    names = ("tracking.py", "sharding.py", "training.py", "variants.py", "owners.py")
    for path in [*(folder / name for name in names), *sorted((folder / "workloads").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _torch_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("torch")
    except PackageNotFoundError as error:
        raise UnavailableError(
            "torch-missing", "tracking memory needs torch.", remedy="pip install 'bench-lib[fsdp2]'"
        ) from error


def _ask(question: Question, wanted: str, *, cache: bool, report: Report) -> dict[str, Any]:
    request = {"wanted": wanted, **dataclasses.asdict(question)}
    if wanted == "facts":  # the same whatever the ranks, and but for itself whatever the batch
        request |= {"num_ranks": 1, "variant": variants.BASELINE, "foreach": True, "batch_per_rank": None}
    identity = json.dumps([request, _source_digest(), _torch_version(), sys.version_info[:2]], sort_keys=True)
    name = f"fsdp2-memory-{hashlib.sha256(identity.encode()).hexdigest()[:24]}.json"
    path = _cache_folder() / name
    # A preset from elsewhere may change without its name: its answers are not kept.
    keep = cache and ":" not in question.preset
    if keep and path.is_file():
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))[wanted]
            return found
        except (OSError, ValueError, KeyError, TypeError):
            pass  # a damaged cache is no answer; it is written anew
    layers = "" if question.num_layers is None else f", {question.num_layers} layers"
    if wanted == "peaks":
        report(f"tracking {question.preset}{layers} on {question.num_ranks} ranks")
    answer = _run(request)
    if keep:
        try:
            write_whole(path, json.dumps(answer))
        except OSError:
            report("the answer could not be kept in the cache")
    made: dict[str, Any] = answer[wanted]
    return made


def _run(request: dict[str, Any]) -> dict[str, Any]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "bench_lib.fsdp2.tracking"],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            env=environment,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(
            "tracking-too-slow",
            f"the tracker had no answer after {TIMEOUT_S} s.",
            remedy="Ask for fewer ranks.",
        ) from error
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or ["it left no message"])[-1]
        raise BenchLibError(f"the memory tracker ended with exit code {done.returncode}: {last}") from None
    if "error" in answer:
        if answer["kind"] == "usage":
            raise UsageError(answer["error"])
        raise UnavailableError(answer["code"], answer["error"], remedy=answer["remedy"])
    return answer
