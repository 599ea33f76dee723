# SPDX-License-Identifier: Apache-2.0
"""`monitor show`: any place in the tile, and `= VALUE` to write it.

show lreg 3.7          show L1 0x21000:16          show reg T1 a0          show gpr T1 5 = 7
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.of_record import names_of_register
from tensix_gdb.core.places.place import NotAPlace, text
from tensix_gdb.core.places.state import owned, read
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of
from tensix_gdb.gdbstub.tensix.monitor_row import assign, named, place_in

PER_LINE = 8
MOST = 1024


def monitor_show(machine: Machine, thread: int, words: Sequence[str]) -> str:
    """Return the values of a place, in hexadecimal; one is decimal, too."""
    names, equals, value = " ".join(words).partition("=")
    place = place_in(names.split(), hart_of(thread))
    try:
        place = owned(machine, place, hart_of(thread))
        if equals:
            assign(machine, place, value.strip())
        values = read(machine, place)
    except NotAPlace as problem:
        raise TargetError(str(problem)) from None
    if len(values) == 1:
        names = ", ".join(names_of_register(machine, place))
        return f"{text(place)}{names and f' ({names})'} = {values[0]:#x} ({values[0]})\n"
    if len(values) > MOST:
        raise TargetError(f"{text(place)} has {len(values)} values: no more than {MOST} are shown")
    lines = [values[i : i + PER_LINE] for i in range(0, len(values), PER_LINE)]
    width = len(f"{max(values):x}")
    shown = "".join(f"  {' '.join(f'{one:0{width}x}' for one in line)}\n" for line in lines)
    return f"{text(place)}, {len(values)} values\n{shown}"


def names_place(words: Sequence[str]) -> bool:
    """True if the words after `adc`, `rwc` or `mop` are more than those that choose a thread."""
    if len(words) == 1:
        return words[0] != "all" and named(words[0]) is None
    return bool(words)
