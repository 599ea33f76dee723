# SPDX-License-Identifier: Apache-2.0
"""Mailboxes, as BabyRISCV/Mailboxes.md has them; a mailbox has a depth of 4."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.core.devices.scripts import PLACES, Load, Store, fault_of, finish, loaded, run, start

ENDS = (B, T0, T1, T2)


def mailbox(hart: int) -> int:
    """TENSIX_MAILBOX{hart}_BASE: the other end, as the accessing hart sees it."""
    return 0xFFEC0000 + 0x1000 * hart


@pytest.mark.parametrize("reader", ENDS)
@pytest.mark.parametrize("writer", ENDS)
def test_one_from_each_to_each(tile: Machine, writer: int, reader: int) -> None:
    if writer == reader:
        steps = [Store(mailbox(writer), 77), Load(mailbox(writer))]
        assert run(tile, writer, *steps) == [77]
        return
    start(tile, {writer: [Store(mailbox(reader), 77)], reader: [Load(mailbox(writer))]})
    assert finish(tile) is None
    assert loaded(tile, reader, [Load(0)]) == [77]


def test_first_in_first_out(tile: Machine) -> None:
    values = [5, 0xFFFFFFFF, 0, 7]
    start(
        tile,
        {
            T0: [Store(mailbox(T1), value) for value in values],
            T1: [Load(mailbox(T0)) for _ in values],
        },
    )
    assert finish(tile) is None
    assert loaded(tile, T1, [Load(0)] * 4) == values


def test_the_query_does_not_wait_and_does_not_pop(tile: Machine) -> None:
    to_itself = mailbox(T2)
    steps = [
        Load(to_itself + 4),
        Store(to_itself, 9),
        Load(to_itself + 4),
        Load(to_itself + 0xFFC),  # any address; bit 2 asks
        Load(to_itself + 0xFF8),  # any address; this one pops
        Load(to_itself + 4),
    ]
    assert run(tile, T2, *steps) == [0, 1, 1, 9, 0]


def test_a_pop_waits_for_a_push(tile: Machine) -> None:
    start(tile, {B: [0x00000013] * 200 + [Store(mailbox(T0), 3)], T0: [Load(mailbox(B))]})
    tile.run(100)
    assert tile.hart_state(T0) == "waits for B to write to the mailbox from B to T0"
    assert finish(tile) is None
    assert loaded(tile, T0, [Load(0)]) == [3]


@pytest.mark.parametrize("targets", [[T1] * 5, [B, T0, T1, T2, B], [T1, T1, T2, T2, B]])
def test_a_hart_has_four_values_under_way_in_all(tile: Machine, targets: list[int]) -> None:
    start(tile, {T0: [Store(mailbox(target), i) for i, target in enumerate(targets)]})
    stop = finish(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    held = [int(tile.S.mailbox.count[T0, reader]) for reader in ENDS]
    assert held == [targets[:4].count(reader) for reader in ENDS]
    assert "waits" in tile.hart_state(T0)


def test_two_writers_do_not_share_the_four(tile: Machine) -> None:
    start(
        tile,
        {
            T0: [Store(mailbox(T2), i) for i in range(4)],
            T1: [Store(mailbox(T2), 10 + i) for i in range(4)],
        },
    )
    assert finish(tile) is None
    assert [int(tile.S.mailbox.count[writer, T2]) for writer in ENDS] == [0, 4, 4, 0]


def test_everybody_waits_for_somebody(tile: Machine) -> None:
    start(tile, {T0: [Load(mailbox(T1))], T1: [Load(mailbox(T2))], T2: [Load(mailbox(T0))]})
    stop = finish(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    for waiting, whom in ((T0, T1), (T1, T2), (T2, T0)):
        name, other = HART_NAMES[waiting], HART_NAMES[whom]
        said = f"{name} waits for {other} to write to the mailbox from {other} to {name}"
        assert said in stop.text
        assert f"(pc {PLACES[waiting] + 8:#010x}" in stop.text, "the load, not what comes behind it"
    again = tile.run(10_000)
    assert again is not None
    assert again.text == stop.text, "continuing finds the same"


def test_looking_pops_nothing(tile: Machine) -> None:
    start(tile, {T0: [Store(mailbox(T1), 8)]})
    assert finish(tile) is None
    for _ in range(2):
        assert tile.peek(T1, mailbox(T0), 8) == bytes([8, 0, 0, 0, 1, 0, 0, 0])
    assert int(tile.S.mailbox.count[T0, T1]) == 1


def test_nc_has_none(tile: Machine) -> None:
    assert fault_of(tile, NC, Load(mailbox(B)))[0] is Fault.LOAD_UNMAPPED


def test_only_words(tile: Machine) -> None:
    assert fault_of(tile, B, Store(mailbox(B), 1, "sh"))[0] is Fault.STORE_WIDTH
