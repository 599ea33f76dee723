# SPDX-License-Identifier: Apache-2.0
"""RMWCIB in the place of a write of a whole word that has bits of another thread (S7): the bytes of
the word, without the fields that the other thread has written.

WRCFG     what SETDMAREG has put into its GPR, as constants of the instructions
store     what the register has: the core makes the instructions, and pushes them
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import parts_of_word
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.tried.detour import CodeAt
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.restore import BYTES, INDEXES
from tensix_gdb.gdbstub.order.tried.words import (
    PUSH,
    CannotTry,
    Here,
    Insertion,
    load_address,
    load_constant,
)

RMWCIB, WRCFG, SETDMAREG = opcode("RMWCIB0"), opcode("WRCFG"), opcode("SETDMAREG")
LOOKED_AT = 64  # instructions before a WRCFG
WIDE = 1 << 15  # WRCFG of 128 bits
WORDS = "RMWCIB of the other fields of the word in its place"


@dataclass(frozen=True, slots=True)
class InPlace(Remedy):
    """Bits of the word that are written."""

    mask: int = 0


def in_places(report: Report, arch: Arch) -> Iterator[InPlace]:
    """Yield the remedy of S7; nothing for another report."""
    if report.check != "S7":
        return
    place, foreign = report.place, report.place.mask
    for each in parts_of_word(arch, place.index, thread=False):
        mask = each.mask & MASK32
        if each.word == place.index and mask & place.mask:
            foreign |= mask
    yield InPlace(RemedyKind.RESTORE, "in its place", macro="TTI_RMWCIB", words=WORDS, arch=arch,
                  register=place.words, mask=~foreign & MASK32)  # fmt: skip


def inserted(remedy: InPlace, report: Report, code_at: CodeAt) -> Insertion:
    """Return the instructions, which replace the write. CannotTry with a sentence."""
    access, index = report.later, report.place.index
    code = code_at(access.hart, access.pc, "")
    if code is None or not T0 <= access.hart <= T2 or not access.pc:
        raise CannotTry("the write is none of a T core, or the program of that core is not known")
    if index >= INDEXES:
        raise CannotTry(f"RMWCIB does not reach word {index}")
    here = Here(code, access.hart, access.pc)
    if access.thread is None:
        return replace(_by_core(here, remedy.mask, index), replaces=True)
    if access.instruction != "WRCFG" or access.via:
        raise CannotTry(f"{access.instruction} takes its bits from elsewhere")
    put = here.pushed(Beside.BEFORE, access.hart - T0, instructions(remedy, report, code))
    return replace(put, replaces=True)


def instructions(remedy: InPlace, report: Report, code: Code) -> list[int]:
    """Return RMWCIB of each byte, in the place of a WRCFG. CannotTry with a sentence."""
    pc = report.later.pc
    word = _pushed(code, pc)
    if word is None or word >> 24 != WRCFG or word & WIDE:
        raise CannotTry("the write is no WRCFG of one word")
    value = _constant(code, pc, word >> 16 & 0x3F)
    return [
        at << 24 | mask << 16 | (value >> 8 * byte & mask) << 8 | report.place.index
        for byte, at, mask in _bytes(remedy.mask)
    ]


def _bytes(mask: int) -> Iterator[tuple[int, int, int]]:
    """Yield the number of each byte that has bits, the opcode and the mask."""
    for byte in range(BYTES):
        if own := mask >> 8 * byte & 0xFF:
            yield byte, RMWCIB + byte, own


def made(remedy: InPlace, report: Report) -> Iterator[int]:
    """Yield the RMWCIB of each byte that a core makes, without its value."""
    for _, at, mask in _bytes(remedy.mask):
        yield at << 24 | mask << 16 | report.place.index


def _pushed(code: Code, pc: int) -> int | None:
    word = code.word(pc)
    if word is None or word & 3 == 3:
        return None
    return (word >> 2 | word << 30) & MASK32


def _constant(code: Code, pc: int, gpr: int) -> int:
    """Return what SETDMAREG before it has put into a GPR. CannotTry if that is not in straight
    code."""
    halves: dict[int, int] = {}
    for at in range(pc - 4, pc - 4 * LOOKED_AT, -4):
        word = _pushed(code, at)
        if word is None:
            d = decode(code.word(at) or 0)
            if FORMS[d & 0xFF] in (Form.BRANCH, Form.JAL, Form.JALR, Form.ILLEGAL):
                break
            continue
        half = word & 0x7F
        if word >> 24 == SETDMAREG and half >> 1 == gpr and not word & 1 << 7:
            halves.setdefault(half & 1, word >> 8 & 0xFFFF)
        if len(halves) == 2:
            return halves[1] << 16 | halves[0]
    raise CannotTry(f"the value of GPR {gpr} is made elsewhere than by SETDMAREG before it")


def _by_core(here: Here, mask: int, index: int) -> Insertion:
    """Return what a core pushes in place of its store: the instructions have the value in them."""
    word = here.code.word(here.pc)
    d = decode(word or 0)
    value = d >> 24 & 0xFF
    if word is None or FORMS[d & 0xFF] is not Form.STORE or word >> 12 & 7 != 2:
        raise CannotTry(f"the instruction at {here.pc:#x} is no sw")
    window, made, constant = here.registers(Beside.BEFORE, 3)
    lines = [load_address(window, PUSH)]
    for byte, at, own in _bytes(mask):
        lines += [f"srli {made},{ABI_NAMES[value]},{8 * byte}", f"andi {made},{made},{own}"]
        lines += [f"slli {made},{made},8"]
        lines += load_constant(constant, at << 24 | own << 16 | index)
        lines += [f"or {made},{made},{constant}", f"sw {made},0({window})"]
    return here.put(Beside.BEFORE, lines)
