# SPDX-License-Identifier: Apache-2.0
"""The floor plan with its cells as an SVG file: text and boxes, no script, no font of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.cells import Cell, cells
from tensix_gdb.gdbstub.pages.picture.colours import (
    THEMES,
    WAYS,
    class_of,
    colours,
    legend,
    memory_class,
)
from tensix_gdb.gdbstub.pages.picture.flow import flows, ways
from tensix_gdb.gdbstub.pages.picture.held import held
from tensix_gdb.gdbstub.pages.picture.names import CHARACTER, names
from tensix_gdb.gdbstub.pages.picture.state import Picture
from tensix_gdb.gdbstub.tensix.glance.memory_map import CELL

NAMESPACE = "http://www.w3.org/2000/svg"
TILE_ROWS = 64
RELEASE = {"light": "#b3261e", "dark": "#ff8a80"}  # lines from what is held
Kinds = Callable[[str], str]  # the class of a letter


def svg(picture: Picture, theme: str = "auto") -> str:
    """Return the whole file. `theme` is light, dark, or auto: as the viewer prefers."""
    root = Element(
        "svg",
        xmlns=NAMESPACE,
        viewBox=f"0 0 {plan.WIDTH} {plan.HEIGHT}",
        width=str(plan.WIDTH),
        height=str(plan.HEIGHT),
        role="img",
    )
    SubElement(root, "title").text = f"Tensix tile, cycle {picture.cycle}"
    SubElement(root, "style").text = _style(theme)
    SubElement(root, "rect", {"class": "page", "width": "100%", "height": "100%"})
    _text(root, 16, 26, f"Tensix tile, cycle {picture.cycle}, {picture.execution}", "head")
    _text(root, 16, 46, _clipped(picture.ending, plan.WIDTH - 32), "quiet")
    _ways(root, picture)
    shown = cells(picture)
    for box in plan.boxes():
        _box(root, box, shown[box.id])
    for one in held(picture):
        path = SubElement(root, "path", {"class": "release", "d": one.path})
        SubElement(path, "title").text = one.why
    _banks(root, picture)
    _dst(root, picture)
    _lregs(root, picture)
    _memory(root, picture)
    _legend(root)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _ways(root: Element, picture: Picture) -> None:
    """Draw the ways, and what is on them in the colour of its thread."""
    for way in ways():
        SubElement(root, "path", {"class": f"way {way_class(way.thread)}", "d": way.path})
    found = flows(picture)
    for flow in found:
        path = SubElement(root, "path", {"class": f"flow {way_class(flow.thread)}", "d": flow.path})
        SubElement(path, "title").text = flow.text
    for flow in found:  # no way is over a token
        kind = way_class(flow.thread)
        side = "4" if flow.label else "3"
        token = {
            "x": str(flow.x - 4),
            "y": str(flow.y - 4),
            "width": "8",
            "height": "8",
            "rx": side,
        }
        SubElement(root, "rect", {"class": f"token {kind}", **token})


def way_class(thread: int) -> str:
    """Return the class of a way: of a thread's instructions, or of data."""
    return f"w-{thread}" if thread >= 0 else "w-data"


def _style(theme: str) -> str:
    if theme == "auto":
        return _colours("light") + f"@media (prefers-color-scheme: dark) {{{_colours('dark')}}}"
    return _colours(theme)


def _colours(theme: str) -> str:
    rules = [
        "text{font:11px ui-monospace,Menlo,Consolas,monospace;white-space:pre;"
        f"fill:{THEMES[theme]['text']}}}",
        ".head,.title,.mark{font-weight:bold}.head{font-size:14px}",
        f".box,.edge{{stroke:{THEMES[theme]['edge']};stroke-width:1}}",
        f".release{{fill:none;stroke:{RELEASE[theme]};stroke-width:2}}",
    ]
    rules += [".way,.flow{fill:none}.way{opacity:.45}.flow{stroke-width:2.5}"]
    for name, colour in zip(("0", "1", "2", "data"), WAYS[theme], strict=False):
        rules.append(f".w-{name}{{stroke:{colour}}}.token.w-{name}{{fill:{colour}}}")
    rules += [f".{name}{{fill:{fill}}}" for name, fill in colours(theme).items()]
    return "".join(rules)


