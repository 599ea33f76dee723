# SPDX-License-Identifier: Apache-2.0
"""Markdown that is not wider than a number of characters, still as Markdown.

Paragraphs and items of lists are filled again. A table that is wider gets rows of several lines.
What is typed or printed (indented or fenced) stays as it is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

_FENCE = "```"
_ITEM = re.compile(r"( *)([-*]|\d+\.) +")
_CELL = re.compile(r"(?<!\\)\|")


def narrowed(markdown: str, width: int) -> str:
    """Return the same Markdown in lines of at most `width` characters, but for code and long
    words."""
    lines = [line for block in _blocks(markdown) for line in _narrow(block, width)]
    return "\n".join(lines) + "\n"


def _blocks(markdown: str) -> Iterator[list[str]]:
    """Yield lines that belong together: a fence, a table, a paragraph, an item, or one other
    line."""
    block: list[str] = []
    fenced = False
    for line in markdown.splitlines():
        if fenced or line.startswith(_FENCE):
            if not fenced:
                yield block
                block = []
            block.append(line)
            fenced = line.strip() != _FENCE or len(block) == 1
            if not fenced:
                yield block
                block = []
        elif _goes_on(block, line):
            block.append(line)
        else:
            yield block
            block = [line]
    yield block


def _goes_on(block: list[str], line: str) -> bool:
    """True if a line belongs to the lines before it."""
    if not block or not block[-1].strip() or not line.strip() or _ITEM.match(line):
        return False
    if line.startswith("#") or block[0].startswith("#") or _is_code(block[0]):
        return False
    return line.startswith("|") == block[0].startswith("|")


def _is_code(line: str) -> bool:
    return line.startswith("    ") and not _ITEM.match(line)


def _narrow(block: list[str], width: int) -> list[str]:
    if all(len(line) <= width for line in block) or block[0].startswith((_FENCE, "#")):
        return block
    if block[0].startswith("|"):
        return _table(block, width)
    if _is_code(block[0]):
        return block
    item = _ITEM.match(block[0])
    indent = len(item[0]) if item else len(block[0]) - len(block[0].lstrip())
    first = item[0] if item else " " * indent
    text = " ".join(line.strip() for line in (block[0][len(first) :], *block[1:]))
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(block: list[str], width: int) -> list[str]:
    """Return a table with filled cells, so that a row takes several lines. No word is broken: names
    are searched for."""
    from rich.box import MARKDOWN
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = [[cell.strip() for cell in _CELL.split(line)[1:-1]] for line in block]
    if len({len(row) for row in rows}) > 1:
        return block
    del rows[1]  # the line below the head
    table = Table(box=MARKDOWN)
    for cells in zip(*rows, strict=True):
        longest = max(len(word) for cell in cells for word in cell.split() or [""])
        table.add_column(Text(cells[0]), min_width=longest)
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    least = console.measure(table).minimum
    with console.capture() as capture:
        console.print(table, width=max(width, least), crop=False, no_wrap=False)
    return [line.rstrip() for line in capture.get().splitlines() if line.strip()]
