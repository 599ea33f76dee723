# SPDX-License-Identifier: Apache-2.0
"""A small record, and one subset function for each construct."""

from __future__ import annotations

import enum
from functools import partial

from tensix_gdb.core.engine import native
from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.record.layout import Layout, Part, Tag, View, alias, row
from tests.core.engine import small_callee

_A = Tag.ARCHITECTURAL
_WORDS = row("w", "u32", 16, _A, "words")
PART = Part(
    "p",
    (
        row("b", "u8", 8, _A, "bytes"),
        row("h", "u16", (3, 4), _A, "two dimensions"),
        _WORDS,
        alias("w16", "u16", _WORDS),
        alias("w8", "u8", _WORDS),
        row("q", "i64", (2, 3, 5), _A, "three dimensions"),
        row("s", "u32", (), _A, "a single value"),
        row("t", "i64", (), Tag.TIMING, "a signed one"),
        row("log", "i64", 64, Tag.DERIVED, "in which order things happened"),
        row("n", "u8", (), Tag.DERIVED, "how many of them"),
    ),
)
LAYOUT = Layout((PART, ENGINE))

WIDTH = 16
FLAG = True
TABLE = (3, 1, 4, 1, 5, 9, 2, 6)
SIGNED_TABLE = (-1, 1 << 40, 7)


class Colour(enum.IntEnum):
    RED = 1
    GREEN = 2


# Arithmetic


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


def multiply(a: int, b: int) -> int:
    return a * b


def floor_divide(a: int, b: int) -> int:
    return a // b


def modulo(a: int, b: int) -> int:
    return a % b


