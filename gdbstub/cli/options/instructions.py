# SPDX-License-Identifier: Apache-2.0
"""The arguments of the commands about instructions: asm, disasm, explain, isa."""

from __future__ import annotations

import argparse
from typing import Any

TENSIX = ("blackhole", "wormhole")
ALL = (*TENSIX, "riscv", "gfx9", "visa")


def add(commands: Any) -> None:
    """Add the four commands to the subparsers of the command line."""
    asm = commands.add_parser(
        "asm",
        help="instructions as words",
        description="Assemble Tensix instructions, in the ISA pages' names or as LLK's macros; "
        "RISC-V instructions in binutils' syntax; the wait instructions of other machines. "
        "`tensix-gdb asm 'STALLWAIT block=B3, wait=C10'`",
    )
    asm.add_argument("text", nargs="*", metavar="INSTRUCTION", help="one instruction, quoted")
    asm.add_argument(
        "-f", "--file", metavar="FILE", help="a program with labels and directives; - for input"
    )
    asm.add_argument(
        "-o", "--output", metavar="FILE", help="write the words there, 4 bytes each, low byte first"
    )
    asm.add_argument(
        "--expand",
        action="store_true",
        help="show what MOP and REPLAY become: what reaches the wait gate",
    )
    asm.add_argument(
        "--at",
        type=_address,
        default=0,
        metavar="ADDRESS",
        help="of RISC-V: where the program begins (default 0)",
    )
    asm.add_argument(
        "--as-llvm",
        action="store_true",
        help="of gfx9: take the low 16 bits of an operand outside 0 to 0xFFFF, as llvm-mc does, "
        "instead of refusing it",
    )
    _arch(asm, ALL, "blackhole")

    disasm = commands.add_parser(
        "disasm",
        help="words or files as instructions",
        description="Disassemble words, files of words (text or binary, low byte first), or ELF "
        "files of RISC-V and Tensix instructions with their source lines.",
    )
    disasm.add_argument(
        "what",
        nargs="+",
        metavar="WORD|FILE",
        help="0xa2040400, or a file; - for words from the input",
    )
    disasm.add_argument("--llk", action="store_true", help="as LLK's macros: TTI_STALLWAIT(...)")
    disasm.add_argument("--no-aliases", action="store_true", help="of an ELF: addi, not li or mv")
    disasm.add_argument("--numeric", action="store_true", help="of an ELF: x10, not a0")
    disasm.add_argument("--no-source", action="store_true", help="of an ELF: no source lines")
    _arch(disasm, ALL, "blackhole")

    explain = commands.add_parser(
        "explain",
        help="one instruction, field by field",
        description="Explain one instruction: every field, what it holds and waits for, how long "
        "it takes, where it is documented, the same wait on other machines, and what to beware of. "
        "With --config: the configuration words that a tile of a format needs. With --time: the "
        "cost model's numbers.",
    )
    explain.add_argument("instruction", nargs="+", metavar="WORD|TEXT", help="0xa2040400, or text")
    explain.add_argument(
        "--config",
        action="store_true",
        help="explain a unit's configuration instead: unpack bf16, unpack fp32 bf16 dst, math "
        "bf16, math bf16 fp32, pack bfp8, pack fp32 bf16; a unit alone for all formats",
    )
    explain.add_argument(
        "--c",
        action="store_true",
        help="with --config: lines of C to paste, with the names of tensix_by_name.h",
    )
    explain.add_argument(
        "--time",
        action="store_true",
        help="explain what it takes instead, with source and trust of each number: MVMUL, lw, or a "
        "part: hart, l1, load, frontend, matrix, vector, scalar, unpacker, packer, mover, noc; all",
    )
    _arch(explain, ALL, None)

    isa = commands.add_parser(
        "isa",
        help="the table of Tensix instructions",
        description="List the Tensix instructions: opcode, unit, which block bits hold it, Auto "
        "TTSync class, latency in cycles, how far the emulator is, and the page.",
    )
    isa.add_argument(
        "name", nargs="*", metavar="NAME", help="only these, or opcodes; * and ? stand for any"
    )
    isa.add_argument("--unit", metavar="TEXT", help="only of units with this in their name")
    isa.add_argument("--status", metavar="TEXT", help="implemented, not yet, or undocumented")
    _arch(isa, TENSIX, "blackhole")


def _address(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 32 or value & 3:
        raise argparse.ArgumentTypeError(f"{text!r} is no address of an instruction")
    return value


def _arch(command: argparse.ArgumentParser, known: tuple[str, ...], default: str | None) -> None:
    default_text = "found by the text" if default is None else default
    command.add_argument(
        "--arch", choices=known, default=default, help=f"the architecture (default: {default_text})"
    )
    command.add_argument("--json", action="store_true", help="as JSON, for programs")
