# SPDX-License-Identifier: Apache-2.0
"""A line that begins with an inlined call of another file: GDB stops there."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tensix_gdb.core.dwarf.kept_lines import gdb_forgets_lines_of, with_kept_lines

START = 0x6000
HEADER = """static inline __attribute__((always_inline)) void push(int v)
{
    asm volatile("mv t0, %0" ::"r"(v));
}
"""
KERNEL = """#include "push.h"
void work(int v)
{
    push(v);
    push(v + 1);
    asm volatile("" ::: "memory");
    push(v + 2);
}
int main(void) { work(1); return 0; }
"""


@pytest.fixture(scope="module")
def elf(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inlined")
    (folder / "push.h").write_text(HEADER, "ascii")
    (folder / "work.c").write_text(KERNEL, "ascii")
    command = [tool("riscv64-unknown-elf-gcc"), "-march=rv32im", "-mabi=ilp32", "-O1", "-g"]
    command += ["-nostdlib", "-Wl,-emain,-Ttext=0x6000", "work.c", "-o", "work.elf"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "work.elf"


def rows(content: bytes) -> list[tuple[int, int, int]]:
    """Every statement of the line table: address, file, line."""
    dwarf = ELFFile(io.BytesIO(content)).get_dwarf_info()
    states = [
        entry.state
        for unit in dwarf.iter_CUs()
        for entry in dwarf.line_program_for_CU(unit).get_entries()
        if entry.state is not None and not entry.state.end_sequence and entry.state.is_stmt
    ]
    return [(state.address, state.file, state.line) for state in states]


def test_a_row_more_for_each(elf: Path) -> None:
    content = elf.read_bytes()
    changed = with_kept_lines(content)
    assert gdb_forgets_lines_of(str(elf))
    before, after = rows(content), rows(changed)
    assert after[-len(before) :] == before
    added = after[: -len(before)]
    assert {line for _, _, line in added} >= {4}
    assert set(added) <= set(before)
    for addr, file, _ in added:
        assert any(there == addr and other != file for there, other, _ in before)


@pytest.mark.gdb
def test_gdb_stops_at_all_of_them(elf: Path, tool: Callable[[str], str], tmp_path: Path) -> None:
    gdb = tool("gdb-multiarch")
    shown = tmp_path / "shown.elf"
    shown.write_bytes(with_kept_lines(elf.read_bytes()))
    wanted = {line for _, file, line in rows(elf.read_bytes()) if file == 1}
    for path, forgets in ((elf, True), (shown, False)):
        words = [word for line in sorted(wanted) for word in ("-ex", f"break work.c:{line}")]
        done = subprocess.run(
            [gdb, "-nx", "-batch", *words, str(path)], capture_output=True, text=True, check=False
        )
        known = {
            int(line) for line in re.findall(r"^Breakpoint .* line (\d+)\.$", done.stdout, re.M)
        }
        assert (known != wanted) is forgets, done.stdout


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"no program at all"])
def test_what_is_no_program_stays(content: bytes) -> None:
    assert with_kept_lines(content) is content


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    assert not gdb_forgets_lines_of(str(tmp_path / "gone.elf"))


def test_damaged_lines_stay(elf: Path) -> None:
    """Each byte of the first unit of the line table in turn."""
    content = elf.read_bytes()
    table = ELFFile(io.BytesIO(content)).get_section_by_name(".debug_line")
    for at in range(table["sh_offset"], table["sh_offset"] + min(table["sh_size"], 120)):
        damaged = bytearray(content)
        damaged[at] ^= 0xFF
        assert with_kept_lines(bytes(damaged))


def test_a_kernel_before_the_firmware_that_calls_it(
    tool: Callable[[str], str], tmp_path: Path
) -> None:
    """All three begin at one address, and GDB shows the file that comes first in the table."""
    (tmp_path / "firmware").mkdir()
    (tmp_path / "push.h").write_text(HEADER, "ascii")
    kernel = '#include "push.h"\nstatic inline __attribute__((always_inline)) void kernel(void)\n'
    (tmp_path / "kernel.c").write_text(kernel + "{\n    push(1);\n}\n", "ascii")
    calls = '#include "../kernel.c"\nvoid run(void)\n{\n    kernel();\n}\n'
    (tmp_path / "firmware" / "trisck.c").write_text(calls, "ascii")
    command = [tool("riscv64-unknown-elf-gcc"), "-march=rv32im", "-mabi=ilp32", "-O1", "-g"]
    command += ["-nostdlib", "-Wl,-erun,-Ttext=0x6000", "firmware/trisck.c", "-o", "run.elf"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    content = (tmp_path / "run.elf").read_bytes()
    before, after = rows(content), rows(with_kept_lines(content))
    added = after[: len(after) - len(before)]
    at_start = [(file, line) for addr, file, line in before if addr == START]
    firmware, kernel_file = at_start[0][0], next(file for file, line in reversed(at_start[:-1]))
    assert [(file, line) for addr, file, line in added if addr == START] == [(kernel_file, 4)]
    assert kernel_file not in (firmware, at_start[-1][0])
