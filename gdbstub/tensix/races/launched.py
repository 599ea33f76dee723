# SPDX-License-Identifier: Apache-2.0
"""Tell the checks of state of tt-metal's kernels that were launched last: which programs are its
firmware, where their circular buffers, their runtime arguments and the mailboxes are.

The checks of what a program and its library agree on (C1 to C8) need that: an index beyond the
arguments, or a page beyond the ring, is a number like any other without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.state.areas import Arguments, Buffer
from tensix_gdb.gdbstub.tensix.blocked.polled_words import is_firmware
from tensix_gdb.gdbstub.tensix.host.arguments import arguments_of, mailboxes_of
from tensix_gdb.gdbstub.tensix.host.circular_buffers import buffers_of


def firmware_of(machine: Machine) -> Sequence[Image]:
    """Return the programs of tt-metal's firmware. A tile from a core file has had its host
    elsewhere: there the folders say which they are."""
    hosted = machine.loader.hosted("firmware")
    return hosted or tuple(image for image in machine.images if is_firmware(image))


def note_launch(
    machine: Machine, buffers: Iterable[Buffer] = (), arguments: Sequence[Arguments] = ()
) -> None:
    """Tell the checks of state, if they are on and the firmware is there. `buffers` are those that
    the user has named, `arguments` those that the tile no longer says the ends of."""
    observer = machine.runner.races
    if observer is None or observer.state is None or not (firmware := firmware_of(machine)):
        return
    state = observer.state
    state.firmware = firmware
    state.buffers = [*buffers, *buffers_of(machine)]
    state.arguments = arguments or arguments_of(machine)
    state.mailboxes = mailboxes_of(machine)
    state.note_programs()
