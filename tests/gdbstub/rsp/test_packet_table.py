# SPDX-License-Identifier: Apache-2.0
"""The table of packets in README.md is the one of the code, and the code's tables fit together."""

from __future__ import annotations

from tensix_gdb.gdbstub.commands import HANDLERS
from tensix_gdb.gdbstub.commands.connection import FEATURES
from tensix_gdb.gdbstub.packet_table import BLOCK, table
from tensix_gdb.gdbstub.rsp.packet import PATTERNS
from tensix_gdb.gdbstub.target import Target


def test_the_readme_has_this_table() -> None:
    assert table() == BLOCK.read(), f"run `{BLOCK.maker}`"


def test_every_packet_has_one_handler_and_every_handler_a_packet() -> None:
    assert set(HANDLERS) == set(PATTERNS)


def test_needs_are_capabilities_and_features_are_packets() -> None:
    fields = set(Target.__dataclass_fields__)
    assert {handler.needs for handler in HANDLERS.values()} - {""} <= fields
    assert {cls for _, cls in FEATURES} <= set(HANDLERS)


def test_every_packet_says_what_it_is_for() -> None:
    assert [cls.__name__ for cls in PATTERNS if not (cls.__doc__ or "").strip()] == []
