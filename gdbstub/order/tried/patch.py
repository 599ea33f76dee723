# SPDX-License-Identifier: Apache-2.0
"""A remedy that has ended its report, as a unified diff of the source.

A diff is made of what was tried only: the instructions that were put in, at the lines where they
were. A semaphore of its own is initialised where the function of the kernel that posts it begins.
What no line can say (a branch without braces, a macro, a value that has no name, a header that is
not included) has no diff, and a sentence why.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.remedies.remedy import Beside, RemedyKind
from tensix_gdb.gdbstub.kernels.user_cache import cache
from tensix_gdb.gdbstub.order.report.located import chain_at, innermost
from tensix_gdb.gdbstub.order.tried import said_back, signals, whole_word
from tensix_gdb.gdbstub.order.tried.left import PutBack
from tensix_gdb.gdbstub.order.tried.mutex import Mutex, pushed
from tensix_gdb.gdbstub.order.tried.registers import KERNELS, Code, function_name
from tensix_gdb.gdbstub.order.tried.source import Source, known_of
from tensix_gdb.gdbstub.order.tried.spelling import Known, NoPatch, spelled, spelled_of, used
from tensix_gdb.gdbstub.order.tried.trial import Try
from tensix_gdb.gdbstub.order.tried.whole_word import InPlace
from tensix_gdb.gdbstub.order.tried.words import Insertion, Part
from tensix_gdb.gdbstub.tensix.output.source_map import SourceMap

PUSHED = (RemedyKind.STALLWAIT, RemedyKind.NOP, RemedyKind.SEMWAIT)


class At(enum.Enum):
    """The place of lines: beside the statement at a line, or in the function that has it."""

    BEFORE = "before"
    AFTER = "after"
    INSTEAD = "instead"
    BEGIN = "begin"
    END = "end"


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


@dataclass(frozen=True, slots=True)
class _Place:
    """Code at an address: its source, the lines on the way, the names that it can use."""

    hart: int
    image: Image
    chain: tuple[Step, ...]
    step: Step
    path: Callable[[str], str]
    source: Source
    known: Known


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines that go into a source."""

    source: Source
    line: int
    at: At
    text: str

    def placed(self) -> tuple[int, str, str]:
        """The number of lines above, the indent, the text."""
        match self.at:
            case At.BEGIN:
                return (*self.source.begin(self.line), self.text)
            case At.END:
                return (*self.source.end(self.line), self.text)
        found = self.source.beside(self.line, before=self.at is not At.AFTER)
        return (*found, self.text)

    def left_out(self) -> tuple[int, int] | None:
        """The first and the last line of the statement that is left out."""
        return self.source.statement(self.line) if self.at is At.INSTEAD else None

    def unbraced(self) -> tuple[int, int] | None:
        """The branch or loop that needs braces then."""
        if self.at in (At.BEGIN, At.END):
            return None
        return self.source.unbraced(self.line)


def patches_of(tried: Try, places: Places, report: Report) -> list[Patch]:
    """Return the diffs of a remedy that was tried, one for each file. NoPatch with a sentence."""
    added: dict[Path, list[_Lines]] = {}
    seen = set()
    for one in _lines(tried, places, report):
        # Two cores may have one line, as of a function that both call.
        key = (one.source.path, one.line, one.at, one.text)
        if key not in seen:
            added.setdefault(one.source.path, []).append(one)
        seen.add(key)
    found = []
    for path, lines in added.items():
        source = lines[0].source
        unbraced = [one.unbraced() for one in lines]
        after = source.with_lines(
            [one.placed() for one in lines],
            [each for each in unbraced if each is not None],
            [each for each in (one.left_out() for one in lines) if each is not None],
        )
        found.append(Patch(path, source.text, after))
    return found


def diff_of(patches: Iterable[Patch], root: Path | None = None) -> str:
    """Return all of them as one diff."""
    return "".join(one.diff(root) for one in patches)


def _lines(tried: Try, places: Places, report: Report) -> Iterator[_Lines]:
    remedy = tried.remedy
    for put in tried.put:
        if put.tile:
            raise NoPatch("it goes into the program of another tile")
        if isinstance(remedy, PutBack):
            end = _place(places, put.hart, put.pc)
            lines = (spelled(remedy, end.known, word) for word in remedy.pushed)
            yield _in_kernel(end, places, "\n".join(lines), At.END)
            continue
        if remedy.kind is RemedyKind.RESTORE and not isinstance(remedy, InPlace):
            changed = _place(places, put.hart, report.later.pc)
            text = said_back.text(remedy, report, put.hart - T0, changed.known)
            yield _in_kernel(changed, places, text, At.END)
            continue
        there = _place(places, put.hart, put.pc)
        if isinstance(remedy, InPlace):
            text = _in_place(remedy, put, there, report)
            yield _Lines(there.source, there.step.line, At.INSTEAD, text)
            continue
        if put.part is Part.POST and remedy.semaphore is not None:
            text = signals.init(remedy, put.hart, there.known)
            yield _in_kernel(there, places, text, At.BEGIN)
        text = _text(tried, put, there)
        at = At.BEFORE if put.beside is Beside.BEFORE else At.AFTER
        yield _Lines(there.source, there.step.line, at, text)


