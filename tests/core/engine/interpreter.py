# SPDX-License-Identifier: Apache-2.0
"""A small processor in the subset, in the shape of the real one: the vector for speed.

Decoded words stand in a row; the loop is one flat dispatch over a table with an entry per op
number, most of them the same form bound to another operation; an entry returns the next pc or a
negative status; CHECKED makes a second loop that looks for breakpoints.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.record.layout import Layout, Part, Tag, View, alias, row

WORDS = 256
_MEMORY = row("word", "u32", 64, Tag.ARCHITECTURAL, "memory")
LAYOUT = Layout(
    (
        Part(
            "cpu",
            (
                row("x", "u32", (2, 32), Tag.ARCHITECTURAL, "registers of two harts"),
                row("pc", "u32", 2, Tag.ARCHITECTURAL, "address of the next instruction"),
                row("retired", "i64", 2, Tag.MONOTONE, "instructions retired"),
            ),
        ),
        Part("memory", (_MEMORY, alias("byte", "u8", _MEMORY))),
        Part(
            "decoded",
            (
                row("word", "i64", WORDS, Tag.DERIVED, "packed words"),
                row("breaks", "u8", WORDS, Tag.DERIVED, "breakpoints"),
            ),
        ),
        ENGINE,
    )
)
STOPPED = -1
Operation = Callable[[int, int], int]


def add(a: int, b: int) -> int:
    return (a + b) & 0xFFFFFFFF


def xor(a: int, b: int) -> int:
    return a ^ b


def sll(a: int, b: int) -> int:
    return (a << (b & 31)) & 0xFFFFFFFF


def srl(a: int, b: int) -> int:
    return a >> (b & 31)


def mul(a: int, b: int) -> int:
    return (a * b) & 0xFFFFFFFF


def ne(a: int, b: int) -> int:
    return a != b


def put(S: View, hart: int, d: int, value: int) -> None:
    S.cpu.x[hart, (d >> 8) & 31] = value
    S.cpu.x[hart, 0] = 0


def rr(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    put(S, hart, d, OPERATION(S.cpu.x[hart, (d >> 16) & 31], S.cpu.x[hart, (d >> 24) & 31]))
    return pc + 4


def ri(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    put(S, hart, d, OPERATION(S.cpu.x[hart, (d >> 16) & 31], (d >> 32) & 0xFFFFFFFF))
    return pc + 4


def branch(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    if OPERATION(S.cpu.x[hart, (d >> 16) & 31], S.cpu.x[hart, (d >> 24) & 31]):
        return (pc + (d >> 32)) & 0xFFFFFFFF
    return pc + 4


def load(S: View, hart: int, pc: int, d: int, CHECKED: int, SIZE: int) -> int:
    address = (S.cpu.x[hart, (d >> 16) & 31] + (d >> 32)) & 0xFF
    put(S, hart, d, S.memory.word[address >> 2] if SIZE == 4 else S.memory.byte[address])
    return pc + 4


def store(S: View, hart: int, pc: int, d: int, CHECKED: int, SIZE: int) -> int:
    address = (S.cpu.x[hart, (d >> 16) & 31] + (d >> 32)) & 0xFF
    value = S.cpu.x[hart, (d >> 24) & 31]
    if SIZE == 4:
        S.memory.word[address >> 2] = value
    else:
        S.memory.byte[address] = value & 0xFF
    return pc + 4


def stop(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    return STOPPED


EXECUTE = (
    stop,
    partial(rr, OPERATION=add), partial(rr, OPERATION=xor), partial(rr, OPERATION=sll),
    partial(rr, OPERATION=srl), partial(rr, OPERATION=mul),
    partial(ri, OPERATION=add), partial(ri, OPERATION=xor), partial(ri, OPERATION=sll),
    partial(ri, OPERATION=srl), partial(ri, OPERATION=mul),
    partial(branch, OPERATION=ne), partial(load, SIZE=4), partial(load, SIZE=1),
    partial(store, SIZE=4), partial(store, SIZE=1),
)  # fmt: skip
STOP, RR, RI, BNE, LW, LB, SW, SB = 0, 1, 6, 11, 12, 13, 14, 15
ADD, XOR, SLL, SRL, MUL = range(5)


def run(S: View, hart: int, budget: int, CHECKED: int) -> int:
    """Run one hart; the number of instructions."""
    if not 0 <= hart < 2:
        return 0
    pc = S.cpu.pc[hart]
    n = 0
    while n < budget:
        at = (pc >> 2) & (WORDS - 1)
        if CHECKED and (S.decoded.breaks[at] >> hart) & 1:
            break
        d = S.decoded.word[at]
        npc = EXECUTE[d & 15](S, hart, pc, d, CHECKED)
        if npc < 0:
            break
        pc = npc
        n += 1
    S.cpu.pc[hart] = pc
    S.cpu.retired[hart] += n
    return n


def word(op: int, rd: int = 0, rs1: int = 0, rs2: int = 0, imm: int = 0) -> int:
    """The packed word of an instruction."""
    return op | rd << 8 | rs1 << 16 | rs2 << 24 | imm << 32


# Counts x1 down; a xorshift in x2, sums in x3, and memory behind x4.
PROGRAM = (
    word(RI + SLL, 5, 2, imm=13),
    word(RR + XOR, 2, 2, 5),
    word(RI + SRL, 5, 2, imm=17),
    word(RR + XOR, 2, 2, 5),
    word(RI + SLL, 5, 2, imm=5),
    word(RR + XOR, 2, 2, 5),
    word(RR + MUL, 6, 2, 1),
    word(RR + ADD, 3, 3, 6),
    word(SW, 0, 4, 3, 8),
    word(LB, 7, 4, imm=9),
    word(SB, 0, 2, 7, 3),
    word(RI + ADD, 4, 4, imm=4),
    word(RI + ADD, 1, 1, imm=-1),
    word(BNE, 0, 1, 0, -13 * 4),
    word(STOP),
)
