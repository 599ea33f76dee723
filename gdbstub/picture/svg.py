# SPDX-License-Identifier: Apache-2.0
"""The floor plan with its cells as an SVG file: text and boxes, no script, no font of its own."""

from __future__ import annotations

import textwrap
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from tensix_gdb.gdbstub.picture import plan
from tensix_gdb.gdbstub.picture.cells import Cell, cells
from tensix_gdb.gdbstub.picture.state import Picture

NAMESPACE = "http://www.w3.org/2000/svg"
CHARACTER = 6.65  # width in pixels of a character of 11 pixels height
TILE_ROWS = 64
# By theme: the page, a box, its edge, text, quiet text; fill of boxes by tone.
THEMES = {
    "light": {
        "page": "#ffffff", "edge": "#9aa4b2", "text": "#1b2430", "quiet": "#5b6675",
        "idle": "#f4f6f8", "moves": "#dff3e4", "held": "#fde3df", "busy": "#e2ecfb",
    },
    "dark": {
        "page": "#10151c", "edge": "#4a5666", "text": "#e6ebf2", "quiet": "#9fabba",
        "idle": "#1a212b", "moves": "#173526", "held": "#4a1f1c", "busy": "#1b2f4d",
    },
}  # fmt: skip
# Of Dst's rows: no value, some without, NaN, infinite, zero; the others by magnitude.
_DST = {"?": "#8a8f98", "!": "#c9a227", "N": "#d7263d", "I": "#ff7a00", "0": "#c8d0da"}


def svg(picture: Picture, theme: str = "auto") -> str:
    """The whole file. `theme` is light, dark, or auto: as the viewer prefers."""
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
    for arrow in plan.arrows():
        places = {name: str(getattr(arrow, name)) for name in ("x1", "y1", "x2", "y2")}
        SubElement(root, "line", {"class": "edge", **places})
    shown = cells(picture)
    for box in plan.boxes():
        _box(root, box, shown[box.id])
    _dst(root, picture)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _style(theme: str) -> str:
    if theme == "auto":
        return _colours("light") + f"@media (prefers-color-scheme: dark) {{{_colours('dark')}}}"
    return _colours(theme)


def _colours(theme: str) -> str:
    colour = THEMES[theme]
    rules = [
        "text{font:11px ui-monospace,Menlo,Consolas,monospace;white-space:pre;"
        f"fill:{colour['text']}}}",
        ".head,.title{font-weight:bold}.head{font-size:14px}",
        f".quiet{{fill:{colour['quiet']}}}",
        f".page{{fill:{colour['page']}}}",
        f".box,.edge{{stroke:{colour['edge']};stroke-width:1}}",
    ]
    rules += [f".{tone}{{fill:{colour[tone]}}}" for tone in ("idle", "moves", "held", "busy")]
    return "".join(rules)


def _box(root: Element, box: plan.Box, cell: Cell) -> None:
    group = SubElement(root, "g", id=box.id)
    SubElement(group, "title").text = cell.tip
    places = {name: str(getattr(box, name)) for name in ("x", "y", "width", "height")}
    SubElement(group, "rect", {"class": f"box {cell.tone}", "rx": "4", **places})
    _text(group, box.x + 8, box.y + 15, box.title, "title")
    for i, line in enumerate(fitting(cell.lines, box)):
        _text(group, box.x + 8, box.y + 15 + plan.LINE * (i + 1), line, "")


def fitting(lines: tuple[str, ...], box: plan.Box) -> list[str]:
    """The lines as the box shows them, the longer ones wrapped while there is room; what is left
    out is in the tip."""
    columns = int((box.width - 16) / CHARACTER)
    wrapped = [part for line in lines if line for part in textwrap.wrap(line, columns) or [""]]
    if len(wrapped) > box.lines:
        wrapped = [*wrapped[: box.lines - 1], _cut(wrapped[box.lines - 1] + " ...", columns)]
    return wrapped


def _clipped(text: str, width: int) -> str:
    return _cut(text.partition("\n")[0], int(width / CHARACTER))


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: columns - 3].rstrip() + "..."


def _text(parent: Element, x: int, y: int, text: str, kind: str) -> None:
    places = {"x": str(x), "y": str(y)}
    SubElement(parent, "text", {"class": kind, **places} if kind else places).text = text


def _dst(root: Element, picture: Picture) -> None:
    """A strip for each tile of 64 rows, and a line of the strip for each row."""
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
                    "fill": colour_of_row(rows[start]),
                })  # fmt: skip
                start = end
        _text(column, x + 3, plan.DST_Y + TILE_ROWS * plan.DST_ROW + 14, str(tile), "quiet")
    legend = "grey: no value  yellow: partly  red: NaN  orange: infinite  blue: magnitude"
    y = plan.DST_Y + TILE_ROWS * plan.DST_ROW + 32
    for i, line in enumerate(textwrap.wrap(legend, 50)):
        _text(group, plan.DST_X, y + i * plan.LINE, line, "quiet")


def colour_of_row(letter: str) -> str:
    """The colour of a row of Dst with this letter; the larger, the darker."""
    if letter in _DST:
        return _DST[letter]
    strength = (ord(letter) - ord("a")) / 25
    red, green, blue = (round(to * strength + start * (1 - strength))
                        for start, to in ((190, 8), (220, 48), (255, 140)))  # fmt: skip
    return f"#{red:02x}{green:02x}{blue:02x}"


def _about(rows: str) -> str:
    """What the rows have, in words."""
    words = {"?": "without a value", "!": "partly without", "N": "with NaN", "I": "infinite",
             "0": "zero"}  # fmt: skip
    found = [
        f"{rows.count(letter)} rows {text}" for letter, text in words.items() if letter in rows
    ]
    values = sum(letter.islower() for letter in rows)
    found += [f"{values} rows of values"] if values else []
    return ", ".join(found)
