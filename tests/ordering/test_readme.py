# SPDX-License-Identifier: Apache-2.0
"""core/memory/README.md names litmus tests that exist."""

from __future__ import annotations

import re

from tests.ordering.litmus_files import TESTS
from tests.programs.build import ROOT


def test_every_test_that_is_named_exists() -> None:
    names = {test.name for test in TESTS.values()}
    text = (ROOT / "core" / "memory" / "README.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|") and "shown by" not in line]
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row.rsplit("|", 2)[-2])]
    named += [name.replace("\n", " ") for name in re.findall(r"[(]`([^`]+)`", text)]
    assert len(named) > 25
    assert [name for name in named if re.sub(r"\s+", " ", name) not in names] == []
