# SPDX-License-Identifier: Apache-2.0
"""The command line: `tensix-gdb serve`, `run`, `core`, `replay`, `gdb`, `bridge`, `litmus`, `demo`;
about instructions `asm`, `disasm`, `explain`, `isa`.

Exit status: 0 for success, 1 when the program on the tile failed, 2 when the command could not be
carried out (wrong arguments, a bad file, a port in use); then one sentence says why. 130 after
Ctrl-C and 141 when nobody reads the output any more, as in a shell.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    import argparse

CANNOT, INTERRUPTED, NOBODY_READS = 2, 128 + 2, 128 + 13
# What writing to a file or terminal fails with. What else the system refuses (a file to read, a
# port) is made a sentence where it is asked for.
CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    try:
        try:
            status = _run(_parse(argv))
            _flush()
            return status
        except BaseExceptionGroup as group:
            # The server's tasks fail as a group. One sentence is about the first of them.
            for one in leaves(group):
                if isinstance(one, UsageError | OSError | KeyboardInterrupt):
                    raise one from None
            raise
    except UsageError as problem:
        print(f"tensix-gdb: {problem}", file=sys.stderr)
        return CANNOT
    except BrokenPipeError:
        _discard_output()
        return NOBODY_READS
    except OSError as problem:
        if problem.errno not in CANNOT_WRITE:
            raise
        _discard_output()
        print(f"tensix-gdb: the output cannot be written: {problem.strerror}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        return INTERRUPTED


def leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """The exceptions in a group of groups."""
    for one in group.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from leaves(one)
        else:
            yield one


def _flush() -> None:
    """Write what is buffered while a failure can still be told. Without an output: nothing."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_output() -> None:
    """What is still buffered is not written when Python ends: that would fail once more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    # Imported here, so that Ctrl-C is quiet from the first moment on.
    import logging

    from tensix_gdb.gdbstub.cli.parser import parser

    arguments = parser().parse_args(argv)
    logging.basicConfig(
        level=logging.INFO if arguments.verbose else logging.WARNING,
        format="tensix-gdb: %(message)s",
    )
    return arguments


# Where each command is: it imports what it needs itself, because `serve` has to listen before
# anything slow is loaded.
COMMANDS = {
    "serve": "tensix_gdb.gdbstub.cli.serve:serve",
    "run": "tensix_gdb.gdbstub.cli.run:run",
    "core": "tensix_gdb.gdbstub.cli.core:core",
    "replay": "tensix_gdb.gdbstub.cli.replay:replay",
    "gdb": "tensix_gdb.gdbstub.cli.gdb:gdb",
    "bridge": "tensix_gdb.gdbstub.bridge.command:bridge",
    "litmus": "tensix_gdb.gdbstub.cli.litmus:litmus",
    "asm": "tensix_gdb.gdbstub.cli.asm:asm",
    "disasm": "tensix_gdb.gdbstub.cli.disasm:disasm",
    "explain": "tensix_gdb.gdbstub.cli.explain:explain_command",
    "isa": "tensix_gdb.gdbstub.cli.explain:isa_command",
    "demo": "tensix_gdb.gdbstub.demo.session:demo",
}


def _run(arguments: argparse.Namespace) -> int:
    module, _, function = COMMANDS[arguments.command].partition(":")
    # All that is loaded stays: looking through it for what goes away takes a tenth of the time.
    gc.disable()
    command = getattr(importlib.import_module(module), function)
    gc.freeze()
    gc.enable()
    return int(command(arguments))
