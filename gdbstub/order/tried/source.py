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
_OPERATOR = re.compile(r"(?:[+\-*/|&^%]|<<|>>)$")
_DECLARED = re.compile(r"(\w+)\s*$")
_RETURN = re.compile(r"\s*return\b.*;\s*$")
_LEAVES = re.compile(r"\breturn\b")
INCLUDES_MOST = 400
INDENT = "    "


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
        if _HEADED.match(self._code[first - 1]):
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

    def assigned(self, line: int) -> str:
        """Return the value that the assignment at a line gives, as an expression. NoPatch if it is
        none."""
        self.written(line)
        first, last = self.statement(line)
        found = _ASSIGNED.match("".join(self._code[first - 1 : last]))
        assert found is not None  # by `written`
        target, value = found[1].strip(), " ".join(found[2].split())
        operator = _OPERATOR.search(target)
        if operator is None:
            return value
        return f"{target[: operator.start()].rstrip()} {operator[0]} ({value})"

    def beside(self, line: int, *, before: bool) -> tuple[int, str]:
        """Return the number of lines above what goes beside the statement at a line, and its
        indent."""
        first, last = self.statement(line)
        return (first - 1 if before else last), self._indent(first)

    def unbraced(self, line: int) -> tuple[int, int] | None:
        """Return the line of the branch or loop without braces that the statement at a line is all
        of, and the last line of the statement; None if it is in braces."""
        first, last = self.statement(line)
        head = first - 1
        while head > 0 and not self._code[head - 1].strip():
            head -= 1
        if head < 1 or not _CONTROL.match(self._code[head - 1].rstrip()):
            return None
        if self.lines[head - 1] != self._code[head - 1] or self._is_macro(first):
            raise NoPatch(f"{self.path.name}:{line} is in a branch or a loop without braces")
        return head, last

    def begin(self, line: int) -> tuple[int, str]:
        """Return the same of the begin of the function that a line is in, or that it declares."""
        opens = [n for n in range(1, len(self._code) + 1) if self._opens(n)]
        ends = [n for n in range(1, line) if self._code[n - 1].startswith("}")]
        last = max(ends, default=0)
        after = [n for n in opens if n > last]
        if not after:
            raise NoPatch(f"{self.path.name}:{line}: its function is not found")
        at = after[0]
        return at, self._indent(at + 1) or INDENT

    def end(self, line: int) -> tuple[int, str]:
        """Return the same of the end of the function that a line is in: before its return."""
        for number in range(max(line, 1), len(self._code) + 1):
            if self._code[number - 1].startswith("}"):
                break
        else:
            raise NoPatch(f"{self.path.name}:{line}: its function is not found")
        at = number - 1
        while at > 1 and not self._code[at - 1].strip():
            at -= 1
        begin, _ = self.begin(line)
        if any(_LEAVES.search(text) for text in self._code[begin : at - 1]):
            raise NoPatch(f"{self.path.name}:{line}: its function returns at several places")
        if _RETURN.match(self._code[at - 1]):
            before = self._before(at)
            if _CONTROL.match(before):
                raise NoPatch(f"{self.path.name}:{at} is in a branch without braces")
            return at - 1, self._indent(at)
        return at, INDENT

    def _opens(self, line: int) -> bool:
        """True if the body of a function begins after a line."""
        text = self._code[line - 1].rstrip()
        at_margin = bool(text) and not text[0].isspace()
        return at_margin and text.endswith("{") and ("(" in text or text == "{")

    def _indent(self, line: int) -> str:
        if line > len(self.lines):
            return ""
        found = re.match(r"[ \t]*", self.lines[line - 1])
        return found[0] if found else ""

    def with_lines(
        self,
        added: Iterable[tuple[int, str, str]],
        unbraced: Iterable[tuple[int, int]] = (),
        left_out: Iterable[tuple[int, int]] = (),
    ) -> str:
        """Return the text with more: each is the number of lines above it, its indent, its text. A
        first line that is above already is not repeated. What has no braces and gets a line gets
        braces, too. Of statements that are left out the first and the last line are given."""
        lines = list(self.lines)
        for first, last in left_out:
            lines[first - 1 : last] = [""] * (last - first + 1)
        more = list(added)
        for head, last in dict.fromkeys(unbraced):
            lines[head - 1] = f"{lines[head - 1].rstrip()} {{\n"
            more.append((last, self._indent(head), "}"))
        for at, indent, text in reversed(sorted(more, key=lambda one: one[0])):
            new = text.splitlines()
            if len(new) > 1 and at and lines[at - 1].strip() == new[0]:
                del new[0]
            lines[at:at] = [f"{indent}{one}\n" for one in new]
        return "".join(lines)


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
