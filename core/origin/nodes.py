# SPDX-License-Identifier: Apache-2.0
"""Writes of elements, and what they were made of: what a query (query.py) finds."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.origin.elements import element_at
from tensix_gdb.core.origin.instrumented.scopes import Scope
from tensix_gdb.core.origin.instrumented.watched import Place
from tensix_gdb.core.origin.memories import Holder
from tensix_gdb.core.origin.moves import Change

OUTSIDE = "outside", "byte"  # the key of memory outside the tiles


@dataclass(eq=False, slots=True)
class Node:
    """A write of one element, or an element that nothing has written."""

    place: Place  # in the record of a tile, or an address outside the tiles and a size
    bits: int  # of the element that matter
    tile: Holder = 0
    value: int = 0
    cycle: int | None = None  # in which it was written; None: never, or from outside
    scope: Scope | None = None
    change: Change | None = None  # it was written from outside
    is_followed: bool = True  # False: there was no room for more
    parents: list[Node] = field(default_factory=list)
    addressed: list[Node] = field(default_factory=list)  # what has chosen the elements
    settings: list[Node] = field(default_factory=list)  # what else has steered the unit
    level: int = 0
    is_setting: bool = False
    is_decided: bool = False  # its parents have not been computed with: they were asked about
    later: Node | None = None  # of L1: its last write, which came after it was read here
    # Other bits of the same element, which another write has made; and the lists that have it.
    siblings: list[Node] = field(default_factory=list)
    held_by: list[list[Node]] = field(default_factory=list)
    is_divided: bool = False  # there are siblings
    # Instructions of the Vector Unit that have left it as it was, because its lane was off: as
    # writes of their own, or as what has decided it (wanted.py).
    passed_over: list[Node] = field(default_factory=list)
    # The one that has written it, if that was in a lane that conditional execution had left on.
    in_lane: list[Node] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        """The row that it is in."""
        return OUTSIDE if self.tile < 0 else element_at(self.place[0]).key

    @property
    def is_visible(self) -> bool:
        """True if a person may ask for it."""
        return self.tile < 0 or element_at(self.place[0]).is_visible

    @property
    def steers(self) -> bool:
        """True if it is a setting that is state of its own, no sample of an instruction."""
        return self.tile >= 0 and element_at(self.place[0]).steers


def hold_node(to: list[Node], node: Node) -> None:
    """Put a node into a list, with the siblings that it has and will have."""
    for one in (node, *node.siblings):
        if one not in to:
            to.append(one)
            one.held_by.append(to)


@dataclass(slots=True)
class Answer:
    """The writes of what was asked for, and whether the search came to an end."""

    roots: list[Node]
    cycles: int
    is_whole: bool
    from_reset: bool
