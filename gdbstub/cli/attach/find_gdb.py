# SPDX-License-Identifier: Apache-2.0
"""The user's GDB: the first one that knows RISC-V, and our script for it."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError

# In the order of preference: GDBs that certainly know RISC-V, then the one that may.
SURE = (
    "riscv-tt-elf-gdb",
    "gdb-multiarch",
    "riscv32-unknown-elf-gdb",
    "riscv64-unknown-elf-gdb",
)
PERHAPS = "gdb"
ASK_SECONDS = 20
HELPER = Path(__file__).resolve().parents[2] / "inside" / "tensix.py"


def find_gdb(wanted: str | None) -> str:
    """Find the GDB to start. UsageError if there is none."""
    for name in (wanted,) if wanted else SURE:
        path = shutil.which(name)
        if path:
            return _that_knows_riscv(path)
    if wanted:
        raise UsageError(f"--gdb {wanted}: there is no such program")
    path = shutil.which(PERHAPS)
    if path is None:
        raise UsageError("no GDB found; install gdb-multiarch, or name yours with --gdb")
    return _that_knows_riscv(path)


def _that_knows_riscv(path: str) -> str:
    """Return the path of a GDB, after asking one that may not know RISC-V. UsageError if it does
    not. What has another name may be a script that asks for a terminal."""
    if Path(path).name != PERHAPS:
        return path
    if "riscv" in answer(path, "set architecture riscv:rv32"):
        return path
    known = shutil.which("gdb-multiarch")
    instead = f"type --gdb {known}" if known else "install gdb-multiarch"
    raise UsageError(f"{path} knows no RISC-V; {instead}, or name another GDB with --gdb")


def banner(program: str) -> str:
    """Return the first line that a GDB says of itself, which has its version; "" if it does not."""
    try:
        return _banner(program, Path(program).stat().st_mtime_ns)
    except (OSError, subprocess.SubprocessError):
        return ""


@cache
def _banner(program: str, changed: int) -> str:
    """Ask a GDB, once as long as its file is the same."""
    done = subprocess.run(
        [program, "--version"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=ASK_SECONDS,
        check=True,
    )
    return done.stdout.partition("\n")[0]


def answer(program: str, command: str) -> str:
    """Return what a GDB prints for a command, without a target and the user's settings."""
    asked = [program, "-nx", "-nh", "-q", "-batch", "-ex", command]
    try:
        done = subprocess.run(
            asked,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=ASK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise UsageError(f"{program} cannot be started: {problem}") from None
    return done.stdout
