# SPDX-License-Identifier: Apache-2.0
"""Listings of ELF files: of our own programs, and of the wheel's firmware as objdump has it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tensix_gdb.core.assembly.listing import Line, format_listing, listing, tensix_word
from tensix_gdb.core.assembly.tensix_text import show, undefined
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.program.cxx_names import readable
from tensix_gdb.core.program.elf import read_elf
from tests.conftest import Build
from tests.core.assembly.test_rv32 import spelled_out
from tests.core.isa.oracles import objdump
from tests.core.isa.wheel import firmware
from tests.elf_maker import make_elf, words


def symbol_of(text: str) -> str:
    """objdump's, but names of C++ as the source has them."""
    found = re.search(r" <([^\s+>]+)(\S*>)$", text)
    return f" <{readable(found[1])}{found[2]}" if found else ""


def assert_as_objdump(path: Path) -> list[Line]:
    """Every line as objdump has it, but for `.ttinsn`, which it does not know; the lines."""
    theirs = {addr: (word, text) for addr, word, text in objdump(path)}
    lines = list(listing(read_elf(path), with_source=False))
    assert [line.addr for line in lines] == sorted(theirs)
    for line in lines:
        word, text = theirs[line.addr]
        assert line.word == word
        if tensix_word(word) is None:
            assert line.text == spelled_out(text) + symbol_of(text), f"{path.name} {line.addr:#x}"
    return lines


@pytest.mark.long("test_our_own_programs, test_pushes_in_c_with_source_lines")
def test_every_firmware_of_the_wheel(tmp_path: Path) -> None:
    """All instructions of all files, each of those with the same code once."""
    seen = set()
    lines = 0
    pushed: Counter[int] = Counter()
    for number, (name, content) in enumerate(firmware()):
        path = tmp_path / f"{number}-{Path(name).name}"
        path.write_bytes(content)
        code = tuple((section.addr, section.data) for section in read_elf(path).code)
        if code not in seen:
            seen.add(code)
            listed = assert_as_objdump(path)
            lines += len(listed)
            for line in listed:
                if line.tensix is not None:
                    pushed[line.tensix] += 1
                assert line.note.startswith("pushes ") is (line.tensix is not None)
        path.unlink()
    assert number > 1000
    assert len(seen) > 100
    assert lines > 250_000
    # There is no `.ttinsn` in firmware; B pushes these when it starts, each file of it once.
    assert sorted(show(word) for word in pushed) == [
        "NOP",
        "SEMINIT new_max=1, new_value=0, sem=S1",
        "SEMINIT new_max=1, new_value=0, sem=S2",
        "SEMINIT new_max=1, new_value=0, sem=S4",
        "SEMINIT new_max=1, new_value=0, sem=S7",
        "SFPCONFIG vd=L11",
        "SFPENCC imm2=E|R, vd=L0, mod1=EI|RI",
        "SFPLOADI vd=L0, mod0=FLOATB, imm16=0xbf80",
        "ZEROACC clear_mode=ALL_OF_DST",
    ]
    assert len(set(pushed.values())) == 1
    assert not any(undefined(word, Arch.BLACKHOLE) for word in pushed)


@pytest.mark.parametrize("optimize", ["-Og", "-O2"])
def test_our_own_programs(program: Build, optimize: str) -> None:
    for name, hart in (("calls", "B"), ("watched", "NC")):
        assert len(assert_as_objdump(program(name, hart, optimize=optimize))) > 20


def test_pushes_in_c_with_source_lines(program: Build) -> None:
    image = read_elf(program("push", "T0"))
    lines = [line for line in listing(image) if line.function == "push_three"]
    assert [line.text for line in lines] == [
        ".ttinsn\tNOP",
        ".ttinsn\tDMANOP",
        ".ttinsn\tSTALLWAIT wait=C0",
        "ret",
    ]
    assert [line.source for line in lines[:3]] == ["push.c:9", "push.c:10", "push.c:11"]
    assert not any(line.note for line in lines)


def test_source_text_beside_the_file(tmp_path: Path, demo_elfs: dict[str, Path]) -> None:
    here = "\n".join(format_listing(read_elf(demo_elfs["B"])))
    source = (demo_elfs["B"].parent / "b.c").read_text().splitlines()
    number = next(i for i, line in enumerate(source, 1) if "heartbeat();" in line)
    assert f"\nb.c:{number}  {source[number - 1]}\n" in here
    assert re.search(r"\n0000[0-9a-f]{4} <main>:\n", here)
    elsewhere = tmp_path / "b.elf"
    elsewhere.write_bytes(demo_elfs["B"].read_bytes())
    assert f"\nb.c:{number}\n" in "\n".join(format_listing(read_elf(elsewhere)))


def test_a_push_that_means_nothing_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.elf"
    rotated = (0xA2006000 << 2 | 0xA2006000 >> 30) & 0xFFFFFFFF
    path.write_bytes(make_elf([(0x40, words(0x00000013, rotated, 0x06 << 26))], entry=0x40))
    # Without sections, everything that is loaded is listed.
    assert list(format_listing(read_elf(path))) == [
        "",
        "00000040 <?>:",
        "        40:  00000013  nop",
        "        44:  88018002  .ttinsn  .word 0xa2006000  "
        "# STALLWAIT with bits 0x6000 set, which mean nothing",
        "        48:  18000000  .ttinsn  .word 0x06000000  "
        "# opcode 0x06 is no Blackhole instruction",
    ]
