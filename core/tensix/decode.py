# SPDX-License-Identifier: Apache-2.0
"""Decoding of Tensix words for execution: tables of ints derived from the rows.

    number = decode_tensix(word) & 0xFF       the row: ROWS[number - FIRST], or ILLEGAL
    decode_tensix(word) >> 8                  bits of the word that are set and mean nothing
    field(word, number, 2)                    the third field of the row, in the row's order

An opcode has a few rows at most, told apart by fixed bits, and each word matches one or none:
`check_table` has made sure of that. Bits outside every field are UndefinedBehavior; to say so is up
to the unit that executes the word.
"""

from itertools import accumulate

from tensix_gdb.core.arch.numbers import sext
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.schema import EncodingError
from tensix_gdb.core.tensix.table import FIRST, ILLEGAL, ROWS, by_number

OPCODES = 256

# Of Blackhole, then of Wormhole.
_BY_OPCODE: list[list[int]] = [[] for _ in range(2 * OPCODES)]
for _number, _row in enumerate(ROWS, FIRST):
    if Arch.BLACKHOLE in _row.arch:
        _BY_OPCODE[_row.opcode].append(_number)
    if Arch.WORMHOLE in _row.arch:
        _BY_OPCODE[_row.opcode + OPCODES].append(_number)

CANDIDATES = tuple(number for numbers in _BY_OPCODE for number in numbers)
FIRST_CANDIDATE = (0, *accumulate(len(numbers) for numbers in _BY_OPCODE))

MASKS = by_number(lambda row: row.encoding.mask)
MATCHES = by_number(lambda row: row.encoding.match)
# UNSPECIFIED(STALLWAIT.md): bits 14:13 of its word, conditions on Wormhole alone: ignored.
# tt-exalens sets bit 14 on Blackhole cards too, where it reads SrcA (debug_tensix.py).
IGNORED = {"STALLWAIT": 0x6000}
UNUSED = by_number(lambda row: row.encoding.unused & ~IGNORED.get(row.name, 0))
# A value that one field must not hold; no word has all of mask 0 and match 1.
REFUSED_MASKS = by_number(lambda row: row.encoding.refused_mask)
REFUSED_MATCHES = by_number(
    lambda row: row.encoding.refused_match if row.encoding.refused_mask else 1, 1
)

_FIELDS = [(row, field, field.pieces[0]) for row in ROWS for field in row.encoding.fields.values()]
for _row, _field, _piece in _FIELDS:
    if len(_field.pieces) != 1 or _piece.value_shift:
        raise EncodingError(f"{_row.name}: {_field.name} is in several pieces; `field` reads one")
FIRST_FIELD = (0, *accumulate(by_number(lambda row: len(row.encoding.fields))))
FIELD_SHIFT = tuple(piece.word_shift for _, _, piece in _FIELDS)
FIELD_MASK = tuple((1 << piece.width) - 1 for _, _, piece in _FIELDS)
FIELD_SIGN = tuple(piece.width if field.signed else 0 for _, field, piece in _FIELDS)

OPCODE_MASK = 0xFF000000


def _only_row(numbers: list[int]) -> int:
    """Return the row that every word of an opcode matches; 0 if there is more than the opcode to
    it."""
    if len(numbers) != 1 or MASKS[numbers[0]] != OPCODE_MASK or REFUSED_MASKS[numbers[0]]:
        return 0
    return numbers[0]


# By opcode, as CANDIDATES: most opcodes need no search.
ONLY_ROW = tuple(map(_only_row, _BY_OPCODE))


def decode_tensix(word: int) -> int:
    """Return the number of the row of `word` in bits 7:0, its undefined bits above; or ILLEGAL."""
    return decode_as(word, 0)


def decode_as(word: int, wormhole: int) -> int:
    """The same, on Wormhole if that is 1."""
    at = (word >> 24) + wormhole * OPCODES
    only = ONLY_ROW[at]
    if only:
        return only | (word & UNUSED[only]) << 8
    for i in range(FIRST_CANDIDATE[at], FIRST_CANDIDATE[at + 1]):
        number = CANDIDATES[i]
        if word & MASKS[number] != MATCHES[number]:
            continue
        if word & REFUSED_MASKS[number] == REFUSED_MATCHES[number]:
            continue
        return number | (word & UNUSED[number]) << 8
    return ILLEGAL


def field(word: int, number: int, index: int) -> int:
    """Return the value of field `index` of row `number` in `word`."""
    at = FIRST_FIELD[number] + index
    return extract(word, FIELD_SHIFT[at], FIELD_MASK[at], FIELD_SIGN[at])


def extract(word: int, shift: int, mask: int, sign: int) -> int:
    """Return the bits of `word` under `mask` after a shift to the right; signed if `sign` is their
    number."""
    value = (word >> shift) & mask
    return sext(value, sign) if sign else value
