# SPDX-License-Identifier: Apache-2.0
"""The same instruction on the other Tensix chip: its word there, or what the chip lacks.

The text of the instruction is read again with the tables of the other chip. So a field of the
configuration has the word there that has its name, and an operand that the chip has not is named.
Waits have a line for each machine (core/waits/elsewhere.py).
"""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import TextError, parse
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic

# What the pages have of an instruction that both chips have: on Wormhole, on Blackhole.
_NO_WAIT = "nothing waits for its result: keep an SFPNOP before what reads it"
_WAITS = "the gate waits for its result"
REMARKS = {
    **{name: (_NO_WAIT, _WAITS) for name in ("SFPMAD", "SFPADD", "SFPMUL", "SFPADDI", "SFPMULI")},
    "MOVD2B": ("it waits for MVMUL", "it may overlook an MVMUL before it"),
    "WRCFG": (
        "no condition waits for it: keep a NOP before what reads the field",
        "C12 waits for it, or keep a NOP before what reads the field",
    ),
    "MOP": ("loop counts have 7 bits", "loop counts have 10 bits"),
    "PACR": ("there are four packers, chosen by packer_mask", "there is one packer"),
}


def other(arch: Arch) -> Arch:
    """Return the other chip."""
    return Arch.BLACKHOLE if arch is Arch.WORMHOLE else Arch.WORMHOLE


def on_other_chip(row: Instruction, word: int, arch: Arch) -> str:
    """Return one sentence on the instruction on the other chip."""
    there = other(arch)
    rows = by_mnemonic(there).get(row.mnemonic, ())
    if not rows:
        return "there is no such instruction"
    remark = REMARKS.get(row.mnemonic, ("", ""))[0 if there is Arch.WORMHOLE else 1]
    remark = f"; {remark}" if remark else ""
    if row.undefined_bits(word):
        return f"there is {row.mnemonic}{remark}"
    try:
        found = parse(show(word, Dialect(arch)), Dialect(there))
    except TextError as problem:
        return f"it takes other operands: {problem}{remark}"
    if found == word:
        return f"the same word{remark}"
    return f"{found:#010x}{remark}"