def _box(root: Element, box: plan.Box, cell: Cell) -> None:
    group = SubElement(root, "g", id=box.id)
    SubElement(group, "title").text = cell.tip
    places = {name: str(getattr(box, name)) for name in ("x", "y", "width", "height")}
    SubElement(group, "rect", {"class": f"box {cell.tone}", "rx": "4", **places})
    _text(group, box.x + 8, box.y + 15, box.title, "title")
    if cell.mark:
        x = box.x + box.width - 8 - int(len(cell.mark) * CHARACTER)
        _text(group, x, box.y + 15, cell.mark, "mark")
    y = box.y + 15
    for name, count, most in cell.bars:
        y += plan.LINE
        _bar(group, box, y, f"{name} {count}/{most}", count / most)
    for line in fitting(cell, box):
        y += plan.LINE
        _text(group, box.x + 8, y, line, "")


def _bar(group: Element, box: plan.Box, y: int, text: str, part: float) -> None:
    """Draw a queue: its name, and how full it is."""
    _text(group, box.x + 8, y, text, "")
    x, width = box.x + plan.BAR_X + 16, box.width - plan.BAR_X - 24
    places = {"x": str(x), "y": str(y - 8), "height": "8"}
    SubElement(group, "rect", {"class": "bar edge", "width": str(width), **places})
    if part:
        filled = str(max(round(width * min(part, 1)), 2))
        SubElement(group, "rect", {"class": "fill", "width": filled, **places})


def fitting(cell: Cell, box: plan.Box) -> list[str]:
    """Return the lines as the box shows them below its bars, the longer ones wrapped while there is
    room; what is left out is in the tip."""
    columns, room = int((box.width - 16) / CHARACTER), box.lines - len(cell.bars)
    wrapped = [part for line in cell.lines if line for part in textwrap.wrap(line, columns) or [""]]
    if len(wrapped) > room:
        wrapped = [*wrapped[: room - 1], _cut(wrapped[room - 1] + " ...", columns)]
    return wrapped


def _clipped(text: str, width: int) -> str:
    return _cut(text.partition("\n")[0], int(width / CHARACTER))


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: columns - 3].rstrip() + "..."


def _text(parent: Element, x: int, y: int, text: str, kind: str) -> None:
    places = {"x": str(x), "y": str(y)}
    SubElement(parent, "text", {"class": kind, **places} if kind else places).text = text


def _dst(root: Element, picture: Picture) -> None:
    """Draw a strip for each tile of 64 rows, and a line of the strip for each row."""
    group = SubElement(root, "g", id="dst")
    tiles = len(picture.dst) // TILE_ROWS
    _text(group, plan.DST_X, plan.DST_Y - 8, f"Dst, {tiles} tiles of {picture.dst_format}", "title")
    for tile in range(tiles):
        rows = picture.dst[tile * TILE_ROWS : (tile + 1) * TILE_ROWS]
        x = plan.DST_X + tile * (plan.DST_WIDTH + 1)
        column = SubElement(group, "g", id=f"dst-{tile}")
        SubElement(column, "title").text = f"tile {tile}: {_about(rows)}"
        start = 0
        for end in range(1, TILE_ROWS + 1):
            if end == TILE_ROWS or rows[end] != rows[start]:
                SubElement(column, "rect", {
                    "x": str(x), "y": str(plan.DST_Y + start * plan.DST_ROW),
                    "width": str(plan.DST_WIDTH), "height": str((end - start) * plan.DST_ROW),
                    "class": class_of(rows[start]),
                })  # fmt: skip
                start = end
        _text(column, x + 3, plan.DST_Y + TILE_ROWS * plan.DST_ROW + 14, str(tile), "quiet")


def _strip(
    group: Element,
    letters: str,
    x: int,
    y: int,
    width: int,
    height: int,
    kinds: Callable[[str], str],
) -> None:
    """Cells side by side, those alike as one."""
    start = 0
    for end in range(1, len(letters) + 1):
        if end == len(letters) or letters[end] != letters[start]:
            places = {"x": x + start * width, "y": y, "width": (end - start) * width,
                      "height": height}  # fmt: skip
            named = {name: str(value) for name, value in places.items()}
            SubElement(group, "rect", {**named, "class": kinds(letters[start])})
            start = end


