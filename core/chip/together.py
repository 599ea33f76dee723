# SPDX-License-Identifier: Apache-2.0
"""Run compiled code over several records in step, in one thread or several (core/chip).

`Together.run` goes from quantum to quantum without Python. In a quantum each record that RUNS is
run to the same cycle, and no record may reach another one within it. The loop itself knows nothing
of what the code does; its user says which rows have that: the cycle, a stop, requests under way.

Several threads take the records of a quantum one after the other, and the next quantum begins when
all are done. So what comes out does not depend on how many there are. Compiled code runs without
the GIL.
"""

from __future__ import annotations

import ctypes
import os
import threading
from array import array
from collections.abc import Callable, Sequence
from functools import partial

from tensix_gdb.core.chip.together_ir import PATIENCE, SPINS, loop
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.entry import RecordLike
from tensix_gdb.core.noc.columns import (
    ASKS,
    CHANGED,
    COLUMNS,
    CYCLE,
    DEFECT,
    ENTRY,
    GOES_ON,
    MODE,
    OUT,
    PENDING,
    PLAIN,
    RECORD,
    RUNS,
    SLEEP,
    SLEEPS,
    STOP,
    STOPPED,
)

__all__ = ["OUT", "RUNS", "SLEEPS", "STOPPED", "Rows", "Together"]

# Why `run` comes back
AT_END, HAS_STOPPED, HAS_DELIVERY = 0, 1, 2

# Words that all threads have. The first ones are written in each quantum, so they are on no line of
# the others, as processors fetch lines of eight words in pairs.
_AT, _GOAL, _WHY, _COUNT = range(4)
_END, _QUANTUM, _THREADS, _LANES, _QUIT, _YIELD = range(32, 38)
_FINISH, _NET, _SETTLE, _CODES = range(38, 42)
_DELIVER, _ROUTES = 42, 43
_LIST = 44  # the records of a quantum follow
# Words of a lane, which each thread has: the next place of its part, the part's end, the goal; and
# how many records it has run in all quanta of a call, which only it writes.
_NEXT, _LAST, _TO, _DONE, _LANE = 0, 1, 2, 32, 64

