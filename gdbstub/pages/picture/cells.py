# SPDX-License-Identifier: Apache-2.0
"""The contents of each box of the floor plan: lines of text, a tone, and the whole in a tip.

A page and a drawing show the same cells, so what they say is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.riscv.pipeline.fields import STORE_QUEUE_ENTRIES
from tensix_gdb.gdbstub.pages.picture.plan import unit_id
from tensix_gdb.gdbstub.pages.picture.state import HartState, Picture, SemaphoreState, ThreadState
from tensix_gdb.gdbstub.tensix.monitor.order import RISCV_CONDITION

IDLE, MOVES, HELD, BUSY = "idle", "moves", "held", "busy"


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines of a box, its tone (one of the four above), and a tip with all of it. `bars` are queues
    of the box: a name, what is in it, how much fits. `mark` is in its corner."""

    lines: tuple[str, ...]
    tone: str
    tip: str
    bars: tuple[tuple[str, int, int], ...] = ()
    mark: str = ""


def cells(picture: Picture) -> dict[str, Cell]:
    """Return the cell of each box of `plan.boxes`, by its id."""
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
        found[f"semaphore-{semaphore.number}"] = _semaphore(semaphore)
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
        lines.append(f"runs, {hart.instructions} instructions")
    else:
        lines.append(hart.does.rpartition(", at ")[0] or hart.does or hart.state)
    lines += [line.split(maxsplit=1)[1].partition(", from ")[0] for line in hart.under_way]
    tone = MOVES if hart.moves else HELD if hart.waits_for else IDLE
    bars = (("store queue", hart.queued, STORE_QUEUE_ENTRIES),)
    tip = [f"pc {hart.pc:#010x}", hart.does or hart.state, *hart.under_way]
    return Cell(tuple(lines), tone, "\n".join(tip), bars=bars, mark=_mark(hart))


def _mark(hart: HartState) -> str:
    """Return how many requests C10 of STALLWAIT would wait for; empty for none."""
    counted = sum(any(f"({name})" in line for name in RISCV_CONDITION) for line in hart.under_way)
    return f"C10: {counted}" if counted else ""


def _front(thread: ThreadState) -> Cell:
    bars = tuple((f"FIFO {fifo.name}", fifo.count, fifo.capacity) for fifo in thread.fifos)
    lines = [f"{thread.passed} have passed the gate"]
    lines += [f"MOP {thread.mop}"] if thread.mop else []
    lines += [f"REPLAY {thread.replay}"] if thread.replay else []
    busy = thread.mop or thread.replay or any(fifo.count for fifo in thread.fifos)
    tip = []
    for fifo in thread.fifos:
        tip.append(f"FIFO {fifo.name}: {fifo.count} of {fifo.capacity}")
        tip += [f"  {one}" for one in fifo.waiting]
    tip += lines
    return Cell(tuple(lines), BUSY if busy else IDLE, "\n".join(tip), bars=bars)


def _gate(thread: ThreadState) -> Cell:
    lines = []
    is_held = bool(thread.does) and not thread.moves
    gate = [f"{thread.gate.split(' ')[0]} from {thread.gate_place}"] if thread.gate else []
    wait = [f"{thread.latched} from {thread.latched_place}"] if thread.latched else []
    if thread.held_by_wait:  # first the one that waits
        lines += [*wait, f"holds {gate[0]}"]
    else:
        lines += [*gate, *(f"latched: {one}" for one in wait)]
    if is_held:
        lines.append(thread.does.partition(": ")[2] or thread.does)
    tone = HELD if is_held else BUSY if thread.gate else IDLE
    mark = f"C10: {thread.c10}" if thread.c10 else ""
    told = thread.does or "nothing is held"
    if thread.c10:
        told += f"\nC10 would wait for {thread.c10} request{'s' * (thread.c10 != 1)}"
    return Cell(tuple(lines or ["nothing is here"]), tone, told, mark=mark)


def _semaphore(semaphore: SemaphoreState) -> Cell:
    value, most = semaphore.value, semaphore.max
    waiting = ", ".join(semaphore.waiting)
    told = f"waited for by {waiting}" if waiting else "no thread waits for it"
    is_above = value > most > 0
    if is_above:
        told = f"{value} is above its maximum, {most}: it was posted more often than got\n{told}"
    tone = HELD if waiting or is_above else BUSY if value else IDLE
    return Cell((f"{value} of {most}",), tone, told, mark="!" if is_above else "")


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
