# SPDX-License-Identifier: Apache-2.0
"""MOP and REPLAY expansions, held against the models of MOPExpander.md and REPLAY.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.assembly.expand import ExpansionError, expand
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import Arch

BH, WH = Arch.BLACKHOLE, Arch.WORMHOLE
NOP = 0x02000000
A = [parse(f"SEMPOST sem=S{i}") for i in range(8)]
TEMPLATE_0 = parse("MOP template=MASK_LOOP")
TEMPLATE_1 = parse("MOP template=DOUBLE_LOOP")


def words(program: Sequence[int], cfg: Sequence[int] = (), arch: Arch = BH) -> list[int]:
    return [one.word for one in expand(program, cfg, arch)]


def page_template0(mask: int, count1: int, cfg: Sequence[int]) -> Iterator[int]:
    """The page's ExpandTemplate0, as it stands there."""
    has_b, has_a123 = cfg[1] & 1, cfg[1] & 2
    for _ in range(count1 + 1):
        if (mask & 1) == 0:
            yield cfg[3]
            if has_a123:
                yield cfg[4]
                yield cfg[5]
                yield cfg[6]
            if has_b:
                yield cfg[2]
        else:
            yield cfg[7]
            if has_b:
                yield cfg[8]
        mask >>= 1


def page_template1(cfg: Sequence[int], count_mask: int) -> Iterator[int]:
    """The page's ExpandTemplate1, as it stands there."""
    outer, inner = cfg[0] & count_mask, cfg[1] & count_mask
    loop_op, loop_op1 = cfg[5], cfg[6]
    flip = 0
    if loop_op1 >> 24 != 2:
        flip = loop_op ^ loop_op1
        inner *= 2
    if outer == 1 and cfg[2] >> 24 == 2 and inner == 0 and cfg[3] >> 24 != 2:
        outer += 128
    for j in range(outer):
        if cfg[2] >> 24 != 2:
            yield cfg[2]
        for i in range(inner):
            if i != inner - 1:
                yield loop_op
            elif j != outer - 1:
                yield cfg[8]
            else:
                yield cfg[7]
            loop_op ^= flip
        if cfg[3] >> 24 != 2:
            yield cfg[3]
            if cfg[4] >> 24 != 2:
                yield cfg[4]


INSTRUCTION = st.sampled_from([NOP, *A])


@given(
    mask=st.integers(0, 0xFFFFFFFF),
    count1=st.integers(0, 127),
    flags=st.integers(0, 3),
    tail=st.lists(INSTRUCTION, min_size=7, max_size=7),
)
def test_template_0(mask: int, count1: int, flags: int, tail: list[int]) -> None:
    cfg = [0, flags, *tail]
    program = [0x03000000 | mask >> 16, TEMPLATE_0 | count1 << 16 | mask & 0xFFFF]
    assert words(program, cfg) == list(page_template0(mask, count1, cfg))


@given(
    counts=st.tuples(st.integers(0, 12), st.integers(0, 12)),
    tail=st.lists(INSTRUCTION, min_size=7, max_size=7),
    high=st.sampled_from((0, 1 << 7, 1 << 10)),
)
def test_template_1(counts: tuple[int, int], tail: list[int], high: int) -> None:
    cfg = [counts[0] | high, counts[1], *tail]
    for arch, mask in ((BH, 0x3FF), (WH, 0x7F)):
        if arch is BH and cfg[0] & mask == 1 and counts[1] == 0:
            continue  # may be the case that no page settles; below
        assert words([TEMPLATE_1], cfg, arch) == list(page_template1(cfg, mask))


def test_the_alternating_loop() -> None:
    """The last iteration of the inner loop has its own instruction, another in the last outer."""
    cfg = [2, 2, NOP, A[3], NOP, A[0], A[1], A[6], A[7]]
    assert words([TEMPLATE_1], cfg) == [
        *(A[0], A[1], A[0], A[7], A[3]),
        *(A[0], A[1], A[0], A[6], A[3]),
    ]


