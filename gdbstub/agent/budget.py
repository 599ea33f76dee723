# SPDX-License-Identifier: Apache-2.0
"""How much expressions may do while the tile stands at one place: all of them together.

The server evaluates them and serves nobody meanwhile, so what clients attach to one place must not
add up to more than some milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_OPERATIONS = 10_000
MOST_TEXT = 1 << 16  # characters that are printed
MOST_COLLECTED = 1 << 20  # bytes of memory for tracepoints
# In operations, by the time that they take.
REGISTER, MEMORY, FRAME = 4, 8, 32
# What is left where a stop has taken so little that there is time for more of them in a slice.
_SMALL = 15 / 16
_OPERATIONS, _TEXT = MOST_OPERATIONS * _SMALL, MOST_TEXT * _SMALL
_COLLECTED = MOST_COLLECTED * _SMALL


class AgentError(Exception):
    """The expression cannot be evaluated; the message is one sentence."""


class Exhausted(AgentError):
    """Neither it nor any other expression can be evaluated at this stop."""


@dataclass(slots=True)
class Budget:
    """What is left at one stop."""

    operations: int = MOST_OPERATIONS
    text: int = MOST_TEXT
    collected: int = MOST_COLLECTED

    def operate(self, count: int) -> None:
        """Exhausted when so many operations are not left."""
        self.operations -= count
        if self.operations < 0:
            raise Exhausted(
                f"all expressions at one stop have {MOST_OPERATIONS} operations together, and a "
                f"look at memory counts as {MEMORY}; attach fewer or shorter ones"
            )

    def write(self, count: int) -> None:
        """Exhausted when so many characters are not left."""
        self.text -= count
        if self.text < 0:
            raise Exhausted(
                f"all expressions at one stop print no more than {MOST_TEXT} characters together; "
                "print less of each string, as `%.80s` does"
            )

    def collect(self, count: int) -> None:
        """Exhausted when so many bytes are not left."""
        self.collected -= count
        if self.collected < 0:
            raise Exhausted(
                f"all tracepoints at one stop collect no more than {MOST_COLLECTED} bytes together"
            )

    @property
    def was_large(self) -> bool:
        """Did the stop take so long that others have to be served?"""
        return self.operations < _OPERATIONS or self.text < _TEXT or self.collected < _COLLECTED
