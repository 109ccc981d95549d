"""Peak memory of a rank: what tensors take (allocated), and what CUDA's caching allocator holds (reserved).

Allocated is arithmetic over the tensors alive at the two moments that can be the peak. Reserved is allocated
and
an overhead that was fitted: fragmentation, which grows with it, and workspaces, which do not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.topology import Topology

#: Bytes a word of the vocabulary and token while the loss is computed: logits in bfloat16, in float32, and
#: their log-softmax. A compiled loss keeps no float32 copy: logits and their gradient.
LOSS_BYTES = 10
LOSS_BYTES_COMPILED = 4

#: Parameters, gradients and AdamW's two moments in float32.
STATE_BYTES = 16


@dataclass(frozen=True)
class MemoryOverhead:
    """Reserved = ``slope`` × allocated + ``constant_bytes``; ``relative_sd`` is what is left unexplained."""

    slope: float
    constant_bytes: float
    relative_sd: float

    def reserved(self, allocated: float) -> float:
        """Bytes that the allocator holds at its peak."""
        return self.slope * allocated + self.constant_bytes


@dataclass(frozen=True)
class PeakMemory:
    """Bytes of one rank at the peak, by owner; they add up to ``allocated``."""

    sharded_parameters: float
    unsharded_parameters: float
    gradients: float
    optimizer_state: float
    activations: float
    temporaries: float

    @property
    def allocated(self) -> float:
        """All of it."""
        return (
            self.sharded_parameters
            + self.unsharded_parameters
            + self.gradients
            + self.optimizer_state
            + self.activations
            + self.temporaries
        )


def saved_bytes_per_token(setup: TrainingSetup) -> float:
    """Bytes that one block which is not recomputed keeps for its backward pass, a token.

    Counted tensor by tensor for bfloat16. Without a compiler: inputs of each product and of attention, both
    normalisations in float32, rotary embeddings, and four of the feed-forward's width where it is gated (two
    products, the activation, and what goes into the last). A compiler recomputes what is cheap. Selective
    checkpointing keeps the block's input, every second product, and attention's output.
    """
    shape = setup.shape
    d, kv, f = shape.dim, shape.kv_dim, shape.hidden
    if setup.activation_checkpointing == "selective":
        products = [n for _, n in shape.matrices][::2]
        bf16 = 2 * d + 2 * sum(products) + 2 * d
    elif setup.is_compiled:
        bf16 = 16 * d + (6 * f if shape.is_gated else 4 * f)
    else:
        norms = 2 * (6 if shape.norm_bytes > 4 else 4) * d
        attention = 2 * d + 2 * (d + 2 * kv) + 4 * d + (5 * d if shape.is_rotary else 4 * d)
        bf16 = norms + attention + 2 * d + (8 * f if shape.is_gated else 4 * f)
    return bf16 * setup.compute_bytes / 2


def block_output_bytes(setup: TrainingSetup) -> float:
    """Bytes of the stream between two blocks: what a fully recomputed block keeps."""
    return float(setup.tokens_per_pass * setup.shape.dim * setup.compute_bytes)


def peak_memory(setup: TrainingSetup, *, topology: Topology) -> PeakMemory:
    """The larger of two moments: the loss (every activation is alive), and the end of the backward pass.

    Between them, the first blocks' recomputation may hold one more block's activations.
    """
    shape = setup.shape
    shards = topology.num_ranks // setup.num_replicas
    root = shape.root_parameters(setup.sequence_length)
    shard = math.ceil(shape.num_parameters(setup.sequence_length) / shards)
    tokens = setup.tokens_per_pass
    kept = 0.0
    for index in range(shape.num_layers):
        if setup.recomputes_block(index):
            kept += block_output_bytes(setup)
        else:
            kept += saved_bytes_per_token(setup) * tokens
    one_block = setup.without_checkpointing()
    widest = saved_bytes_per_token(one_block) * tokens
    recomputes = setup.activation_checkpointing != "none"
    alone = shards == 1
    gathered_blocks = 2 if setup.reshards_after_forward else shape.num_layers
    unsharded = (root + gathered_blocks * shape.block_parameters) * setup.compute_bytes
    words = tokens * shape.vocabulary_size
    if setup.is_loss_compiled:
        # The logits are gone when the head's gradient is made beside theirs.
        at_loss = max(
            words * LOSS_BYTES_COMPILED, (words + shape.vocabulary_size * shape.dim) * setup.compute_bytes
        )
    else:
        at_loss = words * LOSS_BYTES + root * setup.compute_bytes
    # The last block runs again beside all that is kept; the logits are gone by then.
    at_last_block = (
        widest
        + root * setup.compute_bytes
        + shape.block_parameters * (setup.compute_bytes + setup.reduce_bytes)
    )
    temporaries = max(at_loss, at_last_block if recomputes else 0.0)
    accumulated = 4.0 * shard if setup.num_accumulation > 1 else 0.0
    first = PeakMemory(4.0 * shard, unsharded, accumulated, 8.0 * shard, kept, temporaries)
    reducing = max(root, shape.block_parameters) * (setup.compute_bytes + setup.reduce_bytes)
    last = PeakMemory(
        4.0 * shard,
        root * setup.compute_bytes,
        4.0 * shard,
        8.0 * shard,
        0.0,
        0.0 if alone else float(reducing),
    )
    return max(first, last, key=lambda peak: peak.allocated)
