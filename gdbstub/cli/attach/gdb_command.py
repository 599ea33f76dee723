# SPDX-License-Identifier: Apache-2.0
"""The command of a GDB that attaches to the tiles of a host, once they are there."""

from __future__ import annotations

from tensix_gdb.gdbstub.cli.attach.find_gdb import HELPER
from tensix_gdb.gdbstub.cli.attach.processes import attach_processes

AT_ONCE = 4  # tiles
BOOT_SECONDS = 600  # until the first kernel; the firmware is compiled before that


def gdb_command(program: str, port: int, tiles: int) -> list[str]:
    """GDB tries again until the driver has started the simulator. Of several tiles it attaches to
    the first ones."""
    address = f"127.0.0.1:{port}"
    pids = range(1, min(tiles, AT_ONCE) + 1)
    shown = "threads" if tiles == 1 else "inferiors"
    attach = attach_processes(address, pids) if tiles > 1 else [f"target remote {address}"]
    lines = (
        "set tcp auto-retry on",
        f"set tcp connect-timeout {BOOT_SECONDS}",
        "set osabi none",
        f"source {HELPER}",
        *attach,
        f"with pagination off -- info {shown}",
    )
    return [program, "-q", *(word for line in lines for word in ("-ex", line))]
