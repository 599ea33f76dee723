# SPDX-License-Identifier: Apache-2.0
"""The difference that a state makes to a kernel, as values: verdicts of runs, and hits."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.pollution.kernel import Ended, moved
from tensix_gdb.gdbstub.pollution.state import Element, Image
from tensix_gdb.gdbstub.pollution.where import INIT, UNINIT, Where, section_of


class Verdict(enum.IntEnum):
    """The difference that a state makes to a kernel."""

    NOTHING = 0
    STATE = 1  # a read that matters: something else in the coprocessor ends otherwise
    RESULT = 2  # another result, or no end


class Way(enum.Enum):
    """The way in which two kernels follow each other."""

    AFTER = "one kernel after another"
    WITHIN = "one operation after another in one kernel"


@dataclass(frozen=True, slots=True)
class Effect:
    """The verdict of a run, and how it has ended."""

    verdict: Verdict
    why: str = ""  # it has not ended
    bytes_wrong: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """An element that one kernel leaves changed, and that makes a difference to another one.
    Without an element it takes several together, those of `kinds`."""

    way: Way
    first: str
    second: str
    element: Element | None
    was: int  # where the second one begins, or as it has configured it
    left: int
    effect: Effect
    writer: Where | None
    reader: Where | None
    init: str  # the INIT of the second operation, which does not write it; "": there is none
    uninit: str = ""  # the UNINIT of the first operation, which does not restore it
    kinds: tuple[str, ...] = ()


def compare(fresh: Ended, ended: Ended, start: Image, planted: Image) -> Effect:
    """Return what another state has changed."""
    if ended.why and ended.why != fresh.why:
        return Effect(Verdict.RESULT, ended.why)
    if ended.result != fresh.result:
        wrong = sum(one != other for one, other in zip(fresh.result, ended.result, strict=True))
        return Effect(Verdict.RESULT, "", wrong)
    if moved(fresh, ended, start, planted).any():
        return Effect(Verdict.STATE)
    return Effect(Verdict.NOTHING)


def init_of(reader: Where | None, functions: Iterable[str]) -> str:
    """Return the INIT that belongs to the function of a reader: `_llk_unpack_AB_init_` of
    `_llk_unpack_AB_`."""
    return _sibling(reader, INIT, functions)


def uninit_of(writer: Where | None, functions: Iterable[str]) -> str:
    """Return the UNINIT that belongs to the function of a writer."""
    return _sibling(writer, UNINIT, functions)


def _sibling(one: Where | None, section: str, functions: Iterable[str]) -> str:
    if one is None:
        return ""
    wanted = _stem(one.function)
    found = [name for name in functions if section_of(name) == section and _stem(name) == wanted]
    return min(found, default="")


def _stem(function: str) -> str:
    """`_llk_unpack_AB_` of all functions of the operation."""
    words = function.strip("_").split("_")
    return "_".join(word for word in words if word not in ("init", "uninit", "wrapper"))