def _place(places: Places, hart: int, pc: int) -> _Place:
    image = places.image(hart, pc)
    if image is None or not image.content:
        raise NoPatch("the program has no debug information")
    chain = tuple(chain_at(places, hart, pc))
    step = innermost(chain)
    if step is None:
        raise NoPatch(f"no line of the source is known for {pc:#x}")
    paths = SourceMap(image)
    # A library that is kept in the cache is not the user's to change: the line is that of its call.
    outward = chain[chain.index(step) :]
    own = (one for one in outward if cache() not in Path(paths.path(one.file)).parents)
    step = next(own, step)
    source = Source(Path(paths.path(step.file)))
    # Folders in which headers may be: those of the lines on the way, and the program's.
    folders = [Path(paths.path(each.file)).parent for each in chain]
    folders.append(image.path.resolve().parent)
    texts = [known_of(source.path, folders).text]
    texts += [known_of(Path(paths.path(each.file)), folders).text for each in chain]
    return _Place(hart, image, chain, step, paths.path, source, Known("".join(texts)))


def _in_kernel(there: _Place, places: Places, text: str, at: At) -> _Lines:
    """Return lines at the begin or the end of the function of the kernel."""
    steps = list(there.chain)
    code = Code(there.image)
    symbol, end = code.kernel(), code.end_of_kernel()
    pc = end if at is At.END else symbol.addr if symbol is not None else None
    if pc is not None:
        steps += chain_at(places, there.hart, pc)
    for step in steps:
        if function_name(step.function) in KERNELS[:-1]:
            return _Lines(Source(Path(there.path(step.file))), step.line, at, text)
    for step in steps:
        if function_name(step.function) in KERNELS:
            return _Lines(Source(Path(there.path(step.file))), step.line, at, text)
    raise NoPatch("the function of the kernel is not known")


def _in_place(remedy: InPlace, put: Insertion, there: _Place, report: Report) -> str:
    if report.later.thread is None:
        value = there.source.assigned(there.step.line)
        made = (spelled_of(word, there.known, remedy) for word in whole_word.made(remedy, report))
        return "\n".join(["{", f"    const unsigned whole = {value};", *made, "}"])
    pushed = [(word >> 2 | word << 30) & MASK32 for word in put.words]
    return "\n".join(spelled(remedy, there.known, word) for word in pushed)


def _of_mutex(remedy: Mutex, put: Insertion, known: Known) -> str:
    as_pushed = replace(remedy, kind=RemedyKind.RESTORE)
    found = [spelled(as_pushed, known, word) for word in pushed(remedy, put.beside)]
    if put.part is Part.TAKE:
        found.append(spelled(remedy, known, None))
    return "\n".join(found)


def _text(tried: Try, put: Insertion, there: _Place) -> str:
    remedy, known = tried.remedy, there.known
    if isinstance(remedy, Mutex):
        return _of_mutex(remedy, put, known)
    if remedy.kind is RemedyKind.READ_BACK or put.part is Part.USE:
        if put.beside is Beside.BEFORE:
            raise NoPatch("the loads before it are at lines of their own")
        target, is_place = there.source.written(there.step.line)
        return used(target, known, is_stored=is_place and len(put.words) > 1)
    if put.part is Part.WHOLE and remedy.kind not in PUSHED:
        return spelled(remedy, known, None)
    if remedy.kind is RemedyKind.SEMWAIT and remedy.semaphore is not None:
        spot = remedy.spots[-1 if put.part is Part.WAIT else 0]
        if spot.thread is None:
            return signals.of_core(put, remedy.semaphore, known)
        if spot.thread + T0 != put.hart:
            raise NoPatch("a core pushes it to the thread of another one")
    pushed = [(word >> 2 | word << 30) & MASK32 for word in put.words]
    if put.part is Part.WHOLE and len(pushed) != 1:
        raise NoPatch("B pushes it to the thread of another core")
    return "\n".join(spelled(remedy, known, word) for word in pushed)
