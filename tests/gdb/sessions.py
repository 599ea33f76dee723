# SPDX-License-Identifier: Apache-2.0
"""Typed GDB sessions, and a recorder of what GDB sends and prints in them.

Each session covers a part of the protocol. `python -m tests.gdb.sessions` types them into GDB
(Debian's, or TENSIX_TEST_GDB) beside a server with the demo's programs. It writes two files for
each to tests/gdbstub/protocol/session/sessions/gdbN, where N is GDB's version: NAME.rsp has GDB's
packets with the answers of a fresh tile, NAME.txt has GDB's output. Tests need no GDB to play them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tensix_gdb.gdbstub.cli.attach.find_gdb import HELPER
from tests.gdb.harness import ROOT, generation, serve
from tests.gdb.inside.wordings import NO_SOURCE, says
from tests.gdb.openings import ELFS, FIRST_ELF, GDB
from tests.gdb.relay import relay
from tests.gdb.typist import Interrupted, Typed, Typist, Until
from tests.gdbstub import demo_tile
from tests.gdbstub.protocol.session import recorded
from tests.gdbstub.protocol.session.transcript import Player, Step, written
from tests.programs.build import DEMO

FOLDER = ROOT / "tests" / "gdbstub" / "protocol" / "session" / "sessions"
STOPPED = r'"{}" stopped\.\n.*\n\d+\t.*\n'
_COMPLAINT = re.compile(r"warning: |Python Exception|internal-error|^Error |[Rr]emote failure")


@dataclass(frozen=True, slots=True)
class Session:
    """Commands to connect, commands after that, texts that GDB has to print, and the server's
    options. Played again, a running tile advances by `steps` cycles after each packet."""

    name: str
    typed: tuple[Typed, ...]
    says: tuple[str, ...]
    options: tuple[str, ...] = ()
    connect: tuple[Typed, ...] = ("file {elf}", "target remote 127.0.0.1:{port}")
    steps: int = demo_tile.STEPS


SESSIONS = (
    Session(
        "looking",
        (
            *("info threads", "thread 2", "backtrace", "info registers pc sp", "x/3i $pc"),
            *("print pipeline", "x/4xw &pipeline", "info sharedlibrary", "info line mix"),
            *("info symbol 0xa05c", "info symbol 0xa060", "info symbol 0x30000"),
            *("set var pipeline.sum = 7", "print pipeline.sum", "p $a0 = 5", "p $sp = $sp - 16"),
            *("find &pipeline, +96, 7", "monitor why", "disconnect"),
        ),
        ('Thread 2 "T0"', "1 pattern found", "$3 = 5"),
    ),
    Session(
        "breaking",
        (
            *("tbreak weigh if tap == 2", "continue", "backtrace", "info locals", "finish"),
            *("next", "step", "stepi", "nexti", "advance publish", "until", "info breakpoints"),
            *("hbreak mix", "continue", "delete", "print mix(1, 2)", "info frame"),
            *("set dprintf-style agent", 'dprintf publish,"sum %d\\n",sum', "tbreak t0.c:40"),
            *("continue", "delete", "detach"),
        ),
        ("Temporary breakpoint 1, weigh", "Run till exit", "$2 = 4", "\nsum "),
    ),
    Session(
        "watching",
        (
            *("watch pipeline.sums", "continue", "continue", "delete", "rwatch pipeline.checked"),
            *("continue", "delete", "awatch pipeline.ring.read if pipeline.ring.read > 1"),
            *("continue", "info watchpoints", "delete", "detach"),
        ),
        ("Old value = 0\nNew value = 1", "Value = 1", "Hardware access (read/write) watchpoint"),
    ),
    Session(
        "interrupting",
        (
            # T0, T1 and NC come to their ends.
            *(*["continue"] * 3, "thread 1", "info threads", Interrupted("continue")),
            *("print me.done > 1000", "info threads", "thread 4", Interrupted("continue")),
            *("stepi", "kill"),
        ),
        ('Thread 1 "B" received signal SIGINT', "ebreak; a resume continues after it"),
        options=("--stop-at-end",),
        steps=20_000,
    ),
    Session(
        "going-back",
        (
            *("tbreak publish", "continue", "stepi", "stepi", "reverse-stepi", "reverse-next"),
            *("watch pipeline.ring.read", "reverse-continue", "delete", "reverse-finish"),
            *("tbreak publish", "continue", "reverse-continue", "stepi", "detach"),
        ),
        ("Hardware watchpoint", "No more reverse-execution history."),
        options=("--record",),
    ),
    Session(
        "processes",
        (
            *("info os processes", "attach 1", "add-inferior", "inferior 2", "attach 2"),
            *("info inferiors", "break main", "continue", "continue", "next", "print me"),
            *("info threads", "kill", "run", "inferior 1", "stepi", "detach", "inferior 2"),
            *("detach", "info inferiors"),
        ),
        ("process 2", 'Thread 2.1 "T0" hit Breakpoint', "[Inferior 2 (process 2) killed]"),
        options=("--processes",),
        connect=("set schedule-multiple on", "target extended-remote 127.0.0.1:{port}"),
    ),
    Session(
        "one-by-one",
        (
            *("info threads", "thread 5", "continue &", "thread 3", "continue &", "thread 2"),
            *("tbreak publish", "continue", "next", "info threads", "print pipeline.sum"),
            *("stepi", "thread 3", Until("interrupt", STOPPED.format("T1"))),
            *("info registers pc", "continue &", Until("interrupt -a", STOPPED.format("NC"))),
            "disconnect",
        ),
        ("Temporary breakpoint 1, publish", "(running)", 'Thread 3 "T1" stopped.'),
        connect=(
            "set non-stop on",
            "file {elf}",
            Until("target remote 127.0.0.1:{port}", r'"T2 pack" stopped\.\n.*\n'),
        ),
        steps=2_000,
    ),
    Session(
        "tracing",
        (
            "trace publish",
            "actions\ncollect $args, pipeline.ring.read\nend",
            *("trace mix if bits > 3", "tstart", "tbreak heartbeat if me.done > 40", "continue"),
            *("tstatus", "tstop", "tfind start", "tdump", "tfind", "tfind none", "detach"),
        ),
        ("Found trace frame 0", "Data collected at tracepoint 1"),
    ),
    Session(
        "helping",
        (
            *(f"source {HELPER}", "complete tensix mu", "complete tensix step-l", "tensix sem 3"),
            *("print $_tensix_sem(3)", "thread 3", "print me", "info line main", "break main"),
            *("continue", "tensix why", "thread 2", "tensix-break publish", "continue", "detach"),
        ),
        ("tensix mutex", "tensix step-limit", "T0 unpack"),
    ),
)


@dataclass(frozen=True, slots=True)
class Held:
    """A recorded session: GDB's packets, and its output."""

    steps: tuple[Step, ...]
    said: str


