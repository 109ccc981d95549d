"""The measuring process: one job on standard input, one answer in the file that it is given.

A driver can crash, hang or be killed, and takes its process with it: so the process that asks never loads
one. Nothing of the device is destroyed at the end; drivers fail there too, and the answer is written.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os
import signal
import sys
from pathlib import Path
from typing import Final

import msgspec

from bench_lib.edge.jobs import KINDS, Answer, DevicesJob, Job, KernelJob, RoofJob, TransferJob
from bench_lib.edge.opening import Owned, list_facts
from bench_lib.edge.prepared import WrongOutputError
from bench_lib.errors import DamagedFileError, DeviceError, UnavailableError, UsageError
from bench_lib.files import write_whole

_PR_SET_PDEATHSIG: Final = 1


def die_with_parent(parent: int) -> None:
    """Have Linux end this process when ``parent``, the one that asked, ends, however that does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have ended while this one was starting.
    if os.name == "posix" and os.getppid() != parent:
        os._exit(1)


def answer(job: Job) -> Answer:
    """Do ``job``; every failure that has a name is an answer too."""
    owned = Owned()
    try:
        found = _do(job, owned)
    except UnavailableError as error:
        found = Answer("skipped", error.code, error.detail, error.remedy)
    except (UsageError, DamagedFileError) as error:
        found = Answer("usage", "usage", str(error))
    except DeviceError as error:
        found = Answer("failed", error.code, error.detail)
    except WrongOutputError as error:
        found = Answer("failed", "output-wrong", str(error))
    except MemoryError:
        found = Answer("failed", "out-of-host-memory", "this process could get no more memory.")
    messages = owned.messages
    if not messages:
        return found
    return dataclasses.replace(
        found,
        status="failed",
        code="validation",
        reason=f"the validation layer objects {len(messages)} times; first: {messages[0]}",
        parts=(),
        messages=messages,
    )


def _do(job: Job, owned: Owned) -> Answer:
    match job:
        case DevicesJob():
            return Answer("ok", devices=list_facts())
        case KernelJob():
            from bench_lib.edge.kernel_job import run_kernel_job

            return Answer("ok", parts=(run_kernel_job(job, owned),))
        case TransferJob():
            from bench_lib.edge.transfer_job import run_transfer_job

            return Answer("ok", parts=run_transfer_job(job, owned))
        case RoofJob():
            from bench_lib.edge.roof_job import run_roof_job

            return Answer("ok", parts=run_roof_job(job, owned))


def main() -> None:
    """Entry point: ``python -m bench_lib.edge.worker KIND ANSWER PARENT``."""
    die_with_parent(int(sys.argv[3]))
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=KINDS[sys.argv[1]])
    write_whole(Path(sys.argv[2]), msgspec.json.encode(answer(job)))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
