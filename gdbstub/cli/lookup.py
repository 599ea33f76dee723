# SPDX-License-Identifier: Apache-2.0
"""The words of `tensix-gdb manual WORD` besides the chapters: names that the machine itself has.

Each function takes the word and returns paragraphs about it. The rows of the machine are the
source, so a new instruction, packet or configuration field is found without a line of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tensix_gdb.core.assembly.tensix_names import mnemonics_called, spellings
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.explain.instruction.explanation import WIDTH
from tensix_gdb.core.faults.codes import ENTRIES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.riscv.rvv.rows import ROWS as VECTOR_ROWS
from tensix_gdb.core.riscv.table import GROUPS
from tensix_gdb.core.riscv.table import ROWS as HART_ROWS
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.cli.terminal.width import width_of_terminal
from tensix_gdb.gdbstub.manual import text_of
from tensix_gdb.gdbstub.manual.meant import meant
from tensix_gdb.gdbstub.protocol.rsp.grammar import Pattern
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS, Malformed, parse

MAX_FIELDS = 20
MACHINES = ((Arch.BLACKHOLE, "blackhole"), (Arch.WORMHOLE, "wormhole"))


def about(word: str) -> list[str]:
    """Say what the machine has by this name; empty if it has nothing."""
    found = (monitor(word), tensix(word), hart(word), config(word), row_of_record(word))
    return [paragraph for paragraphs in found for paragraph in paragraphs]


def monitor(word: str) -> Iterator[str]:
    """Name the chapters and the commands of `monitor` that a user's word means, and the command
    that has this name."""
    chapters, commands = meant(word)
    if word.lower() not in commands and word == word.lower():
        commands = [word, *commands]
    lines = [
        line.strip("| ").replace("\\|", "|")
        for command in commands
        for line in text_of("monitor").splitlines()
        if re.match(rf"\| `monitor {re.escape(command)}[ `\[]", line)
    ]
    if chapters:
        named = ", ".join(f"`tensix-gdb manual {chapter}`" for chapter in chapters)
        yield f"Read {named}."
    if lines:
        yield "\n".join(" ".join(line.split(" | ")) for line in lines)


def names() -> Iterator[str]:
    """Yield every mnemonic and fault code, for a word that is nearly one of them."""
    for arch, _ in MACHINES:
        yield from spellings(arch)
    yield from (row.name for row in HART_ROWS)
    yield from (code.name for code in ENTRIES)


def tensix(word: str) -> Iterator[str]:
    """Explain every form of a Tensix instruction, on the first machine that has it."""
    for arch, machine in MACHINES:
        names = mnemonics_called(word, arch)
        rows = [
            row
            for row in rows_of(arch)
            if row.mnemonic in names or row.name.upper() == word.upper()
        ]
        for row in rows:
            option = "" if arch is Arch.BLACKHOLE else f" --arch {machine}"
            page = (
                explain(row.name, machine)
                .show(min(WIDTH, width_of_terminal() or WIDTH))
                .rstrip("\n")
            )
            yield f"tensix-gdb explain{option} {row.name}\n\n{page}"
        if rows:
            return


def hart(word: str) -> Iterator[str]:
    """Say which extension has an instruction of the harts."""
    name = word.lower()
    for group in GROUPS:
        for row in group.rows:
            if row.name == name:
                yield (
                    f"{name} is an instruction of the harts ({row.page}). "
                    "`tensix-gdb explain` explains it with its operands."
                )
    if name.partition(".")[0] in {row.name for row in VECTOR_ROWS}:
        yield (
            f"{name} is an instruction of the V extension, which T2 has. "
            "`tensix-gdb explain` explains it with its operands."
        )


def config(word: str) -> Iterator[str]:
    """List the fields of the configuration that have the word as the beginning of their name."""
    name = word.upper()
    rows = [
        f"    {one.name}: bits {one.low + one.width - 1}:{one.low} of word {one.word}, "
        f"{one.space.value}"
        for one in config_fields(Arch.BLACKHOLE).values()
        if f"{one.name}_".upper().startswith(f"{name}_")
    ]
    if rows:
        more = len(rows) - MAX_FIELDS
        rows[MAX_FIELDS:] = [f"    ... and {more} more"] if more > 0 else []
        what = "Fields of the configuration; `monitor cfg NAME` shows their values:"
        yield "\n".join((what, *rows))


def row_of_record(word: str) -> Iterator[str]:
    """Describe a row that no chapter has, because a debugger or a faster path made it."""
    part, _, name = word.partition(".")
    if not name:
        return
    from tensix_gdb.core.machine.parts import PARTS  # which loads half of the tile
    from tensix_gdb.core.record.layout import Tag

    for row in (row for one in PARTS if one.name == part for row in one.fields):
        if row.name == name and row.tag is Tag.DERIVED:
            yield f"{word} is a row of the record, made from others or by a debugger: {row.doc}."


def packet(word: str) -> list[str]:
    """Describe the packet that the word is, or that has the name with which it begins."""
    from tensix_gdb.gdbstub.protocol.commands import HANDLERS  # which loads the other half

    try:
        read = parse(word.encode())
    except Malformed:
        read = None
    for cls in HANDLERS:
        pattern = PATTERNS[cls]
        if isinstance(read, cls) or (read is None and _is_named(pattern, word)):
            meaning = " ".join((cls.__doc__ or "").split())
            return [f"`{pattern.form}` is a packet: {meaning}"]
    return []


def _is_named(pattern: Pattern, word: str) -> bool:
    """True if the word begins with the name of the packet: `Z0`, `qXfer:features:read`."""
    prefix = pattern.prefix.decode()
    return word.startswith(prefix) and (len(prefix) > 1 or word[1:].isdigit())
