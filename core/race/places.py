# SPDX-License-Identifier: Apache-2.0
"""Cells of the shadow by name, and instructions of a report as text."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.arch.chips import GLOBAL_WORD
from tensix_gdb.core.devices.backend_config import THREAD_WORDS, WORDS
from tensix_gdb.core.devices.mop_config import WORDS as MOP_WORDS
from tensix_gdb.core.devices.tdma import TDMA_BASE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import fields_of_word
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.race import fields
from tensix_gdb.core.race.findings import Place, State
from tensix_gdb.core.race.registers.own_words import arch as arch_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import FIRST, ROWS
from tensix_gdb.core.tensix.table import mnemonic_of

_COUNTERS = ("unpacker 0", "unpacker 1", "the packer")


def place(cell: int, mask: int, arch: Arch = Arch.BLACKHOLE) -> Place:
    """Return the place of a cell; `mask` are the bytes or bits of it that are meant."""
    if cell < fields.CONFIG_CELLS:
        first = (mask & -mask).bit_length() - 1 if mask else 0
        addr = cell * fields.LINE_BYTES + first
        return Place(State.L1, 0, addr, mask, f"L1 {addr:#x}")
    if cell < fields.THREAD_CONFIG_CELLS:
        bank, word = divmod(cell - fields.CONFIG_CELLS, WORDS)
        name = _field_name(arch, word, mask, bank, thread=False)
        return Place(State.CONFIG, bank, word, mask, name)
    if cell < fields.GPR_CELLS:
        thread, word = divmod(cell - fields.THREAD_CONFIG_CELLS, THREAD_WORDS)
        name = _field_name(arch, word, mask, thread, thread=True)
        return Place(State.THREAD_CONFIG, thread, word, mask, name)
    if cell < fields.MOP_CELLS:
        thread, index = divmod(cell - fields.GPR_CELLS, 64)
        return Place(State.GPR, thread, index, mask, f"GPR[{index}] of T{thread}")
    if cell < fields.TDMA_CELLS:
        thread = cell - fields.MOP_CELLS
        words = [str(word) for word in range(MOP_WORDS) if (mask >> word) & 1]
        name = f"MopCfg[{', '.join(words)}] of T{thread}"
        return Place(State.MOP_CONFIG, thread, int(words[0]) if words else 0, mask, name)
    if cell < fields.SEMAPHORE_CELLS:
        addr = TDMA_BASE + 4 * (cell - fields.TDMA_CELLS)
        return Place(State.TDMA, 0, addr, mask, f"TDMA-RISC register {addr:#x}")
    if cell < fields.LOCAL_CELLS:
        index = cell - fields.SEMAPHORE_CELLS
        return Place(State.SEMAPHORE, 0, index, mask, f"semaphore {index}")
    if cell < fields.DST_CELLS:
        hart, line = divmod(cell - fields.LOCAL_CELLS, fields.LOCAL_LINES)
        first = (mask & -mask).bit_length() - 1 if mask else 0
        addr = line * fields.LINE_BYTES + first
        return Place(State.LOCAL, hart, addr, mask, f"local RAM of {HART_NAMES[hart]} +{addr:#x}")
    if cell < fields.SRC_CELLS:
        first = (mask & -mask).bit_length() - 1 >> 1 if mask else 0
        row = (cell - fields.DST_CELLS) * fields.DST_BLOCK + first
        return Place(State.DST, 0, row, mask, f"Dst row {row}")
    if fields.POINTER_CELLS <= cell < fields.LREG_CELLS:
        source = cell - fields.POINTER_CELLS
        name = f"the Matrix Unit's bank of Src{'AB'[source]}"
        return Place(State.SRC_BANK, source, 2, mask, name)
    if fields.LREG_CELLS <= cell < fields.ADC_CELLS:
        return Place(State.LREG, 0, 0, mask, "LRegs and lanes of the Vector Unit")
    if fields.ADC_CELLS <= cell < fields.FIFO_CELLS:
        thread, unit = divmod((cell - fields.ADC_CELLS) // 2, 3)
        name = f"address counters of T{thread} for {_COUNTERS[unit]}"
        return Place(State.ADC, thread, unit, mask, name)
    if cell >= fields.FIFO_CELLS:
        thread = cell - fields.FIFO_CELLS
        return Place(State.FIFO, thread, 0, mask, f"instructions of thread {thread}")
    source, bank = divmod(cell - fields.SRC_CELLS, 2)
    return Place(State.SRC_BANK, source, bank, mask, f"bank {bank} of Src{'AB'[source]}")


def _field_name(arch: Arch, word: int, mask: int, unit: int, *, thread: bool) -> str:
    """The fields of a word that the mask touches, or its number."""
    known = fields_of_word(arch, word, thread=thread)
    names = [field.name for field in known if field.word != word or field.mask & mask]
    where = f"of T{unit}" if thread else f"of bank {unit}"
    if not thread and word >= GLOBAL_WORD[arch.chip]:
        where = "of both banks"
    text = names[0] if names else f"configuration word {word}"
    more = f" and {len(names) - 1} more fields" if len(names) > 1 else ""
    return f"{text}{more} (word {word} {where})"


def hart_instruction(S: View, hart: int, pc: int) -> str:
    """The mnemonic of what `hart` has at `pc` now."""
    at = fetched_at(S, hart, pc)
    if at < 0:
        return ""
    op = (S.decoded.word[at >> 2] or decode_at(S, at)) & 0xFF
    return ROWS[op - FIRST].name if op >= FIRST else ""


def thread_instruction(S: View, opcode: int) -> str:
    """The mnemonic of an opcode of the coprocessor."""
    return mnemonic_of(opcode << 24, arch_of(S)) or f"opcode {opcode:#x}"
