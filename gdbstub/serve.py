# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb serve`: a tile that debuggers attach to."""

from __future__ import annotations

import argparse
import contextlib
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
    with contextlib.closing(machine), contextlib.ExitStack() as stack:
        if firmware is not None:
            print(prepare(firmware, arguments.launch), flush=True)
        target = tensix_target(machine)
        packet_log = _packet_log(arguments, target)
        if packet_log is not None:
            stack.callback(packet_log.close)
        files = [str(image.path) for image in machine.images]
        _serve(Server(SharedTile(target), packet_log), arguments.host, arguments.port, files)
    return 0


def _serve(server: Server, host: str, port: int, files: list[str]) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for address in await nursery.start(server.serve, host, [port]):
                print(f"listening on {address[0]} port {address[1]}; attach with", flush=True)
                print(f"    {attach_command(files, *address)}", flush=True)

    try:
        trio.run(main)
    except* KeyboardInterrupt:
        print("stopped", flush=True)


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
