# SPDX-License-Identifier: Apache-2.0
"""The files of the places that a text names: `hang.c:26` has only the name of a file, and programs
have many of one name. It is that of the hart that the words before it name, else of the hart that
the line is about. A place that could be in two files has none; so has one without its source here.
"""

from __future__ import annotations

import re

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.gdbstub.pages.web.sources import Sources

# links.js finds the same places.
PLACE = re.compile(r"[\w./+-]{1,200}\.[A-Za-z]\w*:\d{1,7}(?!\w)", re.ASCII)
HART = re.compile(rf"\b({'|'.join(HART_NAMES)})\b")
MOST_KNOWN = 1024  # texts
MOST_KEPT = 1 << 12  # characters of one that is kept


class PlaceLinks:
    """Finds the files of places, of what is loaded now."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._known: dict[tuple[str, int | None], list[str]] = {}
        self._images: tuple[int, ...] = ()

    def of(self, text: str, hart: int | None = None) -> list[str]:
        """Return a path for each place in the text, in their order; "" where it is not known."""
        images = self._sources.loaded()
        if images != self._images or len(self._known) > MOST_KNOWN:
            self._known.clear()
            self._images = images
        known = self._known.get((text, hart))
        if known is None:
            known = self._found(text, hart)
            if len(text) <= MOST_KEPT:
                self._known[text, hart] = known
        return known

    def _found(self, text: str, hart: int | None) -> list[str]:
        found: list[str] = []
        about = hart
        for line in text.split("\n"):
            named = HART.search(line)
            if named and not line.startswith(" "):
                about = HART_NAMES.index(named[1])
            for place in PLACE.finditer(line):
                before = HART.findall(line, 0, place.start())
                own = HART_NAMES.index(before[-1]) if before else about
                name, _, number = place[0].rpartition(":")
                found.append(self._sources.named(name, int(number), own))
        return found
