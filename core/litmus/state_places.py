# SPDX-License-Identifier: Apache-2.0
"""State that a test names as a place of the tile: `sem 3.max`, `lreg 3.7`, `T0:$gpr[5]`.

Words of L1, registers of harts and devices have shorter names of their own (symbols.py), by which
programs know them too; a row of the record has its own with and without this.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.place import NotAPlace, Place, text
from tensix_gdb.core.places.state import owned, put, read
from tensix_gdb.core.places.words import parse

SHORTER = {"l1": "X or 0xf40", "local": "T0:LOCAL", "mmio": "T0:0xffb12068", "reg": "T0:a0"}


def is_place(location: str) -> bool:
    """True if a location of a test is written as a place."""
    return " " in location or location.startswith("$")


def _one(machine: Machine, location: str, hart: int | None) -> Place:
    place = parse(location.split(), hart)
    if place.kind in SHORTER:
        raise NotAPlace(f"{location}: a test writes {SHORTER[place.kind]}")
    place = owned(machine, place, hart)
    if (count := len(read(machine, place))) != 1:
        raise NotAPlace(f"{text(place)} has {count} values: name one of them")
    return place


def initialise(machine: Machine, location: str, hart: int | None, value: int) -> None:
    """Put a value there before the test begins. NotAPlace for no place, or a value too large."""
    put(machine, _one(machine, location, hart), value)


def observer(machine: Machine, location: str, hart: int | None) -> Callable[[], int]:
    """Return a function that reads the place. NotAPlace for what is none, or has several values."""
    place = _one(machine, location, hart)
    return lambda: read(machine, place)[0]
