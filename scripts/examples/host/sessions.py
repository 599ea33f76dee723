# SPDX-License-Identifier: Apache-2.0
"""A program that uses its host's console and files, under `run` and under GDB; a kernel that prints
as tt-metal's kernels do.

`python -m scripts.examples.host.sessions` runs them and puts what they show between the marks in
the manual.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.core.device_print.build import BUFFER
from tests.core.device_print.build import build as build_kernel
from tests.programs.build import ROOT, build

FOLDER = Path(__file__).resolve().parent
BLOCK = Generated("host", "python -m scripts.examples.host.sessions", MANUAL / "io.md")
NUMBERS = "10 20 33 41\n"
SECONDS = 120
PRINTS = 12  # lines of them that are enough to see


def _shown(command: str, folder: Path, *, typed: str = "") -> str:
    """A command in a folder, as a person sees it: what it shows, and its exit status."""
    words = command.split(" ")
    assert words[0] == "tensix-gdb"
    quiet = ["--", "-nx", "-nh", "-batch", "-ex", "set width 0"] if words[1] == "gdb" else []
    done = subprocess.run(
        [sys.executable, "-m", "tensix_gdb.gdbstub", *words[1:], *quiet, *_gdb(typed)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    text = done.stdout
    if typed:
        text = text[text.find(f"+{typed.splitlines()[0]}\n") :]
        text = re.sub(r"^\+\+.*\n", "", text, flags=re.MULTILINE)  # what a command of ours types
        text = re.sub(r"^\+", "(gdb) ", text, flags=re.MULTILINE).replace("\n\n", "\n")
    elif done.returncode:
        text += f"$ echo $?\n{done.returncode}\n"
    return f"$ {command}\n{text}"


def _gdb(typed: str) -> list[str]:
    if not typed:
        return []
    out = ["-ex", f"directory {FOLDER}", "-ex", "set trace-commands on"]
    for line in typed.splitlines():
        out += ["-ex", line]
    return out


def program(folder: Path) -> None:
    """The program, and what it reads."""
    build(FOLDER / "average.c", "B", folder / "average.elf")
    (folder / "files").mkdir()


def console_and_files(folder: Path) -> str:
    """Without the option, without the file, with it."""
    run = "tensix-gdb run --elf b=average.elf"
    files = f"{run} --semihosting --semihosting-dir files"
    parts = [
        _shown(run, folder),
        _shown(files, folder),
        f"$ echo {NUMBERS[:-1]} > files/numbers.txt\n",
    ]
    (folder / "files" / "numbers.txt").write_text(NUMBERS)
    parts.append(_shown(files, folder))
    parts.append(f"$ cat files/average.txt\n{(folder / 'files' / 'average.txt').read_text()}\n")
    return "".join(parts)


def by_gdb(folder: Path) -> str:
    """Files where GDB is."""
    (folder / "numbers.txt").write_text("1 2 6\n")
    command = "tensix-gdb gdb --elf b=average.elf --semihosting gdb"
    return _shown(command, folder, typed="break average\ncontinue\nprint text\ncontinue")


def prints(folder: Path) -> str:
    """The first lines of a kernel's debug prints."""
    build_kernel(folder, "B", folder / "kernel.elf")
    command = f"tensix-gdb run --elf b=kernel.elf --dprint {BUFFER:#x}"
    lines = _shown(command, folder).splitlines()
    return "\n".join([*lines[: 1 + PRINTS], "..."]) + "\n"


SESSIONS: tuple[tuple[str, Callable[[Path], str]], ...] = (
    ("", console_and_files),
    (
        "With `--semihosting gdb` the calls are GDB's own: files are where GDB is, and its user "
        "types\nwhat the program reads.",
        by_gdb,
    ),
    ("The debug prints of a kernel that was compiled with tt-metal's `device_print.h`:", prints),
)


def all_that_is_shown() -> str:
    """The sessions as Markdown."""
    parts = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program(folder)
        for about, session in SESSIONS:
            text = session(folder).rstrip("\n")
            parts.append(f"{about}\n\n```\n{text}\n```\n" if about else f"```\n{text}\n```\n")
    return "\n".join(parts)


def main() -> None:
    """Write the manual."""
    BLOCK.write(all_that_is_shown())


if __name__ == "__main__":
    main()
