"""Results of other benchmarks as records: one reader a tool, found by what a file contains.

Nothing of a file is trusted: a number is a number or the file is refused, and its texts reach pages as any
record's do.
"""
