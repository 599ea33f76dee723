# SPDX-License-Identifier: Apache-2.0
"""The drawing: well-formed, all boxes apart and on the page, all text in its box."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from tensix_gdb.gdbstub.picture import plan
from tensix_gdb.gdbstub.picture.cells import cells
from tensix_gdb.gdbstub.picture.state import take
from tensix_gdb.gdbstub.picture.svg import CHARACTER, NAMESPACE, THEMES, colour_of_row, svg
from tests.gdbstub.picture.conftest import Recorded

SVG = f"{{{NAMESPACE}}}"


def test_boxes_are_apart_and_on_the_page() -> None:
    boxes = plan.boxes()
    assert len({box.id for box in boxes}) == len(boxes)
    for box in boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= plan.WIDTH
        assert box.y + box.height <= plan.HEIGHT
    for one, other in combinations(boxes, 2):
        is_beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        is_above = one.y + one.height <= other.y or other.y + other.height <= one.y
        assert is_beside or is_above, (one.id, other.id)


@pytest.mark.parametrize("cycle", [1, 150, 300, 500, 940])
def test_text_is_in_its_box(recorded: Recorded, cycle: int) -> None:
    assert recorded.history.to_cycle(cycle)
    picture = take(recorded.machine, "<&> \" ' a stop")
    drawn = ElementTree.fromstring(svg(picture))
    assert "<&> \" ' a stop" in [text.text for text in drawn.iter(f"{SVG}text")]
    shown = cells(picture)
    groups = {group.get("id"): group for group in drawn.iter(f"{SVG}g")}
    for box in plan.boxes():
        group = groups[box.id]
        assert (group.findtext(f"{SVG}title") or "") == shown[box.id].tip
        texts = group.findall(f"{SVG}text")
        assert texts[0].text == box.title
        for text in texts:
            assert len(text.text or "") * CHARACTER <= box.width
            assert box.y < int(text.get("y", "")) <= box.y + box.height
    assert sum((group.get("id") or "").startswith("dst-") for group in drawn.iter(f"{SVG}g")) == 16


def test_it_asks_for_nothing_from_outside(recorded: Recorded) -> None:
    text = svg(take(recorded.machine)).replace(NAMESPACE, "")
    assert not any(word in text for word in ("http", "href", "url(", "@import", "<script"))


@pytest.mark.parametrize("theme", [*THEMES, "auto"])
def test_themes(recorded: Recorded, theme: str) -> None:
    text = svg(take(recorded.machine), theme)
    for name, colour in THEMES.items():
        assert (colour["page"] in text) == (theme in (name, "auto"))


def test_larger_values_are_darker() -> None:
    def brightness(letter: str) -> int:
        colour = colour_of_row(letter)
        return sum(int(colour[i : i + 2], 16) for i in (1, 3, 5))

    letters = "abcdefghijklmnopqrstuvwxyz"
    assert sorted(letters, key=brightness, reverse=True) == list(letters)
