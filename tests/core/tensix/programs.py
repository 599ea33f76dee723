# SPDX-License-Identifier: Apache-2.0
"""Tensix programs as text, pushed by the T core of their thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_text import parse
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, asm, image, li

PUSH_BASE = 0xFFE40000
CFG0 = 0x7C0
WORST = 20000  # cycles


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


def run(machine: Machine, programs: Mapping[int, Sequence[int]]) -> Stop | None:
    """Run one program on each hart to their ends and let the coprocessor finish; the last stop.

    None if it does not end: within WORST cycles, or because nothing can move any more.
    """
    machine.images.clear()
    for hart, program in programs.items():
        machine.load(hart, image([*program, EBREAK], 0x1000 * (hart + 1)))
    while True:
        stop = machine.run(WORST)
        if stop is None or stop.kind is StopKind.STANDSTILL:
            return None
        if stop.kind not in (StopKind.EBREAK, StopKind.ALL_PAUSED):
            return stop
        if stop.kind is StopKind.ALL_PAUSED:
            return stop if not machine.record.S.tensix.active else None


def run_thread(machine: Machine, texts: Sequence[str | int], thread: int = 0) -> Stop | None:
    """Run Tensix instructions in one thread."""
    return run(machine, {T0 + thread: push_all(texts)})
