# SPDX-License-Identifier: Apache-2.0
"""PACR of Wormhole passes the wait gate: each packer of its mask begins (PACR.md and Packers/).

The configuration is sampled and the address counters are read for all of them, as the page has it,
before any moves. What is otherwise than with Blackhole's one packer is in addresses.py.

UNSPECIFIED(PACR.md): masks other than one packer, 0 and 1, 2 and 3, or all: "at least one" of them.
All packers of the mask work.
"""

from tensix_gdb.core.decisions import PACKER as PACKER_BEGINS
from tensix_gdb.core.devices.wormhole.config_places import place
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import due_after
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.packer.addresses import counters_of
from tensix_gdb.core.tensix.packer.four.images import PACKERS, choose
from tensix_gdb.core.tensix.packer.start import begin_pack, move_counters
from tensix_gdb.core.tensix.packer.state import NO_PADDING

# By packer: the thread that has the counters that it uses with OvrdThreadId.
_CONTEXTS = [
    place(f"{section}_Addr_cnt_context")
    for section in ("THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1", "THCON_SEC1_REG8")
]
CONTEXT_WORD = tuple(field.word for field in _CONTEXTS)
CONTEXT_LOW = tuple(field.low for field in _CONTEXTS)


def start(
    S: View,
    thread: int,
    packers: int,
    addr_mod: int,
    zero_write: int,
    override: int,
    concat: int,
    flush: int,
    last: int,
) -> int:
    """Take the instruction; 0, or the fault that it stops with."""
    bank = bank_of(S, thread)
    code = 0
    moving = 0
    for packer in range(PACKERS):
        if (packers >> packer) & 1 and code == 0:
            counters = counters_of(thread, override, context_of(S, bank, packer))
            moving |= 1 << counters
            choose(S, packer)
            S.pack.concat = concat
            S.pack.last = last
            S.pack.end_of_tile = last | flush
            code = begin_pack(S, bank, packer, counters, 0, 0, zero_write, flush, NO_PADDING)
    choose(S, 0)
    if code:
        return code
    S.pack.planes = packers
    S.pack.running = thread + 1
    S.pack.due = due_after(S, 1, PACKER_BEGINS)
    for packer in range(PACKERS):
        S.busy.packer[thread] += (packers >> packer) & 1
    for counters in range(3):
        if (moving >> counters) & 1:
            move_counters(S, thread, counters, addr_mod)
    return 0


def context_of(S: View, bank: int, packer: int) -> int:
    """Addr_cnt_context."""
    return (S.config.word[bank, CONTEXT_WORD[packer]] >> CONTEXT_LOW[packer]) & 3
