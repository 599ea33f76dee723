# SPDX-License-Identifier: Apache-2.0
"""The C headers with all names: instructions and their fields, and fields of the configuration.

`python -m tensix_gdb.gdbstub.kernels.headers` writes them; run it after a change of an instruction
or of the configuration. A test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tensix_gdb.core.assembly.tensix_names import SHORT
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import (
    DESCRIPTOR,
    DESCRIPTOR_PARTS,
    ConfigField,
    Space,
    config_fields,
)
from tensix_gdb.core.isa.operand import Choice
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic

MAKER = "python -m tensix_gdb.gdbstub.kernels.headers"
FOLDER = Path(__file__).resolve().parent / "c"
CHECK = """
/* A constant that a field cannot hold is an error when it is compiled. */
#ifdef __cplusplus
extern "C"
#endif
unsigned tt_too_big(void) __attribute__((error("a value is too big for its field")));
#define TT_FIELD(value, width, shift) \\
    ((__builtin_constant_p(value) && (unsigned)(value) >> (width) ? tt_too_big() \\
                                                                  : (unsigned)(value)) \\
     << (shift))"""
NUMBERED = "ADDR_MOD_"  # names of numbers: `PACR_addr_mod(1)` says it as well


def _opening_lines(what: str) -> str:
    licence = "SPDX-License-Identifier: Apache-2.0"
    return f"/* {licence}\n * {what}\n * Made by `{MAKER}`. */\n#pragma once"


def instructions(arch: Arch) -> str:
    """Name every instruction, field and value of a chip."""
    lines = [
        _opening_lines(
            "Words of Tensix instructions: an instruction, its fields with a value, and fields\n"
            " * with a named value. `UNPACR_Regular | UNPACR_which_unpacker_UNP1` is a word."
        ),
        CHECK,
    ]
    for mnemonic, rows in sorted(by_mnemonic(arch).items()):
        lines += ["", *_instruction(mnemonic, rows)]
    return "\n".join(lines) + "\n"


def _instruction(mnemonic: str, rows: tuple[Instruction, ...]) -> Iterator[str]:
    for row in rows:
        yield f"#define {row.name.replace('.', '_')} 0x{row.encoding.match:08x}u"
    for name, shift, width, row in _fields(rows):
        operand = row.operands[name.rpartition(".")[2]]
        title = f"{_c_name(mnemonic, rows, name)}"
        yield f"/* {operand.meaning} */"
        yield f"#define {title}(value) {_value(row, name, width, shift)}"
        if isinstance(operand.kind, Choice):
            for named in operand.kind.names:
                if not named.text.startswith(NUMBERED):
                    yield f"#define {title}_{named.text} 0x{int(named.value) << shift:08x}u"


def _value(row: Instruction, name: str, width: int, shift: int) -> str:
    if row.encoding.fields[name.rpartition(".")[2]].signed:
        return f"(((unsigned)(value) & {(1 << width) - 1:#x}u) << {shift})"
    return f"TT_FIELD(value, {width}, {shift})"


def _fields(rows: tuple[Instruction, ...]) -> Iterator[tuple[str, int, int, Instruction]]:
    """Yield the fields of all forms. One that two forms have in different places, or for values of
    different names, is named after its form."""
    places: dict[str, set[tuple[int, int, str]]] = {}
    for row in rows:
        for name, field in row.encoding.fields.items():
            (piece,) = field.pieces
            kind = repr(row.operands[name].kind)
            places.setdefault(name, set()).add((piece.word_shift, piece.width, kind))
    seen: set[str] = set()
    for row in rows:
        for name, field in row.encoding.fields.items():
            (piece,) = field.pieces
            full = name if len(places[name]) == 1 else f"{row.name.partition('.')[2]}.{name}"
            if full not in seen:
                seen.add(full)
                yield full, piece.word_shift, piece.width, row


def name_of_field(row: Instruction, rows: tuple[Instruction, ...], name: str) -> str:
    """Return the macro of a field of `row`, one of the `rows` of its mnemonic."""
    known = {full for full, *_ in _fields(rows)}
    own = f"{row.name.partition('.')[2]}.{name}"
    return _c_name(row.mnemonic, rows, own if own in known else name)


def _c_name(mnemonic: str, rows: tuple[Instruction, ...], name: str) -> str:
    form, _, field = name.rpartition(".")
    return "_".join(filter(None, (mnemonic, form, SHORT.get(field, field))))


def configuration(arch: Arch) -> str:
    """Name every field of a chip's configuration, its word, first bit and width; and the formats
    that fields hold."""
    lines = [
        _opening_lines(
            "Fields of the backend configuration: word, first bit, width. configure(), FIELD and\n"
            " * WORD of tensix_by_name.h take them."
        )
    ]
    lines += ["", "/* Formats of datums, in L1 and in registers. */"]
    lines += [f"enum {{ {', '.join(f'{one.name} = {one.value}' for one in Format)} }};"]
    fields = config_fields(arch).values()
    for title, thread in (("of each thread: SETC16 writes it", True), ("of all threads", False)):
        lines += ["", f"/* {title[0].upper()}{title[1:]}. */"]
        for one in fields:
            if (one.space is Space.THREAD) is thread:
                lines += _configuration(one)
    return "\n".join(lines) + "\n"


def _configuration(field: ConfigField) -> Iterator[str]:
    if not field.name.endswith(DESCRIPTOR):
        yield f"#define {field.name} {field.word}, {field.low}, {field.width}"
        return
    for name, (low, width) in DESCRIPTOR_PARTS.items():
        yield f"#define {field.name}_{name} {field.word + low // 32}, {low % 32}, {width}"


FILES: dict[str, Callable[[], str]] = {
    "tensix_isa.h": partial(instructions, Arch.BLACKHOLE),
    "tensix_config.h": partial(configuration, Arch.BLACKHOLE),
    "tensix_isa_wormhole.h": partial(instructions, Arch.WORMHOLE),
    "tensix_config_wormhole.h": partial(configuration, Arch.WORMHOLE),
}

if __name__ == "__main__":
    for file, make in FILES.items():
        (FOLDER / file).write_text(make(), encoding="utf-8")
