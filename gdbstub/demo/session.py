# SPDX-License-Identifier: Apache-2.0
"""The demo: a server with the programs of programs/, and a real GDB that debugs them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.cli.attach.find_gdb import answer, find_gdb
from tensix_gdb.gdbstub.cli.build import build_machine
from tensix_gdb.gdbstub.cli.gdb import run_beside_server
from tensix_gdb.gdbstub.cli.options.demo import DemoOptions
from tensix_gdb.gdbstub.demo.steps import CHAPTERS, Chapter, show
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import HARTS, UsageError

FOLDER = Path(__file__).resolve().parent
PROGRAMS = FOLDER / "programs"
ELFS = {"b": "b.elf", "t0": "t0.elf", "t1": "t1.elf", "nc": "nc.elf"}

INTRODUCTION = """\
An emulated Blackhole Tensix tile runs a small pipeline in C: NC produces samples, T0 filters them,
T1 checks the sums, B watches over it all. A real GDB is attached to it. What follows a (gdb) prompt
is typed by this demo, as you could; what follows it is the answer of GDB. The sources are in
{folder}"""

CONCLUSION = """\
Every step showed what it should. Now yourself, with all symbols loaded:

    {command}
"""


def demo(_: DemoOptions) -> int:
    """Run the command."""
    return main()


def main() -> int:
    """Show the demo; 0 when every step showed what it had to."""
    gdb = gdb_with_python()
    print(INTRODUCTION.format(folder=PROGRAMS), flush=True)
    status = _session(gdb)
    if status == 0:
        files = f"--dir {_shown(PROGRAMS)}"
        print()
        print(CONCLUSION.format(command=f"{_tensix_gdb()} gdb {files}"), flush=True)
        return 0
    print(f"\n{status} of the steps did not show what they had to.", file=sys.stderr)
    return 1


def gdb_with_python() -> str:
    """Return a GDB that can run inside.py. Debian's can; the vendor's may be built without
    Python."""
    gdb = shutil.which("gdb-multiarch") or find_gdb(None)
    if answer(gdb, "python print(6 * 7)").strip() != "42":
        raise UsageError(
            f"the demo needs a GDB with Python, and {gdb} has none: install gdb-multiarch"
        )
    return gdb


def _session(gdb: str) -> int:
    """Run inside.py in GDB beside a server of the demo's programs; its exit status."""
    elfs = [(HARTS.index(hart), str(PROGRAMS / file)) for hart, file in ELFS.items()]
    machine = build_machine(elfs, "auto")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}

    def command(address: str) -> list[str]:
        environment["TENSIX_DEMO"] = json.dumps(_task(address))
        return [gdb, "-nx", "-nh", "-q", "-batch", "-x", str(FOLDER / "inside.py")]

    with contextlib.closing(machine):
        return run_beside_server(
            tensix_target(machine),
            command,
            cwd=PROGRAMS,
            env=environment,
            stdin=subprocess.DEVNULL,
            # Ctrl-C in the terminal is for this process, which then ends GDB.
            start_new_session=True,
        )


def _task(address: str) -> dict[str, Any]:
    """Return the task of inside.py."""
    first, *others = ELFS.values()
    attach = Chapter(
        "Attach",
        "The tile waits at the first instructions of its programs. GDB learns their symbols from "
        "it, as those of libraries; they are on this machine, so it can open them itself.",
        (
            show(f"file {first}"),
            show("set sysroot"),
            show(f"target remote {address}", r"_start"),
            show("info sharedlibrary", *(rf"Yes +\S+/{re.escape(file)}" for file in others)),
        ),
    )
    colour = sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return {
        "colour": colour,
        "chapters": [
            (chapter.title, chapter.text, [(c.text, c.shows) for c in chapter.commands])
            for chapter in (attach, *CHAPTERS)
        ],
    }


def _shown(path: Path) -> str:
    """Return a path as short as it can be typed here."""
    with contextlib.suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


def _tensix_gdb() -> str:
    """Return the command of this installation, as it can be typed here."""
    script = Path(sys.executable).parent / "tensix-gdb"
    return (
        _shown(script)
        if script.exists()
        else f"{_shown(Path(sys.executable))} -m tensix_gdb.gdbstub"
    )
