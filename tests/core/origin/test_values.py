# SPDX-License-Identifier: Apache-2.0
"""Integers with parts: which bits of a result depend on which bits of what."""

from __future__ import annotations

from typing import Any

import pytest

from tensix_gdb.core.origin.instrumented.values import ALL, Made, made, parts_of

A, B = ("a", 4), ("b", 4)


def whole(value: int, key: Any, bits: int = 0xFFFFFFFF) -> Any:
    return made(value, {key: (0, bits, bits)}, None)


def own(value: Any) -> dict[Any, int]:
    """Of each part the bits that have a part in the value."""
    return {key: bits for key, (_, _, bits) in parts_of(value).items()}


def test_a_field_depends_on_its_bits() -> None:
    assert own(whole(0x12345678, A) >> 8 & 0xF) == {A: 0xF00}


def test_a_byte_of_a_word_depends_on_what_was_put_there() -> None:
    word = whole(0x11, A) & 0xFF | (whole(0x22, B) & 0xFF) << 8
    assert own(word & 0xFF) == {A: 0xFF}
    assert own(word >> 8 & 0xFF) == {B: 0xFF}


def test_what_a_mask_drops_is_no_part() -> None:
    old, new, mask = whole(0xAAAA, A), whole(0x5555, B), 0xF0
    assert own((old & ~mask | new & mask) & 0xFF) == {A: 0xF, B: 0xF0}


def test_a_mask_that_is_a_value_drops_too() -> None:
    mask = whole(0xF0, ("mask", 4))
    assert own((whole(0xFF, A) & mask) & 0x0F) == {("mask", 4): 0x0F}


def test_a_sum_keeps_lower_bits() -> None:
    total = whole(0x100, A, 0xFF00) + 1
    assert own(total & 0xFF) == {}
    assert own(total & 0x1FF) == {A: 0xFF00}


def test_a_comparison_is_a_value() -> None:
    is_less = whole(1, A) < whole(2, B)
    assert isinstance(is_less, Made)
    assert is_less == 1
    assert set(parts_of(is_less)) == {A, B}
    assert all(bits == 1 for _, bits, _ in parts_of(is_less).values())


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("a + b", 0x12 + 3), ("a - b", 0x12 - 3), ("3 - a", 3 - 0x12), ("a * b", 0x12 * 3),
        ("a // b", 0x12 // 3), ("a % b", 0x12 % 3), ("a << b", 0x12 << 3), ("a >> b", 0x12 >> 3),
        ("1 << b", 1 << 3), ("a ^ b", 0x12 ^ 3), ("a | b", 0x12 | 3), ("~a", ~0x12), ("-a", -0x12),
        ("a == b", 0), ("a != b", 1), ("a <= b", 0), ("3 >= b", 1),
    ],
)  # fmt: skip
def test_values_are_as_ever(expression: str, value: int) -> None:
    found = eval(expression, {"a": whole(0x12, A), "b": whole(3, B)})  # the rows above
    assert int(found) == value
    assert parts_of(found)
    assert all(0 <= bits <= ALL for _, bits, _ in parts_of(found).values())
