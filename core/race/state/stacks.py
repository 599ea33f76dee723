# SPDX-License-Identifier: Apache-2.0
"""M1: how deep the stack of each hart goes in local RAM, and whether it leaves its room."""

from tensix_gdb.core.arch.blackhole import HARTS, LOCAL_BASE
from tensix_gdb.core.arch.chips import LOCAL_BYTES
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.race.harts.polls import decoded
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state.fields import found
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS

# LUI and AUIPC leave the upper half of a pointer: the instruction after them adds the rest.
HALF_OF_CONSTANT = tuple(int(form in (Form.LUI, Form.AUIPC)) for form in FORMS)
STACK_BYTES = 0x10000  # below local RAM: a pointer there was one of a stack


def stack(S: View, hart: int) -> int:
    """M1: an instruction of a hart has been issued, and its stack is deeper than it was."""
    sp = S.hart.x[hart, 2]
    end = LOCAL_BASE + LOCAL_BYTES[HARTS * S.tile.chip + hart]
    if not LOCAL_BASE - STACK_BYTES <= sp <= end or sp == LOCAL_BASE:
        return 0
    S.state.lowest[hart] = sp
    pc = max(S.hart.pc[hart] - 4, 0)  # no jump changes the stack pointer
    if HALF_OF_CONSTANT[decoded(S, fetched_at(S, hart, pc)) & 0xFF]:
        return 0
    S.state.lowest_pc[hart] = pc
    if sp < S.state.floor[hart]:
        site = site_of(S, hart, 0, 0, 0, pc)
        found(S, Number.M1, site, 0, 0, sp - LOCAL_BASE & 0xFFFFFFFF, 0)
    return 0
