# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb core` beside a debugger: the core file of a tile that GDB has stopped, and what is in
it. `python -m scripts.examples.cores` puts the session between the marks in the manual.
"""

from __future__ import annotations

import os
import re
import tempfile

from scripts.examples.typed import printed_by
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.gdb.harness import ROOT, serve
from tests.gdbstub.tensix.programs import gdb

BLOCK = Generated("core files", "python -m scripts.examples.cores", MANUAL / "recordings.md")
DEMO = ROOT / "gdbstub" / "demo" / "programs"
HARTS = ("b", "t0", "t1", "nc")
FILE = "tile.core"


def said(*words: str) -> str:
    """Return what a command prints, without the folders of files."""
    return re.sub(r"(?<![\w/])/\S*/", "", printed_by(*words))


def all_that_is_shown() -> str:
    """As Markdown."""
    elfs = {hart: DEMO / f"{hart}.elf" for hart in HARTS}
    with tempfile.TemporaryDirectory() as folder, serve(elfs) as server:
        file = os.path.join(folder, FILE)
        gdb(server.port, "tbreak publish", "continue", elf=elfs["t0"])
        written = said("core", "--port", str(server.port), file)
        held = said("core", file)
    return (
        f"```\n$ tensix-gdb core --port 4555 {FILE}\n{written}"
        f"$ tensix-gdb core {FILE}\n{_folded(held)}```\n"
    )


def _folded(text: str) -> str:
    """The long command in lines."""
    return re.sub(r"(?<=') (?=-ex)", " \\\n      ", text)


def steady(text: str) -> str:
    """Without what changes whenever the tile has more state."""
    return re.sub(r"hash \w+", "hash", text)


def main() -> None:
    """Write the manual."""
    BLOCK.write(all_that_is_shown())


if __name__ == "__main__":
    main()
