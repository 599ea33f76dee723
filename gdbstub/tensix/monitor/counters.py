# SPDX-License-Identifier: Apache-2.0
"""`monitor adc` and `rwc`: address counters of unpackers and packers, row counters of the units."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES, chosen, table
from tensix_gdb.gdbstub.tensix.monitor_show import monitor_show, names_place

UNITS = ("Unpacker 0", "Unpacker 1", "packers")
AXES = ("X", "Y", "Z", "W")
ROW_COUNTERS = (("Dst", "dst"), ("SrcA", "src_a"), ("SrcB", "src_b"))


def monitor_adc(machine: Machine, thread: int, words: list[str]) -> str:
    """Counters with their carriage-return values in brackets, where these differ."""
    if names_place(words):
        return monitor_show(machine, thread, ["adc", *words])
    threads = chosen(thread, words, "adc")
    rows: list[tuple[str, ...]] = [("ADC", "", "", *AXES)]
    for number in threads:
        for unit, name in enumerate(UNITS):
            for channel in range(2):
                values = [_counter(machine, (number, unit, channel, axis)) for axis in range(4)]
                rows.append((NAMES[number], name, f"channel {channel}", *values))
    return table(rows)


def _counter(machine: Machine, at: tuple[int, ...]) -> str:
    value, back = machine.S.adc.value[at], machine.S.adc.cr[at]
    return str(value) if value == back else f"{value} ({back})"


def monitor_rwc(machine: Machine, thread: int, words: list[str]) -> str:
    """Row counters and the fidelity phase, with carriage-return values in brackets."""
    if names_place(words):
        return monitor_show(machine, thread, ["rwc", *words])
    threads = chosen(thread, words, "rwc")
    S = machine.S
    heads = [name for name, _ in ROW_COUNTERS]
    rows: list[tuple[str, ...]] = [("RWC", *heads, "fidelity", "extra addr-mod bit")]
    for number in threads:
        values = []
        for _, name in ROW_COUNTERS:
            value, back = getattr(S.rwc, name)[number], getattr(S.rwc, f"{name}_cr")[number]
            values.append(str(value) if value == back else f"{value} ({back})")
        rows.append(
            (NAMES[number], *values, str(S.rwc.fidelity[number]), str(S.rwc.extra_bit[number]))
        )
    return table(rows)
