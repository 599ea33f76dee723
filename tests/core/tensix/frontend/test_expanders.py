# SPDX-License-Identifier: Apache-2.0
"""MOP and Replay expanders against the model of core/assembly/expand.py, which is a generator."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.assembly.expand import expand
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.frontend import fifo, mop_expander, replay_expander
from tests.core.tensix.programs import word
from tests.forms import rounds

NOP = word("NOP")
PLAIN = st.integers(0, 0xFFFF).map(lambda n: word(f"SETDMAREG new_value={n}, result_half_reg=2"))
NOT_A_MOP = st.one_of(st.just(NOP), PLAIN)
MOP_CFG = st.integers(0, 0xFFFF).map(lambda n: word(f"MOP_CFG mask_hi={n}"))
MOP = st.one_of(
    st.just(0x01800000),
    st.tuples(st.integers(0, 20), st.integers(0, 0xFFFF)).map(
        lambda both: 0x01000000 | both[0] << 16 | both[1]
    ),
)
RECORD = st.tuples(st.integers(0, 31), st.integers(1, 6), st.integers(0, 1)).map(
    lambda r: (word(f"REPLAY index={r[0]}, count={r[1]}, exec={r[2]}, load=1"), r[1])
)
PLAY = st.builds(
    lambda index, count: word(f"REPLAY index={index}, count={count}, exec=0, load=0"),
    st.integers(0, 31),
    st.integers(0, 32),
)


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Words that are pushed, and a MopCfg; all 32 replay entries are recorded first."""
    config = [
        draw(st.integers(0, 4)),
        draw(st.integers(0, 4)),
        *(draw(NOT_A_MOP) for _ in range(7)),
    ]
    if config[0] == 1 and config[1] == 0:
        config[2] = draw(PLAIN)  # otherwise nobody knows
    words = [word("REPLAY index=0, count=32, exec=0, load=1")]
    words += [draw(PLAIN) for _ in range(32)]
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from("pcmrb"))
        if kind == "b":
            record, count = draw(RECORD)
            words += [record, *(draw(NOT_A_MOP) for _ in range(count))]
        else:
            words.append(draw({"p": NOT_A_MOP, "c": MOP_CFG, "m": MOP, "r": PLAY}[kind]))
    return words, config


def expanded(words: Sequence[int], config: Sequence[int], taken: Sequence[int]) -> list[int]:
    """Return what comes out of FIFO C, when it is emptied in the cycles that `taken` says."""
    record = Record(LAYOUT)
    S = record.S
    tracker.power_up(S)
    for i, value in enumerate(config):
        S.mop_config.word[0, i] = value
    left, found, idle, cycle = list(words), [], 0, 0
    while idle < 40:
        cycle += 1
        moved = 0
        if S.fifo.count[0, fifo.C] and taken[cycle % len(taken)]:
            at = S.fifo.head[0, fifo.C]
            found.append(S.fifo.word[0, fifo.C, at])
            tracker.leave(S, 0, S.fifo.slot[0, fifo.C, at])
            moved += 1 + fifo.drop(S, 0, fifo.C)
        moved += replay_expander.move(S, 0) + mop_expander.move(S, 0)
        if left and tracker.accepts(S, 0):
            tracker.note_push(S, 0, left[0])
            fifo.put(S, 0, fifo.A, left.pop(0), 1, 0, 0, 0, tracker.enter(S, 0))
            moved += 1
        idle = 0 if moved else idle + 1
    assert not left
    assert S.tracker.count[0] == 0, "a slot is left over"
    assert all(S.fifo.count[0, i] == 0 for i in range(fifo.FIFOS))
    return found


@settings(max_examples=rounds(20, 120), deadline=None)
@given(programs(), st.lists(st.integers(0, 1), min_size=1, max_size=5).filter(any))
def test_both_expanders_give_what_the_pages_give(
    program: tuple[list[int], list[int]], taken: list[int]
) -> None:
    words, config = program
    assert expanded(words, config, taken) == [one.word for one in expand(words, config)]


def test_so_many_instructions_wait_in_front_of_the_gate() -> None:
    """TensixFrontend_BH.svg: 32, 8 and 2."""
    record = Record(LAYOUT)
    S = record.S
    tracker.power_up(S)
    for _ in range(100):
        replay_expander.move(S, 0)
        mop_expander.move(S, 0)
        if fifo.room(S, 0, fifo.A):
            fifo.put(S, 0, fifo.A, NOP, 1, 0, 0, 0, fifo.NO_SLOT)
    assert [int(S.fifo.count[0, i]) for i in (fifo.A, fifo.B, fifo.C)] == [32, 8, 2]


def test_an_alternating_inner_loop() -> None:
    a, b, last, end = (word(f"SETDMAREG new_value={n}, result_half_reg=2") for n in range(4))
    config = [2, 2, NOP, end, NOP, a, b, last, b]
    assert expanded([0x01800000], config, [1]) == [a, b, a, b, end, a, b, a, last, end]


def test_a_configuration_that_changes_in_the_middle_is_sampled_late() -> None:
    record = Record(LAYOUT)
    S = record.S
    tracker.power_up(S)
    a, b = (word(f"SETDMAREG new_value={n}, result_half_reg=2") for n in range(2))
    for i, value in enumerate([1, 4, NOP, NOP, NOP, a, NOP, a, a]):
        S.mop_config.word[0, i] = value
    tracker.note_push(S, 0, 0x01800000)
    fifo.put(S, 0, fifo.A, 0x01800000, 1, 0, 0, 0, tracker.enter(S, 0))
    mop_expander.move(S, 0)
    mop_expander.move(S, 0)
    S.mop_config.word[0, 5] = b
    mop_expander.move(S, 0)
    assert [S.fifo.word[0, fifo.B, i] for i in range(3)] == [a, a, b]


def test_one_idle_cycle_behind_an_expansion_unless_a_mop_follows() -> None:
    for following, idle in ((NOP, 1), (0x01800000, 0)):
        record = Record(LAYOUT)
        S = record.S
        tracker.power_up(S)
        for i, value in enumerate([1, 1, NOP, NOP, NOP, *[word("DMANOP")] * 4]):
            S.mop_config.word[0, i] = value
        S.mop_config.word[0, 6] = NOP
        for value in (0x01800000, following):
            tracker.note_push(S, 0, value)
            fifo.put(S, 0, fifo.A, value, 1, 0, 0, 0, tracker.enter(S, 0))
        emitted = []
        for _ in range(4):
            mop_expander.move(S, 0)
            emitted.append(S.mop.emitted[0])
        assert emitted[: 2 + idle] == ([1, 0, 1] if idle else [1, 1])
