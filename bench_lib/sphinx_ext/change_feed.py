"""An Atom feed of confirmed changes: the same bytes from the same results, whenever it is built."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import pandas as pd

from bench_lib.errors import UnavailableError
from bench_lib.results.output import change_interval_text, change_text, readable
from bench_lib.sphinx_ext.changes_page import commits_text, confidence_text
from bench_lib.sphinx_ext.figures import records_of
from bench_lib.sphinx_ext.generated_pages import file_href, page_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_data import SiteData
from bench_lib.sphinx_ext.site_links import Links

#: Entries that a feed holds; readers keep those that they have seen.
MAX_ENTRIES: Final = 50
_TOKEN: Final = re.compile(r"benchlib0([pf])0([a-z0-9._/-]+?)0end")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: Name space of identities; made once, and never changed.
_SPACE: Final = uuid.UUID("7b1f6c0e-52b8-4a0b-9a53-1d1c0c5c5f0d")
_IDENTITY: Final = ("benchmark", "parameters", "machine", "environment", "version", "effect", "first_after")


def entry_id(row: Mapping[str, Any]) -> str:
    """Identity of a change, the same in every build that finds it at the same commit."""
    return f"urn:uuid:{uuid.uuid5(_SPACE, json.dumps([str(row[c]) for c in _IDENTITY]))}"


def change_feed(data: SiteData, links: Links, *, title: str, page: str, feed: str) -> str:
    """Confirmed changes as an Atom feed, the newest first; addresses as :func:`.page_href` has them.

    Its date is that of its newest entry, or else of the newest result: never the clock.

    Parameters
    ----------
    title
        Name of the feed, and of its author.
    page, feed
        Names of the page of changes, and of the feed's file.

    Raises
    ------
    UnavailableError
        feedgenerator is not installed.
    """
    try:
        from feedgenerator import Atom1Feed
    except ImportError as error:
        raise UnavailableError(
            "no-feedgenerator",
            "an Atom feed needs feedgenerator, which is not installed.",
            remedy="Install with: python -m pip install 'bench-lib[docs]'",
        ) from error
    changes = data.changes
    confirmed = changes[(changes["kind"] == "confirmed").to_numpy()]
    # A commit without a date has no place in a feed: readers sort by time.
    dated = confirmed[confirmed["date"].notna().to_numpy()].head(MAX_ENTRIES)
    dates = data.frame["date"].dropna()
    newest = _time(dates.max()) if len(dates) else _EPOCH

    class Feed(Atom1Feed):  # type: ignore[misc]
        def latest_post_date(self) -> datetime:
            return max((item["updateddate"] for item in self.items), default=newest)

    made = Feed(
        title=clean(title),
        link=_token("p", page),
        description="Confirmed steps in benchmark results",
        feed_url=_token("f", feed),
        feed_guid=f"urn:uuid:{uuid.uuid5(_SPACE, json.dumps([data.project.name, data.project.url, feed]))}",
        author_name=clean(title),
        language="en",
    )
    for row in records_of(dated):
        name = f"{row['benchmark']}({row['parameters']})" if row["parameters"] else row["benchmark"]
        place = links.benchmark({**row, "commit": row["first_after"]}).removeprefix("page:")
        target, _, state = place.partition("#")
        interval = change_interval_text(row["ratio"], row["ratio_low"], row["ratio_high"])
        when = _time(row["date"])
        made.add_item(
            title=clean(f"{change_text(row['ratio'])} {row['effect']}: {name} on {row['machine']}"),
            link=_token("p", target or page) + (f"#{state}" if state else ""),
            description=clean(
                f"{readable(row['before'], row['unit'])} to {readable(row['after'], row['unit'])}, "
                f"{change_text(row['ratio'])} (99 % interval {interval}), commits {commits_text(row)}, "
                f"environment {row['environment']}, confidence {confidence_text(row['confidence'])}."
            ),
            unique_id=entry_id(row),
            pubdate=when,
            updateddate=when,
            categories=[str(row["effect"]), clean(row["machine"])],
        )
    return _TOKEN.sub(_placed, str(made.writeString("utf-8"))) + "\n"


def _token(kind: str, name: str) -> str:
    # Addresses are known when the page is written; until then, one that the feed's library leaves alone.
    return f"benchlib0{kind}0{name}0end"


def _placed(match: re.Match[str]) -> str:
    return page_href(match[2]) if match[1] == "p" else file_href(match[2])


def _time(date: Any) -> datetime:
    moment: datetime = pd.Timestamp(date).to_pydatetime()
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
