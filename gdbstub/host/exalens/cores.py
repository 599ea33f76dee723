# SPDX-License-Identifier: Apache-2.0
"""The cores' part of a snapshot: from the debug bus, and while each is halted for a moment.

Through T2 words at 8 and 12 of each 16 bytes read as 0 on Blackhole (tt-exalens#528). That is known
of its local RAM, and tt-exalens refuses all of them: so T2 gives no GPRs and no semaphores here.

A core that waits for the answer of a load cannot be halted: a halt that it is asked for stays
pending, and it halts when the answer comes. So cores that the debug bus shows waiting are not
asked. One that does not halt though is named: nothing can take the request back.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    LOCAL_BASE,
    LOCAL_BYTES,
    LOCAL_STRIDE,
    SLOW_LOCAL_BASE,
    SLOW_LOCAL_OWNER,
    SOFT_RESET_BIT,
    T0,
    T2,
    THREADS,
    TILE_CONTROL_BASE,
    B,
)
from tensix_gdb.core.devices.debug.signal_names import HARTS as SIGNAL_HARTS
from tensix_gdb.core.devices.gprs import GPR_BASE
from tensix_gdb.core.devices.mailboxes import ENDS, MAILBOX_BASE, MAILBOX_STRIDE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.gdbstub.host.exalens.bus import Bus, read_word
from tensix_gdb.gdbstub.host.exalens.card import CannotRead, Card
from tensix_gdb.gdbstub.host.exalens.found import MORE, Local, Snapshot
from tensix_gdb.gdbstub.tensix.corefile.unknown_memory import T2_HALF

SOFT_RESET_0 = TILE_CONTROL_BASE + 0x1B0
LOOKS = 8  # at the pcs of a core that is not halted
UNDISTURBED = "no core was to be halted: leave out --undisturbed"
IN_RESET = "it is in reset"
NO_CORE = "no core that has them could be halted"
NOT_HALTED = {
    "semaphores": "neither T0 nor T1 could be halted",
    "GPRs of T2": "B could not be halted, and through T2 half of them read as 0",
}


def read_cores(
    card: Card,
    bus: Bus,
    found: Snapshot,
    *,
    undisturbed: bool,
    local: Local,
    tell: Callable[[str], None],
) -> None:
    """Read all five, one after the other."""
    S = found.machine.S
    reset = read_word(card, SOFT_RESET_0)
    S.tile_control.soft_reset = reset
    unread = dict.fromkeys((f"GPRs of T{thread}" for thread in range(THREADS)), "")
    unread["semaphores"] = ""
    for hart in range(HARTS):
        name = HART_NAMES[hart]
        S.hart.in_reset[hart] = reset >> SOFT_RESET_BIT[hart] & 1
        if S.hart.in_reset[hart]:
            found.unknown[f"registers of {name}"] = IN_RESET
            found.unknown[f"local RAM of {name}"] = IN_RESET
            continue
        tell(f"reading {name}")
        try:
            _from_bus(bus, found, hart)
        except CannotRead as problem:
            found.unknown[f"pc of {name}"] = str(problem)
        reason = _why_not_to_halt(card, found.machine, hart, undisturbed=undisturbed)
        if not reason:
            reason = _halted(card, found, hart, unread, local=local)
        if reason:
            found.unknown[f"registers of {name}"] = reason
            _local(card, found, hart, local, reason)
            if not S.hart.waits_for[hart]:
                _look_again(bus, found, hart, reason)
    for what in unread:
        found.unknown[what] = UNDISTURBED if undisturbed else NOT_HALTED.get(what, NO_CORE)
    _mailboxes(found)


def _from_bus(bus: Bus, found: Snapshot, hart: int) -> None:
    """Read the pc, and what the core waits for in a load."""
    S, name = found.machine.S, SIGNAL_HARTS[hart]
    S.hart.pc[hart] = bus.signal(f"{name}_pc")
    for writer in range(ENDS):
        middle = "" if writer == B else "risc_wrapper_trisc_"
        ready = bus.signal(f"{SIGNAL_HARTS[writer]}_{middle}o_mailbox_rd_req_ready")
        if hart < ENDS and not ready >> hart & 1:
            _waits(found, hart, WaitsFor.MAILBOX_VALUE, writer)
    for thread in range(THREADS):
        buffer = f"{SIGNAL_HARTS[T0 + thread]}_pc_buffer_"
        if not bus.signal(f"{buffer}cmd_fifo_empty"):
            found.unknown[f"PCBuf of T{thread}"] = MORE
        if hart == B and bus.signal(f"{buffer}riscv_sync_activated"):
            _waits(found, hart, WaitsFor.PCBUF_IDLE, T0 + thread)
        if hart == T0 + thread and bus.signal(f"{buffer}trisc_read_request_pending"):
            _waits(found, hart, WaitsFor.PCBUF_VALUE, B)
        if hart == T0 + thread and bus.signal(f"{buffer}trisc_sync_activated"):
            expands = bus.signal(f"{buffer}i_mops_outstanding")
            _waits(found, hart, WaitsFor.TENSIX_MOP if expands else WaitsFor.TENSIX_IDLE, hart)
    if S.hart.waits_for[hart]:
        S.hart.pc[hart] = bus.signal(f"{name}_dbg_obs_cmt_pc")


def _waits(found: Snapshot, hart: int, reason: WaitsFor, other: int) -> None:
    found.machine.S.hart.waits_for[hart] = reason
    found.machine.S.hart.waits_on[hart] = other


def _why_not_to_halt(card: Card, machine: Machine, hart: int, *, undisturbed: bool) -> str:
    """Empty if it may be halted, or is."""
    if machine.S.hart.waits_for[hart]:
        return "it waits in a load, and would halt after that only"
    if not undisturbed:
        return ""
    try:
        return "" if card.is_halted(hart) else UNDISTURBED
    except CannotRead as problem:
        return str(problem)


def _halted(card: Card, found: Snapshot, hart: int, unread: dict[str, str], *, local: Local) -> str:
    """Read a core while it is halted; why that was not possible."""
    machine = found.machine
    may_halt = False
    try:
        was_halted = may_halt = card.is_halted(hart)
        may_halt = not was_halted
        with card.halted(hart):
            may_halt = False
            _core(card, machine, hart, unread)
            _inbox(card, found, hart)
            _local(card, found, hart, local)
            machine.S.hart.paused[hart] = int(was_halted)
    except CannotRead as problem:
        if may_halt and card.can_halt(hart):
            found.asked.append(hart)
        return str(problem)
    if not was_halted:
        found.halted.append(hart)
    return ""


def _look_again(bus: Bus, found: Snapshot, hart: int, reason: str) -> None:
    """A core that was not halted: does it run?"""
    name, pcs = HART_NAMES[hart], set[int]()
    try:
        for _ in range(LOOKS):
            bus.read_anew()
            pcs.add(bus.signal(f"{SIGNAL_HARTS[hart]}_pc"))
    except CannotRead:
        return
    if len(pcs) == 1:
        found.unknown[f"whether {name} runs"] = (
            f"it was at one place all {LOOKS} times, and {reason}"
            if hart not in found.asked
            else "it does not halt: something that it has issued is not done"
        )


def _core(card: Card, machine: Machine, hart: int, unread: dict[str, str]) -> None:
    """Read a halted core, and what others share of what it sees."""
    S = machine.S
    values = [card.x(hart, number) for number in range(33)]
    S.hart.pc[hart] = values[32]
    for number in range(1, 32):
        S.hart.x[hart, number] = values[number]
    if hart == T2:
        return
    threads = range(THREADS) if hart == B else (hart - T0,)
    for place, thread in enumerate(threads):
        if unread.pop(f"GPRs of T{thread}", None) is not None:
            for number in range(64):
                addr = GPR_BASE + 256 * place + 4 * number
                S.gpr.word[thread * 64 + number] = card.word(hart, addr)
    if hart != B and unread.pop("semaphores", None) is not None:  # B does not see them
        for number in range(SEMAPHORES):
            S.semaphore.value[number] = card.word(hart, SEMAPHORE_BASE + 4 * number) & 15


def _inbox(card: Card, found: Snapshot, hart: int) -> None:
    """Note which mailboxes hold something for it: to look takes nothing out."""
    for writer in range(ENDS):
        key = f"mailbox from {HART_NAMES[writer]} to {HART_NAMES[hart]}"
        found.unknown.pop(key, None)
        if card.word(hart, MAILBOX_BASE + writer * MAILBOX_STRIDE + 4):
            found.unknown[key] = "it holds something, which to read would take out"
        else:
            found.empty.add((writer, hart))


def _mailboxes(found: Snapshot) -> None:
    """Read those that are not known to be empty."""
    S = found.machine.S
    for reader in range(ENDS):
        for writer in range(ENDS):
            key = f"mailbox from {HART_NAMES[writer]} to {HART_NAMES[reader]}"
            waits = S.hart.waits_for[reader] == WaitsFor.MAILBOX_VALUE
            is_empty = (writer, reader) in found.empty or (
                waits and S.hart.waits_on[reader] == writer
            )
            if not is_empty and key not in found.unknown:
                found.unknown[key] = f"{HART_NAMES[reader]} was not halted to look"


def _local(card: Card, found: Snapshot, hart: int, local: Local, why_not: str = "") -> None:
    """Read its local RAM; `why_not` if the core is not halted."""
    name = f"local RAM of {HART_NAMES[hart]}"
    if local is Local.NONE:
        found.unknown[name] = "it was not asked for: --no-local"
    elif local is Local.DEBUG and why_not:
        found.unknown[name] = why_not
    elif local is Local.DEBUG:
        for offset in range(0, LOCAL_BYTES[hart], 4):
            if hart != T2 or offset % 16 < 8:
                at = (hart * LOCAL_STRIDE + offset) // 4
                found.machine.S.local.word[at] = card.word(hart, LOCAL_BASE + offset)
        if hart == T2:
            found.unknown[T2_HALF] = "through T2 they read as 0 (tt-exalens#528)"
    else:
        _local_over_noc(card, found, hart)


def _local_over_noc(card: Card, found: Snapshot, hart: int) -> None:
    window = SLOW_LOCAL_BASE + SLOW_LOCAL_OWNER.index(hart) * LOCAL_STRIDE
    try:
        data = card.read(window, LOCAL_BYTES[hart])
    except CannotRead as problem:
        found.unknown[f"local RAM of {HART_NAMES[hart]}"] = str(problem)
        return
    for number, (word,) in enumerate(struct.iter_unpack("<I", data)):
        found.machine.S.local.word[hart * LOCAL_STRIDE // 4 + number] = word
