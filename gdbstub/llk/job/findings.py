# SPDX-License-Identifier: Apache-2.0
"""Reports of many tests, each said once: where both sides are, and the tests that have it.

A report is a document of `--races-to FILE.json`, with names of the tree for its files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import PurePath
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import PLUMBING
from tensix_gdb.gdbstub.llk.job.inputs import Tree

Document = dict[str, Any]
NEW, KNOWN, SUPPRESSED = "new", "in the baseline", "suppressed"


def with_names(race: Document, tree: Tree) -> Document:
    """Return a report with the names of the tree's files in its lines; others stay as they are."""

    def side(one: Document) -> Document:
        chain = [{**step, "file": _name(tree, step["file"])} for step in one["chain"]]
        return {**one, "chain": chain}

    return {**race, "earlier": side(race["earlier"]), "later": side(race["later"])}


def _name(tree: Tree, file: str) -> str:
    # The suite compiles in this folder.
    path = PurePath(file) if PurePath(file).is_absolute() else tree.llk / "tests" / file
    return tree.name_of(str(path)) or file


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the tree, and its function."""

    file: str
    line: int
    function: str

    @property
    def is_of_tree(self) -> bool:
        """True if the tree has the file."""
        return not self.file.startswith("/")

    @property
    def last(self) -> str:
        """`llk_pack.h`."""
        return PurePath(self.file).name

    @property
    def short(self) -> str:
        """`llk_pack.h:12 _llk_pack_`."""
        return f"{self.last}:{self.line} {self.function}"


@dataclass
class Finding:
    """A report of some tests on a chip."""

    chip: str
    document: Document
    tests: list[str] = field(default_factory=list)
    seeds: Mapping[str, Any] = field(default_factory=dict)
    state: str = NEW
    reason: str = ""  # of one that is suppressed

    @property
    def rule(self) -> str:
        """The check, or the verdict of a race."""
        return str(self.document["check"] or self.document["verdict"])

    @property
    def identity(self) -> str:
        """The part of it that stays while lines above it move."""
        return str(self.document["identity"])

    @property
    def is_of_order(self) -> bool:
        """True if runs in other orders may say more: of a race, not of what is left changed."""
        return not self.document["check"] or self.rule.startswith("S")

    @property
    def text(self) -> str:
        """All that there is to say."""
        return str(self.document["text"])

    @property
    def title(self) -> str:
        """One line."""
        places = ", then ".join(line.short if line else said for line, said in self._said())
        return f"{self.rule}  {self.document['place']['name']}: {places}"

    @property
    def what(self) -> str:
        """The same without numbers of lines, which move."""
        places = (f"{line.last} {line.function}" if line else said for line, said in self._said())
        return f"{self.rule}  {self.document['place']['name']}: {', then '.join(places)}"

    @property
    def later(self) -> Line | None:
        """The line that it is shown at."""
        return innermost(self.document["later"]["chain"])

    @property
    def earlier(self) -> Line | None:
        """The other side; None if there is one side alone, or its line is not known."""
        if len(self.sides) == 1:
            return None
        return innermost(self.document["earlier"]["chain"])

    @property
    def sides(self) -> list[Document]:
        """Both; the one of a check about one instruction."""
        earlier, later = self.document["earlier"], self.document["later"]
        return [later] if self.document["check"] and earlier == later else [earlier, later]

    def _said(self) -> Iterator[tuple[Line | None, str]]:
        for side in self.sides:
            yield innermost(side["chain"]), f"{side['instruction']} at {side['pc']:#x}"


def innermost(chain: Iterable[Document]) -> Line | None:
    """Return the innermost line of the tree that says what its instruction is for. The compiler's
    own headers are not of the tree."""
    lines = [Line(step["file"], max(int(step["line"]), 1), step["function"]) for step in chain]
    lines = [line for line in lines if line.is_of_tree]
    named = (line for line in lines if line.last not in PLUMBING)
    return next(named, lines[0] if lines else None)


def findings_of(chip: str, results: Iterable[Any]) -> list[Finding]:
    """Return each report of a chip's results once, as of the first test that has it."""
    found: dict[str, Finding] = {}
    for result in results:
        for race in result.races:
            one = found.setdefault(race["identity"], Finding(chip, race))
            if result.test not in one.tests:
                one.tests.append(result.test)
            if result.seeds and not one.seeds and one.is_of_order:
                one.seeds = {"test": result.test, **result.seeds}
    return list(found.values())
