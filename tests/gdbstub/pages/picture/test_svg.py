# SPDX-License-Identifier: Apache-2.0
"""The drawing: well-formed, all boxes apart and on the page, all text in its box."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from tensix_gdb.gdbstub.pages.picture import flow, plan
from tensix_gdb.gdbstub.pages.picture.cells import cells
from tensix_gdb.gdbstub.pages.picture.colours import (
    LETTERS,
    THEMES,
    class_of,
    colour_of_row,
    legend,
    memory_class,
)
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


def test_source_banks_are_drawn(recorded: Recorded) -> None:
    assert recorded.history.to_cycle(400)
    picture = take_picture(recorded.machine)
    drawn = ElementTree.fromstring(svg(picture))
    groups = {group.get("id"): group for group in drawn.iter(f"{SVG}g")}
    for number, bank in enumerate(picture.banks):
        rects = groups[f"rows-{number}"].findall(f"{SVG}rect")
        assert {rect.get("class") for rect in rects} == {class_of(letter) for letter in bank.rows}
        box = next(box for box in plan.boxes() if box.id == f"bank-{number}")
        assert all(box.x < int(rect.get("x", "")) for rect in rects)
        assert all(int(rect.get("y", "")) < box.y + box.height for rect in rects)


def test_one_legend_for_all_maps_of_numbers() -> None:
    about, *samples = legend()[0]
    assert about[1] == "Dst, SrcA, SrcB, LRegs"
    assert {kind for kind, _ in samples} <= {class_of(letter) for letter in LETTERS}


def test_ways_are_where_no_box_is() -> None:
    """Straight parts of ways that are always there cross no box: they would hide its text."""
    for way in flow.ways():
        x = y = 0
        ends = set()
        for name, numbers in re.findall(r"([MHVQ])([-\d, ]+)", way.path):
            values = [int(one) for one in re.findall(r"-?\d+", numbers)]
            to = (
                (*values[-2:],)
                if name in "MQ"
                else (values[0], y)
                if name == "H"
                else (x, values[0])
            )
            if name != "M":
                ends |= {box.id for box in plan.boxes() if crosses(box, (x, y), to)}
            x, y = to
        assert ends == set(), way


def crosses(box: plan.Box, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """True if a part of a way is inside of a box, and not only at its edge."""
    (x1, x2), (y1, y2) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return x1 < box.x + box.width and x2 > box.x and y1 < box.y + box.height and y2 > box.y


def test_what_is_on_the_ways(recorded: Recorded) -> None:
    """While both unpackers work, their instructions and tiles; queues that are not empty."""
    shown: set[tuple[str, str, str]] = set()
    for cycle in range(300, 520):
        assert recorded.history.to_cycle(cycle)
        picture = take_picture(recorded.machine)
        found = flow.flows(picture)
        shown |= {(one.start, one.end, one.label) for one in found}
        known = {(way.start, way.end) for way in flow.ways()}
        assert {(one.start, one.end) for one in found if not one.start.startswith("gate")} <= known
        at_gates = {f"gate-{i}" for i, thread in enumerate(picture.threads) if thread.gate}
        assert {one.end for one in found if one.end.startswith("gate")} == at_gates
        busy = {plan.unit_id(unit.name) for unit in picture.units if unit.threads}
        assert busy <= {one.end for one in found}
    assert ("gate-0", "unit-unpacker-0", "UNPACR") in shown
    assert {("l1", "unit-unpacker-0", ""), ("unit-unpacker-0", "srca", "")} <= shown
    assert {("src", "unit-matrix-unit", ""), ("unit-matrix-unit", "dst", "")} <= shown
    assert ("hart-2", "front-1", "") in shown
    assert recorded.history.to_cycle(1)


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
