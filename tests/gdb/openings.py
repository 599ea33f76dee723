# SPDX-License-Identifier: Apache-2.0
"""The openings of front ends: what each tells its debugger, and a driver that tells it that.

The commands are those that the front ends' sources send, in their order:

    cppdbg        microsoft/MIEngine, DebuggedProcess.cs: `launch` with miDebuggerServerAddress
    native-debug  WebFreak001/code-debug, mi2.ts: `attach` with `remote`
    cortex-debug  Marus/cortex-debug, gdb.ts and external.ts: `servertype: external`, live watch
    cdt           eclipse-cdt-cloud/cdt-gdb-adapter, GDBTargetDebugSession.ts: `auxiliaryGdb`
    lldb          LLDB's own `gdb-remote`, as CodeLLDB and lldb-dap send it

`python -m tests.gdb.openings` runs them in the debuggers of this machine and writes what these sent
to the server, with a fresh tile's answers, to tests/gdbstub/protocol/session/openings. Another GDB
than Debian's has a folder of its own there, with its messages too.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.gdbstub.protocol.packet_log import Entry, Mark, read_log
from tests.gdb.harness import generation, serve
from tests.gdb.inside.wordings import NO_SOURCE
from tests.gdb.mi import Mi
from tests.gdbstub import demo_tile
from tests.gdbstub.protocol.session import recorded
from tests.gdbstub.protocol.session.transcript import Player, Step, written
from tests.patience import HANG
from tests.programs.build import DEMO, DEMO_PROGRAMS

OPENINGS = Path(demo_tile.__file__).resolve().parent / "session" / "openings"
GDB, LLDB = "gdb-multiarch", "lldb-19"
FIRST_ELF = DEMO / "b.elf"
ELFS = {hart: DEMO / f"{name}.elf" for hart, name in DEMO_PROGRAMS.items()}

# The second connection of a front end: these commands go to another debugger.
OTHER = "other: "
CONSOLE = '-interpreter-exec console "{}"'.format
LOOK = (
    *("-thread-info", "-stack-info-depth --thread 1 1000", "-stack-list-frames --thread 1 0 19"),
    "-stack-list-variables --thread 1 --frame 0 --simple-values",
    *("-data-list-register-names", "-data-list-register-values --skip-unavailable x"),
)

# What the debugger is told. {port} is the server's, {elf} the first program.
FRONT_ENDS: dict[str, tuple[str, ...]] = {
    "cppdbg": (
        *("-gdb-set mi-async on", CONSOLE("set pagination off"), "-gdb-set auto-solib-add on"),
        *(CONSOLE("set osabi none"), "-enable-pretty-printing", "-environment-cd /"),
        *("-file-exec-and-symbols {elf}", CONSOLE("show architecture"), "-break-insert main"),
        *("-target-select remote localhost:{port}", "-break-delete 1", "-break-insert -f b.c:main"),
        *("-list-features", "-exec-continue", *LOOK),
        *("-exec-next --thread 1", "-var-create - * $pc", "-data-evaluate-expression $sp"),
        "-exec-step --thread 1",
        *("-stack-list-frames --thread 1", "-target-detach", "-gdb-exit"),
    ),
    "native-debug": (
        *("-gdb-set target-async on", "-list-features", '-environment-directory "/"'),
        *("-file-exec-and-symbols {elf}", "-target-select remote localhost:{port}"),
        *("-break-insert -f b.c:main", "-thread-info", "-exec-continue"),
        *("-thread-info", "-stack-list-frames --thread 1 0 20"),
        *("-stack-list-variables --thread 1 --frame 0 --simple-values", "-exec-next"),
        *("-stack-list-frames --thread 1 0 20", "-break-delete 1", "-target-detach", "-gdb-exit"),
    ),
    "cortex-debug": (
        *("-gdb-set mi-async on", CONSOLE("set print demangle on"), "-enable-pretty-printing"),
        *("-file-exec-and-symbols {elf}", "-target-select extended-remote localhost:{port}"),
        *(CONSOLE("monitor reset halt"), "-target-download", CONSOLE("monitor reset halt")),
        "-enable-pretty-printing",
        *("-break-insert -t -f main", "-exec-continue", *LOOK),
        *(OTHER + "-gdb-set mi-async on", OTHER + "-file-exec-and-symbols {elf}"),
        OTHER + "-target-select extended-remote localhost:{port}",
        OTHER + "-data-read-memory-bytes 0xffb00000 64",
        *("-exec-next", OTHER + "-data-read-memory-bytes 0xffb00000 64"),
        *(OTHER + "-gdb-exit", CONSOLE("monitor reset halt"), "-target-detach", "-gdb-exit"),
    ),
    "cdt": (
        *("-gdb-set mi-async on", "-gdb-set breakpoint pending on", "-enable-pretty-printing"),
        *("-file-exec-and-symbols {elf}", OTHER + "-gdb-set mi-async on"),
        *(OTHER + "-file-exec-and-symbols {elf}", "-target-select remote localhost:{port}"),
        OTHER + "-target-select remote localhost:{port}",
        *("-break-insert -f --source b.c --function main", "-exec-continue", *LOOK),
        OTHER + "-data-read-memory-bytes 0xffb00000 64",
        *("-exec-next --thread 1", OTHER + '-data-evaluate-expression "*(int*)0x20000"'),
        *(OTHER + "-target-disconnect", OTHER + "-gdb-exit", "-target-disconnect", "-gdb-exit"),
    ),
    "lldb": (
        *("settings set auto-confirm true", "target create {elf}"),
        *("gdb-remote 127.0.0.1:{port}", "breakpoint set --name main", "process continue"),
        *("thread list", "thread backtrace", "register read", "memory read $sp-64"),
        *("thread step-over", "thread step-inst", "thread backtrace all", "process detach"),
    ),
}
STOPS = ("-exec-continue", "-exec-next", "-exec-step")


@dataclass(frozen=True, slots=True)
class Opening:
    """The commands that were sent, by whom, and what the debugger said of it."""

    steps: tuple[Step, ...]
    said: tuple[str, ...]


def open_session(name: str, tool: str) -> Opening:
    """Let the debugger at the path `tool` do what the front end tells it, against a server."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with serve(ELFS, "--rsp-log", str(log)) as server:
            commands = [
                command.format(port=server.port, elf=FIRST_ELF) for command in FRONT_ENDS[name]
            ]
            said = _in_lldb(tool, commands) if name == "lldb" else _in_gdb(tool, commands)
        with log.open(encoding="ascii") as lines:
            entries = read_log(lines).entries
    return Opening(steps_of(entries), tuple(said))


