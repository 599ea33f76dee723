# SPDX-License-Identifier: Apache-2.0
"""Intel's vISA page WAIT: opcode, mask, and what the eight dependency registers do."""

from __future__ import annotations

import pytest

from tensix_gdb.core.waits import visa
from tensix_gdb.core.waits.wait import WaitError

# fmt: off
# Dependencies 0, 1, ... are on threads 10, 11, ...; mask -> registers that are still waited for.
SEMANTICS = {
    0x00: (0, 1, 2, 3, 4, 5, 6, 7),
    0x01: (1, 2, 3, 4, 5, 6, 7),
    0x80: (0, 1, 2, 3, 4, 5, 6),
    0xF0: (0, 1, 2, 3),
    0x55: (1, 3, 5, 7),
    0xFF: (),
}
# fmt: on


def eight_threads() -> visa.Threads:
    state = visa.Threads()
    state.depend(*range(10, 18))
    return state


def test_format() -> None:
    """0x5b(WAIT) | Mask, the mask of type UB."""
    assert (visa.OPCODE, visa.TYPE, visa.REGISTERS) == (0x5B, "ub", 8)
    for mask in range(256):
        wait = visa.parse(f"WAIT {mask:#x}:ub")
        assert wait.encode() == 0x5B | mask << 8
        assert visa.decode(wait.encode()) == wait == visa.parse(wait.show())


@pytest.mark.parametrize(
    "text", ["WAIT", "WAIT 256", "WAIT -1", "WAIT 1:ud", "WAITS 1", "WAIT 1 2"]
)
def test_refused(text: str) -> None:
    with pytest.raises(WaitError):
        visa.parse(text)


@pytest.mark.parametrize("mask", SEMANTICS)
def test_semantics(mask: int) -> None:
    state = eight_threads()
    wait = visa.ThreadWait(mask)
    wait.begin(state)
    left = SEMANTICS[mask]
    assert [r.condition for r in wait.blocked(state)] == [f"TDR{i}" for i in left]
    assert [i for i, register in enumerate(state.registers) if register.valid] == list(left)
    for i in left:
        state.end(10 + i)
        assert f"TDR{i}" not in [r.condition for r in wait.blocked(state)]
    assert wait.blocked(state) == ()


def test_registers_without_a_thread_are_not_waited_for() -> None:
    state = visa.Threads()
    state.depend(7)
    wait = visa.parse("WAIT 0:ub")
    wait.begin(state)
    assert [str(r) for r in wait.blocked(state)] == ["TDR0: thread 7 has not ended"]
