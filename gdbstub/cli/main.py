# SPDX-License-Identifier: Apache-2.0
"""The command line: `tensix-gdb serve`, `run`, `core`, `replay`, `gdb`, `simulator`, `litmus`,
`demo`; about kernels of one's own `build`, `new`; about instructions `asm`, `disasm`, `explain`,
`isa`.

Exit status: 0 for success, 1 when the program on the tile failed, 2 when the command could not be
carried out (wrong arguments, a bad file, a port in use, no memory); then one sentence says why. As
in a shell 130 after Ctrl-C, 143 after SIGTERM, 129 when the terminal was closed (SIGHUP), and 141
when the reader of the output has gone.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from tensix_gdb.gdbstub.cli.failures import CANNOT_WRITE, cause, sentence
from tensix_gdb.gdbstub.cli.options.table import COMMANDS
from tensix_gdb.gdbstub.signals import end_signal, raised
from tensix_gdb.gdbstub.spare_memory import given_back_when_short, is_short, quiet_when_short, spare
from tensix_gdb.gdbstub.usage import OUT_OF_MEMORY

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.cli.parser import Typed

CANNOT, NOBODY_READS = 2, 128 + 13
# New objects after which Python looks for garbage among them. It does so after 700 by itself: some
# 300 times while a chip of 140 tiles is loaded and made, which leaves no garbage.
NEW_OBJECTS = 20_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    end_signal.number = 0
    spare.reserve()
    sys.unraisablehook = quiet_when_short
    gc.set_threshold(NEW_OBJECTS)
    try:
        with given_back_when_short():
            status = _run(_parse(argv))
            _flush()
    except SystemExit:
        raise
    except BaseException as problem:
        status = _failed(cause(problem))
    if not end_signal.number:
        return status
    # A command that a signal ends may succeed, or find its terminal closed.
    _write_or_discard()
    return end_signal.status


def _failed(problem: BaseException) -> int:
    """Say why; return the exit status."""
    if isinstance(problem, KeyboardInterrupt):
        return end_signal.status
    if isinstance(problem, BrokenPipeError):
        _discard_output()
        return NOBODY_READS
    said = sentence(problem)
    if not said:
        raise problem
    if isinstance(problem, OSError) and problem.errno in CANNOT_WRITE:
        _discard_output()
    short = said == OUT_OF_MEMORY
    if short:
        spare.give_back()  # what failed may be another exception that Python raised in its place
    with contextlib.suppress(OSError):
        print(f"tensix-gdb: {said}", file=sys.stderr)
    if short:
        # As Python ends it finds no memory either, and would say so for one object after another.
        _discard(sys.stderr)
    return CANNOT


def _flush() -> None:
    """Write what is buffered while a failure can still be reported. Does nothing if there is no
    output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _write_or_discard() -> None:
    """Write what is buffered; discard it if that fails. Python's own exit status would be 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            _discard(stream)


def _discard_output() -> None:
    """Drop what is buffered: Python would write it at its end and fail once more."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    """Let what is buffered in a stream, and what follows, go nowhere."""
    with contextlib.suppress(OSError, ValueError, MemoryError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parse(argv: Sequence[str] | None) -> Typed:
    # Imported here, so that Ctrl-C is quiet from the first moment on.
    import logging

    from tensix_gdb.gdbstub.cli.parser import parse

    typed = parse(argv)
    logging.basicConfig(
        level=logging.INFO if typed.verbose else logging.WARNING,
        format="tensix-gdb: %(message)s",
    )
    return typed


def _run(typed: Typed) -> int:
    from tensix_gdb.gdbstub.cli.parser import loaded

    row = COMMANDS[typed.command]
    if is_short(row.mib << 20):
        raise MemoryError
    # Everything that is loaded stays: a search in it for garbage takes a tenth of the time.
    gc.disable()
    command = loaded(row.run)
    gc.freeze()
    gc.enable()
    with _interrupts(), raised():
        if "TENSIX_GDB_ENDS_WITH" in os.environ:  # which editors' adapters set
            from tensix_gdb.gdbstub.starter import end_with_starter

            end_with_starter()
        return int(command(typed.options))


@contextlib.contextmanager
def _interrupts() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt. Before, it ends the process (__main__.py)."""
    before = signal.getsignal(signal.SIGINT)
    if before != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
