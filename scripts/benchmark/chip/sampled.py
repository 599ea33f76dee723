# SPDX-License-Identifier: Apache-2.0
"""The tiles' server with a sampler in it: where the time of the processor went.

    python sampled.py FILE [arguments of tensix-gdb]

Every few milliseconds a thread looks where the main thread is, and gives the time of the processor
that it has used since the look before to what it does now. Machine code of the tiles and of the
channel runs without Python's lock, so it is seen as what called it. FILE has a line for each look:
seconds of the monotonic clock, which all processes share, of the processor, the cause and the
function. A profiler that is told of every call would take longer than what it measures.
"""

from __future__ import annotations

import runpy
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

PAUSE = 0.001  # between two looks
PIECE = 100  # looks that are written at once
SWITCH = 0.0005  # seconds for which a thread keeps Python's lock while another one wants it
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


def sample(main: int, path: Path, ends: threading.Event) -> None:
    """Look at thread `main` until the end. The file is opened for each piece: a server closes all
    files that it knows nothing of."""
    clock = time.pthread_getcpuclockid(main)
    before = 0.0
    lines: list[str] = []
    while not ends.wait(PAUSE):
        now = time.clock_gettime(clock)
        used, before = now - before, now
        frame = sys._current_frames().get(main)
        if used <= 0 or frame is None:
            continue
        cause, name = cause_of(list(frames(frame)))
        lines.append(f"{time.monotonic():.6f}\t{used:.6f}\t{cause}\t{name}\n")
        if len(lines) >= PIECE and _write(path, lines):
            lines.clear()
    _write(path, lines)


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
    sys.setswitchinterval(SWITCH)
    ends = threading.Event()
    main_thread = threading.get_ident()
    sampler = threading.Thread(target=sample, args=(main_thread, Path(file), ends), daemon=True)
    sampler.start()
    sys.argv = ["tensix-gdb", *arguments]
    del sys.path[0]  # the folder of this file
    try:
        runpy.run_module("tensix_gdb.gdbstub", run_name="__main__", alter_sys=True)
    finally:
        ends.set()
        sampler.join()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
