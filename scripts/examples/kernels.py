# SPDX-License-Identifier: Apache-2.0
"""From nothing to a breakpoint in a kernel of one's own, as the manual's chapter shows it.

`python -m scripts.examples.kernels` types the commands of both examples, without LLK and with it,
in an empty folder and into a real GDB, and puts what it shows between the marks in the manual.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.kernels.project import FILES, RUN
from tensix_gdb.gdbstub.kernels.user_cache import cache

MAKER = "python -m scripts.examples.kernels"
LLK = FOLDER / "template" / "add.cpp"
ADDS = next(
    number
    for number, line in enumerate(LLK.read_text("utf-8").splitlines(), 1)
    if "_llk_math_eltwise_binary_<ADD" in line
)
INPUT = " ".join(FILES[:2])
SECONDS = 240
# What GDB has shown comes before what the shell shows, also where both write to a pipe.
FLUSH = r"""python gdb.execute("define hook-shell\npython gdb.flush()\nend")"""
GDB = ("-nx", "-nh", "-batch", "-ex", "set width 0", "-ex", FLUSH)
GDB = (*GDB, "-ex", "set trace-commands on")


@dataclass(frozen=True, slots=True)
class Example:
    """The lines that are typed in the shell, then in GDB, and what a test looks for."""

    name: str
    shell: Sequence[str]
    gdb: Sequence[str]
    shows: Sequence[str]
    needs_sfpi: bool = False

    @property
    def block(self) -> Generated:
        """The place in the manual."""
        return Generated(f"kernel-{self.name}", MAKER, MANUAL / "kernel.md")


EXAMPLES = (
    Example(
        "c",
        (
            "tensix-gdb new mine",
            "cd mine",
            "tensix-gdb build add.c",
            "pytest -q",
            RUN,
            f"tensix-gdb gdb --dir build {INPUT}",
        ),
        (
            "tbreak add_tile",
            "continue",
            "backtrace",
            "next",
            "tensix-break SEMPOST thread T1",
            "continue",
            "monitor dst 0-1",
            "tensix cfg ALU_FORMAT_SPEC_REG2_Dstacc",
            "tensix why T2",
            "shell sed -i 's/TILES 4/TILES 2/' add.c && tensix-gdb build add.c",
            "tensix-reload",
        ),
        (
            "2 passed",
            "hit Temporary breakpoint 1, add_tile () at add.c:",
            "all harts have paused after",
            "0x41000 is sum.npy",
        ),
    ),
    Example(
        "llk",
        (
            "tensix-gdb new mine-llk --llk",
            "cd mine-llk",
            "tensix-gdb build --get-llk add.cpp",
            "pytest -q",
            f"tensix-gdb gdb --dir build {INPUT}",
        ),
        (
            f"tbreak add.cpp:{ADDS}",
            "continue",
            "up 2",
            "info locals",
            "tensix-break SEMPOST thread T1",
            "continue",
            "monitor dst 0-1",
        ),
        ("2 passed", f"add.cpp:{ADDS}", "SEMPOST sem=S1 at its gate"),
        needs_sfpi=True,
    ),
)


def shown(example: Example) -> str:
    """Type everything; return what appeared, as Markdown."""
    bin_folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment |= {"TERM": "dumb", "PY_COLORS": "0"}
    if example.needs_sfpi:
        environment.pop("SFPI", None)
    else:
        environment["SFPI"] = "none"  # the kernel in C is for who has Debian's compiler only
    environment.pop("PYTEST_ADDOPTS", None)
    # What is compiled for the first time is told to its user, on another machine at another time.
    _said(["tensix-gdb", "doctor", "--compile", "a tile of Blackhole"], Path.cwd(), environment)
    parts = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        for typed in example.shell:
            parts.append(f"$ {typed}\n")
            word, *rest = shlex.split(typed)
            if word == "cd":
                folder /= rest[0]
                continue
            in_gdb = "gdb" in rest[:1]
            command = [word, *rest] if not in_gdb else [word, *rest, "--", *_typed(example.gdb)]
            said = _said(command, folder, environment)
            parts.append(_session(said, example.gdb[0]) if in_gdb else said)
        text = "".join(parts).replace(f"{folder}/", "")
    return f"```\n{_of_any_machine(text)}```\n"


def _typed(commands: Sequence[str]) -> list[str]:
    return [*GDB, *(word for one in commands for word in ("-ex", one))]


def _said(command: Sequence[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout


def _session(text: str, first: str) -> str:
    """Return what GDB shows from the first command on, as a person sees it."""
    begin = text.find(f"+{first}\n")
    text = text[max(begin, 0) :].partition("[Inferior 1 (")[0]
    text = re.sub(r"^\+\+.*\n", "", text, flags=re.MULTILINE)  # what a command of ours types
    return re.sub(r"^\+", "(gdb) ", text, flags=re.MULTILINE).replace("\n\n", "\n")


def _of_any_machine(text: str) -> str:
    """Replace what another machine has otherwise: folders, seconds, the hash of a cache's entry."""
    text = text.replace(str(cache()), "~/.cache/tensix-gdb")
    text = re.sub(r"headers/llk-[0-9a-f]{16}", "headers/llk-...", text)
    text = re.sub(r"^unpacking LLK's headers .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"/\S*/gdbstub/(kernels|demo)/", r".../\1/", text)
    return re.sub(r"\bin \d+\.\d+s\b", "in 4 s", text)


def main() -> int:
    """Write the manual."""
    for example in EXAMPLES:
        example.block.write(shown(example))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
