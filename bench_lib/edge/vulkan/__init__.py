"""The Vulkan runtime: physical devices, and a :class:`bench_lib.edge.runtime.Device` on one of them.

It uses the package ``vulkan`` (a binding by cffi) and nothing else, on any driver from Vulkan 1.1 up.
Create devices only in a process that does not fork afterwards: a forked child of one hangs.
"""
