"""A page with a chart in a real browser: what it shows, what it asked for, and what went wrong."""

from __future__ import annotations

import functools
import http.server
import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import BrowserContext
from screenshot import CHROMIUM

from bench_lib import chart_library
from bench_lib.sphinx_ext.generated_pages import STATE_FILE

#: Marks of tests that look at a chart.
NEEDS_CHARTS = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}"),
    pytest.mark.skipif(
        not chart_library.is_present(), reason="uPlot was not fetched when this was installed"
    ),
]


class Visit:
    """A page, what it asked for, and what went wrong."""

    def __init__(self, context: BrowserContext, url: str, *, width: int = 1280) -> None:
        self.page = context.new_page()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.problems.append(m.text) if m.type != "log" else None)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", lambda request: self.problems.append(f"failed: {request.url}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.problems.append(f"dialog: {dialog.message}"))
        self.page.goto(url)

    def facts(self) -> dict[str, str]:
        self.page.wait_for_selector(".bench-chart-host[data-drawn]")
        found: dict[str, str] = self.page.evaluate(
            "({...document.querySelector('.bench-chart-host').dataset})"
        )
        return found

    def chart(self, expression: str) -> Any:
        return self.page.evaluate(
            "(() => { const { chart } = document.querySelector('.bench-block').benchBlock;"
            f" return {expression} }})()"
        )

    def point_at(self, series: int, index: int) -> tuple[float, float]:
        """Where a point of the chart is on the screen."""
        x, y = self.chart(
            f"""(() => {{ const s = chart.state.shown[{series}];
            const box = chart.plot.over.getBoundingClientRect();
            return [box.left + chart.plot.valToPos(chart.position(s.x[{index}]), 'x'),
            box.top + chart.plot.valToPos(s.value[{index}] / chart.factor, 'y')] }})()"""
        )
        return x, y

    def fragment(self) -> str:
        return unquote(self.page.evaluate("location.hash")).replace("+", " ")

    def close(self) -> None:
        assert self.problems == []
        assert [url for url in self.requests if "e.example" in url] == []
        self.page.close()


def page_of(built: Path, name: str) -> str:
    state = json.loads(zlib.decompress((built / STATE_FILE).read_bytes()))
    (found,) = [page for page, (title, _) in state["pages"].items() if title == name]
    return f"{found}.html"


@contextmanager
def serve(folder: Path, context: BrowserContext) -> Iterator[str]:
    """The address of a server of ``folder``, which ``context``, offline else, can reach for as long."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The context is offline to all but this machine.
    context.set_offline(False)
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        context.set_offline(True)
        server.shutdown()
