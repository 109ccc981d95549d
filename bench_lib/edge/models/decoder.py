"""The decoder that every framework runs: seeded weights, and its float64 reference in numpy.

A Llama-style decoder of 3.5 million parameters: RMSNorm before each part, grouped-query attention with
rotary positions on interleaved pairs, SwiGLU, no biases, an output matrix of its own. Widths are multiples
of 256, which the K-quants of GGUF need.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bench_lib.errors import UsageError

Array = npt.NDArray[np.float64]
Weights = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class DecoderConfig:
    """Sizes of a decoder; ``context`` is the most tokens that a session holds."""

    vocabulary: int = 512
    dim: int = 256
    num_layers: int = 4
    num_heads: int = 4
    num_kv_heads: int = 2
    ffn_dim: int = 768
    context: int = 64
    rope_theta: float = 10_000.0
    norm_eps: float = 1e-5
    seed: int = 2

    @property
    def head_dim(self) -> int:
        """Width of one head."""
        return self.dim // self.num_heads

    @property
    def kv_dim(self) -> int:
        """Width of keys, and of values, of all heads."""
        return self.num_kv_heads * self.head_dim

    @property
    def num_parameters(self) -> int:
        """Weights in all."""
        return sum(int(np.prod(shape)) for shape in shapes(self).values())


#: Seed 2 leaves 0.15 between the best logit and the next at every token: rounding to 16 bits changes none.
DECODER: Final = DecoderConfig()
#: Tokens of the prompt, and tokens decoded after it.
PROMPT_LENGTH: Final = 32
NUM_DECODED: Final = 8
#: Tokens through the transformer block.
BLOCK_LENGTH: Final = 32


def layer_shapes(config: DecoderConfig) -> dict[str, tuple[int, ...]]:
    """Shapes (out, in) of one layer's weights, by their names in GGUF without the layer's prefix."""
    dim, ffn = config.dim, config.ffn_dim
    return {
        "attn_norm.weight": (dim,),
        "attn_q.weight": (dim, dim),
        "attn_k.weight": (config.kv_dim, dim),
        "attn_v.weight": (config.kv_dim, dim),
        "attn_output.weight": (dim, dim),
        "ffn_norm.weight": (dim,),
        "ffn_gate.weight": (ffn, dim),
        "ffn_up.weight": (ffn, dim),
        "ffn_down.weight": (dim, ffn),
    }


def shapes(config: DecoderConfig) -> dict[str, tuple[int, ...]]:
    """Shapes of all weights, by their names in GGUF."""
    found: dict[str, tuple[int, ...]] = {"token_embd.weight": (config.vocabulary, config.dim)}
    for layer in range(config.num_layers):
        found |= {f"blk.{layer}.{name}": shape for name, shape in layer_shapes(config).items()}
    return found | {"output_norm.weight": (config.dim,), "output.weight": (config.vocabulary, config.dim)}


@functools.cache
def weights(config: DecoderConfig = DECODER) -> Weights:
    """Seeded weights: each tensor from its own stream, so that one added changes no other.

    Matrices have variance 1 / fan-in and norms lie around 1, so that activations keep their size.
    """
    streams = np.random.SeedSequence(config.seed).spawn(len(shapes(config)))
    made: dict[str, npt.NDArray[np.float32]] = {}
    for (name, shape), stream in zip(shapes(config).items(), streams, strict=True):
        normal = np.random.Generator(np.random.PCG64(stream)).standard_normal(shape)
        if name.endswith("norm.weight"):
            value = 1.0 + 0.1 * normal
        elif name == "token_embd.weight":
            value = normal
        else:
            value = normal / np.sqrt(shape[1])
        made[name] = value.astype(np.float32)
        made[name].flags.writeable = False
    return made


def layer_weights(layer: int, config: DecoderConfig = DECODER) -> Weights:
    """Weights of one layer, by their names without its prefix."""
    every = weights(config)
    return {name: every[f"blk.{layer}.{name}"] for name in layer_shapes(config)}


def workload_weights(workload: str) -> Weights:
    """What a workload needs: all weights, or those of layer 0 (by their whole names) for ``block``."""
    every = weights()
    return {n: v for n, v in every.items() if n.startswith("blk.0.")} if workload == "block" else every


@functools.cache
def prompt(config: DecoderConfig = DECODER) -> tuple[int, ...]:
    """The prompt's tokens; the first three of the vocabulary are special and stay out of it."""
    rng = np.random.Generator(np.random.PCG64(config.seed + 1))
    return tuple(int(t) for t in rng.integers(3, config.vocabulary, PROMPT_LENGTH))


@functools.cache
def block_input(config: DecoderConfig = DECODER) -> npt.NDArray[np.float32]:
    """Input (tokens, dim) of the transformer block."""
    rng = np.random.Generator(np.random.PCG64(config.seed + 2))
    made = rng.standard_normal((BLOCK_LENGTH, config.dim)).astype(np.float32)
    made.flags.writeable = False
    return made


