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
from collections.abc import Iterator
from pathlib import Path

from gdbstub.demo.steps import CHAPTERS, Chapter, show
from gdbstub.gdb import find_gdb
from gdbstub.usage import UsageError

FOLDER = Path(__file__).resolve().parent
PROGRAMS = FOLDER / "programs"
ELFS = {"b": "b.elf", "t0": "t0.elf", "t1": "t1.elf", "nc": "nc.elf"}
LISTENING = re.compile(r"listening on \S+ port (\d+)")
SESSION_SECONDS = 120

INTRODUCTION = """\
An emulated Blackhole Tensix tile runs a small pipeline in C: NC produces samples, T0 filters them,
T1 checks the sums, B watches over it all. A real GDB is attached to it. What follows a (gdb) prompt
is typed by this demo, as you could; what follows it is the answer of GDB. The sources are in
{folder}"""

CONCLUSION = """\
Every step showed what it should. Now yourself, with all symbols loaded:

    {command}
"""


def main() -> int:
    """Show the demo; 0 when every step showed what it had to."""
    # Debian's has Python in it, which inside.py needs.
    gdb = shutil.which("gdb-multiarch") or find_gdb(None)
    print(INTRODUCTION.format(folder=PROGRAMS), flush=True)
    with _server() as port:
        status = _session(gdb, port)
    if status == 0:
        files = " ".join(f"--elf {hart}={_shown(PROGRAMS / file)}" for hart, file in ELFS.items())
        print()
        print(CONCLUSION.format(command=f"{_tensix_gdb()} gdb {files}"), flush=True)
        return 0
    print(f"\n{status} of the steps did not show what they had to.", file=sys.stderr)
    return 1


@contextlib.contextmanager
def _server() -> Iterator[int]:
    """`tensix-gdb serve` with the demo's programs, on a free port."""
    command = [sys.executable, "-m", "gdbstub", "serve", "--port", "0"]
    for hart, file in ELFS.items():
        command += ["--elf", f"{hart}={PROGRAMS / file}"]
    # Not in the terminal's foreground group, so that a Ctrl-C for GDB is not one for the server.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = LISTENING.search(line)
            if found is None:
                raise UsageError("the demo's server did not start; see what it says above")
            yield int(found[1])
        finally:
            process.terminate()


def _session(gdb: str, port: int) -> int:
    """Run inside.py in GDB; its exit status."""
    first, *others = ELFS.values()
    attach = Chapter(
        "Attach",
        "The tile waits at the first instructions of its programs. GDB learns their symbols from "
        "it, as those of libraries; they are on this machine, so it can open them itself.",
        (
            show(f"file {first}"),
            show("set sysroot"),
            show(f"target remote 127.0.0.1:{port}", r"_start"),
            show("info sharedlibrary", *(rf"Yes +\S+/{re.escape(file)}" for file in others)),
        ),
    )
    task = {
        "colour": sys.stdout.isatty() and "NO_COLOR" not in os.environ,
        "chapters": [
            (chapter.title, chapter.text, [(c.text, c.shows) for c in chapter.commands])
            for chapter in (attach, *CHAPTERS)
        ],
    }
    with subprocess.Popen(
        [gdb, "-nx", "-nh", "-q", "-batch", "-x", str(FOLDER / "inside.py")],
        cwd=PROGRAMS,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TENSIX_DEMO": json.dumps(task), "PYTHONDONTWRITEBYTECODE": "1"},
    ) as process:
        try:
            return process.wait(SESSION_SECONDS)
        except subprocess.TimeoutExpired:
            raise UsageError(f"the demo did not end within {SESSION_SECONDS} seconds") from None
        finally:
            process.kill()


def _shown(path: Path) -> str:
    """A path as short as it can be typed here."""
    with contextlib.suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


def _tensix_gdb() -> str:
    """The command of this installation, as it can be typed here."""
    script = Path(sys.executable).parent / "tensix-gdb"
    return _shown(script) if script.exists() else f"{_shown(Path(sys.executable))} -m gdbstub"
