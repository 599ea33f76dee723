# SPDX-License-Identifier: Apache-2.0
"""Commands as a person types them, and what they show: for the sessions in the manual.

By `tensix-gdb` in this process, in a GDB, and by pytest; each in the current folder, which
`folder_of` makes and fills.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import ROOT
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.patience import HANG
from tests.programs.build import build

ONE_ORDER = "one order of events was looked at"  # after each run that went well


@contextlib.contextmanager
def folder_of(kernel: Path, hart: str, forms: Mapping[str, Sequence[str]]) -> Iterator[Path]:
    """Make a folder the current one. Each form of the kernel is there, as `NAME.elf`, built with
    its definitions."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form, defines in forms.items():
            (folder / form).parent.mkdir(parents=True, exist_ok=True)
            build(kernel, hart, folder / f"{form}.elf", defines=tuple(defines))
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(here)


def output_of(*words: str) -> tuple[int, str]:
    """Return the status of a command of tensix-gdb, and what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = tensix_gdb([*words])
    return status, out.getvalue()


def printed_by(*words: str) -> str:
    """Return what a command prints. RuntimeError if it fails."""
    status, text = output_of(*words)
    if status:
        raise RuntimeError(f"tensix-gdb {' '.join(words)}: {text}")
    return text


def typed(*words: str) -> str:
    """Return a command of tensix-gdb and what it shows: without what every run that went well ends
    with, and without how long it took."""
    status, text = output_of(*words)
    lines = [
        line
        for line in text.splitlines()
        if not line.startswith(ONE_ORDER) and not line.endswith(" a second")
    ]
    said = f"$ tensix-gdb {' '.join(words)}\n" + "\n".join(lines) + "\n"
    return said + (f"$ echo $?\n{status}\n" if status else "")


def in_gdb(words: Sequence[str], commands: Sequence[str]) -> str:
    """Return `tensix-gdb gdb WORDS` and a session of these commands."""
    lines = ["-ex", "set width 0", "-ex", "echo begin\\n"]
    for command in commands:
        lines += ["-ex", f"echo > {command}\\n", "-ex", command]
    here = Path.cwd()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", *words),
            *("--", "-nx", "-nh", "-batch", *lines),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG,
        check=False,
    )
    _, _, said = done.stdout.partition("begin\n")
    kept = [line for line in said.splitlines() if line and "detached" not in line]
    text = "\n".join(re.sub(r"^> ", "(gdb) ", line) for line in kept)
    text = text.replace(f"{here}/", "").replace(f"{here.resolve()}/", "")
    return f"$ tensix-gdb gdb {' '.join(words)}\n{text}\n"


def in_pytest(
    name: str, test: str, shown: tuple[str, ...], *options: str, ends: bool = True
) -> str:
    """Return pytest of a file with that content, and the lines that begin with what is `shown`; the
    last one, too, without its seconds, unless `ends` is False."""
    Path(name).write_text(test)
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", os.curdir, name, *options]
    # With CI in the environment pytest shortens nothing.
    environment = {key: value for key, value in os.environ.items() if key != "CI"}
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=HANG,
        check=False,
    )
    said = done.stdout.splitlines()
    lines = [line for line in said if line.startswith(shown)]
    if ends:
        lines += [re.sub(r" in [\d.]+s$", "", line) for line in said[-1:]]
    return f"$ pytest -q {' '.join((name, *options))}\n" + "\n".join(lines) + "\n"


def fenced(parts: Sequence[str], kind: str = "") -> str:
    """Return parts as blocks of Markdown."""
    return "\n".join(f"```{kind}\n{part}```\n" for part in parts)
