# SPDX-License-Identifier: Apache-2.0
"""Sentences name the line of the kernel that a library's header was inlined into."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.dwarf import info
from tensix_gdb.core.dwarf.lines import file_names
from tensix_gdb.core.explain import inlining
from tensix_gdb.core.explain.inlining import Inlining, ReadFiles, is_library
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program import elf_tables
from tensix_gdb.core.program.elf import Image, read_elf
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tests.programs.build import GCC, build

INNER = """static inline void ttsync(void)
{
    __asm__ volatile(".word 0x08000000"); /* a NOP for the coprocessor */
}
"""
OUTER = """#include "ckernel_inner.h"
static inline void _llk_math_wait_(void)
{
    ttsync();
}
"""
OWN = """static inline void own(void)
{
    __asm__ volatile(".word 0x08000000");
}
"""
KERNEL = """#include "llk_math_outer.h"
#include "own.h"
int main(void)
{
    _llk_math_wait_();
    own();
    return 0;
}
"""
FILES = {
    "ckernel_inner.h": INNER,
    "llk_math_outer.h": OUTER,
    "own.h": OWN,
    "kernel.c": KERNEL,
}


@pytest.mark.parametrize("optimize", ["-Og", "-O2"])
def test_a_header_is_named_after_the_line_of_the_kernel(
    optimize: str, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    tool(GCC)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    elf = build(tmp_path / "kernel.c", "T0", tmp_path / "t0.elf", optimize=optimize)
    machine = Machine(engine="reference")
    image = read_elf(elf)
    machine.load(T0, image)
    pushes = [
        segment.addr + at
        for segment in image.code
        for at in range(0, len(segment.data) - 3, 4)
        if segment.data[at : at + 4] == b"\0\0\0\x08"
    ]
    assert len(pushes) == 2
    in_library, in_own = (machine.places.at(T0, pc) for pc in pushes)
    # At -Og the compiler gives the asm statement to the line of the call.
    assert re.fullmatch(
        rf"{pushes[0]:#010x}, main at kernel.c:5 \(through _llk_math_wait_ at llk_math_outer.h:4, "
        r"ttsync at (ckernel_inner.h:3|llk_math_outer.h:4)\)",
        in_library,
    )
    assert "through" not in in_own
    assert place(machine, T0, pushes[0]).startswith("kernel.c:5 (")
    assert place(machine, T0, pushes[1]) in ("own.h:3", "kernel.c:6")


def test_a_function_that_is_inlined_names_its_own_lines(
    tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """As `kernel_main`, of which nothing is left but lines in the firmware's `_start`."""
    tool(GCC)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    main = KERNEL.index("int main")
    asm = '    __asm__ volatile(".word 0x08000000");\n'
    work = f"__attribute__((always_inline)) static inline void work(void)\n{{\n{asm}}}\n"
    text = KERNEL[:main] + work + KERNEL[main:].replace("own();", "work();")
    (tmp_path / "kernel.c").write_text(text)
    machine = Machine(engine="reference")
    elf = build(tmp_path / "kernel.c", "T0", tmp_path / "t0.elf", optimize="-O2")
    image = read_elf(elf)
    machine.load(T0, image)
    (code,) = [one for one in image.code if b"\0\0\0\x08" in one.data]
    pc = code.addr + code.data.rindex(b"\0\0\0\x08")
    assert re.fullmatch(rf"{pc:#010x}, work at kernel.c:\d+", machine.places.at(T0, pc))


@pytest.mark.parametrize(
    ("file", "library"),
    [
        ("/a/tt_metal/hw/inc/risc_attribs.h", True),
        ("../tt-llk/tt_llk_blackhole/llk_lib/llk_math_matmul.h", True),
        ("llk_math_matmul.h", True),
        ("ckernel.h", True),
        ("/a/tt_metal/kernels/compute/eltwise.cpp", False),
        ("tensix.h", False),
        ("kernel.c", False),
    ],
)
def test_headers_of_libraries(file: str, *, library: bool) -> None:
    assert is_library(file) is library


