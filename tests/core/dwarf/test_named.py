# SPDX-License-Identifier: Apache-2.0
"""Functions that a compiler has inlined are found by their names, as those with a symbol are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.dwarf.info import DebugInfo
from tensix_gdb.core.dwarf.named import called, called_at, entries, line_entries
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, read_elf
from tensix_gdb.gdbstub.cli.run import places_named
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor.push_sites import places_called, ranges_of_line
from tensix_gdb.gdbstub.testing.program import Program
from tests.programs.build import GCC, build

# As tt-metal has it: the main function is a kernel's own file, included into its caller's.
FILES = {
    "kernel.h": """static inline __attribute__((always_inline)) void kernel_main(int *out)
{
    *out = 5;
    __asm__ volatile(".word 0x08000000"); /* a NOP for the coprocessor */
}
""",
    "other.h": """static inline __attribute__((always_inline)) void kernel_mean(int *out)
{
    *out = 6;
}
""",
    "caller.c": """#include "kernel.h"
#include "other.h"
static int out[2];
int main(void)
{
    kernel_mean(out);
    kernel_main(out + 1);
    __asm__ volatile("" : : "r"(out) : "memory");
    return 0;
}
""",
}


@pytest.fixture
def image(tmp_path: Path, tool: Callable[[str], str]) -> Image:
    """A program in which the kernel was inlined."""
    tool(GCC)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    read = read_elf(build(tmp_path / "caller.c", "T1", tmp_path / "t1.elf", optimize="-O2"))
    read.hart = T1
    assert read.symbol_called("kernel_main") is None
    return read


@pytest.mark.parametrize("name", ["kernel_main", "kernel.h:kernel_main"])
def test_an_inlined_function_is_found(image: Image, name: str) -> None:
    info = DebugInfo(image.content)
    (block,) = called(info, name)
    assert block.inlined
    (start,) = entries(info, name)
    assert start in Program(image).addresses(name)
    machine = Machine(engine="reference")
    machine.load(T1, image)
    assert (T1, start) in places_named(machine, name)
    (sites,) = places_called(machine, name)
    assert (start, T1) in [(lo, sites.hart) for lo, _ in sites.ranges]


@pytest.mark.parametrize("name", ["other.h:kernel_main", "kernel_mai", "kernel.h:main"])
def test_others_are_not(image: Image, name: str) -> None:
    assert called(DebugInfo(image.content), name) == []
    assert Program(image).addresses(name) == []
    machine = Machine(engine="reference")
    machine.load(T1, image)
    with pytest.raises(TargetError, match="no function"):
        places_called(machine, name)


def test_a_function_with_its_file(image: Image) -> None:
    """Its own code is meant, whether it has a symbol or not."""
    machine = Machine(engine="reference")
    machine.load(T1, image)
    own = image.symbols["main"].addr
    assert [lo for lo, _ in places_called(machine, "caller.c:main")[0].ranges] == [own]
    assert places_named(machine, "caller.c:main") == [(T1, own)]


def test_a_line_that_has_only_what_was_inlined_there(image: Image) -> None:
    """Arithmetic of SFPI's values has no instruction with the line of the kernel."""
    info = DebugInfo(image.content)
    (block,) = called_at(info, "caller.c", 7)
    assert block.name == "kernel_main"
    own = info.lines.rows
    info.lines.rows = [row for row in own if row.line != 7 or not row.file.endswith("caller.c")]
    assert line_entries(info, "caller.c", 7) == (7, [block.low])
    assert info.addresses("caller.c", 7)[0] > 7
    image.tables.take_lines(())  # as if no instruction had this line
    assert ranges_of_line(image, "caller.c", 7) == block.ranges
    assert ranges_of_line(image, "caller.c", 2) == ()
