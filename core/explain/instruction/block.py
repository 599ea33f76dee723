# SPDX-License-Identifier: Apache-2.0
"""The output of a program on a Markdown page, between two marks that name the program."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.dataclass import dataclass

ROOT = Path(__file__).resolve().parents[3]
MANUAL = ROOT / "gdbstub/manual"


@dataclass(frozen=True, slots=True)
class Generated:
    """One such part: how it is called on its page, and the command that makes it anew."""

    name: str
    maker: str
    page: Path

    @property
    def begin(self) -> str:
        """The mark before it, a line of its own."""
        return f"<!-- begin: {self.name}, made by `{self.maker}` -->\n"

    @property
    def end(self) -> str:
        """The mark after it."""
        return f"<!-- end: {self.name} -->"

    def insert_part(self, text: str, part: str) -> str:
        """`text` with `part` between the marks; ValueError when they are not there."""
        head, _, tail = self._split(text)
        return f"{head}{self.begin}{part}{self.end}{tail}"

    def read(self) -> str:
        """Return the block on the page; ValueError when the page does not have the marks."""
        return self._split(self.page.read_text("utf-8"))[1]

    def write(self, part: str) -> None:
        """Put `part` into the page; ValueError when it does not have the marks."""
        self.page.write_text(self.insert_part(self.page.read_text("utf-8"), part), "utf-8")

    def _split(self, text: str) -> tuple[str, str, str]:
        head, begun, rest = text.partition(self.begin)
        part, ended, tail = rest.partition(self.end)
        if not begun or not ended:
            raise ValueError(f"there is no {self.begin.strip()} with {self.end} after it")
        return head, part, tail
