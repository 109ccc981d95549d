"""Roofline: what bounds each kernel of an Nsight Compute report."""
