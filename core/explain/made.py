# SPDX-License-Identifier: Apache-2.0
"""The lines that have made an instruction, beside the line that had it issued.

What comes from a MOP has the origin of the MOP, what a REPLAY plays that of the REPLAY, and what
SFPLOADMACRO schedules that of the SFPLOADMACRO. The line that a person looks for is another one:
the one that has configured that word of MopCfg, recorded the instruction, or configured the
macro's template and sequence.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Protocol

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.listing import tensix_word
from tensix_gdb.core.devices.mop_config import WORDS
from tensix_gdb.core.explain.inlining import PLUMBING, Inlining
from tensix_gdb.core.isa.opcodes import MOP, MOP_CFG
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.configured import FIRST_INSTRUCTION, comes_from
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY
from tensix_gdb.core.tensix.vector.configured import configured_by, scheduled_word
from tensix_gdb.core.tensix.vector.macro import UNITS


class Places(Protocol):
    """The places of code, in words (core/explain/stop.py)."""

    inlining: Inlining

    def image(self, hart: int, pc: int) -> Image | None:
        """Return the program that has an address."""

    def recorded(self, hart: int, word: int) -> str:
        """Return the line that has recorded a word for a REPLAY."""


MAX_SHOWN = 3


def made_text(S: View, places: Places, thread: int, hart: int, word: int, via: int) -> str:
    """`; configured at add.cpp:40 (llk_math_binary.h:90); recorded at add.cpp:62`, as far as a MOP
    and a REPLAY are concerned and it is known."""
    parts = []
    if via & VIA_MOP and (lines := configured_text(S, places, thread, int(word), int(via))):
        parts.append(f"; configured at {lines}")
    if via & VIA_REPLAY and (lines := places.recorded(hart, int(word))):
        parts.append(f"; recorded at {lines}")
    return "".join(parts)


def made_since(S: View, places: Places, thread: int, hart: int, pc: int, word: int) -> str:
    """Return the same of an instruction that has left its gate: it comes from a MOP if there is one
    where it was pushed, and it is another instruction."""
    if pushed_at(places, hart, pc) >> 24 != MOP or word >> 24 in (MOP, MOP_CFG):
        return ""
    direct = made_text(S, places, thread, hart, word, VIA_MOP)
    return direct or made_text(S, places, thread, hart, word, VIA_MOP | VIA_REPLAY)


def pushed_at(places: Places, hart: int, pc: int) -> int:
    """Return the Tensix instruction that the code at a place pushes by `.ttinsn`; 0 if it does
    not."""
    image = places.image(hart, pc)
    for segment in image.code if image is not None else ():
        if segment.addr <= pc < segment.end:
            at = pc - segment.addr
            return tensix_word(int.from_bytes(segment.data[at : at + 4], "little")) or 0
    return 0


def configured_text(S: View, places: Places, thread: int, word: int, via: int) -> str:
    """Return the lines that have written the words of MopCfg that an instruction may come from,
    separated by `or`; empty if there are none."""
    found = (
        line_of(places, T0 + thread, int(S.mop_config.pc[thread, index]))
        for index in range(FIRST_INSTRUCTION, WORDS)
        if S.mop_config.pc[thread, index] and comes_from(S, thread, index, word, via)
    )
    shown = list(dict.fromkeys(found))
    more = ["others"] if len(shown) > MAX_SHOWN else []
    return " or ".join([*shown[:MAX_SHOWN], *more])


def line_of(places: Places, hart: int, pc: int) -> str:
    """Return the line of a kernel, and in brackets the last one on the way through headers that
    says what it is for: `add.cpp:40 (llk_math_binary.h:90)`; the address if nothing says it."""
    image = places.image(hart, pc)
    if image is None:
        return f"{pc:#010x}"
    if steps := places.inlining.of_kernel(image, pc):
        said = (step for step in steps[:0:-1] if PurePath(step.file).name not in PLUMBING)
        inner = next(said, None)
        return f"{steps[0].place} ({inner.place})" if inner else steps[0].place
    line = image.symbolize(pc)
    return f"{pc:#010x}" if line is None else line.rpartition("/")[2]


def macro_text(S: View, places: Places, unit: int, place: int) -> str:
    """Return which lines have configured what SFPLOADMACRO has scheduled; empty where nothing
    has."""
    return configured_lines(places, int(S.macro.hart[unit, place]), configured_by(S, unit, place))


def configured_lines(places: Places, hart: int, made: Iterable[tuple[str, int]]) -> str:
    """`template 1 configured at recip.h:40, sequence 0 configured at recip.h:52`."""
    return ", ".join(f"{name} configured at {line_of(places, hart, pc)}" for name, pc in made)


def refused_text(S: View, places: Places, word: int, pc: int) -> str:
    """Return the same of the instruction `word` that has stopped the tile when it was to execute:
    that of the SFPLOADMACRO at `pc`."""
    for unit in range(UNITS):
        if scheduled_word(S, unit, 0) == word and S.macro.pc[unit, 0] == pc:
            return macro_text(S, places, unit, 0)
    return ""
