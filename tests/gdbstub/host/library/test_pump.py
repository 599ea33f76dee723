# SPDX-License-Identifier: Apache-2.0
"""The server's end of a channel: what C does to a tile is what Python does, byte for byte."""

from __future__ import annotations

import ctypes
import random
import struct
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, NC, SOFT_RESET_BIT, SOFT_RESET_HARTS, B
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.memory.segments import SEGMENT_BYTES
from tensix_gdb.core.noc.dram_data import DRAM_BYTES
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.library import channel as layouts
from tensix_gdb.gdbstub.host.library.arc import CSM, MISC_CNTL, Arc
from tensix_gdb.gdbstub.host.library.arc_memory import CSM_BYTES
from tensix_gdb.gdbstub.host.library.build import PUMP, built
from tensix_gdb.gdbstub.host.library.channel import Kind, Why
from tensix_gdb.gdbstub.host.library.launch_table import table_of
from tensix_gdb.gdbstub.host.library.pump import Pump
from tensix_gdb.gdbstub.host.simulator.chip import SOFT_RESET_0
from tensix_gdb.gdbstub.host.simulator.host_clock import REGISTER_CYCLES
from tensix_gdb.gdbstub.host.simulator.launches import Repeatable
from tests.assembler import SPIN, asm
from tests.gdbstub.host.library.ring import ARC, PORT, TILE, Host


@pytest.fixture
def host(machine: Machine) -> Iterator[Host]:
    made = Host([(TILE, machine)])
    yield made
    made.close()


@pytest.fixture
def machine() -> Iterator[Machine]:
    made = Machine(engine="reference", schedule=Schedule.LATENCY)
    yield made
    made.close()


def test_one_layout() -> None:
    """The structures in C and in ctypes have the same places."""
    in_c = Pump(built(PUMP))
    assert tuple(in_c.layout(number) for number in range(11)) == layouts.layout()


def test_bytes_of_l1(machine: Machine, host: Host) -> None:
    """Random accesses by both; every row of the record is equal after them, derived ones too."""
    other = Machine(engine="reference", schedule=Schedule.LATENCY)
    for each in (machine, other):  # decoded words, which writes have to drop
        for addr in range(0, 0x400, 4):
            each.load_bytes(addr, asm("addi", rd=5, rs1=5, imm=1).to_bytes(4, "little"))
        each.load_bytes(0x400, SPIN.to_bytes(4, "little"))
        set_soft_reset(each.S, SOFT_RESET_HARTS & ~(1 << SOFT_RESET_BIT[B]))
        each.run(300)
    assert any(machine.record.row(machine.record.layout.slot("decoded", "line")))
    noc, rng = NocAccess(other.record, other.memory), random.Random(1)
    for _ in range(400):
        addr = rng.choice((rng.randrange(0x500), rng.randrange(0x170000)))
        size = rng.choice((1, 2, 4, 16, 33, 200))
        if rng.random() < 0.6:
            data = rng.randbytes(size)
            host.post(Kind.WRITE, addr, data)
            noc.write(addr, data)
        else:
            host.post(Kind.READ, addr, size=size)
            assert host.pump() is Why.IDLE
            assert host.answer(size) == noc.read(addr, size)
    assert host.pump() is Why.IDLE
    assert host.channel.counts()[0] == host.channel.counts()[1] == 400
    for tag in Tag:
        assert machine.record.hash(tag) == other.record.hash(tag), tag
    other.close()


