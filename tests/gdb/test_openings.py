# SPDX-License-Identifier: Apache-2.0
"""The debuggers behind the front ends do what those tell them, without a complaint."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gdb.openings import FRONT_ENDS, GDB, LLDB, errors, open_session

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_a_front_end_opens_a_session(name: str, tool: Callable[[str], str]) -> None:
    opening = open_session(name, tool(LLDB if name == "lldb" else GDB))
    text = "\n".join(opening.said)
    # Debian's GDB fetches the programs of the other harts from the server, which is slow elsewhere.
    complaints = [line for line in errors(opening.said) if "File transfers" not in line]
    assert complaints == [], text
    if name == "lldb":
        assert opening.said[0] == "exit status 0"
        assert "stop reason = breakpoint 1.1" in text, text
        assert "stop reason = step over" in text, text
    else:
        assert "notify stopped: {'reason': 'breakpoint-hit'" in text, text
        assert "notify stopped: {'reason': 'end-stepping-range'" in text, text
