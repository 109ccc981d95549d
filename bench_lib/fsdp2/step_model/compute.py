"""Time that a rank computes: a roofline a kernel group, at efficiencies that were fitted.

Matrix products and attention are work over a rate; what lies between them is bytes over a bandwidth.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.shapes import DecoderShape

#: FLOP of attention's backward pass over its forward pass: five products instead of two, all tiles
#: recomputed. **Source**: Dao et al. 2022, FlashAttention, appendix B.
ATTENTION_BACKWARD = 2.5

#: Bytes between logits and loss, forward and backward, a token and word of the vocabulary: the cast to
#: float32, log-softmax, its gradient and the cast back, kernel by kernel.
LOSS_BYTES = 30
LOSS_BYTES_COMPILED = 14

#: Bytes that AdamW moves a parameter: value, gradient and both moments read, value and moments written,
#: float32.
OPTIMIZER_BYTES = 28

#: Bytes a value that becomes float8 costs: read for its largest magnitude, read again, written.
FLOAT8_CAST_BYTES = 5
FLOAT8_CAST_BYTES_FUSED = 3


@dataclass(frozen=True)
class Ceilings:
    """What a device can do at most, by data sheet or as measured: FLOP/s and bytes/s."""

    matmul_flop_per_s: float
    float8_flop_per_s: float | None
    memory_bytes_per_s: float


#: Share of the float8 peak that float8 products reach, over what bfloat16 products reach of theirs. One
#: figure for all devices, chosen on the published float8 rows (0.7 to 1.0 tried in steps of 0.15).
FLOAT8_EFFICIENCY = 0.9


@dataclass(frozen=True)
class Constants:
    """The fitted constants of one device type: shares of peaks, above 0. There are no others.

    Parameters
    ----------
    matmul
        Of the peak rate, that large matrix products reach.
    memory
        Of the peak bandwidth, that kernels between them reach.
    attention, early_attention
        Of the peak rate, that fused attention reaches: PyTorch's kernels, and the early Triton kernel.
    network
        Of the links' bandwidth, that collectives reach.
    """

    matmul: float
    memory: float
    attention: float
    early_attention: float
    network: float


#: Names of the constants, in the order of every vector and matrix about them.
CONSTANT_NAMES = tuple(field.name for field in fields(Constants))


@dataclass(frozen=True)
class BlockTimes:
    """Seconds of one block."""

    forward: float
    backward: float
    recompute: float


@dataclass(frozen=True)
class ComputeModel:
    """Times of the parts of a step on one device."""

    ceilings: Ceilings
    constants: Constants

    def matmul(self, tokens: int, inputs: int, outputs: int, *, is_float8: bool = False) -> float:
        """Seconds of one product (tokens, inputs) by (inputs, outputs)."""
        rate = self.ceilings.matmul_flop_per_s * self.constants.matmul
        if is_float8 and self.ceilings.float8_flop_per_s is not None:
            rate = self.ceilings.float8_flop_per_s * self.constants.matmul * FLOAT8_EFFICIENCY
        size = 1 if is_float8 else 2
        num_bytes = size * (tokens * inputs + inputs * outputs) + 2 * tokens * outputs
        return max(2.0 * tokens * inputs * outputs / rate, self.move(num_bytes))

    def move(self, num_bytes: float) -> float:
        """Seconds of kernels that move ``num_bytes``."""
        return num_bytes / (self.ceilings.memory_bytes_per_s * self.constants.memory)

    def attention(self, flop: float, *, is_early: bool) -> float:
        """Seconds of fused attention."""
        share = self.constants.early_attention if is_early else self.constants.attention
        return flop / (self.ceilings.matmul_flop_per_s * share)

    def block(self, setup: TrainingSetup) -> BlockTimes:
        """Forward, backward, and what checkpointing runs again (for a block that is recomputed)."""
        shape, tokens = setup.shape, setup.tokens_per_pass
        products = [self.matmul(tokens, k, n, is_float8=setup.is_float8) for k, n in shape.matrices]
        attention = self.attention(
            shape.attention_flop(batch=setup.batch_per_rank, sequence_length=setup.sequence_length),
            is_early=shape.has_early_attention,
        )
        between = self.move(
            tokens
            * shape.elementwise_bytes_per_token(is_compiled=setup.is_compiled)
            * setup.compute_bytes
            / 2
        )
        cast_in, cast_back = (
            self._float8_casts(shape, tokens=tokens, is_fused=setup.is_compiled or shape.has_fused_qkv)
            if setup.is_float8
            else (0.0, 0.0)
        )
        forward = sum(products) + attention + between + cast_in
        backward = (
            2 * sum(products)
            + ATTENTION_BACKWARD * attention
            + 2 * between
            + cast_back
            + self._bias_gradients(setup)
        )
        recompute = 0.0
        if setup.activation_checkpointing in ("full", "alternate"):
            recompute = forward
        elif setup.activation_checkpointing == "selective":
            recompute = sum(products[1::2]) + between + cast_in / 2
        return BlockTimes(forward, backward, recompute)

    def _bias_gradients(self, setup: TrainingSetup) -> float:
        return self.move(
            setup.tokens_per_pass * setup.shape.num_biases * setup.shape.dim * setup.compute_bytes
        )

    def _float8_casts(self, shape: DecoderShape, *, tokens: int, is_fused: bool) -> tuple[float, float]:
        """(forward, backward): each distinct input and each weight; then each gradient of an output."""
        each = FLOAT8_CAST_BYTES_FUSED if is_fused else FLOAT8_CAST_BYTES
        weights = sum(k * n for k, n in shape.matrices)
        inputs = 3 * shape.dim + shape.hidden
        gradients = sum(n for _, n in shape.matrices)
        return (
            self.move(each * (tokens * inputs + weights)),
            self.move(each * (tokens * gradients + weights)),
        )

    def head(self, setup: TrainingSetup) -> tuple[float, float]:
        """(forward, backward) of embedding, head and loss; never in float8 and never recomputed."""
        shape, tokens = setup.shape, setup.tokens_per_pass
        product = self.matmul(tokens, shape.dim, shape.vocabulary_size)
        per_word = LOSS_BYTES_COMPILED if setup.is_loss_compiled else LOSS_BYTES
        loss = self.move(tokens * shape.vocabulary_size * per_word)
        embedding = self.move(tokens * shape.dim * 3 * setup.compute_bytes)
        return product + loss / 2 + embedding, 2 * product + loss / 2 + 2 * embedding

    def optimizer(self, num_parameters: float) -> float:
        """Seconds of AdamW over a shard of ``num_parameters``."""
        return self.move(OPTIMIZER_BYTES * num_parameters)
