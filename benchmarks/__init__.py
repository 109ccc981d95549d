"""asv benchmarks: what is measured, over which parameters. No timing, no statistics."""