def test_ten_bits_of_counts_on_blackhole_seven_on_wormhole() -> None:
    cfg = [1 | 128, 1, NOP, NOP, NOP, A[0], NOP, A[0], A[0]]
    assert len(words([TEMPLATE_1], cfg, BH)) == 129
    assert len(words([TEMPLATE_1], cfg, WH)) == 1


def test_where_instructions_came_from() -> None:
    cfg = [0, 0, NOP, A[0], NOP, NOP, NOP, A[1], NOP]
    found = expand([NOP, TEMPLATE_0 | 1 << 16 | 2, A[2]], cfg)
    assert [(one.word, one.origin) for one in found] == [
        *((NOP, 0), (A[0], 1), (A[1], 1), (A[2], 2)),
    ]


def replay(load: int, execute: int, index: int, count: int) -> int:
    return parse(f"REPLAY index={index}, count={count}, exec={execute}, load={load}")


def test_replay() -> None:
    record, again = replay(1, 0, 30, 3), replay(0, 0, 31, 2)
    assert words([record, *A[:3], again, A[5]]) == [A[1], A[2], A[5]]
    assert words([replay(1, 1, 30, 3), *A[:3], again]) == [*A[:3], A[1], A[2]]
    # A count of 0 means 32.
    assert words([replay(1, 0, 0, 0), *A[:2] * 16, replay(0, 0, 0, 0)]) == [*A[:2]] * 16
    # Without load, exec changes nothing.
    assert words([record, *A[:3], replay(0, 1, 31, 2)]) == [A[1], A[2]]


def test_replay_records_what_a_mop_expands_to() -> None:
    """The Replay Expander is behind the MOP Expander, and a MOP can issue a REPLAY."""
    cfg = [0, 0, NOP, A[0], NOP, NOP, NOP, A[1], NOP]
    mop = TEMPLATE_0 | 1 << 16 | 2
    assert words([replay(1, 0, 0, 3), mop, A[2], replay(0, 0, 0, 3)], cfg) == [A[0], A[1], A[2]]
    cfg = [0, 0, NOP, replay(0, 0, 0, 2), NOP, NOP, NOP, NOP, NOP]
    assert words([replay(1, 0, 0, 2), A[3], A[4], TEMPLATE_0 | 1 << 16], cfg) == [A[3], A[4]] * 2


def test_a_loop_of_replays_that_grows_is_cut_off() -> None:
    cfg = [0x3FF, 0x3FF, NOP, NOP, NOP, replay(0, 0, 0, 32), NOP, NOP, NOP]
    with pytest.raises(ExpansionError, match="more than 1048576 instructions"):
        expand([replay(1, 0, 0, 32), *[NOP] * 32, TEMPLATE_1], cfg)


# fmt: off
REFUSED = {
    "mop_cfg":   ([TEMPLATE_0], (),                          "needs the 9 words"),
    "counts":    ([TEMPLATE_1 | 1], [0] * 9,                 "counts of its own: MOPExpander.md"),
    "bug":       ([TEMPLATE_1], [1, 0, NOP, A[0], NOP, A[0], NOP, NOP, NOP], "no page settles"),
    "count_33":  ([replay(0, 0, 0, 33)], (),                 "REPLAY of 33 instructions"),
    "short":     ([replay(1, 0, 0, 2), NOP], (),             "records 2 instructions; 1 follow"),
    "empty":     ([replay(0, 0, 5, 1)], (),                  "entry 5, which nothing recorded"),
}
# fmt: on


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    program, cfg, sentence = REFUSED[case]
    with pytest.raises(ExpansionError, match=sentence):
        expand(program, cfg)


def test_the_mistake_of_wormhole() -> None:
    cfg = [1, 0, NOP, A[0], NOP, A[0], NOP, NOP, NOP]
    assert words([TEMPLATE_1], cfg, WH) == [A[0]] * 129
