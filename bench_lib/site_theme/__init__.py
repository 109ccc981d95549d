"""The look of a site without a project: furo's, in fewer files and bytes.

Templates with furo's structure and classes, for its style and script; and, once Sphinx is done, one style
and one script in place of those that Sphinx and the theme bring.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench_lib.files import write_whole
from bench_lib.sphinx_ext.assets import BASE_STYLE, bundle

#: Folder of the templates.
TEMPLATES: Final = Path(__file__).parent
#: Name in ``_static`` → what it is made of, in this order, of what Sphinx put there.
_BUNDLES: Final = {
    "site.css": ("styles/furo.css", BASE_STYLE),
    "site.js": (
        "scripts/furo.js.LICENSE.txt",
        "documentation_options.js",
        "doctools.js",
        "sphinx_highlight.js",
        "scripts/furo.js",
    ),
    "search.js": ("language_data.js", "searchtools.js"),
}
#: What Sphinx and the theme copy, and no page of such a site loads.
_UNUSED: Final = (
    "base-stemmer.js",
    "basic.css",
    "debug.css",
    "english-stemmer.js",
    "file.png",
    "minus.png",
    "plus.png",
    "pygments.css",
    "scripts/furo-extensions.js",
    "skeleton.css",
    "styles/furo-extensions.css",
)
#: Files of the theme, of Sphinx and of ours that the templates load in bundles, or not at all.
BUNDLED: Final = tuple(
    f"_static/{name}" for name in (*_UNUSED, *(part for parts in _BUNDLES.values() for part in parts))
)


def bundle_site(output: Path) -> None:
    """Put the bundles in the place of the files that they are made of, in the site in ``output``."""
    static = output / "_static"
    for name, parts in _BUNDLES.items():
        paths = [static / part for part in parts]
        if name.endswith(".css"):
            paths.append(TEMPLATES / "site.css")
        write_whole(static / name, bundle(paths))
    taken = [part for parts in _BUNDLES.values() for part in parts]
    for path in (*(static / name for name in (*taken, *_UNUSED)), *static.rglob("*.map")):
        path.unlink(missing_ok=True)
    for folder in ("scripts", "styles"):
        if (static / folder).is_dir() and not any((static / folder).iterdir()):
            (static / folder).rmdir()
    # For other tools of Sphinx only: to link to it, and to build it again from where it was built.
    for name in ("objects.inv", ".buildinfo"):
        (output / name).unlink(missing_ok=True)
