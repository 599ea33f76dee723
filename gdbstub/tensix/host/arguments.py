# SPDX-License-Identifier: Apache-2.0
"""Runtime arguments of the kernels that tt-metal has launched last: where each has its own.

The launch message has an offset for each processor, to its arguments and to those that all tiles
have in common, and no number of them. So those of one end where the next part of the program's
configuration begins, which is a multiple of 16 bytes, or before, where the host has ended to write
them: that is known to the word. A dispatcher's kernel that brings them by the NoC says no end.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import NC as NCRISC
from tensix_gdb.core.arch.blackhole import T0, THREADS, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import LoadError
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.host.circular_buffers import CircularBuffers

ALIGNED = 16  # bytes: where the next part may begin
# Processors of tt-metal by number: DM0, DM1, MATH0 to MATH2.
PROCESSORS = (B, NCRISC, *(T0 + i for i in range(THREADS)))


def arguments_of(machine: Machine) -> list[Arguments]:
    """Return the arguments of each kernel of the last launch; none where nothing says where they
    are."""
    with contextlib.suppress(LoadError, TargetError, ValueError):
        return _arguments(machine)
    return []


def mailboxes_of(machine: Machine) -> range:
    """Return the bytes of L1 with tt-metal's mailboxes; none where no firmware says where these
    are."""
    with contextlib.suppress(LoadError, TargetError, ValueError):
        facts = CircularBuffers(machine).facts()
        first = facts.constant("mailboxes")
        return range(first, first + facts.target("mailboxes").size)
    return range(0)


def _arguments(machine: Machine) -> list[Arguments]:
    facts = CircularBuffers(machine).facts()
    kind, mailboxes = facts.target("mailboxes"), facts.constant("mailboxes")

    def number(path: str) -> int:
        place = facts.place(kind, path)
        at = mailboxes + place.offset
        return int.from_bytes(machine.peek(B, at, place.size), "little")

    message = f"launch[{number('launch_msg_rd_ptr')}].kernel_config."
    base, enables = number(message + "kernel_config_base[0]"), number(message + "enables")
    begins = {}
    for i, hart in enumerate(PROCESSORS):
        if enables >> i & 1:
            own = number(f"{message}rta_offset[{i}].rta_offset")
            common = number(f"{message}rta_offset[{i}].crta_offset")
            begins[hart] = own, common
    others = [number(message + name) for name in ("sem_offset[0]", "local_cb_offset")]
    others += [number(f"{message}kernel_text_offset[{i}]") for i in range(len(PROCESSORS))]
    ends = sorted({*others, *(at for both in begins.values() for at in both)})
    return [
        as_written(
            machine,
            Arguments(
                hart, base + first, base + min(end for end in ends if end > first), is_common
            ),
        )
        for hart, both in begins.items()
        for first, is_common in zip(both, (False, True), strict=True)
        if any(end > first for end in ends)
    ]


def as_written(machine: Machine, whole: Arguments) -> Arguments:
    """Return the arguments as far as the host has written them."""
    end = None if machine.host_writes is None else machine.host_writes.end_of(whole.first)
    if end is None or not whole.end - ALIGNED < end < whole.end or end % 4:
        return whole
    return replace(whole, end=end)
