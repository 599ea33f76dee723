# SPDX-License-Identifier: Apache-2.0
"""When core files are written and opened: `run --core`, `monitor core`, for clients that ask by
`tensix-gdb core`, `serve --core`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tensix_gdb.core.faults.policy import PolicyError
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.why import describe_stop
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of, machine_from, our_file
from tensix_gdb.gdbstub.tensix.monitor_row import Command
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.usage import UsageError

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


@contextmanager
def core_written(machine: Machine, path: str | None) -> Iterator[Callable[[str], list[str]]]:
    """Gives what writes the core file and says so; a file that cannot be written is refused now,
    not after the run."""
    if path is None:
        yield lambda ending: []
        return
    out = binary_output("--core", path)

    def write(ending: str) -> list[str]:
        out.write(core_of(machine, ending))
        return [f"core file {path}, cycle {machine.S.tile.cycle}, hash {machine.hash()}"]

    with out:
        yield write


class TileCoreFile:
    """The `CoreFile` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def content(self, *, running_for: str, part: str = "") -> bytes:
        if part:
            return b""
        return core_of(self._machine, self._ending(running_for))

    def _ending(self, running_for: str) -> str:
        """Return why it is as it is."""
        machine = self._machine
        stop = None if running_for else machine.reports.now()
        # What has stopped it may be long ago: a client moves harts, and goes back in time.
        if stop is not None and stop.pc == machine.read_pc(stop.hart):
            return describe_stop(machine, stop).text
        if machine.idle() and not running_for:
            return machine.reports.all_paused().text
        doing = f"ran for {running_for}" if running_for else "was stopped"
        return f"taken while the tile {doing}, in cycle {machine.S.tile.cycle}"


def core_directory(path: str | None) -> str | None:
    """Return the directory of `--core-dir`. UsageError if it is none."""
    if path is not None and not Path(path).is_dir():
        raise UsageError(f"--core-dir {path}: there is no such directory")
    return path


def core_command(machine: Machine, folder: str | None) -> list[Command]:
    """`monitor core`, of a server that was given a directory for it."""
    if folder is None:
        return []

    def monitor_core(thread: int, words: list[str]) -> str:
        if len(words) != 1 or not NAME.fullmatch(words[0]):
            raise TargetError(
                "type `monitor core NAME` with a plain file name: letters, digits, `.`, `_`, `-`; "
                "it is written into the directory of --core-dir"
            )
        path = Path(folder) / words[0]
        # A new file only: what a link there points to must not be overwritten.
        try:
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            with open(number, "wb") as out:
                out.write(core_of(machine, "written by `monitor core`"))
        except OSError as problem:
            raise TargetError(f"{path}: {problem.strerror}") from None
        return f"{path}, cycle {machine.S.tile.cycle}, hash {machine.hash()}\n"

    # While the tile runs for another client it is nowhere: between two cycles it would be.
    return [Command("core", "NAME", "write a core file of the whole tile", monitor_core, True)]


def reopened(path: str, engine: str, faults: str | None) -> tuple[Machine, int]:
    """Return the machine of `serve --core`, and the thread that its stop was about."""
    note, first = our_file(path)
    machine = machine_from(note, engine)
    try:
        if faults is not None:
            machine.faults.set(faults)
    except PolicyError as problem:
        machine.close()
        raise UsageError(f"--faults: {problem}") from None
    print(f"{path}: cycle {machine.S.tile.cycle}, hash {machine.hash()}")
    print(f"    {note.ending}")
    for file in note.changed():
        print(f"    {file} is not the file that ran any more; the core file has that", flush=True)
    return machine, first
