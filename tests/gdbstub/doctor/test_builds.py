# SPDX-License-Identifier: Apache-2.0
"""Each build of a whole tile is the same in the process that compiles it beside a running tile."""

from __future__ import annotations

import pytest

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.plan import Plan
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.gdbstub.doctor.builds import Build, builds

OF_TILES = [build for build in builds() if build.plan.layout is LAYOUT]


@pytest.mark.parametrize("build", OF_TILES, ids=lambda build: build.name)
def test_it_survives_the_way_to_another_process(build: Build) -> None:
    again = Plan.from_json(build.plan.to_json())
    places = {key: slot.offset for key, slot in build.plan.layout.slots.items()}
    assert {key: slot.offset for key, slot in again.layout.slots.items()} == places
    assert again.key(jit.FULL) == build.plan.key(jit.FULL)
