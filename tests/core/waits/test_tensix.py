# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT, SEMWAIT, STREAMWAIT, FLUSHDMA: conditions, defaults, what is held meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensix_gdb.core.assembly.tensix_read import parse as word_of
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.waits.tensix import CONDITIONS, PREDICATES, Activity, Stream, decode, parse
from tensix_gdb.core.waits.wait import WaitError

BH, WH = Arch.BLACKHOLE, Arch.WORMHOLE

# STALLWAIT.md: what makes each condition keep waiting, and its number on both architectures.
# fmt: off
BUSY: list[tuple[Callable[[Activity], None], int, int | None]] = [
    (lambda a: setattr(a, "scalar_requests", 1),      0, 0),
    (lambda a: a.unpackers.__setitem__(0, 1),         1, 1),
    (lambda a: a.unpackers.__setitem__(1, 1),         2, 2),
    (lambda a: a.packers.__setitem__(0, 1),           3, 3),
    (lambda a: setattr(a, "matrix", 1),               4, 7),
    (lambda a: setattr(a, "src_a_cleared", False),    5, 8),
    (lambda a: setattr(a, "src_b_cleared", False),    6, 9),
    (lambda a: setattr(a, "src_a_valid", False),      7, 10),
    (lambda a: setattr(a, "src_b_valid", False),      8, 11),
    (lambda a: setattr(a, "mover_requests", 1),       9, 12),
    (lambda a: setattr(a, "riscv_requests", 1),       10, 13),
    (lambda a: setattr(a, "vector", 1),               11, 14),
    (lambda a: setattr(a, "config", 1),               12, None),
]
# fmt: on


@pytest.mark.parametrize(("make_busy", "blackhole", "wormhole"), BUSY)
def test_conditions(
    make_busy: Callable[[Activity], None], blackhole: int, wormhole: int | None
) -> None:
    """A busy unit is waited for by its own condition and by no other."""
    state = Activity()
    make_busy(state)
    for arch, count, number in ((BH, 13, blackhole), (WH, 15, wormhole)):
        for condition in range(count):
            wait = parse(f"STALLWAIT block=B6, wait=C{condition}", arch)
            names = [reason.condition for reason in wait.blocked(state)]
            assert names == ([f"C{condition}"] if condition == number else [])


def test_the_four_packers_of_wormhole() -> None:
    for packer in range(4):
        state = Activity()
        state.packers[packer] = 1
        assert parse(f"STALLWAIT block=B2, wait=C{3 + packer}", WH).blocked(state)


def test_every_condition_has_a_predicate() -> None:
    for names in CONDITIONS.values():
        assert all(one.llk[0] in PREDICATES for one in names.names)


def test_defaults() -> None:
    """Block mask 0 is B6; condition mask 0 is 0x0F on Blackhole and 0x7F on Wormhole."""
    for arch, default in ((BH, 0x0F), (WH, 0x7F)):
        wait = parse("STALLWAIT", arch)
        assert (wait.block_mask, wait.condition_mask()) == (1 << 6, default)
    busy = Activity(matrix=1)
    assert not parse("STALLWAIT", BH).blocked(busy)
    assert not parse("STALLWAIT", WH).blocked(busy)
    busy.packers[3] = 1
    assert not parse("STALLWAIT", BH).blocked(busy)
    assert [r.condition for r in parse("STALLWAIT", WH).blocked(busy)] == ["C6"]


def test_all_conditions_have_to_be_met() -> None:
    state = Activity(matrix=1, vector=1)
    wait = parse("STALLWAIT block=B6, wait=C4|C11")
    assert [reason.condition for reason in wait.blocked(state)] == ["C4", "C11"]
    state.matrix = 0
    assert [reason.condition for reason in wait.blocked(state)] == ["C11"]
    state.vector = 0
    assert wait.blocked(state) == ()


