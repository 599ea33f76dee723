# SPDX-License-Identifier: Apache-2.0
"""The table of breakpoints outside L1: its room, and the same breakpoint several times."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0, T1
from tensix_gdb.core.debug.armed import FAR_BREAKS
from tensix_gdb.core.debug.breakpoints import Armed, ArmedError
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record


def test_a_full_table_takes_another_one_of_the_same_place_and_no_other() -> None:
    record = Record(LAYOUT)
    armed, places = Armed(record.S), [L1_BYTES + 4 * i for i in range(FAR_BREAKS + 1)]
    for addr in places[:-1]:
        armed.add_break(addr, T0)
    with pytest.raises(ArmedError, match=f"no more than {FAR_BREAKS} breakpoints"):
        armed.add_break(places[-1], T0)
    armed.add_break(places[0], T1)
    armed.add_break(places[0], T1)
    assert record.S.debug.far_breaks == FAR_BREAKS
    assert record.S.debug.far_harts[0] == 1 << T0 | 1 << T1
    armed.remove_breaks([(places[0], T1, ())])
    assert record.S.debug.far_harts[0] == 1 << T0 | 1 << T1, "it was added twice"
    armed.remove_breaks([(places[0], T1, ())])
    armed.remove_breaks([(places[0], T0, ())])
    armed.add_break(places[-1], T0)
    armed.add_break(0, T0)
    assert record.S.debug.far_breaks == FAR_BREAKS, "one in L1 takes no room"
