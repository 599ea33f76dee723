# SPDX-License-Identifier: Apache-2.0
"""The words that the project's English does without, counted in comments and docstrings.

core/README.md has the rules: name the subject ("the hart", "the client"), and say *after* and
*before* of time; *behind* is for queues; a run continues. `prose.txt` has today's count of each
file. `python -m tests.layers.prose` writes it; a test refuses a file that has more than it had.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.layers.style import ROOT

COUNTS = Path(__file__).with_name("prose.txt")
NO_SUBJECT = re.compile(
    r"\b(who|whoever|whom|whomever|whose|somebody|nobody|everybody|anybody)\b", re.IGNORECASE
)
BEHIND = re.compile(r"\bbehind\b|\bin front of\b", re.IGNORECASE)
GOES_ON = re.compile(r"\b(go|goes|going|went|gone) on\b", re.IGNORECASE)  # continue, advance
QUESTION = re.compile(r'"""(Does|Do|Is|Are|Has|Have|Can|May|Must|Was|Were|Will|Should)\b')
PLACES = ("core", "gdbstub")
# A docstring names what it documents ("Return the row", "The rows of"), or says "True if".
OPENING = re.compile(r'^ *r?"""(?:What|How)\b.*', re.MULTILINE)
WITH_DOCSTRINGS = ("core", "gdbstub", "scripts", "tests")


def prose(source: str) -> Iterator[str]:
    """The comments and docstrings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and (text := ast.get_docstring(node, clean=False)):
            yield '"""' + text


def count(source: str) -> int:
    """Return how many of the words a module's comments and docstrings have."""
    text = "\n".join(prose(source))
    return sum(len(rule.findall(text)) for rule in (NO_SUBJECT, BEHIND, GOES_ON, QUESTION))


def modules() -> Iterator[tuple[str, str]]:
    """(path below the root, text) of every module that is counted."""
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text("utf-8")


@cache
def counts() -> dict[str, int]:
    """The files that have any, with their counts."""
    found = {name: count(text) for name, text in modules()}
    return {name: number for name, number in found.items() if number}


def openings() -> Iterator[str]:
    """Yield `file: line` of each docstring that begins with What or How."""
    for place in WITH_DOCSTRINGS:
        for path in sorted((ROOT / place).rglob("*.py")):
            for line in OPENING.findall(path.read_text("utf-8")):
                yield f"{path.relative_to(ROOT)}: {line.strip()}"


def allowed() -> dict[str, int]:
    """Return the limits in `prose.txt`, by file."""
    lines = COUNTS.read_text("utf-8").splitlines()
    return {name: int(number) for number, name in (line.split() for line in lines)}


if __name__ == "__main__":
    COUNTS.write_text("".join(f"{number} {name}\n" for name, number in counts().items()), "utf-8")
