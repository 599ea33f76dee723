# SPDX-License-Identifier: Apache-2.0
"""The commands by which a GDB debugs each hart as an inferior of its own (`--processes`).

`target remote` would make all inferiors at once, but GDB 13 takes the first stop of the one that it
connected with for a part of connecting, when another one is selected, and goes on waiting. Without
`schedule-multiple` GDB lets only the selected inferior go on.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.gdbstub.target import Target


def attach_processes(address: str, pids: Sequence[int]) -> list[str]:
    """For a GDB that has just been started; the first process is its inferior 1 and selected."""
    commands = ["set schedule-multiple on", f"target extended-remote {address}"]
    for number, pid in enumerate(pids, 1):
        if number > 1:
            commands += ["add-inferior", f"inferior {number}"]
        commands.append(f"attach {pid}")
    return [*commands, "inferior 1"] if len(pids) > 1 else commands


def loaded_processes(target: Target) -> Sequence[int]:
    """The processes to attach to, if there are processes."""
    return () if target.processes is None else target.processes.loaded()
