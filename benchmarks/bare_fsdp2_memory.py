"""Peak memory and losses of the ``tiny`` MiniLLM under plain PyTorch, variant by variant, for ``torchrun``.

It shares no code with bench_lib: it is what tracked and measured peaks, and losses, are compared with.
Starting values and tokens are those of a run with seed 5, drawn here again. The peak is the CPU allocator's,
as it tells the profiler. asv imports every file here, so torch is imported when called. Prints one JSON
object: for each variant, a list of peaks by rank (``peak_bytes``) and the mean loss of each step over ranks
(``loss``).

    torchrun --standalone --nproc-per-node 2 benchmarks/bare_fsdp2_memory.py bfloat16 plain no-reshard ddp
"""

from __future__ import annotations

import functools
import gc
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

VARIANTS = ("plain", "no-reshard", "full", "selective", "ddp")
VOCABULARY, DIM, LAYERS, HEADS, BATCH, SEQUENCE = 2048, 128, 4, 4, 2, 128
NUM_STEPS = 4
SEED = 5


def build(variant: str, *, dtype: Any) -> Any:
    """The model, spread as the variant says, all values the same on any number of ranks."""
    import torch
    import torch.nn.functional as F
    from torch import nn
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.n1 = nn.RMSNorm(DIM)
            self.mha = nn.MultiheadAttention(DIM, HEADS, batch_first=True)
            self.n2 = nn.RMSNorm(DIM)
            self.up, self.down = nn.Linear(DIM, 4 * DIM, bias=False), nn.Linear(4 * DIM, DIM, bias=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.n1(x)
            x = x + self.mha(y, y, y, need_weights=False)[0]
            fed: torch.Tensor = self.down(F.silu(self.up(self.n2(x))))
            return x + fed

    layers = [Layer() for _ in range(LAYERS)]
    model: Any = nn.Sequential(
        nn.Embedding(VOCABULARY, DIM), *layers, nn.RMSNorm(DIM), nn.Linear(DIM, VOCABULARY, bias=False)
    )
    for index, (name, parameter) in enumerate(model.named_parameters()):
        generator = torch.Generator().manual_seed((SEED << 20) + index)
        with torch.no_grad():
            if name.endswith("bias"):
                parameter.zero_()
            elif parameter.ndim == 1:
                parameter.fill_(1.0)
            else:
                parameter.normal_(std=0.02, generator=generator)
    aten = torch.ops.aten
    products = (aten.mm.default, aten.addmm.default, aten.bmm.default)

    def keeps_every_second() -> Any:
        seen = [0, 0]

        def policy(context: Any, operator: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
            if operator in products:
                seen[context.is_recompute] += 1
                if seen[context.is_recompute] % 2 == 1:
                    return CheckpointPolicy.MUST_SAVE
            if "scaled_dot_product" in str(operator):
                return CheckpointPolicy.MUST_SAVE
            return CheckpointPolicy.PREFER_RECOMPUTE

        return create_selective_checkpoint_contexts(policy)  # type: ignore[no-untyped-call]

    if variant in ("full", "selective"):
        more = {"context_fn": keeps_every_second} if variant == "selective" else {}
        for layer in layers:
            layer.forward = functools.partial(  # type: ignore[method-assign]
                checkpoint, layer.forward, use_reentrant=False, **more
            )
    if variant == "ddp":
        return nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
    policy = MixedPrecisionPolicy(param_dtype=dtype, reduce_dtype=torch.float32)
    for layer in layers:
        fully_shard(layer, mp_policy=policy, reshard_after_forward=variant != "no-reshard")
    fully_shard(model, mp_policy=policy, reshard_after_forward=False)
    return model


def storages(tensors: Any) -> dict[int, int]:
    """Bytes of each storage behind ``tensors`` on this rank, by address."""
    from torch.distributed.tensor import DTensor

    found = {}
    for tensor in tensors:
        local = tensor.to_local() if isinstance(tensor, DTensor) else tensor
        storage = local.detach().untyped_storage()
        found[storage.data_ptr()] = storage.nbytes()
    return found


def allocator_peak(step: Any, *, resting: int) -> int:
    """Peak over one call of ``step``, from what the allocator tells the profiler."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        step()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        events = [e for e in json.loads(path.read_text())["traceEvents"] if e.get("name") == "[memory]"]
    held: dict[int, int] = {}
    now = peak = resting
    for event in sorted(events, key=lambda e: float(e["ts"])):
        address, size = event["args"]["Addr"], event["args"]["Bytes"]
        # What is handed out again was released, even on a thread that is not watched (gloo's).
        now -= held.pop(address, 0)
        if size > 0:
            held[address] = size
            now += size
        peak = max(peak, now)
    return peak


def run(variant: str, *, dtype: Any) -> dict[str, Any]:
    """Peak of each rank, and the mean loss of each step."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F

    rank, num_ranks = dist.get_rank(), dist.get_world_size()
    model = build(variant, dtype=dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    losses = []

    def step(number: int) -> None:
        generator = torch.Generator().manual_seed((SEED << 48) + (number << 24) + rank + 1)
        tokens = torch.randint(VOCABULARY, (BATCH, SEQUENCE + 1), generator=generator)
        inputs, targets = tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
        del tokens
        optimizer.zero_grad()
        whole = variant == "ddp" and dtype != torch.float32
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=whole):
            loss = F.cross_entropy(model(inputs).flatten(0, 1).float(), targets.flatten())
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(loss.detach())

    for number in range(NUM_STEPS):
        step(number)
    peaks = []
    for number in range(NUM_STEPS, NUM_STEPS + 2):
        optimizer.zero_grad()
        gc.collect()
        states = [s for of_one in optimizer.state.values() for s in of_one.values()]
        rests = sum(storages([*model.parameters(), *states]).values())
        if variant == "ddp":
            # Buckets, of which gradients are views, stay from step to step.
            rests += sum(p.nbytes for p in model.parameters())
        peaks.append(allocator_peak(functools.partial(step, number), resting=rests))
    means = torch.stack(losses[:NUM_STEPS])
    dist.all_reduce(means)
    of_ranks: list[Any] = [None] * num_ranks
    dist.all_gather_object(of_ranks, min(peaks))
    return {"peak_bytes": of_ranks, "loss": (means / num_ranks).tolist()}


def main(dtype: str, variants: list[str]) -> None:
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    found = {variant: run(variant, dtype=getattr(torch, dtype)) for variant in variants}
    if dist.get_rank() == 0:
        print(json.dumps(found), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or list(VARIANTS))
