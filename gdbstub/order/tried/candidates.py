# SPDX-License-Identifier: Apache-2.0
"""The remedies that are tried for a report: its own first, then those of its kind, a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import HARTS, T0, THREADS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.findings import Access, Report, State
from tensix_gdb.core.race.lines import Named
from tensix_gdb.core.race.remedies import waits
from tensix_gdb.core.race.remedies.end import End
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind
from tensix_gdb.gdbstub.order.tried.restore import restoring

MOST = 5
VALID = (waits.SRCA_VLD, waits.SRCB_VLD)
USES = "use the values that loads before it bring (ckernel::load_blocking)"
# All conditions about what the thread itself has under way.
OWN = waits.THCON | waits.UNPACK0 | waits.UNPACK1 | waits.PACK | waits.MATH | waits.XMOV
OWN |= waits.TRISC_CFG | waits.SFPU | waits.CFGEXU


def candidates(
    report: Report,
    arch: Arch,
    semaphore: int | None,
    *,
    reversed_order: bool = False,
    unused: Sequence[Access] = (),
    is_deaf: bool = False,
    is_done: bool = False,
) -> list[Remedy]:
    """Return the remedies to try, the report's own first. `semaphore` is one that no program
    uses. The sides of a report are in the order of the run; `reversed_order` says that the program
    has them the other way round, and then remedies of that order come first. `unused` are
    accesses after a load with a value that is not used, so that their hart knows nothing by it;
    that use comes first. With `is_deaf` the hart of the later one has waited for nothing: then
    a semaphore between the two comes first, because no wait for the access alone is heard of. With
    `is_done` the store is read back already, and what is missing is at the later side: a fence."""
    there = [list(_own(report, arch, semaphore)), list(_others(report, arch, semaphore))]
    if report.earlier.hart == report.later.hart and not report.check:
        turned = replace(report, earlier=report.later, later=report.earlier)
        back = list(_others(turned, arch, semaphore))
        order = [back, *there] if reversed_order else [*there, back]
    else:
        order = there
    uses = [
        Remedy(RemedyKind.READ_BACK, "before it", End(Named(""), each).before, words=USES)
        for each in unused
    ]
    if is_deaf and semaphore is not None and not report.check:
        order = [[signal(report.earlier, report.later, semaphore, arch)], *order]
    if is_done:
        order = [[one for one in there[1] if one.kind is RemedyKind.FENCE], *order]
    order = [uses, list(_of_bank(report, arch)), *order]
    found: dict[tuple[object, ...], Remedy] = {}
    for one in (remedy for part in order for remedy in part):
        key = one.kind, one.spots, one.block, one.conditions, one.macro
        found.setdefault(key, one)
    return list(found.values())[:MOST]


def _of_bank(report: Report, arch: Arch) -> Iterator[Remedy]:
    """Yield the wait for a bank of SrcA or SrcB that another thread hands over: no semaphore goes
    with it."""
    one, other, place = report.earlier, report.later, report.place
    if place.state is not State.SRC_BANK or report.check or place.unit >= len(VALID):
        return
    matrix = other if waits.block_of(other.instruction) is Block.B6 else one
    if one.thread != other.thread and waits.block_of(matrix.instruction) is Block.B6:
        conditions = waits.MATH | VALID[place.unit]
        before = End(Named(""), matrix).before
        yield waits.stallwait(arch, Block.B6, conditions, "before it", before)


def _own(report: Report, arch: Arch, semaphore: int | None) -> Iterator[Remedy]:
    fix, last = report.fix, report.later
    if report.check == "S1" and last.thread is None:
        words = f"a loop that waits until semaphore {report.place.index} is posted"
        yield Remedy(RemedyKind.SEMWAIT, "before it", End(Named(""), last).before,
                     semaphore=report.place.index, words=words)  # fmt: skip
    if fix is None or fix.kind is RemedyKind.WORDS:
        return
    if fix.kind is RemedyKind.SEMWAIT and fix.semaphore is None:
        if semaphore is not None and len(fix.spots) == 2:
            yield replace(fix, semaphore=semaphore)
        return
    yield restoring(fix, report, arch) if fix.kind is RemedyKind.RESTORE else fix


def _others(report: Report, arch: Arch, semaphore: int | None) -> Iterator[Remedy]:
    one, other = report.earlier, report.later
    if report.check:
        return  # it is not about an order alone: another order of events may hide it
    is_core = one.thread is None and not one.outside and not one.is_request
    if is_core and (other.outside or other.is_request):
        yield Remedy(RemedyKind.READ_BACK, "after the earlier one", End(Named(""), one).after,
                     words="read the word back and use the value")  # fmt: skip
    for each in (one, other):
        if each.is_request:
            yield Remedy(RemedyKind.BARRIER, "after the request", End(Named(""), each).after,
                         words="a barrier of its NIU")  # fmt: skip
    if one.outside or other.outside or one.is_request:
        return
    before, after = End(Named(""), other).before, End(Named(""), one).after
    is_own = one.hart == other.hart
    if one.thread is None and is_own:
        if other.thread is not None:
            block = waits.block_of(other.instruction)
            yield waits.stallwait(arch, block, waits.TRISC_CFG, "before the later one", before)
        yield Remedy(RemedyKind.READ_BACK, "after the earlier one", after,
                     words="use the value that a load of the same word brings")  # fmt: skip
    if one.thread is not None and other.thread == one.thread:
        yield waits.stallwait(arch, Block.ALL, OWN, "before the later one", before)
    if one.thread is not None and other.thread is None and other.hart == one.thread + T0:
        yield Remedy(RemedyKind.SYNC, "before the later one", before, "tensix_sync()")
    if one.thread is not None and other.thread != one.thread and _own_hart(one):
        yield waits.stallwait(arch, Block.B1, OWN, "after the earlier one", after)
    is_between_harts = one.thread is None and other.thread is None and not is_own
    if is_between_harts and arch is Arch.BLACKHOLE:  # on Wormhole a fence is a nop
        yield Remedy(RemedyKind.FENCE, "before the later one", before, words="fence")
    if one.thread is None and not is_own:
        yield Remedy(RemedyKind.READ_BACK, "after the earlier one", after,
                     words="read the word back and use the value")  # fmt: skip
    if _agent(one) != _agent(other) and semaphore is not None:
        yield signal(one, other, semaphore, arch)
        yield signal(other, one, semaphore, arch)


def signal(one: Access, other: Access, semaphore: int, arch: Arch) -> Remedy:
    """Return a semaphore from one access to another one: its post, and the wait for it."""
    conditions = waits.of_wormhole(OWN) if arch is Arch.WORMHOLE else OWN
    return Remedy(
        RemedyKind.SEMWAIT, "from one to the other",
        (*End(Named(""), one).after, *End(Named(""), other).before), "TTI_SEMPOST",
        int(waits.block_of(other.instruction)) if other.thread is not None else 0,
        conditions if one.thread is not None else 0, semaphore, arch=arch,
        words="a semaphore, posted and waited for",
    )  # fmt: skip


def _own_hart(access: Access) -> bool:
    """True if the T core of a thread has pushed an instruction of it."""
    return access.thread is not None and access.hart == access.thread + T0


def _agent(access: Access) -> int:
    return access.hart if access.thread is None else HARTS + access.thread


def free_semaphore(values: list[int], limits: list[int], named: set[int]) -> int | None:
    """Return a semaphore that nothing has initialised, and that no program names; None if there
    is none."""
    for number in reversed(range(len(values))):
        if not values[number] and not limits[number] and number not in named:
            return number
    return None


assert THREADS == 3
