# SPDX-License-Identifier: Apache-2.0
"""Places of a kernel, for the helper in GDB: lines of which each instruction belongs to a header,
and functions that are inlined everywhere, by their file too."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import moved
from tensix_gdb.gdbstub.protocol.target import TargetError
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
        raise TargetError(
            f"no program that is loaded has code of the {what} {text}. If a host loads it later: "
            "GDB's own `break` can wait for it (`set breakpoint pending on`)"
        )
