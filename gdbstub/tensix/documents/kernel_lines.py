# SPDX-License-Identifier: Apache-2.0
"""Lines of a kernel of which each instruction belongs to a header, for the helper in GDB.

Arithmetic of SFPI's values is inlined, so that its instructions have lines of sfpi.h. GDB 13 drops
the rows of the kernel's own lines at the same addresses: it has no breakpoint there, and steps from
line to line of the header.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, moved
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FIRST, ROWS, Form
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, pc_of, tensix_of
from tensix_gdb.gdbstub.tensix.monitor.push_sites import LINE


def places(machine: Machine, text: str) -> Iterator[str]:
    """Yield `T1 40960 16` for each place where a hart comes to FILE:LINE, NAME or FILE:NAME."""
    from tensix_gdb.core.dwarf.info import debug_info
    from tensix_gdb.core.dwarf.named import entries, line_entries

    line, found = LINE.fullmatch(text), False
    for image in machine.images:
        if image.hart is None or not image.content:
            continue
        info = debug_info(image.content)
        if line is not None:
            actual, addresses = line_entries(info, line[1], int(line[2]))
        else:
            actual, addresses = 0, entries(info, text)
        for addr in addresses:
            found = True
            yield f"{HART_NAMES[image.hart]} {moved(addr, image.bias)} {actual}"
    if not found:
        what = "line" if line is not None else "function"
        raise TargetError(f"no program that is loaded has code of the {what} {text}")


def kernel_line(machine: Machine, thread: int) -> str:
    """Return `FILE LINE FUNCTION`, tabs in between: of the first line outside of a library's
    headers; empty where nothing is known."""
    pc = pc_of(machine, thread)
    image = machine.places.image(hart_of(thread), pc)
    return "" if image is None else _line(machine, image, pc)


def _line(machine: Machine, image: Image, pc: int) -> str:
    if steps := machine.places.inlining.of_kernel(image, pc):
        return f"{steps[0].file}\t{steps[0].line}\t{steps[0].function}"
    line = image.symbolize(pc)
    if line is None:
        return ""
    file, _, number = line.rpartition(":")
    function = image.function_at(pc)
    return f"{file}\t{number}\t{function.shown if function else '?'}"


def other_lines(machine: Machine, thread: int) -> list[int]:
    """Return where the function of a hart comes to another line of the kernel than that of its pc:
    the beginnings of lines, and what branches go to."""
    if tensix_of(thread) is not None:
        raise TargetError("a Tensix thread has no lines of its own: `next` and `step` are for it")
    hart, pc = hart_of(thread), pc_of(machine, thread)
    image = machine.places.image(hart, pc)
    function = None if image is None else image.function_at(pc)
    if image is None or function is None:
        raise TargetError(f"no function is known at {pc:#010x}: `stepi` goes on")
    low, high = function.addr, function.addr + max(function.size, 4)
    here, before, found = _line(machine, image, pc), "", set[int]()
    words = struct.iter_unpack("<I", machine.peek(hart, low, high - low & ~3))
    for at, (word,) in zip(range(low, high, 4), words, strict=False):
        line = _line(machine, image, at)
        if line != before:
            found.add(at)
        before = line
        packed = decode(word)
        row = ROWS[(packed & 0xFF) - FIRST] if packed & 0xFF >= FIRST else None
        if row is not None and row.form in (Form.BRANCH, Form.JAL):
            found.add(at + (packed >> 32))
    return sorted(at for at in found if low <= at < high and _line(machine, image, at) != here)
