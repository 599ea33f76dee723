# SPDX-License-Identifier: Apache-2.0
"""The options of the commands about instructions: asm, disasm, explain, isa."""

from __future__ import annotations

import argparse
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.tile import CHIPS, json

ALL = (*CHIPS, "riscv", "gfx9", "visa")


def _address(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 32 or value & 3:
        raise argparse.ArgumentTypeError(f"{text!r} is no address of an instruction")
    return value


def _arch(known: tuple[str, ...], default: str | None) -> Any:
    text = f"the architecture (default: {default or 'found by the text'})"
    return option("--arch", choices=known, default=default, help=text)


@dataclass(frozen=True)
class AsmOptions:
    """Assemble Tensix instructions, in the ISA pages' names or as LLK's macros; RISC-V instructions
    in binutils' syntax; the wait instructions of other machines.
    `tensix-gdb asm 'STALLWAIT block=B3, wait=C10'`"""

    text: tuple[str, ...] = option(nargs="*", metavar="INSTRUCTION", help="one instruction, quoted")
    file: str | None = option(
        *("-f", "--file"),
        metavar="FILE",
        help="a program with labels and directives; - for input",
    )
    output: str | None = option(
        *("-o", "--output"),
        metavar="FILE",
        help="write the words there, 4 bytes each, low byte first",
    )
    expand: bool = option(
        "--expand",
        action="store_true",
        help="show what MOP and REPLAY become: what reaches the wait gate",
    )
    at: int = option(
        "--at",
        type=_address,
        default=0,
        metavar="ADDRESS",
        help="of RISC-V: where the program begins (default 0)",
    )
    as_llvm: bool = option(
        "--as-llvm",
        action="store_true",
        help="of gfx9: take the low 16 bits of an operand outside 0 to 0xFFFF, as llvm-mc does, "
        "instead of refusing it",
    )
    arch: str = _arch(ALL, "blackhole")
    json: bool = json()


@dataclass(frozen=True)
class DisasmOptions:
    """Disassemble words, files of words (text or binary, low byte first), or ELF files of RISC-V
    and Tensix instructions with their source lines."""

    what: tuple[str, ...] = option(
        nargs="+",
        metavar="WORD|FILE",
        help="0xa2040400, or a file; - for words from the input",
    )
    llk: bool = option("--llk", action="store_true", help="as LLK's macros: TTI_STALLWAIT(...)")
    no_aliases: bool = option(
        "--no-aliases", action="store_true", help="of an ELF: addi, not li or mv"
    )
    numeric: bool = option("--numeric", action="store_true", help="of an ELF: x10, not a0")
    no_source: bool = option("--no-source", action="store_true", help="of an ELF: no source lines")
    arch: str = _arch(ALL, "blackhole")
    json: bool = json()


@dataclass(frozen=True)
class ExplainOptions:
    """Explain one instruction: every field, what it holds and waits for, how long it takes, where
    it is documented, the same wait on other machines, and what to beware of. With --config: the
    configuration words that a tile of a format needs. With --time: the cost model's numbers."""

    instruction: tuple[str, ...] = option(
        nargs="+", metavar="WORD|TEXT", help="0xa2040400, or text"
    )
    config: bool = option(
        "--config",
        action="store_true",
        help="explain a unit's configuration instead: unpack bf16, unpack fp32 bf16 dst, math "
        "bf16, math bf16 fp32, pack bfp8, pack fp32 bf16; a unit alone for all formats",
    )
    c: bool = option(
        "--c",
        action="store_true",
        help="with --config: lines of C to paste, with the names of tensix_by_name.h",
    )
    time: bool = option(
        "--time",
        action="store_true",
        help="explain what it takes instead, with source and trust of each number: MVMUL, lw, or a "
        "part: hart, l1, load, frontend, matrix, vector, scalar, unpacker, packer, mover, noc; all",
    )
    arch: str | None = _arch(ALL, None)
    json: bool = json()


@dataclass(frozen=True)
class IsaOptions:
    """List the Tensix instructions: opcode, unit, which block bits hold it, Auto TTSync class,
    latency in cycles, how far the emulator is, and the page."""

    name: tuple[str, ...] = option(
        nargs="*", metavar="NAME", help="only these, or opcodes; * and ? stand for any"
    )
    unit: str | None = option(
        "--unit", metavar="TEXT", help="only of units with this in their name"
    )
    status: str | None = option(
        "--status", metavar="TEXT", help="implemented, not yet, or undocumented"
    )
    arch: str = _arch(CHIPS, "blackhole")
    json: bool = json()
