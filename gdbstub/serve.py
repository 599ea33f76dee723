# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb serve`: a tile that debuggers attach to."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import trio

from gdbstub.server import AddressError, Server
from gdbstub.tensix.build import build_machine
from gdbstub.tensix.target import tensix_target
from gdbstub.tile import SharedTile
from gdbstub.usage import UsageError


def serve(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    machine = build_machine(arguments.elf, arguments.engine)
    server = Server(SharedTile(tensix_target(machine)))
    files = [path for _, path in arguments.elf]

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            addresses = await nursery.start(server.serve, arguments.host, [arguments.port])
            for host, port in addresses:
                print(f"listening on {host} port {port}; attach with", flush=True)
                print(f"    {attach_command(files, host, port)}", flush=True)

    refused: list[str] = []
    try:
        trio.run(main)
    except* AddressError as problems:
        refused = [str(problem) for problem in leaves(problems)]
    except* KeyboardInterrupt:
        print("stopped", flush=True)
    finally:
        machine.close()
    if refused:
        raise UsageError(refused[0])
    return 0


def leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """The exceptions in a group of groups."""
    for one in group.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from leaves(one)
        else:
            yield one


def attach_command(files: list[str], host: str, port: int) -> str:
    """The command that attaches a GDB with all symbols."""
    shown = f"[{host}]" if ":" in host else host
    more = "".join(f" -ex 'add-symbol-file {path}'" for path in files[1:])
    return f"gdb-multiarch {files[0]} -ex 'target remote {shown}:{port}'{more}"
