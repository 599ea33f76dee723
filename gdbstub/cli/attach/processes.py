# SPDX-License-Identifier: Apache-2.0
"""The commands by which a GDB debugs each hart as an inferior of its own (`--processes`).

`target remote` would make all inferiors at once. But if another inferior is selected, GDB 13 takes
the first stop of the inferior that it connected with for a part of connecting, and keeps waiting.
Without `schedule-multiple` GDB resumes only the selected inferior.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.gdbstub.protocol.target import Target


def attach_processes(address: str, pids: Sequence[int]) -> list[str]:
    """List the commands for a fresh GDB. The first process becomes inferior 1 and is selected."""
    commands = ["set schedule-multiple on", f"target extended-remote {address}"]
    for number, pid in enumerate(pids, 1):
        if number > 1:
            commands += ["add-inferior", f"inferior {number}"]
        commands.append(f"attach {pid}")
    return [*commands, "inferior 1"] if len(pids) > 1 else commands


def loaded_processes(target: Target) -> Sequence[int]:
    """Return the processes to attach to; none if the tile is one process."""
    return () if target.processes is None else target.processes.loaded()