def steps_of(entries: Iterable[Entry]) -> tuple[Step, ...]:
    """List what the clients of a log sent: the first one is `gdb`, the second `other`."""
    names: dict[str, str] = {}
    steps = []
    for entry in entries:
        client = names.setdefault(entry.client, ("gdb", "other")[min(len(names), 1)])
        if entry.mark is Mark.CAME:
            steps.append(Step(client, demo_tile.elsewhere(entry.payload)))
        elif entry.mark is Mark.INTERRUPT:
            steps.append(Step(client, b"\x03"))
        elif entry.mark is Mark.GONE:
            steps.append(Step(client, None))
    return tuple(steps)


def _in_gdb(tool: str, commands: Sequence[str]) -> list[str]:
    """AssertionError when GDB refuses one of the commands."""
    first, other = Mi(tool), None
    try:
        for command in commands:
            if command.startswith(OTHER):
                other = other or Mi(tool)
            chosen = other if command.startswith(OTHER) else first
            assert chosen is not None
            told = command.removeprefix(OTHER)
            if told.startswith(STOPS):
                chosen.resume(told)
            else:
                chosen.tell(told)
        return first.said
    finally:
        first.close()
        if other is not None:
            other.close()


def _in_lldb(tool: str, commands: Sequence[str]) -> list[str]:
    arguments = [tool, "--no-lldbinit", "--batch"]
    for command in commands:
        arguments += ["--one-line", command]
    done = subprocess.run(
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG,
    )
    return [f"exit status {done.returncode}", *done.stdout.splitlines()]


def errors(said: Sequence[str]) -> list[str]:
    """List the debugger's complaints. GDB 17 says that a source is missing as a warning."""
    found = [line for line in said if re.match(r"result error|error:|log None: warning", line)]
    return [line for line in found if NO_SOURCE not in line]


def folder_of(generation: str) -> Path:
    """Name the folder for the recordings of a GDB: only Debian's are in the top folder."""
    return OPENINGS if generation == recorded.DEBIANS else OPENINGS / generation


def main() -> None:
    """Record every opening anew, with TENSIX_TEST_GDB if it is set."""
    from tests.tools import find_tool

    kind = generation(find_tool(GDB))
    folder = folder_of(kind)
    for name in FRONT_ENDS:
        if name == "lldb" and kind != recorded.DEBIANS:
            continue
        opening = open_session(name, find_tool(LLDB if name == "lldb" else GDB))
        head = f"# What {name} makes its debugger send, from connecting to leaving.\n"
        head += "# Written by `python -m tests.gdb.openings`; the tile is the demo's.\n"
        text = head + written(Player(demo_tile.new_demo_tile(), demo_tile.STEPS), opening.steps)
        folder.mkdir(exist_ok=True)
        recorded.write(folder / f"{name}.rsp", text)
        if kind != recorded.DEBIANS:
            recorded.write(folder / f"{name}.txt", plain(opening.said))
        print(f"{name}: {len(opening.steps)} packets")
        for line in errors(opening.said):
            print(f"    {line}")


def plain(said: Sequence[str]) -> str:
    """Join a debugger's messages, one to a line, without what differs between runs."""
    text = re.sub(r"localhost:\d+", "localhost:3333", "\n".join(line.strip() for line in said))
    return text.replace(str(DEMO), str(demo_tile.FOLDER)) + "\n"


if __name__ == "__main__":
    main()
