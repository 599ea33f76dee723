# SPDX-License-Identifier: Apache-2.0
"""U1 and U2 of LRegs: which an instruction of the Vector Unit reads and writes.

A register counts as written when some of its lanes are. What SFPTRANSP moves, and halves that
SFPLOADI or SFPLOAD keep, are no reads. Of an indirect operand it is not known which it is, and
what SFPLOADMACRO schedules may write any.
"""

from tensix_gdb.core.race.state.fields import found
from tensix_gdb.core.race.state.reads import is_kernel
from tensix_gdb.core.race.state.table import Group, Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector.opcodes import Sfp
from tensix_gdb.core.tensix.vector.reads import EVERY, believed, late_results, overlooked
from tensix_gdb.core.tensix.vector.state import FIRST_BACKDOOR
from tensix_gdb.core.tensix.vector.writes import vd_of, written

GENERAL = 0xFF  # LReg[0] to LReg[7]
CONSTANTS = 0x7800  # those that SFPCONFIG writes, 11 to 14
ALWAYS = 0x18700  # 8, 9, 10, 15 and that of SFPLOADMACRO
FIRST_CONSTANT, LAST_CONSTANT = 11, 14


def begins(S: View, word: int, site: int) -> int:
    """An instruction of the Vector Unit is at the gate."""
    opcode = word >> 24
    reads = 0
    is_load = opcode in (Sfp.LOADI, Sfp.LOAD, Sfp.LOADMACRO, Sfp.STORE)
    if vd_of(word) >= FIRST_BACKDOOR and not is_load and opcode != Sfp.CONFIG:
        return 0  # a template for SFPLOADMACRO, which is kept and not executed
    if opcode not in (Sfp.TRANSP, Sfp.LOADI, Sfp.LOAD, Sfp.LOADMACRO, Sfp.NOP):
        reads = believed(word) | overlooked(word)
    if reads & EVERY == EVERY:
        reads = 0
    missing = reads & (GENERAL | CONSTANTS) & ~S.state.lregs
    if missing and S.state.on & Group.INIT and is_kernel(S, site):
        for number in range(LAST_CONSTANT + 1):
            if (missing >> number) & 1:
                check = Number.U2 if (S.state.lregs_stale >> number) & 1 else Number.U1
                found(S, check, site, 0, 0xF000 | number, number, 1)
    writes = (written(S, word, vd_of(word)) | late_results(word)) & GENERAL
    if opcode == Sfp.LOADMACRO:
        writes = GENERAL
    elif opcode == Sfp.CONFIG:
        number = vd_of(word)
        writes = 0
        if FIRST_CONSTANT <= number <= LAST_CONSTANT:
            writes = 1 << number
            S.state.constant_site[number - FIRST_CONSTANT] = site
    if writes == 0:
        return 0
    S.state.lregs |= writes
    S.state.lregs_stale &= ~writes & EVERY
    if is_kernel(S, site):
        S.state.lregs_kernel |= writes
    else:
        S.state.lregs_kernel &= ~writes & EVERY
    return 0
