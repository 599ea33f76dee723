# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb gdb`: the server, and the user's own GDB in the same terminal, attached."""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
from collections.abc import Sequence

import trio

from gdbstub.server import Server
from gdbstub.tensix.build import build_machine
from gdbstub.tensix.target import tensix_target
from gdbstub.tile import SharedTile
from gdbstub.usage import UsageError

# In the order of preference: those that know RISC-V for sure, then the one that may.
CANDIDATES = (
    "riscv-tt-elf-gdb",
    "gdb-multiarch",
    "riscv32-unknown-elf-gdb",
    "riscv64-unknown-elf-gdb",
    "gdb",
)


def find_gdb(wanted: str | None) -> str:
    """The GDB to start; UsageError when there is none."""
    for name in (wanted,) if wanted else CANDIDATES:
        found = shutil.which(name)
        if found:
            return found
    if wanted:
        raise UsageError(f"--gdb {wanted}: there is no such program")
    raise UsageError("no GDB found; install gdb-multiarch, or name yours with --gdb")


def gdb_command(program: str, first: str, address: str, more: Sequence[str]) -> list[str]:
    """GDB with the symbols of every file, attached to `address`.

    It is given the first file and learns of the others as libraries, which `set sysroot` lets it
    open by their names.
    """
    command = [program, "-q", *more, "-ex", "set osabi none", "-ex", "set sysroot", first]
    return [*command, "-ex", f"target remote {address}", "-ex", "info threads"]


def gdb(arguments: argparse.Namespace) -> int:
    """Run GDB until it ends; its exit status."""
    program = find_gdb(arguments.gdb)
    machine = build_machine(arguments.elf, arguments.engine, arguments.schedule)
    server = Server(SharedTile(tensix_target(machine)))
    files = [path for _, path in arguments.elf]
    status = 0

    async def main() -> None:
        nonlocal status
        async with trio.open_nursery() as nursery:
            ((host, port),) = await nursery.start(server.serve, "127.0.0.1", [0])
            command = gdb_command(program, files[0], f"{host}:{port}", arguments.gdb_arguments)
            result = await trio.run_process(command, stdin=None, check=False)
            status = result.returncode
            nursery.cancel_scope.cancel()

    # Ctrl-C is for GDB, which shares the terminal: a handler of ours that does nothing keeps this
    # process alive, and unlike "ignored" it is not inherited by GDB.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        trio.run(main)
    except* (OSError, subprocess.SubprocessError) as problems:
        raise UsageError(f"{program} cannot be started: {problems.exceptions[0]}") from None
    finally:
        signal.signal(signal.SIGINT, before)
        machine.close()
    return status
