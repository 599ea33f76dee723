# SPDX-License-Identifier: Apache-2.0
"""Core files of the whole tile: ELF files that GDB opens, with everything in a note of our own.

GDB has one memory for all threads of a core file, but the local RAM of each hart is at the same
address. So the hart that the stop is about comes first and has its own view, as it is. The local
RAM of all harts is in the file where the tile shows it to all harts, in the slow windows; sp and
fp of the other harts, if they point to local RAM, are given as the address of the same bytes
there, so that GDB unwinds their stacks. The note has all registers as they are.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    L1_BYTES,
    LOCAL_BASE,
    LOCAL_BYTES,
    LOCAL_STRIDE,
    NC,
    SLOW_LOCAL_BASE,
    SLOW_LOCAL_OWNER,
    T2,
)
from tensix_gdb.core.arch.wormhole import IRAM_BASE, IRAM_BYTES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.gdbstub.tensix.capabilities.threads import pc_of, thread_of
from tensix_gdb.gdbstub.tensix.corefile.note import UNREADABLE, Note, header_in, note_of
from tensix_gdb.gdbstub.tensix.corefile.unknown_memory import T2_HALF
from tensix_gdb.gdbstub.usage import UsageError

# ELF32: the header, a row of its table of segments, and the header of a note.
HEADER = struct.Struct("<16s2H5I6H")
SEGMENT = struct.Struct("<8I")
NOTE = struct.Struct("<3I")
IDENT = b"\x7fELF\x01\x01\x01" + bytes(9)
ET_CORE, EM_RISCV, PT_LOAD, PT_NOTE = 4, 243, 1, 4
NT_PRSTATUS = 1
OWNER, OWN_TYPE = b"tensix-gdb", 0x54474442
# struct elf_prstatus of Linux for RV32, as BFD reads it: 204 bytes, signal at 12, thread at 24,
# registers (pc, x1 to x31) at 72.
PRSTATUS = struct.Struct("<12xH10xI44x32I4x")
SIGTRAP = 5
SP, FP = 2, 8
MAX_BYTES = 1 << 30


def _window(hart: int) -> int:
    """Return where all harts of a Blackhole see the local RAM of one; a core file of a Wormhole,
    which has no such window, has it at the same place."""
    return SLOW_LOCAL_BASE + LOCAL_STRIDE * SLOW_LOCAL_OWNER.index(hart)


def _registers(machine: Machine, hart: int, first: int) -> list[int]:
    """pc, x1 to x31, as the file has them."""
    values = [pc_of(machine, thread_of(hart)), *(machine.read_x(hart, n) for n in range(1, 32))]
    for number in (SP, FP):
        offset = values[number] - LOCAL_BASE
        # An empty stack begins after the last byte.
        if hart != first and 0 <= offset <= LOCAL_BYTES[hart]:
            values[number] = _window(hart) + offset
    return values


def _note(owner: bytes, kind: int, data: bytes) -> bytes:
    name = owner + b"\0"
    head = NOTE.pack(len(name), len(data), kind)
    return head + name + bytes(-len(name) % 4) + data + bytes(-len(data) % 4)


def _known(machine: Machine) -> list[int]:
    """Return the harts with registers that are known: all, but of a snapshot of a card. One at
    least, because GDB wants a thread."""
    known = [
        hart for hart in range(HARTS) if f"registers of {HART_NAMES[hart]}" not in machine.unknown
    ]
    return known or [0]


def _has_local(machine: Machine, hart: int) -> bool:
    return f"local RAM of {HART_NAMES[hart]}" not in machine.unknown


def _local(machine: Machine, hart: int, window: int) -> Iterator[tuple[int, bytes]]:
    """Yield what is known of a local RAM, at the addresses of a window."""
    if not _has_local(machine, hart):
        return
    step = 16 if hart == T2 and T2_HALF in machine.unknown else LOCAL_BYTES[hart]
    for offset in range(0, LOCAL_BYTES[hart], step):
        known = step // 2 if step == 16 else step
        yield window + offset, machine.peek(hart, LOCAL_BASE + offset, known)


def core_of(machine: Machine, ending: str) -> bytes:
    """Return the core file of a machine as it is. Nothing in the machine changes."""
    first = int(machine.S.stop.hart) if machine.S.stop.kind else 0
    if first not in _known(machine):
        first = _known(machine)[0]
    harts = [first, *(hart for hart in _known(machine) if hart != first)]
    notes = b"".join(
        _note(
            b"CORE",
            NT_PRSTATUS,
            PRSTATUS.pack(SIGTRAP, hart + 1, *_registers(machine, hart, first)),
        )
        for hart in harts
    ) + _note(OWNER, OWN_TYPE, note_of(machine, ending))
    loads = [(0, machine.peek(first, 0, L1_BYTES))]
    if machine.S.tile.chip:
        loads.append((IRAM_BASE, machine.peek(NC, IRAM_BASE, IRAM_BYTES)))
    loads += _local(machine, first, LOCAL_BASE)
    for hart in SLOW_LOCAL_OWNER:
        loads += _local(machine, hart, _window(hart))
    at = HEADER.size + SEGMENT.size * (1 + len(loads))
    rows = [SEGMENT.pack(PT_NOTE, at, 0, 0, len(notes), 0, 0, 4)]
    at += len(notes)
    for addr, data in loads:
        rows.append(SEGMENT.pack(PT_LOAD, at, addr, addr, len(data), len(data), 7, 1))
        at += len(data)
    sizes = (HEADER.size, SEGMENT.size, len(rows), 0, 0, 0)
    head = HEADER.pack(IDENT, ET_CORE, EM_RISCV, 1, 0, HEADER.size, 0, 0, *sizes)
    return b"".join([head, *rows, notes, *(data for _, data in loads)])


def _notes(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield the notes of an ELF file; struct.error where it ends too early."""
    _, kind, machine, *words = HEADER.unpack_from(data)
    start, size, count = words[2], words[6], words[7]
    if kind != ET_CORE or machine != EM_RISCV:
        return
    rows = [SEGMENT.unpack_from(data, start + number * size) for number in range(count)]
    if any(row[1] + row[4] > len(data) for row in rows):
        raise struct.error
    for row in rows:
        if row[0] != PT_NOTE:
            continue
        at, end = row[1], row[1] + row[4]
        while at + NOTE.size <= end:
            name, length, note = NOTE.unpack_from(data, at)
            body = at + NOTE.size + name + -name % 4
            if body + length > len(data):
                raise struct.error
            yield data[at + NOTE.size : at + NOTE.size + name], note, data[body : body + length]
            at = body + length + -length % 4


