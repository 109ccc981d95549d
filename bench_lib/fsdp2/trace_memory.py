"""Whose memory a profiler's trace of one step shows at its peak. Pure.

Reads the Chrome trace that ``torch.profiler`` exports with ``profile_memory``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.trace import spans


def _scopes(events: Sequence[Mapping[str, Any]]) -> dict[Any, list[tuple[float, float, str]]]:
    """Annotations and the autograd engine's calls by thread, ordered by start."""
    made: dict[Any, list[tuple[float, float, str]]] = {}
    for event in events:
        name = str(event["name"])
        if event.get("cat") == "user_annotation" or name.startswith("autograd::engine"):
            start, end = float(event["ts"]), float(event["ts"]) + float(event["dur"])
            made.setdefault(event["tid"], []).append((start, end, name))
    for scopes in made.values():
        scopes.sort()
    return made


def _walk(scopes: Sequence[tuple[float, float, str]], times: Sequence[float]) -> Iterator[list[str]]:
    """Names of the scopes around each of ``times`` (ascending), outermost first."""
    stack: list[tuple[float, float, str]] = []
    at = 0
    for time in times:
        while at < len(scopes) and scopes[at][0] <= time:
            while stack and stack[-1][1] < scopes[at][0]:
                stack.pop()
            stack.append(scopes[at])
            at += 1
        stack = [s for s in stack if s[1] >= time]
        yield [name for _, _, name in stack]


#: Beginning of a scope's name → whose an allocation in it is. The first that matches counts.
_OWNER_OF_SCOPE: Final = (
    ("gloo:", "communication"),
    ("Optimizer.step", "optimizer_state"),
    ("FSDP::post_backward_reduce", "reduced"),
    ("FSDP::root_post_backward", "reduced"),
    ("FSDP::post_backward_accumulate", "unsharded_gradients"),
    ("FSDP::all_gather_copy_out", "unsharded_parameters"),
    ("FSDP::all_gather", "communication"),
    ("FSDP::cast_forward_inputs", "activations"),
    ("FSDP::pre_forward", "unsharded_parameters"),
    ("FSDP::pre_backward", "unsharded_parameters"),
    ("FSDP::forward_prefetch", "unsharded_parameters"),
    ("FSDP::backward_prefetch", "unsharded_parameters"),
    ("autograd::engine", "temporaries"),
)


def _owner(scope: Sequence[str]) -> str:
    """Whose an allocation in these scopes is, as far as its place says; the innermost decides."""
    for name in reversed(scope):
        for beginning, owner in _OWNER_OF_SCOPE:
            if name.startswith(beginning):
                return owner
    return "activations"


def memory_by_owner(
    trace: Mapping[str, Any], *, device_type: int, resting: Mapping[str, int]
) -> dict[str, int]:
    """Bytes by owner at the peak of one step, and their sum in ``total``.

    Parameters
    ----------
    device_type
        The allocator's, as the trace numbers it: 0 for the CPU, 1 for CUDA.
    resting
        What was allocated before the step and stays, by owner.

    Notes
    -----
    An allocation is attributed by the scope that it was made in: FSDP2 and the optimizer annotate theirs.
    What a backward operator allocates is a temporary, unless FSDP2 frees it as it reduces, or it outlives
    the backward pass: then it is a gradient. The profiler misses releases on threads that it does not watch;
    an address that is handed out again counts as released then, at the latest.
    """
    events = spans(trace)
    scopes = _scopes(events)
    memory = [
        e
        for e in trace["traceEvents"]
        if e.get("name") == "[memory]" and e["args"].get("Device Type") == device_type
    ]
    memory.sort(key=lambda e: float(e["ts"]))
    around: dict[int, list[str]] = {}
    for thread in {e["tid"] for e in memory}:
        mine = [e for e in memory if e["tid"] == thread]
        for event, scope in zip(
            mine, _walk(scopes.get(thread, []), [float(e["ts"]) for e in mine]), strict=True
        ):
            around[id(event)] = scope
    begin_optimizer = min(
        (s[0] for of_thread in scopes.values() for s in of_thread if s[2].startswith("Optimizer.step")),
        default=float("inf"),
    )
    owner_of = _owners_of_blocks(memory, around, begin_optimizer=begin_optimizer)
    now = {**dict.fromkeys(OWNERS, 0), **resting}
    best = dict(now)
    live: dict[int, tuple[str, int]] = {}
    for index, event in enumerate(memory):
        address, size = int(event["args"]["Addr"]), int(event["args"]["Bytes"])
        if address in live:
            owner, old = live.pop(address)
            now[owner] -= old
        if size > 0:
            owner = owner_of[index]
            live[address] = (owner, size)
            now[owner] += size
            if sum(now.values()) > sum(best.values()):
                best = dict(now)
    return {"total": sum(best.values()), **best}


def _owners_of_blocks(
    memory: Sequence[Mapping[str, Any]], around: Mapping[int, Sequence[str]], *, begin_optimizer: float
) -> dict[int, str]:
    """Owner of each allocation, by its place in ``memory``: where it was made, and when it ended."""
    owners: dict[int, str] = {}
    open_at: dict[int, int] = {}

    def close(index: int, *, time: float, scope: Sequence[str]) -> None:
        outlives = time >= begin_optimizer and float(memory[index]["ts"]) < begin_optimizer
        if owners[index] == "reduced":
            owners[index] = "sharded_gradients" if outlives else "communication"
        elif owners[index] == "temporaries":
            freed_to_reduce = any(name.startswith("FSDP::post_backward") for name in scope)
            if outlives or freed_to_reduce:
                owners[index] = "unsharded_gradients"

    for index, event in enumerate(memory):
        address, size = int(event["args"]["Addr"]), int(event["args"]["Bytes"])
        if address in open_at:
            close(open_at.pop(address), time=float(event["ts"]), scope=around[id(event)])
        if size > 0:
            owners[index] = _owner(around[id(event)])
            open_at[address] = index
    for index in open_at.values():
        close(index, time=float("inf"), scope=())
    return owners
