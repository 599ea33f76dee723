# SPDX-License-Identifier: Apache-2.0
"""U1 and U2: each access of the shadow (core/race/shadow.py) as a write, or as a read of what was
written.

The observer's accesses say what is touched; here is kept what was written. What a hart loads of
configuration it loads to change a part of it, and RDCFG to restore it: both count as reads of a
word of which nothing was written. What units sample are reads of the fields that they sample.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.isa.opcodes import RDCFG
from tensix_gdb.core.race.fields import (
    CONFIG_CELLS,
    DST_BLOCK,
    DST_CELLS,
    GPR_CELLS,
    LOCAL_CELLS,
    MOP_CELLS,
    SRC_CELLS,
    TDMA_CELLS,
)
from tensix_gdb.core.race.stages import copied
from tensix_gdb.core.race.state import changed, contract, memory
from tensix_gdb.core.race.state.fields import CODE, MAILBOXES, found, is_kernel
from tensix_gdb.core.race.state.table import Group, Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.matrix.dst_before import PLACES
from tensix_gdb.core.tensix.regfiles.dst import EVEN_COLUMNS, ODD_COLUMNS
from tensix_gdb.core.tensix.state_use import State, touches
from tensix_gdb.core.tensix.table import by_number

WRITES = 1  # core/race/shadow.py, which calls these functions
IS_ATOMIC = 1 << 24


def _adds_if(row: Instruction) -> int:
    """1 + the place of the flag that decides whether an instruction reads what it writes to Dst."""
    if row.unit is not Unit.FPU or not touches(row.writes, State.DST):
        return 0
    conditions = [use.conditions for use in row.reads if use.state is State.DST]
    if not conditions or not conditions[0]:
        return 0
    return 1 + list(row.encoding.fields).index(conditions[0][0].field)


ADDS_IF = by_number(_adds_if)


def accessed(S: View, cell: int, mask: int, what: int, line: int, number: int, site: int) -> int:
    """An access of an instruction to a cell."""
    if cell < CONFIG_CELLS:
        if S.state.on & Group.MEMORY:
            in_l1(S, cell, mask, what & WRITES, line, number, site)
        if S.state.on & Group.STAGES:
            if copied.OF_HART[line]:
                copied.moved(S, cell, mask, what & WRITES, site)
            elif what & WRITES:
                S.stages.tile[cell] = 0
    if (what & IS_ATOMIC and not what & WRITES) or LOCAL_CELLS <= cell < DST_CELLS:
        return 0
    if not what & WRITES:
        if S.state.on & Group.INIT:
            missing = mask & ~S.state.written[cell]
            if missing:
                unwritten(S, cell, missing, site)
        return 0
    S.state.written[cell] |= mask
    if is_kernel(S, site):
        S.state.kernel[cell] |= mask
    else:
        S.state.kernel[cell] &= ~mask & 0xFFFFFFFF
    if cell >= CONFIG_CELLS:  # a kernel that begins takes no L1 for stale (checks.py)
        S.state.stale[cell] &= ~mask & 0xFFFFFFFF
    return 0


def in_l1(S: View, cell: int, mask: int, writes: int, line: int, number: int, site: int) -> int:
    """The checks of memory: an access to a line of L1. Most lines have no owner."""
    area = S.state.areas[cell]
    if area == CODE or (memory.MOVES[line] and (S.state.buffers or area == MAILBOXES)):
        memory.touched(S, cell, writes, line, number, site)
    if cell == 0 or S.state.arguments[cell]:
        contract.touched(S, cell, mask, writes, line, site)
    if writes and S.state.cached[cell]:
        changed.written(S, cell, mask, site)
    return 0


def unwritten(S: View, cell: int, missing: int, site: int) -> int:
    """A read of what does not count as written."""
    if not is_kernel(S, site):
        return 0
    detail = 0
    if CONFIG_CELLS <= cell < GPR_CELLS:
        key = S.race.site[site]
        is_copy = (key >> 3) & 3 == 0 or (key >> 8) & 0xFF == RDCFG
        if is_copy and S.state.written[cell]:
            return 0
        detail = cell - CONFIG_CELLS
    elif GPR_CELLS <= cell < TDMA_CELLS:
        if cell < MOP_CELLS:
            missing &= ~S.state.skips
            if missing == 0:
                return 0
        detail = cell - CONFIG_CELLS
    elif cell >= CONFIG_CELLS and not DST_CELLS <= cell < SRC_CELLS:
        return 0
    check = Number.U2 if missing & S.state.stale[cell] else Number.U1
    return found(S, check, site, 0, detail, cell, missing)


def accumulates(S: View, number: int, word: int, site: int) -> int:
    """The Matrix Unit has taken an instruction that adds to the rows that it writes."""
    kind = matrix_pipe.KINDS[number]
    if not kind & matrix_pipe.WRITES:
        return 0
    if not kind & matrix_pipe.READS:
        return 0
    if ADDS_IF[number] and not field(word, number, ADDS_IF[number] - 1):
        return 0
    place = (S.fpu_pipe.first + S.fpu_pipe.count - 1) & (PLACES - 1)
    which = S.fpu_stale.columns[place]
    columns = (1 if which & EVEN_COLUMNS else 0) | (2 if which & ODD_COLUMNS else 0)
    for i in range(S.fpu_stale.count[place]):
        at = S.fpu_stale.at[place, i]
        cell = DST_CELLS + at // DST_BLOCK
        mask = columns << (2 * (at & (DST_BLOCK - 1)))
        missing = mask & ~S.state.written[cell]
        if missing:
            unwritten(S, cell, missing, site)
    return 0


assert GPR_CELLS + THREADS * 64 == MOP_CELLS


INLINED = (in_l1,)
