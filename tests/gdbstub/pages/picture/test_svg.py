# SPDX-License-Identifier: Apache-2.0
"""The drawing: well-formed, all boxes apart and on the page, all text in its box."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.cells import cells
from tensix_gdb.gdbstub.pages.picture.colours import THEMES, class_of, colour_of_row, memory_class
from tensix_gdb.gdbstub.pages.picture.held import units_in
from tensix_gdb.gdbstub.pages.picture.state import take_picture
from tensix_gdb.gdbstub.pages.picture.svg import CHARACTER, NAMESPACE, svg
from tests.gdbstub.pages.picture.conftest import Recorded

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
    picture = take_picture(recorded.machine, "<&> \" ' a stop")
    drawn = ElementTree.fromstring(svg(picture))
    assert "<&> \" ' a stop" in [text.text for text in drawn.iter(f"{SVG}text")]
    shown = cells(picture)
    groups = {group.get("id"): group for group in drawn.iter(f"{SVG}g")}
    for box in plan.boxes():
        group = groups[box.id]
        assert (group.findtext(f"{SVG}title") or "") == shown[box.id].tip
        texts = group.findall(f"{SVG}text")
        assert texts[0].text == box.title
        marked = [text.text for text in texts if text.get("class") == "mark"]
        assert marked == ([shown[box.id].mark] if shown[box.id].mark else [])
        for text in texts:
            assert len(text.text or "") * CHARACTER <= box.width
            assert box.y < int(text.get("y", "")) <= box.y + box.height
    assert sum((group.get("id") or "").startswith("dst-") for group in drawn.iter(f"{SVG}g")) == 16


def test_it_asks_for_nothing_from_outside(recorded: Recorded) -> None:
    text = svg(take_picture(recorded.machine)).replace(NAMESPACE, "")
    assert not any(word in text for word in ("http", "href", "url(", "@import", "<script"))


@pytest.mark.parametrize("theme", [*THEMES, "auto"])
def test_themes(recorded: Recorded, theme: str) -> None:
    text = svg(take_picture(recorded.machine), theme)
    for name, colour in THEMES.items():
        assert (colour["page"] in text) == (theme in (name, "auto"))


@pytest.mark.parametrize("theme", list(THEMES))
def test_larger_values_are_further_from_the_page(theme: str) -> None:
    def brightness(letter: str) -> int:
        colour = colour_of_row(letter, theme)
        return sum(int(colour[i : i + 2], 16) for i in (1, 3, 5))

    letters = "abcdefghijklmnopqrstuvwxyz"
    assert sorted(letters, key=brightness, reverse=theme == "light") == list(letters)


def test_maps_are_apart_from_boxes_and_on_the_page() -> None:
    boxes = plan.boxes()
    for where in plan.maps().values():
        assert all(where["x"] >= box.x + box.width or where["y"] >= box.y + box.height
                   for box in boxes)  # fmt: skip
        assert where["x"] + where.get("columns", 16) * where["width"] <= plan.WIDTH
    assert plan.LEGEND_Y + plan.LINE < plan.HEIGHT


def test_memory_and_lanes_are_drawn(recorded: Recorded) -> None:
    assert recorded.history.to_cycle(300)
    picture = take_picture(recorded.machine)
    drawn = ElementTree.fromstring(svg(picture))
    groups = {group.get("id"): group for group in drawn.iter(f"{SVG}g")}
    in_l1 = {rect.get("class") for rect in groups["l1"].iter(f"{SVG}rect")}
    assert in_l1 == {memory_class(letter) for letter in picture.l1}
    for number in range(8):
        lanes = picture.lregs[number * 32 : number * 32 + 32]
        rects = groups[f"lreg-{number}"].findall(f"{SVG}rect")
        assert sum(int(rect.get("width", "")) for rect in rects) == 32 * plan.LREG_WIDTH
        assert {rect.get("class") for rect in rects} == {class_of(letter) for letter in lanes}


@pytest.mark.parametrize(
    ("reason", "units"),
    [
        ("bank 0 of SrcA is the unpackers': no instruction has handed it over", ["unpacker 0"]),
        (
            "bank 1 of SrcA is the unpackers': ...; bank 0 of SrcB is the unpackers': ...",
            ["unpacker 0", "unpacker 1"],
        ),
        ("bank 0 of SrcB is the Matrix Unit's: no instruction has given it back", ["Matrix Unit"]),
        ("the packer has a PACR", ["packer"]),
        ("unpacker 1 has its UNPACR", ["unpacker 1"]),
        ("semaphore 1 is 0 until it is posted", []),
    ],
)
def test_units_that_a_reason_names(reason: str, units: list[str]) -> None:
    assert units_in(reason) == units
