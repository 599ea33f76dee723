# SPDX-License-Identifier: Apache-2.0
"""The race of kernel.c in one run: by `tensix-gdb run --races`, in GDB and in pytest, without a
wait, with a wrong one and with the right one.

`python -m scripts.examples.c10.races` puts what they show between the marks in the manual.
"""

from __future__ import annotations

import shlex
import shutil
import sys

from scripts.examples.c10.race import FORMS, KERNEL
from scripts.examples.typed import fenced, folder_of, in_gdb, in_pytest, output_of, typed
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated("races", "python -m scripts.examples.c10.races", MANUAL / "races.md")
PATCHED = Generated("patched", BLOCK.maker, MANUAL / "remedies.md")
COMMANDS = ("monitor races on", "continue", "tensix races", "tensix races 1")
TEST = """\
import pytest


@pytest.mark.tile(t0="no_wait.elf", schedule="latency")
def test_no_races(tile):
    tile.observe_races()
    tile.run_to_end()
    assert tile.races == []
"""


def patched() -> str:
    """A remedy that was tried, as `diagnose` says it, and as a diff that was compiled and run."""
    shutil.copy(KERNEL, KERNEL.name)
    build_it = f"tensix-gdb build --sfpi none --t0 {KERNEL.name} -D WAIT=2"
    words = ["diagnose", "--dir", "build", "--apply", build_it]
    output_of(*build_it.split()[1:])
    # The copy is built by this checkout's command, whatever the PATH has.
    command = build_it.replace("tensix-gdb", f"{sys.executable} -m tensix_gdb.gdbstub", 1)
    _, text = output_of(*words[:-1], command)
    return fenced([f"$ {build_it}\n$ tensix-gdb {shlex.join(words)}\n{text.rstrip()}\n"])


def shown() -> tuple[str, str]:
    """All of it, as Markdown: the sessions of the chapter about races, and of that about
    remedies."""
    run = ("run", "--elf")
    with folder_of(KERNEL, "T0", FORMS):
        races = [
            typed(*run, "t0=no_wait.elf", "--races", "--error-exitcode", "9")
            + typed(*run, "t0=wait.elf", "--races"),
            typed(*run, "t0=wrong_wait.elf", "--races"),
            in_gdb(["--elf", "t0=no_wait.elf"], COMMANDS),
            in_pytest("test_races.py", TEST, ("E ",), ends=False),
        ]
        return fenced(races), patched()


def main() -> None:
    """Write the manual."""
    races, remedy = shown()
    BLOCK.write(races)
    PATCHED.write(remedy)


if __name__ == "__main__":
    main()
