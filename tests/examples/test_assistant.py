# SPDX-License-Identifier: Apache-2.0
"""The conversation of the manual, held again; and the tools that its table names."""

from __future__ import annotations

import re

from scripts.examples.assistant import BLOCK, conversation
from tensix_gdb.gdbstub.manual import path_of
from tensix_gdb.gdbstub.mcp.server import TOOLS


async def test_the_manual_shows_what_is_said() -> None:
    assert await conversation() == BLOCK.read(), f"run `{BLOCK.maker}`"


def test_the_manual_names_every_tool() -> None:
    page = path_of("assistants").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.M) == list(TOOLS)
