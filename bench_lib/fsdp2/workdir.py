"""Names of the files by which caller, launcher and ranks of one launch tell each other things.

Each launch has a folder of its own. Progress files are :mod:`bench_lib.fsdp2.progress`'s.
"""

from __future__ import annotations

from typing import Final

#: What to run; the caller's.
CONFIG: Final = "config.json"
#: Output of the launcher.
LOG: Final = "launcher.log"
#: Written by the launcher before ranks start, or in place of starting them.
PLAN: Final = "plan.json"
#: Written by the launcher when its agent has seen ranks end badly.
FAILURE: Final = "failure.json"
#: Written by the launcher when the agent itself failed.
ERROR: Final = "launcher.error"
#: Written by the launcher when a signal told it to end: the signal's name.
SIGNALLED: Final = "launcher.signal"
#: Every rank's result; written by rank 0.
RESULT: Final = "result.json"
