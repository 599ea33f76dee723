# SPDX-License-Identifier: Apache-2.0
"""Build the programs of the manual's sessions, for sessions of your own.

`python -m scripts.examples.tensix.programs DIR` makes a folder for each, with its ELF files by the
names of their harts and its sources, and prints the command that starts it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.examples.host.sessions import FOLDER as HOST
from scripts.examples.tensix.back import BACK
from scripts.examples.tensix.lanes import LANES
from scripts.examples.tensix.sessions import FOLDER, SESSIONS, Session
from scripts.examples.tensix.threads import THREADS
from tests.programs.build import DEMO, build

ALL = (*SESSIONS, THREADS, LANES, BACK)


def build_all(folder: Path) -> Iterator[str]:
    """Build everything; give the command of each session."""
    for session in ALL:
        yield _build(session, folder / session.name)
    yield _average(folder / "average")


def _build(session: Session, folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        for hart, path in session.elfs(Path(made)).items():
            shutil.copy(path, folder / f"{hart.lower()}.elf")
    source = FOLDER / f"{session.name.partition('-')[0]}.c"
    for file in (source, FOLDER / "tensix.h", DEMO / "crt0.S"):
        shutil.copy(file, folder)
    options = ["--schedule", session.schedule] if session.schedule != "latency" else []
    return " ".join(["tensix-gdb", "gdb", "--dir", str(folder), *options, *session.options])


def _average(folder: Path) -> str:
    """The program of chapter io, which asks its host for files."""
    folder.mkdir(parents=True, exist_ok=True)
    build(HOST / "average.c", "B", folder / "b.elf")
    for file in (HOST / "average.c", HOST / "semihost.h", DEMO / "crt0.S"):
        shutil.copy(file, folder)
    return f"tensix-gdb run --dir {folder} --semihosting --semihosting-dir {folder}"


def main() -> int:
    """Build them into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    for command in build_all(parser.parse_args().folder):
        print(command)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
