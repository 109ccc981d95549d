"""Several "nodes" on one machine: network namespaces with links of a stated bandwidth and latency."""
