# SPDX-License-Identifier: Apache-2.0
"""Lines of a source, each with the Tensix instructions that come from it, and what these wait for.

data_path.c
  82      TT_PACR(...);
          T2 pack PACR: passes 2 times, waits 1272 cycles until semaphore 0 is posted
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.gdbstub.pages.report.summary import Pushed, Summary
from tensix_gdb.gdbstub.pages.report.words import reason_of
from tensix_gdb.gdbstub.usage import UsageError

TAB, AT = 4, 8  # columns of a tabulator, and of the source's text
_Row = tuple[str, str]  # the thread and the mnemonic
Files = dict[str, dict[int, list[str]]]  # by the name of a file and the line


class _Line:
    """The instructions that come from a line of a source."""

    def __init__(self) -> None:
        self.passed: Counter[_Row] = Counter()
        self.held: dict[_Row, Counter[str]] = defaultdict(Counter)

    def rows(self, *, waited: bool = False) -> Iterator[str]:
        """Yield a sentence for each thread and instruction, or each that has waited, in the order
        of their names."""
        for key in sorted({*self.held} if waited else {*self.passed, *self.held}):
            parts = []
            if times := self.passed[key]:
                parts.append(f"passes {times} times" if times > 1 else "passes once")
            parts += [f"waits {n} cycles {why}" for why, n in self.held[key].most_common()]
            yield f"{' '.join(key)}: {', '.join(parts)}"


def beside(summary: Summary, source: Path) -> str:
    """Return the lines of a source that have pushed anything. UsageError if there is no source, or
    none that this run has used."""
    try:
        text = source.read_text("utf-8", errors="replace").splitlines()
    except OSError as problem:
        raise UsageError(f"{source}: cannot be read: {problem.strerror}") from None
    lines = of_files(summary).get(source.name)
    if not lines:
        raise UsageError(f"no Tensix instruction of this run comes from {source.name}")
    shown = [source.name]
    for number in sorted(lines):
        code = text[number - 1].expandtabs(TAB).strip() if number <= len(text) else ""
        shown.append(f"{number:6}  {code}".rstrip())
        shown += [" " * AT + row for row in lines[number]]
    return "\n".join(shown) + "\n"


def of_files(summary: Summary, *, waited: bool = False) -> Files:
    """Return the rows of each line that has pushed anything, or of what has waited at its gate, by
    the name of its file."""
    lines: dict[tuple[str, int], _Line] = defaultdict(_Line)
    for (thread, what), times in summary.issued.items():
        if place := _place(what):
            lines[place].passed[thread, what.mnemonic] += times
    for held, cycles in summary.held.items():
        if place := _place(held.what):
            row = lines[place].held[held.thread, held.what.mnemonic]
            row[reason_of(held.by, summary)] += cycles
    files: Files = defaultdict(dict)
    for (name, number), line in lines.items():
        if rows := list(line.rows(waited=waited)):
            files[name][number] = rows
    return files


def _place(what: Pushed) -> tuple[str, int] | None:
    """Return the file's name and the line of an instruction; None if it has none."""
    file, _, number = what.place.partition(" ")[0].rpartition(":")
    return (Path(file).name, int(number)) if number.isdecimal() else None
