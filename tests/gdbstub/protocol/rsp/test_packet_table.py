# SPDX-License-Identifier: Apache-2.0
"""The table of packets in the manual is the one of the code, and the code's tables fit together."""

from __future__ import annotations

import subprocess
import sys

from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.commands.connection import FEATURES
from tensix_gdb.gdbstub.protocol.packet_table import BLOCK, table
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS
from tensix_gdb.gdbstub.protocol.target import Target
from tests.layers.style import ROOT


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


def test_an_import_compiles_no_pattern() -> None:
    """All of them are 20 ms of a start; a server does it when it listens (server.py)."""
    code = (
        "import tensix_gdb.gdbstub.protocol.rsp.packets\n"
        "from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS, parse\n"
        "print(sum(p._fullmatch is not None for p in PATTERNS.values()), len(PATTERNS))\n"
        "print(parse(b'm10,4'), sum(p._fullmatch is not None for p in PATTERNS.values()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    first, second = done.stdout.splitlines()
    assert first == f"0 {len(PATTERNS)}"
    assert second == "ReadMemory(addr=16, length=4) 1"
