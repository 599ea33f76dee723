# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb serve`: a tile that debuggers attach to."""

from __future__ import annotations

import argparse
import shlex

import trio

from gdbstub.packet_log import PacketLog
from gdbstub.replaying import programs_of
from gdbstub.server import Server
from gdbstub.target import Target
from gdbstub.tensix.build import machine_of, programs_named
from gdbstub.tensix.firmware import prepare
from gdbstub.tensix.target import tensix_target
from gdbstub.tile import SharedTile
from gdbstub.usage import UsageError


def serve(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if arguments.rsp_log is not None and (arguments.firmware or arguments.bin):
        raise UsageError("a packet log names ELF files only: leave out --firmware and --bin")
    machine, firmware = machine_of(arguments)
    if firmware is not None:
        print(prepare(firmware, arguments.launch), flush=True)
    target = tensix_target(machine)
    packet_log = _packet_log(arguments, target)
    server = Server(SharedTile(target), packet_log)
    files = [str(image.path) for image in machine.images]

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            addresses = await nursery.start(server.serve, arguments.host, [arguments.port])
            for host, port in addresses:
                print(f"listening on {host} port {port}; attach with", flush=True)
                print(f"    {attach_command(files, host, port)}", flush=True)

    try:
        trio.run(main)
    except* KeyboardInterrupt:
        print("stopped", flush=True)
    finally:
        machine.close()
        if packet_log is not None:
            packet_log.close()
    return 0


def _packet_log(arguments: argparse.Namespace, target: Target) -> PacketLog | None:
    """The log of `--rsp-log`. Nothing else is ever written by the server."""
    path = arguments.rsp_log
    if path is None:
        return None
    try:
        file = open(path, "w", encoding="ascii")  # noqa: SIM115 - it is open as long as we serve
    except OSError as problem:
        raise UsageError(f"--rsp-log {path} cannot be written: {problem.strerror}") from None
    programs = programs_of(programs_named(arguments), target)
    return PacketLog(file, target.execution.clock, arguments.schedule, programs)


def attach_command(files: list[str], host: str, port: int) -> str:
    """The command that attaches a GDB with all symbols.

    The first file is given to GDB, the others it learns of as libraries. On this machine it may
    open them by their names (`set sysroot`), from another one it fetches them from the server.
    """
    shown = f"[{host}]" if ":" in host else host
    here = "-ex 'set sysroot' " if host in ("127.0.0.1", "::1") and len(files) > 1 else ""
    return f"gdb-multiarch {shlex.quote(files[0])} {here}-ex 'target remote {shown}:{port}'"
