# SPDX-License-Identifier: Apache-2.0
"""The origins that a shared file has without being told: of what a reader asks for first.

These are the semaphores that a thread waits for or that are above their maximum, the GPRs of Tensix
threads that are not 0, those of held threads first, and the registers of the hart at a fault. Each
question goes through the past again, so there is a limit of time and of bytes; a file offers a
click only on what it has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREADS
from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.kinds import GPRS
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.pages.web.past.timeline import NoTimeline
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate
from tensix_gdb.gdbstub.tensix.monitor.shared_state import wants_semaphore

SECONDS = 5.0  # of the processor, for all of them
MOST_BYTES = 1 << 20  # of all of them, as JSON


def first_origins(
    page: Page, known: dict[str, Any], clock: Callable[[], float] = time.process_time
) -> dict[str, Any]:
    """Return the origins of those that are not `known`, within the limits; a search that was ended
    by them is left out."""
    end, left = clock() + SECONDS, MOST_BYTES
    found: dict[str, Any] = {}
    for place in wanted(page.machine):
        if place in known:
            continue
        if clock() >= end:
            break
        try:
            answer = page.timelines.origin_now(place.split(), lambda: clock() >= end)
        except (TargetError, NoTimeline):
            continue
        if clock() >= end and not answer.is_whole:
            break
        data = for_page(answer, page.sources_of, page.name)
        left -= len(json.dumps(data))
        if left < 0:
            break
        found[place] = data
    return found


def wanted(machine: Machine) -> Iterator[str]:
    """Yield places as one types them, those that are asked for first before others."""
    S = machine.S
    for i in range(SEMAPHORES):
        value, most = int(S.semaphore.value[i]), int(S.semaphore.max[i])
        if value > most > 0 or any(wants_semaphore(machine, t, i) for t in range(THREADS)):
            yield f"sem {i}"
    if S.stop.kind == StopKind.FAULT:
        hart = int(S.stop.hart)
        for number, name in enumerate(ABI_NAMES):
            if number and machine.read_x(hart, number):
                yield f"reg {HART_NAMES[hart]} {name}"
    threads = sorted(range(THREADS), key=lambda thread: at_gate(machine, thread) is None)
    for thread in threads:
        for i in range(GPRS):
            if S.gpr.word[thread * GPRS + i]:
                yield f"gpr T{thread} {i}"
