# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb picture`: draw the tile of a core file, a recording, or a running server."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.core import server_core
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT
from tensix_gdb.gdbstub.picture.files import check_name, content
from tensix_gdb.gdbstub.picture.state import take
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.tensix.output.recording import history_of, is_recording
from tensix_gdb.gdbstub.usage import UsageError


def picture(arguments: argparse.Namespace) -> int:
    """Write the picture; say of which cycle it is, unless it is all that is to be written."""
    check_name(*(("-o", arguments.output) if arguments.form is None else ("", arguments.form)))
    if arguments.at is not None and not _is_recording(arguments):
        raise UsageError("--at CYCLE is about a recording: name one of `run --record-to FILE`")
    with _standing(arguments) as (machine, ending):
        drawn = content(take(machine, ending), arguments.form or arguments.output, arguments.theme)
        if arguments.form is not None:
            sys.stdout.buffer.write(drawn)
            sys.stdout.buffer.flush()
            return 0
        with binary_output("-o", arguments.output) as out:
            out.write(drawn)
        print(f"picture {arguments.output}, cycle {machine.S.tile.cycle}")
    return 0


def _is_recording(arguments: argparse.Namespace) -> bool:
    return arguments.file is not None and is_recording(arguments.file)


@contextlib.contextmanager
def _standing(arguments: argparse.Namespace) -> Iterator[tuple[Machine, str]]:
    """Return the tile, and why it has stopped."""
    if arguments.file is None:
        if arguments.port is None and arguments.host is None:
            raise UsageError("name a core file or a recording, or --port of a running server")
        data = server_core(arguments.host or "127.0.0.1", arguments.port or DEFAULT_PORT)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tile.core"
            path.write_bytes(data)
            machine, ending = _of_core(str(path))
    elif arguments.port is not None or arguments.host is not None:
        raise UsageError("a file or a server (--port, --host), not both")
    elif _is_recording(arguments):
        machine, ending = _of_recording(arguments.file, arguments.at)
    else:
        machine, ending = _of_core(arguments.file)
    with contextlib.closing(machine):
        yield machine, ending


def _of_core(path: str) -> tuple[Machine, str]:
    note = read_core(path)
    ending = note.ending
    if note.unknown:
        ending += f"; not known, though drawn as empty: {', '.join(note.unknown)}"
    return machine_from(note, "reference"), ending


def _of_recording(path: str, cycle: int | None) -> tuple[Machine, str]:
    machine, history, said = history_of(path, "auto")
    if cycle is None:
        return machine, said[0]
    first, last = history.start.cycle, history.end.cycle
    if not first <= cycle <= last or not history.to_cycle(cycle):
        machine.close()
        raise UsageError(f"--at {cycle}: the recording has cycles {first} to {last}")
    return machine, f"in cycle {cycle} of {path}"
