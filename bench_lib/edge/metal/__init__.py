"""The Metal runtime: Apple's GPUs as :class:`bench_lib.edge.runtime.Device`, through pyobjc.

Every module imports on any system; a call on one that is not macOS raises ``not-macos``. The protocol's
words stand for
Metal's: a workgroup is a threadgroup, push constants are a block set with ``setBytes``, a subgroup is a
simdgroup.
"""
