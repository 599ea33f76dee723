# SPDX-License-Identifier: Apache-2.0
"""What a script has made and stands in README.md, between two marks."""

from __future__ import annotations

from tests.programs.build import ROOT

README = ROOT / "README.md"


def block(begin: str, end: str) -> str:
    """What stands between the marks."""
    return README.read_text("utf-8").partition(begin)[2].partition(end)[0]


def write_block(begin: str, end: str, text: str) -> None:
    """Put `text` there. ValueError when README.md does not have the marks."""
    head, begun, rest = README.read_text("utf-8").partition(begin)
    _, ended, tail = rest.partition(end)
    if not begun or not ended:
        raise ValueError(f"there is no {begin.strip()} with {end} behind it")
    README.write_text(f"{head}{begin}{text}{end}{tail}", "utf-8")
