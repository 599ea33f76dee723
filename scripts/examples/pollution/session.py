# SPDX-License-Identifier: Apache-2.0
"""Both forms of kernels.c as `tensix-gdb pollution` reports them.

`python -m scripts.examples.pollution.session` puts what it shows between the marks in the manual.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from scripts.examples.typed import fenced, folder_of, typed
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted

KERNELS = Path(__file__).with_name("kernels.c")
MAKER = "python -m scripts.examples.pollution.session"
BLOCK = Generated("pollution", MAKER, MANUAL / "pollution.md")
# A name, and what it is built with.
FORMS = {
    "wide/t1": ("WIDE=1", "MENDED=0", "CONFIGURES=0"),
    "narrow/t1": ("WIDE=0", "MENDED=0", "CONFIGURES=0"),
    "configured/wide/t1": ("WIDE=1", "MENDED=0", "CONFIGURES=1"),
    "configured/narrow/t1": ("WIDE=0", "MENDED=0", "CONFIGURES=1"),
    "mended/wide/t1": ("WIDE=1", "MENDED=1", "CONFIGURES=0"),
    "mended/narrow/t1": ("WIDE=0", "MENDED=1", "CONFIGURES=0"),
}
COMMANDS = (
    ("wide", "narrow"),
    ("configured",),
    ("--all", "mended"),
    ("--contents", "narrow"),
)
_SECONDS = re.compile(r",? in \d+\.\d+ s")
WIDTH = 100


def shown(*words: str) -> str:
    """A command in the current folder, without times, in lines that fit."""
    lines = _SECONDS.sub("", typed("pollution", *words)).splitlines()
    return "".join(f"{part}\n" for line in lines for part in fitted(line, WIDTH))


def session() -> str:
    """Build the kernels in a folder of their own, and give all commands there."""
    with folder_of(KERNELS, "T1", FORMS):
        return fenced([shown(*words) for words in COMMANDS])


def main() -> int:
    """Write the block."""
    BLOCK.write(session())
    return 0


if __name__ == "__main__":
    sys.exit(main())
