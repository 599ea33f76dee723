# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb gdb`: the server, and the user's own GDB in the same terminal, attached."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import trio

from tensix_gdb.gdbstub.cli.attach.find_gdb import HELPER, find_gdb
from tensix_gdb.gdbstub.cli.attach.processes import attach_processes, loaded_processes
from tensix_gdb.gdbstub.cli.build import machine_of, observe_served
from tensix_gdb.gdbstub.cli.firmware import prepare
from tensix_gdb.gdbstub.cli.options.gdb import GdbOptions
from tensix_gdb.gdbstub.pages.web.wanted import Serve, page_wanted
from tensix_gdb.gdbstub.protocol.server.event_loop import run_until_asked
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import Target
from tensix_gdb.gdbstub.signals import deaf_to_interrupts
from tensix_gdb.gdbstub.tensix.host.host import host_side
from tensix_gdb.gdbstub.tensix.output.recording import recorded
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError


def gdb_command(
    program: str,
    files: Sequence[str],
    address: str,
    more: Sequence[str],
    processes: Sequence[int] = (),
) -> list[str]:
    """Make the command for a GDB with the symbols of every file, attached to `address`.

    GDB gets the first file, and learns of the others as libraries, which `set sysroot` lets it open
    by their names; or it reads all of them from the tile, if it would forget lines of one
    (kept_lines.py). The commands `tensix` come from a script (gdbstub/inside); a GDB without Python
    refuses it with a line. Sources are often in the folders of the programs. With processes, GDB
    learns the file of each. The user's arguments come last, when the tile is attached.
    """
    from tensix_gdb.core.dwarf.kept_lines import gdb_forgets_lines_of  # the tile is there before

    reads_them_here = not any(map(gdb_forgets_lines_of, files))
    command = [program, "-q", "-ex", "set osabi none"]
    command += ["-ex", "set sysroot"] if reads_them_here else []
    for folder in dict.fromkeys(str(Path(file).resolve().parent) for file in files):
        command += ["-directory", folder]
    attach = attach_processes(address, processes) if processes else [f"target remote {address}"]
    command += [files[0]] if reads_them_here and not processes else []
    for gdb_line in (f"source {HELPER}", *attach, "info threads"):
        command += ["-ex", gdb_line]
    return [*command, *more]


def gdb(options: GdbOptions) -> int:
    """Run GDB until it ends; return its exit status."""
    program = find_gdb(options.gdb)
    machine, firmware = machine_of(options.programs, reads_prints=options.host.dprint is not None)
    with contextlib.closing(machine), contextlib.ExitStack() as stack:
        stack.enter_context(recorded(machine, options.history.record_to))
        if firmware is not None:
            print(prepare(firmware, options.programs.launch))
        observe_served(machine, options.races)
        files = [str(image.path) for image in machine.images]
        target = tensix_target(
            machine,
            record=options.history.record,
            host=host_side(machine, firmware, options.host, stack),
            processes=options.processes,
            stop_at_end=options.stop_at_end or options.processes,
        )
        with deaf_to_interrupts():
            return run_beside_server(
                target,
                lambda address: gdb_command(
                    program, files, address, options.gdb_arguments, loaded_processes(target)
                ),
                page=lambda server, tile: page_wanted(options.web, server, tile, machine),
                stdin=None,
            )


def run_beside_server(
    target: Target,
    command: Callable[[str], list[str]],
    page: Callable[[Server, SharedTile], Serve | None] = lambda server, tile: None,
    **options: Any,
) -> int:
    """Run the command that is made from the server's address until it ends; return its exit
    status, as a shell has it. `page` makes what serves a page beside it."""
    status = 0

    async def main() -> None:
        nonlocal status
        async with trio.open_nursery() as nursery:
            tile = SharedTile(target)
            server = Server(tile)
            ((host, port),) = await nursery.start(server.serve, "127.0.0.1", [0])
            shown = page(server, tile)
            if shown is not None:
                print(f"the page is at {await nursery.start(shown)}", flush=True)
            made = command(f"{host}:{port}")
            try:
                ended = await trio.run_process(made, check=False, deliver_cancel=_kill, **options)
                status = ended.returncode
            except OSError as problem:
                reason = problem.strerror or problem
                raise UsageError(f"{made[0]} cannot be started: {reason}") from None
            nursery.cancel_scope.cancel()

    run_until_asked(main)
    return status if status >= 0 else 128 - status


async def _kill(process: trio.Process) -> None:
    """Kill it: a process that is asked to end may print something."""
    process.kill()
