# SPDX-License-Identifier: Apache-2.0
"""Compile kernels with SFPI: all of a batch in one file, as functions of the program of T1.

The program first pushes what `words` makes of the inputs, which puts them into Dst, then runs the
kernels in turn. Each leaves its variables in rows of Dst of its own. The same program runs on the
emulated tile and on ttsim, which has no window of harts to Dst.

SFPI does not spill LRegs. A kernel that needs too many is an error of the compiler, which names the
function: it is left out and the others are compiled again. So is a kernel at which SFPI crashes.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from scripts.random_kernels.draw import LANES, PROGRAMMABLE
from scripts.random_kernels.floats import SCALES
from scripts.random_kernels.tree import Kernel, Statement, float_text, source, text
from tensix_gdb.gdbstub.kernels.building import PUSH_WINDOW
from tensix_gdb.gdbstub.kernels.compilers import Compiler
from tensix_gdb.gdbstub.kernels.places import PROGRAMS, symbols
from tests.core.tensix.vector.pages import Words

DONE, DONE_WORD = 0x20000, 0x600D
INPUT = 0x30000  # in L1: how many words to push, and the words
FIRST_OUTPUT = 16  # dst_reg: below are the inputs
ROWS = 224  # of 32 lanes, that are left for outputs; above is SCRATCH of tree.py
TEXT_BYTES = 0x16000  # T0 and T2 run nothing, so T1's code may go on to DONE
# Why SFPI refuses a kernel, by words of its message. Only the first is not a defect of it.
REFUSALS = {
    "too few lregs": "too few LRegs",
    "internal compiler error": "the compiler crashed",
    "malformed program": "the compiler says that its own code is malformed",
}
PASS = re.compile(r"during \w+ pass: (\w+)")
ASSEMBLER = "Assembler messages"
INLINED = re.compile(r"(?:inlined from|In function) '(?:static )?void k(\d+)\(\)'")

BEFORE = """// Made by `python -m scripts.random_kernels`.
#include <cstdint>
namespace ckernel { volatile unsigned long *const instrn_buffer = (volatile unsigned long *)PUSH; }
#include "sfpi.h"
using namespace sfpi;
volatile int limits[] = {0, 1, 2, 3, 4, 5, 6, 7};
volatile float scales[] = {SCALES};
""".replace("PUSH", f"{PUSH_WINDOW:#x}").replace("SCALES", ", ".join(map(float_text, SCALES)))
AFTER = """int main() {{
    const volatile unsigned long *input = (const volatile unsigned long *){input:#x};
    for (unsigned long left = *input++; left > 0; --left) *ckernel::instrn_buffer = *input++;
{constants}
{calls}
    const unsigned long done = *(volatile unsigned long *)0xffe80004; // what was pushed has ended
    __asm__ volatile ("and zero, %0, zero" : : "r" (done) : "memory");
    *(volatile unsigned long *){place:#x} = {word:#x};
    for (;;) ;
}}
"""


class BuildError(RuntimeError):
    """SFPI refused a file for another reason than a lack of LRegs."""


@dataclass(frozen=True)
class Placed:
    """A kernel in a file: its name, its first row of outputs and its lines."""

    kernel: Kernel
    name: str
    output: int
    lines: tuple[tuple[int, str, Statement | None], ...]

    def line_of(self, statement: Statement | None) -> tuple[int, str]:
        """The line of a statement; that of the function for an input that nothing changed."""
        found = (one for one in self.lines if one[2] is statement and statement is not None)
        number, line, _ = next(found, self.lines[0])
        return number, line.strip()


@dataclass(frozen=True)
class Batch:
    """A program with several kernels. `refused` are the numbers of those that were left out, with
    the reason and what the compiler said."""

    elf: Path
    source: Path
    kernels: tuple[Placed, ...]
    refused: tuple[tuple[int, str, str], ...]


def write(kernels: Sequence[tuple[int, Kernel]], path: Path) -> tuple[Placed, ...]:
    """Write the source of numbered kernels."""
    out, placed, output = BEFORE.splitlines(), [], FIRST_OUTPUT
    for number, kernel in kernels:
        made = source(kernel, f"k{number}", output)
        first = len(out) + 1
        lines = tuple((first + i, line, statement) for i, (line, statement) in enumerate(made))
        placed.append(Placed(kernel, f"k{number}", output, lines))
        out += [line for line, _ in made]
        output += len(kernel.variables)
    constants = "\n".join(
        f"    {one.name} = {text(replace(one, name=''))};" for one in PROGRAMMABLE
    )
    calls = "\n".join(f"    {one.name}();" for one in placed)
    out += AFTER.format(
        calls=calls, constants=constants, input=INPUT, place=DONE, word=DONE_WORD
    ).splitlines()
    path.write_text("\n".join(out) + "\n", encoding="utf-8")
    assert output <= FIRST_OUTPUT + ROWS, "too many variables for Dst"
    return tuple(placed)


def build(
    compiler: Compiler, kernels: Sequence[tuple[int, Kernel]], folder: Path, optimize: int
) -> Batch:
    """Compile numbered kernels into one program."""
    path, elf = folder / "kernels.cpp", folder / "t1.elf"
    left, refused = list(kernels), list[tuple[int, str, str]]()
    while True:
        placed = write(left, path)
        said = _compile(compiler, path, elf, optimize)
        if said is None:
            return Batch(elf, path, placed, tuple(refused))
        reason = next((why for words, why in REFUSALS.items() if words in said), None)
        if reason is not None and (found := PASS.search(said)):
            reason = f"{reason}, pass {found.group(1)}"
        bad = {int(one) for one in INLINED.findall(said)} & {number for number, _ in left}
        if ASSEMBLER in said:
            reason = "the assembler refuses what the compiler wrote"
            bad = _not_assembled(compiler, left, folder, optimize)
        if not bad or reason is None:
            raise BuildError(f"{path}, -O{optimize}: {said.strip()}")
        refused += [(number, reason, said) for number in sorted(bad)]
        left = [one for one in left if one[0] not in bad]


def _not_assembled(
    compiler: Compiler, kernels: Sequence[tuple[int, Kernel]], folder: Path, optimize: int
) -> set[int]:
    """Return the numbers of kernels that the assembler refuses; its messages name none."""
    path, elf = folder / "part.cpp", folder / "part.elf"
    write(kernels, path)
    if ASSEMBLER not in (_compile(compiler, path, elf, optimize) or ""):
        return set()
    if len(kernels) == 1:
        return {kernels[0][0]}
    middle = len(kernels) // 2
    halves = (kernels[:middle], kernels[middle:])
    return set().union(*(_not_assembled(compiler, half, folder, optimize) for half in halves))


@cache
def _cxx(compiler: Compiler) -> list[str]:
    """The command for C++; to make it, the compiler is asked which options it knows."""
    return compiler.cxx(tensix=True)


def _compile(compiler: Compiler, path: Path, elf: Path, optimize: int) -> str | None:
    """Compile and link; return what the compiler said if it refused."""
    values = {**symbols("T1", compiler.arch), "__text_bytes": TEXT_BYTES}
    made = path.with_suffix(".o")
    start = path.with_name("start.o")
    assemble = [*compiler.assembler(tensix=True), "-c", str(PROGRAMS / "crt0.S"), "-o", str(start)]
    options = [f"-O{optimize}", "-c", str(path), "-o", str(made)]
    link = [
        *compiler.assembler(tensix=True),
        "-nostdlib",
        "-static",
        "-T",
        str(PROGRAMS / "tile.ld"),
    ]
    link += ["-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments"]
    link += [f"-Wl,--defsym={name}={value:#x}" for name, value in values.items()]
    link += [str(start), str(made), "-lc", "-lgcc", "-o", str(elf)]
    for command in (assemble, [*_cxx(compiler), *options], link):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr
    return None


# -- the inputs, as instructions
ENABLE_ALL = 0x8A00300A  # SFPENCC: conditional execution on, all lane flags set
MINUS_ONE = (0x7100BF80, 0x910000B0)  # SFPLOADI of -1 as BF16 to LReg 0, SFPCONFIG of LReg 11
LANE_ID, SELECTED = 15, 0  # LReg 15 has twice the number of each lane


def words(pool: Words) -> list[int]:
    """Return the instructions that put each row of the pool into dst_reg of its number.

    For each lane in turn all others are disabled, and the lane's number is loaded in two halves.
    """
    out = [ENABLE_ALL, *MINUS_ONE]
    for first in range(0, len(pool), 7):
        rows = pool[first : first + 7]
        for lane in range(LANES):
            out.append(0x79 << 24 | (-2 * lane & 0xFFF) << 12 | LANE_ID << 8 | SELECTED << 4 | 5)
            out.append(0x7B << 24 | SELECTED << 8 | 6)  # SFPSETCC: where that is 0
            for lreg, number in enumerate(rows[:, lane].tolist(), 1):
                out.append(0x71 << 24 | lreg << 20 | 8 << 16 | number >> 16)
                out.append(0x71 << 24 | lreg << 20 | 10 << 16 | number & 0xFFFF)
            out.append(ENABLE_ALL)
        for place in range(len(rows)):
            out.append(0x72 << 24 | place + 1 << 20 | 4 << 16 | 7 << 13 | 2 * (first + place))
    return out
