# SPDX-License-Identifier: Apache-2.0
"""What stands in each box of the floor plan: lines of text, a tone, and the whole in a tip.

A page and a drawing show the same cells, so what they say is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tensix_gdb.gdbstub.picture.plan import unit_id
from tensix_gdb.gdbstub.picture.state import HartState, Picture, ThreadState

IDLE, MOVES, HELD, BUSY = "idle", "moves", "held", "busy"


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines of a box, its tone (one of the four above), and a tip with all of it."""

    lines: tuple[str, ...]
    tone: str
    tip: str


def cells(picture: Picture) -> dict[str, Cell]:
    """The cell of each box of `plan.boxes`, by its id."""
    found = dict(_harts(picture))
    for number, thread in enumerate(picture.threads):
        found[f"front-{number}"] = _front(thread)
        found[f"gate-{number}"] = _gate(thread)
    for unit in picture.units:
        name = unit.last.split(" ")[0]
        last = f"{name} of {unit.thread}, {unit.place}" if unit.last else "-"
        tip = f"{unit.last}\nof {unit.thread} from {unit.place}, passed its gate in cycle "
        tip = f"{tip}{unit.cycle}" if unit.last else "nothing was given to it"
        found[unit_id(unit.name)] = Cell((last,), BUSY if unit.threads else IDLE, tip)
    for semaphore in picture.semaphores:
        waiting = ", ".join(semaphore.waiting)
        found[f"semaphore-{semaphore.number}"] = Cell(
            (f"{semaphore.value} of {semaphore.max}",),
            HELD if waiting else BUSY if semaphore.value else IDLE,
            f"waited for by {waiting}" if waiting else "no thread waits for it",
        )
    found["mutexes"] = _mutexes(picture)
    for number, bank in enumerate(picture.banks):
        tone = BUSY if bank.client == "Matrix Unit" else IDLE
        lines = (f"of the {bank.client}", *(f"{unit} here" for unit in bank.pointed_at_by))
        found[f"bank-{number}"] = Cell(lines, tone, f"unpacked to {bank.format}")
    return found


def _harts(picture: Picture) -> Iterator[tuple[str, Cell]]:
    for number, hart in enumerate(picture.harts):
        yield f"hart-{number}", _hart(hart)


def _hart(hart: HartState) -> Cell:
    if hart.state == "in reset":
        return Cell(("in reset",), IDLE, "in reset")
    lines = [f"{hart.place}  {hart.function}".rstrip()]
    if hart.moves:
        lines.append(f"moves, {hart.instructions} instructions")
    else:
        lines.append(hart.does.rpartition(", at ")[0] or hart.does or hart.state)
    lines += [line.split(maxsplit=1)[1].partition(", from ")[0] for line in hart.under_way]
    tone = MOVES if hart.moves else HELD if hart.waits_for else IDLE
    tip = [f"pc {hart.pc:#010x}", hart.does or hart.state, *hart.under_way]
    return Cell(tuple(lines), tone, "\n".join(tip))


def _front(thread: ThreadState) -> Cell:
    filled = "  ".join(f"{fifo.name} {fifo.count}/{fifo.capacity}" for fifo in thread.fifos)
    lines = [filled]
    lines += [f"MOP {thread.mop}"] if thread.mop else []
    lines += [f"REPLAY {thread.replay}"] if thread.replay else []
    lines.append(f"{thread.passed} have passed the gate")
    busy = thread.mop or thread.replay or any(fifo.count for fifo in thread.fifos)
    return Cell(tuple(lines), BUSY if busy else IDLE, "\n".join(lines))


def _gate(thread: ThreadState) -> Cell:
    lines = []
    if thread.gate:
        lines.append(f"{thread.gate.split(' ')[0]} from {thread.gate_place}")
    if thread.latched:
        lines.append(f"latched: {thread.latched}")
        lines.append(f"  from {thread.latched_place}")
    is_held = bool(thread.does) and not thread.moves
    if is_held:
        lines.append(thread.does.partition(": ")[2] or thread.does)
    requests = "1 request" if thread.c10 == 1 else f"{thread.c10} requests"
    if thread.c10:
        lines.append(f"C10 would wait: {requests}")
    tone = HELD if is_held else BUSY if thread.gate else IDLE
    return Cell(tuple(lines or ["nothing is here"]), tone, thread.does or "nothing is held")


def _mutexes(picture: Picture) -> Cell:
    held = [
        f"{mutex.number}: {mutex.holder}"
        + (f", wanted by {', '.join(mutex.waiting)}" if mutex.waiting else "")
        for mutex in picture.mutexes
        if mutex.holder or mutex.waiting
    ]
    wanted = any(mutex.waiting for mutex in picture.mutexes)
    tone = HELD if wanted else BUSY if held else IDLE
    text = "; ".join(held) or "all free"
    return Cell((text,), tone, text)
