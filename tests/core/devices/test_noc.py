# SPDX-License-Identifier: Apache-2.0
"""NIU and overlay as register files: what software reads and keeps there."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, run

NIU = (0xFFB20000, 0xFFB30000)
COMMAND, NODE_ID, CONFIG, COUNTERS, LOGICAL = 0x40, 0x44, 0x100, 0x200, 0x148
OVERLAY = 0xFFB40000
SIZE, SPACE_UPDATE, SPACE = 10, 270, 297


# NoC/MemoryMap.md, NoC/Counters.md


def test_the_node_ids_of_one_tile(tile: Machine) -> None:
    first, second = run(tile, B, Load(NIU[0] + NODE_ID), Load(NIU[1] + NODE_ID))
    (x0, y0), (x1, y1) = ((node & 63, node >> 6 & 63) for node in (first, second))
    assert (x0 + x1, y0 + y1) == (16, 11), "NoC 1 counts from the other corner"
    assert [node >> 12 & 127 for node in (first, second)] == [17, 17]
    assert [node >> 19 & 127 for node in (first, second)] == [12, 12]


@pytest.mark.parametrize("niu", NIU)
def test_registers_keep_what_is_written(tile: Machine, niu: int) -> None:
    other = NIU[niu == NIU[0]]
    steps = [
        *(Store(niu + CONFIG, 0x5001), Load(niu + CONFIG), Load(other + CONFIG)),
        *(Store(niu + 0x800 + 0x08, 0x1234), Load(niu + 0x808), Load(niu + 0x08)),
        *(Load(niu + COUNTERS + 4 * i) for i in (0, 9, 61)),
        *(Load(niu + COMMAND), Store(niu + COMMAND, 0), Load(niu + COMMAND)),
    ]
    assert run(tile, NC, *steps) == [0x5001, 0, 0x1234, 0, 0, 0, 0, 0, 0]


def test_a_counter_is_read_only(tile: Machine) -> None:
    assert fault_of(tile, T0, Store(NIU[0] + COUNTERS, 1))[0] is Fault.STORE_READ_ONLY


# WormholeB0 NoC/Overlay/AsGeneralUse.md, numbers of Blackhole's noc_overlay_parameters.h


def stream(number: int, register: int) -> int:
    return OVERLAY + 0x1000 * number + 4 * register


def test_counting_tiles_in_a_stream_s_registers(tile: Machine) -> None:
    """As tt-metal's circular buffers do: the size is set, the space counted up modulo 2**17."""
    steps = [
        *(Store(stream(24, SIZE), 0x1FFFE), Load(stream(24, SIZE)), Load(stream(24, SPACE))),
        *(Store(stream(24, SPACE_UPDATE), 3 << 6), Load(stream(24, SPACE))),
        Load(stream(25, SPACE)),
    ]
    assert run(tile, B, *steps) == [0x1FFFE, 0x1FFFE, 1, 0]


def test_thirty_two_receivers_of_a_multicast_stream(tile: Machine) -> None:
    steps = [
        *(Store(stream(0, SIZE), 5), Load(stream(0, SPACE + 31))),
        *(Store(stream(0, SPACE_UPDATE), 2 << 6 | 31), Load(stream(0, SPACE + 31))),
        *(Store(stream(9, SIZE), 5), Load(stream(9, SPACE + 31))),
    ]
    assert run(tile, T0, *steps) == [5, 7, 0]


def test_buf_start_returns_the_pointers_to_0(tile: Machine) -> None:
    start_, read, write = 17, 19, 20
    steps = [
        *(Store(stream(3, read), 7), Store(stream(3, write), 8), Store(stream(3, start_), 0x100)),
        *(Load(stream(3, read)), Load(stream(3, write)), Load(stream(3, start_))),
    ]
    assert run(tile, NC, *steps) == [0, 0, 0x100]


def test_scratch_has_24_bits_where_a_stream_can_reach_dram(tile: Machine) -> None:
    steps = [
        step
        for n in (0, 4, 8, 12)
        for step in (Store(stream(n, 36), 0xFFFFFFFF), Load(stream(n, 36)))
    ]
    assert run(tile, B, *steps) == [0xFFFFFF, 0, 0xFFFFFF, 0]


def test_starting_a_stream(tile: Machine) -> None:
    code, text = fault_of(tile, B, Store(stream(5, 267), 1))
    assert code is Fault.OVERLAY_STREAM
    assert "stream 5" in text
