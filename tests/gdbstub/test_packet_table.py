# SPDX-License-Identifier: Apache-2.0
"""The table of packets in README.md is the one of the code, and the code's tables fit together."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdbstub.commands import HANDLERS
from gdbstub.commands.connection import FEATURES
from gdbstub.packet_table import table, with_table
from gdbstub.rsp.packet import PATTERNS
from gdbstub.target import Target

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_has_this_table() -> None:
    text = README.read_text("utf-8")
    assert with_table(text) == text, "run `python -m gdbstub.packet_table README.md`"


def test_a_stale_table_is_noticed() -> None:
    text = README.read_text("utf-8")
    row = table().splitlines()[5]
    assert with_table(text.replace(row, "")) != text.replace(row, "")
    with pytest.raises(ValueError, match="there is no"):
        with_table("# a page without the marks\n")


def test_every_packet_has_one_handler_and_every_handler_a_packet() -> None:
    assert set(HANDLERS) == set(PATTERNS)


def test_needs_are_capabilities_and_features_are_packets() -> None:
    fields = set(Target.__dataclass_fields__)
    assert {handler.needs for handler in HANDLERS.values()} - {""} <= fields
    assert {cls for _, cls in FEATURES} <= set(HANDLERS)


def test_every_packet_says_what_it_is_for() -> None:
    assert [cls.__name__ for cls in PATTERNS if not (cls.__doc__ or "").strip()] == []
