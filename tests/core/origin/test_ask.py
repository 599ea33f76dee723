# SPDX-License-Identifier: Apache-2.0
"""Questions about programs of one hart: the exact store of each byte, and what it was made of."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0, B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import origins
from tensix_gdb.core.origin.query import NotRepeated
from tensix_gdb.core.origin.rerun import Again, OfHistory
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import (
    COPY,
    MARKED,
    READ,
    RESULT,
    WRITE,
    barrier,
    copy_word,
    request,
    store,
)
from tests.core.chip.programs import DATA as SOURCE
from tests.core.origin.programs import CODE, DATA, bytes_into_a_line, of_words, typed_back
from tests.core.race.network.test_noc import HERE, RD_RESP, counted, poll

SCHEDULES = (
    *(Execution(Schedule.SC), Execution(Schedule.LATENCY)),
    *(Execution(Schedule.RANDOM, seed) for seed in range(3)),
)
WORDS = bytes_into_a_line()
DRAM_0 = 0  # where it is on the NoC
SW, ADD, SB_0, SB_1 = (CODE + 4 * (len(WORDS) - 4 + i) for i in range(4))


@pytest.fixture(params=SCHEDULES, ids=str)
def machine(request: pytest.FixtureRequest) -> Machine:
    made = of_words(request.param, WORDS)
    run_to_cycle(made, 400)
    return made


def ask(machine: Machine, text: str) -> Origin:
    before = machine.hash()
    found = origins(machine, Again(machine), text.split())
    assert found.is_whole
    assert machine.hash() == before, "the tile is put back"
    (tree,) = found.trees
    typed_back(tree)
    return tree


def leaf(origin: Origin) -> Origin:
    while origin.made_of:
        (origin,) = origin.made_of
    return origin


def test_each_byte_has_its_own_store(machine: Machine) -> None:
    assert ask(machine, f"{DATA:#x}:1").pc == SB_0
    assert ask(machine, f"{DATA + 1:#x}:1").pc == SB_1
    assert ask(machine, f"{DATA + 2:#x}:2").pc == SW


def test_stores_that_have_merged_are_told_apart(machine: Machine) -> None:
    """The line of the stores may be written in one cycle."""
    found = origins(machine, Again(machine), [f"{DATA:#x}:4"])
    assert {tree.pc: (tree.what, tree.values) for tree in found.trees} == {
        SB_0: (f"L1 {DATA:#x}:1", ["0x11"]),
        SB_1: (f"L1 {DATA + 1:#x}:1", ["0x22"]),
        SW: (f"L1 {DATA + 2:#x}:2", ["0x7777"]),
    }


def test_what_it_was_made_of(machine: Machine) -> None:
    tree = ask(machine, f"{DATA + 1:#x}:1")
    assert tree.values == ["0x22"]
    (sum_,) = tree.made_of
    assert (sum_.what, sum_.pc) == ("reg T0 a1", ADD)
    assert leaf(tree).note.startswith("a constant")
    assert leaf(tree).what == "reg T0 a0"


def test_nothing_is_invented_of_what_was_never_written(machine: Machine) -> None:
    tree = ask(machine, "$lreg3.f[7]")
    assert tree.note == "nothing has written it since the reset"
    assert not tree.made_of
    assert ask(machine, "0x30000").note.startswith("nothing has written it since the reset, unless")


def test_a_register(machine: Machine) -> None:
    assert ask(machine, "reg T0 a1").pc == ADD


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dst 5000", "there is no row 5000"),
        ("cfg NOTHING", "no field of the configuration"),
        ("0x7fffffff", "is not in L1"),
        ("gpr 5", "of which thread"),
        ("hello", "is no place"),
        ("gpr T7 5", "there is no thread 7"),
    ],
)
def test_what_is_no_place(text: str, said: str) -> None:
    machine = of_words(SCHEDULES[0], WORDS)
    with pytest.raises(NotAPlace, match=said):
        origins(machine, Again(machine), text.split())


def test_what_was_poked_is_no_past_of_a_reset() -> None:
    machine = of_words(SCHEDULES[1], WORDS)
    run_to_cycle(machine, 400)
    machine.poke(T0, DATA, b"\x01")
    with pytest.raises(NotRepeated):
        origins(machine, Again(machine), [f"{DATA:#x}"])


def test_inputs_of_a_history_are_made_again() -> None:
    machine = of_words(SCHEDULES[1], WORDS)
    history = begin_history(machine)
    history.resume()
    run_to_cycle(machine, 400)
    history.suspend()
    machine.poke(T0, DATA + 1, b"\x55")
    history.resume()
    run_to_cycle(machine, 401)
    machine.S.tile.cycle += 0
    history.suspend()
    found = origins(machine, OfHistory(machine, history.past_of_here()), [f"{DATA:#x}:2"])
    notes = {origin.what: origin.note for tree in found.trees for origin in (tree,)}
    assert any("from outside while the tile was stopped" in note for note in notes.values()), notes
    assert any(tree.pc == SB_0 for tree in found.trees)


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_after_steps_of_a_hart(steps: int) -> None:
    """A step ends in the middle of a cycle."""
    machine = of_words(SCHEDULES[1], WORDS)
    history = begin_history(machine)
    history.resume()
    run_to_cycle(machine, 5)
    for _ in range(steps):
        machine.step(T0)
        machine.run(1000)
        machine.disarm()
    history.suspend()
    before = machine.hash()
    (tree,) = origins(
        machine, OfHistory(machine, history.past_of_here()), ["reg", "T0", "a2"]
    ).trees
    assert tree.by.startswith(("lui of T0", "mv of T0"))
    assert machine.hash() == before


@pytest.mark.parametrize("schedule", ["sc", "latency", "random:3"])
def test_through_dram(schedule: str) -> None:
    """A word that was stored, written to DRAM and read back to another place."""
    words = [
        *store(SOURCE, 0x1234),
        *poll(SOURCE, 0x1234),
        *request(WRITE | MARKED, SOURCE, HERE, 0x1000, DRAM_0, 64),
        *barrier(0),
        *request(READ, 0x1000, DRAM_0, COPY, HERE, 64),
        *barrier(0),
        *copy_word(COPY, RESULT),
        SPIN,
    ]
    machine = Machine(engine="compiled", schedule=Execution.parse(schedule))
    machine.load(B, image(words, 0))
    run_to_cycle(machine, 6000)
    found = origins(machine, Again(machine), [f"{RESULT:#x}"])
    whats = []
    (tree,) = found.trees
    while tree.made_of:
        whats.append(tree.what.partition(":")[0])
        tree = tree.made_of[0]
    assert whats[:5] == [
        *(f"L1 {RESULT:#x}", "reg B a1", f"L1 {COPY:#x}", "DRAM 0 0x1000", f"L1 {SOURCE:#x}")
    ]


@pytest.mark.parametrize("schedule", ["latency", "random:3"])
def test_through_the_noc(schedule: str) -> None:
    """A word that was stored, read by an NIU into another place, and copied by a hart."""
    words = [
        *store(SOURCE, 0x1234),
        *poll(SOURCE, 0x1234),
        *request(READ, SOURCE, HERE, COPY, HERE, 64),
        *counted(RD_RESP, 1),
        *copy_word(COPY, RESULT),
    ]
    machine = Machine(engine="compiled", schedule=Execution.parse(schedule))
    machine.load(B, image([*words, SPIN], 0))
    run_to_cycle(machine, 1000)
    tree = ask(machine, f"{RESULT:#x}")
    chain = [tree]
    while chain[-1].made_of:
        chain += chain[-1].made_of
    assert [one.what for one in chain[:5]] == [
        f"L1 {RESULT:#x}:4",
        "reg B a1",
        f"L1 {COPY:#x}:4",
        f"L1 {SOURCE:#x}:4",
        "reg B a1",
    ]
    assert {one.values[0] for one in chain[:5]} == {"0x00001234", "0x1234"}
    assert chain[2].by.startswith("a request of NoC 0 that B has made at ")


def test_local_ram() -> None:
    machine = of_words(
        SCHEDULES[1],
        [
            *li(12, LOCAL_BASE + 16),
            asm("addi", rd=11, rs1=0, imm=7),
            asm("sw", rs1=12, rs2=11, imm=0),
        ],
    )
    run_to_cycle(machine, 400)
    tree = ask(machine, f"local T0 {LOCAL_BASE + 16:#x}")
    assert tree.what == f"local T0 {LOCAL_BASE + 16:#x}:4"
    assert (tree.values, tree.made_of[0].what) == (["0x00000007"], "reg T0 a1")
    with pytest.raises(NotAPlace, match="is not in the local RAM of T0"):
        ask(machine, "local T0 0x1000")
