# SPDX-License-Identifier: Apache-2.0
"""The answer of `tensix-gdb core FILE`: why it was written, where all threads are, which programs,
how they were scheduled, which memory, and what opens it."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    L1_BYTES,
    LOCAL_BASE,
    SLOW_LOCAL_BASE,
)
from tensix_gdb.core.arch.chips import LOCAL_BYTES, WORMHOLE
from tensix_gdb.core.arch.wormhole import IRAM_BASE, IRAM_BYTES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.tensix.blocked.fault_report import counted_faults
from tensix_gdb.gdbstub.tensix.capabilities.status import thread_lines
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, our_file
from tensix_gdb.gdbstub.tensix.corefile.note import Note

BUILD_ID = ".note.gnu.build-id"
ID_AT = 16  # after the header of a note and the name GNU
KIB = 1024


def shown(path: str) -> Iterator[str]:
    """Yield the lines. UsageError when it is none of our core files."""
    note, thread = our_file(path)
    with contextlib.closing(machine_from(note, "reference")) as machine:
        yield (
            f"{path}: a {note.header['arch'].capitalize()} tile in cycle {machine.S.tile.cycle}, "
            f"schedule {note.execution}, hash {note.hash}"
        )
        yield from (f"    {line}" for line in note.ending.splitlines())
        yield ""
        yield "Threads"
        yield from (f"  {line}" for line in thread_lines(machine, thread))
        if note.unknown:
            yield ""
            yield "Not known: what is shown of it means nothing"
            yield from (f"  {what}: {why}" for what, why in note.unknown.items())
        if note.images:
            yield ""
            yield "Programs"
            yield from _programs(note)
        faults = list(counted_faults(machine))
        if faults:
            yield ""
            yield "Faults that were skipped"
            yield from (f"  {line}" for line in faults)
        yield ""
        yield "Memory"
        yield from _memory(machine, hart_of(thread))
        yield ""
        yield "To continue with it"
        yield f"  tensix-gdb serve --core {shlex.quote(path)}"
        command = _gdb(note, hart_of(thread), path)
        if command:
            yield f"  {command}"


def _programs(note: Note) -> Iterator[str]:
    changed = note.changed()
    for image in note.images:
        hart = "" if image.hart is None else HART_NAMES[image.hart]
        at = f", at {image.bias:+#x} from where it was linked" if image.bias else ""
        yield f"  {hart:2}  {image.path}, {len(image.content)} bytes{at}, {_build_id(image)}"
        if str(image.path) in changed:
            yield "      there it is gone, or another one; the core file has the one that ran"


def _build_id(image: Image) -> str:
    section = image.section(BUILD_ID)
    return "no build id" if section is None else f"build id {section[1][ID_AT:].hex()}"


def _memory(machine: Machine, first: int) -> Iterator[str]:
    name = HART_NAMES[first]
    l1 = machine.peek(first, 0, L1_BYTES)
    yield f"  L1, {len(l1) // KIB} KiB at {0:#010x}: {len(l1) - l1.count(0)} bytes are not 0"
    chip = int(machine.S.tile.chip)
    size = LOCAL_BYTES[chip * HARTS + first] // KIB
    seen = "in this file" if chip == WORMHOLE else "as others see them,"
    yield (
        f"  local RAM of {name}, {size} KiB at {LOCAL_BASE:#010x}; those of all, {seen} "
        f"from {SLOW_LOCAL_BASE:#010x} on"
    )
    if chip == WORMHOLE:
        yield f"  instruction RAM of NC, {IRAM_BYTES // KIB} KiB at {IRAM_BASE:#010x}"
    for number, pages in enumerate(machine.outside.dram):
        yield from _pages(f"DRAM {number}", pages)
    yield from _pages("memory of the host", machine.outside.host)


def _pages(name: str, pages: Pages) -> Iterator[str]:
    """Yield what is for `serve --core` alone: GDB has no addresses for it."""
    kept = sorted(pages.snapshot())
    if kept:
        first, last = kept[0] * PAGE_BYTES, (kept[-1] + 1) * PAGE_BYTES
        size = len(kept) * PAGE_BYTES // KIB
        yield f"  {name}, {size} KiB between {first:#x} and {last - 1:#x}; GDB does not see it"


def _gdb(note: Note, first: int, path: str) -> str:
    """Return the command that opens it with all symbols, those of the stop's hart first."""
    images = sorted(note.images, key=lambda image: image.hart != first)
    if not images:
        return ""
    words = ["gdb-multiarch"]
    if not images[0].bias:
        words.append(str(images.pop(0).path))
    for image in images:
        moved = f"-o {image.bias:#x} " if image.bias else ""
        words += ["-ex", f"add-symbol-file {moved}{image.path}"]
    return shlex.join([*words, "-ex", f"core {path}"])
