# SPDX-License-Identifier: Apache-2.0
"""The states of a tile for a shared file, one after the other, and the inside of each box.

    events   what is new in the page against the event before (pages.web.frames.changes)
    boxes    by box: the number of an event, and the inside of the box from that event on
    sources  by path: lines as HTML, and where each has code

The page asks a server for nothing else while it looks, so it shows the same with these. An inside
that has not changed is not kept again; of the large ones the bytes that they show are compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from tensix_gdb.core.arch.blackhole import HARTS, LOCAL_BASE, LOCAL_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history.history import History
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.web.frames import Frame, changes
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.tensix.blocked.polls import standing_still
from tensix_gdb.gdbstub.tensix.glance.memory_map import CELL, CELLS

DST_TILES, LREGS, BANKS = 16, 8, 4
BEFORE = 64  # events at equal distances before the cycles that are there one by one
# Boxes that take long to look into, and the parts of the record that they show.
SLOW = {
    **{f"dst-{tile}": ("dst", "config") for tile in range(DST_TILES)},
    **{f"lreg-{number}": ("vector",) for number in range(LREGS)},
    **{f"bank-{number}": ("src",) for number in range(BANKS)},
    "unit-configuration-unit": ("config",),
    "unit-vector-unit": ("vector",),
}


QUICK = tuple(box.id for box in plan.boxes() if box.id not in SLOW)
HART_BOXES = tuple(f"hart-{hart}" for hart in range(HARTS))
# The rows of these parts that are arrays.
PARTS = {
    part: tuple(
        slot.path.removeprefix(f"{part}.")
        for slot in LAYOUT.storage()
        if slot.path.startswith(f"{part}.") and slot.field.shape
    )
    for part in {part for parts in SLOW.values() for part in parts}
}


@dataclass
class Gathered:
    """The parts of the file that are of one tile, as JSON has them."""

    events: list[Frame] = field(default_factory=list)
    boxes: dict[str, list[tuple[int, dict[str, Any]]]] = field(default_factory=dict)
    sources: dict[str, dict[str, Any]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it for share.js."""
        return {"events": self.events, "boxes": self.boxes, "sources": self.sources}

    def forget(self, count: int) -> None:
        """Give up the first events: the next one has all of the page then."""
        whole: Frame = {}
        for event in self.events[: count + 1]:
            whole = {
                **whole,
                **event,
                "cells": {**whole.get("cells", {}), **event.get("cells", {})},
            }
        self.events = [whole, *self.events[count + 1 :]]
        for box, states in self.boxes.items():
            before = [inside for at, inside in states if at <= count][-1:]
            after = [(at - count, inside) for at, inside in states if at > count]
            self.boxes[box] = [(0, inside) for inside in before] + after


class Gathering:
    """Looks at a tile again and again."""

    def __init__(self, page: Page, *, has_memory: bool = True, has_all: bool = True) -> None:
        """Without `has_all` of the insides only those of harts: where each is, and its source."""
        self._page, self._has_memory, self._has_all = page, has_memory, has_all
        self.found = Gathered()
        self._frame: Frame | None = None
        self._seen: dict[str, Any] = {}
        self._memory = b""

    def look(self, history: list[int], ending: str) -> None:
        """Keep what is new, and the end; `history` has the first and the last cycle."""
        with standing_still(self._page.machine):
            self._look(history, ending)

    def _look(self, history: list[int], ending: str) -> None:
        frame = self._page.take_frame()
        frame |= {"history": history, "running": "", "ending": ending, "clients": []}
        links, why = self._page.details.links, self._page.details.answer("why")
        frame |= {"why": why, "why_paths": links.of(why), "ending_paths": links.of(ending)}
        frame |= {"breaks": [], "gates": ""}
        for path in (*frame["why_paths"], *frame["ending_paths"]):
            self._keep_source(path)
        new = changes(self._frame, frame)
        if not set(new) - {"cycle"} and frame["cycle"] != history[1]:
            return
        number = len(self.found.events)
        self._frame = frame
        self.found.events.append(new)
        for box in (*QUICK, *self._changed()) if self._has_all else HART_BOXES:
            self._keep(number, box)

    def _keep(self, number: int, box: str) -> None:
        inside = self._page.details.of(box)
        if inside is None:
            return
        if (source := inside.get("source")) is not None:
            self._keep_source(source["file"])
            inside["source"] = {"file": source["file"], "line": source["line"]}
        for path in itertools.chain.from_iterable(inside["paths"]):
            self._keep_source(path)
        states = self.found.boxes.setdefault(box, [])
        if not states or states[-1][1] != inside:
            states.append((number, inside))

    def _keep_source(self, file: str) -> None:
        if file and file not in self.found.sources:
            text = self._page.sources.text(file) or []
            self.found.sources[file] = {
                "text": text,
                "code": self._page.sources.lines_with_code(file) if text else {},
            }

    def _changed(self) -> Iterator[str]:
        """Yield the boxes that show what has changed since the last look, but for the plan's."""
        machine = self._page.machine
        data = {part: _bytes_of(machine.S, part) for part in PARTS}
        for box, parts in SLOW.items():
            if self._is_new(box, [data[part] for part in parts]):
                yield box
        if not self._has_memory:
            return
        for hart in range(HARTS):
            if self._is_new(f"local-{hart}", machine.peek(hart, LOCAL_BASE, LOCAL_BYTES[hart])):
                yield f"local-{hart}"
        before, memory = self._memory, self._page.l1_bytes
        self._memory = memory
        if memory == before:
            return
        before = before or bytes(len(memory))
        for cell in range(CELLS):
            at = slice(cell * CELL, (cell + 1) * CELL)
            if memory[at] != before[at]:
                yield f"l1-{cell}"

    def _is_new(self, box: str, data: Any) -> bool:
        if self._seen.get(box) == data:
            return False
        self._seen[box] = data
        return True


def _bytes_of(S: Any, part: str) -> bytes:
    """Return a part of the record."""
    rows = getattr(S, part)
    return b"".join(memoryview(getattr(rows, name).raw).tobytes() for name in PARTS[part])


def cycles_of(
    history: History[Any, Any],
    events: int,
    tell: Callable[[int, str], None],
    far: int = BEFORE,
) -> Iterator[int]:
    """Go through the last cycles one by one, and through those before in `far` steps; yield in each
    where it is."""
    first, last = history.first_cycle, history.last_cycle
    begin = max(first, last - events)
    step = max((begin - first) // far, 1)
    history.to_cycle(first)
    for cycle in (*range(first, begin, step), *range(begin, last + 1)):
        # Nothing is changed between two looks. To compare a chip with what it was takes longer than
        # to run it.
        while (left := cycle - history.whole.cycle) > 0:
            before = history.whole.cycle
            history.run(left, rests=False)
            if history.whole.cycle == before:  # where nothing can move it does not run
                history.to_cycle(cycle)
                break
        tell(cycle, "going through it")
        yield cycle