def divide_by_3(a: int, b: int) -> int:
    return (a // 3) * 1000 + a % 3 + b * 0


def divide_by_8(a: int, b: int) -> int:
    return (a // 8) * 1000 + a % 8 + b * 0


def divide_by_minus_7(a: int, b: int) -> int:
    return (a // -7) * 1000 + a % -7 + b * 0


def divide_by_minus_1(a: int, b: int) -> int:
    return a // -1 + a % -1 + b * 0


def shift_left(a: int, b: int) -> int:
    return a << b


def shift_right(a: int, b: int) -> int:
    return a >> b


def shift_right_by_70(a: int, b: int) -> int:
    return (a >> 70) + b * 0


def shift_left_by_5(a: int, b: int) -> int:
    return (a << 5) + b * 0


def bits(a: int, b: int) -> int:
    return ((a & b) ^ ~(a | b)) + (a ^ b)


def negate(a: int, b: int) -> int:
    return -a - -b


def least(a: int, b: int) -> int:
    return min(a, b, 7) * 3 + max(a, b)


def absolute(a: int, b: int) -> int:
    return abs(a) - abs(b)


def twice_plus_one(a: int) -> int:
    return 2 * a + 1


# Conditions


def chain(a: int, b: int) -> int:
    return a < b < 10 <= a + b != 12


def bools_are_numbers(a: int, b: int) -> int:
    x = (a < b) + (a == b) * 10
    x += not a
    return x << (a > b)


def flags_with_bits(a: int, b: int) -> int:
    return (a < b) & (b > 3) | (a == 7) ^ FLAG


def membership(a: int, b: int) -> int:
    return (a in (1, 2, Colour.GREEN, WIDTH)) * 2 + (b not in (0, -5))


def choose(a: int, b: int) -> int:
    return (a if a > 0 else -a if a < -10 else 99) + (1 if a and b else 0)


def and_or_value(a: int, b: int) -> int:
    return (a > 1 and b > 1) + (a > 2 or not b) * 2 + (a < b and (b < 9 or a == -3)) * 4


def note(S: View, what: int) -> int:
    """Log a call, so that tests see which ones happened and in which order."""
    S.p.log[S.p.n & 63] = what
    S.p.n = (S.p.n + 1) & 0xFF
    return what


def short_circuit(S: View, a: int, b: int) -> int:
    x = 0
    if (note(S, a) and note(S, b)) or not note(S, a + b):
        x = 1
    while note(S, a) > 100 and note(S, b):
        break
    if note(S, 1) < note(S, a) < note(S, b) < note(S, 50):
        x += 2
    return x + (4 if note(S, a) or note(S, b) else 8)


def order(S: View, a: int, b: int) -> int:
    S.p.w[note(S, a) & 15] = note(S, b) & 0xFF
    S.p.w[note(S, 3)] += note(S, a) & 7
    S.p.q[note(S, 1), note(S, 2), note(S, 4)] -= note(S, b)
    return note(S, a) * 3 + note(S, b) - DISPATCH[note(S, 2)](S, note(S, a), note(S, b))


FEW = 3


def weighted(a: int, b: int, c: int, d: int) -> int:
    return a + 10 * b + 100 * c + 1000 * d


def many_arguments(S: View, a: int, b: int) -> int:
    """The last argument stands for as many as it says, evaluated in their order."""
    x = weighted(a & 7, *(note(S, (b >> i) & 7) for i in range(FEW)))
    return x + min(*(a + i * b for i in range(FEW + 1)))


def old_value_first(S: View, a: int, b: int) -> int:
    """An augmented assignment reads the row before it evaluates what is added."""
    S.p.t = a & 0xFFFF
    S.p.t += overwrite(S, b & 0xFFFF)
    return S.p.t


def overwrite(S: View, value: int) -> int:
    S.p.t = value
    return 1000


# Rows and tables


def rows(S: View, a: int, b: int) -> int:
    S.p.s = a & 0xFFFFFFFF
    S.p.t = -a
    S.p.b[a & 7] = b & 0xFF
    S.p.h[a % 3, b & 3] ^= 0xFFFF
    S.p.q[a & 1, b % 3, 4] += S.p.t * 2
    S.p.w8[(b & 15) * 4 + 1] = 0xAB
    S.p.w16[b & 31] |= 0x8001
    return S.p.w[b & 15] + S.p.b[a & 7] + S.p.q[a & 1, b % 3, 4] + S.p.h[2, 3]


def tables(S: View, a: int, b: int) -> int:
    return TABLE[a & 7] * TABLE[2] + SIGNED_TABLE[b % 3] + small_callee.SQUARES[a & 3]


def alias_sees_stores(S: View, a: int, b: int) -> int:
    S.p.w[2] = 0
    S.p.w8[9] = a & 0xFF
    first = S.p.w[2]
    S.p.w16[4] = b & 0xFFFF
    return first * 3 + S.p.w[2] + S.p.w8[8]


# Control flow


def branches(a: int, b: int) -> int:
    if a > 10:
        x = 1
    elif a > 5 and b:
        x = 2
    elif not b:
        return -1
    else:
        x = 3
    if WIDTH == 16:
        x += 10
    if not FLAG:
        x = unknown_here  # noqa: F821
    return x


def loops(a: int, b: int) -> int:
    total = 0
    n = a & 15
    while n:
        n -= 1
        if n == 3:
            continue
        if n > 12 and b > 5:
            break
        total += n
    while True:
        total += 1
        if total % 7 == 0:
            break
    return total


def ranges(a: int, b: int) -> int:
    total = 0
    i = -1
    for i in range(a & 15):
        total += i
    last = i
    for i in range(b, b + 4):
        total = total * 3 + i
        i = 100
    for j in range(a & 31, -5, -3):
        total += j
        if j == 4:
            break
    for _ in range(5, 5):
        total = -1
    for k in range(0, 10, 4):
        for m in range(k):
            if m > 3:
                break
            total += k * m
    return total * 100 + i + last


def range_ends(a: int, b: int) -> int:
    """The counter of a range cannot overflow."""
    count = 0
    for i in range(0x7FFFFFFFFFFFFFF0, 0x7FFFFFFFFFFFFFFF, 7):
        count += i & 1
    for _ in range(-0x7FFFFFFFFFFFFFFF, -0x8000000000000000, -1):
        count += 1
    for _ in range(a, b, 0x4000000000000000):
        count += 10
    return count


def match_it(S: View, a: int, b: int) -> int:
    x = 0
    for i in range(3):
        match a + i:
            case 0 | 5:
                x += 1
            case Colour.RED:
                x += 10
                if b:
                    continue
                x += 5
            case -3:
                break
            case 7:
                return 77
            case small_callee.LIMIT:
                match b:
                    case 1:
                        x += 1000
                    case _:
                        note(S, b)
            case _:
                pass
        x += 100
    return x


def match_without_default(a: int, b: int) -> int:
    x = b
    match a:
        case 1:
            x = 5
        case 2:
            pass
    return x


# Calls


def scaled(a: int, b: int, FACTOR: int) -> int:
    return a * FACTOR + b if FACTOR > 2 else b


def applied(S: View, a: int, b: int, OPERATION: object, TIMES: int) -> int:
    for _ in range(TIMES):
        a = OPERATION(a, b) & 0xFFFF  # type: ignore[operator]
    if OPERATION is subtract:
        S.p.t = a
    return a


DISPATCH = (
    partial(applied, OPERATION=add, TIMES=1),
    partial(applied, OPERATION=subtract, TIMES=2),
    partial(applied, OPERATION=add, TIMES=3),
)
NESTED = (match_it, rows, partial(small_callee.through, TABLE_ROW=1))


def calls(S: View, a: int, b: int) -> int:
    x = scaled(a, b, 3) + scaled(a, b, 1) + scaled(a, b, WIDTH)
    x += DISPATCH[a % 3](S, a, b)
    x += small_callee.twice(b)
    nothing(S)
    return x + DISPATCH[1](S, a, b)


def nothing(S: View) -> None:
    S.p.n = (S.p.n + 1) & 0xFF


def nested_dispatch(S: View, a: int, b: int) -> int:
    return NESTED[a % 3](S, DISPATCH[b % 3](S, a, b) % 9, b)


def with_constants(S: View, a: int, b: int, CHECKED: int, OPERATION: object) -> int:
    if CHECKED and a > 3:
        return note(S, a)
    return OPERATION(a, b)  # type: ignore[operator, no-any-return]


def bit_length(a: int, b: int) -> int:
    return int.bit_length(a) * 100 + int.bit_length(a & b) - int.bit_length(a > b)


ARITHMETIC = (
    add, subtract, multiply, floor_divide, modulo, divide_by_3, divide_by_8, divide_by_minus_7,
    divide_by_minus_1, shift_left, shift_right, shift_right_by_70, shift_left_by_5, bits, negate,
    least, absolute, bit_length,
)  # fmt: skip
CONDITIONS = (
    chain, bools_are_numbers, flags_with_bits, membership, choose, and_or_value, branches,
    match_without_default,
)  # fmt: skip
STATEFUL = (
    short_circuit, order, many_arguments, old_value_first, rows, tables, alias_sees_stores,
    match_it, calls,
    nested_dispatch,
)  # fmt: skip


# Other records, and memory outside all of them (core/engine/native.py)


def kept_in(S: View, at: int, value: int) -> int:
    """Needs `at` below 16, which callers check."""
    S.p.w[at] = value & 0xFFFFFFFF
    return S.p.s


def exchange(S: View, other: int, at: int, value: int) -> int:
    S.p.s = 5
    found = native.on(other, kept_in, at, value)
    S.p.t = native.on(other, kept_in, 3, found)
    return S.p.s + 16 * found


def far_memory(S: View, to: int, source: int) -> int:
    native.copy_bytes(to, source, 24)
    native.fill_bytes(to + 8, 0x1A7, 3)
    native.store_word(to + 16, native.load_word(to) - 1)
    S.p.t = native.load_word(to + 8)
    return native.load_word(source + 16)
