# SPDX-License-Identifier: Apache-2.0
"""The keys of counts: where a Tensix instruction comes from, why one was held, a function that was
called."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """A Tensix instruction where it was pushed: the thread, the hart, its pc and the opcode."""

    thread: int
    hart: int
    pc: int
    opcode: int


@dataclass(frozen=True, slots=True)
class Hold:
    """The reason why an instruction at a wait gate did not pass: the Held, and the latched wait."""

    site: Site
    held: int
    kind: int
    conditions: int


@dataclass(frozen=True, slots=True)
class Node:
    """A function that was called from the one in node `above`: its first pc, cycles and calls."""

    pc: int
    above: int
    spent: int
    calls: int
