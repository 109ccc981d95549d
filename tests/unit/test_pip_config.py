"""pip's configuration as uv's options."""

from __future__ import annotations

from bench_lib.pip_config import parse, uv_environment, uv_options

LISTING = """\
:env:.find-links='/from/environment'
freeze.timeout='10'
global.constraint='/etc/constraints.txt'
global.extra-index-url='https://a.example/simple https://b.example/simple'
global.find-links='/from/file'
global.index-url='https://global.example/simple'
install.index-url='https://install.example/simple'
a line that is none
"""


def test_stronger_sections_win() -> None:
    assert parse(LISTING) == {
        "constraint": "/etc/constraints.txt",
        "extra-index-url": "https://a.example/simple https://b.example/simple",
        "find-links": "/from/environment",
        "index-url": "https://install.example/simple",
    }


def test_uv_options() -> None:
    assert uv_options(parse(LISTING)) == [
        *("--default-index", "https://install.example/simple"),
        *("--index", "https://a.example/simple"),
        *("--index", "https://b.example/simple"),
        *("--find-links", "/from/environment"),
        *("--constraint", "/etc/constraints.txt"),
        *("--index-strategy", "unsafe-best-match"),
    ]


def test_nothing_configured_changes_nothing() -> None:
    assert uv_options(parse("")) == []
    assert uv_environment({}) == {}


def test_no_index_and_certificates() -> None:
    assert uv_options({"no-index": "true"}) == ["--no-index"]
    assert uv_options({"no-index": "0"}) == []
    assert uv_environment({"cert": "/ca.pem"}) == {"SSL_CERT_FILE": "/ca.pem"}
