# SPDX-License-Identifier: Apache-2.0
"""The race of kernel.c in one run: by `tensix-gdb run --races`, in GDB and in pytest, without a
wait, with a wrong one and with the right one.

`python -m scripts.examples.c10.races` puts what they show between the marks in the manual.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.examples.c10.race import KERNEL
from tensix_gdb.core.explain.instruction.block import MANUAL, ROOT, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.programs.build import build

BLOCK = Generated("races", "python -m scripts.examples.c10.races", MANUAL / "races.md")
PATCHED = Generated("patched", BLOCK.maker, MANUAL / "remedies.md")
ONE_ORDER = "one order of events was looked at"
NAMES = ("no_wait", "wait", "wrong_wait")
COMMANDS = ("monitor races on", "continue", "tensix races", "tensix races 1")
TEST = """\
import pytest


@pytest.mark.tile(t0="no_wait.elf", schedule="latency")
def test_no_races(tile):
    tile.observe_races()
    tile.run_to_end()
    assert tile.races == []
"""


def run(name: str, *options: str) -> str:
    """A run in the present folder, as a person sees it."""
    words = ["run", "--elf", f"t0={name}.elf", "--races", *options]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = tensix_gdb(words)
    lines = [line for line in out.getvalue().splitlines() if not line.startswith(ONE_ORDER)]
    said = f"$ tensix-gdb {' '.join(words)}\n" + "\n".join(lines) + "\n"
    return said + (f"$ echo $?\n{status}\n" if status else "")


def in_gdb(folder: Path) -> str:
    """A session of GDB with the kernel without a wait."""
    typed: list[str] = []
    for command in COMMANDS:
        typed += ["-ex", f"echo > {command}\\n", "-ex", command]
    words = [sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", "--elf", "t0=no_wait.elf"]
    words += ["--", "-nx", "-nh", "-batch", "-ex", "set width 0", "-ex", "echo begin\\n", *typed]
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    _, _, said = done.stdout.partition("begin\n")
    lines = [line for line in said.splitlines() if line]
    text = "\n".join(re.sub(r"^> ", "(gdb) ", line) for line in lines)
    return f"$ tensix-gdb gdb --elf t0=no_wait.elf\n{text}\n"


def in_pytest(folder: Path) -> str:
    """The test, and what pytest shows of it."""
    (folder / "test_races.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", str(folder), "test_races.py"]
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=120, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("E ")]
    return f"$ pytest -q test_races.py\n{chr(10).join(lines)}\n"


def patched() -> str:
    """A remedy that was tried, as `diagnose` says it, and as a diff that was compiled and run."""
    shutil.copy(KERNEL, KERNEL.name)
    build_it = f"tensix-gdb build --sfpi none --t0 {KERNEL.name} -D WAIT=2"
    typed = ["diagnose", "--dir", "build", "--apply", build_it]
    said = f"$ {build_it}\n"
    with contextlib.redirect_stdout(io.StringIO()):
        tensix_gdb(build_it.split()[1:])
    out = io.StringIO()
    # The copy is built by this checkout's command, whatever the PATH has.
    command = build_it.replace("tensix-gdb", f"{sys.executable} -m tensix_gdb.gdbstub", 1)
    with contextlib.redirect_stdout(out):
        tensix_gdb([*typed[:-1], command])
    said += f"$ tensix-gdb {shlex.join(typed)}\n{out.getvalue()}"
    return f"```\n{said.rstrip()}\n```\n"


def shown() -> tuple[str, str]:
    """All of it, as Markdown: the sessions of the chapter about races, and of that about
    remedies."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for wait, each in enumerate(NAMES):
            build(KERNEL, "T0", folder / f"{each}.elf", defines=(f"WAIT={wait}",))
        os.chdir(folder)
        try:
            parts = [
                run("no_wait", "--error-exitcode", "9") + run("wait"),
                run("wrong_wait"),
                in_gdb(folder),
                in_pytest(folder),
            ]
            remedy = patched()
        finally:
            os.chdir(here)
    return "\n".join(f"```\n{part}```\n" for part in parts), remedy


def main() -> None:
    """Write the manual."""
    races, remedy = shown()
    BLOCK.write(races)
    PATCHED.write(remedy)


if __name__ == "__main__":
    main()
