# SPDX-License-Identifier: Apache-2.0
"""Programs of others that the tables are held against: binutils, QEMU, LLVM, the ttnn wheel."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tensix_gdb.core.riscv.rvv.encodings import RVV
from tensix_gdb.core.riscv.table import ROWS
from tests.tools import find_tool as tool

# Rows that are one instruction each, named as binutils does; those of V are formats.
NAMED_ROWS = tuple(row for row in ROWS[:-1] if row not in RVV.rows)

MARCH = "rv32imaf_zicsr_zifencei_zba_zbb_zbkb_zfh"


def assemble(source: str, folder: Path, *, link: bool = False) -> Path:
    """Assemble RV32 source to an object, or link it to a program at 0x10000."""
    text, target = folder / "source.s", folder / "source.o"
    text.write_text(source)
    assembler = tool("riscv64-unknown-elf-as")
    subprocess.run([assembler, f"-march={MARCH}", "-mabi=ilp32", text, "-o", target], check=True)
    if not link:
        return target
    program = folder / "program"
    linker = tool("riscv64-unknown-elf-ld")
    subprocess.run(
        [linker, "-melf32lriscv", "-Ttext=0x10000", "--no-relax", target, "-o", program], check=True
    )
    return program


_LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f]+) +\t([^\n]*)$", re.M)
_COMMENT = re.compile(r"\s+#.*$")


def objdump(path: Path, *options: str) -> list[tuple[int, int, str]]:
    """Of each instruction the address, the word, and the text without the comment behind it."""
    command = [tool("riscv64-unknown-elf-objdump"), "-d", "-z", str(path)]
    command += ["-M", ",".join(options)] if options else []
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [
        (int(address, 16), int(word, 16), _COMMENT.sub("", text).rstrip())
        for address, word, text in _LINE.findall(done.stdout)
    ]


def disassemble_words(words: Sequence[int], folder: Path) -> list[str]:
    """objdump's text of each word; a word that it does not know is `.4byte`."""
    source = "\n".join(f".insn {word:#010x}" for word in words)
    found = objdump(assemble(source, folder), "no-aliases", "numeric")
    assert [word for _, word, _ in found] == list(words)
    return [text for _, _, text in found]
