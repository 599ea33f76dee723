# SPDX-License-Identifier: Apache-2.0
"""The observers of a cycle of the coprocessor: what looks at it, and at which place.

    place             watchpoints (l1_watch, gate_watch)   races (race.on)            holds
    before_cycle      remember what is watched
    before_command    the writer of L1
    after_command     did TDMA-RISC touch L1
    after_unit        did this unit touch L1
    after_units       stop for a change                    packed, compressed, commands
    at_gate                                                                           pause places
    when_held                                              checks: what holds it
    before_issue                                           checks, the accesses
    after_issue                                            accesses, checks           passed
    after_gate        reads of a unit; stop for a change  (breakpoints of the gate: a step)
    before_pipeline                                        checks, origins of a word
    before_mover      what it reads
    after_mover       did it touch L1
    after_pipeline    stop for a change

`coprocessor.py` calls them under CHECKED only: a build without checks has none of this code
(tests/core/race/test_cost.py). Each looks first whether anything is armed. Places that may stop
return STOPPED.
"""

from tensix_gdb.core.ordering import holds, pause_places
from tensix_gdb.core.race import commands as races_of_commands
from tensix_gdb.core.race import compressed as races_of_compressed
from tensix_gdb.core.race import gate as races
from tensix_gdb.core.race import passed as races_after
from tensix_gdb.core.race import units as races_of_units
from tensix_gdb.core.race.checks import config as checks_of_config
from tensix_gdb.core.race.checks import gate as checks
from tensix_gdb.core.race.checks import waits as checks_of_waits
from tensix_gdb.core.race.checks.table import Number as Check
from tensix_gdb.core.race.registers import macros as races_of_macros
from tensix_gdb.core.race.state import config as writes_of_config
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix.gate import breakpoints as gate_stops
from tensix_gdb.core.tensix.gate import requests as watched
from tensix_gdb.core.tensix.gate import watchpoints as gate_watch
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.vector.macro import STORING


def before_cycle(S: View) -> int:
    """Remember what is watched, and what the Scalar Unit may do next."""
    if S.gate_watch.cells or S.l1_watch.ranges:
        gate_watch.remember(S)
        gate_watch.note_due(S)
    return 0


def before_command(S: View) -> int:
    """Note the hart that a command of TDMA-RISC is of."""
    return watched.begins(S) if S.l1_watch.ranges else 0


def after_command(S: View) -> int:
    """Keep what a command of TDMA-RISC has touched of L1."""
    return watched.by_command(S) if S.l1_watch.ranges else 0


def after_unit(S: View, place: int) -> int:
    """Note that what was touched of L1 is this unit's; `place` as in `gate/watchpoints.py`."""
    return watched.is_made_by(S, place) if S.l1_watch.ranges else 0


def after_units(S: View) -> int:
    """Look at what the units did before the gates; STOPPED if it changed what is watched."""
    if S.race.on:
        races_of_units.packed(S)
        if S.race.compressed:
            races_of_compressed.note_reads(S)
        if S.race.commands != S.race.ended:
            races_of_commands.note_processed(S)
    return gate_watch.by_units(S) if S.gate_watch.cells or S.l1_watch.hit else 0


def before_vector(S: View) -> int:
    """Note the store of an SFPLOADMACRO that is about to be made."""
    if S.race.on and S.macro.kind[STORING, 0]:
        races_of_macros.stores(S)
    return 0


def at_gate(S: View, thread: int) -> int:
    """Count the instruction at the gate as a place where a search may pause."""
    return pause_places.at_gate(S, thread) if S.pause_place.left else 0


def is_paused(S: View, thread: int) -> int:
    """True if a search holds the instruction at the gate."""
    return 1 if S.hold.on and holds.holds_gate(S, thread) else 0


def when_held(S: View, thread: int, held: int) -> int:
    """Check what holds the instruction at the gate."""
    if S.race.on and held == Held.LATCHED_WAIT and (S.check.on >> Check.S12) & 1:
        checks_of_waits.held(S, thread)
    return 0


def before_issue(S: View, thread: int, number: int, word: int) -> int:
    """Check an instruction that is about to pass, and note what it orders and accesses."""
    if S.race.on:
        if S.check.on:
            checks.before(S, thread, number, word)
        races.passing(S, thread, number, word)
    return 0


def after_issue(S: View, thread: int, number: int, word: int, requested: int) -> int:
    """Note what an instruction has accessed; `requested`: requests of the Scalar Unit before it."""
    if S.race.on:
        races_after.passed(S, thread, number, word, requested)
        if S.check.on:
            checks.after(S, thread, number, word)
    if S.hold.on:
        holds.passed(S, thread)
    return 0


def after_gate(S: View, thread: int) -> int:
    """Look at an issued instruction: STOPPED if it changed what is watched, or was stepped."""
    if S.l1_watch.ranges:
        watched.units_read(S, thread)
    if (S.gate_watch.cells or S.l1_watch.hit) and gate_watch.by_gate(S, thread) == STOPPED:
        return STOPPED
    return gate_stops.check_after_issue(S, thread)


def before_pipeline(S: View) -> int:
    """Look at what the configuration pipeline is about to write."""
    if S.race.on:
        if S.check.on:
            checks_of_config.in_pipe(S)
        if S.state.on:
            writes_of_config.in_pipe(S)
    return 0


def before_mover(S: View) -> int:
    """Note what the mover will read of L1."""
    return watched.mover_begins(S) if S.l1_watch.ranges else 0


def after_mover(S: View) -> int:
    """Note that what was touched of L1 is the mover's."""
    return watched.by_mover(S) if S.l1_watch.ranges else 0


def after_pipeline(S: View) -> int:
    """STOPPED if the configuration pipeline or the mover changed what is watched."""
    return gate_watch.by_pipeline(S) if S.gate_watch.cells or S.l1_watch.hit else 0


def holds_unit(S: View, place: int) -> int:
    """True if a search holds this unit (`holds.MOVER`, `holds.PACKER`)."""
    return 1 if S.hold.at == place else 0
