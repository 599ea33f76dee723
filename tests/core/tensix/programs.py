# SPDX-License-Identifier: Apache-2.0
"""Tensix programs as text, pushed by the T core of their thread; drive.py runs them."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.assembly.tensix_read import parse
from tests.assembler import asm, li

PUSH_BASE = 0xFFE40000
CFG0 = 0x7C0


def word(text: str | int) -> int:
    """A Tensix instruction."""
    return text if isinstance(text, int) else parse(text)


def ttinsn(text: str | int) -> int:
    """The RISC-V instruction that pushes it."""
    value = word(text)
    return (value << 2 | value >> 30) & 0xFFFFFFFF


def push_all(texts: Sequence[str | int]) -> list[int]:
    """A program that pushes one instruction after the other, and ends."""
    return [ttinsn(text) for text in texts]


def stored(texts: Sequence[str | int], window: int = PUSH_BASE) -> list[int]:
    """The same by `sw`, so that nothing is fused."""
    code = li(5, window)
    for text in texts:
        code += [*li(6, word(text)), asm("sw", rs1=5, rs2=6)]
    return code
