# SPDX-License-Identifier: Apache-2.0
"""`monitor src`: SrcA and SrcB as matrices.

monitor src                        which unit has each bank, and their formats
monitor src a                      the Matrix Unit's bank of SrcA
monitor src b 1 0-15               rows 0 to 15 of bank 1 of SrcB
monitor src a --format hex         otherwise as the bank's format says
"""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.place import numbers
from tensix_gdb.core.places.state import owned
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.matrix.formats import BF16, FP16, STYLE, TF32
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.regfiles.src import COLUMNS, ROWS
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor.matrix_text import SOURCE_FORMATS, count_of, matrix
from tensix_gdb.gdbstub.tensix.monitor_row import place_in

_SHOWN_AS: dict[int, str] = {Format.INT32: "int16", Format.INT16: "int16", Format.INT8: "int8"}
_STYLES = {BF16: "bf16", TF32: "tf32", FP16: "fp16"}
_OPTIONS = ("--format", "-f")


def monitor_src(machine: Machine, thread: int, words: list[str]) -> str:
    """Return one bank as a matrix, or a line about each."""
    wanted = _format_wanted(words)
    if not words:
        return "".join(_about(machine, source, bank) for source in (0, 1) for bank in (0, 1))
    if words[0].lower().removeprefix("src") not in ("a", "b"):
        raise TargetError(f"{words[0]!r} is neither a nor b: type `monitor src a`")
    place = owned(machine, place_in(["src", *words]))
    source, bank = int(place.name == "b"), int(place.owner)
    held = machine.S.src.b if source else machine.S.src.a
    numbered = numbers(place.indexes[0]) if place.indexes else list(range(ROWS))
    rows = [[int(held[bank, row, column]) for column in range(COLUMNS)] for row in numbered]
    text = SOURCE_FORMATS[wanted or _shown_as(int(machine.S.src.format[source, bank]))]
    odd = count_of([text(datum) for row in rows for datum in row])
    return (
        _about(machine, source, bank)
        + (f"not finite: {odd}\n" if odd else "")
        + matrix(numbered, rows, text)
    )


def _format_wanted(words: list[str]) -> str:
    """`--format NAME`, taken out of `words`; empty without."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name not in _OPTIONS:
            continue
        if not equals:
            value = words.pop(at + 1) if at + 1 < len(words) else ""
        del words[at]
        if value.lower() not in SOURCE_FORMATS:
            known = ", ".join(SOURCE_FORMATS)
            raise TargetError(f"{value!r} is no format to show datums in: type one of {known}")
        return value.lower()
    return ""


def _shown_as(data_format: int) -> str:
    return _SHOWN_AS.get(data_format) or _STYLES.get(STYLE[data_format], "hex")


def of_matrix_unit(S: View, source: int, bank: int) -> bool:
    """True if a bank of SrcA (0) or SrcB (1) has been handed over to the Matrix Unit."""
    return bool(S.busy.src_client[source, bank] == MATRIX_OWNS)


def _about(machine: Machine, source: int, bank: int) -> str:
    """Return the unit that has the bank, what points at it, and its format."""
    busy = machine.S.busy
    owner = "the Matrix Unit's" if of_matrix_unit(machine.S, source, bank) else "the unpackers'"
    here = [
        name
        for name, at in (("Matrix Unit", busy.matrix_bank), ("unpacker", busy.unpack_bank))
        if at[source] == bank
    ]
    at = f", where the {' and the '.join(here)} is" if here else ""
    at = at.replace(" is", " are") if len(here) > 1 else at
    number = int(machine.S.src.format[source, bank])
    name = Format(number).name if number in list(Format) else f"format {number}"
    held = machine.S.src.b if source else machine.S.src.a
    if not number and not any(held[bank, i, j] for i in range(ROWS) for j in range(COLUMNS)):
        return f"Src{'AB'[source]} bank {bank}: {owner}{at}; all zero, as after a reset\n"
    return f"Src{'AB'[source]} bank {bank}: {owner}{at}; unpacked to {name}\n"
