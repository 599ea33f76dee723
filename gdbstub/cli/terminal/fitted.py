# SPDX-License-Identifier: Apache-2.0
"""Lines broken between words, so that they fit into a width."""

from __future__ import annotations

import re
from collections.abc import Iterator

INDENT = "    "  # of the next lines of a row
# What is typed stays together, so that it can be copied.
_PIECE = re.compile(r"(\s*)((?:`[^`]*`|\S)+)")


def fitted(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text in lines of at most `width` characters, each part indented further
    than its first. No word is broken, and nothing between back quotes."""
    for line in text.split("\n"):
        yield from [line] if len(line) <= width else _broken(line, width)


def _broken(line: str, width: int) -> Iterator[str]:
    indent = line[: len(line) - len(line.lstrip())] + INDENT
    filled = ""
    for space, word in _PIECE.findall(line):
        if filled.strip() and len(filled) + len(space) + len(word) > width:
            yield filled
            filled = indent + word
        else:
            filled += space + word
    yield filled
