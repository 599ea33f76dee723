# SPDX-License-Identifier: Apache-2.0
"""Two chips and a cable: packets, base firmware, coordinates, threads, what is not there."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.ethernet.base_firmware import (
    API,
    CODE,
    DONE,
    HEARTBEAT,
    LOCAL,
    MAILBOX,
    RELEASE_CORE,
    REMOTE,
)
from tensix_gdb.core.chip.ethernet.cables import CUT, LATE, LOSE
from tensix_gdb.core.chip.ethernet.kind import (
    CMD,
    DATA,
    DEST,
    KINDS,
    SIZE,
    SOFT_RESET_0,
    START,
    STATUS,
    TXQ,
)
from tensix_gdb.core.chip.ethernet.packets import (
    BYTES_A_CYCLE,
    CABLE_CYCLES,
    FRAME_BYTES,
    L1_WRITE,
    MMIO_WRITE,
)
from tensix_gdb.core.chip.links import CHANNELS, channels_of, ends_of, links_of
from tensix_gdb.core.chip.places import Place, name_of, of_chip, on_noc
from tensix_gdb.core.chip.recording import ChipRecording, save
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.devices.niu import translate
from tensix_gdb.core.devices.overlay import OVERLAY_BASE, SPACE_AVAILABLE
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.request import SRC_INCLUDE
from tensix_gdb.core.noc.state import WR_ACK_RECEIVED
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, li
from tests.core.chip.packets import BYTES, ENOUGH, PATTERN, RETURN, packet_when
from tests.core.chip.programs import (
    BROADCAST,
    COPY,
    MARKED,
    RESULT,
    WRITE,
    at,
    barrier,
    load,
    request,
    store,
)
from tests.core.chip.programs import DATA as NEAR_DATA

PCS_STATUS, E1_RESET = KINDS[0].link_status, 1 << 12
LINKS = links_of(2)
NEAR, FAR = LINKS[0]
ONE, OTHER = of_chip((1, 2), 0), of_chip((1, 2), 1)
PROGRAM, SENT, CAME = 0x1000, 0x2000, 0x3000
SPACE = OVERLAY_BASE + 4 * SPACE_AVAILABLE
UPDATE = OVERLAY_BASE + 4 * 270  # REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE of stream 0


def two_chips(
    engine: str = "compiled", schedule: Schedule = Schedule.LATENCY, threads: int = 1
) -> Chip:
    places = (ONE, OTHER, *ends_of(LINKS))
    chip = Chip(places, engine=engine, schedule=schedule, threads=threads, cables=LINKS)
    for machine in chip.tiles.values():
        translate(machine.S)
    chip.cables.tiles[NEAR].write_bytes(SENT, PATTERN)
    return chip


packet = partial(packet_when, STATUS)  # which waits until a packet may be sent
SEND = packet(L1_WRITE, start=SENT, size=BYTES, dest=CAME)
CREDIT = packet(MMIO_WRITE, dest=UPDATE, data=3 << 6)


def release(chip: Chip, words: Sequence[int], place: Place = NEAR) -> None:
    """Have base firmware of a tile call a program, by a message of the host."""
    near = chip.cables.tiles[place]
    near.write_bytes(PROGRAM, b"".join(word.to_bytes(4, "little") for word in (*words, RETURN)))
    chip.wake(place)
    near.write_bytes(MAILBOX + 4, PROGRAM.to_bytes(4, "little"))
    near.write_bytes(MAILBOX, RELEASE_CORE.to_bytes(4, "little"))


def word(chip: Chip, place: tuple[int, int], addr: int) -> int:
    return int.from_bytes(chip.cables.tiles[place].read_bytes(addr, 4), "little")


def test_names() -> None:
    assert [name_of(place) for place in (ONE, OTHER, *ends_of(LINKS))] == [
        *("c0.1-2", "c1.1-2", "c0.e4", "c0.e5", "c1.e4", "c1.e5"),
    ]
    assert name_of((1, 2)) == "1-2"
    with pytest.raises(ValueError, match="several chips"):
        Chip((ONE, (1, 2)), engine="reference")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_base_firmware_calls_a_program_whose_packets_arrive(engine: str) -> None:
    chip = two_chips(engine)
    release(chip, [*SEND, *CREDIT])
    assert chip.run(60) is None
    far = chip.cables.tiles[FAR]
    assert chip.run(500) is None
    assert word(chip, NEAR, MAILBOX) == DONE
    assert far.read_bytes(CAME, BYTES) == bytes(BYTES), "it is on its way"
    assert len(chip.cables.lines()) == 6
    assert not chip.stands_still()
    assert chip.run(ENOUGH) is None
    assert far.read_bytes(CAME, BYTES + 1) == PATTERN + b"\0"
    assert int.from_bytes(far.access.read(SPACE, 4), "little") == 3
    assert "2 packets have arrived" in chip.cables.lines()[0]
    assert CODE <= chip.tiles[NEAR].read_pc(B) < CODE + 0x100, "it has returned"
    assert chip.stands_still()
    chip.close()


def test_a_packet_takes_the_time_of_its_bytes_and_of_the_cable() -> None:
    chip = two_chips()
    near = chip.cables.tiles[NEAR]
    for offset, value in ((START, SENT), (SIZE, BYTES), (DEST, CAME), (CMD, L1_WRITE)):
        near.write_bytes(TXQ + offset, value.to_bytes(4, "little"))
    due = -(-(BYTES + FRAME_BYTES) // BYTES_A_CYCLE) + CABLE_CYCLES
    assert near.packets.next_due() == due
    assert chip.run(due - 1) is None
    assert chip.cables.tiles[FAR].read_bytes(CAME, 4) == bytes(4)
    assert chip.run(1) is None
    assert chip.cables.tiles[FAR].read_bytes(CAME, 4) == PATTERN[:4]
    chip.close()


def states(chip: Chip, pieces: int) -> list[str]:
    release(chip, [*SEND, *CREDIT, *SEND, *CREDIT])
    load(chip, ONE, request(WRITE | MARKED, NEAR_DATA, at((1, 2)), COPY, 20 | 25 << 6, 64))
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
    for threads in (1, 2, 4):
        for pieces in (1, 16):
            assert states(two_chips(threads=threads), pieces) == expected
    assert states(two_chips("reference"), 1) == expected


def test_four_chips_have_the_same_hash_with_any_threads() -> None:
    """A packet along a row and one along a column, which arrive on their own chips."""
    links = links_of(4)
    places = (*(of_chip((1, 2), chip) for chip in range(4)), *ends_of(links))
    found = []
    for threads in (1, 2, 4):
        chip = Chip(places, threads=threads, cables=links)
        for near, _ in (links[0], links[2]):
            chip.cables.tiles[near].write_bytes(SENT, PATTERN)
            release(chip, SEND, near)
        assert chip.run(ENOUGH) is None
        arrived = [
            name_of(place)
            for place, tile in chip.cables.tiles.items()
            if tile.read_bytes(CAME, BYTES) == PATTERN
        ]
        assert arrived == ["c1.e4", "c2.e6"]
        found.append(chip.hash())
        chip.close()
    assert len(set(found)) == 1


def test_a_copy_has_what_is_on_the_cable() -> None:
    chip = two_chips()
    release(chip, SEND)
    assert chip.run(500) is None
    copy = chip.capture()
    assert chip.run(ENOUGH) is None
    after = chip.hash()
    chip.restore(copy)
    assert not chip.cables.is_quiet()
    assert chip.run(ENOUGH) is None
    assert chip.hash() == after
    chip.close()


def test_a_recording_has_the_cables_and_where_they_are_cut(tmp_path: Path) -> None:
    chip = two_chips()
    chip.cables.damage((CUT, NEAR, 1500, 0))
    history = begin_chip_history(chip)
    release(chip, [*SEND, *CREDIT])
    history.note_inputs()
    assert history.run(ENOUGH) is None
    save(tmp_path / "two chips", chip, history)
    expected, cycle = chip.hash(), chip.cycle
    chip.close()
    recording = ChipRecording(tmp_path / "two chips")
    for threads in (1, 4):
        again = recording.chip(engine="compiled", threads=threads)
        assert list(recording.play(again))[-1] == cycle
        assert again.hash() == expected
        assert again.cables.lines()[0].endswith("the cable is cut since cycle 1500")
        again.close()


def test_in_random_packets_are_late_and_in_order() -> None:
    chip = two_chips(schedule=Schedule.RANDOM)
    near = chip.cables.tiles[NEAR]
    dues = []
    for number in range(32):
        near.write(TXQ + DEST, UPDATE)
        near.write(TXQ + DATA, number << 6)
        near.write(TXQ + CMD, MMIO_WRITE)
        dues.append(near.packets._packet(number)[0])
    steps = {after - before for before, after in itertools.pairwise(dues)}
    assert dues == sorted(dues)
    assert max(steps) > 20
    chip.close()


def test_a_cable_that_is_cut() -> None:
    chip = two_chips()
    chip.cables.damage((CUT, FAR, 700, 0))
    assert word(chip, NEAR, PCS_STATUS) == 1
    release(chip, [*SEND, *packet(L1_WRITE, start=SENT, size=16, dest=CAME)])
    assert chip.run(ENOUGH) is None
    assert chip.cables.tiles[FAR].read_bytes(CAME, 16) == bytes(16)
    assert word(chip, NEAR, PCS_STATUS) == 0
    assert chip.stands_still(), "nothing comes any more"
    lines = chip.cables.lines()
    assert lines[0] == "c0.e4 to c1.e4: nothing has arrived; the cable is cut since cycle 700"
    assert lines[1] == f"    under way: {BYTES} bytes from 0x2000 to 0x3000, will not arrive"
    chip.close()


def test_a_packet_that_is_lost_and_those_after_it(tmp_path: Path) -> None:
    """One is lost, and the queue does not know; a recording has the fault."""
    chip = two_chips()
    chip.cables.damage((LOSE, NEAR, 0, 0))
    history = begin_chip_history(chip)
    release(chip, [*SEND, *packet(L1_WRITE, start=SENT, size=16, dest=CAME + 0x1000)])
    history.note_inputs()
    assert history.run(ENOUGH) is None
    far = chip.cables.tiles[FAR]
    assert far.read_bytes(CAME, 16) == bytes(16)
    assert far.read_bytes(CAME + 0x1000, 16) == PATTERN[:16]
    assert "; one was lost on purpose, from cycle 0 on" in chip.cables.lines()[0]
    save(tmp_path / "lost", chip, history)
    expected = chip.hash()
    chip.close()
    recording = ChipRecording(tmp_path / "lost")
    again = recording.chip(engine="compiled")
    assert list(recording.play(again))
    assert again.hash() == expected
    again.close()


def test_packets_that_are_late() -> None:
    due = []
    for late in (0, 5000):
        chip = two_chips()
        chip.cables.damage((LATE, NEAR, 10, late))
        release(chip, SEND)
        assert chip.run(ENOUGH) is None
        arrived = chip.cables.tiles[FAR].read_bytes(CAME, 16) == PATTERN[:16]
        assert arrived is not bool(late)
        due.append(chip.cables.tiles[NEAR].packets._packet(0)[0])
        assert chip.run(5000) is None
        assert chip.cables.tiles[FAR].read_bytes(CAME, 16) == PATTERN[:16]
        assert f"they are {late} cycles late since cycle 10" in chip.cables.lines()[0]
        chip.close()
    assert due[1] == due[0] + 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (packet(1), "command 1 is not emulated"),
        (packet(L1_WRITE, start=8, size=16, dest=0), "are no words of 16 bytes"),
        (packet(L1_WRITE, start=0x7FFF0, size=32, dest=0), "which end at 0x80000"),
        (store(TXQ, 2), "a TX queue in raw mode"),
        (store(0xFFB94000, 0), "an RX queue in raw mode"),
        ([*li(10, 0xFFB9C000), asm("lw", rd=11, rs1=10)], "nothing is known of it here"),
    ],
)
def test_what_is_not_there_stops_with_a_sentence(words: list[int], said: str) -> None:
    chip = two_chips()
    release(chip, words)
    stop = chip.run(ENOUGH)
    assert stop is not None
    assert stop.place == NEAR
    assert "c0.e4" in stop.stop.text
    assert said in stop.stop.text
    chip.close()


def test_a_credit_for_a_register_that_is_not_there_stops_the_sender() -> None:
    chip = two_chips()
    release(chip, packet(MMIO_WRITE, dest=0xFFB80000, data=1))
    stop = chip.run(ENOUGH)
    assert stop is not None
    assert stop.place == NEAR
    assert "0xffb80000" in stop.stop.text
    chip.close()


def test_tiles_reach_ethernet_by_its_translated_coordinates_on_both_networks() -> None:
    chip = two_chips()
    chip.tiles[ONE].load_bytes(NEAR_DATA, PATTERN)
    words: list[int] = []
    for niu in (0, 1):
        ret = 0x9000 + 0x100 * niu
        words += request(
            WRITE | MARKED, NEAR_DATA, 1 | 2 << 6, ret, 20 | 25 << 6, BYTES, niu=niu
        ) + barrier(niu)
    load(chip, ONE, words)
    assert chip.run(ENOUGH) is None
    near = chip.cables.tiles[NEAR]
    assert near.read_bytes(0x9000, 2 * BYTES) == 2 * PATTERN
    assert chip.cables.tiles[FAR].read_bytes(0x9000, BYTES) == bytes(BYTES), "of its own chip"
    chip.close()


def test_chips_have_dram_and_networks_of_their_own() -> None:
    chip = two_chips()
    dram = at(DRAM[2][0])
    chip.tiles[OTHER].load_bytes(NEAR_DATA, PATTERN)
    load(chip, OTHER, request(WRITE | MARKED, NEAR_DATA, at((1, 2)), RESULT, dram, 64) + barrier(0))
    assert chip.run(ENOUGH) is None
    assert chip.outsides[1].dram[2].read(RESULT, 64) == PATTERN[:64]
    assert chip.outsides[0].dram[2].read(RESULT, 64) == bytes(64)
    chip.close()


def test_what_a_driver_reads_and_writes() -> None:
    chip = two_chips()
    near = chip.cables.tiles[NEAR]
    assert word(chip, NEAR, 0x7CC00) == 0xC0DEA000  # the postcode
    assert struct.unpack("<2I", near.read_bytes(0x7CC04, 8)) == (1, 2)  # up, trained
    assert (near.read_bytes(LOCAL + 2, 1), near.read_bytes(REMOTE + 2, 1)) == (b"\x04", b"\x04")
    boards = [word(chip, NEAR, at + 8) for at in (LOCAL, REMOTE)]
    assert boards == [1, 2]
    returns = word(chip, NEAR, word(chip, NEAR, API))
    assert returns == RETURN
    before, state = word(chip, NEAR, HEARTBEAT), chip.hash()
    assert before >> 16 == 0xABCD
    assert word(chip, NEAR, HEARTBEAT) > before, "each time that a host looks"
    assert chip.hash() == state
    assert chip.run(ENOUGH) is None
    assert word(chip, NEAR, HEARTBEAT) > before
    with pytest.raises(MemoryFault, match=r"c0\.e4"):
        near.read_bytes(512 << 10, 4)
    with pytest.raises(MemoryFault, match=r"c0\.e4"):
        near.write_bytes(0x7FFFE, b"1234")
    chip.close()


def test_a_host_starts_the_second_core() -> None:
    chip = two_chips()
    near = chip.cables.tiles[NEAR]
    code = [*li(10, RESULT), *li(11, 77), asm("sw", rs1=10, rs2=11), asm("jal")]
    near.write_bytes(PROGRAM, b"".join(each.to_bytes(4, "little") for each in code))
    chip.wake(NEAR)
    assert word(chip, NEAR, SOFT_RESET_0) == E1_RESET
    near.write_bytes(0xFFB14008, PROGRAM.to_bytes(4, "little"))
    near.write_bytes(SOFT_RESET_0, bytes(4))
    assert chip.run(ENOUGH) is None
    assert (word(chip, NEAR, RESULT), word(chip, NEAR, SOFT_RESET_0)) == (77, 0)
    assert PROGRAM <= chip.tiles[NEAR].read_pc(NC) < PROGRAM + 32
    near.write_bytes(SOFT_RESET_0, E1_RESET.to_bytes(4, "little"))
    assert word(chip, NEAR, SOFT_RESET_0) == E1_RESET
    chip.close()


def test_a_broadcast_is_for_tensix_tiles() -> None:
    """An Ethernet tile is in a rectangle of the chip here, and has opted out of it."""
    chip = two_chips()
    chip.tiles[ONE].load_bytes(NEAR_DATA, PATTERN)
    rectangle = (16 | 11 << 6) | (1 | 2 << 6) << 12
    words = request(
        WRITE | MARKED | BROADCAST | SRC_INCLUDE, NEAR_DATA, at((1, 2)), RESULT, rectangle, 64
    )
    load(chip, ONE, words)
    assert chip.run(ENOUGH) is None
    assert chip.tiles[ONE].peek(B, RESULT, 64) == PATTERN[:64]
    assert chip.cables.tiles[NEAR].read_bytes(RESULT, 64) == bytes(64)
    assert chip.tiles[ONE].S.noc.counter[0, WR_ACK_RECEIVED] == 1
    chip.close()


@pytest.mark.parametrize(("chips", "count", "channels"), [(2, 2, 2), (4, 8, 4), (8, 24, 6)])
def test_how_chips_are_joined(chips: int, count: int, channels: int) -> None:
    """Each channel of each chip has one cable, and leads to the same one of another chip."""
    links = links_of(chips)
    ends = ends_of(links)
    assert len(links) == count
    assert len(ends) == len(set(ends)) == chips * channels
    assert all(on_noc(one) == on_noc(other) and one != other for one, other in links)
    assert channels_of(chips) == CHANNELS[:channels], "as NIUs translate them"
    assert links_of(1) == links_of(3) == ()
