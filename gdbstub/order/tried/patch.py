# SPDX-License-Identifier: Apache-2.0
"""A remedy that has ended its report, as a unified diff of the source.

A diff is made of what was tried only: the instruction that was put in, at the line where it was.
What no line can say (a branch without braces, a macro, a value that has no name, a header that is
not included) has no diff, and a sentence why.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.remedies.remedy import Beside, RemedyKind
from tensix_gdb.gdbstub.order.report.located import chain_at, innermost
from tensix_gdb.gdbstub.order.tried.source import Source, known_of
from tensix_gdb.gdbstub.order.tried.spelling import Known, NoPatch, spelled, used
from tensix_gdb.gdbstub.order.tried.trial import Try
from tensix_gdb.gdbstub.order.tried.words import Insertion
from tensix_gdb.gdbstub.tensix.output.source_map import SourceMap

PUSHED = (RemedyKind.STALLWAIT, RemedyKind.NOP)


@dataclass(frozen=True, slots=True)
class Patch:
    """A file of the source with the remedy."""

    path: Path
    before: str
    after: str

    def diff(self, root: Path | None = None) -> str:
        """Return the unified diff, with names below `root`."""
        name = str(self.path)
        if root is not None and self.path.is_relative_to(root):
            name = str(self.path.relative_to(root))
        name = name.lstrip("/")
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
        )
        return "".join(lines)


def patch_of(tried: Try, places: Places) -> Patch:
    """Return the diff of a remedy that was tried. NoPatch with a sentence."""
    if len(tried.put) != 1:
        raise NoPatch("it takes lines at several places, and a semaphore of its own")
    (put,) = tried.put
    image = places.image(put.hart, put.pc)
    if image is None or not image.content:
        raise NoPatch("the program has no debug information")
    chain = chain_at(places, put.hart, put.pc)
    step = innermost(tuple(chain))
    if step is None:
        raise NoPatch(f"no line of the source is known for {put.pc:#x}")
    paths = SourceMap(image)
    source = Source(Path(paths.path(step.file)))
    folders = _folders(image, chain, paths.path)
    known = known_of(source.path, folders)
    for other in chain:
        known = Known(known.text + known_of(Path(paths.path(other.file)), folders).text)
    text = _text(tried, put, source, step, known)
    before = put.beside is Beside.BEFORE
    after = "".join(source.with_line(step.line, text, before=before))
    return Patch(source.path, source.text, after)


def _folders(image: Image, chain: list[Step], path: Callable[[str], str]) -> list[Path]:
    """Return folders in which headers may be: those of the lines on the way, and the program's."""
    found = [Path(path(step.file)).parent for step in chain]
    return [*found, image.path.resolve().parent]


def _text(tried: Try, put: Insertion, source: Source, step: Step, known: Known) -> str:
    remedy = tried.remedy
    if remedy.kind is RemedyKind.READ_BACK:
        if put.beside is Beside.BEFORE:
            raise NoPatch("the loads before it are at lines of their own")
        target, is_place = source.written(step.line)
        return used(target, known, is_stored=is_place and len(put.words) > 1)
    pushed = None
    if remedy.kind in (*PUSHED, RemedyKind.SEMWAIT):
        if len(put.words) != 1:
            raise NoPatch("B pushes it to the thread of another core")
        pushed = (put.words[0] >> 2 | put.words[0] << 30) & MASK32
    return spelled(remedy, known, pushed)
