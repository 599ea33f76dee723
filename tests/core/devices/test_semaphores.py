# SPDX-License-Identifier: Apache-2.0
"""The window onto the Tensix semaphores, as TensixCoprocessor/SyncUnit.md has it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, finish, loaded, run, start

SEMAPHORES = 0xFFE80020
TS = (T0, T1, T2)
POST, GET = 0, 1


@pytest.mark.parametrize("hart", TS)
def test_post_and_get(tile: Machine, hart: int) -> None:
    at = SEMAPHORES + 4 * 3
    steps = [Load(at), Store(at, POST), Store(at, POST), Load(at), Store(at, GET), Load(at)]
    assert run(tile, hart, *steps) == [0, 2, 1]


def test_only_bit_0_counts(tile: Machine) -> None:
    at = SEMAPHORES
    steps = [Store(at, 0xFFFFFFFE), Store(at, 0x10), Load(at), Store(at, 0x80000001), Load(at)]
    assert run(tile, T0, *steps) == [2, 1]


def test_from_0_to_15(tile: Machine) -> None:
    at = SEMAPHORES + 4 * 7
    steps = [Store(at, GET), Load(at), *[Store(at, POST)] * 17, Load(at)]
    assert run(tile, T2, *steps) == [0, 15]


def test_eight_of_them_for_all_threads(tile: Machine) -> None:
    start(tile, {T0: [Store(SEMAPHORES + 4 * i, POST) for i in range(8)]})
    assert finish(tile) is None
    reads = [Load(SEMAPHORES + 4 * i) for i in range(8)]
    start(tile, {T1: reads})
    assert finish(tile) is None
    assert loaded(tile, T1, reads) == [1] * 8


def test_behind_them_is_nothing(tile: Machine) -> None:
    assert fault_of(tile, T0, Load(SEMAPHORES + 32))[0] is Fault.UNKNOWN_REGISTER


def test_nc_has_none(tile: Machine) -> None:
    assert fault_of(tile, NC, Load(SEMAPHORES))[0] is Fault.LOAD_UNMAPPED
