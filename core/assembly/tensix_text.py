# SPDX-License-Identifier: Apache-2.0
"""One Tensix instruction as text, both ways.

    STALLWAIT block=B3, wait=C10                                    what `show` prints
    TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG)        the same for the dialect of LLK
    STALLWAIT stall_res=STALL_UNPACK, wait_res=0x400                also read (tensix_read)
    STALLWAIT B3, C10                                               in the order of LLK's macro
    .word 0xa2006000                                                a word that no row gives

Fields are named as on the ISA pages, in snake case; their short names, the pages' own spelling and
LLK's parameters are read too. A field that is not given is 0, and one that is 0 is left out where
no reader would miss it. Text of a word always gives the same word again.
"""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_names import SHORT
from tensix_gdb.core.isa.architecture import BLACKHOLE, WORMHOLE, Arch, Dialect
from tensix_gdb.core.isa.schema import Field, Word
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.scalar.alu import MAX_SHIFT
from tensix_gdb.core.tensix.table import find, mnemonic_of


def undefined(word: Word, arch: Arch) -> str:
    """Return why `word` has no defined meaning; empty if it has one."""
    row = find(word, arch)
    if row is None:
        mnemonic = mnemonic_of(word, arch)
        if mnemonic is None:
            return f"opcode {word >> 24:#04x} is no {arch.title} instruction"
        return f"{mnemonic} has no form with these bits"
    bits = row.undefined_bits(word)
    if bits:
        return f"{row.name} with bits {bits:#x} set, which mean nothing"
    return ""


def ignored(word: Word, arch: Arch) -> str:
    """Return a sentence on the bits of `word` that the machine ignores; empty if there are none."""
    row = find(word, arch)
    if row is None or row.name != "SHIFTDMAREG.Imm":
        return ""
    amount = row.encoding.fields["right_imm6"].get(word)
    if amount <= MAX_SHIFT:
        return ""
    return (
        f"SHIFTDMAREG.md has no meaning for bit 11; it is ignored, so a shift by {amount} is one "
        f"by {amount & MAX_SHIFT}"
    )


def show(word: Word, dialect: Dialect = BLACKHOLE) -> str:
    """Return the text of a word."""
    row = find(word, dialect.arch)
    if row is None or row.undefined_bits(word):
        return f".word {word:#010x}"
    return _show_macro(row, word, dialect) if dialect.llk else _show_fields(row, word, dialect)


def show_on(word: Word, wormhole: int) -> str:
    """Return the text of a word of a machine; `wormhole` as in its record, `S.tile.chip`."""
    return show(word, WORMHOLE if wormhole else BLACKHOLE)


def _show_fields(row: Instruction, word: Word, dialect: Dialect) -> str:
    shown = []
    for name, value in row.encoding.decode(word).items():
        kind = row.operands[name].kind
        if value or kind.always:
            shown.append(f"{SHORT.get(name, name)}={kind.show(value, dialect)}")
    return f"{row.name} {', '.join(shown)}".rstrip()


def _show_macro(row: Instruction, word: Word, dialect: Dialect) -> str:
    arguments = []
    for index, (_, shift) in enumerate(row.llk):
        width = row.llk_width(index)
        value = word >> shift & (1 << width) - 1
        text = hex(value) if value > 9 else str(value)
        for name, field in row.encoding.fields.items():
            if _fills(row, field, shift, width):
                text = row.operands[name].kind.show(value, dialect)
        arguments.append(text)
    body = f"({', '.join(arguments)})" if arguments else ""
    return f"TTI_{row.mnemonic}{body}"


def _fills(row: Instruction, field: Field, shift: int, width: int) -> bool:
    """True if this macro parameter can reach `field` and nothing else."""
    reach = ((1 << width) - 1) << shift
    meaningful = reach & ~row.encoding.unused
    return bool(meaningful) and field.word_mask & reach == meaningful and not field.signed
