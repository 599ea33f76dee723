# SPDX-License-Identifier: Apache-2.0
"""NoC requests of the tile: to itself, to DRAM, to the host; counters, atomics, faults."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.devices.niu import translate
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM, PCIE, TILE_X, TILE_Y
from tests.core.devices.scripts import Load, Store, fault_of, run

NIU = 0xFFB20000
STRIDE, INITIATOR, COUNTERS = 0x10000, 0x800, 0x200
SELF = TILE_X | TILE_Y << 6
ACROSS = 16 - TILE_X | (11 - TILE_Y) << 6  # the same on NoC 1
READ, ATOMIC, WRITE = 0, 1, 2
BYTE_ENABLE, INLINE, MARKED, BROADCAST = 4, 8, 16, 32
ENOUGH = 20_000  # cycles, for a DRAM tile at the far end and 16 KiB

SOURCE, TO = 0x4000, 0x8000


def place(x: int, y: int) -> int:
    return x | y << 6


def request(
    ctrl: int,
    targ: int,
    ret: int = 0,
    length: int = 0,
    *,
    targ_at: int = SELF,
    ret_at: int = SELF,
    data: int = 0,
    mask: int = 0,
    tag: int = 0,
    niu: int = 0,
    initiator: int = 0,
) -> list[Store]:
    """The stores that describe and start a request."""
    base = NIU + STRIDE * niu + INITIATOR * initiator
    fields = (targ & 0xFFFFFFFF, targ >> 32, targ_at, ret & 0xFFFFFFFF, ret >> 32, ret_at)
    fields += (tag << 10, ctrl, length, mask, data)
    stores = [Store(base + 4 * i, value) for i, value in enumerate(fields)]
    return [*stores, Store(base + 0x40, 1)]


def tagged(tag: int, steps: Sequence[Store]) -> list[Store]:
    """The same request with another NOC_PACKET_TAG."""
    start = steps[-1]
    return [*steps[:-1], Store(NIU + 0x18, tag), start]


def test_the_largest_transaction_id(tile: Machine) -> None:
    run(tile, NC, *tagged(15 << 10, request(READ, SOURCE, TO, 16)))


def after(tile: Machine, steps: Sequence[Store | Load]) -> list[int]:
    """Return what the loads got; then everything that was started is done."""
    seen = run(tile, NC, *steps)
    tile.run(ENOUGH)
    return seen


def counter(tile: Machine, index: int, niu: int = 0) -> int:
    addr = NIU + STRIDE * niu + COUNTERS + 4 * index
    return int.from_bytes(tile.peek(NC, addr, 4), "little")


PATTERN = bytes(range(256)) * 128


@pytest.mark.parametrize(("niu", "here"), [(0, SELF), (1, ACROSS)])
@pytest.mark.parametrize("length", [1, 16, 100, 16384])
def test_a_read_of_ourselves(tile: Machine, niu: int, here: int, length: int) -> None:
    tile.load_bytes(SOURCE, PATTERN[:16384])
    steps = request(READ, SOURCE, TO, length, targ_at=here, ret_at=here, niu=niu, tag=3)
    after(tile, steps)
    assert tile.peek(NC, TO, length + 1) == PATTERN[:length] + b"\0"
    flits = -(-length // 64)
    # Received, words, accepted, sent, started; outstanding of the id.
    assert [counter(tile, i, niu) for i in (2, 3, 4, 5, 14)] == [1, flits, 1, 1, 1]
    assert counter(tile, 16 + 3, niu) == 0
    assert [counter(tile, i, niu) for i in (50, 51, 52, 53)] == [1, flits, 1, 1]


@pytest.mark.parametrize("niu", [0, 1])
def test_a_read_of_ourselves_by_translated_coordinates(tile: Machine, niu: int) -> None:
    tile.load_bytes(SOURCE, PATTERN[:64])
    translate(tile.S)
    after(tile, request(READ, SOURCE, TO, 64, niu=niu))
    assert tile.peek(NC, TO, 64) == PATTERN[:64]
    assert tile.peek(NC, NIU + STRIDE * niu + 8, 4) == SELF.to_bytes(4, "little")


def test_translation_leaves_the_columns_of_dram(tile: Machine) -> None:
    x, y = DRAM[2][1]
    tile.outside.dram[2].write(0x40, PATTERN[:64])
    translate(tile.S)
    across = place(16 - x, 11 - y)
    after(tile, request(READ, 0x40, TO, 64, targ_at=across, niu=1))
    assert tile.peek(NC, TO, 64) == PATTERN[:64]


def test_translated_coordinates_of_nothing(tile: Machine) -> None:
    translate(tile.S)
    found, said = fault_of(tile, NC, *request(READ, 0, TO, 16, targ_at=ACROSS, niu=1))
    assert found is Fault.NOC_TRANSLATION
    assert f"x {TILE_X}, y {TILE_Y} of its NoC, after translation" in said


def test_a_read_is_outstanding_until_it_is_here(tile: Machine) -> None:
    steps = request(READ, SOURCE, TO, 64, tag=5, targ_at=place(*DRAM[7][0]))
    waiting = [Load(NIU + COUNTERS + 4 * (16 + 5)), Load(NIU + COUNTERS + 4 * 2)]
    seen = after(tile, [*steps, *waiting])
    assert seen[0] + seen[1] == 1
    assert counter(tile, 2) == 1


@pytest.mark.parametrize("channel", range(8))
@pytest.mark.parametrize("port", range(3))
def test_dram_by_each_of_its_tiles(tile: Machine, channel: int, port: int) -> None:
    tile.load_bytes(SOURCE, PATTERN[:256])
    there = place(*DRAM[channel][port])
    other = place(*DRAM[channel][0])
    steps = request(WRITE | MARKED, SOURCE, 0x1000_0040, 256, ret_at=there)
    after(tile, steps)
    assert tile.outside.dram[channel].read(0x1000_0040, 256) == PATTERN[:256]
    # Acknowledged, sent, words, started; nothing outstanding or outgoing.
    assert [counter(tile, i) for i in (1, 10, 8, 12, 16, 32)] == [1, 1, 4, 1, 0, 0]
    tile.poke(NC, SOURCE, bytes(256))
    run_again(tile, request(READ, 0x1000_0040, TO, 256, targ_at=other))
    assert tile.peek(NC, TO, 256) == PATTERN[:256]


def run_again(tile: Machine, steps: Sequence[Store]) -> None:
    """More requests, by a debugger's hand: NC has ended."""
    for step in steps:
        tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    tile.run(ENOUGH)


