# SPDX-License-Identifier: Apache-2.0
"""Every file keeps the house rules that ruff does not check (style.py)."""

from __future__ import annotations

import pytest

from tests.layers.style import ROOT, SPDX, check, files

GOOD = f'# {SPDX}\n"""What it is."""\n'


def test_every_file_keeps_the_house_rules() -> None:
    found = [line for p in files() for line in check(str(p.relative_to(ROOT)), p.read_text())]
    assert not found, "\n".join(found)


def test_a_good_file_passes() -> None:
    assert check("core/thing.py", GOOD) == []
    assert check("core/__init__.py", "") == []
    assert check("scripts/thing", f"#!/bin/sh\n# {SPDX}\n") == []


# fmt: off
BAD = {
    "no SPDX line": ("core/thing.py", '"""What it is."""\n',            "SPDX"),
    "no docstring": ("core/thing.py", f"# {SPDX}\nx = 1\n",             "docstring"),
    "an open end":  ("core/thing.py", GOOD + "# TO" "DO: finish\n",     "open end"),
    "odd sign":     ("core/thing.py", GOOD + "# \N{GREEK SMALL LETTER ALPHA}\n", "hard to type"),
    "too long":     ("core/thing.py", GOOD + "x = 1\n" * 500,           "502 lines"),
    "vague":        ("core/utils.py", GOOD,                             "says nothing"),
}
# fmt: on


@pytest.mark.parametrize("case", BAD)
def test_the_check_finds(case: str) -> None:
    name, text, said = BAD[case]
    (sentence,) = check(name, text)
    assert said in sentence
