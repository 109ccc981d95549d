"""Sizes of decoder-only transformers, and the work of one layer: parameters, FLOP, bytes. No torch.

A shape is to a prediction what a workload preset is to a measurement. Shapes named like a preset have that
preset's sizes (held by a test).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bench_lib.errors import UsageError


@dataclass(frozen=True)
class DecoderShape:
    """A stack of equal blocks (attention, feed-forward), an embedding and an output head.

    Parameters
    ----------
    name
        How the command line names it.
    dim, num_layers, num_heads, num_kv_heads, hidden, vocabulary_size
        Width, depth, query heads, key and value heads (fewer under grouped-query attention), width of the
        feed-forward, vocabulary.
    is_gated
        Feed-forward of three matrices (SwiGLU) instead of two.
    is_rotary
        Rotary positions, applied to queries and keys in every layer, in float32.
    is_head_tied
        The head shares the embedding's matrix.
    has_learned_positions
        One more vector a position; the parameter count then grows with the sequence.
    is_causal
        A fused kernel leaves out masked blocks, which halves attention's work.
    norm_bytes
        Bytes that one normalisation moves a channel and token in the forward pass, without a compiler: 4
        where
        one kernel reads and writes bfloat16; 32 for RMSNorm in separate float32 kernels.
    has_fused_qkv
        Queries, keys and values come from one matrix product.
    has_early_attention
        Attention by the first Triton kernel of 2022 and 2023, which is slower than those that PyTorch calls.
    num_biases
        Bias vectors a block, in channels of ``dim``.
    norm_vectors
        Vectors of ``dim`` a normalisation has as parameters.
    batch_per_rank, sequence_length
        Used where the caller names none.
    """

    name: str
    dim: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    hidden: int
    vocabulary_size: int
    is_gated: bool = True
    is_rotary: bool = True
    is_head_tied: bool = False
    has_learned_positions: bool = False
    is_causal: bool = True
    norm_bytes: int = 32
    has_fused_qkv: bool = False
    has_early_attention: bool = False
    num_biases: int = 0
    norm_vectors: int = 1
    batch_per_rank: int = 1
    sequence_length: int = 8192

    @property
    def kv_dim(self) -> int:
        """Channels of keys, and of values."""
        return self.dim // self.num_heads * self.num_kv_heads

    @property
    def matrices(self) -> tuple[tuple[int, int], ...]:
        """(inputs, outputs) of each matrix product of a block, in the order of the forward pass."""
        projections = ((self.dim, self.dim), (self.dim, self.kv_dim), (self.dim, self.kv_dim))
        feed_in = ((self.dim, self.hidden),) * (2 if self.is_gated else 1)
        return (*projections, (self.dim, self.dim), *feed_in, (self.hidden, self.dim))

    @property
    def block_parameters(self) -> int:
        """Parameters of one block."""
        vectors = 2 * self.norm_vectors + self.num_biases
        return sum(k * n for k, n in self.matrices) + vectors * self.dim

    def root_parameters(self, sequence_length: int) -> int:
        """Parameters outside the blocks: embedding, positions, final norm, head."""
        tables = 1 if self.is_head_tied else 2
        positions = sequence_length if self.has_learned_positions else 0
        return tables * self.vocabulary_size * self.dim + (positions + self.norm_vectors) * self.dim

    def num_parameters(self, sequence_length: int) -> int:
        """All parameters."""
        return self.num_layers * self.block_parameters + self.root_parameters(sequence_length)

    def attention_flop(self, *, batch: int, sequence_length: int) -> float:
        """FLOP of one layer's scores and weighted sums, forward."""
        share = 0.5 if self.is_causal else 1.0
        return share * 4.0 * batch * sequence_length**2 * self.dim

    def elementwise_bytes_per_token(self, *, is_compiled: bool) -> float:
        """Bytes that one layer's kernels between the matrix products move a token, forward.

        Counted kernel by kernel for bfloat16 activations: an addition reads two and writes one (6 bytes a
        channel), a conversion to float32 reads 2 and writes 4. A compiler fuses neighbours, so that each
        input is read and each output written once.
        """
        d, kv, f = self.dim, self.kv_dim, self.hidden
        activation = 10 * f if self.is_gated else 4 * f
        # One product for queries, keys and values is cut into three contiguous tensors.
        split = 4 * (d + 2 * kv) if self.has_fused_qkv else 0
        rotary = 20 * (d + kv) if self.is_rotary else 0
        if not is_compiled:
            return 2 * self.norm_bytes * d + 12 * d + rotary + activation + split
        return 16 * d + (4 * (d + kv) if self.is_rotary else 0) + (6 * f if self.is_gated else 4 * f)


