# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb disasm`: words, files of words and ELF files to text."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.assembly import rv32
from tensix_gdb.core.assembly.listing import format_listing, listing, tensix_word
from tensix_gdb.core.assembly.tensix_text import ignored, show, undefined
from tensix_gdb.core.isa.architecture import DIALECTS, Dialect
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.program.elf import LoadError, read_elf
from tensix_gdb.core.waits import gfx9, visa
from tensix_gdb.core.waits.wait import WaitError
from tensix_gdb.gdbstub.cli.instructions.as_json import as_json
from tensix_gdb.gdbstub.cli.options.instructions import DisasmOptions
from tensix_gdb.gdbstub.usage import UsageError

ELF = b"\x7fELF"
COLUMN = 56  # where notes begin after an instruction


def disasm(options: DisasmOptions) -> int:
    """Print each argument as text."""
    style = rv32.Style(aliases=not options.no_aliases, numeric=options.numeric)
    rows: list[dict[str, object]] = []
    for what in options.what:
        number = number_of(what)
        if number is not None:
            if not 0 <= number < 1 << 32:
                raise UsageError(f"{what} is no word of 32 bits")
            rows.append(_word(number, 4 * len(rows), options))
            continue
        data = _read(what)
        if not data.startswith(ELF):
            rows += [
                _word(word, 4 * at, options)
                for at, word in enumerate(_words(what, data), len(rows))
            ]
            continue
        if what == "-":
            raise UsageError("ELF files are read by name, not from the input")
        if options.arch not in ("blackhole", "riscv"):
            raise UsageError(f"{what} is an ELF file; of those only Blackhole's are listed")
        try:
            image = read_elf(what)
            source = not options.no_source
            if not options.json:
                for line in format_listing(image, style, with_source=source):
                    print(line)
                continue
            rows += [
                {
                    "addr": listed.addr,
                    "word": listed.word,
                    "text": listed.text.replace("\t", " "),
                    "tensix": listed.tensix,
                    "function": listed.function,
                    "source": listed.source,
                    "note": listed.note,
                }
                for listed in listing(image, style, with_source=source)
            ]
        except LoadError as problem:
            raise UsageError(str(problem)) from None
    if options.json:
        print(as_json(rows))
        return 0
    for row in rows:
        text = f"{row['hex']}  {row['text']}"
        print(f"{text:{COLUMN}}  # {row['note']}" if row["note"] else text)
    return 0


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise UsageError(f"{path} is no number and no file: {problem.strerror}") from None


def _words(path: str, data: bytes) -> Iterator[int]:
    """Read the words of a file: numbers in text, or 4 bytes each."""
    try:
        numbers = [number_of(token) for token in data.decode("ascii").split()]
    except UnicodeDecodeError:
        numbers = [None]
    if all(number is not None and 0 <= number < 1 << 32 for number in numbers):
        yield from (number for number in numbers if number is not None)
        return
    if len(data) % 4:
        raise UsageError(f"{path} holds neither numbers nor words: it has {len(data)} bytes")
    yield from (word for (word,) in struct.iter_unpack("<I", data))


def _word(word: int, addr: int, options: DisasmOptions) -> dict[str, object]:
    """Show one word. Words of RISC-V follow each other from address 0."""
    text, note, digits = "", "", 8
    match options.arch:
        case "gfx9" | "visa":
            machine = gfx9 if options.arch == "gfx9" else visa
            digits = 8 if options.arch == "gfx9" else 4
            try:
                text = machine.decode(word).show()
            except WaitError as problem:
                text, note = f".word {word:#x}", str(problem)
        case "riscv":
            style = rv32.Style(aliases=not options.no_aliases, numeric=options.numeric)
            text = rv32.show(word, addr, style=style).replace("\t", " ")
            pushed = tensix_word(word)
            note = "" if pushed is None else undefined(pushed, DIALECTS["blackhole"].arch)
        case arch:
            dialect = Dialect(DIALECTS[arch].arch, llk=options.llk)
            text = show(word, dialect)
            note = undefined(word, dialect.arch) or ignored(word, dialect.arch)
    return {"word": word, "hex": f"{word:#0{digits + 2}x}", "text": text, "note": note}
