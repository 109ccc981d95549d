"""The training step of :mod:`benchmarks.fsdp2` as a plain script, for ``torchrun``.

It shares no code with bench_lib: it is what the harness is compared with. asv imports every file here,
so torch is imported when called. Prints one JSON list: seconds a step, the slowest rank of each.

    torchrun --standalone --nproc-per-node 2 benchmarks/bare_fsdp2.py WARMUP STEPS
"""

from __future__ import annotations

import json
import sys
import time


def main(num_warmup: int, num_steps: int) -> None:
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from torch import nn
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    torch.set_num_threads(1)
    vocabulary, dim, layers, heads, batch, sequence = 2048, 128, 4, 4, 2, 128

    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.n1, self.n2 = nn.RMSNorm(dim), nn.RMSNorm(dim)
            self.mha = nn.MultiheadAttention(dim, heads, batch_first=True)
            self.up, self.down = nn.Linear(dim, 4 * dim, bias=False), nn.Linear(4 * dim, dim, bias=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.n1(x)
            x = x + self.mha(y, y, y, need_weights=False)[0]
            fed: torch.Tensor = self.down(F.silu(self.up(self.n2(x))))
            return x + fed

    dist.init_process_group("gloo")
    model = nn.Sequential(
        nn.Embedding(vocabulary, dim),
        *(Layer() for _ in range(layers)),
        nn.RMSNorm(dim),
        nn.Linear(dim, vocabulary, bias=False),
    )
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for module in model:
        if isinstance(module, Layer):
            fully_shard(module, mp_policy=policy)
    fully_shard(model, mp_policy=policy)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    data = [torch.randint(vocabulary, (batch, sequence + 1)) for _ in range(num_warmup + num_steps)]
    times = []
    for tokens in data:
        inputs, targets = tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
        start = time.perf_counter()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs).flatten(0, 1).float(), targets.flatten())
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        times.append(time.perf_counter() - start)
    slowest = torch.tensor(times[num_warmup:], dtype=torch.float64)
    dist.all_reduce(slowest, dist.ReduceOp.MAX)
    if dist.get_rank() == 0:
        print(json.dumps(slowest.tolist()), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
