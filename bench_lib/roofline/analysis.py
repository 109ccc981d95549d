"""From a file to what is known of each launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.roofline.attainable import attainable_shares
from bench_lib.roofline.classify import Classification, classify
from bench_lib.roofline.launch import Launch
from bench_lib.roofline.ncu_csv_file import NcuCsv
from bench_lib.roofline.ncu_report_file import MAGIC, NcuReport
from bench_lib.roofline.remedies import Remedy, remedies_for
from bench_lib.roofline.roofs import Roofs, boost_roofs, clock_share_of_boost, profiled_roofs, share_of_roof
from bench_lib.roofline.values import Axis, LaunchValues, extract
from bench_lib.roofline.work import Work, measure_work

if TYPE_CHECKING:
    from bench_lib.roofline.ceilings import Ceilings

#: The second is what Nsight Compute called its reports up to 2019.
REPORT_SUFFIXES: Final = (".ncu-rep", ".nsight-cuprof-report")
CSV_SUFFIX: Final = ".csv"
#: What an export of ncu has near its beginning; other tables in a folder are left alone.
_EXPORT_MARKS: Final = (b'"Kernel Name"', b"==PROF==", b"==ERROR==", b"K\0e\0r\0n\0e\0l\0 \0N\0a\0m\0e")


@dataclass(frozen=True)
class LaunchAnalysis:
    """All that is known of one launch."""

    index: int
    kernel: str
    values: LaunchValues
    work: Work
    roofs: Roofs
    boost: Roofs
    clock_share_of_boost: float | None
    share_of_roof: float | None
    classification: Classification
    remedies: tuple[Remedy, ...]
    attainable: Mapping[Axis, float]

    @property
    def time_at_ceiling_s(self) -> float | None:
        """Duration if the busiest resource ran at its ceiling: what the same work would take at best.

        The ceiling is the measured one where it is given, else the sustained peak. Unknown where nothing
        decided the verdict, or where a share of peak is over 100 %; never above the duration.
        """
        shares = (self.values.sm_pct, self.values.memory_pct)
        known = [s for s in shares if s is not None]
        if len(known) < len(shares) or self.values.duration_s is None or max(known) > 100:
            return None
        if self.classification.verdict.label == "unknown":
            return None
        measured = [
            share / part for axis, part in self.attainable.items() if (share := self.values.axis(axis))
        ]
        return self.values.duration_s * min(max(*known, *measured), 100.0) / 100

    @property
    def evidence(self) -> Mapping[str, float | str | None]:
        """The figures behind the verdict, with its reason and rule version."""
        verdict = self.classification.verdict
        extra: dict[str, float | str | None] = {
            "clock_share_of_boost": self.clock_share_of_boost,
            "share_of_roof": self.share_of_roof,
            "time_at_ceiling_s": self.time_at_ceiling_s,
            **{f"measured_{axis}_ceiling_share": part for axis, part in self.attainable.items()},
        }
        extra |= {f"achieved_{name}_flop_per_s": v for name, v in self.work.flop_per_s_by_precision.items()}
        for prefix, roofs in (("", self.roofs), ("boost_", self.boost)):
            extra |= {f"{prefix}peak_{name}_flop_per_s": v for name, v in roofs.flop_per_s.items()}
            extra |= {f"{prefix}{level}_roof_bytes_per_s": v for level, v in roofs.bytes_per_s.items()}
            extra |= {
                f"{prefix}ridge_{name}_flop_per_byte": roofs.ridge_flop_per_byte(name)
                for name in roofs.flop_per_s
            }
        return {
            "reason": verdict.reason_code,
            "message": verdict.message,
            "rule_version": verdict.rule_version,
            **verdict.evidence,
            **{k: v for k, v in extra.items() if v is not None},
        }


def analyse(launch: Launch, *, ceilings: Ceilings | None = None, gpu: str | None = None) -> LaunchAnalysis:
    """Values, work, roofs, verdicts and remedies of one launch.

    Raises
    ------
    UsageError
        ``ceilings`` were measured on another GPU than ``gpu``.
    """
    values = extract(launch)
    work = measure_work(launch)
    roofs = profiled_roofs(launch)
    boost = boost_roofs(launch)
    classification = classify(values, subject=launch.kernel)
    attainable = attainable_shares(ceilings, gpu=gpu, boost=boost, values=values)
    return LaunchAnalysis(
        index=launch.index,
        kernel=launch.kernel,
        values=values,
        work=work,
        roofs=roofs,
        boost=boost,
        clock_share_of_boost=clock_share_of_boost(launch),
        share_of_roof=share_of_roof(work, roofs),
        classification=classification,
        remedies=remedies_for(
            classification,
            values=values,
            work=work,
            roofs=roofs,
            launch=launch,
            boost=boost,
            attainable=attainable,
        ),
        attainable=attainable,
    )


def open_source(path: Path) -> NcuReport | NcuCsv:
    """Open a report or an export, told apart by content first.

    Raises
    ------
    DamagedFileError
        The file is neither, or is damaged.
    """
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device would be waited for without end, and cannot be read twice.
            raise DamagedFileError(
                path,
                found="a folder" if path.is_dir() else "a pipe, socket or device",
                expected="a regular file",
                hint="Write it to a file first.",
            )
        with path.open("rb") as stream:
            is_report = stream.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise DamagedFileError(
            path, found=error.strerror or str(error), expected="a readable file", hint="Check the path."
        ) from error
    if not is_report and path.suffix.lower() in {CSV_SUFFIX, ".txt", ".log"}:
        return NcuCsv(path)
    return NcuReport(path)


def analyse_file(path: Path) -> Iterator[LaunchAnalysis]:
    """Analyse a file's launches one at a time.

    Raises
    ------
    DamagedFileError
        At the first launch that cannot be read; what came before it is then not to be trusted.
    """
    for launch in open_source(path):
        yield analyse(launch)


def _is_export(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            start = stream.read(1 << 16)
    except OSError:
        # Reading it again will say why, and name it.
        return True
    return any(mark in start for mark in _EXPORT_MARKS)


def find_sources(paths: tuple[Path, ...]) -> tuple[list[Path], list[UsageError]]:
    """Files named, and every report and ncu export in the folders named, in a stable order.

    Also an error for each folder that holds none, so that the others are still read.
    """
    found: dict[Path, None] = {}
    empty: list[UsageError] = []
    for path in paths:
        if not path.is_dir():
            found[path] = None
            continue
        inside = [
            p
            for p in sorted(path.rglob("*"))
            if p.is_file()
            and (p.suffix in REPORT_SUFFIXES or (p.suffix.lower() == CSV_SUFFIX and _is_export(p)))
        ]
        if not inside:
            empty.append(
                UsageError.of("folder", found=path.name, expected="at least one .ncu-rep or ncu CSV in it")
            )
        found.update(dict.fromkeys(inside))
    return list(found), empty
