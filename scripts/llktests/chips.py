# SPDX-License-Identifier: Apache-2.0
"""The files of the suite that run on the tile of each chip, and why the others do not.

`python -m scripts.llktests.chips` writes the table of the manual's chapter llk-files; a test
compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scripts.llktests import covered, covered_wormhole
from tensix_gdb.core.explain.instruction.block import ROOT, Generated

COVERED: Mapping[str, Sequence[str]] = {
    "blackhole": covered.COVERED,
    "wormhole": covered_wormhole.COVERED,
}
EXCLUDED: Mapping[str, Mapping[str, str]] = {
    "blackhole": covered.EXCLUDED,
    "wormhole": covered_wormhole.EXCLUDED,
}
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
