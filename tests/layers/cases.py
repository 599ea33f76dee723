# SPDX-License-Identifier: Apache-2.0
"""`case` in the machine names what it means: `case Format.BF16`, not `case 5`.

A number stays where it is the meaning itself: the subject is a size in bytes or bits, or the index
of a word. `check` gives one sentence per find.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

# What a subject is called, or the array it is taken from, where numbers are what is meant.
NUMBERS = {"size", "bits", "word", "BYTES_IN"}


def check(name: str, text: str) -> list[str]:
    """Return what is wrong with a file of this name and text."""
    return [
        f"{name}:{line}: `case {number}` of `{subject}`; name it by an enum or a module's constant"
        for line, number, subject in bare_numbers(ast.parse(text))
    ]


def bare_numbers(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    """Line, number and subject of each number that should have a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match) and _called(node.subject) not in NUMBERS:
            for case in node.cases:
                for value in _values(case.pattern):
                    if isinstance(value, ast.Constant) and isinstance(value.value, int):
                        yield value.lineno, value.value, ast.unparse(node.subject)


def _called(subject: ast.expr) -> str:
    while isinstance(subject, ast.Subscript):
        subject = subject.value
    match subject:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _values(pattern: ast.pattern) -> Iterator[ast.expr]:
    match pattern:
        case ast.MatchValue(value=value):
            yield value
        case ast.MatchOr(patterns=patterns):
            for each in patterns:
                yield from _values(each)
