# SPDX-License-Identifier: Apache-2.0
"""U3: words of local RAM that nothing has written, where they decide: an address, a jump, a
branch.

Bytes of local RAM are in `written` as bytes of L1 are. What is pushed on a stack is unwritten
again: that was another function's. A copy decides nothing, so a register remembers that it has
such a word, and which load has read it; a store of it makes its bytes unwritten. Sums and copies of
registers keep that, other arithmetic does not: compilers mask what they do not need.
"""

from tensix_gdb.core.arch.blackhole import LOCAL_STRIDE
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.race.fields import LINE_BYTES, LOCAL_CELLS
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state.fields import found, is_kernel
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS, OPS, SIZES

OTHER, LOAD, STORE, BRANCH, JUMP, SUM, VECTOR = range(7)
_SUMS = ("addi", "add", "sub", "sh1add", "sh2add", "sh3add")
_KINDS = {
    Form.LOAD: LOAD,
    Form.STORE: STORE,
    Form.BRANCH: BRANCH,
    Form.VECTOR_STORE: VECTOR,
}
MOST = 128  # bytes that a vector store writes; what it does not write counts as written, too
KIND = tuple(
    JUMP if op == OPS["jalr"] else SUM if op in {OPS[name] for name in _SUMS} else kind
    for op, kind in ((op, _KINDS.get(form, OTHER)) for op, form in enumerate(FORMS))
)
# By operation: 1 for those that count while no register of their hart has an unknown word.
MATTERS = tuple(int(kind in (LOAD, STORE, VECTOR)) for kind in KIND)
SP = 2
IS_ADDRESS, IS_TARGET, IS_CONDITION = 0, 1, 2  # what a word decides


def issued(S: View, hart: int, d: int, pc: int) -> int:
    """An instruction of a hart was issued: `d` as riscv/decode.py has it. Of those that do not
    matter (MATTERS), and change no stack pointer, only while something is unknown."""
    kind = KIND[d & 0xFF]
    rd = (d >> 8) & 63
    rs1 = (d >> 16) & 63
    rs2 = (d >> 24) & 63
    unknown = S.state.unknown[hart]
    one = (unknown >> rs1) & 1 if rs1 < 32 else 0
    other = (unknown >> rs2) & 1 if rs2 < 32 else 0
    if one and (kind == LOAD or kind == STORE):
        decides(S, hart, rs1, IS_ADDRESS, pc)
    elif one and kind == JUMP:
        decides(S, hart, rs1, IS_TARGET, pc)
    elif kind == BRANCH and one | other:
        decides(S, hart, rs1 if one else rs2, IS_CONDITION, pc)
    if kind == STORE:
        return stored(S, hart, (S.hart.x[hart, rs1] + (d >> 32)) & MASK32, SIZES[d & 0xFF], other)
    if kind == VECTOR:
        for at in range(0, MOST, 4):
            stored(S, hart, (S.hart.x[hart, rs1] + at) & MASK32, 4, 0)
        return 0
    if kind == BRANCH or rd == 0 or rd >= 32:
        return 0
    if kind == LOAD:
        return loaded(S, hart, d, rd, pc)
    if rd == SP:
        pushed(S, hart)
    if kind == SUM and one | other:
        source = rs1 if one else rs2
        S.state.unknown[hart] |= 1 << rd
        S.state.unknown_at[hart, rd] = S.state.unknown_at[hart, source]
        S.state.unknown_site[hart, rd] = S.state.unknown_site[hart, source]
        return 0
    S.state.unknown[hart] &= MASK32 & ~(1 << rd)
    return 0


def decides(S: View, hart: int, register: int, what: int, pc: int) -> int:
    """Keep a finding, and take the register for known from here on."""
    site = site_of(S, hart, 0, 0, 0, pc)
    S.state.unknown[hart] &= MASK32 & ~(1 << register)
    if not is_kernel(S, site):
        return 0
    other = S.state.unknown_site[hart, register]
    return found(S, Number.U3, site, other, what, S.state.unknown_at[hart, register], 0)


def loaded(S: View, hart: int, d: int, rd: int, pc: int) -> int:
    """A load: its register has the word as it is in local RAM."""
    addr = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & MASK32
    offset = local_offset(hart, addr)
    S.state.unknown[hart] &= MASK32 & ~(1 << rd)
    if offset < 0:
        return 0
    mask = ((1 << SIZES[d & 0xFF]) - 1) << (offset % LINE_BYTES)
    if mask & ~S.state.written[LOCAL_CELLS + offset // LINE_BYTES]:
        S.state.unknown[hart] |= 1 << rd
        S.state.unknown_at[hart, rd] = addr
        S.state.unknown_site[hart, rd] = site_of(S, hart, 0, 0, 0, pc)
    return 0


def stored(S: View, hart: int, addr: int, size: int, unknown: int) -> int:
    """A store: its bytes are as known as the register."""
    offset = local_offset(hart, addr)
    if offset < 0:
        return 0
    mask = ((1 << size) - 1) << (offset % LINE_BYTES)
    cell = LOCAL_CELLS + offset // LINE_BYTES
    if unknown:
        S.state.written[cell] &= MASK32 & ~mask
    else:
        S.state.written[cell] |= mask
    return 0


def pushed(S: View, hart: int) -> int:
    """The stack pointer has changed: if it went down, there is room that nothing has written."""
    sp = S.hart.x[hart, SP]
    before = S.state.stack_at[hart]
    S.state.stack_at[hart] = sp
    first = local_offset(hart, sp)
    size = before - sp
    if first < 0 or not 0 < size <= LOCAL_STRIDE or local_offset(hart, before - 1) < 0:
        return 0
    end = first + size
    while first < end:
        cell = LOCAL_CELLS + first // LINE_BYTES
        count = min(LINE_BYTES - first % LINE_BYTES, end - first)
        S.state.written[cell] &= MASK32 & ~(((1 << count) - 1) << (first % LINE_BYTES))
        first += count
    return 0
