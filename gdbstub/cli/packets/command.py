# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb replay`: a packet log of `serve --rsp-log` against a fresh tile."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence

from tensix_gdb.gdbstub.cli.build import arch_named, build_machine
from tensix_gdb.gdbstub.cli.options.replay import ReplayOptions
from tensix_gdb.gdbstub.cli.packets.player import Replay
from tensix_gdb.gdbstub.protocol.packet_log import LogError, Program, Recorded, read_log
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import Target
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import HARTS, UsageError

EQUAL, DIFFERENT = 0, 1


def programs_of(elfs: Sequence[tuple[int, str]], target: Target) -> list[Program]:
    """List the loaded programs as a packet log has them."""
    files = target.files.files() if target.files is not None else ()
    return [
        Program(HARTS[hart], digest_of(file.content), file.path)
        for (hart, _), file in zip(elfs, files, strict=True)
    ]


def digest_of(content: bytes) -> str:
    """Return a digest that tells versions of a file apart."""
    return hashlib.sha256(content).hexdigest()[:16]


def replay_log(options: ReplayOptions, log: str) -> int:
    """Return 0 if every answer came again, 1 otherwise."""
    recorded = _read(log)
    elfs = options.elf or [
        (HARTS.index(program.hart), program.path) for program in recorded.programs
    ]
    schedule, arch = options.schedule or recorded.schedule, arch_named(recorded.arch)
    machine = build_machine(elfs, options.engine, schedule, arch)
    try:
        target = tensix_target(
            machine, processes=recorded.processes, stop_at_end=recorded.stop_at_end
        )
        now = programs_of(elfs, target)
        for then, program in zip(recorded.programs, now, strict=False):
            if then.digest != program.digest:
                print(
                    f"tensix-gdb: {program.path} is not the file that the log was made with",
                    file=sys.stderr,
                )
        outcome = Replay(SharedTile(target, run_at_once=False), print).play(recorded.entries)
    finally:
        machine.close()
    print(
        f"{outcome.sent} sent again, {outcome.equal} answers equal, "
        f"{len(outcome.differences)} differences"
    )
    return DIFFERENT if outcome.differences else EQUAL


def _read(path: str) -> Recorded:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            recorded = read_log(iter(file))
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}") from None
    except LogError as problem:
        raise UsageError(f"{path}: {problem}") from None
    for program in recorded.programs:
        if program.hart not in HARTS:
            raise UsageError(f"{path}: {program.hart} is no hart; they are {', '.join(HARTS)}")
    if not recorded.programs:
        raise UsageError(f"{path} names no program: it is not a packet log of `serve --rsp-log`")
    return recorded
