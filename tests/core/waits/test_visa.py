# SPDX-License-Identifier: Apache-2.0
"""Intel's WAIT (its vISA page): opcode, mask, dependency registers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.waits.visa import OPCODE, REGISTERS, Threads, ThreadWait, decode, parse
from tensix_gdb.core.waits.wait import WaitError


def test_document() -> None:
    """Opcode 0x5b, a mask of eight bits and type UB, one bit for each dependency register."""
    assert (OPCODE, REGISTERS) == (0x5B, 8)
    assert parse("WAIT 0x0f").encode() == 0x0F5B
    assert parse("wait 15:ub") == parse("WAIT 0x0F:UB") == ThreadWait(15)
    assert ThreadWait(0xA0).show() == "WAIT 0xa0:ub"


@given(st.integers(0, 255))
def test_every_mask_reads_back(mask: int) -> None:
    wait = ThreadWait(mask)
    assert decode(wait.encode()) == wait == parse(wait.show())


# fmt: off
REFUSED = [
    ("WAIT 256",        "eight bits; 0x100 is outside 0..0xff"),
    ("WAIT -1",         "outside 0..0xff"),
    ("WAIT 1:ud",       "has type UB, not UD"),
    ("WAIT",            "is not WAIT with a mask"),
    ("WAIT V1",         "'V1' is no known name"),
    ("FENCE 1",         "is not WAIT"),
]
# fmt: on


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(WaitError, match=sentence):
        parse(text)


def test_no_wait() -> None:
    with pytest.raises(WaitError, match="0x0f5c is no WAIT"):
        decode(0x0F5C)
    with pytest.raises(WaitError, match="no WAIT"):
        decode(0x1005B)


def test_threads_end() -> None:
    threads = Threads()
    threads.depend(10, 11, 12)
    wait = ThreadWait(0b010)
    wait.begin(threads)
    assert [str(reason) for reason in wait.blocked(threads)] == [
        "TDR0: thread 10 has not ended",
        "TDR2: thread 12 has not ended",
    ]
    threads.end(10)
    threads.end(12)
    assert 11 in threads.running  # its dependency was cleared, so it is not waited for
    assert wait.blocked(threads) == ()


def test_the_mask_clears_for_good() -> None:
    threads = Threads()
    threads.depend(10)
    ThreadWait(1).begin(threads)
    later = ThreadWait(0)
    later.begin(threads)
    assert later.blocked(threads) == ()


def test_without_dependencies_nothing_is_waited_for() -> None:
    assert ThreadWait(0).blocked(Threads()) == ()
