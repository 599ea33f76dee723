# SPDX-License-Identifier: Apache-2.0
"""`monitor dst` and `monitor vector`: Dst as matrices, LRegs as lanes.

monitor dst 0-15                   16 rows of Dst, as ALU_ACC_CTRL says: fp32 or bf16
monitor dst 64-67 --format int32   four rows of Dst32b as integers
monitor dst face 3                 16 rows: face 3 (rows 48 to 63)
monitor dst tile 1 --format fp16   64 rows: tile 1 as a matrix of 32 by 32, face beside face
monitor vector                     lane flags, their stack, what is scheduled, all LRegs in a line
monitor vector 3 --format hex      LReg[3] as four rows of eight lanes; float, int, sm, hex
monitor vector 3.7 = 1.5           write lane 7 of LReg[3]
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.explain.made import line_of, macro_text
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places import kinds
from tensix_gdb.core.places.place import Place, numbers, text
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.configured import TEMPLATES, scheduled_word
from tensix_gdb.core.tensix.vector.macro import BY_INSTRUCTIONS, PLACES, UNITS
from tensix_gdb.core.tensix.vector.state import COLUMNS, EXTRA, LANES, STACK, enabled
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor.dst_text import FORMATS, cells, lane_text, mark_cells, row_of
from tensix_gdb.gdbstub.tensix.monitor.matrix_text import count_of
from tensix_gdb.gdbstub.tensix.monitor_row import assign, no_more, number_of, place_in, table

FACE, TILE = 16, 64  # rows
MATH, PACK = 1, 2
READS = config_fields(Arch.BLACKHOLE)["PCK_DEST_RD_CTRL_Read_32b_data"]
KINDS = ("float", "int", "sm", "hex")
_SUB_UNITS = ("simple", "MAD", "round", "store")
_OPTIONS = ("--format", "-f")


def monitor_dst(machine: Machine, thread: int, words: list[str]) -> str:
    """Rows, a face or a tile of Dst."""
    name = _format(words, tuple(FORMATS)) or usual_format(machine)
    wide, shown_as = FORMATS[name]
    matrix = words[:1] == ["tile"]
    numbered = _which(words, wide)
    shown = [cells(row_of(machine.S, row, wide), shown_as) for row in numbered]
    odd = count_of([cell for row in shown for cell in row])
    title = f"Dst{32 if wide else 16}b as {name}" + (f"; not finite: {odd}" if odd else "")
    marked = [
        mark_cells(machine.S, row, wide, one) for row, one in zip(numbered, shown, strict=True)
    ]
    if any(marked):
        title += "; ? where undefined rows decide it"
    title += _mismatch(machine)
    if matrix:
        faces = ", ".join(str(row) for row in numbered[::FACE])
        title += f"; tile {numbered[0] // TILE}, faces at rows {faces}"
        shown = [
            shown[face + i] + shown[face + FACE + i] for face in (0, 2 * FACE) for i in range(FACE)
        ]
        numbered = range(len(shown))
    return "\n".join([title, *_matrix(shown, numbered)]) + "\n"


def _matrix(shown: list[list[str]], numbered: Sequence[int]) -> list[str]:
    """Return lines: columns, then rows with their numbers."""
    width = max([5, *(len(cell) for row in shown for cell in row)])
    lines = [" row" + "".join(f"{column:>{width + 1}}" for column in range(len(shown[0])))]
    for number, row in zip(numbered, shown, strict=True):
        lines.append(f"{number:>4}" + "".join(f"{cell:>{width + 1}}" for cell in row))
    return lines


def usual_format(machine: Machine) -> str:
    """Return the format in which Dst is shown: as ALU_ACC_CTRL says, fp32 or bf16."""
    return "fp32" if _word(machine, MATH, address.ALU) & (3 << 29) else "bf16"


def _word(machine: Machine, thread: int, index: int) -> int:
    """Return a word of the configuration that a thread has chosen."""
    S = machine.S
    return int(S.config.word[bank_of(S, thread), index])


def _mismatch(machine: Machine) -> str:
    """Warn that datums are written in another size than the packer reads."""
    math = bool(_word(machine, MATH, address.ALU) & (3 << 29))
    pack = bool(_word(machine, PACK, READS.word) & READS.mask)
    if math == pack or not machine.S.passed.count[MATH] or not machine.S.passed.count[PACK]:
        return ""
    return (
        f"; T1 math writes {32 if math else 16} bits of a datum (ALU_ACC_CTRL), T2 pack reads "
        f"{32 if pack else 16} (PCK_DEST_RD_CTRL_Read_32b_data)"
    )


def _which(words: list[str], wide: bool) -> Sequence[int]:
    """Return the rows."""
    kind = "dst32" if wide else "dst"
    if words and words[0] in ("face", "tile"):
        size = FACE if words.pop(0) == "face" else TILE
        if not words:
            raise TargetError("which? type `monitor dst face 0`")
        rows = kinds.KINDS[kind].dimensions[0].end
        number = number_of(words.pop(0), "number", rows // size - 1)
        no_more(words, "dst")
        return range(number * size, (number + 1) * size)
    return numbers(place_in([kind, *words]).indexes[0]) if words else range(FACE)


def _format(words: list[str], known: tuple[str, ...]) -> str:
    """`--format NAME`, taken out of `words`; empty without."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in _OPTIONS:
            if not equals:
                value = words.pop(at + 1) if at + 1 < len(words) else ""
            del words[at]
            if value.lower() not in known:
                raise TargetError(f"{value!r} is no format: type one of {', '.join(known)}")
            return value.lower()
    return ""