def test_flushdma() -> None:
    """FLUSHDMA.md: the four low conditions of STALLWAIT; a mask of 0 means all of them."""
    state = Activity(scalar_requests=1, matrix=1)
    state.packers[0] = 1
    assert [r.condition for r in parse("FLUSHDMA").blocked(state)] == ["C0", "C3"]
    assert [r.condition for r in parse("FLUSHDMA wait=C3").blocked(state)] == ["C3"]
    assert parse("FLUSHDMA wait=C1|C2").blocked(state) == ()


def test_semwait() -> None:
    state = Activity()
    state.semaphores[1] = [0, 2]
    state.semaphores[2] = [2, 2]
    state.semaphores[3] = [1, 2]
    empty = parse("SEMWAIT block=B1, sem=S1|S2|S3, wait=C0").blocked(state)
    full = parse("SEMWAIT block=B1, sem=S1|S2|S3, wait=C1").blocked(state)
    assert [str(r) for r in empty] == ["C0: semaphore 1 is 0"]
    assert [str(r) for r in full] == ["C1: semaphore 2 is 2, its Max is 2"]
    assert parse("SEMWAIT block=B1, sem=S3, wait=C0|C1").blocked(state) == ()


def test_streamwait() -> None:
    state = Activity()
    state.streams[2] = Stream(phase=5, messages=1025)
    state.target_hi = [0, 1]
    wait = parse("STREAMWAIT block=B3, condition_index=C0, target_value_lo=6, stream_select=2")
    assert [str(r) for r in wait.blocked(state)] == ["C0: phase is 5, the target is 6"]
    state.streams[2].phase = 6
    assert wait.blocked(state) == ()
    wait = parse("STREAMWAIT block=B3, condition_index=C1, target_value_lo=2, stream_select=2")
    assert [str(r) for r in wait.blocked(state)] == ["C1: messages is 1025, the target is 1026"]


def test_what_a_block_mask_catches() -> None:
    add = "ADDDMAREG result_reg=G2, left_reg=G1, right_reg=G0"
    # fmt: off
    for wait, text, held in (
        ("STALLWAIT block=B3, wait=C10",    "UNPACR.Regular which_unpacker=UNP0", True),
        ("STALLWAIT block=B0, wait=C10",    "UNPACR.Regular which_unpacker=UNP0", True),
        ("STALLWAIT block=B6, wait=C10",    "UNPACR.Regular which_unpacker=UNP0", False),
        ("STALLWAIT block=B5, wait=C10",    add, True),
        ("STALLWAIT block=B6, wait=C10",    add, False),
        ("STALLWAIT block=B7, wait=C10",    "STALLWAIT block=B1, wait=C1", True),
        ("STALLWAIT block=0x1fe, wait=C1",  "NOP", False),
        ("STALLWAIT block=ALL, wait=C1",    "NOP", True),
        ("STALLWAIT block=ALL, wait=C1",    "MOP template=MASK_LOOP", False),
        ("STALLWAIT block=ALL, wait=C1",    "REPLAY index=0, count=1", False),
        ("SEMWAIT sem=S0, wait=C0",         "MVMUL dst_row=0", True),
        ("FLUSHDMA wait=C1",                "SEMPOST sem=S0", True),
    ):
        assert parse(wait).catches(word_of(text)) is held, f"{wait}; {text}"
    # fmt: on


def test_semwait_of_wormhole_is_held_by_b1_alone() -> None:
    semwait = word_of("SEMWAIT block=B6, sem=S0, wait=C0")
    assert not parse("STALLWAIT block=B6, wait=C12", WH).catches(semwait)
    assert parse("STALLWAIT block=B1, wait=C12", WH).catches(semwait)
    assert parse("STALLWAIT block=B6, wait=C9", BH).catches(semwait)


def test_no_wait() -> None:
    with pytest.raises(WaitError, match="0x02000000 is no wait instruction of Blackhole"):
        decode(0x02000000)


def test_text() -> None:
    assert parse("STALLWAIT block=B3, wait=C10").show() == "STALLWAIT block=B3, wait=C10"
    assert parse("STALLWAIT block=B3, wait=C10").encode() == 0xA2040400
