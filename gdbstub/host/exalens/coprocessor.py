# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's state by the debug bus and the configuration registers, put into a machine.

A thread with nothing in flight is known whole but for a latched wait. Of one that has something,
the instruction at the wait gate is known, and that there is more in its FIFOs, not what.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0, THREADS, TILE_CONTROL_BASE
from tensix_gdb.core.devices.backend_config import BANKS, THREAD_WORDS, WORDS
from tensix_gdb.core.devices.debug.signal_names import CHANNELS, COUNTERS, HARTS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.gdbstub.host.exalens.bus import CFGREG_RD_CNTL, CFGREG_RDDATA, Bus, read_word
from tensix_gdb.gdbstub.host.exalens.card import Card

ARRAY_EN, ARRAY_CMD, ARRAY_DATA = (TILE_CONTROL_BASE + offset for offset in (0x060, 0x064, 0x06C))
ROWS = (
    *(("srca", "src_a"), ("srca_cr", "src_a_cr"), ("srcb", "src_b")),
    *(("srcb_cr", "src_b_cr"), ("dst", "dst"), ("dst_cr", "dst_cr")),
)


def read_configuration(card: Card, machine: Machine) -> None:
    """Read both banks, and what SETC16 has written for each thread."""
    S = machine.S
    for bank in range(BANKS):
        for word in range(WORDS):
            S.config.word[bank, word] = _config(card, bank * WORDS + word)
    for thread in range(THREADS):
        for word in range(THREAD_WORDS):
            value = _config(card, 3 * WORDS + thread * THREAD_WORDS + word)
            S.config.thread[thread, word] = value & 0xFFFF


def _config(card: Card, index: int) -> int:
    card.write(CFGREG_RD_CNTL, index)
    return read_word(card, CFGREG_RDDATA)


def read_counters(bus: Bus, machine: Machine) -> None:
    """Row counters, and those address counters that the bus shows."""
    S = machine.S
    for thread in range(THREADS):
        for name, row in ROWS:
            getattr(S.rwc, row)[thread] = bus.signal(f"rwc{thread}_{name}")
    for number, channel in enumerate(CHANNELS):
        thread, unit = ((0, 0), (0, 1), (2, 2))[number // 2]
        for axis, name in enumerate(COUNTERS):
            at = thread, unit, number % 2, axis
            S.adc.value[at] = bus.signal(f"{channel}_{name}_counter")
            S.adc.cr[at] = bus.signal(f"{channel}_{name}_cr")


def read_thread(bus: Bus, machine: Machine, thread: int) -> list[str]:
    """Read the instruction at a thread's wait gate. Return the facts on what else the thread
    has."""
    front, core = f"tensix_frontend_t{thread}_", HARTS[T0 + thread]
    if not bus.signal(f"{front}ibuffer_empty"):
        machine.S.fifo.count[thread, C] = 1
        machine.S.fifo.word[thread, C, 0] = bus.signal(f"{front}thread_inst")
    facts = [
        (bus.signal(f"{core}_pc_buffer_i_busy"), "in flight"),
        (bus.signal(f"{core}_trisc_mop_buf_full"), "FIFO full"),
        (not bus.signal(f"{front}req_iramd_buffer_empty"), "queued"),
        (bus.signal(f"{core}_mop_decode_mop_stage_valid"), "queued"),
        (bus.signal(f"{core}_pc_buffer_i_mops_outstanding"), "a MOP to expand"),
    ]
    return list(dict.fromkeys(name for is_so, name in facts if is_so))


def read_dst(card: Card, machine: Machine) -> None:
    """Read all rows, by DBG_ARRAY_RD."""
    kept = read_word(card, ARRAY_EN), read_word(card, ARRAY_CMD)
    card.write(ARRAY_EN, 1)
    try:
        for row in range(dst.ROWS):
            for pair in range(8):
                card.write(ARRAY_CMD, 2 << 16 | pair << 12 | row)
                value = read_word(card, ARRAY_DATA)
                machine.S.dst.bits[row, 2 * pair] = value & 0xFFFF
                machine.S.dst.bits[row, 2 * pair + 1] = value >> 16
            machine.S.dst.undefined[row] = 0
    finally:
        card.write(ARRAY_CMD, kept[1])
        card.write(ARRAY_EN, kept[0])