def _llama(name: str, *sizes: int, **more: object) -> DecoderShape:
    """``sizes``: width, layers, heads, key and value heads, width of the feed-forward."""
    given: dict[str, object] = {"vocabulary_size": 32000, "sequence_length": 4096, **more}
    return DecoderShape(name, *sizes, **given)  # type: ignore[arg-type]


def _mpt(name: str, *, dim: int, layers: int, heads: int) -> DecoderShape:
    return DecoderShape(
        name,
        dim,
        layers,
        heads,
        heads,
        4 * dim,
        50368,
        is_gated=False,
        is_rotary=False,
        is_head_tied=True,
        has_learned_positions=True,
        norm_bytes=4,
        has_fused_qkv=True,
        has_early_attention=True,
        num_biases=9,
        norm_vectors=2,
        sequence_length=2048,
    )


def _minillm(
    name: str, *, vocabulary: int, dim: int, layers: int, heads: int, batch: int, sequence: int
) -> DecoderShape:
    return DecoderShape(
        name,
        dim,
        layers,
        heads,
        heads,
        4 * dim,
        vocabulary,
        is_gated=False,
        is_rotary=False,
        is_causal=False,
        # torch.nn.MultiheadAttention: biases of its input (three) and output projections.
        num_biases=4,
        batch_per_rank=batch,
        sequence_length=sequence,
    )


_LLAMA3: Final = {"vocabulary_size": 128256, "sequence_length": 8192}

#: Sizes as their authors publish them.
#: **Source**: Llama 2 (arXiv 2307.09288), Llama 3 (arXiv 2407.21783) and their released configurations; MPT
#: as llm-foundry's benchmark configurations; MiniLLM is this project's.
SHAPES: Final[dict[str, DecoderShape]] = {
    shape.name: shape
    for shape in (
        _minillm("tiny", vocabulary=2048, dim=128, layers=4, heads=4, batch=2, sequence=128),
        _minillm("small", vocabulary=8192, dim=512, layers=6, heads=8, batch=2, sequence=256),
        _minillm("minillm", vocabulary=32000, dim=2048, layers=12, heads=16, batch=8, sequence=1024),
        _llama("llama2-7b", 4096, 32, 32, 32, 11008),
        _llama("llama2-13b", 5120, 40, 40, 40, 13824),
        _llama("llama2-34b", 8192, 48, 64, 8, 22016),
        _llama("llama2-70b", 8192, 80, 64, 8, 28672),
        _llama("llama3-1.8b", 2048, 24, 16, 8, 7168, **_LLAMA3),
        _llama("llama3-8b", 4096, 32, 32, 8, 14336, **_LLAMA3),
        _llama("llama3-70b", 8192, 80, 64, 8, 28672, **_LLAMA3),
        _llama("llama3-405b", 16384, 126, 128, 8, 53248, **_LLAMA3),
        _mpt("mpt-125m", dim=768, layers=12, heads=12),
        _mpt("mpt-350m", dim=1024, layers=24, heads=16),
        _mpt("mpt-760m", dim=1536, layers=24, heads=12),
        _mpt("mpt-1b", dim=2048, layers=24, heads=16),
        _mpt("mpt-3b", dim=2560, layers=32, heads=20),
        _mpt("mpt-7b", dim=4096, layers=32, heads=32),
        _mpt("mpt-13b", dim=5120, layers=40, heads=40),
        _mpt("mpt-30b", dim=7168, layers=48, heads=56),
        _mpt("mpt-70b", dim=8192, layers=80, heads=64),
    )
}


def find_shape(name: str) -> DecoderShape:
    """The shape called ``name``.

    Raises
    ------
    UsageError
        There is none; the message lists those that exist.
    """
    try:
        return SHAPES[name]
    except KeyError:
        raise UsageError.of("--preset", found=name, expected="one of " + ", ".join(SHAPES)) from None
