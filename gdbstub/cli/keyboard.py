# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, and signals that ask for the end, while a tile runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tensix_gdb.gdbstub.signals import heard


@dataclass
class Keyboard:
    """Notes Ctrl-C, or a signal that asks for the end. An exception could leave a cycle half
    done."""

    interrupted: bool = False

    def is_interrupted(self) -> bool:
        """True after Ctrl-C or such a signal."""
        return self.interrupted


@contextmanager
def listening() -> Iterator[Keyboard]:
    """Note them meanwhile."""
    keyboard = Keyboard()

    def note(_: int) -> None:
        keyboard.interrupted = True

    with heard(note, signal.SIGINT):
        yield keyboard
