# SPDX-License-Identifier: Apache-2.0
"""Decoding of RV32 words for execution: tables of ints derived from the rows, and one function.

A word becomes one 64-bit integer, so that a decoded program is an array:

    63                            32 31    24 23    16 15     8 7      0
    +-------------------------------+--------+--------+--------+--------+
    |       immediate, signed       |  rs2   |  rs1   |   rd   |   op   |
    +-------------------------------+--------+--------+--------+--------+

Registers are columns of hart.x: f0 is 32. op is the number of `core.riscv.table`; ILLEGAL with
everything else 0 for a word that is no instruction. Words with low bits other than 0b11 are
`.ttinsn`, all of them. The others are sorted into buckets by major opcode and funct3, where the
first row with `word & mask == match` is the one: `check_rows` has made sure that there is no
second.
"""

from itertools import accumulate

from tensix_gdb.core.arch.blackhole import F0
from tensix_gdb.core.arch.numbers import MASK32, s32, sext
from tensix_gdb.core.isa.schema import EncodingError, flatten
from tensix_gdb.core.riscv.table import AS_EXECUTED, FIRST, FORMS, ILLEGAL, OPS, ROWS, by_op

TTINSN = OPS[".ttinsn"]
NUMBERS = len(FORMS)  # op numbers
MAJOR = 0x1F << 2  # bits 6:2
FUNCT3 = 7 << 12
REGISTERS = {"rd": 7, "rs1": 15, "rs2": 20}  # where `decode` looks for them
F_REGISTERS = {"rd": "frd", "rs1": "frs1", "rs2": "frs2"}
BUCKETS = 256


def _bucket_of(word: int) -> int:
    """Return the bits of a word that choose its bucket: funct3, then the major opcode."""
    return (word & FUNCT3) >> 12 << 5 | (word & MAJOR) >> 2


def _candidates() -> list[list[int]]:
    """Return for each bucket the op numbers of the rows that a word in it may match."""
    buckets: list[list[int]] = [[] for _ in range(BUCKETS)]
    for op, row in enumerate(ROWS, FIRST):
        if op == TTINSN:
            continue
        mask, match = row.encoding.mask, row.encoding.match
        known, wanted = _bucket_of(mask), _bucket_of(match & mask)
        # The numbers that have the wanted bits: those with every subset of the bits left open.
        left_open = more = (BUCKETS - 1) & ~known
        while True:
            buckets[wanted | left_open & ~more].append(op)
            if not more:
                break
            more = (more - 1) & left_open
    return buckets


def _register_masks(name: str) -> tuple[int, ...]:
    """Return for each op 31 if it has this register operand, otherwise 0."""
    masks = []
    for row, plain, floating in zip(
        ROWS, flatten(ROWS, name), flatten(ROWS, F_REGISTERS[name]), strict=True
    ):
        pieces = plain or floating
        if pieces and (len(pieces), pieces[0].word_shift) != (1, REGISTERS[name]):
            raise EncodingError(f"{row.name}: {name} is not where every other row has it")
        masks.append(31 if pieces else 0)
    return (0, 0, *masks)


def _register_files(name: str) -> tuple[int, ...]:
    """Return for each op what to add to the number: 32 where the operand is a floating-point
    register."""
    return (0, 0, *(F0 if pieces else 0 for pieces in flatten(ROWS, F_REGISTERS[name])))


_BUCKETS = _candidates()
CANDIDATES = tuple(op for bucket in _BUCKETS for op in bucket)
FIRST_CANDIDATE = (0, *accumulate(len(bucket) for bucket in _BUCKETS))

MASKS = by_op(lambda row: row.encoding.mask)
MATCHES = by_op(lambda row: row.encoding.match)
RD = _register_masks("rd")
RS1 = _register_masks("rs1")
RS2 = _register_masks("rs2")
RD_FILE = _register_files("rd")
RS1_FILE = _register_files("rs1")
RS2_FILE = _register_files("rs2")

_IMMEDIATE_FIELDS = ((), (), *flatten(ROWS, "imm"))
FIRST_IMMEDIATE_FIELD = (0, *accumulate(len(fields) for fields in _IMMEDIATE_FIELDS))
WORD_SHIFT = tuple(field.word_shift for fields in _IMMEDIATE_FIELDS for field in fields)
FIELD_MASK = tuple((1 << field.width) - 1 for fields in _IMMEDIATE_FIELDS for field in fields)
VALUE_SHIFT = tuple(field.value_shift for fields in _IMMEDIATE_FIELDS for field in fields)
# Bits of an immediate that is to be sign-extended, otherwise 0.
SIGNED_BITS = (
    0,
    0,
    *(
        row.encoding.fields["imm"].width
        if "imm" in row.encoding.fields and row.encoding.fields["imm"].signed
        else 0
        for row in ROWS
    ),
)


def op_of(word: int) -> int:
    """Return the op number of a word, ILLEGAL if it is no instruction."""
    if word & 3 != 3:
        return TTINSN
    bucket = ((word >> 2) & 31) | (((word >> 12) & 7) << 5)
    for i in range(FIRST_CANDIDATE[bucket], FIRST_CANDIDATE[bucket + 1]):
        if word & MASKS[CANDIDATES[i]] == MATCHES[CANDIDATES[i]]:
            return CANDIDATES[i]
    return ILLEGAL


def immediate(word: int, op: int) -> int:
    """Return the immediate of a word that is `op`, as a signed 32-bit number; 0 if it has none."""
    value = 0
    for i in range(FIRST_IMMEDIATE_FIELD[op], FIRST_IMMEDIATE_FIELD[op + 1]):
        value |= ((word >> WORD_SHIFT[i]) & FIELD_MASK[i]) << VALUE_SHIFT[i]
    if SIGNED_BITS[op]:
        return sext(value, SIGNED_BITS[op])
    return s32(value & MASK32)


def decode(word: int) -> int:
    """Return the packed word of the module's docstring."""
    return pack(word, op_of(word))


def decode_on(word: int, chip: int) -> int:
    """The same, as harts of a chip (core/arch/chips.py) execute it."""
    return pack(word, AS_EXECUTED[chip * NUMBERS + op_of(word)])


def pack(word: int, op: int) -> int:
    """Return a word that is `op`, with its operands."""
    return (
        op
        | (((word >> 7) & RD[op]) + RD_FILE[op]) << 8
        | (((word >> 15) & RS1[op]) + RS1_FILE[op]) << 16
        | (((word >> 20) & RS2[op]) + RS2_FILE[op]) << 24
        | immediate(word, op) << 32
    )
