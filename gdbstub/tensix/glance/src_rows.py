# SPDX-License-Identifier: Apache-2.0
"""SrcA and SrcB as a letter for each row of a bank, with the letters of a row of Dst (dst_rows.py).

The format of a bank says what a datum is: a number with an exponent of 8 bits or of 5, or an
integer. A datum of a format that is none of them is read as TF32, the widest.
"""

from __future__ import annotations

from functools import lru_cache

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.numeric import layouts
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.matrix.formats import FP16, KEEP, STYLE
from tensix_gdb.core.tensix.regfiles.src import BANKS, COLUMNS, ROWS
from tensix_gdb.gdbstub.tensix.glance.dst_rows import MAX_KNOWN, magnitude

WORD = 4  # bytes of a datum in the record
ROW_BYTES = WORD * COLUMNS
BANK_BYTES = ROWS * ROW_BYTES
_BIAS = 127
_FP16_BIAS = 15
_EXPONENT, _MANTISSA_AT, _MANTISSA = 0xFF, 8, 0x3FF
_INFINITE = 0x7FFF  # of FP16, without its sign: what the coprocessor has for it
_INTEGERS = (Format.INT32, Format.INT16, Format.INT8)


def rows_of_src(machine: Machine) -> tuple[str, ...]:
    """Return the letters of bank 0 and 1 of SrcA, then of SrcB."""
    S = machine.S
    found = []
    for source, held in enumerate((S.src.a, S.src.b)):
        data = held.raw.cast("B")
        for bank in range(BANKS):
            mine = bytes(data[bank * BANK_BYTES : (bank + 1) * BANK_BYTES])
            found.append(_letters(mine, int(S.src.format[source, bank])))
    return tuple(found)


@lru_cache(64)
def _letters(data: bytes, data_format: int) -> str:
    """Return the letters of a bank: from picture to picture most banks stay as they are."""
    if not any(data):
        return "0" * ROWS
    rows = (data[at : at + ROW_BYTES] for at in range(0, BANK_BYTES, ROW_BYTES))
    return "".join(letter(row, data_format) for row in rows)


@lru_cache(MAX_KNOWN)
def letter(row: bytes, data_format: int) -> str:
    """Return the letter of a row."""
    exponents = [_exponent(datum, data_format) for datum in memoryview(row).cast("I")]
    for special in ("N", "I"):
        if special in exponents:
            return special
    largest = max((one for one in exponents if isinstance(one, int)), default=-1)
    return "0" if largest < 0 else magnitude(largest)


def _exponent(datum: int, data_format: int) -> int | str:
    """Return the biased exponent of a datum as FP32 has it; N for a NaN, I for infinite, -1 for
    zero."""
    if data_format in _INTEGERS:
        is_byte = data_format == Format.INT8
        value = datum >> _MANTISSA_AT & _MANTISSA if is_byte else layouts.src_to_int16(datum)
        return _BIAS - 1 + value.bit_length() if value else -1
    if STYLE[data_format] == FP16:
        bits = layouts.src_to_fp16(datum) & 0x7FFF
        exponent = bits >> 10
        if bits == _INFINITE:
            return "I"
        return exponent - _FP16_BIAS + _BIAS if exponent else 0 if bits else -1
    datum &= KEEP[STYLE[data_format]]
    exponent, mantissa = datum & _EXPONENT, datum >> _MANTISSA_AT & _MANTISSA
    if exponent == _EXPONENT:
        return "N" if mantissa else "I"
    return exponent if exponent or mantissa else -1
