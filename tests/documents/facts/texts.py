# SPDX-License-Identifier: Apache-2.0
"""The facts' questions to `explain`, to the tables and to the assembler."""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import TextError, parse, parse_forms
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.tensix.table import by_mnemonic
from tensix_gdb.core.waits import tensix as waits
from tests.documents.encodings import layout

BH, WH = Arch.BLACKHOLE, Arch.WORMHOLE


def words_of(mnemonic: str, arch: Arch = BH) -> list[int]:
    """A word of each form of an instruction, named as a document names it."""
    return list(parse_forms(mnemonic, Dialect(arch)).values())


def fact_of(text: str, name: str, machine: str = "") -> str:
    """One of the facts that `explain` begins with: Unit, Latency, Wait gate."""
    return {line.name: line.sentence for line in explain(text, machine).facts}[name]


def note_of(text: str, name: str, machine: str = "") -> str:
    """Return the note of `explain` on a name."""
    return {line.name: line.sentence for line in explain(text, machine).notes}[name]


def notes(text: str, name: str, machine: str = "", *, says: str) -> bool:
    """True if the note about a name has these words."""
    return says in note_of(text, name, machine)


def warns(text: str, words: str, machine: str = "") -> bool:
    """True if one of the warnings has these words."""
    return any(words in warning for warning in explain(text, machine).warnings)


def waits_while(text: str, machine: str = "") -> dict[str, str]:
    """The conditions that `explain` lists, each with its sentence after LLK's name."""
    lines = explain(text, machine).waits_while
    return {line.name: line.sentence.partition(": ")[2] or line.sentence for line in lines}


def accepted(text: str, arch: Arch = BH) -> bool:
    """True if the assembler takes the text."""
    try:
        parse(text, Dialect(arch))
    except TextError:
        return False
    return True


def highest_accepted(pattern: str, arch: Arch = BH) -> int:
    """The largest value that the assembler takes in `pattern`, of those that are 1 below 1 << n."""
    return max((1 << n) - 1 for n in range(33) if accepted(pattern.format((1 << n) - 1), arch))


def place_of(mnemonic: str, field: str, form: int = 0, arch: Arch = BH) -> str:
    """The bits of a field in the word of an instruction."""
    return {name: bits for name, bits in layout(by_mnemonic(arch)[mnemonic][form])}[field]


def catches(block: str, word: int) -> bool:
    """True if `core.waits` says that a block mask holds a word."""
    return waits.parse(f"STALLWAIT block={block}, wait=C1").catches(word)


def reasons(text: str, state: waits.Activity, arch: Arch = BH) -> list[str]:
    """Return the conditions for which a wait lasts, as `core.waits` says."""
    return [reason.condition for reason in waits.parse(text, arch).blocked(state)]
