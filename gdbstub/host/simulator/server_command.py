# SPDX-License-Identifier: Apache-2.0
"""The command that starts the tiles' server, with the options that were given for it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tensix_gdb.gdbstub.cli.options.declare import option_values
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.usage import HARTS

# Options of files.
FILES = (
    *("--record-to", "--runs", "--keep", "--coverage", "--tensix-coverage", "--profile"),
    "--races-baseline",
)
FLAGS = ("--kernel-times", "--stop-at-entry", "--stop-at-fault", "--record")
# The first lines of a script. The host may have set another Python path: this package has to be
# found in any case.
SH = (
    f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(Path(__file__).absolute().parents[4]))}"
    "${PYTHONPATH:+:$PYTHONPATH}\nexport PYTHONPATH\n"
)


def server_command(
    command: str,
    of: SimulatorOptions,
    arch: str | None,
    life: Path | None,
    finds: Path | None = None,
) -> list[str]:
    """Return the words of `tensix-gdb COMMAND` with these options; files by their whole paths."""
    options = ["--host", of.address.host, "--port", str(of.address.port)]
    options += ["--engine", of.engine, "--schedule", of.schedule]
    options += ["--cycles", str(of.cycles), "--tiles", of.tiles, "--chips", str(of.chips)]
    options += ["--threads", str(of.threads)]
    if arch is not None:
        options += ["--arch", arch]
    if of.faults is not None:
        options += ["--faults", of.faults]
    if life is not None:
        options += ["--life", str(life)]
    if finds is not None:
        options += ["--finds", str(finds)]
    values = option_values(of)
    for name in FILES:
        if values[name] is not None:
            options += [name, str(Path(values[name]).resolve())]
    races = of.races
    if races.races is not None:
        options += ["--races", races.races]
    if races.check:
        options += ["--check", ",".join(races.check)]
    for buffer in races.buffer:
        options += ["--buffer", f"{buffer.first:#x}+{buffer.size}"]
    if races.races_local:
        options.append("--races-local")
    if races.races_checks is not None:
        options += ["--races-checks", ",".join(races.races_checks) or "none"]
    for path in races.races_to:
        options += ["--races-to", str(Path(path).resolve())]
    for path in races.races_suppressions:
        options += ["--races-suppressions", str(Path(path).resolve())]
    if of.web is not None:
        options += ["--web", str(of.web)]
    for text in of.cable:
        options += ["--cable", text]
    for text in of.pause:
        options += ["--pause", text]
    if of.kernel_cache is not None:
        options += ["--kernel-cache", str(Path(of.kernel_cache).resolve())]
    for hart, path in of.elf:
        options += ["--elf", f"{HARTS[hart]}={Path(path).resolve()}"]
    options += [name for name in FLAGS if values[name]]
    return [sys.executable, "-m", "tensix_gdb.gdbstub", "-v", command, *options]


def attach_command(host: str, port: int, tiles: int = 1) -> str:
    """Make the command that attaches a GDB, to the first of several tiles. It names no files: only
    the host knows them."""
    shown = f"[{host}]" if ":" in host else host
    if tiles > 1:
        # Without the first line GDB resumes only the selected tile.
        lines = ("set schedule-multiple on", f"target extended-remote {shown}:{port}", "attach 1")
        return " ".join(("gdb-multiarch", *(f"-ex '{line}'" for line in lines)))
    return f"gdb-multiarch -ex 'target remote {shown}:{port}'"
