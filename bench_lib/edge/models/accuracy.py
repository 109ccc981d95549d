"""How far a session's output may lie from the float64 reference, by precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from bench_lib.edge.frameworks import Case, Session
from bench_lib.edge.models import decoder

#: Relative error allowed (Euclidean), about 3 times what was seen: f32 1e-6, and 1e-4 in llama.cpp's Vulkan,
#: which keeps parts in half precision; 16 bits 2e-3 to 2e-2, 8 bits 1e-2, 4 bits 0.1 to 0.25. A wrong
#: rotation, mask or layout gives 1.
TOLERANCES: Final[dict[str, float]] = {
    "f32": 5e-4,
    "f16": 1e-2,
    "bf16": 6e-2,
    "q8_0": 5e-2,
    "int8": 1e-1,
    "q4_0": 5e-1,
    "q4_k_m": 5e-1,
    "int4": 5e-1,
}
#: Precisions that must decode the reference's tokens.
EXACT_TOKENS: Final = frozenset({"f32", "f16"})


@dataclass(frozen=True)
class Check:
    """Comparison with the reference; ``fault`` is empty where the output is right.

    ``tokens`` are those decoded, and ``error`` is the largest relative error of a forward, if finite.
    """

    error: float | None
    tokens: tuple[int, ...] = ()
    fault: str = ""


def verify(session: Session, case: Case) -> Check:
    """Run the workload once and compare it with the reference.

    The decoder is fed the reference's tokens, so that one near-tie does not make all later logits differ.
    """
    allowed = TOLERANCES[case.precision]
    tokens: list[int] = []
    if case.workload == "block":
        expected = decoder.block_reference(decoder.block_input(), decoder.layer_weights(0))
        error = decoder.relative_error(session.forward(decoder.block_input()), expected)
    else:
        reference = decoder.generation()
        rows = [session.prefill(decoder.prompt())]
        rows += [session.decode(token) for token in reference.tokens[:-1]]
        errors = [
            decoder.relative_error(row, wanted) for row, wanted in zip(rows, reference.logits, strict=True)
        ]
        # Python's max passes over a NaN that is not the first.
        error = float(np.max(errors))
        tokens = [int(np.argmax(row)) for row in rows]
    fault = ""
    if not error <= allowed:
        fault = f"relative error {error:.2g} against the float64 reference, expected at most {allowed:g}"
    elif case.workload == "decoder" and case.precision in EXACT_TOKENS and tuple(tokens) != reference.tokens:
        fault = f"decoded {tokens}, expected {list(reference.tokens)}"
    return Check(error if math.isfinite(error) else None, tuple(tokens), fault)
