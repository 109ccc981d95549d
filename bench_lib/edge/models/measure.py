"""Measure cases side by side: every framework in a process of its own, samples taken in turns."""

from __future__ import annotations

import contextlib
import random
import statistics
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from bench_lib.edge.drift import find_drift
from bench_lib.edge.frameworks import Case, Detail, facts_of
from bench_lib.edge.models import decoder, power, protocol
from bench_lib.edge.models.artefacts import artefact, default_cache, size_bytes
from bench_lib.edge.models.process import Failure, ModelProcess
from bench_lib.errors import DamagedFileError
from bench_lib.hardware import Machine, detect
from bench_lib.hardware.environment import capture, own_checkout
from bench_lib.model import Environment, Measurement, Run

BENCHMARK: Final = {"decoder": "edge_models.Decoder", "block": "edge_models.Block"}
#: Changes when what is measured changes.
VERSION: Final = "1"
_SAMPLES_AN_ANSWER: Final = 10


@dataclass(frozen=True)
class Plan:
    """How much to measure.

    Parameters
    ----------
    num_rounds, samples_a_round
        Rounds go over all cases in a new order each, so that a slow spell of the machine meets all of them.
    num_warmup
        Inferences between the first and the first sample.
    threads
        Threads a framework may use, where it can be told.
    timeout_s
        Patience with each answer.
    """

    num_rounds: int = 5
    samples_a_round: int = 6
    num_warmup: int = 3
    threads: int = 1
    timeout_s: float = 300.0


DEFAULT_PLAN: Final = Plan()


@dataclass
class _Attempt:
    case: Case
    process: ModelProcess | None = None
    prepared: protocol.Prepared | None = None
    artefact_bytes: int = 0
    artefact_facts: Mapping[str, Detail] = field(default_factory=dict)
    wall_s: protocol.Samples = field(default_factory=dict)
    cpu_s: protocol.Samples = field(default_factory=dict)
    peak_rss_bytes: int | None = None
    energies_j: list[float] = field(default_factory=list)
    temperatures_c: list[float] = field(default_factory=list)
    failure: Failure | None = None


