# SPDX-License-Identifier: Apache-2.0
"""The session in the manual: what a real GDB showed in the first chapters of the demo.

`python -m tensix_gdb.gdbstub.demo.transcript` runs the demo and puts it between the marks there; a
test runs the demo again and compares.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT
from tensix_gdb.gdbstub.demo.session import ELFS, gdb_with_python

BLOCK = Generated("session", "python -m tensix_gdb.gdbstub.demo.transcript", MANUAL / "session.md")
WIDTH = 100
CHAPTERS = (0, 1, 2, 4, 5, 7)
_HEADING = re.compile(r"^(\d+)\. (.+?) -+$", re.MULTILINE)


def run_demo() -> str:
    """Return all that the demo prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tensix_gdb.gdbstub", "demo"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def gdb_version() -> str:
    """Return the first line of `gdb --version`."""
    command = [gdb_with_python(), "--version"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.partition("\n")[0]


def session(printed: str) -> str:
    """Return some chapters of what the demo printed, as Markdown."""
    _, *parts = _HEADING.split(printed)
    pages = [f"This is {gdb_version()}.\n"]
    for number, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if int(number) not in CHAPTERS:
            continue
        about, _, typed = text.strip().partition("\n\n")
        about = textwrap.fill(f"**{title}.** {' '.join(about.split())}", WIDTH)
        pages.append(f"{about}\n\n```\n{_anywhere(typed.strip())}\n```\n")
    return "\n".join(pages)


def _anywhere(text: str) -> str:
    """Without what is another port and another folder in every run."""
    text = re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{DEFAULT_PORT}", text)
    return re.sub(rf"\S+/({'|'.join(map(re.escape, ELFS.values()))})\b", r"\1", text)


if __name__ == "__main__":
    BLOCK.write(session(run_demo()))
