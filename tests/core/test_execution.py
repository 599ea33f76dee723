# SPDX-License-Identifier: Apache-2.0
"""The text of an execution."""

import pytest

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine.machine import Machine
from tensix_gdb.core.schedule import Schedule


@pytest.mark.parametrize(
    "text",
    ["sc", "latency", "random:0", "random:7,strict", "random:7,no-pauses",
     "random:4294967295,strict,no-pauses"],
)  # fmt: skip
def test_a_text_names_an_execution_and_an_execution_has_its_text(text: str) -> None:
    assert str(Execution.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "'' is not a schedule"),
        ("fast", "'fast' is not a schedule"),
        ("random", "'random' is not a schedule"),
        ("sc:3", "'sc:3' is not a schedule"),
        ("random:", "'' in 'random:' is not a seed"),
        ("random:-1", "'-1' in 'random:-1' is not a seed"),
        ("random:4294967296", "is not a seed"),
        ("latency,strict", "latency has no option 'strict'"),
        ("random:1,slow", "random has no option 'slow'"),
    ],
)
def test_what_is_no_execution_gets_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem.replace("(", r"\(")):
        Execution.parse(text)


def test_a_machine_begins_the_execution_that_it_is_given() -> None:
    with_options = Machine(engine="reference", schedule=Execution.parse("random:9,strict"))
    plain = Machine(engine="reference", schedule=Schedule.RANDOM, seed=9)
    assert (with_options.S.schedule.strict, plain.S.schedule.strict) == (1, 0)
    assert (with_options.S.schedule.pauses, plain.S.schedule.pauses) == (1, 1)
    assert with_options.S.schedule.random == plain.S.schedule.random
    assert str(plain.execution) == "random:9"
    plain.reschedule(Execution.parse("random:9,no-pauses"))
    assert plain.S.schedule.pauses == 0
