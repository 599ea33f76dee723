# SPDX-License-Identifier: Apache-2.0
"""The tables of packages in core/README.md and gdbstub/README.md, from the packages' docstrings.

`python -m scripts.packages` writes them, which is done after every change of a package; a test
compares.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import ROOT, Generated

MAKER = "python -m scripts.packages"
BLOCKS = tuple(Generated(f"packages of {top}", MAKER, ROOT / top / "README.md") for top in
               ("core", "gdbstub"))  # fmt: skip


def packages(top: str) -> list[Path]:
    """The folders of a package's packages, itself left out."""
    return sorted(path.parent for path in (ROOT / top).rglob("__init__.py"))[1:]


def purpose(folder: Path) -> str:
    """The first line of a package's docstring; ValueError without one."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
    if not text:
        raise ValueError(f"{folder.relative_to(ROOT)}/__init__.py does not say what it is for")
    return text.partition("\n")[0].removesuffix(".")


def table(top: str) -> str:
    """A row for each package below `top`."""
    rows = [f"| `{top}/` | |", "|---|---|"]
    rows += [
        f"| `{folder.relative_to(ROOT / top)}` | {purpose(folder)} |" for folder in packages(top)
    ]
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    for block in BLOCKS:
        block.write(table(block.page.parent.name))
