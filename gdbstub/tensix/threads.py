# SPDX-License-Identifier: Apache-2.0
"""The tile's harts as GDB threads: 1 B, 2 T0, 3 T1, 4 T2, 5 NC. 6 to 8 are kept for Tensix."""

from __future__ import annotations

from collections.abc import Sequence

from core.arch.blackhole import HART_NAMES, HARTS
from core.machine import Machine

THREAD_IDS = tuple(range(1, HARTS + 1))


def hart_of(thread: int) -> int:
    """The hart behind a thread."""
    return thread - 1


def thread_of(hart: int) -> int:
    """The thread that shows a hart."""
    return hart + 1


class HartThreads:
    """The `Threads` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def thread_ids(self) -> Sequence[int]:
        return THREAD_IDS

    def thread_name(self, thread: int) -> str:
        return HART_NAMES[hart_of(thread)]

    def thread_state(self, thread: int) -> str:
        return self._machine.hart_state(hart_of(thread))
