# SPDX-License-Identifier: Apache-2.0
"""The reports of the checks: the side of them that is no machine."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREADS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.race import fields, places
from tensix_gdb.core.race.checks import gate, waits
from tensix_gdb.core.race.checks.rule import Rule
from tensix_gdb.core.race.checks.table import CHECKS, Check, Number
from tensix_gdb.core.race.fields import pc_of
from tensix_gdb.core.race.findings import Access, FailedWait, Kind, Place, Report, State, Verdict
from tensix_gdb.core.race.kept import Family, places_of
from tensix_gdb.core.race.registers.own_words import arch
from tensix_gdb.core.race.remedies.checks import remedy_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY

VALID = 7  # the condition SRCA_VLD of a STALLWAIT; that of SrcB is the next one
VIA = ((VIA_MOP, "MOP"), (VIA_REPLAY, "REPLAY"))
_RANGE = {
    gate.AT_ZERO: "It is taken at value 0, and stays 0.",
    gate.AT_LARGEST: "It is posted at value 15, and stays 15.",
    gate.AT_MAX: "It is posted at its Max.",
    gate.UNORDERED: "Nothing that the get has waited for says that the post is done.",
}
_BANK = {
    gate.NOT_OWNED: "In this run the bank belongs to the unpackers.",
    gate.FLIP_UNDER_WAY: "Nothing has waited for the instruction that has left the bank before.",
}
_HANDED = "The bank has come in this run, and the thread has not heard that it would."


def reports(S: View) -> list[Report]:
    """Return all findings; their numbers are 0."""
    found = [_found(S, i) for i in places_of(S, Family.SYNC)]
    found += [*_held_nothing(S), *_redundant(S)]
    return sorted(found, key=lambda one: (one.later.first, one.later.pc, one.title))


def _found(S: View, i: int) -> Report:
    key = int(S.found.key[i])
    check = CHECKS[((key >> 44) & 15) - 1]
    detail, other, site = (key >> 28) & 0xFFFF, (key >> 14) & 0x3FFF, key & 0x3FFF
    first, last = int(S.found.when[i, 0]), int(S.found.when[i, 1])
    later = access_of(S, site, first, last)
    earlier = access_of(S, other, first, last) if other else later
    place, more = _place(S, check, detail, int(S.found.more[i]), site)
    failed = None
    if check.number is Number.S3 and detail >> 1 == gate.FLIP_UNDER_WAY:
        failed = _early_wait(S, int(S.found.more[i]), detail & 1)
    times = int(S.found.times[i])
    return finding(check, place, earlier, later, times, more, arch(S), failed)


def _early_wait(S: View, site: int, source: int) -> FailedWait | None:
    """Return the wait of this site if it is one for the bank: it was over too early."""
    if not int(S.check.wait_for[site]) >> VALID + source & 1:
        return None
    key = int(S.race.site[site])
    return FailedWait(key & 7, pc_of(key), "STALLWAIT", "has tested the bank from before the flip")


def _place(S: View, check: Check, detail: int, more: int, site: int) -> tuple[Place, str]:
    """Return the place that a finding is about, and a sentence on it."""
    match check.number:
        case Number.S1:
            index = detail & 7
            return Place(State.SEMAPHORE, 0, index, 1, f"sem {index}"), _RANGE[detail >> 3]
        case Number.S3:
            return places.matrix_bank(detail & 1, 0), _BANK[detail >> 1]
        case Number.S4:
            return places.matrix_bank(detail & 1, 0), _HANDED if detail >> 1 else ""
        case Number.S7 | Number.S8 | Number.S10:
            mask = more or 0xFFFFFFFF
            return places.place(fields.CONFIG_CELLS + detail, mask, arch(S)), ""
        case Number.S9:
            if detail & 1 == gate.NOT_HELD:
                index = detail >> 1
                return _sync(site, f"mutex {index}"), "Here the thread does not hold it."
            return _sync(site, "a mutex"), "Here the SEMWAIT does not hold the ATGETM back."
        case Number.S2:
            return _sync(site, "a wait"), f"The block mask is {detail:#x}."
        case _:
            return _sync(site, "the wait" if check.number is Number.S11 else "the load"), ""


def _sync(site: int, name: str) -> Place:
    return Place(State.SYNC, 0, site, 0, name)


def _held_nothing(S: View) -> list[Report]:
    """S2: waits that are the last of their thread, and have held nothing yet."""
    check = CHECKS[Number.S2 - 1]
    result = []
    for thread in range(THREADS):
        if S.check.on & check.bit and S.race.waiting[thread] and S.check.between[thread]:
            site, cycle = int(S.check.wait_site[thread]), int(S.tile.cycle)
            at = access_of(S, site, cycle, cycle)
            place, more = _place(S, check, int(S.race.block[thread]), 0, site)
            result.append(finding(check, place, at, at, 1, more))
    return result


def _redundant(S: View) -> list[Report]:
    """S12: waits that were over, and that no access has needed."""
    check = CHECKS[Number.S12 - 1]
    if not S.check.on & check.bit:
        return []
    result = []
    for site in range(fields.SITES):
        times = int(S.check.wait_times[site])
        conditions = int(S.check.wait_for[site])
        if not times or S.check.wait_needed[site] or conditions & ~waits.JUDGED:
            continue
        cost = int(S.check.wait_cost[site])
        cycle = int(S.tile.cycle)
        at = access_of(S, site, cycle, cycle)
        more = f"It has held its thread for {cost:,} cycles in this run."
        result.append(finding(check, _sync(site, f"{cost:,} cycles"), at, at, times, more))
    return result


def finding(
    check: Rule,
    place: Place,
    earlier: Access,
    later: Access,
    count: int,
    more: str,
    chip: Arch = Arch.BLACKHOLE,
    failed: FailedWait | None = None,
) -> Report:
    """Return a finding as a report, without a number; `more` comes after the reason of the
    check, and `failed` is a wait that was none."""
    return Report(
        number=0,
        verdict=Verdict.SYNC,
        same_value=False,
        place=place,
        earlier=earlier,
        later=later,
        count=count,
        reason=f"{check.reason} {more}".strip(),
        fix=remedy_of(check, place, later, chip),
        page=check.page,
        check=check.name,
        title=check.title,
        failed=failed,
    )


def access_of(S: View, site: int, first: int, last: int) -> Access:
    """Return the instruction of a site."""
    key = int(S.race.site[site])
    hart, thread, pc = key & 7, (key >> 3) & 3, pc_of(key)
    if thread:
        instruction = places.thread_instruction(S, (key >> 8) & 0xFF)
    else:
        instruction = places.hart_instruction(key)
    return Access(
        agent=f"thread {thread - 1}" if thread else HART_NAMES[hart],
        kind=Kind.SYNC,
        hart=hart,
        thread=thread - 1 if thread else None,
        pc=pc,
        instruction=instruction,
        via=" of ".join(text for bit, text in VIA if (key >> 5) & bit),
        first=first,
        last=last,
        configured=int(S.race.configured[site]),
    )
