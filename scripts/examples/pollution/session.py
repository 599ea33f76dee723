# SPDX-License-Identifier: Apache-2.0
"""Both forms of kernels.c as `tensix-gdb pollution` reports them.

`python -m scripts.examples.pollution.session` puts what it shows between the marks in the manual.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted
from tests.programs.build import build

KERNELS = Path(__file__).with_name("kernels.c")
MAKER = "python -m scripts.examples.pollution.session"
BLOCK = Generated("pollution", MAKER, MANUAL / "pollution.md")
# A name, and what it is built with.
FORMS = {
    "wide": ("WIDE=1", "MENDED=0", "CONFIGURES=0"),
    "narrow": ("WIDE=0", "MENDED=0", "CONFIGURES=0"),
    "configured/wide": ("WIDE=1", "MENDED=0", "CONFIGURES=1"),
    "configured/narrow": ("WIDE=0", "MENDED=0", "CONFIGURES=1"),
    "mended/wide": ("WIDE=1", "MENDED=1", "CONFIGURES=0"),
    "mended/narrow": ("WIDE=0", "MENDED=1", "CONFIGURES=0"),
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
    """A command in the present folder, as a person sees it, without times."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = tensix_gdb(["pollution", *words])
    lines = _SECONDS.sub("", out.getvalue()).splitlines()
    said = f"$ tensix-gdb pollution {' '.join(words)}\n"
    said += "".join(f"{part}\n" for line in lines for part in fitted(line, WIDTH))
    return said + (f"$ echo $?\n{status}\n" if status else "")


def session() -> str:
    """Build the kernels in a folder of their own, and give all commands there."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="pollution-") as name:
        for form, defines in FORMS.items():
            folder = Path(name, form)
            folder.mkdir(parents=True)
            build(KERNELS, "T1", folder / "t1.elf", defines=defines)
        os.chdir(name)
        try:
            return "\n".join(f"```\n{shown(*words)}```\n" for words in COMMANDS)
        finally:
            os.chdir(here)


def main() -> int:
    """Write the block."""
    BLOCK.write(session())
    return 0


if __name__ == "__main__":
    sys.exit(main())
