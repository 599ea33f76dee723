# SPDX-License-Identifier: Apache-2.0
"""Remedies of findings of the checks: those that are an instruction or a call at one place; the
others are the words of the check."""

from __future__ import annotations

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.checks.rule import Rule
from tensix_gdb.core.race.findings import Access, Place
from tensix_gdb.core.race.lines import Named
from tensix_gdb.core.race.remedies import waits
from tensix_gdb.core.race.remedies.end import End
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind, in_words

_VALID = (waits.SRCA_VLD, waits.SRCB_VLD)
_ON_ZERO, _ON_MAX = 1, 2


def remedy_of(check: Rule, place: Place, later: Access, arch: Arch) -> Remedy:
    """Return the remedy of a finding."""
    last = End(Named(""), later)
    match check.name:
        case "S1" if later.thread is not None:
            on = _ON_ZERO if later.instruction == "SEMGET" else _ON_MAX
            return waits.semwait(arch, Block.B1, on, place.index, "before it", last.before)
        case "S3" | "S4":
            condition = _VALID[place.unit] | (waits.MATH if check.name == "S3" else 0)
            return waits.stallwait(arch, Block.B6, condition, "before it", last.before)
        case "S5":
            return Remedy(RemedyKind.READ_BACK, "", last.after, words=check.fix)
        case "S10":
            return Remedy(RemedyKind.NOP, "between the two", last.before, "TTI_NOP", arch=arch)
        case "S11":
            return Remedy(RemedyKind.SYNC, "", last.before, "tensix_sync()", words=check.fix)
        case "K1":
            return Remedy(RemedyKind.RESTORE, "", last.after, register=place.words, words=check.fix)
        case "M6" | "M7":
            spots = last.before if check.name == "M6" else last.after
            return Remedy(RemedyKind.BARRIER, "", spots, words=check.fix)
        case "M11":
            return Remedy(
                RemedyKind.FENCE, "", last.before, "invalidate_l1_cache()", words=check.fix
            )
        case _:
            return in_words(check.fix, "")