NAMES = {
    **{"RECORD": RECORD, "ENTRY": ENTRY, "CYCLE": CYCLE, "STOP": STOP, "DEFECT": DEFECT},
    **{"PENDING": PENDING, "SLEEP": SLEEP, "MODE": MODE, "COLUMNS": COLUMNS},
    **{"GOES": GOES_ON, "CHANGED": CHANGED, "ASKS": ASKS},
    **{"AT": _AT, "END": _END, "QUANTUM": _QUANTUM, "GOAL": _GOAL, "WHY": _WHY, "COUNT": _COUNT},
    **{
        "THREADS": _THREADS,
        "LANES": _LANES,
        "NEXT": _NEXT,
        "LAST": _LAST,
        "TO": _TO,
        "DONE": _DONE,
        "LANE": _LANE,
        "QUIT": _QUIT,
        "YIELD": _YIELD,
        "FINISH": _FINISH,
        "NET": _NET,
        "SETTLE": _SETTLE,
        "CODES": _CODES,
        "DELIVER": _DELIVER,
        "ROUTES": _ROUTES,
        "LIST": _LIST,
    },
    "SPINS": SPINS,
    "PATIENCE": PATIENCE,
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows say what, as (part, field), and the values that count."""

    cycle: tuple[str, str]  # i64
    stop: tuple[str, str]  # u32, not 0 when a run has ended early
    pending: tuple[str, str]  # u32
    request: int  # the bit of `pending` with which `next_due` is asked
    sleep: tuple[str, str]  # u8
    asleep: int  # the value of it in which nothing can happen in the record
    goes_on: tuple[str, str]  # u8: 1 in a call that continues the one before
    next_due: str  # the entry that says when a request is due
    next_delivery: str  # the same, of those that reach another record
    finish: str  # the entry that runs records that have stopped to the end of their quantum
    deliver: str  # the entry that carries out requests that are due


class Together:
    """Records of one layout with the same code; `threads` run them."""

    def __init__(
        self,
        engines: Sequence[CompiledEngine],
        records: Sequence[RecordLike],
        rows: Rows,
        quantum: int,
        threads: int = 1,
    ) -> None:
        self._engines = engines
        self._table = (ctypes.c_int64 * (COLUMNS * len(records)))()
        # The modes of all as they are; a slice of the table itself takes ten times as long.
        words = memoryview(self._table).cast("B").cast("q")
        self._modes, self._changed = words[MODE::COLUMNS], words[CHANGED::COLUMNS]
        self._all = array("q", [1] * len(records))
        self._shared = (ctypes.c_int64 * (_LIST + len(records) + 1))()
        self._shared[_QUANTUM] = quantum
        self._shared[_YIELD] = _yield_address()
        self._lanes = (ctypes.c_int64 * (_LANE * threads))()
        self._shared[_LANES] = ctypes.addressof(self._lanes)
        for number, record in enumerate(records):
            at = COLUMNS * number
            layout, base = record.layout, record.address
            self._table[at + RECORD] = base
            for column, row in (
                (CYCLE, rows.cycle),
                (STOP, rows.stop),
                (DEFECT, ("engine", "defect")),
                (PENDING, rows.pending),
                (SLEEP, rows.sleep),
                (GOES_ON, rows.goes_on),
            ):
                self._table[at + column] = base + layout.slot(*row).offset
        numbers = {"REQUEST": rows.request, "ASLEEP": rows.asleep, **NAMES}
        loaded = loop(tuple(numbers.items()))
        self._lead, self._help, self._due = (
            loaded.function(name, 3) for name in ("lead", "help", "due")
        )
        addresses = map(ctypes.addressof, (self._table, self._shared))
        self._common = (*addresses, len(records))
        self._at_each = *self._common, engines[0].address(rows.next_due)
        self._at_deliveries = *self._common, engines[0].address(rows.next_delivery)
        self._finish, self._deliver = map(engines[0].address, (rows.finish, rows.deliver))
        self._settle: Callable[[int], int] | None = None
        self._workers = [_Worker(partial(self._work, thread)) for thread in range(1, threads)]

    def enter(self, number: int, entry: str) -> None:
        """From now on a record runs by this entry."""
        self._table[COLUMNS * number + ENTRY] = self._engines[number].address(entry)
        self.set_mode(number, RUNS)

    def mode(self, number: int) -> int:
        """Return the mode of a record: RUNS, SLEEPS, STOPPED, or OUT."""
        return self._table[COLUMNS * number + MODE]

    def set_mode(self, number: int, mode: int) -> None:
        """Change it."""
        self._table[COLUMNS * number + MODE] = mode
        self.has_changed(number)

    def has_changed(self, number: int) -> None:
        """Note that something else than its own code has changed a record."""
        self._table[COLUMNS * number + CHANGED] = 1

    def all_have_changed(self) -> None:
        """The same of all."""
        self._changed[:] = self._all

    def changed(self) -> list[int]:
        """Return the records that something else has changed since their last quantum."""
        return [number for number, has in enumerate(self._changed.tolist()) if has]

    def set_plain(self, number: int, is_plain: bool) -> None:
        """Say whether no observer watches a record."""
        self._table[COLUMNS * number + PLAIN] = is_plain

    def check(self, number: int) -> None:
        """EngineDefect if the code of a record broke a rule."""
        self._engines[number].check()

    def stopped(self) -> list[int]:
        """Return the records that have stopped, or come back before the end of their quantum."""
        modes = self._modes.tolist()
        if STOPPED not in modes:
            return []
        return [number for number, mode in enumerate(modes) if mode == STOPPED]

    def due(self, cycle: int) -> list[int]:
        """Return the records with a request that is due, and is not their own affair."""
        self._shared[_AT] = cycle
        count = self._due(*self._at_deliveries)
        return self._shared[_LIST : _LIST + count]

    def between(self, net: int, settle: int, codes: Sequence[int]) -> None:
        """Call this code on the record `net` before each quantum, with the table, its length, the
        cycle and `codes`; the quantum ends at the cycle that it returns at the latest."""
        self._codes = (ctypes.c_int64 * len(codes))(*codes)
        self._shared[_NET], self._shared[_SETTLE] = net, settle
        self._shared[_CODES] = ctypes.addressof(self._codes)
        function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 5)(settle)
        rest = ctypes.addressof(self._codes)
        self._settle = lambda cycle: function(net, *self._common[::2], cycle, rest)

    def carry(self, routes: int) -> None:
        """Deliver by these routes (routes.py), unless links have to say when."""
        self._shared[_ROUTES] = routes

    def settle(self, cycle: int) -> None:
        """Set it now."""
        if self._settle is not None:
            self._settle(cycle)

    def run(
        self, start: int, end: int, *, at_each: bool = False, finishes: bool = False
    ) -> tuple[int, int]:
        """Run all from cycle `start`, where they are. Return why it is over, and at which cycle.
        With `at_each` a quantum ends where any request is due, not only at deliveries. With
        `finishes` stops and deliveries that compiled code can deal with do not end the run."""
        shared = self._shared
        shared[_FINISH] = self._finish if finishes else 0
        carries = finishes and self._settle is None and shared[_ROUTES]
        shared[_DELIVER] = self._deliver if carries else 0
        shared[_AT], shared[_END], shared[_WHY] = start, end, AT_END
        workers = self._workers
        if workers:
            workers = workers[: max(0, self._modes.tolist().count(RUNS) - 1)]
        shared[_COUNT] = shared[_QUIT] = 0
        shared[_THREADS] = len(workers) + 1
        for lane in range(len(workers) + 1):
            self._lanes[_LANE * lane + _DONE] = 0
        for worker in workers:
            worker.start()
        self._lead(*(self._at_each if at_each else self._at_deliveries))
        for worker in workers:
            worker.wait()
        return shared[_WHY], shared[_AT]

    def _work(self, thread: int) -> None:
        self._help(*self._common[:2], thread, 0)

    def close(self) -> None:
        """End the threads."""
        for worker in self._workers:
            worker.close()
        self._workers = []


class _Worker:
    """A thread that does its part whenever it is told to."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._begin, self._done = threading.Semaphore(0), threading.Semaphore(0)
        self._work, self._ends = work, False
        self._thread = threading.Thread(target=self._run, daemon=True, name="tiles")
        self._thread.start()

    def _run(self) -> None:
        while True:
            self._begin.acquire()
            if self._ends:
                return
            self._work()
            self._done.release()

    def start(self) -> None:
        self._begin.release()

    def wait(self) -> None:
        self._done.acquire()

    def close(self) -> None:
        self._ends = True
        self._begin.release()
        self._thread.join()


def _yield_address() -> int:
    if not hasattr(os, "sched_yield"):
        return 0
    function = ctypes.CDLL(None).sched_yield
    return ctypes.cast(function, ctypes.c_void_p).value or 0
