# SPDX-License-Identifier: Apache-2.0
"""Put configuration back that a kernel has left changed (K1), as an uninit would: at the end of the
kernel's function, in the thread that has changed it, when its units are idle.

What is put in is RMWCIB, a byte at a time, or SETC16 for what each thread has of its own. In the
source it is LLK's `cfg_reg_rmw_tensix`, or `configure` of tensix_by_name.h.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import parts_of_word
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.findings import Report, State
from tensix_gdb.core.race.remedies import waits
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.tried.words import CannotTry, Here, Insertion, stallwait_word

# What the units of each thread have under way, with stores of its core.
BUSY = (
    waits.UNPACK0 | waits.UNPACK1 | waits.TRISC_CFG,
    waits.MATH | waits.SFPU | waits.TRISC_CFG,
    waits.PACK | waits.TRISC_CFG,
)
BYTES, INDEXES = 4, 256
REST = "bits"  # of a word that no field has


@dataclass(frozen=True, slots=True)
class Part:
    """A field of the word, and the value that it gets; `name` is empty for bits of none."""

    name: str
    value: int
    mask: int  # in the word

    @property
    def text(self) -> str:
        """`STACC_RELU_ApplyRelu = 0x0`."""
        return f"{self.name or f'{REST} {self.mask:#x}'} = {self.value:#x}"


def parts(report: Report, word: int, arch: Arch) -> list[Part]:
    """Return the fields that have changed, with their values in the word that was before."""
    place, left = report.place, report.place.mask
    found = []
    for each in parts_of_word(arch, place.index, thread=place.state is State.THREAD_CONFIG):
        mask = each.mask & 0xFFFFFFFF
        if each.word == place.index and mask & left:
            found.append(Part(each.name, (word & mask) >> each.low, mask))
            left &= ~mask
    return [*found, Part("", word & left, left)] if left else found


def restoring(remedy: Remedy, report: Report, arch: Arch) -> Remedy:
    """Return the remedy of K1 with the fields and values in words."""
    if remedy.value is None:
        return remedy
    text = "; ".join(part.text for part in parts(report, remedy.value, arch))
    return replace(remedy, words=f"put back {text}", spots=(), arch=arch)


def inserted(here: Here, remedy: Remedy, report: Report) -> Insertion:
    """Return the instructions, before the return of the kernel's function. CannotTry with a
    sentence."""
    thread = here.hart - T0
    if not 0 <= thread < THREADS:
        raise CannotTry("it was changed by a core that has no thread")
    end = here.code.end_of_kernel()
    if end is None:
        raise CannotTry("the function of the kernel has not one return that is known")
    words = instructions(remedy, report, thread)
    return replace(here, pc=end).pushed(Beside.BEFORE, thread, words)


def instructions(remedy: Remedy, report: Report, thread: int) -> list[int]:
    """Return what puts the word back. CannotTry with a sentence."""
    place, value = report.place, remedy.value
    if value is None:
        raise CannotTry("its value from before is not known")
    if place.state is State.THREAD_CONFIG:
        if place.unit != thread:
            raise CannotTry("SETC16 of a thread reaches its own configuration alone")
        return [wait(thread, remedy.arch), opcode("SETC16") << 24 | place.index << 16 | value]
    if place.index >= INDEXES:
        raise CannotTry(f"RMWCIB does not reach word {place.index}")
    return [wait(thread, remedy.arch), *(word for word, _, _ in by_bytes(report, value))]


def by_bytes(report: Report, value: int) -> Iterator[tuple[int, int, int]]:
    """Yield RMWCIB for each byte that has changed, with its mask and data."""
    mask = 0
    for part in parts(report, value, Arch.BLACKHOLE):
        mask |= part.mask
    for number in range(BYTES):
        own, data = mask >> 8 * number & 0xFF, value >> 8 * number & 0xFF
        if own:
            at = opcode(f"RMWCIB{number}") << 24
            yield at | own << 16 | (data & own) << 8 | report.place.index, own, data & own


def wait(thread: int, arch: Arch) -> int:
    """Return the STALLWAIT that comes first."""
    conditions = BUSY[thread]
    if arch is Arch.WORMHOLE:
        conditions = waits.of_wormhole(conditions)
    return stallwait_word(Block.B7, conditions)


def is_restore(remedy: Remedy) -> bool:
    """True if the remedy puts configuration back."""
    return remedy.kind is RemedyKind.RESTORE and remedy.value is not None