def hold(session: Session, gdb: str) -> Held:
    """Type a session into this GDB, and record it."""
    with serve(ELFS, "--schedule", "sc", *session.options) as server, relay(server.port) as wire:
        terminal = Typist(gdb)
        try:
            said = ""
            for one in (*session.connect, *session.typed):
                said += terminal.type(_formatted(one, port=wire.port, elf=FIRST_ELF))
        finally:
            terminal.close()
    return Held(tuple(wire.steps), _plain(said))


def _formatted(typed: Typed, **values: object) -> Typed:
    match typed:
        case Until(command, pattern):
            return Until(command.format(**values), pattern)
        case str() if "{" in typed:
            return typed.format(**values)
    return typed


def _plain(said: str) -> str:
    """Remove what differs between runs, and between machines."""
    said = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:3333", said)
    return said.replace(str(DEMO), str(demo_tile.FOLDER)).replace(str(ROOT), "")


def missing(session: Session, said: str) -> list[str]:
    """List the texts that GDB should have printed and has not."""
    return [one for one in session.says if not says(said, one)]


def complaints(said: str) -> list[str]:
    """List the lines in which GDB complains about the server, or about our commands in it."""
    found = [line for line in said.splitlines() if _COMPLAINT.search(line)]
    return [line for line in found if NO_SOURCE not in line]


def new_tile(session: Session, engine: str = "reference") -> demo_tile.SharedTile:
    """Make the tile of a session."""
    return demo_tile.new_demo_tile(
        engine, record="--record" in session.options, processes="--processes" in session.options
    )


def main() -> None:
    """Record all of them anew."""
    from tests.tools import find_tool

    gdb = find_tool(GDB)
    folder = FOLDER / generation(gdb)
    folder.mkdir(parents=True, exist_ok=True)
    for session in SESSIONS:
        held = hold(session, gdb)
        head = f"# What GDB sends in the session `{session.name}` of tests/gdb/sessions.py.\n"
        text = head + written(Player(new_tile(session), session.steps), held.steps)
        recorded.write(folder / f"{session.name}.rsp", text)
        recorded.write(folder / f"{session.name}.txt", held.said)
        print(f"{session.name}: {len(held.steps)} packets", *missing(session, held.said))


if __name__ == "__main__":
    main()
