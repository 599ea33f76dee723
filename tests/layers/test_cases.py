# SPDX-License-Identifier: Apache-2.0
"""Numbers in `case` have names."""

from __future__ import annotations

import pytest

from tests.layers.cases import check
from tests.layers.style import ROOT


def test_no_case_of_the_machine_is_a_bare_number() -> None:
    files = sorted((ROOT / "core").rglob("*.py"))
    found = [
        line for path in files for line in check(str(path.relative_to(ROOT)), path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("subject", "case", "finds"),
    [
        ("mode", "5", 1),
        ("S.pack.early", "8 | 9", 2),
        ("mode & 3", "1 | Format.FP32", 1),
        ("mode", "Format.FP32 | formats.COPY", 0),
        ("size", "4", 0),
        ("S.thcon.size[i]", "16", 0),
        ("BYTES_IN[code & 3]", "4", 0),
        ("mode", "_", 0),
    ],
)
def test_what_is_found(subject: str, case: str, finds: int) -> None:
    text = f"match {subject}:\n    case {case}:\n        pass\n"
    assert len(check("x.py", text)) == finds
