# SPDX-License-Identifier: Apache-2.0
"""What is held, and by what: from its box to that of what would release it.

    ("gate-2", "semaphore-1", "semaphore 1 is 0 until it is posted")

A thread at its wait gate leads to the semaphore, the mutex or the units that it waits for, a hart
to the Tensix thread or hart. Where the reason names none of them there is no line.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.gdbstub.pages.picture.plan import unit_id
from tensix_gdb.gdbstub.pages.picture.state import Picture
from tensix_gdb.gdbstub.tensix.glance.units import NAMES as UNITS

Held = tuple[str, str, str]
BOXES = {
    **{name: f"hart-{number}" for number, name in enumerate(HART_NAMES)},
    **{name: f"gate-{number}" for number, name in enumerate(THREAD_NAMES)},
}


def held(picture: Picture) -> list[Held]:
    """Return a row for each line."""
    return [*_threads(picture), *_harts(picture)]


def _threads(picture: Picture) -> Iterator[Held]:
    for number, thread in enumerate(picture.threads):
        if not thread.does or thread.moves:
            continue
        box, reason = f"gate-{number}", thread.does.partition(": ")[2] or thread.does
        targets = [
            f"semaphore-{one.number}" for one in picture.semaphores if thread.name in one.waiting
        ]
        if any(thread.name in mutex.waiting for mutex in picture.mutexes):
            targets.append("mutexes")
        targets = targets or [unit_id(name) for name in UNITS if name in reason]
        targets = targets or [BOXES[name] for name in thread.waits_for if name in BOXES]
        yield from ((box, target, reason) for target in targets if target != box)


def _harts(picture: Picture) -> Iterator[Held]:
    for number, hart in enumerate(picture.harts):
        if hart.moves or hart.state == "in reset":
            continue
        reason = hart.does.rpartition(", at ")[0] or hart.does
        for name in hart.waits_for:
            if name in BOXES and BOXES[name] != f"hart-{number}":
                yield f"hart-{number}", BOXES[name], reason
