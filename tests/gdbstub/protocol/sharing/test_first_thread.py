# SPDX-License-Identifier: Apache-2.0
"""The thread that a client is shown first: one that has a program."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_HARTS, T1, T2
from tensix_gdb.core.devices import soft_reset
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, image
from tests.gdbstub.tiles import Client


def machine_with(*harts: int) -> Machine:
    machine = Machine(engine="reference")
    for hart in harts:
        machine.load(hart, image([EBREAK], 0x1000 * (hart + 1)))
    return machine


def tile_with(*harts: int) -> SharedTile:
    return SharedTile(tensix_target(machine_with(*harts)), run_at_once=False)


@pytest.mark.parametrize(
    ("harts", "thread"), [((T1, T2), b"3"), ((NC,), b"5"), ((T2, NC), b"4"), ((), b"1")]
)
def test_attaching_shows_a_hart_with_a_program(harts: tuple[int, ...], thread: bytes) -> None:
    client = Client(tile_with(*harts))
    assert b"thread:" + thread + b";" in client.ask("?")
    assert client.ask("qC") == b"QC" + thread


def test_a_program_in_reset_is_better_than_none() -> None:
    machine = machine_with(T2)
    # As a host leaves it that has loaded programs, and lets none go.
    soft_reset.set_soft_reset(machine.S, SOFT_RESET_HARTS)
    client = Client(SharedTile(tensix_target(machine), run_at_once=False))
    assert b"thread:4;" in client.ask("?")


def test_a_reset_shows_it_again() -> None:
    tile = tile_with(T1, T2)
    client = Client(tile)
    client.ask("vCont;c")
    tile.advance_to(50)
    client.ask("R00")
    assert b"thread:3;" in client.ask("?")
