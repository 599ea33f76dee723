# SPDX-License-Identifier: Apache-2.0
"""Where a Tensix instruction comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """A Tensix instruction where it was pushed: the thread, the hart, its pc and the opcode."""

    thread: int
    hart: int
    pc: int
    opcode: int
