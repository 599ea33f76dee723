# SPDX-License-Identifier: Apache-2.0
"""Prove that nothing on a chip can move any more.

That is so when no request is under way and each tile, taken alone, changes nothing for ever:

- it is at rest: no hart can issue, and nothing is under way in it;
- or it sleeps: its harts poll memory that nothing in the tile writes (core/clock/polling.py);
- or it is dead, as core/machine/deadlock.py proves of a tile alone.

A tile reaches another one by requests only, and none of these ever starts one. So no tile writes
what another one waits for. A host can: what it changes between two runs makes it move again.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.chip.together import SLEEPS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.deadlock import is_dead
from tensix_gdb.core.noc.state import PENDING_NOC


def stands_still(machines: Sequence[Machine], modes: Sequence[int]) -> bool:
    """True if it is proved; the tiles stay as they are. They are at the same cycle."""
    if any(machine.S.tile.pending & PENDING_NOC for machine in machines):
        return False
    return all(
        mode == SLEEPS
        or machine.runner.at_rest()
        or is_dead(machine.engine, machine.record, machine.memory)
        for machine, mode in zip(machines, modes, strict=True)
    )
