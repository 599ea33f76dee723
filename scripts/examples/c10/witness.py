# SPDX-License-Identifier: Apache-2.0
"""From a report to its witness and to the confirmed fix: kernel.c by `tensix-gdb`, in GDB and in
pytest.

`python -m scripts.examples.c10.witness` puts what they show between the marks in the manual.
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

from scripts.examples.c10.race import KERNEL
from tensix_gdb.core.explain.instruction.block import MANUAL, ROOT, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.programs.build import build

BLOCK = Generated("witness", "python -m scripts.examples.c10.witness", MANUAL / "witness.md")
ONE_ORDER = "one order of events was looked at"
PAIR = ("--pair", "kernel.c:35", "kernel.c:41")
COMMANDS = (
    *("continue", "tensix races witness 1", "continue", "print seen"),
    *("shell cp wait.elf kernel.elf", "tensix-reload", "continue", "tensix races", "print seen"),
)
TEST = """\
import pytest


@pytest.mark.tile(t0="no_wait.elf", schedule="latency")
def test_the_other_order(tile):
    tile.observe_races()
    tile.run_to_end()
    witness = tile.witness(tile.races[0])
    assert witness.possible
    tile.run_to_end()
    assert tile.t0["seen"] == 0x2000


@pytest.mark.tile(t0="no_wait.elf", races=True)
def test_without_a_wait(tile):
    tile.run_to_end()


@pytest.mark.tile(t0="wait.elf", races=True)
def test_with_the_wait(tile):
    tile.run_to_end()
"""


def typed(*words: str) -> str:
    """A command in the present folder, as a person sees it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = tensix_gdb([*words])
    lines = [line for line in out.getvalue().splitlines() if not line.startswith(ONE_ORDER)]
    said = f"$ tensix-gdb {' '.join(words)}\n" + "\n".join(lines) + "\n"
    return said + (f"$ echo $?\n{status}\n" if status else "")


def late() -> str:
    """`run --late`, from the witness on: the report is as in races.md."""
    said = typed("run", "--elf", "t0=no_wait.elf", "--late", "1")
    command, _, rest = said.partition("\n")
    return f"{command}\n...\n{rest[rest.index('RACE 1 goes') :]}"


def in_gdb(folder: Path) -> str:
    """A session of GDB, in which the kernel is built again with the wait."""
    (folder / "kernel.elf").write_bytes((folder / "no_wait.elf").read_bytes())
    (folder / "kernel.c").write_bytes(KERNEL.read_bytes())
    lines: list[str] = []
    for command in COMMANDS:
        lines += ["-ex", f"echo > {command}\\n", "-ex", command]
    words = [sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", "--races", "--elf", "t0=kernel.elf"]
    words += ["--", "-nx", "-nh", "-batch", "-ex", "set width 0", "-ex", "echo begin\\n", *lines]
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )
    _, _, said = done.stdout.partition("begin\n")
    shown = [line for line in said.splitlines() if line and "detached" not in line]
    text = "\n".join(re.sub(r"^> ", "(gdb) ", line) for line in shown)
    text = text.replace(f"{folder}/", "").replace(f"{folder.resolve()}/", "")
    return f"$ tensix-gdb gdb --races --elf t0=kernel.elf\n{text}\n"


def in_pytest(folder: Path) -> str:
    """The test, and what pytest shows of it."""
    (folder / "test_witness.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", str(folder), "test_witness.py"]
    # With CI in the environment pytest shortens nothing.
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=240,
        check=False,
    )
    wanted = ("E  ", "RACE", "FAILED", "1 race")
    lines = [line for line in done.stdout.splitlines() if line.startswith(wanted)]
    lines += [re.sub(r" in [\d.]+s$", "", line) for line in done.stdout.splitlines()[-1:]]
    return f"$ pytest -q test_witness.py\n{chr(10).join(lines)}\n"


def shown() -> str:
    """All of it, as Markdown."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for wait, each in enumerate(("no_wait", "wait")):
            build(KERNEL, "T0", folder / f"{each}.elf", defines=(f"WAIT={wait}",))
        os.chdir(folder)
        try:
            parts = [
                ("", late()),
                ("", in_gdb(folder)),
                ("", typed("check", *PAIR, "t0=no_wait.elf").replace("\n\n", "\n")),
                ("", typed("check", *PAIR, "t0=wait.elf").replace("\n\n", "\n")),
                ("python", TEST),
                ("", in_pytest(folder)),
            ]
        finally:
            os.chdir(here)
    return "\n".join(f"```{kind}\n{part}```\n" for kind, part in parts)


def main() -> None:
    """Write the manual."""
    BLOCK.write(shown())


if __name__ == "__main__":
    main()
