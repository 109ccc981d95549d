"""Kernel rooflines: read what a profiler recorded, say what bounds each launch, and what to do.

Reading and classifying need no GPU, no driver and no NVIDIA package.
"""
