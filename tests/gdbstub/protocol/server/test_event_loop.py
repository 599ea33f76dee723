# SPDX-License-Identifier: Apache-2.0
"""The event loop of a command ends between two cycles, and says what it has ended of."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
import trio

from tensix_gdb.gdbstub.protocol.server.event_loop import run_until_asked
from tensix_gdb.gdbstub.signals import end_signal, heard

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Those of before are there again afterwards. What a script starts in the background ignores
    SIGINT, and what nohup starts ignores SIGHUP; a test would wait for it."""
    end_signal.number = 0
    usual = [signal.default_int_handler, signal.SIG_DFL, signal.SIG_DFL]
    started_with = list(map(signal.signal, SIGNALS, usual))
    before = [signal.getsignal(number) for number in SIGNALS]
    yield
    end_signal.number = 0
    assert [signal.getsignal(number) for number in SIGNALS] == before
    for number, handler in zip(SIGNALS, started_with, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_it_between_two_slices(number: signal.Signals) -> None:
    """Not in the middle: a recording of half a cycle could not be replayed."""
    done = []

    async def main() -> None:
        while True:
            done.append("begun")
            signal.raise_signal(number)
            done.append("ended")
            await trio.sleep(0.001)
            if len(done) == 4:
                await trio.sleep(60)

    run_until_asked(main, signal.SIGINT)
    assert done[:2] == ["begun", "ended"]
    assert end_signal.number == (0 if number == signal.SIGINT else number)


def test_the_second_ctrl_c_ends_what_hangs() -> None:
    async def main() -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it hangs")

    with pytest.raises(KeyboardInterrupt):
        run_until_asked(main, signal.SIGINT)


def test_a_signal_before_the_loop_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    run = trio.run

    def late(main: object) -> None:
        signal.raise_signal(signal.SIGTERM)
        run(main)  # type: ignore[arg-type]

    monkeypatch.setattr(trio, "run", late)
    run_until_asked(trio.sleep_forever)
    assert end_signal.status == 143


def test_no_memory_is_said_by_itself() -> None:
    """However many tasks it has taken with it."""

    async def fails(problem: Exception) -> None:
        raise problem

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fails, OSError("gone"))
            nursery.start_soon(fails, MemoryError())

    with pytest.raises(MemoryError):
        run_until_asked(main)


def test_the_first_of_many_counts() -> None:
    numbers = []
    with heard(numbers.append):
        for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM):
            signal.raise_signal(number)
    assert numbers == [signal.SIGHUP]
    assert end_signal.status == 129


def test_what_is_ignored_is_not_heard() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with heard(lambda number: pytest.fail("heard")):
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
