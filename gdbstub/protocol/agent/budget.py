# SPDX-License-Identifier: Apache-2.0
"""A budget that all expressions of one stop share: operations, printed text, collected memory.

The server answers no client while it evaluates, so all expressions at one place together must not
take more than some milliseconds.
"""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass

MAX_OPERATIONS = 10_000
MAX_TEXT = 1 << 16  # characters that are printed
MAX_COLLECTED = 1 << 20  # bytes of memory for tracepoints
# In operations, by the time that they take.
REGISTER, MEMORY, FRAME = 4, 8, 32
# What is left where a stop has taken so little that there is time for more of them in a slice.
_SMALL = 15 / 16
_OPERATIONS, _TEXT = MAX_OPERATIONS * _SMALL, MAX_TEXT * _SMALL
_COLLECTED = MAX_COLLECTED * _SMALL


class AgentError(Exception):
    """The expression cannot be evaluated; the message is one sentence."""


class Exhausted(AgentError):
    """The budget of this stop is used up, for all expressions."""


@dataclass(slots=True)
class Budget:
    """The part of it that is left at one stop."""

    operations: int = MAX_OPERATIONS
    text: int = MAX_TEXT
    collected: int = MAX_COLLECTED

    def operate(self, count: int) -> None:
        """Spend operations; Exhausted when fewer are left."""
        self.operations -= count
        if self.operations < 0:
            raise Exhausted(
                f"all expressions at one stop have {MAX_OPERATIONS} operations together, and a "
                f"look at memory counts as {MEMORY}; attach fewer or shorter ones"
            )

    def write(self, count: int) -> None:
        """Spend characters; Exhausted when fewer are left."""
        self.text -= count
        if self.text < 0:
            raise Exhausted(
                f"all expressions at one stop print no more than {MAX_TEXT} characters together; "
                "print less of each string, as `%.80s` does"
            )

    def collect(self, count: int) -> None:
        """Spend bytes; Exhausted when fewer are left."""
        self.collected -= count
        if self.collected < 0:
            raise Exhausted(
                f"all tracepoints at one stop collect no more than {MAX_COLLECTED} bytes together"
            )

    @property
    def was_large(self) -> bool:
        """True if the stop took so long that the server should look at its clients."""
        return self.operations < _OPERATIONS or self.text < _TEXT or self.collected < _COLLECTED
