"""Which tool printed a file, told by what it contains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench_lib.results.imports import backend_ops, clpeak, clpeak_files, google_benchmark, llama_bench, vkpeak
from bench_lib.results.imports.reading import Reading, Source, read_text


@dataclass(frozen=True)
class Format:
    """A form of one tool's output."""

    name: str
    matches: Callable[[Source], bool]
    read: Callable[[Source], list[Reading]]


#: Asked in this order: those with a signature of their own first.
FORMATS: Final = (
    Format("clpeak JSON", clpeak_files.is_json, clpeak_files.read_json),
    Format("clpeak XML", clpeak_files.is_xml, clpeak_files.read_xml),
    Format("llama-bench JSON", llama_bench.is_json, llama_bench.read_json),
    Format("Google Benchmark JSON", google_benchmark.is_json, google_benchmark.read_json),
    Format("llama-bench CSV", llama_bench.is_csv, llama_bench.read_csv),
    Format("test-backend-ops CSV", backend_ops.is_csv, backend_ops.read_csv),
    Format("llama-bench Markdown", llama_bench.is_markdown, llama_bench.read_markdown),
    Format("test-backend-ops text", backend_ops.is_console, backend_ops.read_console),
    Format("vkpeak text", vkpeak.is_text, vkpeak.read_text),
    Format("clpeak text", clpeak.is_text, clpeak.read_text),
)


def read_file(path: Path) -> tuple[Format, list[Reading]]:
    """Everything that ``path`` holds, and which tool printed it.

    Raises
    ------
    DamagedFileError
        It is no output of a known tool, or not a whole one.
    """
    source = read_text(path)
    for form in FORMATS:
        if form.matches(source):
            readings = form.read(source)
            if not readings:
                raise source.damaged(found=f"{form.name} without a result", expected="at least one")
            return form, readings
    raise source.damaged(
        found=f"a file that begins with {source.text.strip()[:60]!r}",
        expected="the output of " + ", ".join(dict.fromkeys(f.name for f in FORMATS)),
    )
