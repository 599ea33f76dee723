# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, and signals that ask for the end, while a tile runs."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.signals import ENDING, Ended, end_signal, heard

AGAIN = "tensix-gdb: the answer will be what is found so far; Ctrl-C again ends at once"


@dataclass
class Keyboard:
    """Notes Ctrl-C, or a signal that asks for the end. An exception could leave a cycle half
    done."""

    interrupted: bool = False

    def is_interrupted(self) -> bool:
        """True after Ctrl-C or such a signal."""
        return self.interrupted


@contextmanager
def listening(*, second_ends: bool = False) -> Iterator[Keyboard]:
    """Note them meanwhile. `second_ends`: Ctrl-C after another one, or after a signal, raises
    KeyboardInterrupt: what is under way is not worth waiting for."""
    keyboard = Keyboard()

    def note(number: int) -> None:
        if second_ends and keyboard.interrupted and number == signal.SIGINT:
            raise KeyboardInterrupt
        keyboard.interrupted = True

    with heard(note, signal.SIGINT):
        yield keyboard


def end_if_asked() -> None:
    """Raise Ended if a signal of ENDING has come: what follows is not begun."""
    if end_signal.number:
        raise Ended


@contextmanager
def answering(*, was_interrupted: bool) -> Iterator[Keyboard]:
    """Note one Ctrl-C, if none has been pressed before. Another one, or a signal that asks for the
    end, ends the process at once: it has no files to write, and a search may take long to look."""
    keyboard = Keyboard()
    heard_here = (signal.SIGINT, *ENDING)
    before = {
        number: signal.signal(number, signal.SIG_DFL)
        for number in heard_here
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }

    def note(_: int, __: object) -> None:
        keyboard.interrupted = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.write(2, f"{AGAIN}\n".encode())

    if signal.SIGINT in before and not was_interrupted:
        signal.signal(signal.SIGINT, note)
    try:
        yield keyboard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