def read_core(path: str) -> Note:
    """Our note in a core file; UsageError with a sentence when it is none of ours."""
    return our_file(path)[0]


def our_file(path: str) -> tuple[Note, int]:
    """Return the same, and the thread that GDB shows first."""
    data = _content(path)
    note = Note(path, _our_note(path, data), LAYOUT)
    first = next(body for _, kind, body in _notes(data) if kind == NT_PRSTATUS)
    return note, int(PRSTATUS.unpack_from(first)[1])


def _content(path: str) -> bytes:
    try:
        if Path(path).stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: larger than {MAX_BYTES >> 20} MiB; not a core file of ours")
        return Path(path).read_bytes()
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read: {problem.strerror}") from None


def header_of(path: str, data: bytes) -> dict[str, Any]:
    """Return the header of our note in the bytes of a core file, whichever version has written
    it."""
    try:
        return header_in(_our_note(path, data))
    except UNREADABLE as bad:
        raise UsageError(f"{path}: a damaged core file: {bad}") from None


def _our_note(path: str, data: bytes) -> bytes:
    if zipfile.is_zipfile(path):
        raise UsageError(
            f"{path}: no core file of one tile; `tensix-gdb replay --serve {path}` continues "
            "with a recording or a whole chip"
        )
    if data[:6] != IDENT[:6]:
        raise UsageError(f"{path}: not a core file: it is no ELF file of 32 bits")
    try:
        for owner, kind, body in _notes(data):
            if owner == OWNER + b"\0" and kind == OWN_TYPE:
                return body
    except struct.error:
        raise UsageError(f"{path}: the core file is truncated") from None
    raise UsageError(f"{path}: not a core file that tensix-gdb has written")


def machine_from(note: Note, engine: str) -> Machine:
    """Return a machine in the state of the core file."""
    machine = Machine(engine=engine, schedule=note.execution, arch=note.arch)
    try:
        note.put_into(machine)
    except BaseException:
        machine.close()
        raise
    return machine
