# SPDX-License-Identifier: Apache-2.0
"""The origin of a value, for the page: the writes as nodes of a tree, each with its line.

    {"asked": "dst 16.4", "whole": true, "cycles": 35, "roots": [0],
     "nodes": [{"title": "dst 16.4: ...", "lines": ["written by ..."], "cycle": 328,
                "file": "/tmp/add.c", "line": 65, "tile": "", "parts": [1, 2]}, ...]}

Two nodes may have a part in common. `tile` is that of the line, if it is another one than the
page's. A copy of the tile goes through the history again, in a thread,
so the tile is not disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tensix_gdb.core.origin.ask import Origins
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.gdbstub.pages.web.sources import Sources


def for_page(
    found: Origins, sources_of: Callable[[str], Sources], name: str = ""
) -> dict[str, Any]:
    """Return an answer for the page of the tile of this name."""
    numbers: dict[int, int] = {}
    every = list(_every(found.trees, numbers))
    return {
        "asked": found.asked,
        "whole": found.is_whole,
        "cycles": found.cycles,
        "roots": [numbers[id(tree)] for tree in found.trees],
        "nodes": [_node(one, numbers, sources_of, name) for one in every],
    }


def _every(trees: list[Origin], numbers: dict[int, int]) -> Iterator[Origin]:
    """Yield each write once; `numbers` has its place."""
    left = list(trees)
    while left:
        one = left.pop(0)
        if id(one) not in numbers:
            numbers[id(one)] = len(numbers)
            left += one.made_of
            yield one


def _node(
    one: Origin, numbers: dict[int, int], sources_of: Callable[[str], Sources], name: str
) -> dict[str, Any]:
    at = None
    if one.hart is not None and one.pc:
        at = sources_of(one.tile or name).at(one.hart, one.pc)
    return {
        "title": one.title,
        "lines": list(one.about()),
        "cycle": None if one.cycles is None else one.cycles[1],
        "file": "" if at is None else at.file,
        "line": 0 if at is None else at.line,
        "tile": one.tile if one.tile != name else "",
        "parts": [numbers[id(part)] for part in one.made_of],
    }
