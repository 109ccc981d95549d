"""Peak memory of a rank: what tensors take (allocated), and what CUDA's caching allocator holds (reserved).

Allocated is arithmetic over the tensors alive at the two moments that can be the peak. Reserved adds what
the allocator cannot share: it keeps a pool a stream, and FSDP2 allocates in three. Only how badly the tensors
that come and go fill their pool was fitted, one constant for all devices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.topology import Topology

#: Bytes a word of the vocabulary and token when the loss's backward pass begins: its log-softmax, the
#: gradient of that and the gradient of the logits, in float32. A compiled loss keeps no float32 copy: logits
#: and their gradient.
#: **Source**: ``log_softmax`` saves its output, ``nll_loss`` fills a gradient of that size; PyTorch 2.13.
LOSS_BYTES = 12
LOSS_BYTES_COMPILED = 4

#: Bytes a channel and token that one RMSNorm keeps without a compiler: a float32 copy of its input, the
#: bfloat16 product before the weight, its output. PyTorch's own keeps 10 on a CPU (that product in float32)
#: and 4 in its fused CUDA kernel of 2025; the published rows are of trainers before that.
RMS_NORM_BYTES = 8


@dataclass(frozen=True)
class Segments:
    """Bytes that the caching allocator must hold, by pool; nothing moves from one pool to another.

    Parameters
    ----------
    state
        Sharded parameters and optimizer state, which stay from step to step.
    gradients
        Reduced gradients: outputs of reduce-scatters, in the pool of that stream.
    gathered
        Outputs of all-gathers, in the pool of that stream: the root's, or two blocks'.
    passing
        The most that comes and goes in the pool of the compute stream: activations, gathered parameters once
        copied out, the loss, inputs of reduce-scatters.

    **Source**: ``torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py`` (2.13): which stream is current
    where each is allocated.
    """

    state: float
    gradients: float
    gathered: float
    passing: float


@dataclass(frozen=True)
class MemoryOverhead:
    """Reserved = pools, the passing one times ``passing_slope``; ``relative_sd`` is left unexplained."""

    passing_slope: float
    relative_sd: float

    def __post_init__(self) -> None:
        if not (
            math.isfinite(self.passing_slope) and self.passing_slope > 0 and 0 <= self.relative_sd < math.inf
        ):
            raise ValueError("expected a slope above 0 and a spread from 0 up")

    def reserved(self, segments: Segments) -> float:
        """Bytes that the allocator holds at its peak."""
        return segments.state + segments.gradients + segments.gathered + self.passing_slope * segments.passing


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

    @property
    def passing(self) -> float:
        """What comes and goes within a step."""
        return self.unsharded_parameters + self.activations + self.temporaries


def saved_bytes_per_token(setup: TrainingSetup) -> float:
    """Bytes that one block which is not recomputed keeps for its backward pass, a token.

    Counted tensor by tensor for bfloat16. Without a compiler: both normalisations, queries, keys and values
    as attention takes them (repeated for their heads) and its output, and four of the feed-forward's width
    where it is gated (two products, the activation, and what goes into the last). A compiler recomputes what
    is cheap. Selective checkpointing keeps the block's input, attention's output, and every second product;
    under a compiler not the last of them, as no gradient needs it.
    """
    shape = setup.shape
    d, kv, f = shape.dim, shape.kv_dim, shape.hidden
    if setup.activation_checkpointing == "selective":
        products = [n for _, n in shape.matrices][::2]
        kept = products[:-1] if setup.is_compiled and len(shape.matrices) % 2 else products
        bf16 = 2 * d + 2 * sum(kept) + 2 * d
    elif setup.is_compiled:
        bf16 = 16 * d + (6 * f if shape.is_gated else 4 * f)
    elif shape.is_rotary:
        bf16 = 2 * RMS_NORM_BYTES * d + 8 * d + (8 * f if shape.is_gated else 4 * f)
    else:
        norms = 2 * (6 if shape.norm_bytes > 4 else 4) * d
        attention = 2 * d + 2 * (d + 2 * kv) + 8 * d
        bf16 = norms + attention + 2 * d + (8 * f if shape.is_gated else 4 * f)
    return bf16 * setup.compute_bytes / 2


def block_output_bytes(setup: TrainingSetup) -> float:
    """Bytes of the stream between two blocks: what a fully recomputed block keeps."""
    return float(setup.tokens_per_pass * setup.shape.dim * setup.compute_bytes)


def peak_memory(setup: TrainingSetup, *, topology: Topology) -> PeakMemory:
    """The largest of three moments: the loss, the backward pass of the last block, and that of the root."""
    return max(_moments(setup, topology=topology), key=lambda peak: peak.allocated)


def segments(setup: TrainingSetup, *, topology: Topology) -> Segments:
    """What each pool of the caching allocator must hold at its own peak."""
    shape = setup.shape
    shards = topology.num_ranks // setup.num_replicas
    moments = _moments(setup, topology=topology)
    widest = max(shape.root_parameters(setup.sequence_length), 2 * shape.block_parameters)
    return Segments(
        state=max(m.sharded_parameters + m.optimizer_state for m in moments),
        gradients=max(m.gradients for m in moments),
        gathered=0.0 if shards == 1 else float(widest * setup.compute_bytes),
        passing=max(m.passing for m in moments),
    )


def _moments(setup: TrainingSetup, *, topology: Topology) -> tuple[PeakMemory, ...]:
    shape = setup.shape
    shards = topology.num_ranks // setup.num_replicas
    root = shape.root_parameters(setup.sequence_length)
    shard = math.ceil(shape.num_parameters(setup.sequence_length) / shards)
    gathered_root = float(root * setup.compute_bytes)
    block = shape.block_parameters
    blocks = 0 if setup.reshards_after_forward else shape.num_layers
    accumulated = 4.0 * shard if setup.num_accumulation > 1 else 0.0
    kept = sum(_kept_bytes(setup, index) for index in range(shape.num_layers))
    at_loss = PeakMemory(
        sharded_parameters=4.0 * shard,
        unsharded_parameters=gathered_root + blocks * block * setup.compute_bytes,
        gradients=accumulated,
        optimizer_state=8.0 * shard,
        activations=kept,
        temporaries=_loss_bytes(setup),
    )
    # The last block is gathered, and the one before it. It may run again beside all that is kept; the logits
    # are gone, the head's gradient is there, and the block's goes into a reduce-scatter.
    again = 0.0
    if setup.activation_checkpointing != "none":
        again = saved_bytes_per_token(setup.without_checkpointing()) * setup.tokens_per_pass
    reduced = setup.compute_bytes + setup.reduce_bytes
    at_last_block = replace(
        at_loss,
        unsharded_parameters=gathered_root + max(2, blocks) * block * setup.compute_bytes,
        temporaries=again + shape.vocabulary_size * shape.dim * setup.compute_bytes + block * reduced,
    )
    at_end = PeakMemory(
        sharded_parameters=4.0 * shard,
        unsharded_parameters=gathered_root,
        gradients=4.0 * shard,
        optimizer_state=8.0 * shard,
        activations=0.0,
        temporaries=0.0 if shards == 1 else float(max(root, block) * reduced),
    )
    return at_loss, at_last_block, at_end


def _kept_bytes(setup: TrainingSetup, index: int) -> float:
    """What block ``index`` keeps from its forward to its backward pass."""
    if setup.recomputes_block(index):
        return block_output_bytes(setup)
    return saved_bytes_per_token(setup) * setup.tokens_per_pass


def _loss_bytes(setup: TrainingSetup) -> float:
    """What the loss holds when its backward pass is widest."""
    shape = setup.shape
    words = setup.tokens_per_pass * shape.vocabulary_size
    if setup.is_loss_compiled:
        # The logits are gone when the head's gradient is made beside theirs.
        beside_head = (words + shape.vocabulary_size * shape.dim) * setup.compute_bytes
        return float(max(words * LOSS_BYTES_COMPILED, beside_head))
    return float(words * (LOSS_BYTES + (4 if setup.keeps_float32_logits else 0)))
