# SPDX-License-Identifier: Apache-2.0
"""Values of a box that one may ask the origin of: each with its name and its place.

    {"title": "GPRs of T1", "values": [["G5", "0000002a", "gpr T1 5"], ...]}

Places are as one types them (core/places). Datums of Dst, LRegs and source banks are in the
matrices beside them; words of memory have a list of their own (memory.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.config import number_of, owners_of, value_of
from tensix_gdb.core.places.kinds import GPRS
from tensix_gdb.core.places.place import Place, text
from tensix_gdb.gdbstub.tensix.monitor.dst import usual_format
from tensix_gdb.gdbstub.tensix.monitor.dst_text import FORMATS

Values = dict[str, Any]


def registers(machine: Machine, hart: int) -> Values:
    """Return those of a hart."""
    name = HART_NAMES[hart]
    values = [
        [register, f"{machine.read_x(hart, i):08x}", f"reg {name} {register}"]
        for i, register in enumerate(ABI_NAMES)
        if i
    ]
    return {"title": f"registers of {name}", "values": values}


def gprs(machine: Machine, thread: int) -> Values:
    """Return those of a Tensix thread."""
    values = [
        [f"G{i}", f"{machine.S.gpr.word[thread * GPRS + i]:08x}", f"gpr T{thread} {i}"]
        for i in range(GPRS)
    ]
    return {"title": f"GPRs of T{thread}", "values": values}


def configuration(machine: Machine) -> Values:
    """Fields that are not 0."""
    return {"title": "configuration, fields that are not 0", "values": list(_fields(machine))}


def _fields(machine: Machine) -> Iterator[list[str]]:
    for name, field in sorted(config_fields(machine.arch).items()):
        for owner in owners_of(field):
            value = value_of(machine.S, field, number_of(owner))
            if value:
                place = Place("cfg", "" if field.space is Space.GLOBAL else owner, name)
                yield [text(place).removeprefix("cfg "), f"{value:#x}", text(place)]


def datums(machine: Machine, box: str, number: int) -> str:
    """Return the beginning of the place of a datum in the matrix of a box; "" if it has none."""
    if box == "dst":
        return "dst32" if FORMATS[usual_format(machine)][0] else "dst"
    if box == "lreg":
        return f"lreg {number}"
    if box == "bank":
        return f"src {'ab'[number // 2]} {number % 2}"
    return ""
