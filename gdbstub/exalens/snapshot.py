# SPDX-License-Identifier: Apache-2.0
"""Read a tile of a card into a machine, and note what could not be read.

    without touching a core     L1; which cores are in reset; pcs, from the debug bus; the
                                configuration, through CFGREG_RD; Dst, through DBG_ARRAY_RD, if it
                                is wanted
    while a core is halted      its registers and local RAM; of B or a T core GPRs and semaphores

Cores that run are halted one after the other, and go on: a tile that hangs does not mind. With
`undisturbed` no core is halted. Two registers change either way: the ones that select what
CFGREG_RDDATA and DBG_ARRAY_RD_DATA show; DBG_ARRAY_RD is turned off again.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    L1_BYTES,
    LOCAL_BASE,
    LOCAL_BYTES,
    LOCAL_STRIDE,
    SOFT_RESET_BIT,
    T0,
    TILE_CONTROL_BASE,
    B,
)
from tensix_gdb.core.devices.backend_config import BANKS, WORDS
from tensix_gdb.core.devices.gprs import GPR_BASE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.gdbstub.exalens.card import CannotRead, Card

SOFT_RESET_0, CFGREG_RD_CNTL, CFGREG_RDDATA = (
    TILE_CONTROL_BASE + offset for offset in (0x1B0, 0x058, 0x078)
)
ARRAY_EN, ARRAY_CMD, ARRAY_DATA = (TILE_CONTROL_BASE + offset for offset in (0x060, 0x064, 0x06C))
NOT_SHOWN = "the debug interface does not show it"
# What no read path gives, by what people call it.
NEVER = (
    "instructions in FIFOs and at the wait gates",
    "what units have under way",
    "mutexes",
    "address counters",
    "row counters",
    "SrcA and SrcB",
    "LRegs",
    "thread configuration",
    "maxima of semaphores",
    "mailboxes and PCBufs",
    "requests under way",
)


class Snapshot:
    """A machine with what was read, and of the rest why it is not known."""

    def __init__(self) -> None:
        self.machine = Machine(engine="reference", schedule=Schedule.LATENCY)
        self.unknown: dict[str, str] = dict.fromkeys(NEVER, NOT_SHOWN)
        self.halted: list[int] = []  # cores that were halted for it


def take(
    card: Card,
    *,
    undisturbed: bool = False,
    with_dst: bool = False,
    with_local: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """Read all that the card gives. CannotRead if not even L1 can be read."""
    found = Snapshot()
    machine = found.machine
    tell("reading L1")
    machine.load_bytes(0, card.read(0, L1_BYTES))
    _cores(card, found, undisturbed=undisturbed, with_local=with_local, tell=tell)
    tell("reading the configuration")
    try:
        _configuration(card, machine)
    except CannotRead as problem:
        found.unknown["configuration"] = str(problem)
    if with_dst:
        tell("reading Dst")
        try:
            _dst(card, machine)
        except CannotRead as problem:
            found.unknown["Dst"] = str(problem)
    else:
        found.unknown["Dst"] = "it was not asked for: --dst"
    for hart in range(HARTS):
        update_issuing(machine.S, hart)
    return found


def _cores(
    card: Card,
    found: Snapshot,
    *,
    undisturbed: bool,
    with_local: bool,
    tell: Callable[[str], None],
) -> None:
    machine = found.machine
    S = machine.S
    reset = int.from_bytes(card.read(SOFT_RESET_0, 4), "little")
    S.tile_control.soft_reset = reset
    shared = {f"GPRs of T{thread}": "no core could be halted" for thread in range(3)}
    shared["semaphores"] = "no core could be halted"
    for hart in range(HARTS):
        name = HART_NAMES[hart]
        S.hart.in_reset[hart] = reset >> SOFT_RESET_BIT[hart] & 1
        if S.hart.in_reset[hart]:
            found.unknown[f"local RAM of {name}"] = "it is in reset"
            continue
        tell(f"reading {name}")
        try:
            S.hart.pc[hart] = card.pc(hart)
        except CannotRead as problem:
            found.unknown[f"pc of {name}"] = str(problem)
        reason = "no core was to be halted: leave out --undisturbed"
        try:
            was_halted = card.is_halted(hart)
            if not undisturbed or was_halted:
                with card.halted(hart):
                    _core(card, machine, hart, shared)
                    if with_local:
                        _local(card, machine, hart)
                    else:
                        found.unknown[f"local RAM of {name}"] = "it was not asked for: --no-local"
                    S.hart.paused[hart] = int(was_halted)
                if not was_halted:
                    found.halted.append(hart)
                continue
        except CannotRead as problem:
            reason = str(problem)
        found.unknown[f"registers of {name}"] = found.unknown[f"local RAM of {name}"] = reason
    found.unknown.update(shared)


def _core(card: Card, machine: Machine, hart: int, shared: dict[str, str]) -> None:
    """A halted core, and what others share of what it sees."""
    S = machine.S
    values = [card.x(hart, number) for number in range(33)]
    S.hart.pc[hart] = values[32]
    for number in range(1, 32):
        S.hart.x[hart, number] = values[number]
    threads = range(3) if hart == B else (hart - T0,)
    for place, thread in enumerate(threads):
        key = f"GPRs of T{thread}"
        if key in shared and 0 <= thread < 3:
            for number in range(64):
                addr = GPR_BASE + 256 * place + 4 * number
                S.gpr.word[thread * 64 + number] = card.word(hart, addr)
            del shared[key]
    if "semaphores" in shared and hart != B:  # B does not see them
        for number in range(SEMAPHORES):
            S.semaphore.value[number] = card.word(hart, SEMAPHORE_BASE + 4 * number) & 15
        del shared["semaphores"]


def _local(card: Card, machine: Machine, hart: int) -> None:
    """Its local RAM, word by word: that takes longest."""
    for offset in range(0, LOCAL_BYTES[hart], 4):
        at = (hart * LOCAL_STRIDE + offset) // 4
        machine.S.local.word[at] = card.word(hart, LOCAL_BASE + offset)


def _configuration(card: Card, machine: Machine) -> None:
    for bank in range(BANKS):
        for word in range(WORDS):
            card.write(CFGREG_RD_CNTL, bank * WORDS + word)
            value = int.from_bytes(card.read(CFGREG_RDDATA, 4), "little")
            machine.S.config.word[bank, word] = value


def _dst(card: Card, machine: Machine) -> None:
    card.write(ARRAY_EN, 1)
    try:
        for row in range(dst.ROWS):
            for pair in range(8):
                card.write(ARRAY_CMD, 2 << 16 | pair << 12 | row)
                value = int.from_bytes(card.read(ARRAY_DATA, 4), "little")
                machine.S.dst.bits[row, 2 * pair] = value & 0xFFFF
                machine.S.dst.bits[row, 2 * pair + 1] = value >> 16
            machine.S.dst.undefined[row] = 0
    finally:
        card.write(ARRAY_CMD, 0)
        card.write(ARRAY_EN, 0)
