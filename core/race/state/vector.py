# SPDX-License-Identifier: Apache-2.0
"""U1 and U2 of LRegs: which an instruction of the Vector Unit reads and writes; for K7, lane flags.

The rows say it (core/race/registers/lregs.py). A register counts as written when some of its lanes
are. What SFPTRANSP and a plain SFPSWAP move, and halves that SFPLOADI or SFPLOAD keep, are no
reads. Of an indirect operand it is not known which it is, and what SFPLOADMACRO schedules may write
any.
"""

from tensix_gdb.core.race.registers import lregs
from tensix_gdb.core.race.registers.lregs import CONDITIONS
from tensix_gdb.core.race.state.fields import found, is_kernel
from tensix_gdb.core.race.state.table import Group, Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.state_use import State
from tensix_gdb.core.tensix.table import FIRST, ROWS
from tensix_gdb.core.tensix.vector.opcodes import Sfp
from tensix_gdb.core.tensix.vector.operations.swap import SWAP
from tensix_gdb.core.tensix.vector.state import ALL, FIRST_BACKDOOR
from tensix_gdb.core.tensix.vector.writes import vd_of

GENERAL = 0xFF  # LReg[0] to LReg[7]
CONSTANTS = 0x7800  # those that SFPCONFIG writes, 11 to 14
ALWAYS = 0x18700  # 8, 9, 10, 15 and that of SFPLOADMACRO
FIRST_CONSTANT, LAST_CONSTANT = 11, 14


def _condition(row: Instruction, place: int) -> tuple[int, int]:
    """The field, counted from 1, and its values, a bit each, with which an instruction writes lane
    flags; 0 and ALL without a condition, 0 and 0 if it writes none."""
    uses = [use for use in row.writes if use.state is State.LANE]
    assert len(uses) <= 1
    assert all(len(use.conditions) <= CONDITIONS for use in uses)
    if not uses:
        return 0, 0
    if place >= len(uses[0].conditions):
        return 0, ALL
    condition = uses[0].conditions[place]
    count = 1 << row.encoding.fields[condition.field].width
    values = sum(1 << v for v in range(count) if v & condition.mask in condition.values)
    return 1 + list(row.encoding.fields).index(condition.field), values


_CONDITIONS = [[_condition(row, place) for row in ROWS] for place in range(CONDITIONS)]
FIELD_1, FIELD_2 = (tuple([0] * FIRST + [at for at, _ in each]) for each in _CONDITIONS)
ALLOWED_1, ALLOWED_2 = (tuple([0] * FIRST + [own for _, own in each]) for each in _CONDITIONS)


def writes_flags(word: int, number: int) -> int:
    """True if an instruction writes lane flags."""
    first = field(word, number, FIELD_1[number] - 1) if FIELD_1[number] else 0
    second = field(word, number, FIELD_2[number] - 1) if FIELD_2[number] else 0
    return ALLOWED_1[number] >> first & ALLOWED_2[number] >> second & 1


def begins(S: View, number: int, word: int, site: int) -> int:
    """An instruction of the Vector Unit is at the gate."""
    opcode = word >> 24
    reads = 0
    is_load = opcode in (Sfp.LOADI, Sfp.LOAD, Sfp.LOADMACRO, Sfp.STORE)
    if vd_of(word) >= FIRST_BACKDOOR and not is_load and opcode != Sfp.CONFIG:
        return 0  # a template for SFPLOADMACRO, which is kept and not executed
    swaps = 1 if opcode == Sfp.SWAP and word & 15 == SWAP else 0
    if not swaps and opcode not in (Sfp.TRANSP, Sfp.LOADI, Sfp.LOAD, Sfp.LOADMACRO):
        reads = lregs.read(S, number, word)
    missing = reads & (GENERAL | CONSTANTS) & ~S.state.lregs
    if missing and S.state.on & Group.INIT and is_kernel(S, site):
        for lreg in range(LAST_CONSTANT + 1):
            if (missing >> lreg) & 1:
                check = Number.U2 if (S.state.lregs_stale >> lreg) & 1 else Number.U1
                found(S, check, site, 0, 0xF000 | lreg, lreg, 1)
    # Nothing but SFPCONFIG, which names them, writes the constants.
    if writes_flags(word, number):
        S.state.flags_site = site
        S.state.flags_when = S.tile.cycle
    writes = lregs.written(S, number, word)
    writes &= CONSTANTS if opcode == Sfp.CONFIG else GENERAL
    if opcode == Sfp.CONFIG and writes:
        S.state.constant_site[vd_of(word) - FIRST_CONSTANT] = site
    if writes == 0:
        return 0
    S.state.lregs |= writes
    S.state.lregs_stale &= ~writes & lregs.EVERY
    if is_kernel(S, site):
        S.state.lregs_kernel |= writes
    else:
        S.state.lregs_kernel &= ~writes & lregs.EVERY
    return 0
