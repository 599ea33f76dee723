# SPDX-License-Identifier: Apache-2.0
"""Runtime arguments of kernels: they end where the host has ended to write them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.gdbstub.tensix.host.arguments import arguments_of, as_written, mailboxes_of

FIRST = 0x30000
WHOLE = Arguments(T0, FIRST, FIRST + 32)


@pytest.mark.parametrize(
    ("written", "end"),
    [
        (20, 20),
        (28, 28),
        (32, 32),
        (12, 32),  # the launch message says that they are more: another write has brought them
        (48, 32),  # the next part of the program was written with them
        (0, 32),
        (21, 32),  # no whole word
    ],
)
def test_the_end_of_arguments(written: int, end: int) -> None:
    machine = Machine(engine="reference")
    if written:
        machine.load_bytes(FIRST, bytes(written))
    assert as_written(machine, WHOLE) == Arguments(T0, FIRST, FIRST + end)
    machine.close()


def test_a_tile_without_firmware() -> None:
    machine = Machine(engine="reference")
    assert arguments_of(machine) == []
    assert len(mailboxes_of(machine)) == 0
    machine.close()
