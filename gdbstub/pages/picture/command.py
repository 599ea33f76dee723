# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb picture`: draw the tile of a core file, a recording, or a running server."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.core import server_core
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT
from tensix_gdb.gdbstub.pages.picture.files import check_name, content
from tensix_gdb.gdbstub.pages.picture.options import PictureOptions
from tensix_gdb.gdbstub.pages.picture.state import take_picture
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.tensix.output.recording import history_of, is_recording
from tensix_gdb.gdbstub.usage import UsageError


def picture(options: PictureOptions) -> int:
    """Write the picture; say of which cycle it is, unless it is all that is to be written."""
    form, output = options.where.form, options.where.output or ""
    check_name(*(("-o", output) if form is None else ("", form)))
    if options.at is not None and not _is_recording(options):
        raise UsageError("--at CYCLE is about a recording: name one of `run --record-to FILE`")
    with _stopped(options) as (machine, ending):
        drawn = content(take_picture(machine, ending), form or output, options.theme)
        if form is not None:
            sys.stdout.buffer.write(drawn)
            sys.stdout.buffer.flush()
            return 0
        with binary_output("-o", output) as out:
            out.write(drawn)
        print(f"picture {output}, cycle {machine.S.tile.cycle}")
    return 0


def _is_recording(options: PictureOptions) -> bool:
    return options.file is not None and is_recording(options.file)


@contextlib.contextmanager
def _stopped(options: PictureOptions) -> Iterator[tuple[Machine, str]]:
    """Yield the tile, and why it has stopped."""
    if options.file is None:
        if options.port is None and options.host is None:
            raise UsageError("name a core file or a recording, or --port of a running server")
        data = server_core(options.host or "127.0.0.1", options.port or DEFAULT_PORT)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tile.core"
            path.write_bytes(data)
            machine, ending = _of_core(str(path))
    elif options.port is not None or options.host is not None:
        raise UsageError("a file or a server (--port, --host), not both")
    elif _is_recording(options):
        machine, ending = _of_recording(options.file, options.at)
    else:
        machine, ending = _of_core(options.file)
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
    first, last = history.first_cycle, history.last_cycle
    if not first <= cycle <= last or not history.to_cycle(cycle):
        machine.close()
        raise UsageError(f"--at {cycle}: the recording has cycles {first} to {last}")
    return machine, f"in cycle {cycle} of {path}"
