# SPDX-License-Identifier: Apache-2.0
"""A kind of failure as a small input, and the first cause that `tensix-gdb diagnose` names.

before    the words that the commands said of such an input when there was no `diagnose`
source    public reports of the kind
cause     the row of causes.py that has to be first
names     a pattern in its first sentence, with PLACE for the guilty line
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scripts.examples.planted.planting import Edit, edited, typed
from tensix_gdb.gdbstub.diagnose.page import WIDTH
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.kernels.project import FILES

DIAGNOSE = f"tensix-gdb diagnose --dir build {' '.join(FILES)}"
ALONE = "tensix-gdb diagnose --dir build --max-cycles 30000"
C, LLK = "add.c", "add.cpp"
FIRST = re.compile(r"^(?:most likely|found) \((.+?)\):", re.MULTILINE)
LONGEST = 180  # characters of a cell


@dataclass(frozen=True, slots=True)
class Kind:
    """One of them: edits of a kernel that `new` writes, or `files` of their own."""

    name: str
    before: str
    source: str
    cause: str
    names: str
    guilty: str = ""
    edits: Sequence[Edit] = ()
    kernel: str = C
    files: Mapping[str, str] = field(default_factory=dict)
    command: str = DIAGNOSE
    arrays: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)

    @property
    def sources(self) -> dict[str, str]:
        """The texts of the programs, by their files."""
        if self.files:
            return dict(self.files)
        text = (FOLDER / "template" / self.kernel).read_text("utf-8")
        return {self.kernel: edited(self.name, text, self.edits)}

    @property
    def place(self) -> str:
        """`add.c:83`; "" where no line is guilty."""
        found = [
            f"{name}:{number}"
            for name, text in self.sources.items()
            for number, line in enumerate(text.splitlines(), 1)
            if self.guilty and self.guilty in line
        ]
        (place,) = found or [""]
        return place

    def page(self, folder: Path) -> str:
        """Build the input in a folder, and type the command; return what it prints."""
        is_llk, project = self.kernel == LLK, folder / "mine"
        typed(f"tensix-gdb new {project}{' --llk' if is_llk else ''}", folder)
        for name, text in self.sources.items():
            (project / name).write_text(text, "utf-8")
        for name, array in self.arrays.items():
            np.save(project / name, array)
        sfpi = "" if is_llk else " --sfpi none"
        typed(f"tensix-gdb build {' '.join(self.sources)}{sfpi}", project)
        return typed(self.command, project)

    def is_named_by(self, page: str) -> bool:
        """True if the first cause of a page is the right one, and names the line."""
        found = FIRST.search(page)
        if found is None or found[1] != self.cause:
            return False
        evidence = page[found.start() :].partition("\nalso possible")[0]
        pattern = self.names.replace("PLACE", re.escape(self.place))
        return re.search(pattern, _joined(evidence)) is not None

    def row(self, page: str) -> str:
        """Return the row of the table, with the first cause of a page."""
        return f"| {self.name} | {self.source} | {self.before} | {first_cause(page)} |"


def first_cause(page: str) -> str:
    """Return the first cause in short, without addresses of code: compilers choose them."""
    found = FIRST.search(page)
    if found is None:
        return "nothing"
    title = re.sub(r"0x[0-9a-f]{8}, | \(through [^)]*\)|: once$", "", _title(page[found.start() :]))
    title = title.removeprefix(f"{found[0]} ")
    if len(title) > LONGEST:
        title = f"{title[:LONGEST].rsplit(' ', 1)[0]} ..."
    return f"{found[1]}: {title}".replace("|", "or")


def _title(text: str) -> str:
    """Return the first line of a text, with what did not fit into it."""
    first, *more = text.splitlines()
    line = first
    for part in more:
        if not part.startswith(" ") or len(line) + 1 + len(part.split()[0]) <= WIDTH:
            break
        line, first = part, f"{first} {part.strip()}"
    return first


def _joined(text: str) -> str:
    return re.sub(r"\n +", " ", text)


def table(rows: Sequence[str]) -> str:
    """Return the table of the chapter."""
    head = ["| kind | reports | before | the page's first cause now |", "|---|---|---|---|"]
    return "".join(f"{line}\n" for line in [*head, *rows])
