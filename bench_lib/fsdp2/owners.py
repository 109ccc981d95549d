"""Who owns the bytes of a rank at its peak: names and order, for figures that are measured or tracked."""

from __future__ import annotations

from typing import Final

#: Owner → its title. In the order in which charts stack them, what stays between steps first.
OWNERS: Final[dict[str, str]] = {
    "sharded_parameters": "Parameters, this rank's shards",
    "optimizer_state": "Optimizer state",
    "sharded_gradients": "Gradients, this rank's shards",
    "unsharded_parameters": "Parameters, gathered",
    "unsharded_gradients": "Gradients, before they are reduced",
    "activations": "Activations",
    "temporaries": "Temporaries",
    "communication": "Communication buffers",
    "inputs": "Inputs",
}
