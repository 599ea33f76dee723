# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: names for the pc of a thread that is nowhere, as `info threads` shows it.

The tile gives a hart in reset, and a Tensix thread to which nothing was pushed, a pc where there is
no memory (gdbstub/tensix/capabilities/threads.py). GDB has symbols of files only, so a small file
is made for it.
"""

import atexit
import os
import struct
import tempfile

import gdb

START, SIZE = 0xFFFFFE00, 0x80  # of each
NAMES = ("in_reset", "nothing_pushed")
EXEC, RISCV = 2, 243
PROGBITS, SYMTAB, STRTAB, NOBITS = 1, 2, 3, 8
ALLOC_EXECUTE, GLOBAL_FUNCTION = 6, 0x12
HEADER, SECTION_HEADER, SYMBOL = 52, 40, 16


def is_nowhere(pc: int) -> bool:
    """True if a thread with this pc has no place in a program."""
    return START <= pc < START + SIZE * len(NAMES)


def symbol_file() -> bytes:
    """Return an ELF file with a section that has no bytes, and a function for each name."""
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in NAMES)
    symbols, at = bytes(SYMBOL), 1
    for number, name in enumerate(NAMES):
        addr = START + SIZE * number
        symbols += struct.pack("<3I2BH", at, addr, SIZE, GLOBAL_FUNCTION, 0, 1)
        at += len(name) + 1
    titles = b"\0.text\0.debug_frame\0.symtab\0.strtab\0.shstrtab\0"
    whole = SIZE * len(NAMES)
    # Name, type, flags, address, bytes, link, info, size of an entry; after the one of zeros.
    rows = [
        (b".text", NOBITS, ALLOC_EXECUTE, START, b"", 0, 0, 0),
        (b".debug_frame", PROGBITS, 0, 0, _frames(whole), 0, 0, 0),
        (b".symtab", SYMTAB, 0, 0, symbols, 4, 1, SYMBOL),
        (b".strtab", STRTAB, 0, 0, strings, 0, 0, 0),
        (b".shstrtab", STRTAB, 0, 0, titles, 0, 0, 0),
    ]
    body, table = b"", bytes(SECTION_HEADER)
    for title, kind, flags, addr, content, link, info, entry in rows:
        size = whole if kind == NOBITS else len(content)
        table += struct.pack(
            "<10I",
            *(titles.index(title + b"\0"), kind, flags, addr, HEADER + len(body), size),
            *(link, info, 4, entry),
        )
        body += content + bytes(-len(content) % 4)
    ident = b"\x7fELF\1\1\1" + bytes(9)
    counts = (HEADER, 0, 0, SECTION_HEADER, len(rows) + 1, len(rows))
    header = struct.pack("<HHIIIII6H", EXEC, RISCV, 1, 0, 0, HEADER + len(body), 0, *counts)
    return ident + header + body + table


def _frames(size: int) -> bytes:
    """Return frame information of functions without a caller: a common entry, and one for all of
    them."""
    # CFA is sp; ra is undefined; nothing more.
    common = struct.pack("<I", 0xFFFFFFFF) + b"\1\0\1\x7c\1" + b"\x0c\2\0" + b"\7\1" + bytes(2)
    own = struct.pack("<III", 0, START, size)
    return b"".join(struct.pack("<I", len(entry)) + entry for entry in (common, own))


def define() -> None:
    """Give GDB the symbols. The file stays as long as GDB may look at it again."""
    number, path = tempfile.mkstemp(prefix="tensix-gdb-", suffix=".elf")
    with open(number, "wb") as file:
        file.write(symbol_file())
    atexit.register(_remove, path)
    gdb.execute(f"add-symbol-file {path}", to_string=True)


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)
