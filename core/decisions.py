# SPDX-License-Identifier: Apache-2.0
"""Decisions of `random` by name: what draws one, its own count, and what was decided.

`T0.store.3=37` is the fourth store that T0 emits, which is 37 cycles late; `pack.120=400` the pause
of 400 cycles before the 121st event of that thread at which a pause may begin. Each hart and unit
has a count of its own, so a decision that is taken away moves none of the others about: B may poll
more often or less, and the stores of T0 keep their names.

    DRAWN    the seed decides
    NOTED    the same, and what it has decided is written into the list, in the order of time
    PLANNED  nothing is drawn: what is in the list happens, all else is as in `latency`

The list is not part of the state: a plan belongs to the execution (machine/executions.py). How far
it has come is.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREADS
from tensix_gdb.core.record.layout import Part, Tag, View, row

DRAWN, NOTED, PLANNED = 0, 1, 2
MOST = 1 << 17  # of a list
AFTER = 0x8000  # of a pause at a gate: it begins after the instruction

# What draws delays and choices. A hart has one row for each kind, so that polling loads move no
# stores about; a unit that serves several threads has one for each.
LOAD, STORE, QUEUE, PORT, L0 = range(0, 5 * HARTS, HARTS)
SCALAR, STAGE, MATRIX, OLD_DST, SFPLOAD = range(5 * HARTS, 5 * HARTS + 5 * THREADS, THREADS)
UNPACKER = 5 * HARTS + 5 * THREADS  # each of two
UNPACKER_WAITS, UNPACKER_SAMPLES = UNPACKER + 2, UNPACKER + 4
PACKER, PACKER_OUT, PACKER_SAMPLES, MOVER, TDMA, CONFIG, ORDER, BANKS, UNDEFINED = range(
    UNPACKER + 6, UNPACKER + 15
)
# What pauses: harts, then Tensix threads.
PAUSES = UNDEFINED + 1
AGENTS = PAUSES + HARTS + THREADS

_GATES = ("unpack", "math", "pack")
NAMES = (
    *(f"{hart}.{what}" for what in ("load", "store", "queue", "port", "l0") for hart in HART_NAMES),
    *(f"{gate}.{what}" for what in ("scalar", "stage", "matrix", "old-dst", "sfpload")
      for gate in _GATES),
    *(f"unpacker{unit}{what}" for what in ("", ".waits", ".samples") for unit in (0, 1)),
    *("packer", "packer.out", "packer.samples", "mover", "tdma", "config", "order", "banks"),
    "undefined",
    *HART_NAMES,
    *_GATES,
)  # fmt: skip

DECISION = Part(
    "decision",
    (
        row("delays", "u8", (), Tag.TIMING, "DRAWN, NOTED or PLANNED (core/decisions.py)"),
        row("pauses", "u8", (), Tag.TIMING, "the same of pauses"),
        row("count", "u32", AGENTS, Tag.TIMING, "unless DRAWN: decisions of each hart and unit"),
        row("at", "u32", AGENTS, Tag.TIMING, "PLANNED: its next one in the list"),
        row("end", "u32", AGENTS, Tag.TIMING, "PLANNED: where its part of the list ends"),
        row("noted", "u32", (), Tag.TIMING, "NOTED: how many, also of those beyond the list"),
        row("agent", "u8", MOST, Tag.DERIVED, "list: what has decided"),
        row("number", "u32", MOST, Tag.DERIVED, "list: its how many-th decision that is"),
        row("value", "u16", MOST, Tag.DERIVED, "list: cycles, or the answer of a choice"),
    ),
)


def planned(S: View, agent: int) -> int:
    """Count a decision, and return what the plan has for it: 0 if nothing."""
    number = S.decision.count[agent]
    S.decision.count[agent] = number + 1
    at = S.decision.at[agent]
    if at >= S.decision.end[agent] or S.decision.number[at] != number:
        return 0
    S.decision.at[agent] = at + 1
    return S.decision.value[at]


def noted(S: View, agent: int, value: int) -> int:
    """Count a decision, and note it if it is not 0, which is what happens as a rule."""
    number = S.decision.count[agent]
    S.decision.count[agent] = number + 1
    if value:
        at = S.decision.noted
        S.decision.noted = at + 1
        if at < MOST:
            S.decision.agent[at] = agent
            S.decision.number[at] = number
            S.decision.value[at] = value
    return value
