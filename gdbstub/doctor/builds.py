# SPDX-License-Identifier: Apache-2.0
"""The compiled code that commands wait for where nothing is kept yet. Races and checks are observed
by the code of the tile itself."""

from __future__ import annotations

from tensix_gdb.core.arch.chips import CHIPS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.plan import Plan, plan_for
from tensix_gdb.core.isa.architecture import CHIPS as ARCHITECTURES
from tensix_gdb.core.litmus.cycles import ENTRIES as LITMUS
from tensix_gdb.core.litmus.tile import small_layout
from tensix_gdb.core.machine.entries import ENTRIES, fixed_rows
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.origin.loop import RUN_BY_CYCLE
from tensix_gdb.core.origin.nan import RUN_TO_NAN

TITLES = {arch.chip: arch.title for arch in ARCHITECTURES}


@dataclass(frozen=True, slots=True)
class Build:
    """`plan`, and in a few words what runs its code. What `is_common` is shipped for processors
    without AVX2 too."""

    name: str
    plan: Plan
    is_common: bool = False


def builds() -> list[Build]:
    """Return all of them, the one that most commands run first."""
    found = []
    for chip in range(CHIPS):
        title, fixed = TITLES[chip], fixed_rows(chip)
        origin = plan_for([RUN_BY_CYCLE], LAYOUT, stamped=True, fixed=fixed)
        nan = plan_for([RUN_TO_NAN], LAYOUT, fixed=fixed)
        found += [
            Build(f"a tile of {title}", plan_for(ENTRIES, LAYOUT, fixed=fixed), is_common=True),
            Build(f"origin, {title}", origin),
            Build(f"origin --until-first-nan, {title}", nan),
        ]
    found.append(Build("litmus tests", plan_for(LITMUS, small_layout())))
    return found