@pytest.mark.parametrize("arch", Arch)
def test_soft_reset(arch: Arch) -> None:
    """Reads, and writes of what it has, are done by C as by Python, down to the last row of the
    record; what changes it is left to Python."""
    machine, other = (
        Machine(engine="reference", schedule=Schedule.LATENCY, arch=arch) for _ in range(2)
    )
    host, noc = Host([(TILE, machine)]), NocAccess(other.record, other.memory)
    left = 0
    for number, value in enumerate((SOFT_RESET_HARTS, 0x47000, 0x47000, 0x47F00, 1 << 24, 0)):
        for each in (machine, other):
            each.S.tile.idle_cycles, each.S.hart.pc[NC] = 5 + number, 0x100 * number
        data = value.to_bytes(4, "little")
        host.post(Kind.WRITE, SOFT_RESET_0, data)
        if host.pump() is Why.ASKS_PYTHON:
            left += 1
            NocAccess(machine.record, machine.memory).write(SOFT_RESET_0, data)
            host.channel.done()
        noc.write(SOFT_RESET_0, data)
        host.post(Kind.READ, SOFT_RESET_0, size=4)
        assert host.pump() is Why.IDLE
        assert host.answer(4) == noc.read(SOFT_RESET_0, 4)
        assert host.channel.take_owed() == REGISTER_CYCLES
        for tag in Tag:
            assert machine.record.hash(tag) == other.record.hash(tag), (tag, hex(value))
    assert left == 3  # of six: the bit above 23 is none, so 0 is there already
    host.post(Kind.READ, SOFT_RESET_0, size=2)
    assert host.pump() is Why.ASKS_PYTHON
    host.channel.done(b"12")
    host.channel.may_sleep()
    host.post(Kind.READ, SOFT_RESET_0, size=4)
    assert host.pump() is Why.WAKES  # it has to be up to date
    host.close()
    for each in (machine, other):
        each.close()


def test_memory_of_an_arc(host: Host) -> None:
    """Random accesses to the CSM by C, and by Python in a twin; registers are left to Python."""
    arc, other, rng = Arc(), Arc(), random.Random(3)
    host.channel.add_memory([ARC], CSM, arc.csm)
    for _ in range(300):
        addr = CSM + rng.choice((rng.randrange(0x500), CSM_BYTES - 200 + rng.randrange(190)))
        size = min(rng.choice((1, 4, 32, 200)), CSM + CSM_BYTES - addr)
        if rng.random() < 0.5:
            data = rng.randbytes(size)
            host.post(Kind.WRITE, addr, data, core=ARC)
            other.write(addr, data)
            assert host.pump() is Why.IDLE
        else:
            host.post(Kind.READ, addr, size=size, core=ARC)
            assert host.pump() is Why.IDLE
            assert host.answer(size) == other.read(addr, size)
    assert arc.csm == other.csm
    outside = ((CSM - 1, 2), (CSM + CSM_BYTES - 1, 2), (CSM + CSM_BYTES, 1), ((1 << 64) - 1, 2))
    for addr, size in (*outside, (MISC_CNTL, 4)):
        host.post(Kind.READ, addr, size=size, core=ARC)
        assert host.pump() is Why.ASKS_PYTHON
        host.channel.done(bytes(size))
    host.channel.is_dram_plain(False)
    host.post(Kind.READ, CSM, size=4, core=ARC)
    assert host.pump() is Why.ASKS_PYTHON  # a history keeps it


