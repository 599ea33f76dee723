# SPDX-License-Identifier: Apache-2.0
"""The fault at which a tile has stopped, for `monitor why` and for hosts that wait for the tile.

Nothing in the tile moves until it is resumed, so what harts and threads wait for is no reason of
that: the fault is said first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tensix_gdb.core.faults.codes import ENTRIES, Fault
from tensix_gdb.core.faults.policy import can_skip
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind

MAX_NAMES, MAX_LINES = 8, 24  # tiles in a line, lines of many tiles
AT_FAULT = "At a fault"


def fault_of(machine: Machine) -> Stop | None:
    """Return the fault at which a tile has stopped, in words. None where it has not, where a client
    has moved the hart of it since, and where a policy lets the tile continue."""
    recorded = machine.S.stop
    if recorded.kind != StopKind.FAULT or machine.faults.skips(recorded.code):
        return None
    if not recorded.stream and recorded.pc != machine.S.hart.pc[recorded.hart]:
        return None
    return machine.reports.now()


def fault_lines(tiles: Iterable[tuple[str, Machine]]) -> Iterator[str]:
    """Yield a line for each fault at which these tiles have stopped; one for those of which the
    same is to be said. A tile alone has no name."""
    found = [(name, fault_of(machine)) for name, machine in tiles]
    for text in by_text((name, stop) for name, stop in found if stop is not None):
        yield f"{AT_FAULT}: {text}"


def by_text(found: Iterable[tuple[str, Stop]]) -> Iterator[str]:
    """Yield `1-2 2-2: T1 at ...`, the stops of tiles by their names; the same sentence once."""
    names: dict[str, list[str]] = {}
    for name, stop in found:
        names.setdefault(stop.text, []).append(name)
    for text, those in list(names.items())[:MAX_LINES]:
        listed = " ".join(those[:MAX_NAMES])
        if len(those) > MAX_NAMES:
            listed += f" and {len(those) - MAX_NAMES} more"
        yield f"{listed}: {text}" if listed else text
    if len(names) > MAX_LINES:
        yield f"and {len(names) - MAX_LINES} more faults: `monitor why all` is about all tiles"


def count_instead(code: int) -> str:
    """Return the sentence on how to continue after faults of this kind."""
    if not can_skip(code):
        return "this fault cannot be counted: there is no instruction to continue with"
    policy = f"{ENTRIES[Fault(code)].category.value}=count"
    return (
        f"to count such faults and continue: --faults {policy} from the start, or "
        f"`monitor faults {policy}` and `continue` in a debugger"
    )
