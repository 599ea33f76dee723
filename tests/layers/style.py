# SPDX-License-Identifier: Apache-2.0
"""The rules for this project's files that ruff does not know. `check` gives one sentence per
find."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPDX = "SPDX-License-Identifier: Apache-2.0"
MAX_LINES = 500
SHEBANG = re.compile(r"#!.*\n")
# In two parts, so that this file passes its own check.
OPEN_ENDS = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "X" * 3)))
VAGUE_NAMES = {"utils", "helpers", "common", "manager", "base"}
# ASCII, and the dashes, arrows, signs and lines of explanations and drawings. Not what cannot be
# seen or cannot be typed: letters of other alphabets, spaces of other widths, pictures.
ODD = re.compile(
    r"[^\x00-\x7f\u00a7\u00b1\u00b5\u00b7\u00d7\u2013\u2014\u2026\u2190-\u21ff\u2200-\u22ff\u2500-\u25ff]"
)


def files() -> list[Path]:
    """Every Python file and script of the project."""
    found = [
        p for top in ("core", "gdbstub", "tests", "scripts") for p in (ROOT / top).rglob("*.py")
    ]
    found += [p for p in (ROOT / "scripts").iterdir() if p.is_file() and p.suffix in ("", ".sh")]
    return sorted([*found, ROOT / ".ci" / "run"])


def check(name: str, text: str) -> list[str]:
    """Return what is wrong with a file of this name and text."""
    if not text:
        return []
    found = []
    path = Path(name)
    if not SHEBANG.sub("", text, count=1).startswith(f"# {SPDX}\n"):
        found.append(f"{name}:1: does not begin with the SPDX line")
    for number, line in enumerate(text.splitlines(), 1):
        if OPEN_ENDS.search(line):
            found.append(f"{name}:{number}: an open end; finish it or make it an issue")
        if odd := ODD.search(line):
            found.append(f"{name}:{number}: the character {odd[0]!r} is hard to type and to search")
    if number > MAX_LINES:
        found.append(f"{name}: {number} lines, more than {MAX_LINES}; is it still one subject?")
    if path.stem in VAGUE_NAMES:
        found.append(f"{name}: the name says nothing about the content")
    if path.suffix == ".py":
        tree = ast.parse(text)
        if tree.body and ast.get_docstring(tree) is None:
            found.append(f"{name}: no docstring that says what it is")
        if not path.name.islower():
            found.append(f"{name}: module names are lower case")
    return found