def test_bytes_of_dram(machine: Machine, host: Host) -> None:
    """Random accesses by C, and in a twin by Python, over the ends of pages and of segments."""
    dram, other, rng = machine.outside.dram[5], Pages(DRAM_BYTES), random.Random(2)
    snapshot: dict[int, bytes] = {}
    asked = 0
    for number in range(600):
        near = rng.choice(
            (0, 3 * SEGMENT_BYTES, DRAM_BYTES // PAGE_BYTES * PAGE_BYTES - SEGMENT_BYTES)
        )
        addr = near + rng.choice(
            (rng.randrange(64), rng.randrange(SEGMENT_BYTES - 9000), SEGMENT_BYTES - 100)
        )
        size = rng.choice((1, 4, 64, 200, 9000)) if addr + 9000 < DRAM_BYTES else 32
        if rng.random() < 0.5:
            data = rng.randbytes(size)
            host.post(Kind.WRITE, addr, data, core=PORT)
            if host.pump() is Why.ASKS_PYTHON:  # a segment that is not there yet
                asked += 1
                dram.write(addr, data)
                host.channel.done()
            other.write(addr, data)
        else:
            host.post(Kind.READ, addr, size=size, core=PORT)
            assert host.pump() is Why.IDLE
            assert host.answer(size) == other.read(addr, size)
        if number % 100 == 50:
            assert dram.changes(snapshot) == other.changes(snapshot)
            snapshot = dram.snapshot()
            assert snapshot == other.snapshot()
    assert 3 <= asked <= 6
    assert dram.hash() == other.hash()


def test_what_of_dram_is_left_to_python(host: Host) -> None:
    """Bytes after its end, and all of it while an observer or a history wants to know."""
    for addr, size in ((DRAM_BYTES - 1, 2), (DRAM_BYTES, 1), (1 << 63, 16), ((1 << 64) - 1, 2)):
        host.post(Kind.READ, addr, size=size, core=PORT)
        assert host.pump() is Why.ASKS_PYTHON
        host.channel.done(bytes(size))
    host.channel.is_dram_plain(False)
    for kind in (Kind.READ, Kind.WRITE):
        host.post(kind, 0, b"1234" if kind is Kind.WRITE else b"", size=4, core=PORT)
        assert host.pump() is Why.ASKS_PYTHON
        host.channel.done(b"1234" if kind is Kind.READ else None)


def test_what_is_left_to_python(machine: Machine, host: Host) -> None:
    """Registers, other cores, a tile that is watched or asleep, where kernels are started."""
    rows = host.channel.tiles
    assert rows is not None
    host.post(Kind.READ, 0xFFB12000, size=4)
    assert host.pump() is Why.ASKS_PYTHON
    assert (host.channel.message().addr, host.channel.message().size) == (0xFFB12000, 4)
    host.channel.done(b"word")
    assert host.answer(4) == b"word"
    rows[0].signals, rows[0].signals_end = 0x370, 0x374
    for addr, data in ((0x36F, b"12"), (L1_BYTES - 1, b"12"), (0x370, b"1")):
        host.post(Kind.WRITE, addr, data)
        assert host.pump() is Why.ASKS_PYTHON
        assert host.channel.message().data == data
        host.channel.done()
    host.post(Kind.WRITE, 0x36F, b"1")
    assert host.pump() is Why.IDLE
    rows[0].is_plain = 0
    host.post(Kind.WRITE, 0, b"1234")
    assert host.pump() is Why.ASKS_PYTHON
    rows[0].is_plain = 1
    host.channel.may_sleep()
    assert host.pump() is Why.WAKES
    host.awake()
    assert host.pump() is Why.IDLE
    assert machine.peek(0, 0, 4) == b"1234"


def test_a_host_that_waits(machine: Machine, host: Host) -> None:
    """It has read the same again, with the same answer, and written nothing; or it has accessed
    nothing since the clock before."""

    def clock(*before: tuple[Kind, int]) -> Why:
        for kind, addr in before:
            host.post(kind, addr, b"1234" if kind is Kind.WRITE else b"", size=4)
        host.post(Kind.CLOCK, size=1)
        why = host.pump()
        if why is not Why.IDLE:
            host.channel.done()
        return why

    word, other = (Kind.READ, 0x100), (Kind.READ, 0x200)
    assert clock(word) is Why.IDLE
    assert clock(other) is Why.IDLE
    assert clock(word) is Why.WAITS
    assert host.channel.repeats
    assert clock(word, other) is Why.WAITS
    assert clock((Kind.WRITE, 0x300), word) is Why.IDLE
    machine.load_bytes(0x100, b"else")
    assert clock(word) is Why.IDLE
    assert clock() is Why.WAITS
    assert host.channel.take_owed() == 7


def test_a_host_that_fetches_the_same_pages_again_does_not_wait(host: Host) -> None:
    """Unless it is one page that it reads again and again."""

    def clock(addr: int) -> Why:
        host.post(Kind.READ, addr, size=2048)
        host.post(Kind.CLOCK, size=1)
        why = host.pump()
        if why is not Why.IDLE:
            host.channel.done()
        return why

    pages = range(0, 0x8000, 0x800)
    assert {clock(page) for page in (*pages, *pages)} == {Why.IDLE}
    assert clock(pages[-1]) is Why.WAITS
    assert clock(pages[0]) is Why.IDLE


def test_time_that_is_owed_passes(host: Host) -> None:
    passes = 0
    for number in range(1000):
        host.post(Kind.READ, 4 * number, size=4)
        host.post(Kind.CLOCK, size=1)
        if host.pump() is Why.PASSES:
            passes += host.channel.take_owed()
            host.channel.done()
    assert passes == 1000


GO, SIGNALS, POINTER, MESSAGE, STRIDE, CODE = (
    0x80,
    range(0x403, 0x40B, 4),
    0x420,
    0x500,
    0x60,
    0x900,
)
KERNEL = bytes(range(16))


@pytest.fixture
def launched(host: Host) -> Host:
    """A tile on which two harts were launched by message 0, and the next one is message 3."""
    fields = [(MESSAGE, 4, 0b11), (MESSAGE + 8, 2, 0x900), (MESSAGE + 10, 2, 0x908)]
    parts = [(slice(CODE, CODE + 16), KERNEL)]
    table = table_of(Repeatable(POINTER, 8, STRIDE, SIGNALS, GO, fields, parts))
    assert table is not None
    assert host.channel.tiles is not None
    tile = host.channel.tiles[0]
    tile.signals, tile.signals_end = SIGNALS.start, SIGNALS.stop
    tile.launch = ctypes.pointer(table)
    host.post(Kind.WRITE, POINTER, (3).to_bytes(4, "little"))
    host.post(Kind.WRITE, MESSAGE + 3 * STRIDE, struct.pack("<IIHH", 0b11, 7, 0x900, 0x908))
    host.post(Kind.WRITE, CODE, KERNEL)
    assert host.pump() is Why.IDLE
    return host


def test_the_launch_before_again_needs_no_python(launched: Host, machine: Machine) -> None:
    launched.post(Kind.WRITE, 0x400, bytes([1, 2, 3, GO]))
    assert launched.pump() is Why.IDLE
    assert launched.channel.launches() == 1
    assert machine.peek(B, 0x400, 4) == bytes([1, 2, 3, GO])


@pytest.mark.parametrize(
    ("addr", "data"),
    [
        (POINTER, b"\x02\0\0\0"),  # message 2 says something else
        (POINTER, b"\x08\0\0\0"),
        (MESSAGE + 3 * STRIDE, b"\x07"),
        (MESSAGE + 3 * STRIDE + 11, b"\x0a"),
        (CODE + 15, b"\xff"),
    ],
)
def test_any_other_launch_is_recognised(launched: Host, addr: int, data: bytes) -> None:
    launched.post(Kind.WRITE, addr, data)
    launched.post(Kind.WRITE, SIGNALS[1], bytes([GO]))
    assert launched.pump() is Why.ASKS_PYTHON


def test_a_tile_that_did_not_sleep_may_have_stores_under_way(launched: Host) -> None:
    launched.channel.is_awake(0, slept=False)
    launched.post(Kind.WRITE, SIGNALS[0], bytes([GO]))
    assert launched.pump() is Why.ASKS_PYTHON


def test_what_is_no_go_signal_starts_nothing(launched: Host) -> None:
    launched.post(Kind.WRITE, CODE, b"x")
    launched.post(Kind.WRITE, SIGNALS[0] - 1, bytes([GO, 0]))
    assert launched.pump() is Why.IDLE
