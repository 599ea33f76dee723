# SPDX-License-Identifier: Apache-2.0
"""Recordings of GDB: Debian's generation whole, those of other generations as what differs.

`sessions/gdb17/looking.rsp.diff` and `sessions/gdb13/looking.rsp` make that of GDB 17; of
`openings/gdb17/cdt.rsp.diff` the other one is `openings/cdt.rsp`. A diff is unified, without
context, so that `patch` takes it too. A file without a counterpart is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

DEBIANS = "gdb13"  # of Debian 12
DIFF = ".diff"
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def paths(folder: Path, suffix: str) -> list[Path]:
    """List the recordings below a folder, whole or as a diff, by the names of whole ones."""
    every = (path for path in folder.rglob("*") if path.is_file())
    whole = (path.with_suffix("") if path.suffix == DIFF else path for path in every)
    return sorted(path for path in whole if path.suffix == suffix)


def read(path: Path) -> str:
    """Read a recording by the name of the whole one."""
    diff = Path(f"{path}{DIFF}")
    if not diff.exists():
        return path.read_text("utf-8")
    base = _debians(path).read_text("utf-8").splitlines(keepends=True)
    return "".join(_patched(base, diff.read_text("utf-8").splitlines(keepends=True)))


def write(path: Path, text: str) -> None:
    """Write a recording: the diff where Debian's GDB has one of that name, else the whole."""
    base = _debians(path)
    if base == path or not base.exists():
        path.write_text(text, "utf-8")
        return
    lines = [one.splitlines(keepends=True) for one in (base.read_text("utf-8"), text)]
    names = f"{base.parent.name}/{base.name}", f"{path.parent.name}/{path.name}"
    Path(f"{path}{DIFF}").write_text("".join(unified_diff(*lines, *names, n=0)), "utf-8")
    path.unlink(missing_ok=True)


def _debians(path: Path) -> Path:
    """The recording of Debian's GDB that this one is compared with: itself, if it is one."""
    if not path.parent.name.startswith("gdb"):
        return path
    of_it = path.parent.parent / DEBIANS
    return (of_it if of_it.is_dir() else of_it.parent) / path.name


def _patched(base: list[str], diff: list[str]) -> Iterator[str]:
    """The lines that a diff makes of those of the base."""
    at = 0
    for line in diff[2:]:
        if hunk := _HUNK.match(line):
            # A hunk that takes nothing away names the line that it comes after.
            start = int(hunk[1]) - (hunk[2] != "0")
            yield from base[at:start]
            at = start
        elif line[0] == "-":
            assert base[at] == line[1:], f"not the base of this diff: {base[at]!r}"
            at += 1
        else:
            yield line[1:]
    yield from base[at:]