def measure(
    cases: Sequence[Case],
    *,
    plan: Plan = DEFAULT_PLAN,
    cache: Path | None = None,
    root: Path | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> tuple[Run, ...]:
    """A record for each case, whatever came of it, in the order given.

    Raises
    ------
    UsageError
        A case names a framework that does not exist.
    """
    machine = detect()
    environment = capture(machine, root=root or own_checkout())
    session = uuid.uuid4().hex[:12]
    attempts = [_Attempt(case) for case in cases]
    with contextlib.ExitStack() as stack:
        for attempt in attempts:
            report(f"{_title(attempt.case)}: preparing")
            with _noting(attempt):
                _prepare(attempt, stack=stack, plan=plan, cache=cache or default_cache())
        # A fixed seed: the same order at every run.
        order = random.Random(0)
        for number in range(plan.num_rounds):
            going = [a for a in attempts if a.failure is None]
            order.shuffle(going)
            for attempt in going:
                report(f"{_title(attempt.case)}: round {number + 1} of {plan.num_rounds}")
                with _noting(attempt):
                    _sample(attempt, plan)
        for attempt in attempts:
            if attempt.failure is None and attempt.process is not None:
                with _noting(attempt):
                    ended = attempt.process.ask(
                        protocol.End(), protocol.Ended, doing="ending", timeout_s=plan.timeout_s
                    )
                    attempt.peak_rss_bytes = ended.peak_rss_bytes
    return tuple(
        _record(
            attempt,
            machine=machine,
            environment=environment,
            session=session,
            plan=plan,
            num_cases=len(attempts),
        )
        for attempt in attempts
    )


def _title(case: Case) -> str:
    return f"{case.workload} on {case.framework}, {case.device}, {case.precision}"


@contextlib.contextmanager
def _noting(attempt: _Attempt) -> Iterator[None]:
    try:
        yield
    except Failure as failure:
        attempt.failure = failure
    except DamagedFileError as error:
        attempt.failure = Failure("failed", "refused", str(error))
    except OSError as error:
        attempt.failure = Failure(
            "failed",
            "no-room",
            f"files of the model cannot be kept: {error.strerror or error}. Free space in the user's cache "
            "and temporary folders, or name others in XDG_CACHE_HOME and TMPDIR.",
        )
    if attempt.failure is not None and attempt.process is not None:
        attempt.process.close()


def _prepare(attempt: _Attempt, *, stack: contextlib.ExitStack, plan: Plan, cache: Path) -> None:
    case = attempt.case
    path = artefact(case, cache=cache, threads=plan.threads)
    attempt.artefact_bytes = size_bytes(path)
    try:
        attempt.artefact_facts = facts_of(path)
        _load(attempt, path, stack=stack, plan=plan)
    except (Failure, DamagedFileError) as error:
        if isinstance(error, Failure) and error.code != "refused":
            raise
        said = f"{error} Remove {path.parent.name} from the cache's folder models: it is exported again."
        raise Failure("failed", "refused", said) from error


def _load(attempt: _Attempt, path: Path, *, stack: contextlib.ExitStack, plan: Plan) -> None:
    case = attempt.case
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-lib-")))
    process = stack.enter_context(ModelProcess(folder, threads=plan.threads))
    attempt.process = process
    prepared = process.ask(
        protocol.Prepare(case, str(path)), protocol.Prepared, doing="loading", timeout_s=plan.timeout_s
    )
    attempt.prepared = prepared
    if prepared.device != case.device:
        raise Failure(
            "failed",
            "fell-back",
            f"asked for {case.device}, and it runs on {prepared.device} ({prepared.device_name}).",
        )
    if prepared.fault:
        raise Failure("failed", "wrong-output", prepared.fault)
    process.ask(
        protocol.Round(plan.num_warmup), protocol.Sampled, doing="warming up", timeout_s=plan.timeout_s
    )


def _sample(attempt: _Attempt, plan: Plan) -> None:
    if attempt.process is None:
        return
    before = power.read()
    answers = []
    # A few at a time: patience is with these, however many are asked for.
    for taken in range(0, plan.samples_a_round, _SAMPLES_AN_ANSWER):
        portion = protocol.Round(min(_SAMPLES_AN_ANSWER, plan.samples_a_round - taken))
        answers.append(
            attempt.process.ask(portion, protocol.Sampled, doing="measuring", timeout_s=plan.timeout_s)
        )
    after = power.read()
    if (used_j := power.energy_j(before, after)) is not None:
        attempt.energies_j.append(used_j / plan.samples_a_round)
    if after.temperature_c is not None:
        attempt.temperatures_c.append(after.temperature_c)
    for found in answers:
        for kept, new in ((attempt.wall_s, found.wall_s), (attempt.cpu_s, found.cpu_s)):
            for name, values in new.items():
                kept.setdefault(name, []).extend(values)


def _record(
    attempt: _Attempt,
    *,
    machine: Machine,
    environment: Environment,
    session: str,
    plan: Plan,
    num_cases: int,
) -> Run:
    case, prepared = attempt.case, attempt.prepared
    # A device that the processor emulates is the processor, whatever GPU is beside it.
    emulated = prepared is not None and prepared.is_software
    on_gpu = case.device in {"cuda", "vulkan"} and bool(machine.gpus) and not emulated
    run = Run(
        benchmark=BENCHMARK[case.workload],
        version=VERSION,
        params={"case": case.name},
        hardware=(machine.hardware if on_gpu else machine.processor).slug,
        environment=environment,
        status="ok",
        session=session,
    )
    details: dict[str, Detail] = {
        # First: what a file in the cache says takes no other detail's place.
        **attempt.artefact_facts,
        "framework": case.framework,
        "device": case.device,
        "precision": case.precision,
        "cases_in_turns": num_cases,
        "num_parameters": decoder.DECODER.num_parameters,
        "threads": plan.threads,
        **_device_state(attempt),
    }
    if attempt.artefact_bytes:
        details["artefact_bytes"] = attempt.artefact_bytes
    if prepared is not None:
        details |= {
            "device_observed": prepared.device,
            "device_name": prepared.device_name,
            "software_device": prepared.is_software,
            "framework_version": prepared.version,
            "shader_cache": "empty at the start",
            "rss_before_load_bytes": prepared.rss_before_load_bytes,
            "tokens": " ".join(map(str, prepared.tokens)),
            **prepared.facts,
        }
    if attempt.failure is not None:
        details["reason_code"] = attempt.failure.code
        return replace(run, status=attempt.failure.status, reason=attempt.failure.reason, details=details)
    return replace(run, details=details, measurements=tuple(_measurements(attempt, plan)))


def _device_state(attempt: _Attempt) -> dict[str, Detail]:
    made: dict[str, Detail] = {}
    if attempt.temperatures_c:
        made["temperature_first_c"] = attempt.temperatures_c[0]
        made["temperature_last_c"] = attempt.temperatures_c[-1]
    if attempt.energies_j:
        # Of the whole package: whatever else ran meanwhile is in it.
        made["package_energy_per_inference_j"] = statistics.median(attempt.energies_j)
    main = "inference_latency" if attempt.case.workload == "block" else "decode_time"
    drift = find_drift(attempt.wall_s.get(main, ()))
    if drift is not None:
        made |= {"drift": round(drift.change, 4), "drifts": drift.is_marked}
    return made


def _measurements(attempt: _Attempt, plan: Plan) -> list[Measurement]:
    prepared = attempt.prepared
    if prepared is None:
        return []
    found = [
        Measurement(name, tuple(values), warmup=plan.num_warmup, clock="host")
        for name, values in attempt.wall_s.items()
    ]
    found += [
        Measurement(f"{name}_cpu", tuple(values), warmup=plan.num_warmup, clock="process")
        for name, values in attempt.cpu_s.items()
        # The first token is prefill and a maximum of 512 numbers.
        if name != "time_to_first_token"
    ]
    found += [
        Measurement("model_load_time", (prepared.load_time_s,), clock="host"),
        Measurement("first_inference_time", (prepared.first_inference_time_s,), clock="host"),
        Measurement("artefact_size", (float(attempt.artefact_bytes),)),
    ]
    if prepared.error is not None:
        found.append(Measurement("output_error", (prepared.error,)))
    if attempt.peak_rss_bytes is not None:
        found.append(Measurement("peak_rss", (float(attempt.peak_rss_bytes),), clock="getrusage"))
    return found
