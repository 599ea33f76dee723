# SPDX-License-Identifier: Apache-2.0
"""Treat SIGTERM and SIGHUP like Ctrl-C, so that output files are still written.

A signal that is ignored when a command begins stays ignored: `nohup` does that to SIGHUP, and the
shell of a script to SIGINT for what it puts into the background.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Windows has no SIGHUP.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended(KeyboardInterrupt):
    """A signal of ENDING has come."""


class EndSignal:
    """The signal of ENDING that has asked this process to end; 0 if none has."""

    number = 0

    @property
    def status(self) -> int:
        """The exit status, as a shell has it."""
        return 128 + (self.number or signal.SIGINT)


end_signal = EndSignal()


@contextmanager
def heard(hear: Callable[[int], object], *more: int) -> Iterator[None]:
    """Call `hear` with its number when a signal of ENDING comes, or one of `more`.

    Of ENDING only the first counts. A terminal that is closed sends SIGHUP two or three times, and
    the second must not interrupt what the first has begun.
    """

    def handle(number: int, _: object) -> None:
        if number in ENDING:
            if end_signal.number:
                return
            end_signal.number = number
        hear(number)

    # Other threads cannot say what signals do. None: what was there before Python is not ours.
    is_main = threading.current_thread() is threading.main_thread()
    before = {
        number: signal.signal(number, handle)
        for number in (*ENDING, *more)
        if is_main and signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def raised() -> Iterator[None]:
    """Raise `Ended` where a signal of ENDING finds the program, as Ctrl-C raises."""

    def hear(_: int) -> None:
        raise Ended

    with heard(hear):
        yield


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Leave Ctrl-C to GDB, which shares the terminal. A handler that does nothing keeps this
    process alive; GDB would inherit an ignored signal, but not a handler."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