def _banks(root: Element, picture: Picture) -> None:
    """Draw the rows of each source bank from left to right, in its box."""
    at = plan.BANK_ROWS
    for number, bank in enumerate(picture.banks):
        box = next(box for box in plan.boxes() if box.id == f"bank-{number}")
        group = SubElement(root, "g", id=f"rows-{number}")
        SubElement(group, "title").text = f"{bank.name}: {_about(bank.rows)}"
        width = (box.width - 2 * at["x"]) // len(bank.rows)
        y = box.y + box.height - at["rise"]
        _strip(group, bank.rows, box.x + at["x"], y, width, at["height"], class_of)


def _lregs(root: Element, picture: Picture) -> None:
    """Draw a line for each LReg, a cell for each lane."""
    group = SubElement(root, "g", id="lregs")
    _text(group, plan.DST_X, plan.LREG_Y - 8, "LRegs, 32 lanes each, as FP32", "title")
    for number in range(len(picture.lregs) // LANES):
        line = SubElement(group, "g", id=f"lreg-{number}")
        lanes = picture.lregs[number * LANES : (number + 1) * LANES]
        SubElement(line, "title").text = f"LReg {number}"
        y = plan.LREG_Y + number * plan.LREG_HEIGHT
        _strip(line, lanes, plan.LREG_X, y, plan.LREG_WIDTH, plan.LREG_HEIGHT - 1, class_of)
    for number in (0, 7):
        y = plan.LREG_Y + number * plan.LREG_HEIGHT + 7
        _text(group, plan.DST_X, y, f"LReg {number}", "quiet")


def _memory(root: Element, picture: Picture) -> None:
    """L1, a cell for each KiB; then the local RAM of each hart."""
    group = SubElement(root, "g", id="l1")
    _text(group, plan.HART_X, plan.L1_Y - 8, "L1, a cell for each KiB", "title")
    for number in range(0, len(picture.l1), plan.L1_COLUMNS):
        y = plan.L1_Y + number // plan.L1_COLUMNS * plan.L1_HEIGHT
        letters = picture.l1[number : number + plan.L1_COLUMNS]
        _strip(group, letters, plan.L1_X, y, plan.L1_WIDTH, plan.L1_HEIGHT - 2, memory_class)
        _text(group, plan.HART_X, y + 8, f"{number * CELL:#08x}", "quiet")
    for name in names(picture.regions):
        _sample(root, name.x, name.y, name.kind, name.text)
    for hart, letters in enumerate(picture.local):
        group = SubElement(root, "g", id=f"local-{hart}")
        x = plan.HART_X + hart * plan.LOCAL_STEP
        text = f"local RAM of {HART_NAMES[hart]}"
        SubElement(group, "title").text = text
        _text(group, x, plan.LOCAL_Y - 4, text, "quiet")
        _strip(group, letters, x, plan.LOCAL_Y, plan.LOCAL_WIDTH, 8, memory_class)


def _legend(root: Element) -> None:
    """Draw the legend of the colours."""
    for number, line in enumerate(legend()):
        x = plan.HART_X
        for kind, text in line:
            x = _sample(root, x, plan.LEGEND_Y + number * plan.LINE, kind, text)


def _sample(root: Element, x: int, y: int, kind: str, text: str) -> int:
    if not kind:
        _text(root, x, y, text, "title")
        return x + 16 + int(len(text) * CHARACTER)
    places = {"x": str(x), "y": str(y - 8), "width": "9", "height": "9"}
    SubElement(root, "rect", {**places, "class": kind})
    _text(root, x + 14, y, text, "quiet")
    return x + 30 + int(len(text) * CHARACTER)


def _about(rows: str) -> str:
    """Return in words what the rows have."""
    words = {"?": "without a value", "!": "partly without", "N": "with NaN", "I": "infinite",
             "0": "zero"}  # fmt: skip
    found = [
        f"{rows.count(letter)} rows {text}" for letter, text in words.items() if letter in rows
    ]
    values = sum(letter.islower() for letter in rows)
    found += [f"{values} rows of values"] if values else []
    return ", ".join(found)
