# SPDX-License-Identifier: Apache-2.0
"""The runners of a search's batches: this process, processes of this machine, or a cluster.

    with crew as each: each.submit(batch) ... for batch, outcomes in each.done(): ...

A batch has cases of one program. A worker that dies costs its batch, which another one runs again;
each batch is answered once.
"""

from __future__ import annotations

import multiprocessing
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Protocol

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome
from tensix_gdb.gdbstub.order.seeds.program import Program
from tensix_gdb.gdbstub.order.seeds.worker import Kept, run_batch
from tensix_gdb.gdbstub.usage import UsageError

TRIES = 5  # of a batch that costs its workers
LOOK = 0.2  # seconds between two looks at the keyboard


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases of one program, run by one worker."""

    number: int
    program: int
    cases: tuple[Case, ...]


class Crew(Protocol):
    """Runs batches."""

    @property
    def size(self) -> int:
        """The number of workers."""

    def submit(self, batch: Batch) -> None:
        """Let it be run."""

    def done(self) -> Iterator[tuple[Batch, list[Outcome]]]:
        """Yield those that were done meanwhile; waits a moment if none was."""

    def close(self) -> None:
        """Run nothing more."""


class Here:
    """This process: for what is short."""

    size = 1

    def __init__(
        self, programs: Sequence[Program], is_interrupted: Callable[[], bool] = lambda: False
    ) -> None:
        self._programs = programs
        self._digests = [program.digest for program in programs]
        self._kept = Kept(is_interrupted)
        self._waiting: list[Batch] = []

    def submit(self, batch: Batch) -> None:
        """Let it be run."""
        self._waiting.append(batch)

    def done(self) -> Iterator[tuple[Batch, list[Outcome]]]:
        """Run the next one. Interrupted if the user has had enough in the middle of it."""
        if self._waiting:
            batch = self._waiting.pop(0)
            at = batch.program
            bench = self._kept.bench(self._digests[at], lambda: self._programs[at])
            yield batch, [bench.run(case) for case in batch.cases]

    def close(self) -> None:
        """Give the machines back."""
        self._kept.close()


def _ignore_keyboard() -> None:
    """Ctrl-C in a terminal reaches all of its processes: the search itself ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Processes:
    """Processes of this machine."""

    def __init__(self, programs: Sequence[Program], size: int) -> None:
        self.size = size
        self._folder = tempfile.TemporaryDirectory(prefix="tensix-gdb-seeds-")
        self._digests = [program.digest for program in programs]
        self._files = []
        for digest, program in zip(self._digests, programs, strict=True):
            file = Path(self._folder.name) / digest
            file.write_bytes(program.packed())
            self._files.append(str(file))
        self._under_way: dict[Future[list[Outcome]], Batch] = {}
        self._tries: dict[int, int] = {}
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.size, mp_context=context, initializer=_ignore_keyboard)

    def submit(self, batch: Batch) -> None:
        """Let it be run."""
        at = batch.program
        try:
            future = self._pool.submit(run_batch, self._digests[at], self._files[at], batch.cases)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = self._new()
            future = self._pool.submit(run_batch, self._digests[at], self._files[at], batch.cases)
        self._under_way[future] = batch

    def done(self) -> Iterator[tuple[Batch, list[Outcome]]]:
        """Yield those that were done meanwhile."""
        finished, _ = wait(self._under_way, timeout=LOOK, return_when=FIRST_COMPLETED)
        lost = []
        for future in finished:
            batch = self._under_way.pop(future)
            try:
                yield batch, future.result()
            except BrokenProcessPool:
                lost.append(batch)
        for batch in lost:
            count_try(self._tries, batch)
            self.submit(batch)

    def processes(self) -> list[int]:
        """Return the ids of the processes."""
        return list(self._pool._processes)

    def close(self) -> None:
        """End the processes."""
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._folder.cleanup()


def count_try(tries: dict[int, int], batch: Batch) -> None:
    """Count a try of a batch that has cost a worker. UsageError after too many."""
    tries[batch.number] = tries.get(batch.number, 0) + 1
    if tries[batch.number] >= TRIES:
        raise UsageError(
            f"{TRIES} workers have died while they ran {batch.cases[0]} to {batch.cases[-1]}: look "
            "at their memory, and run one of these alone with `tensix-gdb run`"
        )
