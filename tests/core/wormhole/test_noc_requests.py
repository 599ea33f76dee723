# SPDX-License-Identifier: Apache-2.0
"""NoC requests of a Wormhole tile: what is as on Blackhole, and each rule that is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.arch.chips import L1_END, WORMHOLE
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import AT_OF, DRAM_0, WORMHOLE_DRAM, WORMHOLE_PCIE
from tensix_gdb.core.noc.state import PLACES
from tensix_gdb.core.schedule import Schedule
from tests.core.devices.scripts import Load, Store, fault_of, run
from tests.machines import ENGINES, SCHEDULES, machine_on

NIU, STRIDE, INITIATOR, COUNTERS = 0xFFB20000, 0x10000, 0x400, 0x200
READ, ATOMIC, WRITE = 0, 1, 2
BYTE_ENABLE, INLINE, MARKED, BROADCAST, LINKED, STATIC = 4, 8, 16, 32, 64, 128
ENOUGH = 20_000
SOURCE, TO = 0x4000, 0x8000
PATTERN = bytes(i * 7 + 1 & 255 for i in range(256)) * 128
CHIP_CONFIG, X_TABLE, Y_TABLE = 0x100, 0x118, 0x128


def place(x: int, y: int) -> int:
    return x | y << 6


SELF, ACROSS = place(1, 1), place(8, 10)  # the same on NoC 1
PCIE = place(*WORMHOLE_PCIE)


@pytest.fixture(params=[(e, s) for e in ENGINES[:2] for s in SCHEDULES], ids=str)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    engine, schedule = request.param
    machine = machine_on(engine, schedule, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def request(
    ctrl: int,
    targ: int,
    ret: int = 0,
    length: int = 0,
    *,
    targ_at: int = SELF,
    ret_at: int = SELF,
    data: int = 0,
    tag: int = 0,
    niu: int = 0,
    initiator: int = 0,
) -> list[Store]:
    """The stores that describe and start a request."""
    base = NIU + STRIDE * niu + INITIATOR * initiator
    fields = {
        0x00: targ & 0xFFFFFFFF, 0x04: targ >> 32 | targ_at << 4,
        0x0C: ret & 0xFFFFFFFF, 0x10: ret >> 32 | ret_at << 4,
        0x18: tag << 10, 0x1C: ctrl, 0x20: length, 0x24: data, 0x28: 1,
    }  # fmt: skip
    return [Store(base + offset, value) for offset, value in fields.items()]


def after(tile: Machine, steps: Sequence[Store | Load]) -> list[int]:
    """Return what the loads got; then everything that was started is done."""
    seen = run(tile, NC, *steps)
    tile.run(ENOUGH)
    return seen


def go(tile: Machine, steps: Sequence[Store]) -> None:
    """Requests by a debugger's hand."""
    for step in steps:
        tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    tile.run(ENOUGH)


def word(tile: Machine, addr: int) -> int:
    return int.from_bytes(tile.peek(NC, addr, 4), "little")


def counters(tile: Machine, *numbers: int, niu: int = 0) -> list[int]:
    return [word(tile, NIU + STRIDE * niu + COUNTERS + 4 * number) for number in numbers]


# NoC/MemoryMap.md


def test_an_initiator_reads_as_it_was_written(tile: Machine) -> None:
    """The words that the record takes apart, those that move, and the other initiators."""
    base = NIU + 2 * INITIATOR
    offsets = (0, 4, 0xC, 0x10, 0x1C, 0x20, 0x24)
    values = {offset: 0xA5000000 + offset * 0x10101 for offset in offsets}
    steps = [Store(base + offset, value) for offset, value in values.items()]
    loads = [Load(base + offset) for offset in values]
    assert run(tile, NC, *steps, *loads, Load(NIU + 4)) == [*values.values(), 0]
    tables = [X_TABLE + 4 * i for i in range(4)] + [Y_TABLE + 4 * i for i in range(4)] + [0x138]
    stores = [Store(NIU + offset, offset * 0x10101) for offset in tables]
    loads = [Load(NIU + offset) for offset in tables]
    assert run(tile, NC, *stores, *loads) == [offset * 0x10101 for offset in tables]


