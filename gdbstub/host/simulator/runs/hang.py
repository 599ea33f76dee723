# SPDX-License-Identifier: Apache-2.0
"""A look at tiles that may hang: which harts of their kernels poll or wait, and for what.

only_polls.py says when it is looked, and when what is seen is a hang.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREAD_NAMES, THREADS
from tensix_gdb.core.chip.places import name_of
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.polls.poll import Poll, poll_of
from tensix_gdb.core.polls.remote import WORD, is_of_remote, is_polled, remote_poll_of, under_way
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.tensix.in_flight import in_flight
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.runs.found import WaitFound
from tensix_gdb.gdbstub.tensix.blocked.polled_words import is_firmware
from tensix_gdb.gdbstub.tensix.blocked.polls import (
    NEVER_FITS,
    OLD_COPY,
    Polls,
    has_ended,
    polling,
)
from tensix_gdb.gdbstub.tensix.blocked.why import Waiter, party

MAX_LINES = 12  # harts and threads that are named
SOME = 6  # tiles that a line names
DISPATCHER = "cq_"  # names of tt-metal's own kernels begin so: cq_prefetch, cq_dispatch, ...


@dataclass
class Look:
    """The harts in kernels of each tile, and what of them would change if any of it moved."""

    harts: dict[Core, list[int]] = field(default_factory=dict)
    state: list[object] = field(default_factory=list)
    polls: bool = False  # a kernel of a program does


def look_at(chip: Chip) -> Look | None:
    """Look at all tiles; None if anything moves in one."""
    found = Look()
    for core in chip.tiles:
        chip.wake(core)
    for core, machine in chip.tiles.items():
        if core in chip.ethernet:  # its firmware turns for ever: what moves there are packets
            sent, arrives = chip.ethernet[core].packets.progress()
            found.state.append(sent)
            if arrives:
                return None
        elif not _look_at_tile(core, machine, found):
            return None
    return found


def _look_at_tile(core: Core, machine: Machine, found: Look) -> bool:
    S = machine.S
    if S.tile.pending & PENDING_NOC and not all(is_polled(S, *slot) for slot in under_way(S)):
        return False
    for hart in range(HARTS):
        if S.hart.in_reset[hart] or S.hart.paused[hart]:
            continue
        image = machine.places.image(hart, machine.read_pc(hart))
        if image is not None and is_firmware(image):
            continue
        poll: Poll | None = None
        if not S.hart.waits_for[hart]:
            poll = poll_of(S, machine.memory, hart)
            if is_of_remote(S, hart, poll):
                poll = None
            elif poll is None or not poll.polled:
                return False
            found.polls |= image is not None and not is_dispatcher(image)
        words = poll.polled if poll is not None else ()
        found.state.append((core, hart, tuple((read.addr, read.value) for read in words)))
        if not words and (remote := remote_poll_of(S, hart)) is not None:
            found.state.append((remote, machine.peek(hart, remote.copy, WORD)))
        if image is None or not is_dispatcher(image):
            found.harts.setdefault(core, []).append(hart)
    found.state.append(S.passed.count.raw.tolist())
    return True


def is_dispatcher(image: Image) -> bool:
    """True of a kernel of tt-metal's dispatcher."""
    return len(image.path.parts) > 3 and image.path.parents[2].name.startswith(DISPATCHER)


def text_of(tiles: Mapping[Core, Machine], found: Look) -> str:
    """Return what each hart of a kernel does, the same of several tiles once."""
    named: dict[tuple[str, str], list[str]] = {}
    for core, harts in found.harts.items():
        machine = tiles[core]
        polls = Polls(machine)
        parties = [*harts, *(HARTS + thread for thread in range(THREADS))]
        for number in parties:
            if number >= HARTS and not in_flight(machine.S, number - HARTS):
                continue
            waiter = party(machine, number, polls)
            lines = "\n".join([waiter.does, *(f"        {line}" for line in waiter.more)])
            name = (*HART_NAMES, *THREAD_NAMES)[number]
            named.setdefault((name, lines), []).append(name_of(core))
        ended = [HART_NAMES[hart] for hart in range(HARTS) if has_ended(machine, hart)]
        if ended:
            they = "have ended their kernels" if len(ended) > 1 else "has ended its kernel"
            named.setdefault((", ".join(ended), they), []).append(name_of(core))
    shown = [f"    {name} of {_listed(where)} {does}" for (name, does), where in named.items()]
    shown.sort(key=lambda text: NEVER_FITS not in text and OLD_COPY not in text)  # what is wrong
    if len(shown) > MAX_LINES:
        more = len(shown) - MAX_LINES
        shown = [*shown[:MAX_LINES], f"    and {more} more: `monitor why all` has them"]
    title = "the program may hang: the host waits, and all that kernels do is to poll or to wait"
    return "\n".join([title, *shown])


def finds_of_look(tiles: Mapping[Core, Machine], found: Look) -> Iterator[WaitFound]:
    """Yield what waits on each tile, for a page."""
    for core, harts in found.harts.items():
        machine = tiles[core]
        polls = Polls(machine)
        threads = (HARTS + thread for thread in range(THREADS) if in_flight(machine.S, thread))
        parties = {*harts, *threads}
        yield WaitFound(
            name_of(core) if len(tiles) > 1 else "",
            [
                party(machine, number, polls) if number in parties else Waiter(number, "")
                for number in range(HARTS + THREADS)
            ],
            [one for hart in harts if (one := polling(machine, hart, polls)) is not None],
            [hart for hart in range(HARTS) if has_ended(machine, hart)],
        )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return ", ".join(names[:SOME]) + more
