# SPDX-License-Identifier: Apache-2.0
"""A Python function that judges the end of a run: `tensix-gdb seeds --check module:function`.

It is called with the tile, as tests have it (testing/tile.py). The run is wrong if it returns False
or a sentence, fails an assertion, or raises something else, which has a sentence with its line.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.testing.tile import tile_of
from tensix_gdb.gdbstub.usage import UsageError


def judge(source: str, path: str, function: str) -> Callable[[Machine], str]:
    """Return a function that says what is wrong with the end of a run; "" if nothing is. The source
    goes with the search, so that a worker needs no file."""
    names: dict[str, Any] = {"__name__": "tensix_gdb_check", "__file__": path}
    exec(compile(source, path, "exec"), names)
    called = names.get(function)
    if not callable(called):
        raise UsageError(f"--check: {path} has no function {function}")

    def judged(machine: Machine) -> str:
        try:
            said = called(tile_of(machine))
        except AssertionError as problem:
            return str(problem).partition("\n")[0] or "an assertion fails"
        except (Exception, SystemExit) as problem:
            return _raised(problem, path, function)
        if said is None or said is True:
            return ""
        return said if isinstance(said, str) else f"{function} returns {said!r}"

    return judged


def _raised(problem: BaseException, path: str, function: str) -> str:
    """`sums raises ZeroDivisionError: division by zero (checks.py:6)`."""
    lines = [at.lineno for at in traceback.extract_tb(problem.__traceback__) if at.filename == path]
    said = str(problem).partition("\n")[0]
    name = type(problem).__name__
    where = f" ({path}:{lines[-1]})" if lines else ""
    return f"{function} raises {name}{f': {said}' if said else ''}{where}"
