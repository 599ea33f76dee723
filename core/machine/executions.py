# SPDX-License-Identifier: Apache-2.0
"""Put an execution (core/execution.py) into a record: from now on the tile runs in it."""

from __future__ import annotations

import array
from collections.abc import Sequence

from tensix_gdb.core.decisions import AGENTS, DRAWN, MOST, NOTED, PLANNED
from tensix_gdb.core.execution import Decision, Execution
from tensix_gdb.core.ordering.pauses import begin_schedule
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import seed_state

_NONE = array.array("I", bytes(4 * AGENTS))


def begin_execution(S: View, execution: Execution, *, note: bool = False) -> None:
    """Begin it: what it draws from is fresh. `note`: what the seed decides is noted."""
    schedule, decision = S.schedule, S.decision
    schedule.kind = execution.schedule
    schedule.strict = int(execution.strict)
    schedule.pauses = int(execution.pauses)
    drawn = NOTED if note else DRAWN
    decision.delays = drawn if execution.delays is None else PLANNED
    decision.pauses = drawn if execution.kept_pauses is None else PLANNED
    decision.noted = 0
    for row in (decision.count, decision.at, decision.end):
        row.raw[:] = _NONE
    if plan := (*(execution.delays or ()), *(execution.kept_pauses or ())):
        put_plan(S, plan)
    schedule.random = state = seed_state(execution.seed)
    begin_schedule(S, state)


def put_plan(S: View, plan: Sequence[Decision]) -> None:
    """Let this be the list that is followed, each from where its hart or unit is now."""
    decision = S.decision
    numbers, values = array.array("I"), array.array("H")
    at = 0
    in_order = sorted(plan)
    for agent in range(AGENTS):
        decision.at[agent] = at
        while at < len(in_order) and in_order[at].agent == agent:
            numbers.append(in_order[at].number)
            values.append(in_order[at].value)
            if in_order[at].number < decision.count[agent]:
                decision.at[agent] = at + 1
            at += 1
        decision.end[agent] = at
    for i, (number, value) in enumerate(zip(numbers, values, strict=True)):
        decision.number[i], decision.value[i] = number, value


def noted(S: View) -> list[Decision] | None:
    """Return the decisions in the order of time; None if there are more than the list takes."""
    decision = S.decision
    if decision.noted > MOST:
        return None
    return [
        Decision(int(decision.agent[i]), int(decision.number[i]), int(decision.value[i]))
        for i in range(decision.noted)
    ]
