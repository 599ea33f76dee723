# SPDX-License-Identifier: Apache-2.0
"""The film of the README: made of the session that the README has now, and whole."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from scripts.examples.film import COLUMNS, FILM, PROMPT, film, rows
from scripts.examples.tensix.readme import PAGE

SVG = "{http://www.w3.org/2000/svg}"


def test_it_is_as_it_would_be_made_now() -> None:
    assert FILM.read_text(encoding="utf-8") == film(PAGE.block.read())


def test_it_has_the_whole_session_in_its_order() -> None:
    lines = [line for line in PAGE.block.read().splitlines() if not line.startswith("```")]
    root = ElementTree.fromstring(film(PAGE.block.read()))
    shown = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "".join(shown) == "".join(lines)
    assert max(map(len, shown)) <= COLUMNS


def test_rows_come_one_after_the_other() -> None:
    shown = rows(PAGE.block.read())
    begins = [row.begin for row in shown]
    assert begins == sorted(set(begins))
    typed = [row for row in shown if row.text.startswith(PROMPT)]
    assert all(row.typed > 0 for row in typed)
    assert [row.kind for row in typed] == ["prompt"] * len(typed)
    assert sum(row.kind == "answer" for row in shown) >= 3
    percents = map(float, re.findall(r"([\d.]+)%\{", film(PAGE.block.read())))
    assert max(percents) <= 100