def test_the_host_behind_pci_express(tile: Machine) -> None:
    tile.load_bytes(SOURCE, b"to the host.")
    far = 0x12_3456_7801
    steps = request(WRITE | MARKED, SOURCE + 1, far, 11, ret_at=place(*PCIE[0]))
    after(tile, steps)
    assert tile.outside.host.read(far, 11) == b"o the host."


def test_more_than_a_packet(tile: Machine) -> None:
    tile.load_bytes(0x20000, PATTERN + PATTERN[:1000])
    after(tile, request(READ, 0x20000, 0x40000, 33768))
    assert tile.peek(NC, 0x40000, 33768) == PATTERN + PATTERN[:1000]
    assert [counter(tile, i) for i in (2, 4, 16)] == [3, 3, 0]


def test_four_initiators_one_after_the_other(tile: Machine) -> None:
    tile.load_bytes(SOURCE, PATTERN[:64])
    steps = [
        step
        for i in range(4)
        for step in request(WRITE, SOURCE + 16 * i, TO + 0x100 * i, 16, initiator=i)
    ]
    after(tile, steps)
    for i in range(4):
        assert tile.peek(NC, TO + 0x100 * i, 16) == PATTERN[16 * i : 16 * i + 16]
    # Posted: nobody answers.
    assert [counter(tile, i) for i in (1, 11, 13)] == [0, 4, 4]


def test_bytes_that_are_enabled(tile: Machine) -> None:
    tile.load_bytes(SOURCE, PATTERN[:64])
    steps = request(WRITE | BYTE_ENABLE, SOURCE, TO, 0x80000005, mask=0x80000001)
    after(tile, steps)
    written = {i: byte for i, byte in enumerate(tile.peek(NC, TO, 64)) if byte}
    assert written == {2: 2, 31: 31, 32: 32, 63: 63}


def test_bytes_that_are_enabled_in_dram(tile: Machine) -> None:
    tile.load_bytes(SOURCE, PATTERN[:64])
    far = place(*DRAM[1][0])
    after(
        tile, request(WRITE | BYTE_ENABLE, SOURCE, 0x100, 0x80000006, ret_at=far, mask=0xC0000001)
    )
    found = tile.outside.dram[1].read(0xF0, 96)
    written = {i - 16: byte for i, byte in enumerate(found) if byte}
    assert written == {i: PATTERN[i] for i in (1, 2, 31, 32, 62, 63)}


def test_an_inline_write_of_a_register(tile: Machine) -> None:
    """NIU_CFG_0 of NoC 1, over NoC 0."""
    addr = NIU + STRIDE + 0x100
    after(tile, request(WRITE | INLINE | MARKED, addr, data=0x20000, length=0xF))
    assert int.from_bytes(tile.peek(NC, addr, 4), "little") == 0x20000
    assert [counter(tile, i) for i in (1, 10, 12, 16)] == [1, 1, 1, 0]


