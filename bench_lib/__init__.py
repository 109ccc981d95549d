"""Reference benchmarks for sharded training, GPU kernels and edge compute."""

__version__ = "0.1.0"
