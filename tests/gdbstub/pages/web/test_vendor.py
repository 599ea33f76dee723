# SPDX-License-Identifier: Apache-2.0
"""The library in the page is the one that scripts/vendor makes, with every licence."""

from __future__ import annotations

import re

from scripts.vendor.__main__ import OUT, header, packages
from tensix_gdb.gdbstub.pages.web.app import FILES


def test_versions_and_licences() -> None:
    text = (OUT / "d3.js").read_text(encoding="utf-8")
    assert text.startswith(header()), "make it again: python -m scripts.vendor"
    licences = (OUT / "LICENSES.txt").read_text(encoding="utf-8")
    for name, version in packages().items():
        assert f"{name} {version}\n\nCopyright" in licences


def test_the_page_asks_nothing_of_elsewhere() -> None:
    """Addresses in what is served are names of XML namespaces, no more."""
    for path in sorted(FILES.rglob("*")):
        if path.suffix in (".js", ".css", ".html", ".svg"):
            found = set(re.findall(r"https?://[^\s'\"`)]+", path.read_text(encoding="utf-8")))
            assert all(each.startswith("http://www.w3.org/") for each in found), (path, found)
