# SPDX-License-Identifier: Apache-2.0
"""Searches of kernel.c: by `tensix-gdb seeds` and in pytest.

`python -m scripts.examples.c10.searched` puts what they show between the marks in the manual.
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
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.programs.build import build

BLOCK = Generated("searched", "python -m scripts.examples.c10.searched", MANUAL / "seeds.md")
NO_WAIT = ("seeds", "--elf", "t0=no_wait.elf", "--until", "wrong")
TEST = """\
import pytest


@pytest.mark.tile(t0="no_wait.elf")
def test_without_a_wait(tile):
    tile.run_to_end()
    assert tile.t0["seen"] == 0x2000


@pytest.mark.tile(t0="wait.elf")
def test_with_the_wait(tile):
    tile.run_to_end()
    assert tile.t0["seen"] == 0x2000
"""


def typed(*words: str) -> str:
    """A command in the present folder, as a person sees it, without how long it took."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        tensix_gdb([*words])
    lines = [line for line in out.getvalue().splitlines() if not line.endswith(" a second")]
    return f"$ tensix-gdb {' '.join(words)}\n" + "\n".join(lines) + "\n"


def in_pytest(folder: Path) -> str:
    """Return what pytest shows of the test."""
    (folder / "test_seeds.py").write_text(TEST)
    options = ["--tile-seeds", "200"]
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", str(folder), "test_seeds.py", *options]
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
    lines = [line for line in done.stdout.splitlines() if line.startswith(("E  ", "FAILED"))]
    lines += [re.sub(r" in [\d.]+s$", "", line) for line in done.stdout.splitlines()[-1:]]
    return f"$ pytest -q test_seeds.py {' '.join(options)}\n" + "\n".join(lines) + "\n"


def shown() -> str:
    """All of it, as Markdown."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for wait, each in enumerate(("no_wait", "wait")):
            build(KERNEL, "T0", folder / f"{each}.elf", defines=(f"WAIT={wait}",))
        os.chdir(folder)
        try:
            parts = [
                ("", typed(*NO_WAIT, "--seeds", "1000", "--to", "before.jsonl")),
                (
                    "",
                    typed(
                        "run",
                        *NO_WAIT[1:],
                        "--schedule",
                        "random:1,delays=T0.store.4=37,pauses=none",
                    ),
                ),
                (
                    "",
                    typed(
                        *NO_WAIT, "--schedule", "latency", "--vary", "late.T0@kernel.c:35:4-40/4"
                    ),
                ),
                ("", typed(*NO_WAIT, "--seeds", "100", "--guided", "--no-smallest")),
                ("python", TEST),
                ("", in_pytest(folder)),
            ]
        finally:
            os.chdir(before)
    return "\n".join(f"```{kind}\n{part}```\n" for kind, part in parts)


def main() -> None:
    """Write the manual."""
    BLOCK.write(shown())


if __name__ == "__main__":
    main()
