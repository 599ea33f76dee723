# SPDX-License-Identifier: Apache-2.0
"""Write the manual's chapter about origins: each cause is planted, and the command is typed."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.examples.origins.wrong import ORIGIN, WRONG
from scripts.examples.planted.planting import Bug, outputs_of
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

MAKER = "python -m scripts.examples.origins"
BLOCK = Generated("origins", MAKER, MANUAL / "wrong-numbers.md")
WIDEST = 200  # characters of a line; settings of a unit are long
MOST = 32  # lines of a tree
LEFT_OUT = re.compile(" also read: | chosen by [^:]*adc T")


def section(bug: Bug, output: str) -> str:
    """One cause: what was changed, what is typed, what is said."""
    title = f"## {bug.title[0].upper()}{bug.title[1:]}"
    return f"{title}\n\n```\n{''.join(_lines(bug, output))}```\n"


def _lines(bug: Bug, output: str) -> Iterator[str]:
    yield from (f"{line}\n" for line in bug.difference())
    yield "$ tensix-gdb origin ...\n"
    lines = [line for line in output.splitlines() if not LEFT_OUT.search(line)]
    for line in lines[:MOST]:
        yield f"{line if len(line) <= WIDEST else line[: WIDEST - 3] + '...'}\n"
    if len(lines) > MOST:
        yield "...\n"


def shown() -> str:
    """All of it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        sections = [section(bug, outputs_of(bug, folder)[0]) for bug in WRONG]
    return "\n".join([f"    {ORIGIN}\n", *sections])


def main() -> int:
    """Write the chapter."""
    BLOCK.write(shown())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
