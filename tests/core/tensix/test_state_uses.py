# SPDX-License-Identifier: Apache-2.0
"""Rows say all that an instruction writes (core/tensix/state_use.py, gpr_use.py, config_use.py).

Each instruction of both chips runs alone, with random fields on random states. Whatever has changed
in the record then must be among what its row says is written: the kind of state, and which LRegs,
semaphores and mutexes of it. Every kind that a row has must be seen to change in some run, or have
its reason here (NOT_SEEN, NEVER_DONE). How far an instruction has come is no state of this sort:
UNDER_WAY has the rows of the record.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import SIZES, Tag
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.gpr_use import WRITES, GprAccess
from tensix_gdb.core.tensix.instruction import Instruction, Status, Unit
from tensix_gdb.core.tensix.state_use import ROWS_OF, State
from tensix_gdb.core.tensix.table import rows_of
from tests.assembler import EBREAK, image
from tests.core.tensix.drive import WORST
from tests.core.tensix.programs import push_all
from tests.core.tensix.random_states import NOP, THREAD, arrange, drawn
from tests.machines import machine_on

DRAWS = 6  # of words that run to their end; more until every kind was seen
MOST_DRAWS = 80
GPR, CONFIG = "GPRs", "configuration"  # kinds that have vocabularies of their own

# What an instruction leaves in these is how far it, or another, has come.
UNDER_WAY = {
    **dict.fromkeys(
        ("pipeline", "stream", "hart", "ttinsn", "push"), "the hart that has pushed it"
    ),
    **dict.fromkeys(("fifo", "tracker", "mop", "replay", "tensix"), "its way to the gate"),
    **dict.fromkeys(("thcon", "config_pipe", "fpu_pipe", "fpu_stale", "mover"), "stages of a unit"),
    **dict.fromkeys(("vector_late", "vector_pipe", "macro"), "stages of the Vector Unit"),
    "risc_debug": "the hart, which ends with EBREAK",
}
_C = "TensixCoprocessor/"
_NO_STREAM = "streams of the overlay refuse it: STREAM_MSG_DATA_CLEAR does nothing here yet"
# Instructions that never run to their end on these states: page, reason.
NEVER_DONE: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        (
            *("UNPACR_NOP.Pop", "UNPACR_NOP.PopStream", "UNPACR_NOP.OverlayClear0"),
            "UNPACR_NOP.OverlayClear3",
        ),
        (_C + "UNPACR_NOP_OverlayClear.md", _NO_STREAM),
    ),
}
ON_BLACKHOLE_ALONE = {
    "REG2FLOP.Configuration": (
        _C + "BackendConfiguration.md",
        "it stops: no page of the chip has it",
    )
}
# Kinds that a row has and no state here makes it write: page, reason.
NOT_SEEN: dict[tuple[str, State], tuple[str, str]] = {
    **dict.fromkeys(
        [
            ("UNPACR_NOP.SETREG", State.DEVICE),
            ("UNPACR_NOP.SETREG", State.STREAM),
        ],
        (_C + "UNPACR_NOP_SETREG.md", "no page has the base of the address, so that it stops"),
    ),
    **dict.fromkeys(
        [("PACR_SETREG", State.STREAM), ("PACR_SETREG.Write", State.STREAM)],
        (_C + "PACR_SETREG.md", "the address is the draw's, and few are of the overlay"),
    ),
    ("UNPACR_NOP.PopStreamMany", State.STREAM): (
        _C + "UNPACR_NOP_SETREG.md",
        "the address is the draw's, and few are of the overlay",
    ),
}
ROWS_UNDER_WAY = (
    *("busy.unpacker", "busy.packer", "busy.matrix", "busy.vector", "busy.mover", "busy.lag"),
    *("busy.flips", "busy.landing"),
)
STATE_OF: dict[str, State | str] = {
    **{row: state for state, rows in ROWS_OF.items() for row in rows},
    "gpr.word": GPR,
    "config.word": CONFIG,
    "config.thread": CONFIG,
}
# Rows whose elements a use may name, and how many elements of the row are one of these.
NAMED = {"semaphore.value": 1, "semaphore.max": 1, "mutex.holder": 1, "vector.lreg": 32}

SLOTS = [
    slot
    for slot in LAYOUT.slots.values()
    if slot.field.tag is Tag.ARCHITECTURAL and not slot.field.alias
]


def kind_of(path: str, arch: Arch) -> State | str | None:
    """The kind of state of a row; None if it is under way. The local RAM of harts is a device; on
    Wormhole, where nothing here stores to it, packers 1 to 3 are in rows of its array
    (packer/four/images.py)."""
    part = path.partition(".")[0]
    if path in STATE_OF:
        return STATE_OF[path]
    if path in ROWS_UNDER_WAY or part in UNDER_WAY or part == "unpack":
        return None
    if part == "pack" or (path == "local.word" and arch is Arch.WORMHOLE):
        return State.PACKER
    return State.DEVICE


WATCHED = [slot for slot in SLOTS if kind_of(slot.path, Arch.BLACKHOLE) is not None]


def changes(machine: Machine, row: Instruction, word: int) -> dict[str, set[int]] | None:
    """The elements of rows that have changed when the instruction is done; None if it stops, or
    waits for something."""
    machine.images.clear()
    machine.load(T0 + THREAD, image([*push_all([word, NOP]), EBREAK], 0x2000))
    rows = {slot.path: machine.record.row(slot) for slot in WATCHED}
    before = {path: bytes(row) for path, row in rows.items()}
    while True:
        stop = machine.run(WORST)
        if stop and stop.kind is StopKind.STANDSTILL and row.unit is Unit.SYNC:
            break  # the wait that it has latched never ends
        if stop is None or stop.kind not in (StopKind.EBREAK, StopKind.ALL_PAUSED):
            return None
        if stop.kind is StopKind.ALL_PAUSED:
            break
    if machine.S.tensix.active and row.unit is not Unit.SYNC:
        return None
    return {
        slot.path: unlike(before[slot.path], bytes(rows[slot.path]), SIZES[slot.field.kind])
        if slot.path in NAMED
        else set()
        for slot in WATCHED
        if before[slot.path] != rows[slot.path]
    }


def unlike(left: bytes, right: bytes, size: int) -> set[int]:
    """The elements that differ."""
    return {i // size for i, (a, b) in enumerate(zip(left, right, strict=True)) if a != b}


def declared(row: Instruction, fields: dict[str, int]) -> dict[State | str, set[int] | None]:
    """The kinds of state that the row says are written, and the elements where the fields do."""
    found: dict[State | str, set[int] | None] = {}
    for use in row.writes:
        if not use.holds(fields):
            continue
        elements = use.elements(fields)
        old = found.get(use.state, set())
        found[use.state] = None if elements is None or old is None else old | elements
    accesses = {use.access for _, use in row.gprs}
    if accesses & set(WRITES) or (
        GprAccess.COUNT_ON in accesses and fields.get("offset_increment")
    ):
        found[GPR] = None
    if row.config is not None and row.config.writes:
        found[CONFIG] = None
    if State.CONFIG in found:
        found[CONFIG] = None
    return found


def runs(
    row: Instruction, arch: Arch, missing: set[State | str]
) -> Iterator[tuple[dict[str, int], dict[str, set[int]]]]:
    """The fields of words that ran to their end, and what each has changed: DRAWS of them, and more
    while a kind is missing."""
    draw = random.Random(f"{row.name} {arch}")
    machine = fresh(arch)
    done = 0
    for tried in range(MOST_DRAWS):
        word = drawn(row, draw, arch)
        if word is None:
            continue
        arrange(machine, row, draw, arch)
        found = changes(machine, row, word)
        if found is not None:
            yield row.encoding.decode(word), found
            done += 1
        if (done >= DRAWS and not missing) or (tried > MOST_DRAWS // 2 and not done):
            return


@cache
def fresh(arch: Arch) -> Machine:
    return machine_on("compiled", arch=arch)


CASES = [
    (arch, row)
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE)
    for row in rows_of(arch)
    if row.status is Status.IMPLEMENTED
]


def all_kinds(row: Instruction) -> set[State | str]:
    """The kinds that the row says are written, with some fields."""
    found: set[State | str] = {use.state for use in row.writes}
    if State.CONFIG in found:
        found = found - {State.CONFIG} | {CONFIG}
    accesses = {use.access for _, use in row.gprs}
    if accesses & {*WRITES, GprAccess.COUNT_ON}:
        found.add(GPR)
    if row.config is not None and row.config.writes:
        found.add(CONFIG)
    return found


@pytest.mark.sample(4, "each instruction of both chips, some ten times")
@pytest.mark.parametrize(("arch", "row"), CASES, ids=lambda x: getattr(x, "name", str(x)))
def test_what_changes_is_what_the_row_says(arch: Arch, row: Instruction) -> None:
    missing = {kind for kind in all_kinds(row) if (row.name, kind) not in NOT_SEEN}
    ran = 0
    for fields, found in runs(row, arch, missing):
        ran += 1
        says = declared(row, fields)
        for path, elements in found.items():
            kind = kind_of(path, arch)
            assert kind in says, f"{path} changes, which the row does not say: {fields}"
            missing.discard(kind)
            wanted = says[kind]
            if path in NAMED and wanted is not None:
                assert {i // NAMED[path] for i in elements} <= wanted, (path, fields)
    stops = row.name in NEVER_DONE or (arch is Arch.BLACKHOLE and row.name in ON_BLACKHOLE_ALONE)
    assert bool(ran) != stops
    assert stops or not missing
