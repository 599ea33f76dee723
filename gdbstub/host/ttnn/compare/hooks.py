# SPDX-License-Identifier: Apache-2.0
"""Hooks of ttnn: before an operation its operands are kept, after it torch computes the same.

What torch computes is the golden function that ttnn registers for the operation, with the same
operands as the device had, as ttnn's own comparison mode does it (ttnn/decorators.py of 0.81.1).
Hooks run when ttnn's fast mode is off. An error of one operation is not one of the next, which
gets what the device has made.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.host.ttnn.compare.differences import difference, pairs
from tensix_gdb.gdbstub.host.ttnn.compare.found import say_where
from tensix_gdb.gdbstub.host.ttnn.compare.lines import line_of_script
from tensix_gdb.gdbstub.host.ttnn.compare.told import (
    Compared,
    about,
    ending,
    is_wrong,
    said_wrong,
)
from tensix_gdb.gdbstub.host.ttnn.compare.wanted import DIFFERS, VARIABLE, WRONG, note_wrong

NO_GOLDEN = "for which ttnn registers no golden function"
# Their results are the host's.
TO_HOST = frozenset({"ttnn.to_torch", "ttnn.from_device", "ttnn.dump_tensor"})
# They make no numbers.
NO_NUMBERS = frozenset({"ttnn.deallocate", "ttnn.reallocate", "ttnn.empty", "ttnn.empty_like"})


def say(text: str) -> None:
    """Say a line on standard error."""
    print(f"tensix-gdb: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def comparing() -> Iterator[None]:
    """Compare each operation meanwhile, until one is wrong."""
    import ttnn

    hooks = Hooks(json.loads(os.environ[VARIABLE]))
    ttnn.CONFIG.enable_fast_runtime_mode = False
    with (
        ttnn.register_pre_operation_hook(hooks.before),
        ttnn.register_post_operation_hook(hooks.after),
    ):
        yield
    if not hooks.is_over:
        for line in ending(hooks.every, hooks.tolerance):
            say(line)


class Hooks:
    """Compares, and ends the program at the first result that leaves the tolerance."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self.tolerance: float = settings["tolerance"]
        self.every: list[Compared] = []
        self.is_over = False
        self._operands: Any = None
        self._kept: list[Any] | None = None
        self._why = ""
        self._began = 0.0

    def before(self, operation: Any, args: Any, kwargs: Any) -> None:
        """Keep the operands as torch's tensors: an operation may write them."""
        self._operands = self._kept = None
        name = operation.python_fully_qualified_name
        self._why = NO_GOLDEN if operation.golden_function is None else ""
        if self.is_over or self._why or name in TO_HOST or name in NO_NUMBERS:
            return
        try:
            self._operands = operation.preprocess_golden_function_inputs(args, kwargs)
            self._kept = _copies(self._operands)
        except Exception as problem:
            self._why = f"because its operands cannot be read ({_short(problem)})"
        self._began = time.perf_counter()

    def after(self, operation: Any, args: Any, kwargs: Any, output: Any) -> None:
        """Compare the result."""
        seconds = time.perf_counter() - self._began
        name = operation.python_fully_qualified_name
        if self.is_over or name in TO_HOST or name in NO_NUMBERS:
            return
        line = line_of_script()
        found, wrong = None, None
        if self._operands is not None:
            try:
                for got, wanted in pairs(self._golden(operation), output):
                    one = difference(got, wanted, self.tolerance)
                    if found is None or not one.error <= found.error:
                        found, wrong = one, got
                if found is None:
                    self._why = "because torch's function has no result for it"
            except Exception as problem:
                found, self._why = None, f"because of torch's function ({_short(problem)})"
        compared = Compared(len(self.every) + 1, name, line, found, self._why)
        self.every.append(compared)
        self._log(compared, seconds)
        if is_wrong(found, self.tolerance):
            self.is_over = True
            self._stop(compared, operation, args, kwargs, wrong)

    def _golden(self, operation: Any) -> Any:
        args, kwargs = self._operands
        if operation.python_fully_qualified_name.endswith("_bw"):
            from ttnn.decorators import prepare_backward_golden_inputs

            args, kwargs = prepare_backward_golden_inputs((args, kwargs))
        return operation.golden_function(*args, **kwargs)

    def _log(self, one: Compared, seconds: float) -> None:
        if self._settings["log"] is None:
            return
        found = one.difference
        entry = {
            **{"number": one.number, "name": one.name, "line": one.line},
            **{"error": found and found.error, "off": found and found.off, "why": one.why},
            "seconds": round(seconds, 3),
        }
        with open(self._settings["log"], "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def _stop(self, one: Compared, operation: Any, args: Any, kwargs: Any, wrong: Any) -> None:
        assert one.difference is not None
        where, place = say_where(wrong, one.difference.worst)
        for line in about(one, self.tolerance, where, place):
            say(line)
        from tensix_gdb.gdbstub.host.ttnn.compare.again import say_origin

        again = say_origin(self._settings, operation, args, kwargs, self._kept, one, place)
        if os.environ.get(WRONG):  # for the page, which has the last launch: that of `again`
            line = f"{one.name} at {one.line}"
            said = said_wrong(one.difference, line, where, again)
            note_wrong(Path(os.environ[WRONG]), said, again)
        if self._settings["holds"]:
            _hold(self._settings)
        sys.stdout.flush()
        raise SystemExit(DIFFERS)


def _hold(settings: dict[str, Any]) -> None:
    """Let a debugger look, until Ctrl-C."""
    say(
        f"the program waits here: attach to port {settings['port']}, and ask `monitor origin` for "
        "this place or another; Ctrl-C ends it"
    )
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(1)


def _copies(operands: Any) -> list[Any]:
    """Return copies of the tensors: a golden function may write its operands."""
    from ttnn.decorators import get_all_tensors

    args, kwargs = operands
    return [one.detach().clone() for one in get_all_tensors((args, kwargs))]


def _short(problem: Exception) -> str:
    text = " ".join(str(problem).split())[:120]
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__