def test_the_status_of_all_initiators(tile: Machine) -> None:
    """CMD_BUF_AVAIL has a bit for each that waits: 17 requests in 16 slots leave some waiting."""
    far = place(*WORMHOLE_DRAM[1][1])
    for number in range(20):
        at = number % 4
        if not word(tile, NIU + INITIATOR * at + 0x28):
            for step in request(READ, 0, TO, 32, targ_at=far, initiator=at):
                tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
        waiting = [word(tile, NIU + INITIATOR * i + 0x28) for i in range(4)]
        assert word(tile, NIU + 0x54) == sum(bit << i for i, bit in enumerate(waiting))
        assert waiting[at] == 1
        tile.run(2)
    tile.run(ENOUGH)
    assert word(tile, NIU + 0x54) == 0


@pytest.mark.parametrize(("niu", "here"), [(0, SELF), (1, ACROSS)])
@pytest.mark.parametrize("length", [1, 32, 100, 8192])
def test_a_read_of_ourselves(tile: Machine, niu: int, here: int, length: int) -> None:
    """NoC/README.md: flits of 32 bytes, at most 256 of them in a packet."""
    tile.load_bytes(SOURCE, PATTERN[:8192])
    after(tile, request(READ, SOURCE, TO, length, targ_at=here, ret_at=here, niu=niu, tag=3))
    assert tile.peek(NC, TO, length + 1) == PATTERN[:length] + b"\0"
    flits = -(-length // 32)
    assert counters(tile, 2, 3, 4, 5, 14, 16 + 3, niu=niu) == [1, flits, 1, 1, 1, 0]
    assert counters(tile, 50, 51, 52, 53, niu=niu) == [1, flits, 1, 1]
    assert not any(tile.peek(NC, NIU + STRIDE * (1 - niu) + COUNTERS, 4 * 62))


def test_more_than_a_packet(tile: Machine) -> None:
    """Counters.md, Automatic request splitting: 8192 bytes each, the initiator counts on."""
    tile.load_bytes(0x20000, PATTERN)
    after(tile, request(READ, 0x20000, 0x40000, 20000))
    assert tile.peek(NC, 0x40000, 20001) == PATTERN[:20000] + b"\0"
    assert counters(tile, 2, 4, 16) == [3, 3, 0]
    assert [word(tile, NIU + at) for at in (0, 0xC, 0x20)] == [0x24000, 0x44000, 20000 - 16384]


@pytest.mark.parametrize("group", range(6))
@pytest.mark.parametrize("port", range(3))
def test_dram_by_each_of_its_tiles(tile: Machine, group: int, port: int) -> None:
    """DRAMTile/README.md: both channels of a group, one after the other, at three tiles."""
    tile.load_bytes(SOURCE, PATTERN[:256])
    tiles = WORMHOLE_DRAM[group]
    far = 0x3FFF_FF80  # 128 bytes of each channel
    after(tile, request(WRITE | MARKED, SOURCE, far, 256, ret_at=place(*tiles[port])))
    assert tile.outside.dram[group].read(far, 256) == PATTERN[:256]
    assert counters(tile, 1, 10, 8, 12, 16, 32) == [1, 1, 8, 1, 0, 0]
    x, y = tiles[(port + 1) % 3]
    across = place(9 - x, 11 - y)
    go(tile, request(READ, far, TO, 256, targ_at=across, ret_at=ACROSS, niu=1))
    assert tile.peek(NC, TO, 256) == PATTERN[:256]


def test_the_host_behind_pci_express(tile: Machine) -> None:
    """PCIExpressTile/README.md: from 0x8_0000_0000 on. MemoryMap.md: its acknowledgement of a
    write counts down transaction id 0, with any id that the write had."""
    tile.load_bytes(SOURCE, PATTERN[:64])
    far = 0x8_1234_5600
    after(tile, request(WRITE | MARKED, SOURCE, far, 64, ret_at=PCIE, tag=5))
    assert tile.outside.host.read(0x1234_5600, 64) == PATTERN[:64]
    assert counters(tile, 1, 16, 16 + 5) == [1, 0xFF, 1]
    go(tile, [Store(NIU + 0x50, 1 << 5 | 1)])
    assert counters(tile, 16, 16 + 5) == [0, 0]
    go(tile, request(READ, far, TO, 64, targ_at=PCIE, tag=5))
    assert tile.peek(NC, TO, 64) == PATTERN[:64]
    assert counters(tile, 16, 16 + 5) == [0, 0]


# Any bytes of 16, by either half of the mask.
INLINE_MASKS = [0xF, 0xFFFF, 0x8001, 0x80010000, 0x00F0000F, 0x00FF00F0, 0]


@pytest.mark.parametrize("mask", INLINE_MASKS)
@pytest.mark.parametrize("offset", [0, 5])
def test_an_inline_write_of_l1(tile: Machine, mask: int, offset: int) -> None:
    """MemoryMap.md, NOC_AT_LEN_BE: bytes of the 16 around the address, which is rounded down."""
    tile.load_bytes(TO - 16, b"\xee" * 48)
    ctrl = WRITE | INLINE | MARKED
    after(tile, request(ctrl, TO + offset, length=mask, data=0x04030201, tag=2))
    line = bytes(1 + (i & 3) if (mask | mask >> 16) >> i & 1 else 0xEE for i in range(16))
    assert tile.peek(NC, TO - 16, 48) == b"\xee" * 16 + line + b"\xee" * 16
    assert counters(tile, 1, 10, 12, 18, 60, 58, 56) == [1, 1, 1, 0, 1, 1, 1]


def test_an_inline_write_of_a_register(tile: Machine) -> None:
    """The mask is ignored. Any high bits of the address lead there, too."""
    for number, high in enumerate((0, 0xF)):
        addr = NIU + STRIDE + 0x104
        value = 0x80000 * (number + 1)
        go(tile, request(WRITE | INLINE, addr | high << 32, data=value))
        assert word(tile, addr) == value


def test_bytes_that_are_enabled(tile: Machine) -> None:
    """Any of 32, and no more."""
    tile.load_bytes(SOURCE, PATTERN[:64])
    after(tile, request(WRITE | BYTE_ENABLE, SOURCE, TO, 0x80010005))
    written = {i: byte for i, byte in enumerate(tile.peek(NC, TO, 64)) if byte}
    assert written == {i: PATTERN[i] for i in (0, 2, 16, 31)}
    assert counters(tile, 11, 9, 57) == [1, 1, 1]


def test_bytes_that_are_enabled_in_dram(tile: Machine) -> None:
    tile.load_bytes(SOURCE, PATTERN[:64])
    ctrl = WRITE | BYTE_ENABLE | MARKED
    after(tile, request(ctrl, SOURCE, 0x100, 0x80018007, ret_at=place(*WORMHOLE_DRAM[3][0])))
    found = tile.outside.dram[3].read(0xE0, 96)
    written = {i - 32: byte for i, byte in enumerate(found) if byte}
    assert written == {i: PATTERN[i] for i in (0, 1, 2, 15, 16, 31)}


def test_a_register_is_written_over_enabled_bytes(tile: Machine) -> None:
    """Alignment.md, SA4: one word is read, and broadcast to those of 32 bytes that are enabled."""
    go(tile, [Store(NIU + 0x10C, 0x44332211)])
    go(tile, request(WRITE | BYTE_ENABLE, NIU + 0x10C, TO, 0xC000001F))
    expected = bytes([0x11, 0x22, 0x33, 0x44, 0x11, *bytes(25), 0x33, 0x44])
    assert tile.peek(NC, TO, 40) == expected + bytes(8)
    go(tile, request(WRITE, NIU + 0x10C, TO + 64, 4))
    assert tile.peek(NC, TO + 60, 12) == bytes(4) + bytes.fromhex("11223344") + bytes(4)
    go(tile, request(WRITE, TO + 64, NIU + 0x11C - 12, 4))
    assert word(tile, NIU + 0x110) == 0x44332211


# Atomics.md: operands, which word is told in the answer, data, before and after.
ATOMICS = [
    (1 << 12 | 31 << 2 | 1, 1, 5, [1, 0xFFFFFFFE, 3, 4], [1, 3, 3, 4]),
    (1 << 12 | 3 << 2, 0, 1, [0x1F, 0, 0, 0], [0x10, 0, 0, 0]),
    (3 << 12 | 0b10000010 << 2, 0, 0xAAAABBBB, [0, 0, 0, 0], [0xAAAA0000, 0, 0, 0xAAAA0000]),
    (4 << 12 | 9 << 6 | 7 << 2 | 2, 2, 0, [0, 0, 7, 0], [0, 0, 9, 0]),
    (4 << 12 | 9 << 6 | 6 << 2 | 2, 2, 0, [0, 0, 7, 0], [0, 0, 7, 0]),
    # The word of a swap by index: bits 1:0 of the one kind, 3:2 of the other.
    (6 << 12 | 1 << 2 | 3, 3, 0x1234, [5, 6, 7, 8], [5, 6, 7, 0x1234]),
    (7 << 12 | 2 << 2 | 3, 2, 0x1234, [5, 6, 7, 8], [5, 6, 0x1234, 8]),
    # The opcode has three bits.
    (9 << 12 | 31 << 2, 0, 1, [7, 0, 0, 0], [8, 0, 0, 0]),
]


@pytest.mark.parametrize(("operands", "answered", "data", "before", "result"), ATOMICS)
def test_atomics(
    tile: Machine, operands: int, answered: int, data: int, before: list[int], result: list[int]
) -> None:
    line = b"".join(number.to_bytes(4, "little") for number in before)
    tile.load_bytes(SOURCE, line)
    after(tile, request(ATOMIC | MARKED, SOURCE + 4 * answered, TO, operands, data=data, tag=1))
    assert tile.peek(NC, SOURCE, 16) == b"".join(n.to_bytes(4, "little") for n in result)
    assert word(tile, TO) == before[answered]
    assert counters(tile, 0, 6, 15, 17, 54, 48) == [1, 1, 1, 0, 1, 1]


def test_an_atomic_that_is_not_marked(tile: Machine) -> None:
    after(tile, request(ATOMIC, SOURCE, TO, 1 << 12 | 31 << 2, data=3))
    assert [word(tile, at) for at in (SOURCE, TO)] == [3, 0]
    assert counters(tile, 0, 7, 6, 15, 55, 48) == [0, 1, 0, 0, 1, 0]


# NoC/Coordinates.md, MemoryMap.md


def table(entries: dict[int, int]) -> list[int]:
    """The words of a translation table with the identity below 16."""
    rows = {**{i: i for i in range(16)}, **entries}
    bits = sum(value << 4 * index for index, value in rows.items())
    return [bits >> 32 * i & 0xFFFFFFFF for i in range(4)]


COLUMNS = (0, 5, 1, 2, 3, 4, 6, 7, 8, 9)  # what 16 to 25 mean, as firmware has it
LINES = (0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11)  # 16 to 27


def firmware(niu: int) -> list[Store]:
    """Turn translation on as firmware does."""
    x = table({16 + i: 9 - value if niu else value for i, value in enumerate(COLUMNS)})
    y = table({16 + i: 11 - value if niu else value for i, value in enumerate(LINES)})
    base = NIU + STRIDE * niu
    tables = [Store(base + X_TABLE + 4 * i, word_) for i, word_ in enumerate(x)]
    tables += [Store(base + Y_TABLE + 4 * i, word_) for i, word_ in enumerate(y)]
    return [*tables, Store(base + CHIP_CONFIG, 1 << 14)]


@pytest.mark.parametrize("niu", [0, 1])
def test_translated_coordinates(tile: Machine, niu: int) -> None:
    """They are the same on both NoCs, are written back, and raw ones continue working."""
    tile.load_bytes(SOURCE, PATTERN[:64])
    go(tile, firmware(niu))
    base, here = NIU + STRIDE * niu, ACROSS if niu else SELF
    go(tile, request(READ, SOURCE, TO, 32, targ_at=place(18, 18), ret_at=place(18, 18), niu=niu))
    assert tile.peek(NC, TO, 32) == PATTERN[:32]
    assert [word(tile, base + at) for at in (4, 0x10)] == [here << 4, here << 4]
    go(tile, request(READ, SOURCE, TO + 64, 32, targ_at=here, ret_at=here, niu=niu))
    assert tile.peek(NC, TO + 64, 32) == PATTERN[:32]
    tile.outside.dram[5].write(0, PATTERN[:32])
    go(tile, request(READ, 0, TO + 128, 32, targ_at=place(17, 17), niu=niu))
    assert tile.peek(NC, TO + 128, 32) == PATTERN[:32]


def test_a_table_is_used_once(tile: Machine) -> None:
    """As NOC_CMD_CTRL is written; what it has written back is not translated again."""
    go(tile, [*firmware(0), Store(NIU + X_TABLE, 0x76543200), Store(NIU + X_TABLE + 8, 0x43215091)])
    tile.load_bytes(SOURCE, PATTERN[:32])
    go(tile, request(READ, SOURCE, TO, 32, targ_at=place(16, 18)))
    assert tile.peek(NC, TO, 32) == PATTERN[:32]


# bits 12:10 of NOC_CTRL: X, Y, NIU
PORTS = [(SELF, 1, 1), (place(0, 1), 4, 4), (place(0, 0), 4, 2), (place(5, 1), 4, 4)]


@pytest.mark.parametrize(("there", "first", "second"), PORTS)
def test_the_port_of_the_first_router(tile: Machine, there: int, first: int, second: int) -> None:
    for niu, port in enumerate((first, second)):
        on_it = place(9 - (there & 63), 11 - (there >> 6)) if niu else there
        go(tile, request(READ | 7 << 10 | STATIC, 0, TO, 32, targ_at=on_it, niu=niu))
        assert word(tile, NIU + STRIDE * niu + 0x1C) == STATIC | port << 10


def test_every_tile_has_a_kind() -> None:
    """The picture of Coordinates.md: 18 tiles of DRAM, one of PCI Express, this one."""
    kinds = AT_OF[PLACES:]
    assert len(kinds) == PLACES
    assert [kinds.count(DRAM_0 + group) for group in range(8)] == [3] * 6 + [0] * 2
    assert kinds[3 * 10] == 2
    assert kinds[1 + 10] == 1


# NoC/Alignment.md

FAR = place(*WORMHOLE_DRAM[0][0])
REGISTER = NIU + 0x10C
ALIGNED = [
    (request(READ, 32, TO, 32, targ_at=FAR), True),
    (request(READ, 16, TO, 16, targ_at=FAR), False),  # C32, where Blackhole has 64
    (request(WRITE, SOURCE + 16, 32, 16, ret_at=FAR), True),  # C16
    (request(WRITE, SOURCE + 8, 32, 8, ret_at=FAR), False),
    (request(READ, SOURCE + 16, TO, 16), True),
    (request(READ, SOURCE + 8, TO, 16), False),
    (request(READ, 0x8_0000_0010, TO, 16, targ_at=PCIE), False),
    (request(WRITE, SOURCE + 5, 0x8_0000_0010, 16, ret_at=PCIE), False),
    (request(READ, SOURCE + 8, TO + 8, 8193), False),  # in parts: multiples of 16
    (request(READ, SOURCE + 8, TO + 8, 8192), True),
    (request(READ, REGISTER, TO + 4, 4), True),
    (request(READ, REGISTER, TO, 8), False),
    (request(READ, REGISTER, TO + 1, 4), False),
    (request(WRITE, SOURCE + 12, REGISTER, 4), True),
    (request(WRITE, SOURCE, REGISTER, 4), False),  # C16
    (request(WRITE | BYTE_ENABLE, SOURCE + 16, TO + 16, 1), False),  # DA32 and SA32
    (request(WRITE | BYTE_ENABLE, REGISTER, TO, 1), True),
    (request(WRITE | BYTE_ENABLE, SOURCE + 12, REGISTER, 0), True),
    (request(WRITE | INLINE, REGISTER + 1), False),
    (request(ATOMIC | MARKED, SOURCE, TO + 2, 1 << 12), False),
    (request(ATOMIC | MARKED, SOURCE, TO + 4, 1 << 12), True),
]


def test_alignment() -> None:
    tile = machine_on("compiled", Schedule.LATENCY, arch=Arch.WORMHOLE)
    for number, (steps, allowed) in enumerate(ALIGNED):
        tile.images.clear()
        tile.reset()
        if allowed:
            go(tile, steps)
            assert tile.S.noc.stage[0, 0] == 0, number
            assert counters(tile, 4) == [1], number
        else:
            assert fault_of(tile, NC, *steps)[0] is Fault.NOC_ALIGNMENT, number
    tile.close()


STARTS = [
    (Fault.NOC_REQUEST, request(READ, 0, TO, 32, targ_at=place(1, 0)), "x 1, y 0"),  # Ethernet
    (Fault.NOC_REQUEST, request(READ, 0, TO, 32, targ_at=place(1, 2)), "x 1, y 2"),
    (Fault.NOC_REQUEST, request(READ, 0, TO, 32, targ_at=place(10, 1)), "x 10, y 1"),
    (Fault.NOC_KIND, request(WRITE | BROADCAST, SOURCE, TO, 16), "broadcast"),
    (Fault.NOC_KIND, request(ATOMIC, 0, TO, 0, targ_at=FAR), "atomic"),
    (Fault.NOC_KIND, request(3, SOURCE, TO, 32), "reserved"),
    (Fault.NOC_CHANNEL, request(READ | STATIC | 2 << 14, SOURCE, TO, 32), "class bits"),
    (Fault.NOC_TAG, [*request(WRITE, SOURCE, TO, 32)[:-1], Store(NIU + 0x18, 1 << 9),
                     Store(NIU + 0x28, 1)], "stored twice"),
    (Fault.NOC_TAG, [*request(WRITE, SOURCE, TO, 32)[:-1], Store(NIU + 0x18, 1 << 6),
                     Store(NIU + 0x28, 1)], "overlay"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "steps", "text"), STARTS)
def test_what_cannot_be_started(tile: Machine, code: Fault, steps: list[Store], text: str) -> None:
    found, said = fault_of(tile, NC, *steps)
    assert found is code
    assert text in said
    assert said.count("Next:") == 1
    assert word(tile, NIU + 0x28) == 0


def test_a_place_that_no_table_has(tile: Machine) -> None:
    found, said = fault_of(tile, NC, *firmware(0), *request(READ, 0, TO, 32, targ_at=place(33, 1)))
    assert found is Fault.NOC_TRANSLATION
    assert "x 33, y 1" in said


END = L1_END[WORMHOLE]
LATER = [
    (Fault.NOC_OUTSIDE_L1, request(READ, END - 32, TO, 64)),
    (Fault.NOC_OUTSIDE_L1, request(READ, SOURCE, END - 32, 64)),
    (Fault.NOC_OUTSIDE_L1, request(WRITE | INLINE, END, length=0xF)),
    (Fault.NOC_OUTSIDE_L1, request(READ, 0x1_0000_4000, TO, 32)),
    (Fault.NOC_OUTSIDE_L1, request(READ, (2 << 30) - 32, TO, 64, targ_at=FAR)),
    (Fault.NOC_OUTSIDE_L1, request(READ, 0x1000, TO, 64, targ_at=PCIE)),
    (Fault.NOC_OUTSIDE_L1, request(WRITE, SOURCE, 0x8_FFFE_0000, 64, ret_at=PCIE)),
    (Fault.NOC_OUTSIDE_L1, request(ATOMIC, END - 8, TO, 1 << 12)),
    (Fault.NOC_ATOMIC, request(ATOMIC, SOURCE, TO, 2 << 12)),
    (Fault.NOC_ATOMIC, request(ATOMIC, SOURCE, TO, 10 << 12 | 1 << 11)),  # Zaamo: kind 2 here
    (Fault.NOC_ATOMIC, request(ATOMIC, SOURCE, TO, 6 << 12)),  # without its bit 2
]


@pytest.mark.parametrize(("code", "steps"), LATER)
def test_what_cannot_be_carried_out(tile: Machine, code: Fault, steps: list[Store]) -> None:
    for step in steps:
        tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    stop = tile.run(ENOUGH)
    assert stop is not None
    assert (stop.code, "0x" in stop.text) == (code, True)


def test_both_engines_do_the_same() -> None:
    """Every request of this file that is carried out, one after the other: records are equal."""
    tiles = [machine_on(engine, Schedule.LATENCY, arch=Arch.WORMHOLE) for engine in ENGINES[:2]]
    far = place(*WORMHOLE_DRAM[2][1])
    requests = [steps for steps, allowed in ALIGNED if allowed]
    requests += [request(ATOMIC | MARKED, SOURCE, TO, row[0], data=row[2]) for row in ATOMICS]
    requests += [
        request(WRITE | INLINE | MARKED, TO, length=mask, data=0x04030201) for mask in INLINE_MASKS
    ]
    requests += [
        request(WRITE | MARKED | LINKED | STATIC, SOURCE, 0x40, 20000, ret_at=far),
        request(WRITE | MARKED | STATIC, SOURCE, 0x40, 32, ret_at=far),
        firmware(1),
        request(READ, 0x40, TO, 8192, targ_at=place(17, 16), niu=1, initiator=3),
    ]
    for tile in tiles:
        tile.load_bytes(SOURCE, PATTERN[:0x3000])
        for steps in requests:
            go(tile, steps)
            assert tile.S.stop.kind == 0, steps
    assert tiles[0].record.diff(tiles[1].record) == []
    for tile in tiles:
        tile.close()