def test_a_file_that_moves_is_read_once(
    tmp_path: Path, tool: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel is at another address with each launch. Its files are listed once for each unit,
    and not for each function that is inlined."""
    tool(GCC)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    elf = build(tmp_path / "kernel.c", "T0", tmp_path / "t0.elf", optimize="-O2")
    first = read_elf(elf)
    second = first.as_at(0x100, first.segments)
    tables: list[object] = []
    read_lines = elf_tables.lines
    monkeypatch.setattr(elf_tables, "lines", lambda elf: tables.append(elf) or read_lines(elf))
    info.debug_info.cache_clear()
    listed: list[int] = []

    def counted(program: Any) -> dict[int, str]:
        listed.append(id(program))
        return file_names(program)

    monkeypatch.setattr(info, "file_names", counted)
    files = Inlining(ReadFiles())
    pc = next(
        segment.addr + segment.data.index(b"\0\0\0\x08")
        for segment in first.code
        if b"\0\0\0\x08" in segment.data
    )
    steps = files.learn(first).at(pc)
    assert [step.function for step in steps] == ["ttsync", "_llk_math_wait_", "main"]
    assert len(listed) == 1
    assert files.learn(second).at(pc + 0x100) == steps
    assert len(listed) == 1
    assert first.symbolize(pc) == second.symbolize(pc + 0x100) == "llk_math_outer.h:4"
    here, there = first.function_at(pc), second.function_at(pc + 0x100)
    assert here is not None
    assert there is not None
    assert (there.name, there.addr) == (here.name, here.addr + 0x100)
    assert not tables, "the reader of all debug information has the lines already"


def test_entries_of_types_and_of_inlined_functions_are_not_read(
    tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """With LTO three quarters of all entries are such, and each takes 14 us to read."""
    tool(GCC)
    fields = "".join(f"int f{number}; " for number in range(200))
    uses = " + ".join(f"each->f{number}" for number in range(200))
    (tmp_path / "kernel.c").write_text(
        f"struct many {{ {fields}}} all;\n"
        f"static inline int sum(struct many *each) {{ int a = 1, b = 2; return a + b + {uses}; }}\n"
        "int main(void) { return sum(&all); }\n"
    )
    image = read_elf(build(tmp_path / "kernel.c", "T0", tmp_path / "t0.elf", optimize="-O2"))
    read = info.DebugInfo(image.content)
    assert [block.name for block in read.functions].count("main") == 1
    assert [block.name for block in read.inlined("sum")] == ["sum"]
    parsed = sum(len(unit._dielist) for unit in read._units)
    whole = sum(1 for unit in read._units for _ in unit.iter_DIEs())
    assert parsed < whole - 200


def test_tiles_that_run_the_same_file_share_what_was_read(
    tmp_path: Path, tool: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 140 tiles the first `monitor chip` took 42 s: each read the files of its kernels."""
    tool(GCC)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    elf = build(tmp_path / "kernel.c", "T0", tmp_path / "t0.elf", optimize="-O2")
    read: list[bytes] = []

    class Counted(info.DebugInfo):
        """Debug information of which it is known how often it is read."""

        def __init__(self, content: bytes) -> None:
            read.append(content)
            super().__init__(content)

    monkeypatch.setattr(info, "debug_info", Counted)
    monkeypatch.setattr(elf_tables, "lines", lambda elf: pytest.fail("the lines are known"))
    monkeypatch.setattr(inlining, "FILES", ReadFiles())
    said = set()
    for _ in range(4):
        machine = Machine(engine="reference")
        image = read_elf(elf)
        machine.load(T0, image)
        said |= {machine.places.at(T0, segment.addr) for segment in image.code}
        assert image.symbolize(image.code[0].addr) is not None
    assert len(read) == 1
    assert all("kernel.c" in text for text in said if "main" in text)
    # Those that were not asked for lately are given up, so that a long run has few in memory.
    few = ReadFiles(most=2)
    files = [Image(Path(), 0, (), image.content + bytes([number])) for number in range(3)]
    read.clear()
    for number in (0, 1, 0, 2, 0, 1):
        few.of(files[number])
    assert read == [files[number].content for number in (0, 1, 2, 1)]
