# SPDX-License-Identifier: Apache-2.0
"""Two chips of Wormhole and a cable: packets, base firmware, instruction RAM, what is not there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.arch.wormhole import IRAM_BASE
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.ethernet.base_firmware_wormhole import (
    CODE,
    FLAG,
    FUNCTIONS_AT,
    HEARTBEAT,
    PROGRAM,
    RESULTS,
)
from tensix_gdb.core.chip.ethernet.cables import CUT
from tensix_gdb.core.chip.ethernet.kind import (
    CMD,
    DEST,
    KINDS,
    SIZE,
    SOFT_RESET_0,
    START,
    TXQ,
)
from tensix_gdb.core.chip.ethernet.packets import (
    BYTES_IN_TWO_CYCLES,
    CABLE_CYCLES,
    FRAME_BYTES,
    L1_WRITE,
    MMIO_WRITE,
)
from tensix_gdb.core.chip.links import ends_of, links_of
from tensix_gdb.core.chip.places import Place, check, name_of, of_chip, on_noc
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.translation import translate, translated
from tests.assembler import asm, li
from tests.core.chip.packets import BYTES, ENOUGH, PATTERN, RETURN, packet_when
from tests.core.chip.programs import store
from tests.core.wormhole.test_noc_requests import MARKED, WRITE, place, request

LINKS = links_of(2, 1)
NEAR, FAR = LINKS[0]
ONE, OTHER = of_chip((1, 1), 0), of_chip((1, 1), 1)
SENT, CAME = 0x20000, 0x30000
# Of stream 0 (tests/core/wormhole/test_overlay.py).
SPACE, UPDATE = 0xFFB40000 + 4 * 64, 0xFFB40000 + 4 * 34
KERNEL, IRAM_LOAD = 0xA840, KINDS[1].iram_load  # as tt-metal has them


def two_chips(engine: str = "compiled", threads: int = 1) -> Chip:
    places = (ONE, OTHER, *ends_of(LINKS))
    chip = Chip(places, engine=engine, threads=threads, arch=Arch.WORMHOLE, cables=LINKS)
    for machine in chip.tiles.values():
        translate(machine.S)
    chip.cables.tiles[NEAR].write_bytes(SENT, PATTERN)
    return chip


packet = partial(packet_when, CMD)  # which waits until a packet may be sent
SEND = packet(L1_WRITE, start=SENT, size=BYTES, dest=CAME)
CREDIT = packet(MMIO_WRITE, dest=UPDATE, data=3 << 6)


def in_bytes(words: Sequence[int]) -> bytes:
    return b"".join(each.to_bytes(4, "little") for each in words)


def release(chip: Chip, words: Sequence[int]) -> None:
    """Have base firmware of a tile call a program, by its flag, which the program clears."""
    near = chip.cables.tiles[NEAR]
    near.write_bytes(PROGRAM, in_bytes((*words, *store(FLAG, 0), RETURN)))
    chip.wake(NEAR)
    near.write_bytes(FLAG, b"\1\0\0\0")


def word(chip: Chip, where: Place, addr: int) -> int:
    return int.from_bytes(chip.cables.tiles[where].read_bytes(addr, 4), "little")


def test_names_and_where_they_are() -> None:
    """Where the NoC of a chip has them: E0 and E1 in row 0, with translated coordinates."""
    ends = ends_of(LINKS)
    assert [name_of(one) for one in (ONE, *ends)] == [
        *("c0.1-1", "c0.e0", "c0.e1", "c1.e0", "c1.e1"),
    ]
    assert [on_noc(one) for one in ends] == [(9, 0), (1, 0)] * 2
    assert [translated(*on_noc(one)) for one in ends[:2]] == [(25, 16), (18, 16)]
    assert links_of(4, 1) == links_of(1, 1) == ()
    with pytest.raises(ValueError, match="no Tensix tile at 9-0"):
        check([of_chip((1, 2), 0), NEAR], 0)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_base_firmware_calls_a_program_whose_packets_arrive(engine: str) -> None:
    chip = two_chips(engine)
    release(chip, [*SEND, *CREDIT])
    assert chip.run(500) is None
    far = chip.cables.tiles[FAR]
    assert far.read_bytes(CAME, BYTES) == bytes(BYTES), "it is on its way"
    assert not chip.stands_still()
    assert chip.run(ENOUGH) is None
    assert far.read_bytes(CAME, BYTES + 1) == PATTERN + b"\0"
    assert word(chip, FAR, SPACE) == 3
    assert "2 packets have arrived" in chip.cables.lines()[0]
    assert CODE <= chip.tiles[NEAR].read_pc(NC) < CODE + 0x100, "it has returned"
    assert chip.stands_still()
    chip.close()


def test_a_packet_takes_the_time_of_its_bytes_and_of_the_cable() -> None:
    """100 Gb/s at 1 GHz are 25 bytes in two cycles."""
    chip = two_chips()
    near = chip.cables.tiles[NEAR]
    for offset, value in ((START, SENT), (SIZE, BYTES), (DEST, CAME), (CMD, L1_WRITE)):
        near.write_bytes(TXQ + offset, value.to_bytes(4, "little"))
    assert BYTES_IN_TWO_CYCLES == 25
    due = -(-2 * (BYTES + FRAME_BYTES) // 25) + CABLE_CYCLES
    assert near.packets.next_due() == due
    assert chip.run(due - 1) is None
    assert chip.cables.tiles[FAR].read_bytes(CAME, 4) == bytes(4)
    assert chip.run(1) is None
    assert chip.cables.tiles[FAR].read_bytes(CAME, 4) == PATTERN[:4]
    chip.close()


def states(chip: Chip, pieces: int) -> list[str]:
    release(chip, [*SEND, *CREDIT, *SEND, *CREDIT])
    found = []
    for _ in range(8):
        for _ in range(pieces):
            assert chip.run(400 // pieces) is None
        found.append(chip.hash())
    chip.close()
    return found


def test_the_same_hash_with_any_threads_and_pieces() -> None:
    expected = states(two_chips(), 1)
    assert len(set(expected)) > 4
    for threads, pieces in ((1, 16), (2, 1), (4, 16)):
        assert states(two_chips(threads=threads), pieces) == expected
    assert states(two_chips("reference"), 1) == expected


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_program_in_instruction_ram(engine: str) -> None:
    """As tt-metal's firmware starts a kernel: it is copied from L1, and runs from there; what comes
    to L1 after that is not executed."""
    chip = two_chips(engine)
    near = chip.cables.tiles[NEAR]
    near.write_bytes(KERNEL, in_bytes([*store(SENT, 77), RETURN]))
    call = [asm("addi", rd=9, rs1=1), *li(12, IRAM_BASE), asm("jalr", rd=1, rs1=12)]
    load = [*store(IRAM_LOAD, KERNEL >> 4), *li(10, IRAM_LOAD), asm("lw", rd=11, rs1=10)]
    still = [asm("andi", rd=11, rs1=11, imm=1), asm("bne", rs1=11, rs2=0, imm=-8)]
    other = [*store(KERNEL, RETURN)]
    release(chip, [*load, *still, *other, *call, asm("addi", rd=1, rs1=9)])
    assert chip.run(ENOUGH) is None
    assert word(chip, NEAR, SENT) == 77
    assert word(chip, NEAR, KERNEL) == RETURN
    assert word(chip, NEAR, FLAG) == 0
    chip.close()


@pytest.mark.parametrize("niu", [0, 1])
def test_a_tensix_tile_writes_by_translated_coordinates(niu: int) -> None:
    """Those of Ethernet tiles are in the tables of its NIUs, the same on both."""
    chip = two_chips()
    tile = chip.wake(ONE)
    tile.load_bytes(SENT, PATTERN)
    here, there = (place(*translated(*on_noc(one))) for one in (ONE, NEAR))
    steps = request(WRITE | MARKED, SENT, CAME, BYTES, targ_at=here, ret_at=there, niu=niu)
    for step in steps:
        tile.poke(NC, step.addr, step.value.to_bytes(4, "little"))
    assert chip.run(ENOUGH) is None
    assert chip.cables.tiles[NEAR].read_bytes(CAME, BYTES) == PATTERN
    assert chip.cables.tiles[FAR].read_bytes(CAME, BYTES) == bytes(BYTES), "of its own chip"
    chip.close()


def test_a_cable_that_is_cut() -> None:
    chip = two_chips()
    chip.cables.damage((CUT, FAR, 700, 0))
    release(chip, SEND)
    assert chip.run(ENOUGH) is None
    assert chip.cables.tiles[FAR].read_bytes(CAME, 16) == bytes(16)
    assert chip.stands_still(), "nothing comes any more"
    assert chip.cables.lines()[0] == (
        "c0.e0 to c1.e0: nothing has arrived; the cable is cut since cycle 700"
    )
    chip.close()


def test_what_a_driver_reads_and_writes() -> None:
    """tt-umd's topology discovery: versions, training, both chips and channels."""
    chip = two_chips()
    near = chip.cables.tiles[NEAR]
    assert word(chip, NEAR, 0x210) == 6 << 16 | 14 << 12
    assert word(chip, NEAR, 0x104C) == 0, "routing is not disabled"
    assert word(chip, NEAR, 0x1104) == 1
    sides = [[word(chip, NEAR, RESULTS + 4 * (at + i)) for i in (0, 1, 4)] for at in (64, 72)]
    assert sides == [[1, 1, 0], [2, 2, 0]]
    assert word(chip, NEAR, 0x1100 + 4 * 9) == 1 << 16 | 0 << 10 | 9 << 4
    assert word(chip, NEAR, word(chip, NEAR, FUNCTIONS_AT)) == RETURN
    before, state = word(chip, NEAR, HEARTBEAT), chip.hash()
    assert before >> 16 == 0xABCD
    assert word(chip, NEAR, HEARTBEAT) > before, "each time that a host looks"
    assert chip.hash() == state
    assert chip.run(ENOUGH) is None
    assert word(chip, NEAR, HEARTBEAT) > before
    assert word(chip, NEAR, SOFT_RESET_0) == 0
    near.write_bytes(SOFT_RESET_0, (0x47800).to_bytes(4, "little"))
    assert word(chip, NEAR, SOFT_RESET_0) == 0x800, "there is one core"
    assert chip.tiles[NEAR].S.hart.in_reset[NC]
    near.write_bytes(SOFT_RESET_0, bytes(4))
    assert chip.run(ENOUGH) is None
    assert CODE <= chip.tiles[NEAR].read_pc(NC) < CODE + 0x100
    for addr in (256 << 10, 0x3FFFE, 0xFFB98000):
        with pytest.raises(MemoryFault, match=r"c0\.e0"):
            near.read_bytes(addr, 4)
    chip.close()


def test_what_is_not_there() -> None:
    near = (chip := two_chips()).cables.tiles[NEAR]
    for addr, value, said in (
        (TXQ, 0, "TX queue in raw mode"),
        (0xFFB92000, 0, "RX queue in raw mode"),
        (TXQ + 0x1000 + CMD, MMIO_WRITE, "command 4 is not emulated"),
        (TXQ + CMD, 1, "command 1 is not emulated"),
        (TXQ + 0x2000 + CMD, L1_WRITE, "nothing is known"),
        (IRAM_LOAD, 0x3F000 >> 4, "L1 ends before"),
    ):
        with pytest.raises(MemoryFault, match=said):
            near.write(addr, value)
    chip.close()


def test_a_packet_that_cannot_be_written_stops_its_sender() -> None:
    """A word for what the other tile has not: the core that has sent it is named."""
    chip = two_chips()
    release(chip, packet(MMIO_WRITE, dest=0xFFB98000, data=1))
    stop = chip.run(ENOUGH)
    assert stop is not None
    assert (stop.place, stop.stop.hart) == (NEAR, NC)
    assert "register 0xffb98000 of Ethernet tile c1.e0 is written" in stop.stop.text
    chip.close()
