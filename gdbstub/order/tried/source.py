# SPDX-License-Identifier: Apache-2.0
"""Statements of a C or C++ source by their lines, as far as that needs no parser: where a line can
be put in before or after one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tensix_gdb.gdbstub.order.tried.spelling import Known, NoPatch

_COMMENT = re.compile(r"//.*$|/\*.*?\*/")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
_CONTROL = re.compile(r"^\s*(?:else\b|(?:if|for|while)\s*\(.*\)|do)\s*$")
_HEADED = re.compile(r"^\s*(?:\}\s*)?(?:else|if|for|while|do|switch)\b")
_ASSIGNED = re.compile(r"^\s*([^=;]*?[^=!<>;\s])\s*=(?!=)\s*(.*);\s*$", re.S)
_DECLARED = re.compile(r"(\w+)\s*$")
INCLUDES_MOST = 400


class Source:
    """A source file, with lines from 1 on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise NoPatch(f"{path} cannot be read here") from None
        self.lines = self.text.splitlines(keepends=True)
        self._code = _without_comments(self.lines)

    def statement(self, line: int) -> tuple[int, int]:
        """Return the first and the last line of the statement at a line. NoPatch if nothing can
        be put beside it."""
        if not 0 < line <= len(self.lines):
            raise NoPatch(f"{self.path.name} has no line {line}: it is not what was compiled")
        first = line
        while first > 1 and not _ends(self._before(first)):
            first -= 1
        last = line
        while last < len(self.lines) and not self._is_over(first, last):
            last += 1
        before = self._before(first)
        if _CONTROL.match(before) or _HEADED.match(self._code[first - 1]):
            raise NoPatch(
                f"{self.path.name}:{line} is in a branch or a loop without braces: a line beside "
                "it would be outside"
            )
        if self._code[first - 1].lstrip().startswith("#") or self._is_macro(first):
            raise NoPatch(f"{self.path.name}:{line} is in a macro")
        if self._code[last - 1].rstrip().endswith("{"):
            raise NoPatch(f"{self.path.name}:{line} is no statement")
        return first, last

    def _before(self, line: int) -> str:
        """Return the code of the nearest line before that has some."""
        for number in range(line - 1, 0, -1):
            if self._code[number - 1].strip():
                return self._code[number - 1].rstrip()
        return ";"

    def _is_over(self, first: int, last: int) -> bool:
        text = "".join(self._code[first - 1 : last])
        return text.count("(") == text.count(")") and text.rstrip().endswith((";", "}", "{"))

    def _is_macro(self, line: int) -> bool:
        return line > 1 and self.lines[line - 2].rstrip().endswith("\\")

    def written(self, line: int) -> tuple[str, bool]:
        """Return what the assignment at a line gives a value to, and True if that is a place in
        memory, not a variable that is declared there. NoPatch if it is none."""
        first, last = self.statement(line)
        found = _ASSIGNED.match("".join(self._code[first - 1 : last]))
        if found is None:
            raise NoPatch(f"{self.path.name}:{line} is no assignment: its value has no name")
        target = found[1].strip()
        if re.search(r"[+\-*/|&^%]$", target):
            target = target[:-1].rstrip()
        if re.match(r"^[A-Za-z_][\w\s:<>*]*\s+\**\w+$", target):
            return _DECLARED.findall(target)[0], False
        return target, True

    def with_line(self, line: int, text: str, *, before: bool) -> list[str]:
        """Return the lines with one more beside the statement at a line."""
        first, last = self.statement(line)
        indent = re.match(r"\s*", self.lines[first - 1])
        made = [f"{indent[0] if indent else ''}{one}\n" for one in text.splitlines()]
        at = first - 1 if before else last
        return [*self.lines[:at], *made, *self.lines[at:]]


def known_of(path: Path, folders: Iterable[Path]) -> Known:
    """Return the names that a source can use: those of it and of the headers that it includes, as
    far as they are beside it or in `folders`."""
    seen: dict[Path, str] = {}
    left = [path]
    around = list(dict.fromkeys([path.parent, *folders]))
    while left and len(seen) < INCLUDES_MOST:
        one = left.pop()
        if one in seen or not one.is_file():
            continue
        seen[one] = one.read_text(encoding="utf-8", errors="replace")
        for name in _INCLUDE.findall(seen[one]):
            left += [folder / name for folder in (one.parent, *around) if (folder / name).is_file()]
    return Known("\n".join(seen.values()))


def _ends(code: str) -> bool:
    """True if a statement may begin after this line."""
    text = code.rstrip()
    return (
        text.endswith((";", "{", "}", ":"))
        or text.lstrip().startswith("#")
        or bool(_CONTROL.match(text))
    )


def _without_comments(lines: Iterable[str]) -> list[str]:
    """Return the lines without comments, and with empty strings: as many."""
    found, inside = [], False
    for line in lines:
        text = _STRING.sub('""', line)
        if inside:
            _, end, text = text.partition("*/")
            inside = not end
            if inside:
                found.append("\n")
                continue
        text = _COMMENT.sub("", text.rstrip("\n"))
        before, begins, _ = text.partition("/*")
        inside = bool(begins)
        found.append(before + "\n")
    return found
