"""The script and the style of every table of figures, on the site and on pages of a single file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

#: Folder of both files; pages that publish files copy it whole.
STATIC: Final = Path(__file__).with_name("static")
SCRIPT: Final = "bench-table.js"
STYLE: Final = "bench-table.css"
#: Class of a table that can be filtered however short it is.
FILTERED: Final = "bench-filtered"
