# SPDX-License-Identifier: Apache-2.0
"""The common part of the wait instructions of all machines.

    wait = stallwait.parse("STALLWAIT block=B3, wait=C10")
    wait.begin(state)             what it does at once
    wait.blocked(state)           why it is still waiting; empty when it is over

Each machine has its own kind of state: busy units, counters that drain, threads that end. These
models explain and are compared with each other; the tile itself is emulated elsewhere.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from tensix_gdb.core.dataclass import dataclass

State = TypeVar("State", contravariant=True)


@dataclass(frozen=True, slots=True)
class Reason:
    """One condition that is not met: its name and a sentence."""

    condition: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.condition}: {self.sentence}"


class WaitError(ValueError):
    """The text or the word is no such wait; one sentence."""


class Wait(Protocol[State]):
    """A decoded wait instruction."""

    def encode(self) -> int:
        """The word, or the bytes as a number, that stands for it."""
        ...

    def show(self) -> str:
        """The text that `parse` of the same module reads."""
        ...

    def begin(self, state: State) -> None:
        """Execute the instruction, before it waits."""
        ...

    def blocked(self, state: State) -> tuple[Reason, ...]:
        """Return why it is still waiting; empty if it is not."""
        ...