def monitor_vector(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the Vector Unit: everything, one LReg, or a change of a lane."""
    kind = _format(words, KINDS) or "float"
    if not words:
        return _everything(machine, kind)
    named, equals, value = " ".join(words).partition("=")
    place = place_in(["lreg", *named.split()])
    if len(place.indexes) > 1 or equals:
        return _change(machine, place, value.strip())
    return "".join(_lreg(machine, number, kind) for number in numbers(place.indexes[0]))


def _lreg(machine: Machine, number: int, kind: str) -> str:
    title = f"LReg[{number}] as {kind}; ( ) where the lane is disabled"
    if machine.S.vector.undefined[number]:
        title += "; ? where undefined rows of Dst decide it"
    rows = [_row(machine, number, row, kind) for row in range(LANES // COLUMNS)]
    return "".join([f"{title}\n", *rows])


def _row(machine: Machine, number: int, row: int, kind: str) -> str:
    lanes = range(row * COLUMNS, (row + 1) * COLUMNS)
    on = int(enabled(machine.S))
    texts = []
    for lane in lanes:
        text = lane_text(int(machine.S.vector.lreg[number, lane]), kind)
        text += "?" if machine.S.vector.undefined[number] >> lane & 1 else ""
        texts.append(text if on >> lane & 1 else f"({text})")
    return f"lane {lanes[0]:>2}" + "".join(f"{text:>13}" for text in texts) + "\n"


def _change(machine: Machine, place: Place, value: str) -> str:
    """Lanes get a value."""
    if not value:
        typed = text(place).removeprefix("lreg ")
        raise TargetError(f"to what? type `monitor vector {typed} = 1.5`, or 0x3fc00000")
    number = _bits(value)
    assign(machine, place, hex(number))
    return f"{text(place)} = {lane_text(number, 'float')} ({number:#010x})\n"


def _bits(text: str) -> int:
    """Return an integer as it is, anything else as FP32."""
    try:
        value = int(text, 0)
    except ValueError:
        pass
    else:
        if -(1 << 31) <= value < 1 << 32:
            return value & 0xFFFFFFFF
    try:
        return int(struct.unpack("<I", struct.pack("<f", float(text)))[0])
    except (ValueError, OverflowError):
        raise TargetError(f"{text!r} is neither a word nor a float of 32 bits") from None


def _everything(machine: Machine, kind: str) -> str:
    S = machine.S
    depth = sum(1 for i in range(STACK) if S.vector.stack_valid[i])
    rows = [
        ("lane flags", f"{S.vector.flags:08x}", f"in use {S.vector.use_flags:08x}"),
        ("enabled", f"{int(enabled(S)) & 0xFFFFFFFF:08x}", f"{depth} entries on their stack"),
    ]
    rows += [*_macros(machine), *_scheduled(machine)]
    for number in range(EXTRA + 1):
        lanes = [lane_text(int(S.vector.lreg[number, lane]), kind) for lane in range(LANES)]
        same = len(set(lanes)) == 1
        text = f"all {lanes[0]}" if same else " ".join(lanes[:COLUMNS]) + " ..."
        rows.append((f"LReg[{number}]", "", text))
    return table(rows)


def _macros(machine: Machine) -> Iterator[tuple[str, str, str]]:
    """Yield the templates, sequences and Misc of SFPLOADMACRO that something has configured."""
    S = machine.S
    for i in range(TEMPLATES):
        if pc := int(S.vector.configured[i]):
            word = int(S.vector.template[i, 0])
            shown = show_on(word, S.tile.chip)
            yield f"template {i}", f"{word:08x}", f"{shown}  configured at {_line(machine, pc)}"
    for i in range(TEMPLATES):
        if pc := int(S.vector.configured[TEMPLATES + i]):
            word = int(S.vector.sequence[i, 0])
            yield f"sequence {i}", f"{word:08x}", f"configured at {_line(machine, pc)}"
    if misc := int(S.vector.misc[0]):
        yield "misc", f"{misc:03x}", "how long delays are, and the formats of stores"


def _scheduled(machine: Machine) -> Iterator[tuple[str, str, str]]:
    """Yield what SFPLOADMACRO has scheduled, with the lines that have made it."""
    S = machine.S
    for unit in range(UNITS):
        for place in range(PLACES):
            if S.macro.kind[unit, place]:
                what = "instructions" if S.macro.kind[unit, place] == BY_INSTRUCTIONS else "cycles"
                by = _line(machine, int(S.macro.pc[unit, place]), int(S.macro.hart[unit, place]))
                made = macro_text(S, machine.places, unit, place)
                due = f"{_SUB_UNITS[unit]} in {place} {what}, by SFPLOADMACRO at {by}"
                word = scheduled_word(S, unit, place)
                yield "scheduled", f"{word:08x}", f"{due}{made and f'; {made}'}"


def _line(machine: Machine, pc: int, hart: int = T1) -> str:
    return line_of(machine.places, hart, pc)
