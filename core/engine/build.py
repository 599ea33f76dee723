# SPDX-License-Identifier: Apache-2.0
"""The child process that compiles: `python -m tensix_gdb.core.engine.build` (started by
background.py).

It reads a plan from the file descriptor it is given, compiles it into the cache, and writes one
line for each level that has become ready. Standard input is never written to: it ends when the
parent does, however the parent ends, and then this process ends too, also in the middle of LLVM.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.core.engine.entry import SubsetError
from tensix_gdb.core.engine.plan import Plan

READY = "ready"


def main(arguments: list[str]) -> int:
    """`build.py FD KEY`: compile the plan in FD; KEY is what the parent will look for."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(10)
    with os.fdopen(int(arguments[0]), encoding="utf-8") as file:
        plan = Plan.from_json(file.read())
    if plan.key(jit.FULL) != arguments[1]:
        print("the sources were changed after the program was started", file=sys.stderr)
        return 1
    cache = open_cache()
    if plan.find(cache, jit.FULL) is None:
        from tensix_gdb.core.engine.compile_workers import Workers

        with Workers() as workers:
            workers.start()
            try:
                lowered = plan.lower()
            except SubsetError as error:
                print(error.in_a_line(), file=sys.stderr)  # the parent tells one line
                return 1
            # The quick build takes a tenth of the full one and is 150 times the reference engine.
            plan.build(cache, jit.QUICK, lowered, workers)
            print(READY, jit.QUICK, flush=True)
            plan.build(cache, jit.FULL, lowered, workers)
    print(READY, jit.FULL, flush=True)
    return 0


def _end_with_parent() -> None:
    """Wait for the end of standard input. Runs beside LLVM, which does not hold the GIL."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
