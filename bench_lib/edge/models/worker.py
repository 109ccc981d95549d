"""The process that a model runs in, told what to do over a pipe."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import psutil

from bench_lib.edge.frameworks import Case, Session, adapter
from bench_lib.edge.models import decoder, protocol
from bench_lib.edge.models.accuracy import verify
from bench_lib.errors import BenchLibError, UnavailableError
from bench_lib.hardware.environment import distribution_version


class Worker:
    """Answers requests; one session at most."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._case: Case | None = None

    def answer(self, request: protocol.Request) -> protocol.Reply:
        """The reply to ``request``. What a framework raises becomes a refusal with its first line."""
        try:
            return self._answer(request)
        except UnavailableError as error:
            return protocol.Refused("skipped", error.code, str(error))
        except BenchLibError as error:
            return protocol.Refused("failed", "refused", str(error))
        except Exception as error:  # noqa: BLE001 - frameworks raise what they like; it ends as a failed record
            said = (str(error).strip().splitlines() or ["no message"])[0][:300]
            return protocol.Refused("failed", "raised", f"{type(error).__name__}: {said}")

    def _answer(self, request: protocol.Request) -> protocol.Reply:
        if isinstance(request, protocol.Export):
            adapter(request.case.framework).require(request.case)
            made = adapter(request.case.framework).export(request.case, Path(request.folder))
            return protocol.Exported(made.name)
        if isinstance(request, protocol.Prepare):
            return self._prepare(request)
        if isinstance(request, protocol.Round):
            return self._round(request.num_samples)
        return protocol.Ended(_peak_rss_bytes())

    def _prepare(self, request: protocol.Prepare) -> protocol.Prepared:
        case = request.case
        framework = adapter(case.framework)
        framework.require(case)
        # Made before anything is timed.
        decoder.generation()
        before = psutil.Process().memory_info().rss
        start = time.perf_counter()
        session = framework.load(case, Path(request.artefact))
        load_time_s = time.perf_counter() - start
        self._session, self._case = session, case
        start = time.perf_counter()
        _body(session, case)()
        first_s = time.perf_counter() - start
        check = verify(session, case)
        observed = session.observed
        return protocol.Prepared(
            load_time_s=load_time_s,
            first_inference_time_s=first_s,
            rss_before_load_bytes=before,
            error=check.error,
            tokens=check.tokens,
            fault=check.fault,
            device=observed.device,
            device_name=observed.name,
            is_software=observed.is_software,
            facts=dict(observed.facts),
            version=distribution_version(framework.distribution) or "unknown",
        )

    def _round(self, num_samples: int) -> protocol.Sampled:
        if self._session is None or self._case is None:
            raise RuntimeError("a round was asked for before a model was loaded")
        wall: protocol.Samples = {}
        cpu: protocol.Samples = {}
        body = _body(self._session, self._case)
        for _ in range(num_samples):
            for name, (elapsed_s, processor_s) in body().items():
                wall.setdefault(name, []).append(elapsed_s)
                cpu.setdefault(name, []).append(processor_s)
        return protocol.Sampled(wall, cpu)


def _body(session: Session, case: Case) -> Callable[[], dict[str, tuple[float, float]]]:
    """One inference: (wall, process) seconds by metric. Both clocks are read at the same instants."""

    def instant() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    def between(start: tuple[float, float], end: tuple[float, float], count: int = 1) -> tuple[float, float]:
        return (end[0] - start[0]) / count, (end[1] - start[1]) / count

    def block() -> dict[str, tuple[float, float]]:
        start = instant()
        session.forward(x)
        return {"inference_latency": between(start, instant())}

    def generate() -> dict[str, tuple[float, float]]:
        start = instant()
        logits = session.prefill(prompt)
        filled = instant()
        token = int(logits.argmax())
        first = instant()
        for _ in range(decoder.NUM_DECODED):
            token = int(session.decode(token).argmax())
        return {
            "prefill_time": between(start, filled),
            "time_to_first_token": between(start, first),
            "decode_time": between(first, instant(), decoder.NUM_DECODED),
        }

    x, prompt = decoder.block_input(), decoder.prompt()
    return block if case.workload == "block" else generate


def _peak_rss_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> None:
    """Answer until told to end, or until the parent is gone."""
    channel: Connection[Any, Any] = Connection(int(os.environ.pop(protocol.DESCRIPTOR_VARIABLE)))
    worker = Worker()
    while True:
        try:
            request = msgspec.json.decode(channel.recv_bytes(), type=protocol.Request)
        except (EOFError, OSError):
            break
        channel.send_bytes(msgspec.json.encode(worker.answer(request)))
        if isinstance(request, protocol.End):
            break
    # Some libraries crash while the interpreter takes itself down; all is said by now.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
