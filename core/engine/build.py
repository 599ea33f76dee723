# SPDX-License-Identifier: Apache-2.0
"""The child process that compiles: `python -m tensix_gdb.core.engine.build` (started by
compiler.py).

It reads a plan from the file descriptor it is given, compiles it into the cache, and tells its
parent what has become ready (compiler.py has the form). Standard input is never written to: it ends
when the parent does, however the parent ends, and then this process ends too, also in the middle of
LLVM.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from queue import SimpleQueue

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import Cache, open_cache
from tensix_gdb.core.engine.entry import SubsetError
from tensix_gdb.core.engine.plan import Built, Plan

READY, UNKEPT = "ready", "unkept"
QUICKLY = "quickly"


def main(arguments: list[str]) -> int:
    """`build.py FD KEY [quickly]`: compile the plan in FD; KEY is what the parent will look for."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.disable()  # what is imported and lowered stays to the end
    with contextlib.suppress(OSError):
        os.nice(10)
    with os.fdopen(int(arguments[0]), encoding="utf-8") as file:
        plan = Plan.from_json(file.read())
    if plan.key(jit.FULL) != arguments[1]:
        print("the sources were changed after the program was started", file=sys.stderr)
        return 1
    report = Report()
    try:
        _compile(plan, report, quickly=QUICKLY in arguments[2:])
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


def _compile(plan: Plan, report: Report, *, quickly: bool) -> None:
    cache = open_cache()
    built = plan.find(cache, jit.FULL)
    if built is None:
        from tensix_gdb.core.engine.compile_workers import Workers

        with Workers() as workers:
            workers.start()
            lowered = plan.lower()
            # The quick build takes a tenth of the full one and is 150 times the reference engine.
            if quickly:
                report.ready(plan.build(cache, jit.QUICK, lowered, workers), cache)
            built = plan.build(cache, jit.FULL, lowered, workers)
    report.ready(built, cache)


class Report:
    """Messages to the parent. It reads them when its tile runs, so they are written beside the
    compiling, which goes on meanwhile."""

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
        with contextlib.suppress(OSError):
            while message := self._messages.get():
                sys.stdout.buffer.write(message)
                sys.stdout.buffer.flush()


def _end_with_parent() -> None:
    """Wait for the end of standard input. Runs beside LLVM, which does not hold the GIL."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
