# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb asm`: text to words."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from tensix_gdb.core.assembly import rv32, rv32_read
from tensix_gdb.core.assembly.program import AssemblyError, Item, assemble
from tensix_gdb.core.assembly.tensix_read import TextError
from tensix_gdb.core.assembly.tensix_text import ignored, show
from tensix_gdb.core.isa.architecture import DIALECTS, Dialect
from tensix_gdb.gdbstub.cli.instructions.as_json import as_json
from tensix_gdb.gdbstub.cli.options.instructions import AsmOptions
from tensix_gdb.gdbstub.usage import UsageError


def asm(options: AsmOptions) -> int:
    """Print the words, or write them to a file."""
    rows = _rows(options)
    if options.output:
        data = b"".join(struct.pack("<I", row["word"]) for row in rows)
        try:
            Path(options.output).write_bytes(data)
        except OSError as problem:
            raise UsageError(f"{options.output}: {problem.strerror}") from None
    elif options.json:
        print(as_json(rows))
    else:
        for row in rows:
            note = f"    # {row['note']}" if "note" in row else ""
            print(f"{row['hex']}  {row['text']}{note}")
    return 0


def _source(options: AsmOptions) -> tuple[str, str]:
    """Return the text to assemble, and its name in errors."""
    if options.file and options.text:
        raise UsageError("type instructions or --file, not both")
    if options.text:
        return "\n".join(options.text), "argument"
    if not options.file:
        raise UsageError("type an instruction in quotes, or --file FILE")
    if options.file == "-":
        return sys.stdin.read(), "input"
    try:
        return Path(options.file).read_text("utf-8"), options.file
    except OSError as problem:
        raise UsageError(f"{options.file}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{options.file}: not a text: `disasm` reads words") from None


def _rows(options: AsmOptions) -> list[dict[str, object]]:
    source, name = _source(options)
    if options.arch == "riscv":
        return _of_a_hart(source, name, options.at)
    if options.arch not in DIALECTS:
        return _of_a_wait(source, name, options.arch, as_llvm=options.as_llvm)
    try:
        program = assemble(source, DIALECTS[options.arch], name)
        arch = program.arch
        dialect = Dialect(arch)
        if not options.expand:
            return [
                _row(item.word, _text(item, dialect), item.line, note=ignored(item.tensix, arch))
                for item in program.items
            ]
        return [
            _row(
                instruction.word,
                show(instruction.word, dialect),
                program.items[instruction.origin].line,
                note=ignored(instruction.word, arch),
            )
            for instruction in program.expanded()
        ]
    except AssemblyError as problem:
        raise UsageError(str(problem)) from None


def _text(item: Item, dialect: Dialect) -> str:
    return f"{'.ttinsn ' if item.is_push else ''}{show(item.tensix, dialect)}"


def _row(word: int, text: str, line: int, digits: int = 8, *, note: str = "") -> dict[str, object]:
    row: dict[str, object] = {"word": word, "hex": f"{word:#0{digits + 2}x}", "text": text}
    return {**row, "line": line, **({"note": note} if note else {})}


def _of_a_hart(source: str, name: str, base: int) -> list[dict[str, object]]:
    """Assemble a program of a hart, `.ttinsn` included."""
    try:
        words = rv32_read.assemble(source, base, name)
    except TextError as problem:
        raise UsageError(str(problem)) from None
    return [
        {
            **_row(
                assembled.word,
                rv32.show(assembled.word, assembled.addr).replace("\t", " "),
                assembled.line,
            ),
            "addr": assembled.addr,
        }
        for assembled in words
    ]


def _of_a_wait(source: str, name: str, machine: str, *, as_llvm: bool) -> list[dict[str, object]]:
    """Return a text for a machine of which only the wait is known."""
    from tensix_gdb.core.waits import gfx9, visa
    from tensix_gdb.core.waits.wait import WaitError

    try:
        if machine == "gfx9":
            counts = gfx9.assemble(source, as_llvm=as_llvm)
            return [_row(wait.encode(), wait.show(), line) for line, wait in counts]
        lines = [(line, text) for line, text in enumerate(source.splitlines(), 1) if text.strip()]
        waits = [(line, visa.parse(text)) for line, text in lines]
        return [_row(wait.encode(), wait.show(), line, digits=4) for line, wait in waits]
    except WaitError as problem:
        raise UsageError(f"{name}: {problem}") from None
