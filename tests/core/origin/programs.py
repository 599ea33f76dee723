# SPDX-License-Identifier: Apache-2.0
"""Small programs to ask about."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.places.place import text
from tensix_gdb.core.places.words import parse
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tests.assembler import asm, image, li

DEMO = FOLDER.parent / "demo" / "programs"
CODE, DATA = 0x6000, 0x20000


def demo(schedule: Execution | int, engine: str = "compiled") -> Machine:
    """The demo's pipeline of four harts."""
    machine = Machine(engine=engine, schedule=schedule)  # type: ignore[arg-type]
    for hart, name in ((B, "b"), (T0, "t0"), (T1, "t1"), (NC, "nc")):
        machine.load(hart, read_elf(str(DEMO / f"{name}.elf")))
    return machine


def of_words(schedule: Execution | int, words: list[int]) -> Machine:
    """A program of T0."""
    machine = Machine(engine="compiled", schedule=schedule)  # type: ignore[arg-type]
    machine.load(T0, image([*words, asm("ebreak")], CODE))
    return machine


def bytes_into_a_line() -> list[int]:
    """a0 = 0x11 and a1 = a0 + a0, stored as bytes beside each other, over a word: stores that
    merge. Six words of `li` come first."""
    words = [*li(12, DATA), *li(10, 0x11), *li(13, 0x77777777)]
    return [
        *words,
        asm("sw", rs1=12, rs2=13, imm=0),
        asm("add", rd=11, rs1=10, rs2=10),
        asm("sb", rs1=12, rs2=10, imm=0),
        asm("sb", rs1=12, rs2=11, imm=1),
    ]


def typed_back(origin: Origin) -> None:
    """Type back what an answer prints: each element, and each setting that had a part in it."""
    words = origin.what.partition(" and ")[0]
    if not words.startswith(("DRAM", "the host's memory")):
        assert text(parse(words.split())) == words
    for setting in (*origin.addressed, *origin.settings):
        assert text(parse(setting.what.split())) == setting.what
    for part in origin.made_of:
        typed_back(part)
