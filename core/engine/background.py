# SPDX-License-Identifier: Apache-2.0
"""An engine without a wait: reference at once, compiled code when it is there.

    index hit      ─► compiled from the start (a few ms)
    shipped code   ─► compiled for a common processor ─► optimised object for this one
    quick object   ─► compiled quickly, for an earlier run ─► optimised object
    otherwise      ─► reference ─► quick object ─► optimised object
                      while a child process compiles (compiler.py) and `poll` looks at its pipe

The child continues when the engine is closed, if the cache is kept (build.py).

Whatever goes wrong with llvmlite, the cache or the child is one line in the log, and the engine
stays what it is. A child that was killed is started again.
"""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Sequence

from tensix_gdb.core.engine import jit, shipped
from tensix_gdb.core.engine.build import NICE, NICE_LATER
from tensix_gdb.core.engine.cache import open_cache, say_unkept
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.compiler import Compiler
from tensix_gdb.core.engine.entry import Engine, Entry, Fixed, RecordLike
from tensix_gdb.core.engine.plan import Built, plan_for
from tensix_gdb.core.engine.reference import ReferenceEngine
from tensix_gdb.core.engine.waiting import QUIET_SECONDS, say_in_background

# Seconds before a compiler that was killed is started again, each time longer: where memory is
# short, it would be killed again at once.
PAUSES = (0.0, 10.0, 60.0)
# Seconds until it is started where there is code already: most commands have ended by then.
LATER = 2.0
_NEVER = float("inf")

_log = logging.getLogger(__name__)


class BackgroundEngine:
    """Starts as the reference engine and moves up, between two calls, when `poll` finds more."""

    def __init__(self, entries: Sequence[Entry], record: RecordLike, fixed: Fixed = ()) -> None:
        self._entries = entries
        self._record = record
        self._engine: Engine = ReferenceEngine(entries, record)
        self._level = -1
        self._compiler: Compiler | None = None
        self._starts_at = _NEVER
        self._niceness = NICE
        self._quiet_until = _NEVER  # then it is said that it is slow
        self._killed = 0  # how often the compiler was
        try:
            if importlib.util.find_spec("llvmlite") is None:
                raise jit.LlvmMissingError("it is not installed")
            self._plan = plan_for(entries, record.layout, fixed=fixed)
            self._cache = open_cache()
            built = self._plan.find(self._cache, jit.FULL)
            if built is not None:
                self._move_up(built)
            else:
                ready_made = shipped.find(self._plan)
                if ready_made is not None and self._move_up(ready_made):
                    self._level = jit.QUICK  # better than that, but what comes is for this machine
                    self._niceness = NICE_LATER
                    self._starts_at = time.monotonic() + LATER
                else:
                    self._start_cold()
        except jit.LlvmMissingError as problem:
            self._say(str(problem))
        except (OSError, TypeError, RuntimeError, MemoryError) as problem:
            self._say(f"the compiler cannot be started ({_reason(problem)})")

    @property
    def kind(self) -> str:
        """ "reference" or "compiled": what a call runs now."""
        return self._engine.kind

    def call(self, name: str, *args: int) -> int:
        """Run an entry; EngineDefect if it broke a rule."""
        return self._engine.call(name, *args)

    def poll(self) -> bool:
        """Move up if better code is ready; true if that has just happened."""
        if self._compiler is None:
            if self._starts_at is not _NEVER and time.monotonic() >= self._starts_at:
                self._start()
            return False
        if self._level < jit.QUICK and time.monotonic() > self._quiet_until:
            say_in_background(self._plan, self._cache.directory)
            self._quiet_until = _NEVER
        moved = False
        for built in self._compiler.ready():
            if built.level <= self._level:
                continue  # from a compiler that was started again
            if built.is_current():
                moved = self._move_up(built) or moved
            elif built.level == jit.FULL:
                self._say("the sources were changed after the program was started")
        if self._compiler.unkept:
            say_unkept(self._cache.directory, self._compiler.unkept)
        if self._compiler.over:
            self._ended(self._compiler)
        return moved

    def _start_cold(self) -> None:
        quick = self._plan.find(self._cache, jit.QUICK)
        if quick is not None:
            self._move_up(quick)
        self._quiet_until = time.monotonic() + QUIET_SECONDS
        self._start()

    def _start(self) -> None:
        self._starts_at = _NEVER
        try:
            quickly = self._level < jit.QUICK
            self._compiler = Compiler(
                self._plan, self._cache, quickly=quickly, niceness=self._niceness
            )
        except (OSError, MemoryError) as problem:
            self._say(f"the compiler cannot be started ({_reason(problem)})")

    def _ended(self, compiler: Compiler) -> None:
        self._compiler = None
        problem = compiler.close()
        if compiler.killed_by:
            self._was_killed(f"the compiler was killed ({compiler.killed_by})")
        elif problem:
            self._say(f"the compiler ended early ({problem})")

    def _was_killed(self, what: str) -> None:
        if self._killed == len(PAUSES):
            self._say(f"{what} {self._killed + 1} times")
            return
        pause = PAUSES[self._killed]
        self._killed += 1
        self._starts_at = time.monotonic() + pause
        _log.warning("%s; it is started again%s", what, f" in {pause:g} s" if pause else "")

    def _move_up(self, built: Built) -> bool:
        try:
            self._engine = CompiledEngine(self._entries, self._record, built)
        except (RuntimeError, MemoryError) as problem:
            self._say(f"the object {built.key} cannot be loaded ({_reason(problem)})")
            return False
        self._level = built.level
        return True

    def _say(self, problem: str) -> None:
        slower = (
            "the reference engine" if self.kind == "reference" else "code that was compiled quickly"
        )
        _log.warning("%s; continuing with %s, which is slower", problem, slower)

    def close(self) -> None:
        """Leave the child, if it is still at work and the cache is kept; else end it."""
        self._starts_at = _NEVER
        if self._compiler is not None:
            self._compiler.close()
            self._compiler = None
        self._engine.close()


def _reason(problem: Exception) -> str:
    return "there is not enough memory" if isinstance(problem, MemoryError) else str(problem)
