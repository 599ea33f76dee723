# SPDX-License-Identifier: Apache-2.0
"""The findings about stages as reports: both stages, and the fields that told each of them, with
their values and writers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.isa.config_words import ConfigField, config_fields
from tensix_gdb.core.places.place import numbered, text
from tensix_gdb.core.race.checks.reports import access_of, finding
from tensix_gdb.core.race.findings import Access, Place, Report, Setting, State
from tensix_gdb.core.race.kept import Family, places_of
from tensix_gdb.core.race.kept import clear as clear_findings
from tensix_gdb.core.race.registers import own_words
from tensix_gdb.core.race.stages.fields import FORM, STAGES, By
from tensix_gdb.core.race.stages.table import ROWS, Number
from tensix_gdb.core.race.state.config import cell_of
from tensix_gdb.core.race.state.fields import WRITES_KEPT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.record.record import clear as clear_row
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.vector.mode_text import MEANINGS

_FP32, _INT8 = "ALU_ACC_CTRL_Fp32_enabled", "ALU_ACC_CTRL_INT8_math_enabled"
_SFPU, _READ_32 = "ALU_ACC_CTRL_SFPU_Fp32_enabled", "PCK_DEST_RD_CTRL_Read_32b_data"
_SRC_B = "ALU_FORMAT_SPEC_REG1_SrcB"
_OUT = ("THCON_SEC0_REG2_Out_data_format", "THCON_SEC1_REG2_Out_data_format")
_IN = tuple(f"THCON_SEC{i}_REG0_TileDescriptor" for i in range(2))  # its lowest four bits
_PACKER_IN, _DSTACC = "THCON_SEC0_REG1_In_data_format", "ALU_FORMAT_SPEC_REG2_Dstacc"
_PACKER_OUT = "THCON_SEC0_REG1_Out_data_format"
# What says how wide Dst is to a stage, and in which format its datums are.
_WIDTH = {
    By.MATH: (_FP32, _INT8), By.POOL: (_FP32, _INT8), By.MOVE: (_FP32,), By.MOVE_B: (_FP32,),
    By.VECTOR: (_SFPU,), By.OVER: (_SFPU,),
    By.UNPACKER: (_OUT[0],), By.PACKER: (_READ_32,),
}  # fmt: skip
_FORMATS = {
    By.MATH: _OUT, By.POOL: _OUT, By.MOVE: (_OUT[0],), By.MOVE_B: (_OUT[1],),
    By.VECTOR: (_SRC_B, _SFPU), By.OVER: (_SRC_B, _SFPU),
    By.UNPACKER: (_OUT[0],), By.PACKER: (_DSTACC, _PACKER_IN),
}  # fmt: skip
_ARE_FORMATS = (*_OUT, *_IN, _PACKER_IN, _PACKER_OUT, _DSTACC, _SRC_B)
_SHADOW = ("layout", "by", "job", "source", "tile", "packs", "data")
_STYLES = ("BF16", "TF32", "FP16", "INT8")
_SOURCES = ("SrcA", "SrcB")


@dataclass(frozen=True, slots=True)
class _Finding:
    """A row of the record."""

    number: Number
    site: int
    other: int
    detail: int
    cell: int
    wrote: int
    read: int
    times: int
    written: int  # cycles
    first: int
    last: int

    @property
    def cause(self) -> tuple[int, ...]:
        """Formats and stages, without the datum that was looked at."""
        wrote = 0 if self.number is Number.F6 else self.wrote
        read = 0 if self.number is Number.F4 else self.read
        return self.number, self.detail, wrote, read


def clear(record: Record) -> None:
    """A kernel begins: nothing is known of what was written, and nothing was found."""
    clear_findings(record, Family.STAGES)
    for each in STAGES.fields:
        row = record.row(record.layout.slot(STAGES.name, each.name))
        clear_row(row)
    record.S.stages.began = record.S.tile.cycle


def forget(record: Record) -> None:
    """The state of the tile is another one: nothing is known of what was written."""
    for name in _SHADOW:
        row = record.row(record.layout.slot(STAGES.name, name))
        clear_row(row)


def reports(S: View, tiles: Sequence[str] = ()) -> Iterator[Report]:
    """Yield the findings; their numbers are 0. Those of the same formats in the same stages have
    one cause, and are one: the first, with the count of all. `tiles` are the names of the chip's,
    if there are several."""
    causes: dict[tuple[int, ...], list[_Finding]] = {}
    found = sorted(_found(S), key=lambda one: one.first)
    # A packer that reads Dst with another width or stride comes to rows that are not the tile's.
    astray = any(one.number in (Number.F1, Number.F7) for one in found)
    for one in found:
        if one.number is not Number.F9 or not astray:
            causes.setdefault(one.cause, []).append(one)
    for alike in causes.values():
        yield _report(S, alike[0], sum(one.times for one in alike), tiles)


def _found(S: View) -> Iterator[_Finding]:
    for i in places_of(S, Family.STAGES):
        key = int(S.found.key[i])
        first, last, written = (int(S.found.when[i, j]) for j in range(3))
        yield _Finding(
            Number(key >> 44 & 0xFF),
            key & 0x3FFF,
            key >> 14 & 0x3FFF,
            key >> 28 & 0xFFFF,
            int(S.found.cell[i]),
            int(S.found.mask[i]),
            int(S.found.more[i]),
            int(S.found.times[i]),
            written,
            first,
            last,
        )


def _report(S: View, one: _Finding, count: int, tiles: Sequence[str]) -> Report:
    later = access_of(S, one.site, one.first, one.last)
    earlier = access_of(S, one.other, one.written, one.written) if one.other else later
    place, said, names = _TEXTS[one.number](S, one, earlier, later)
    if one.number is Number.F3 and one.wrote >> 8:
        origin = (one.wrote >> 8) - 1
        earlier = replace(
            earlier, outside=tiles[origin] if origin < len(tiles) else f"tile {origin}"
        )
    known = config_fields(own_words.arch(S))
    settings = [_setting(S, name, one.first) for name in dict.fromkeys(names) if name in known]
    settings = [each for each in settings if each.name != _INT8 or each.value != "0x0"]
    if one.number is Number.F4:
        mask = f"{one.wrote:#x}"
        settings = [each for each in settings if each.value == mask] or settings
    report = finding(ROWS[one.number - 1], place, earlier, later, count, said)
    return replace(report, settings=tuple(settings))


# -- fields, and what has written them
def _setting(S: View, name: str, when: int) -> Setting:
    """Return a field as it was in a cycle, and the write that has given it that value."""
    field = config_fields(own_words.arch(S))[name]
    if name in _IN:
        field = replace(field, width=4)
    writes = sorted(_writes(S, field))
    before = [one for one in writes if one[0] <= when] or writes[:1]
    if not before:
        now = own_words.value(S, 0, field.word) >> field.low & (1 << field.width) - 1
        return Setting(name, _value(name, now), None)
    value = before[-1][1]
    first = len(before) - 1
    while first and before[first - 1][1] == value:
        first -= 1
    cycle, _, site = before[first]
    return Setting(name, _value(name, value), access_of(S, site, cycle, cycle))


def _writes(S: View, field: ConfigField) -> Iterator[tuple[int, int, int]]:
    """Yield the cycle, value and instruction of each write of a field that is known."""
    size = (1 << field.width) - 1
    cells = {cell_of(S, bank, field.word) for bank in range(BANKS)}
    for i in range(WRITES_KEPT):
        key = int(S.state.log_key[i])
        if not key or (key >> 16 & 0xFFFFFFFF) + cell_of(S, 0, 0) not in cells:
            continue
        value = int(S.state.log_value[i])
        if value >= 0 and int(S.state.log_bits[i]) >> field.low & size:
            yield int(S.state.log_when[i]), value >> field.low & size, key & 0xFFFF


def _value(name: str, value: int) -> str:
    return _format(value) if name in _ARE_FORMATS else f"{value:#x}"


# -- words
def _format(code: int) -> str:
    """`BF16`, `SFPU mode FP32`."""
    if code >= FORM:
        return _FORMS.get(code - FORM, f"mode {code - FORM}")
    return Format(code).name if code in list(Format) else f"format {code}"


_FORMS = dict(enumerate(MEANINGS["MOD0_FMT_"]))  # the order of vector/address.py


def _rows(one: _Finding) -> Place:
    return Place(State.DST, 0, one.cell, 0xF, text(numbered("dst", one.cell)))


def _bits(coded: int) -> int:
    return 32 if coded >> 8 & 1 else 16


def _width(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = (
        f"{earlier.instruction} has written the row as {_bits(one.wrote)} bits, and "
        f"{later.instruction} reads it as {_bits(one.read)}."
    )
    return _rows(one), said, (*_WIDTH[By(one.detail >> 4)], *_WIDTH[By(one.detail & 15)])


def _formats(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = (
        f"{earlier.instruction} has written the row as {_format(one.wrote & 0xFF)}, and "
        f"{later.instruction} reads it as {_format(one.read & 0xFF)}."
    )
    return _rows(one), said, (*_FORMATS[By(one.detail >> 4)], *_FORMATS[By(one.detail & 15)])


def _tile(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = (
        f"{earlier.instruction} has written it as {_format(one.wrote & 0xFF)}, and "
        f"{later.instruction} reads it as {_format(one.read & 0xFF)}."
    )
    names: tuple[str, ...] = _PACKER_OUT, _IN[one.read >> 8]
    if one.wrote >> 8:
        names = names[1:]  # the packer is another tile's
    return Place(State.L1, 0, one.cell, 0xFFFF, f"L1 {one.cell:#x}"), said, names


def _mask(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = (
        f"Column {one.read} of the row is not 0, and the mask is {one.wrote:#06x}: it has a bit "
        "for each column that stays."
    )
    return _rows(one), said, tuple(f"PCK_EDGE_OFFSET_SEC{i}_mask" for i in range(4))


def _source(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    name = _SOURCES[one.cell]
    said = (
        f"{earlier.instruction} has filled {name} as {_format(one.wrote)}, and "
        f"{later.instruction} takes it for {_STYLES[one.read]}."
    )
    names = (*_OUT, _INT8, "ALU_FORMAT_SPEC_REG0_SrcA")
    return _bank(one), said, names


def _bank(one: _Finding) -> Place:
    return Place(State.SRC_BANK, one.cell, 2, 1, f"src {'ab'[one.cell]}")


def _flushed(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = f"{later.instruction} has made 0 of {one.wrote & 0xFF00:#06x}."
    return _bank(one), said, ("ALU_ACC_CTRL_Zero_Flag_disabled_src", _OUT[one.cell])


def _stride(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = f"A row of {_format(one.read)} has not {one.wrote} bytes."
    names = ("PCK0_ADDR_CTRL_XY_REG_0_Ystride", _PACKER_IN)
    return Place(State.SYNC, 0, one.cell, 0, "rows of Dst"), said, names


def _face(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = f"A face of {_format(one.read)} has not {one.wrote} bytes."
    names = (f"UNP{one.cell}_ADDR_CTRL_ZW_REG_1_Zstride", _OUT[one.cell])
    return Place(State.SYNC, 0, one.cell, 0, f"faces of {_SOURCES[one.cell]}"), said, names


def _faces(
    S: View, one: _Finding, earlier: Access, later: Access
) -> tuple[Place, str, tuple[str, ...]]:
    said = (
        f"{earlier.instruction} has written {one.wrote} of the {one.read} rows of the tile, and "
        f"{later.instruction} reads a row that is cleared."
    )
    return _rows(one), said, ()


_Text = Callable[[View, _Finding, Access, Access], tuple[Place, str, tuple[str, ...]]]
_TEXTS: dict[Number, _Text] = {
    Number.F1: _width, Number.F2: _formats, Number.F3: _tile, Number.F4: _mask,
    Number.F5: _source, Number.F6: _flushed, Number.F7: _stride, Number.F8: _face,
    Number.F9: _faces,
}  # fmt: skip
