# SPDX-License-Identifier: Apache-2.0
"""English as engineers write it: no file gets more of the words that it is to lose."""

from __future__ import annotations

import pytest

from tests.layers.prose import OPENING, allowed, count, counts, openings


def test_no_file_has_more_than_it_had() -> None:
    limits = allowed()
    more = {
        name: f"{number} instead of {limits.get(name, 0)}"
        for name, number in counts().items()
        if number > limits.get(name, 0)
    }
    assert more == {}, "name the subject, and say after and before of time (core/README.md)"


def test_no_limit_is_higher_than_the_count() -> None:
    """A file that has got better stays so."""
    now = counts()
    slack = {name: limit for name, limit in allowed().items() if now.get(name, 0) < limit}
    assert slack == {}, "run `python -m tests.layers.prose`"


# fmt: off
COUNTED = {
    '"""Whoever waits is told."""':                     1,
    'def f():\n    """Has anybody come?"""':            2,
    "x = 1  # behind the queue, in front of nobody":    3,
    "x = 1  # the hart goes on, and others went on":    2,
    'TEXT = "somebody behind"':                         0,
    '"""Pop the oldest block after the clock ticks."""': 0,
}
# fmt: on


@pytest.mark.parametrize("source", COUNTED)
def test_what_is_counted(source: str) -> None:
    assert count(source) == COUNTED[source]


def test_no_docstring_begins_with_a_question_word() -> None:
    """A function's is in the imperative, a class's or module's a noun phrase (core/README.md)."""
    assert list(openings()) == []


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ('"""What a cycle is."""', True),
        ('    """How many cycles it takes.', True),
        ('    r"""What `\\d` means."""', True),
        ('    """Return what the hart waits for."""', False),
        ('    """Whatever moves."""', False),
        ('TEXT = """What is text, and no docstring."""', False),
    ],
)
def test_which_openings_are_found(line: str, is_found: bool) -> None:
    assert bool(OPENING.search(f"def f():\n{line}\n")) is is_found
