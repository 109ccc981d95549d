"""Clean up when the maker is gone: ``python -m bench_lib.fsdp2.nodes.guardian DIRECTORY NAME…``.

Takes the namespaces down and removes the folder by which ranks and launcher spoke.

Its standard input is a pipe from the maker; the kernel closes it however the maker ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys

from bench_lib.fsdp2.nodes.namespaces import remove


def main(argv: list[str]) -> None:
    """Wait for the end of standard input, then clean up."""
    directory, *names = argv
    # Ctrl-C and the like are for the maker; this process must outlive it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(0, 4096):
        pass
    remove(names)
    shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