def rope_table(config: DecoderConfig, length: int) -> tuple[Array, Array]:
    """Cosine and sine (length, head_dim / 2) of the rotary angles.

    **Source**: RoFormer, arXiv:2104.09864, equation 34: pair i turns by position · theta^(-2i/d).
    """
    frequency = config.rope_theta ** (-np.arange(0, config.head_dim, 2) / config.head_dim)
    angle = np.arange(length)[:, None] * frequency
    return np.cos(angle), np.sin(angle)


def _norm(x: Array, weight: npt.NDArray[Any], eps: float) -> Array:
    return np.asarray(x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps) * weight)


def _rotate(x: Array, cos: Array, sin: Array) -> Array:
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = even * cos - odd * sin
    turned[..., 1::2] = even * sin + odd * cos
    return turned


def block_reference(x: npt.NDArray[Any], layer: Weights, config: DecoderConfig = DECODER) -> Array:
    """One layer in float64, causal, positions from 0. ``x`` and the result are (tokens, dim)."""
    x = x.astype(np.float64)
    length = len(x)
    w = {name: value.astype(np.float64) for name, value in layer.items()}
    hidden = _norm(x, w["attn_norm.weight"], config.norm_eps)
    cos, sin = rope_table(config, length)

    def heads(name: str, count: int) -> Array:
        return (hidden @ w[name].T).reshape(length, count, config.head_dim).transpose(1, 0, 2)

    query = _rotate(heads("attn_q.weight", config.num_heads), cos, sin)
    key = _rotate(heads("attn_k.weight", config.num_kv_heads), cos, sin)
    group = config.num_heads // config.num_kv_heads
    key = np.repeat(key, group, axis=0)
    value = np.repeat(heads("attn_v.weight", config.num_kv_heads), group, axis=0)
    score = query @ key.transpose(0, 2, 1) / np.sqrt(config.head_dim)
    score = np.where(np.tril(np.ones((length, length), dtype=bool)), score, -np.inf)
    share = np.exp(score - score.max(axis=-1, keepdims=True))
    share /= share.sum(axis=-1, keepdims=True)
    mixed = (share @ value).transpose(1, 0, 2).reshape(length, config.dim)
    x = x + mixed @ w["attn_output.weight"].T
    hidden = _norm(x, w["ffn_norm.weight"], config.norm_eps)
    gate = hidden @ w["ffn_gate.weight"].T
    product = gate / (1 + np.exp(-gate)) * (hidden @ w["ffn_up.weight"].T)
    return np.asarray(x + product @ w["ffn_down.weight"].T)


def logits_reference(tokens: tuple[int, ...], config: DecoderConfig = DECODER) -> Array:
    """Logits (tokens, vocabulary) in float64 at every position.

    Raises
    ------
    UsageError
        There is no token, one is outside the vocabulary, or more than the context holds.
    """
    if not 0 < len(tokens) <= config.context or not all(0 <= t < config.vocabulary for t in tokens):
        raise UsageError.of(
            "tokens",
            found=f"{len(tokens)} from {min(tokens, default=0)} to {max(tokens, default=0)}",
            expected=f"1 to {config.context} of 0 to {config.vocabulary - 1}",
        )
    every = weights(config)
    x = every["token_embd.weight"].astype(np.float64)[list(tokens)]
    for layer in range(config.num_layers):
        x = block_reference(x, layer_weights(layer, config), config)
    return _norm(x, every["output_norm.weight"], config.norm_eps) @ every["output.weight"].T.astype(
        np.float64
    )


@dataclass(frozen=True)
class Generation:
    """Greedy decoding of the reference.

    Parameters
    ----------
    tokens
        The tokens decoded after the prompt.
    logits
        (tokens, vocabulary): what each was chosen from; the first follows the prompt.
    least_margin
        Smallest difference between the best logit and the next: how much error leaves every token alone.
    """

    tokens: tuple[int, ...]
    logits: Array
    least_margin: float


@functools.cache
def generation(config: DecoderConfig = DECODER) -> Generation:
    """What the reference decodes after the prompt."""
    tokens = list(prompt(config))
    rows: list[Array] = []
    for _ in range(NUM_DECODED):
        rows.append(logits_reference(tuple(tokens), config)[-1])
        tokens.append(int(np.argmax(rows[-1])))
    best = [np.sort(row)[-2:] for row in rows]
    margin = min(float(two[1] - two[0]) for two in best)
    return Generation(tuple(tokens[PROMPT_LENGTH:]), np.stack(rows), margin)


def relative_error(found: npt.ArrayLike, expected: npt.ArrayLike) -> float:
    """Euclidean norm of the difference over the norm of ``expected``; NaN where ``found`` is not finite."""
    expected = np.asarray(expected, dtype=np.float64)
    difference = np.asarray(found, dtype=np.float64).reshape(expected.shape) - expected
    return float(np.linalg.norm(difference) / np.linalg.norm(expected))
