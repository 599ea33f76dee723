# SPDX-License-Identifier: Apache-2.0
"""An engine without a wait: reference at once, compiled code when it is there.

    index hit      ─► compiled from the start (a few ms)
    otherwise      ─► reference ─► quick object ─► optimised object
                      while a child process compiles (build.py) and `poll` looks at its pipe

Whatever goes wrong with llvmlite, the cache or the child is one line in the log, and the engine
stays what it is.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.build import READY
from tensix_gdb.core.engine.cache import VARIABLE, Cache, open_cache
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.entry import Engine, Entry, RecordLike
from tensix_gdb.core.engine.plan import Plan, plan_for
from tensix_gdb.core.engine.reference import ReferenceEngine

_log = logging.getLogger(__name__)


class BackgroundEngine:
    """Starts as the reference engine and moves up, between two calls, when `poll` finds more."""

    def __init__(self, entries: Sequence[Entry], record: RecordLike) -> None:
        self._entries = entries
        self._record = record
        self._engine: Engine = ReferenceEngine(entries, record)
        self._compiler: Compiler | None = None
        try:
            self._start()
        except jit.LlvmMissingError as problem:
            _say(f"llvmlite cannot be used ({problem}); install it with `pip install llvmlite`")
        except (OSError, TypeError, RuntimeError) as problem:
            _say(f"the compiler cannot be started ({problem})")

    def _start(self) -> None:
        if importlib.util.find_spec("llvmlite") is None:
            raise jit.LlvmMissingError("it is not installed")
        plan = plan_for(self._entries, self._record.layout)
        cache = open_cache()
        if not self._move_up(plan, cache, jit.FULL):
            self._compiler = Compiler(plan, cache)

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
            return False
        moved = False
        for level in self._compiler.ready():
            if self._move_up(self._compiler.plan, self._compiler.cache, level):
                moved = True
            elif level == jit.FULL:
                _say("the sources were changed after the program was started")
        if self._compiler.over:
            problem = self._compiler.close()
            if problem:
                _say(f"the compiler ended early ({problem})")
            self._compiler = None
        return moved

    def _move_up(self, plan: Plan, cache: Cache, level: int) -> bool:
        built = plan.find(cache, level)
        if built is None:
            return False
        try:
            self._engine = CompiledEngine(self._entries, self._record, built)
        except RuntimeError as problem:
            _say(f"the object {built.key} cannot be loaded ({problem})")
            return False
        return True

    def close(self) -> None:
        """End the child, if it is still at work."""
        if self._compiler is not None:
            self._compiler.close()
            self._compiler = None
        self._engine.close()


class Compiler:
    """The child process and the pipe on which it says what is ready."""

    def __init__(self, plan: Plan, cache: Cache) -> None:
        self.plan = plan
        self.cache = cache
        self.over = False
        self._complete = False
        self._heard = b""
        # A file, not a pipe, because nothing reads it meanwhile: a full pipe would stop the child.
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        try:
            self._process = self._start()
        except OSError:
            self._errors.close()
            raise
        assert self._process.stdout is not None
        self._output = self._process.stdout
        os.set_blocking(self._output.fileno(), False)

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
        with tempfile.TemporaryFile() as request:
            request.write(self.plan.to_json().encode())
            request.seek(0)
            file = str(request.fileno())
            # -P: the working directory is not where our modules come from. No other descriptors
            # are inherited, so a child never keeps a port open.
            return subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "tensix_gdb.core.engine.build",
                    file,
                    self.plan.key(jit.FULL),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                pass_fds=(request.fileno(),),
                env={**os.environ, "PYTHONPATH": path, VARIABLE: str(self.cache.directory)},
                start_new_session=True,  # Ctrl-C in the terminal is for the debugger
            )

    def ready(self) -> list[int]:
        """Return the levels that have become ready since the last call. Does not wait."""
        try:
            while piece := os.read(self._output.fileno(), 4096):
                self._heard += piece
            self.over = True
        except BlockingIOError:
            pass
        *lines, self._heard = self._heard.split(b"\n")
        words = [line.decode("ascii", "replace").split() for line in lines]
        levels = [int(word[1]) for word in words if len(word) == 2 and word[0] == READY]
        self._complete = self._complete or jit.FULL in levels
        return levels

    def close(self) -> str:
        """End the child; return what went wrong, or "" if it had done everything."""
        if not self._complete:
            self._process.kill()
        code = self._process.wait()
        with contextlib.suppress(OSError):
            self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        assert self._process.stdin is not None
        for file in (self._process.stdin, self._output, self._errors):
            file.close()
        if self._complete:
            return ""
        return said[-1] if said else f"exit status {code}"


def _say(problem: str) -> None:
    _log.warning("%s; going on with the reference engine, which is slower", problem)
