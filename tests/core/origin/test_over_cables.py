# SPDX-License-Identifier: Apache-2.0
"""Origins go over cables: from a tile of one chip to the store on another chip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.ethernet.kind import STATUS, TXQ
from tensix_gdb.core.chip.ethernet.packets import L1_WRITE, MMIO_WRITE
from tensix_gdb.core.chip.recording import ChipRecording, save
from tensix_gdb.core.chip.replayable import ChipHistory, begin_chip_history
from tensix_gdb.core.origin.ask import origins
from tensix_gdb.core.origin.of_chip import of_history
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.places.place import NotAPlace
from tests.assembler import asm, image, li
from tests.core.chip.programs import (
    DATA,
    MARKED,
    RESULT,
    WRITE,
    at,
    barrier,
    load,
    request,
    store,
)
from tests.core.chip.test_ethernet import (
    CAME,
    ENOUGH,
    FAR,
    ONE,
    OTHER,
    SENT,
    packet,
    release,
    two_chips,
)

VALUE, NEXT, STREAM = 0x1234, 0x4000, 0x5000
E4 = 20 | 25 << 6  # channel 4 in the coordinates that programs use


def run(history: ChipHistory) -> None:
    history.note_inputs()
    assert history.run(ENOUGH) is None


@pytest.fixture(scope="module")
def far() -> Iterator[tuple[Chip, ChipHistory]]:
    """B of c0.1-2 stores a word and sends it to c0.e4; E0 there sends it, and a status that it has
    read, over the cable; E0 of c1.e4 writes both to c1.1-2."""
    chip = two_chips()
    history = begin_chip_history(chip)
    sends = request(WRITE | MARKED, DATA, at((1, 2)), SENT, E4, 16)
    load(chip, ONE, [*store(DATA, VALUE), asm("fence"), *sends, *barrier(0)])
    run(history)
    reads = [
        *li(10, TXQ + STATUS),
        asm("lw", rd=11, rs1=10),
        asm("addi", rd=11, rs1=11, imm=7),
        *li(10, SENT + 16),
        asm("sw", rs1=10, rs2=11),
        asm("fence"),
    ]
    release(
        chip,
        [
            *reads,
            *packet(L1_WRITE, start=SENT, size=32, dest=CAME),
            *packet(MMIO_WRITE, dest=STREAM, data=99),
        ],
    )
    run(history)
    writes = request(WRITE | MARKED, CAME, 0, RESULT, at((1, 2)), 32)
    release(chip, [*writes, *barrier(0)], FAR)
    run(history)
    yield chip, history
    chip.close()


def ask(chip: Chip, history: ChipHistory, words: str, place: tuple[int, int]) -> Origin:
    rerun = of_history(chip, history)
    try:
        tile = list(chip.tiles).index(place)
        (tree,) = origins(rerun.machines[tile], rerun, words.split(), tile=tile).trees
        return tree
    finally:
        rerun.close()


def way(origin: Origin) -> list[Origin]:
    """An answer in which each datum was made of one other."""
    found = [origin]
    while found[-1].made_of:
        (only,) = found[-1].made_of
        found.append(only)
    return found


def test_a_word_was_stored_on_the_other_chip(far: tuple[Chip, ChipHistory]) -> None:
    before = far[0].hash()
    steps = way(ask(*far, f"{RESULT:#x}:4", OTHER))
    assert far[0].hash() == before, "a copy goes through the history"
    assert [step.what for step in steps[:4]] == [
        f"c1.1-2 L1 {RESULT:#x}:4",
        f"c1.e4 L1 {CAME:#x}:4",
        f"c0.e4 L1 {SENT:#x}:4",
        f"c0.1-2 L1 {DATA:#x}:4",
    ]
    assert {tuple(step.values) for step in steps[:4]} == {(f"{VALUE:#010x}",)}
    said = ["a request of NoC 0 that c1.e4 B has", "a packet of c0.e4 TX queue 0 that B has sent"]
    said += ["a request of NoC 0 that c0.1-2 B has", "sw of c0.1-2 B"]
    assert all(step.by.startswith(one) for step, one in zip(steps, said, strict=False)), steps


def test_what_an_ethernet_register_has_answered(far: tuple[Chip, ChipHistory]) -> None:
    steps = way(ask(*far, f"{RESULT + 16:#x}:4", OTHER))
    assert steps[0].values == ["0x00000007"]
    assert [step.by.split()[0] for step in steps[3:-1]] == ["addi"]
    assert steps[-1].by.startswith("an access of c0.e4 B to Ethernet registers")


def test_a_word_that_a_packet_has_itself(far: tuple[Chip, ChipHistory]) -> None:
    (only,) = way(ask(*far, f"{STREAM:#x}:4", FAR))
    assert only.values == [f"{99:#010x}"]
    assert only.by.startswith("a packet of c0.e4 TX queue 0 that B has sent")


def test_memory_of_each_chip_has_a_name(far: tuple[Chip, ChipHistory]) -> None:
    own = ask(*far, "DRAM 3 0x100:4", OTHER)
    assert own.what == "c1.DRAM 3 0x100:4"
    assert ask(*far, "c0.DRAM 3 0x100:4", OTHER).what == "c0.DRAM 3 0x100:4"
    with pytest.raises(NotAPlace, match=r"there is no c2\.DRAM 3"):
        ask(*far, "c2.DRAM 3 0x100:4", OTHER)


def test_of_a_recording(far: tuple[Chip, ChipHistory], tmp_path: Path) -> None:
    save(tmp_path / "far", *far)
    recording = ChipRecording(tmp_path / "far")
    again = recording.chip(engine="compiled")
    history = begin_chip_history(again)
    for _ in recording.play(again, history):
        pass
    assert len(way(ask(again, history, f"{RESULT:#x}:4", OTHER))) >= 4
    again.close()


def test_lines_are_read_in_the_programs_of_their_time() -> None:
    """A launch after another one has other programs at the same addresses."""
    chip = two_chips()
    history = begin_chip_history(chip)
    first, second = image(store(DATA, 1), 0x6000), image(store(DATA, 2), 0x6000)
    ends = []
    for number, one in enumerate((first, second)):
        chip.tiles[ONE].loader.set_hosted("kernels", [one])
        chip.tiles[ONE].load_bytes(RESULT, bytes([number + 1]))
        history.note_inputs()
        assert history.run(100) is None
        history.suspend()
        ends.append(chip.cycle)
    rerun = of_history(chip, history)
    (machine, *_) = rerun.machines
    assert machine.images == [second]
    for end, program in ((ends[0], first), (ends[1], second), (ends[0], first)):
        rerun.programs_at(end - 1)
        assert machine.images == [program]
    assert chip.tiles[ONE].images == [second], "a copy has them"
    rerun.close()
    chip.close()
