# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb serve`: a tile that debuggers attach to."""

from __future__ import annotations

import contextlib
import shlex
import signal
from collections.abc import Sequence
from pathlib import Path

import trio

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.attach.processes import attach_processes, loaded_processes
from tensix_gdb.gdbstub.cli.build import machine_of, observe_served, programs_named
from tensix_gdb.gdbstub.cli.firmware import prepare
from tensix_gdb.gdbstub.cli.options.serve import ServeOptions
from tensix_gdb.gdbstub.cli.packets.command import programs_of
from tensix_gdb.gdbstub.pages.web.wanted import Serve, page_wanted
from tensix_gdb.gdbstub.protocol.packet_log import PacketLog
from tensix_gdb.gdbstub.protocol.server.event_loop import run_until_asked
from tensix_gdb.gdbstub.protocol.server.server import Endpoint, Server
from tensix_gdb.gdbstub.protocol.sharing.hart_port import HartPort
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import Target
from tensix_gdb.gdbstub.tensix.corefile.write import core_directory, reopened
from tensix_gdb.gdbstub.tensix.documents.ports import loaded_harts
from tensix_gdb.gdbstub.tensix.host.host import host_side
from tensix_gdb.gdbstub.tensix.output.counting import counted
from tensix_gdb.gdbstub.tensix.output.recording import recorded
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError


def serve(options: ServeOptions) -> int:
    """Serve until interrupted."""
    firmware, first = None, None
    programs, address = options.programs, options.address
    if options.core is None:
        machine, firmware = machine_of(programs, reads_prints=options.host.dprint is not None)
    else:
        machine, first = reopened(options.core, programs.engine, programs.faults)
    with contextlib.closing(machine), contextlib.ExitStack() as stack:
        stack.enter_context(recorded(machine, options.history.record_to))
        write_counts = stack.enter_context(counted(machine, options.counts))
        if firmware is not None:
            print(prepare(firmware, programs.launch), flush=True)
        observe_served(machine, options.races)
        folder = core_directory(options.core_dir)
        target = tensix_target(
            machine,
            record=options.history.record,
            core_dir=folder,
            host=host_side(machine, firmware, options.host, stack),
            processes=options.processes,
            # A client of one hart is to hear that its program has ended, whatever the others do.
            stop_at_end=options.stop_at_end or options.processes or options.ports,
        )
        packet_log = _packet_log(options, target)
        if packet_log is not None:
            stack.callback(packet_log.close)
        tile = SharedTile(target, first=first)
        files = [str(image.path) for image in machine.images]
        served = [ServedPort(tile, "", files, loaded_processes(target))]
        if options.ports:
            for hart in loaded_harts(machine, target.monitor):
                port = HartPort(tile, hart.threads, hart.xfer)
                served.append(ServedPort(port, f" for {hart.name}", hart.files))
        server = Server(tile, packet_log)
        page = page_wanted(options.web, server, tile, machine)
        serve_ports(server, address.host, address.port, served, page)
        for line in write_counts():
            print(line, flush=True)
    return 0


@dataclass(frozen=True, slots=True)
class ServedPort:
    """A port: what serves it, what is said after its number, and the programs of its clients."""

    endpoint: Endpoint
    label: str
    files: list[str]
    processes: Sequence[int] = ()


def serve_ports(
    server: Server, host: str, first: int, served: list[ServedPort], page: Serve | None = None
) -> None:
    """Serve until Ctrl-C, or a signal that asks for the end; the page too, if there is one."""
    # The harts' ports follow the tile's.
    ports = [first + number if first else 0 for number in range(len(served))]

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            endpoints = [port.endpoint for port in served]
            addresses = await nursery.start(server.serve, host, ports, endpoints)
            # A name such as localhost has an address in each family.
            families = len(addresses) // len(served)
            for number, (at, bound) in enumerate(addresses):
                port = served[number // families]
                print(f"listening on {at} port {bound}{port.label}; attach with")
                command = attach_command(port.files, at, bound, port.processes)
                print(f"    {command}", flush=True)
            if page is not None:
                print(f"the page is at {await nursery.start(page)}", flush=True)

    try:
        run_until_asked(main, signal.SIGINT)
    except* KeyboardInterrupt:
        pass
    print("stopped", flush=True)


def _packet_log(options: ServeOptions, target: Target) -> PacketLog | None:
    """Open the log of `--rsp-log`."""
    path = options.rsp_log
    if path is None:
        return None
    try:
        file = open(path, "w", encoding="ascii")  # noqa: SIM115 - it is open as long as we serve
    except OSError as problem:
        raise UsageError(f"--rsp-log {path} cannot be written: {problem.strerror}") from None
    programs = programs_of(programs_named(options.programs), target)
    return PacketLog(
        file,
        target.execution.clock,
        options.programs.schedule,
        programs,
        options.programs.arch or "blackhole",
        processes=options.processes,
        stop_at_end=target.execution.stop_at_end,
    )


SOURCES = {".c", ".cc", ".cpp", ".cxx", ".S", ".s"}


def source_folders(files: list[str]) -> list[str]:
    """List the folders of programs that have sources too. If the compiler was given names without a
    folder, a GDB that starts elsewhere does not find them."""
    folders = dict.fromkeys(str(Path(file).parent) for file in files)
    return [
        folder
        for folder in folders
        if any(file.suffix in SOURCES for file in Path(folder).glob("*.*"))
    ]


def attach_command(files: list[str], host: str, port: int, processes: Sequence[int] = ()) -> str:
    """Make the command that attaches a GDB with all symbols.

    The first file is given to GDB, the others it learns of as libraries. On this machine it may
    open them by their names (`set sysroot`), from another one it fetches them from the server, and
    so does it here if it would forget lines of one (kept_lines.py). Of processes it learns the file
    of each.
    """
    from tensix_gdb.core.dwarf.kept_lines import gdb_forgets_lines_of  # the tile is there before

    shown = f"[{host}]" if ":" in host else host
    local = host in ("127.0.0.1", "::1")
    reads_them_here = not any(map(gdb_forgets_lines_of, files))
    commands = ["set sysroot"] if local and reads_them_here and (files[1:] or processes) else []
    first = f" {shlex.quote(files[0])}" if files and reads_them_here and not processes else ""
    if local:
        first += "".join(f" -d {shlex.quote(folder)}" for folder in source_folders(files))
    if processes:
        commands += attach_processes(f"{shown}:{port}", processes)
    else:
        commands.append(f"target remote {shown}:{port}")
    return f"gdb-multiarch{first} " + " ".join(f"-ex '{command}'" for command in commands)
