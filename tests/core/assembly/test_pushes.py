# SPDX-License-Identifier: Apache-2.0
"""Pushes by stores: what every path agrees on is known, and nothing else."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tensix_gdb.core.assembly.listing import format_listing
from tensix_gdb.core.assembly.pushes import Push, pushes
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.program.elf import Image, read_elf
from tests.elf_maker import make_elf

BASE = 0x6000
NOP = parse("NOP")

# Each program pushes with its last store; what is found of it.
# fmt: off
PROGRAMS: dict[str, tuple[str, Push | None]] = {
    "plain":            ("lui a0,0xffe40; lui a1,0x2000; sw a1,0(a0)", Push(0, NOP)),
    "computed":         ("lui a0,0xffe40; li a1,1; slli a1,a1,25; sw a1,16(a0)", Push(0, NOP)),
    "sum of registers": ("lui a0,0xffe40; lui a1,0x1000; add a1,a1,a1; sw a1,0(a0)", Push(0, NOP)),
    "to T1":            ("lui a0,0xffe50; lui a1,0x2000; sw a1,0(a0)", Push(1, NOP)),
    "unknown word":     ("lui a0,0xffe40; lw a1,0(a2); sw a1,0(a0)", Push(0, None)),
    "unknown base":     ("lui a3,0xffe40; lui a1,0x2000; sw a1,0(a0)", None),
    "elsewhere":        ("lui a0,0xffe40; lui a2,0xffe30; lui a1,0x2000; sw a1,0(a2)", None),
    "a byte":           ("lui a0,0xffe40; lui a1,0x2000; sb a1,0(a0)", None),
    "both paths agree": ("""lui a0,0xffe40; beqz a5,other; lui a1,0x2000; j both
                            other: lui a1,0x2000
                            both: sw a1,0(a0)""", Push(0, NOP)),
    "paths differ":     ("""lui a0,0xffe40; beqz a5,other; lui a1,0x2000; j both
                            other: lui a1,0x3000
                            both: sw a1,0(a0)""", Push(0, None)),
    "changed in a loop": ("""lui a0,0xffe40; lui a1,0x2000
                            loop: sw a1,0(a0); addi a1,a1,1; bnez a5,loop""", Push(0, None)),
    "kept in a loop":   ("""lui a0,0xffe40; lui a1,0x2000
                            loop: sw a1,0(a0); addi a2,a2,1; bnez a2,loop""", Push(0, NOP)),
    "kept over a call": ("""lui s0,0xffe40; lui s1,0x2000; jal callee; sw s1,0(s0); ret
                            callee: lui s1,0x3000; ret""", Push(0, NOP)),
    "lost in a call":   ("""lui s0,0xffe40; lui a1,0x2000; jal callee; sw a1,0(s0); ret
                            callee: ret""", Push(0, None)),
    "in a called place": ("""jal callee; ret
                            callee: lui a0,0xffe40; lui a1,0x2000; sw a1,0(a0); ret""",
                          Push(0, NOP)),
    "never reached":    ("ret; lui a0,0xffe40; lui a1,0x2000; sw a1,0(a0)", None),
    "behind a return":  ("lui a0,0xffe40; jr a5; sw a1,0(a0)", None),
    "x0 stays 0":       ("lui a0,0xffe40; addi zero,zero,5; sw zero,0(a0)", Push(0, 0)),
}
# fmt: on


def image_of(text: str, folder: Path) -> Image:
    path = folder / "program.elf"
    data = b"".join(struct.pack("<I", one.word) for one in assemble(text, BASE))
    path.write_bytes(make_elf([(BASE, data)], entry=BASE))
    return read_elf(path)


@pytest.mark.parametrize("case", PROGRAMS)
def test_programs(case: str, tmp_path: Path) -> None:
    text, expected = PROGRAMS[case]
    found = list(pushes(image_of(text, tmp_path)).values())
    assert found == ([expected] if expected else [])


def test_in_a_listing(tmp_path: Path) -> None:
    text = """lui a0,0xffe50; lui a1,0xa2040; addi a1,a1,0x400; sw a1,0(a0)
              lw a1,0(a0); sw a1,0(a0); lui a1,0x6000; sw a1,0(a0); ret"""
    lines = [line.partition("  # ")[2] for line in format_listing(image_of(text, tmp_path))]
    assert [line for line in lines if line] == [
        "pushes STALLWAIT block=B3, wait=C10 to T1",
        "pushes a Tensix instruction to T1",
        "pushes .word 0x06000000 to T1: opcode 0x06 is no Blackhole instruction",
    ]
