# SPDX-License-Identifier: Apache-2.0
"""The overlay's registers by Wormhole's numbers (core/devices/wormhole/overlay.py)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.devices.blocks import register_name
from tensix_gdb.core.devices.overlay import FROM_WORMHOLE, NUMBERS_ON_WORMHOLE, address_of
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, run
from tests.machines import machine_on

STREAM = 0xFFB40000 + 5 * 0x1000
BUF_START, BUF_SIZE, UPDATE, SPACE, PHASE_ADVANCE, GATHER_CLEAR = 3, 4, 34, 64, 27, 43


@pytest.fixture(params=["reference", "compiled"])
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(request.param, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def at(number: int) -> int:
    return STREAM + 4 * number


def test_what_tt_metal_counts_with(tile: Machine) -> None:
    """BUF_SIZE is also the space available, to which an update adds; 17 bits of each are kept."""
    seen = run(
        tile,
        B,
        Store(at(BUF_START), 0x12345),
        Store(at(BUF_SIZE), 0x20007),
        Load(at(SPACE)),
        Store(at(UPDATE), 3 << 6),
        Load(at(SPACE)),
        Load(at(BUF_SIZE)),
        Load(at(BUF_START)),
    )
    assert seen == [7, 10, 7, 0x12345]


def test_the_record_has_them_in_blackholes_places() -> None:
    assert len(set(NUMBERS_ON_WORMHOLE.values())) == len(NUMBERS_ON_WORMHOLE)
    for here, there in NUMBERS_ON_WORMHOLE.items():
        assert FROM_WORMHOLE[there] == here
        assert address_of(1, 5, here) == at(there)
    assert register_name(B, at(SPACE), 1) == (
        "STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE + 0 of stream 5"
    )


@pytest.mark.parametrize(
    ("number", "fault"),
    [(PHASE_ADVANCE, Fault.OVERLAY_STREAM), (GATHER_CLEAR, Fault.UNKNOWN_REGISTER)],
)
def test_what_stops_says_the_address(tile: Machine, number: int, fault: Fault) -> None:
    found, said = fault_of(tile, B, Store(at(number), 1))
    assert found is fault
    where = f"{at(number):#x}" if fault is Fault.UNKNOWN_REGISTER else "stream 5"
    assert where in said
