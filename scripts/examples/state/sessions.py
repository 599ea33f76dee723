# SPDX-License-Identifier: Apache-2.0
"""The mistakes of kernel.c as `--check` reports them: by `tensix-gdb run`, in GDB and in pytest.

`python -m scripts.examples.state.sessions` puts what they show between the marks in the manual.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, ROOT, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.programs.build import build

KERNEL = Path(__file__).with_name("kernel.c")
BLOCK = Generated("state", "python -m scripts.examples.state.sessions", MANUAL / "state.md")
ONE_ORDER = "one order of events was looked at"
NAMES = ("kernel", "mended")
COMMANDS = ("monitor check on leaks,memory", "continue", "tensix check", "tensix check 1")
TEST = """\
import pytest


@pytest.mark.tile(t0="kernel.elf", schedule="latency")
def test_nothing_is_left(tile):
    tile.check("leaks")
    tile.run(1000)
    assert tile.checks == []
"""


def run(name: str, *options: str) -> str:
    """A run in the present folder, as a person sees it."""
    words = ["run", "--elf", f"t0={name}.elf", *options]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = tensix_gdb(words)
    lines = [line for line in out.getvalue().splitlines() if not line.startswith(ONE_ORDER)]
    said = f"$ tensix-gdb {' '.join(words)}\n" + "\n".join(lines) + "\n"
    return said + (f"$ echo $?\n{status}\n" if status else "")


def in_gdb(folder: Path) -> str:
    """A session of GDB with the kernel."""
    typed: list[str] = []
    for command in COMMANDS:
        typed += ["-ex", f"echo > {command}\\n", "-ex", command]
    words = [sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", "--elf", "t0=kernel.elf"]
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
    return f"$ tensix-gdb gdb --elf t0=kernel.elf\n{text}\n"


def in_pytest(folder: Path) -> str:
    """The test, and what pytest shows of it."""
    (folder / "test_state.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", str(folder), "test_state.py"]
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=120, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("E ")]
    return f"$ pytest -q test_state.py\n{chr(10).join(lines)}\n"


def shown() -> str:
    """All of it, as Markdown."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for mended, each in enumerate(NAMES):
            build(KERNEL, "T0", folder / f"{each}.elf", defines=(f"MENDED={mended}",))
        os.chdir(folder)
        try:
            parts = [
                run("kernel", "--check", "all", "--error-exitcode", "9"),
                run("mended", "--check", "leaks,memory"),
                in_gdb(folder),
                in_pytest(folder),
            ]
        finally:
            os.chdir(here)
    return "\n".join(f"```\n{part}```\n" for part in parts)


def main() -> None:
    """Write the manual."""
    BLOCK.write(shown())


if __name__ == "__main__":
    main()
