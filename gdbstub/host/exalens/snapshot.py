# SPDX-License-Identifier: Apache-2.0
"""Read a tile of a card into a machine, and note what could not be read.

    without touching a core     L1; which cores are in reset; registers and counters of the NIUs
                                (nius.py); the configuration of both banks and of the threads,
                                through CFGREG_RD; from the debug bus pcs, what each waits for, what
                                is at the wait gates, row and address counters (coprocessor.py);
                                Dst, through DBG_ARRAY_RD, if it is wanted
    while a core is halted      its registers, local RAM, and which mailboxes hold something for it;
                                of B, T0 or T1 GPRs, of T0 or T1 semaphores (cores.py)

Cores that run are halted one after the other, and run again: a tile that hangs does not mind. With
`undisturbed` no core is halted. What selects the answers of the debug bus, of CFGREG_RD and of
DBG_ARRAY_RD is put back. The command says what it has changed on the card.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, THREADS
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.gdbstub.host.exalens.bus import Bus, selections_kept
from tensix_gdb.gdbstub.host.exalens.card import CannotRead, Card
from tensix_gdb.gdbstub.host.exalens.coprocessor import (
    read_configuration,
    read_counters,
    read_dst,
    read_thread,
)
from tensix_gdb.gdbstub.host.exalens.cores import read_cores
from tensix_gdb.gdbstub.host.exalens.found import MORE, NOT_SHOWN, Local, Snapshot
from tensix_gdb.gdbstub.host.exalens.nius import read_nius


def take_snapshot(
    card: Card,
    *,
    undisturbed: bool = False,
    with_dst: bool = False,
    local: Local = Local.DEBUG,
    with_config: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """Read all that the card gives. CannotRead if not even L1 can be read."""
    found = Snapshot()
    machine = found.machine
    tell("reading L1")
    machine.load_bytes(0, card.read(0, L1_BYTES))
    try:
        read_nius(card, machine)
    except CannotRead as problem:
        found.unknown["NIUs"] = str(problem)
    with selections_kept(card):
        bus = Bus(card)
        tell("reading the debug bus")
        _coprocessor(bus, found)
        if with_config:
            tell("reading the configuration")
            try:
                read_configuration(card, machine)
            except CannotRead as problem:
                found.unknown["configuration"] = str(problem)
        else:
            found.unknown["configuration"] = "it was not asked for: --no-config"
        read_cores(card, bus, found, undisturbed=undisturbed, local=local, tell=tell)
    if with_dst:
        tell("reading Dst")
        try:
            read_dst(card, machine)
        except CannotRead as problem:
            found.unknown["Dst"] = str(problem)
    else:
        found.unknown["Dst"] = "it was not asked for: --dst"
    for hart in range(HARTS):
        update_issuing(machine.S, hart)
    return found


def _coprocessor(bus: Bus, found: Snapshot) -> None:
    """Threads and counters; all of that is unknown if the debug bus does not answer."""
    unknown = found.unknown
    for thread in range(THREADS):
        unknown[f"latched wait of T{thread}"] = NOT_SHOWN
    unknown["address counters of T1, T0's packers, T2's unpackers"] = NOT_SHOWN
    unknown["bits 8 to 12 of address counters Z and W"] = NOT_SHOWN
    try:
        read_counters(bus, found.machine)
        for thread in range(THREADS):
            facts = read_thread(bus, found.machine, thread)
            if {"queued", "FIFO full", "a MOP to expand"} & set(facts):
                unknown[f"instructions queued for T{thread}"] = MORE
            if facts:
                unknown[f"what T{thread} has in units"] = "the debug bus shows that instructions "
                unknown[f"what T{thread} has in units"] += "are in flight, not where"
    except CannotRead as problem:
        unknown["row counters"] = unknown["address counters"] = str(problem)
        for thread in range(THREADS):
            unknown[f"wait gate of T{thread}"] = str(problem)
            unknown[f"what T{thread} has in units"] = str(problem)
