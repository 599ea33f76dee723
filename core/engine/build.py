# SPDX-License-Identifier: Apache-2.0
"""The child process that compiles: `python -m tensix_gdb.core.engine.build` (started by
compiler.py).

It reads a plan from the file descriptor it is given, compiles it into the cache, and tells its
parent what has become ready (compiler.py has the form). Of all processes with this plan and cache
one compiles; the others wait for what it makes.

Standard input is never written to: it ends when the parent does, however the parent ends. The one
that compiles then continues, so that the next command is fast, and ends when it is done, or after
STAY_SECONDS, or where nothing can be kept. Any other ends at once, also in the middle of LLVM.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
import time
from enum import Enum
from queue import SimpleQueue

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import Cache, open_cache, wanted_directory
from tensix_gdb.core.engine.entry import SubsetError
from tensix_gdb.core.engine.plan import Built, Plan

READY, UNKEPT = "ready", "unkept"
QUICKLY, STAYS = "quickly", "stays"
# How low the priority is. A user of the reference engine waits for this: on a machine with other
# work a niceness of 10 leaves a tenth of a processor, and short runs never came to compiled code.
NICE, NICE_LATER = 2, 10
STAY_SECONDS = 600.0  # without a parent
WAIT_SECONDS = 120.0  # for a process that compiles the same; then both do
LOOK_SECONDS = 0.2


class Doing(Enum):
    """The stage of this process: it begins, waits for one that compiles the same, or compiles."""

    BEGINS = 1
    WAITS = 2
    COMPILES = 3


class Work:
    """The compiling process as seen by the thread that waits for the end of the parent."""

    def __init__(self) -> None:
        self.doing = Doing.BEGINS
        self.cache: Cache | None = None

    def is_worth_going_on(self) -> bool:
        """True if the next command finds what this process makes."""
        if self.cache is None:
            # Our parent has made the directory.
            return self.doing is Doing.BEGINS and wanted_directory().is_dir()
        is_kept = not self.cache.unkept and self.cache.directory.is_dir()
        return self.doing is not Doing.WAITS and is_kept


def main(arguments: list[str]) -> int:
    """`build.py FD KEY NICENESS [quickly] [stays]`: compile the plan in FD; KEY is what the parent
    will look for. `quickly`: the parent has no compiled code yet. `stays`: continue without it."""
    work, quickly, stays = Work(), QUICKLY in arguments[3:], STAYS in arguments[3:]
    threading.Thread(target=_end_with_parent, args=(work, stays), daemon=True).start()
    gc.disable()  # what is imported and lowered stays to the end
    with contextlib.suppress(OSError):
        os.nice(int(arguments[2]))
    with os.fdopen(int(arguments[0]), encoding="utf-8") as file:
        plan = Plan.from_json(file.read())
    if plan.key(jit.FULL) != arguments[1]:
        print("the sources were changed after the program was started", file=sys.stderr)
        return 1
    report = Report()
    try:
        _compile(plan, report, work, quickly=quickly)
    except SubsetError as problem:
        print(problem.in_a_line(), file=sys.stderr)  # the parent tells one line
        return 1
    except jit.LlvmMissingError as problem:
        print(problem, file=sys.stderr)
        return 1
    except MemoryError:
        print("there is not enough memory to compile", file=sys.stderr)
        return 1
    finally:
        report.close()
    return 0


def _compile(plan: Plan, report: Report, work: Work, *, quickly: bool) -> None:
    cache = work.cache = open_cache()
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        with cache.turn(plan.key(jit.FULL)) as is_ours:
            if is_ours or time.monotonic() > deadline:
                work.doing = Doing.COMPILES
                _make(plan, report, cache, quickly=quickly)
                return
        work.doing = Doing.WAITS
        if quickly and (built := plan.find(cache, jit.QUICK)) is not None:
            report.ready(built, cache)
            quickly = False
        time.sleep(LOOK_SECONDS)


def _make(plan: Plan, report: Report, cache: Cache, *, quickly: bool) -> None:
    built = plan.find(cache, jit.FULL)
    if built is None:
        from tensix_gdb.core.engine.compile_workers import Workers

        with Workers() as workers:
            workers.start()
            lowered = plan.lower()
            # The quick build takes a tenth of the full one and is 150 times the reference engine.
            if quickly:
                report.ready(plan.make(cache, jit.QUICK, lowered, workers), cache)
            built = plan.make(cache, jit.FULL, lowered, workers)
    report.ready(built, cache)


class Report:
    """Messages to the parent. It reads them when its tile runs, so they are written beside the
    compiling, which continues meanwhile."""

    def __init__(self) -> None:
        self._messages: SimpleQueue[bytes] = SimpleQueue()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    def ready(self, built: Built, cache: Cache) -> None:
        """This is compiled; and why the cache has not taken it, if it has not."""
        if cache.unkept:
            self._tell(UNKEPT, cache.unkept.encode())
        self._tell(READY, built.to_bytes())

    def _tell(self, word: str, content: bytes) -> None:
        self._messages.put(f"{word} {len(content)}\n".encode() + content)

    def close(self) -> None:
        """Wait until the parent has them all."""
        self._messages.put(b"")
        self._writer.join()

    def _write(self) -> None:
        try:
            while message := self._messages.get():
                sys.stdout.buffer.write(message)
                sys.stdout.buffer.flush()
        except OSError:
            # The parent has gone. What is left would be written at the end, which fails again, and
            # Python then ends with status 120.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end_with_parent(work: Work, stays: bool) -> None:
    """Wait for the end of standard input, and of what is worth finishing. Runs beside LLVM,
    which does not hold the GIL."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    if stays:
        stay(work)
    os._exit(1)


def stay(work: Work) -> None:
    """Wait until the work is of no use any more, or has taken too long. That it is done ends the
    process."""
    end = time.monotonic() + STAY_SECONDS
    while work.is_worth_going_on() and time.monotonic() < end:
        time.sleep(LOOK_SECONDS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
