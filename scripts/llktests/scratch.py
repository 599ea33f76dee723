# SPDX-License-Identifier: Apache-2.0
"""A scratch copy of the suite with some statements changed. All other files are the same ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.gdbstub.llk.suite import LLK, CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import linked

# Comments and strings, whose brackets are none.
_NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file of the suite's LLK: a regular expression, and what takes its place.
    With `function`, only in its body."""

    file: str
    old: str
    new: str
    function: str = ""


def scratch(suite: Suite, edits: Sequence[Edit], folder: Path) -> Suite:
    """A copy of the suite with these edits."""
    copy = linked(suite, folder / "suite")
    root = copy.root
    for edit in edits:
        path = root / LLK / edit.file
        if not path.is_file():
            raise CannotPrepare(f"{edit.file} is not in this LLK")
        _unlink_folders(path, root)
        text = edited(path.read_text(encoding="utf-8"), edit)
        path.unlink()
        path.write_text(text, encoding="utf-8")
    return copy


def _unlink_folders(path: Path, root: Path) -> None:
    """Copy folders on the way to a file that are links: what they point to is another tree's."""
    for folder in reversed(path.relative_to(root).parents):
        link = root / folder
        if link.is_symlink():
            target = link.resolve()
            link.unlink()
            shutil.copytree(target, link, symlinks=True)


def edited(text: str, edit: Edit) -> str:
    """The text of a file after an edit. CannotPrepare if there is nothing to change."""
    spans = list(_bodies(text, edit.function)) if edit.function else [(0, len(text))]
    where = f"{edit.file}, {edit.function}" if edit.function else edit.file
    if not spans:
        raise CannotPrepare(f"{edit.file}: there is no function {edit.function} in it")
    times = 0
    for start, end in reversed(spans):
        body, count = re.subn(edit.old, edit.new, text[start:end])
        text = text[:start] + body + text[end:]
        times += count
    if not times:
        raise CannotPrepare(f"{where}: {edit.old!r} is not in it")
    return text


def _bodies(text: str, function: str) -> list[tuple[int, int]]:
    """Return where the bodies of a function are, of all its overloads."""
    code = _NO_CODE.sub(lambda found: " " * len(found[0]), text)
    found = []
    for match in re.finditer(rf"\b{re.escape(function)}\s*\(", code):
        at = _after(code, match.end() - 1, "(", ")")
        rest = re.match(r"(\s|const\b|noexcept\b)*\{", code[at:])
        if rest is not None:
            start = at + rest.end() - 1
            found.append((start, _after(code, start, "{", "}")))
    return found


def _after(code: str, start: int, opening: str, closing: str) -> int:
    """After the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] == opening) - (code[at] == closing)
        if depth == 0:
            return at + 1
    return len(code)
