# SPDX-License-Identifier: Apache-2.0
"""The files of the suite that run on the tile of each chip, as a table of the manual.

`python -m scripts.llktests.chips` writes the table of the manual's chapter llk-files; a test
compares.
"""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.block import ROOT, Generated
from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED

BLOCK = Generated(
    "covered files",
    "python -m scripts.llktests.chips",
    ROOT / "gdbstub" / "manual" / "llk-files.md",
)
YES = "yes"


def table() -> str:
    """A row for each file that one of the chips' tiles runs."""
    names = sorted({name for covered in COVERED.values() for name in covered})
    rows = ["| file | Blackhole | Wormhole |", "|---|---|---|"]
    for name in names:
        cells = (EXCLUDED[arch].get(name, YES) for arch in COVERED)
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    BLOCK.write(table())
