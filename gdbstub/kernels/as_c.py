# SPDX-License-Identifier: Apache-2.0
"""A unit's configuration for a tile as lines of C, with the names of our headers:
`tensix-gdb explain --config unpack bf16 --c`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.config_words import DESCRIPTOR, DESCRIPTOR_PARTS, Space, config_fields
from tensix_gdb.core.tensix.table import by_mnemonic, find
from tensix_gdb.core.tiles.configuration.setting import Setting, Setup
from tensix_gdb.gdbstub.kernels.headers import name_of_field

# By thread: the block of STALLWAIT that holds what uses the configuration.
_BLOCKS = ("B3", "B6", "B2")
_NAMES = ("T0", "T1", "T2")


def lines(setup: Setup) -> Iterator[str]:
    """Yield the lines to paste: what is written once, and what each tile takes."""
    yield f"/* {setup.title}. Once, in {_NAMES[setup.thread]}: */"
    names = _macros(setup.arch)
    shared = [one for one in setup.settings if not one.is_thread]
    for one in shared:
        value = f"{one.value:#x}" if one.value > 9 else str(one.value)
        yield f"configure({names[False, one.word, one.low]}, {value});{_why(one)}"
    if shared:
        yield f"wait_for_configuration(STALLWAIT_block_{_BLOCKS[setup.thread]});"
    own = sorted((one for one in setup.settings if one.is_thread), key=lambda one: one.word)
    for _, group in groupby(own, key=lambda one: one.word):
        fields = [(names[True, one.word, one.low], one.value) for one in group]
        parts = " | ".join(f"FIELD({name}, {value})" for name, value in fields)
        yield f"set_thread(WORD({fields[0][0]}), {parts});"
    for text in setup.prepares:
        yield f"TTINSN({word_in_c(text, setup.arch)});"
    yield f"/* For each tile, in {_NAMES[setup.thread]}: */"
    yield from _counted(setup.runs, setup.arch)
    if setup.beside:
        yield "/* For each face, in T0, because the unit needs SrcB too: */"
        yield from _counted(setup.beside, setup.arch)


def _why(one: Setting) -> str:
    return f" /* {one.why} */" if one.why else ""


def _counted(texts: tuple[str, ...], arch: Arch) -> Iterator[str]:
    for text, same in groupby(texts):
        count = len(list(same))
        if count > 1:
            yield f"for (u32 i = 0; i < {count}; i++)"
        yield f"{'    ' if count > 1 else ''}TTINSN({word_in_c(text, arch)});"


def _macros(arch: Arch) -> dict[tuple[bool, int, int], str]:
    """Return the name in the chip's header of the field that begins at a bit of a word."""
    found: dict[tuple[bool, int, int], str] = {}
    for field in config_fields(arch).values():
        is_thread = field.space is Space.THREAD
        if not field.name.endswith(DESCRIPTOR):
            found.setdefault((is_thread, field.word, field.low), field.name)
            continue
        for name, (low, _) in DESCRIPTOR_PARTS.items():
            place = is_thread, field.word + low // 32, low % 32
            found[place] = f"{field.name}_{name}"
    return found


def word_in_c(text: str, arch: Arch = Arch.BLACKHOLE) -> str:
    """Return an instruction as a word made of the names in the header of the chip's
    instructions."""
    word = parse(text, Dialect(arch))
    row = find(word, arch)
    assert row is not None, text
    rows = by_mnemonic(arch)[row.mnemonic]
    parts = [row.name.replace(".", "_")]
    for name, field in row.encoding.fields.items():
        (piece,) = field.pieces
        value = word >> piece.word_shift & (1 << piece.width) - 1
        if value:
            parts.append(f"{name_of_field(row, rows, name)}({value})")
    return " | ".join(parts)
