# SPDX-License-Identifier: Apache-2.0
"""Cells of the shadow as places, and instructions of a report as text."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, LOCAL_BASE
from tensix_gdb.core.arch.chips import GLOBAL_WORD
from tensix_gdb.core.devices.backend_config import THREAD_WORDS, WORDS
from tensix_gdb.core.devices.mop_config import WORDS as MOP_WORDS
from tensix_gdb.core.devices.tdma import TDMA_BASE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import fields_of_word
from tensix_gdb.core.places.kinds import ADC_UNITS
from tensix_gdb.core.places.place import Place as TilePlace
from tensix_gdb.core.places.place import joined, numbered, text
from tensix_gdb.core.race import fields
from tensix_gdb.core.race.findings import Place, State
from tensix_gdb.core.race.registers.own_words import arch as arch_of
from tensix_gdb.core.race.shadow import OPERATION
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import FIRST, ROWS
from tensix_gdb.core.tensix.table import mnemonic_of
from tensix_gdb.core.tensix.vector.state import EXTRA


def place(cell: int, mask: int, arch: Arch = Arch.BLACKHOLE) -> Place:
    """Return the place of a cell; `mask` are the bytes or bits of it that are meant."""
    first = (mask & -mask).bit_length() - 1 if mask else 0
    if cell < fields.CONFIG_CELLS:
        addr = cell * fields.LINE_BYTES + first
        return Place(State.L1, 0, addr, mask, f"L1 {addr:#x}")
    if cell < fields.THREAD_CONFIG_CELLS:
        bank, word = divmod(cell - fields.CONFIG_CELLS, WORDS)
        owner = "" if word >= GLOBAL_WORD[arch.chip] else str(bank)
        return Place(State.CONFIG, bank, word, mask, *_config(arch, word, mask, owner))
    if cell < fields.GPR_CELLS:
        thread, word = divmod(cell - fields.THREAD_CONFIG_CELLS, THREAD_WORDS)
        named = _config(arch, word, mask, f"T{thread}")
        return Place(State.THREAD_CONFIG, thread, word, mask, *named)
    if cell < fields.MOP_CELLS:
        thread, index = divmod(cell - fields.GPR_CELLS, 64)
        return Place(State.GPR, thread, index, mask, _words("gpr", index, owner=f"T{thread}"))
    if cell < fields.TDMA_CELLS:
        thread = cell - fields.MOP_CELLS
        words = joined(word for word in range(MOP_WORDS) if (mask >> word) & 1)
        words = words or (range(MOP_WORDS),)
        mop = text(TilePlace("mop", f"T{thread}", indexes=(words,)))
        return Place(State.MOP_CONFIG, thread, words[0].start, mask, mop)
    if cell < fields.SEMAPHORE_CELLS:
        addr = TDMA_BASE + 4 * (cell - fields.TDMA_CELLS)
        return Place(State.TDMA, 0, addr, mask, f"mmio B {addr:#x}", " (TDMA-RISC)")
    if cell < fields.LOCAL_CELLS:
        index = cell - fields.SEMAPHORE_CELLS
        return Place(State.SEMAPHORE, 0, index, mask, _words("sem", index))
    if cell < fields.DST_CELLS:
        hart, line = divmod(cell - fields.LOCAL_CELLS, fields.LOCAL_LINES)
        addr = line * fields.LINE_BYTES + first
        local = f"local {HART_NAMES[hart]} {LOCAL_BASE + addr:#x}"
        return Place(State.LOCAL, hart, addr, mask, local)
    if cell < fields.SRC_CELLS:
        row = (cell - fields.DST_CELLS) * fields.DST_BLOCK + (first >> 1)
        return Place(State.DST, 0, row, mask, _words("dst", row))
    if cell < fields.POINTER_CELLS:
        source, bank = divmod(cell - fields.SRC_CELLS, 2)
        return Place(State.SRC_BANK, source, bank, mask, f"src {'ab'[source]} {bank}")
    if cell < fields.LREG_CELLS:
        return matrix_bank(cell - fields.POINTER_CELLS, mask)
    if cell < fields.ADC_CELLS:
        return Place(State.LREG, 0, 0, mask, f"lreg 0-{EXTRA}", " and the lane flags")
    if cell < fields.FIFO_CELLS:
        thread, unit = divmod((cell - fields.ADC_CELLS) // 2, len(ADC_UNITS))
        return Place(State.ADC, thread, unit, mask, f"adc T{thread} {ADC_UNITS[unit]}")
    thread = cell - fields.FIFO_CELLS
    fifo = _words("row", thread, name="fifo.word")
    return Place(State.FIFO, thread, 0, mask, fifo, f" (instructions of T{thread})")


def matrix_bank(source: int, mask: int) -> Place:
    """Return the bank at which the Matrix Unit is: without a number it is that one."""
    note = " (the Matrix Unit's bank)"
    return Place(State.SRC_BANK, source, 2, mask, f"src {'ab'[source]}", note)


def _words(kind: str, *index: int, owner: str = "", name: str = "") -> str:
    return text(numbered(kind, *index, owner=owner, name=name))


def _config(arch: Arch, word: int, mask: int, owner: str) -> tuple[str, str]:
    """Return the first field of a word that the mask touches, or its number; and how many more."""
    known = fields_of_word(arch, word, thread=owner.startswith("T"))
    names = [field.name for field in known if field.word != word or field.mask & mask]
    more = f" and {len(names) - 1} more fields" if len(names) > 1 else ""
    words = text(TilePlace("cfg", owner, names[0] if names else str(word)))
    return words, f"{more} (word {word})" if names else ""


def hart_instruction(key: int) -> str:
    """Return the mnemonic of what a hart had at its pc, by the key of its site: the program may be
    another one since."""
    op = (key >> OPERATION) & 0xFF
    return ROWS[op - FIRST].name if op >= FIRST else ""


def thread_instruction(S: View, opcode: int) -> str:
    """Return the mnemonic of an opcode of the coprocessor."""
    return mnemonic_of(opcode << 24, arch_of(S)) or f"opcode {opcode:#x}"