# Atomics.md: operands, data, what is there before and after.
INCREMENT_32 = 1 << 12 | 31 << 2 | 1
ATOMICS = [
    (INCREMENT_32, 5, [1, 0xFFFFFFFE, 3, 4], [1, 3, 3, 4]),
    (1 << 12 | 3 << 2, 1, [0x1F, 0, 0, 0], [0x10, 0, 0, 0]),
    (3 << 12 | 0b10000010 << 2, 0xAAAABBBB, [0, 0, 0, 0], [0xAAAA0000, 0, 0, 0xAAAA0000]),
    (4 << 12 | 9 << 6 | 7 << 2 | 2, 0, [0, 0, 7, 0], [0, 0, 9, 0]),
    (4 << 12 | 9 << 6 | 6 << 2 | 2, 0, [0, 0, 7, 0], [0, 0, 7, 0]),
    (6 << 12 | 3, 0x1234, [0, 0, 0, 9], [0, 0, 0, 0x1234]),
    (7 << 12 | 3, 0x1234, [0, 0, 0, 9], [0, 0, 0, 0x1234]),
    (10 << 12 | 3 << 8 | 3, 0x1234, [0, 0, 0, 9], [0, 0, 0, 0x1234]),
    (10 << 12 | 1 << 11 | 0 << 8, 2, [3, 0, 0, 0], [5, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 1 << 8, 2, [3, 0, 0, 0], [1, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 2 << 8, 4, [3, 0, 0, 0], [7, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 3 << 8, 2, [3, 0, 0, 0], [2, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 4 << 8, 0xFFFFFFFF, [3, 0, 0, 0], [0xFFFFFFFF, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 5 << 8, 0xFFFFFFFF, [3, 0, 0, 0], [3, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 6 << 8, 0xFFFFFFFF, [3, 0, 0, 0], [3, 0, 0, 0]),
    (10 << 12 | 1 << 11 | 7 << 8, 0xFFFFFFFF, [3, 0, 0, 0], [0xFFFFFFFF, 0, 0, 0]),
    (9 << 12 | 4, 2, [1, 2, 3, 0xFFFFFFFF], [3, 4, 5, 1]),
]


@pytest.mark.parametrize(("operands", "data", "before", "result"), ATOMICS)
def test_atomics(
    tile: Machine, operands: int, data: int, before: list[int], result: list[int]
) -> None:
    line = b"".join(word.to_bytes(4, "little") for word in before)
    tile.load_bytes(SOURCE, line)
    targ = SOURCE + 4 * (operands & 3)
    after(tile, request(ATOMIC | MARKED, targ, TO, operands, data=data, tag=1))
    assert tile.peek(NC, SOURCE, 16) == b"".join(word.to_bytes(4, "little") for word in result)
    assert int.from_bytes(tile.peek(NC, TO, 4), "little") == before[operands & 3]
    assert [counter(tile, i) for i in (0, 6, 15, 17)] == [1, 1, 1, 0]


FAULTS = [
    (Fault.NOC_REQUEST, request(READ, 0, TO, 16, targ_at=place(3, 3)), "x 3, y 3"),
    (Fault.NOC_KIND, request(WRITE | BROADCAST, SOURCE, TO, 16), "broadcast"),
    (Fault.NOC_KIND, request(ATOMIC, 0, TO, 0, targ_at=place(*DRAM[0][0])), "atomic"),
    (Fault.NOC_KIND, request(WRITE | INLINE, SOURCE, 0, 0, targ_at=place(*DRAM[0][0])), "inline"),
    (Fault.NOC_TAG, tagged(16 << 10, request(READ, SOURCE, TO, 16)), "a transaction id above 15"),
    (Fault.NOC_TAG, tagged(1 << 6, request(WRITE, SOURCE, TO, 16)), "a stream of the receiver's"),
    (Fault.NOC_TAG, tagged(1 << 9, request(WRITE, SOURCE, TO, 16)), "are stored twice"),
    (Fault.NOC_ALIGNMENT, request(READ, SOURCE + 1, TO, 16), "modulo 16"),
    (Fault.NOC_ALIGNMENT, request(READ, 16, TO, 16, targ_at=place(*DRAM[0][0])), "modulo 64"),
]


@pytest.mark.parametrize(("code", "steps", "text"), FAULTS)
def test_what_cannot_be_started(tile: Machine, code: Fault, steps: list[Store], text: str) -> None:
    found, said = fault_of(tile, NC, *steps)
    assert found is code
    assert text in said
    assert said.count("Next:") == 1


FAR = place(*DRAM[0][0])
LATER = [
    (Fault.NOC_OUTSIDE_L1, request(READ, 0x180000 - 16, TO, 32)),
    (Fault.NOC_OUTSIDE_L1, request(READ, 0xFF000000 - 64, TO, 128, targ_at=FAR)),
    (Fault.NOC_ATOMIC, request(ATOMIC, SOURCE, TO, 9 << 12)),
]


@pytest.mark.parametrize(("code", "steps"), LATER)
def test_what_cannot_be_carried_out(tile: Machine, code: Fault, steps: list[Store]) -> None:
    run_again(tile, steps)
    stop = tile.run(ENOUGH)
    assert stop is not None
    assert stop.code == code
    assert "0x" in stop.text


def test_a_reset_clears_what_is_outside(tile: Machine) -> None:
    tile.outside.dram[0].write(0, b"x")
    tile.reset()
    assert tile.outside.dram[0].read(0, 1) == b"\0"
