# SPDX-License-Identifier: Apache-2.0
"""The tiles' server with a sampler in it: where the time of the processor went.

    python sampled.py FILE [arguments of tensix-gdb]

A timer of the processor's time sends a signal every few milliseconds, and Python's handler says
where the main thread is then. The time since the signal before is given to that. In machine code of
the tiles or of the channel a signal waits until it comes back, and is seen as what called it. FILE
has a line for each: seconds of the monotonic clock, which all processes share, of the processor,
the cause and the function. A profiler that is told of every call would take longer than what it
measures; a thread that looks is let in where Python's lock is given up, which is at calls of
machine code, so it would see those too often.
"""

from __future__ import annotations

import runpy
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

PAUSE = 0.001  # between two looks, if the system's clock is as fine
PIECE = 20  # looks that are written at once
NATIVE, MESSAGES, IMPORTS, COMPILER, PYTHON = (
    *("the tiles' machine code", "messages", "imports"),
    *("compiled code: found, loaded", "Python"),
)
CAUSES = (NATIVE, MESSAGES, IMPORTS, COMPILER, PYTHON)
# Where machine code is called, and where the channel's library is.
CALLS = {("core/chip/together.py", "run"): NATIVE, ("core/engine/compiled.py", "call"): NATIVE}
IN_CHANNEL = ("gdbstub/host/library/channel.py", "/trio/")
IMPORTING = "importlib._bootstrap"
LOADING = ("core/engine/plan.py", "core/engine/jit.py", "core/engine/dependencies.py")


def frames(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    """Yield file and function of each call, the innermost first."""
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_code.co_name
        frame = frame.f_back


def cause_of(stack: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the cause of the time that is spent there, and the function."""
    file, function = stack[0]
    name = f"{Path(file).parent.name}/{Path(file).name} {function}"
    if any(IMPORTING in each for each, _ in stack):
        return IMPORTS, name
    for (end, called), cause in CALLS.items():
        if file.endswith(end) and function == called:
            return cause, name
    if any(part in file for part in IN_CHANNEL):
        return MESSAGES, name
    if any(each.endswith(LOADING) for each, _ in stack):
        return COMPILER, name
    return PYTHON, name


class Sampler:
    """Notes where the main thread is, in a file that is opened for each piece: a server closes all
    files that it knows nothing of."""

    def __init__(self, path: Path) -> None:
        self._path, self._lines = path, list[str]()
        self._before = time.process_time()

    def start(self) -> None:
        """Look from now on."""
        signal.signal(signal.SIGPROF, self.look)
        signal.setitimer(signal.ITIMER_PROF, PAUSE, PAUSE)

    def look(self, number: int, frame: FrameType | None) -> None:
        """Give the time since the last look to what is done now."""
        now = time.process_time()
        used, self._before = now - self._before, now
        if frame is None:
            return
        cause, name = cause_of(list(frames(frame)))
        self._lines.append(f"{time.monotonic():.6f}\t{used:.6f}\t{cause}\t{name}\n")
        if len(self._lines) >= PIECE:
            self.write()

    def end(self) -> None:
        """Look no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.write()

    def write(self) -> None:
        """Append what was noted."""
        if _write(self._path, self._lines):
            self._lines.clear()


def _write(path: Path, lines: list[str]) -> bool:
    """Append the lines; False if the file was closed meanwhile."""
    try:
        with path.open("a", encoding="utf-8") as out:
            out.writelines(lines)
    except OSError:
        return False
    return True


def main(file: str, arguments: list[str]) -> None:
    """Be `tensix-gdb ARGUMENTS`, sampled."""
    sampler = Sampler(Path(file))
    sampler.start()
    sys.argv = ["tensix-gdb", *arguments]
    del sys.path[0]  # the folder of this file
    try:
        runpy.run_module("tensix_gdb.gdbstub", run_name="__main__", alter_sys=True)
    finally:
        sampler.end()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
