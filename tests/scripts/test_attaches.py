# SPDX-License-Identifier: Apache-2.0
"""scripts/bench attaches: what is a failure of a GDB, and how often it has asked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.benchmark.attaches import STOPS, asked_again, judged, visit
from tests.gdb.harness import serve
from tests.patience import HANG
from tests.programs.build import PROGRAMS, build

# As GDB 13 writes it, here with a server whose second answer is that of the first packet again.
HELLO = "$qSupported:multiprocess+;no-resumed+#77"
LATE = f"""
w +{HELLO}
r <Timeout: 2 seconds>
w {HELLO}
r +$PacketSize=1000;QStartNoAckMode+#07
w +$vMustReplyEmpty#3a
r +$PacketSize=1000;QStartNoAckMode+#07
w +
End of log
"""
GOOD = f"""
w +{HELLO}
r +$PacketSize=1000;QStartNoAckMode+#07
w +$vMustReplyEmpty#3a
r +$#00
w +$QStartNoAckMode#b0
r +$OK#9a
w +$Hg0#df
r $OK#9a
w $m-1,4#00
r $00#60
w $m-1,4#00
r $00#60
"""


def said(seconds: float = 0.5, reason: str = "Ctrl-C", threads: int = 8) -> str:
    return f"VISIT {json.dumps([seconds, reason, threads])}\n"


@pytest.mark.parametrize(
    ("text", "status", "why"),
    [
        ("warning: no such file\n" + said(), 0, ""),
        ("Remote replied unexpectedly to 'vMustReplyEmpty': OK\n", 1, "Remote replied unexpect"),
        ("Ignoring packet error, continuing...\n" + said(), 0, "Ignoring packet error"),
        ("Remote connection closed\n", 1, "Remote connection closed"),
        ("127.0.0.1:4: Connection timed out.\n", 1, "127.0.0.1:4: Connection timed out."),
        (said(), 1, "exit status 1"),
        ("", 0, "exit status 0: "),
        (said(reason="SIGTRAP"), 0, "it stopped by SIGTRAP and not by Ctrl-C"),
        (said(threads=5), 0, "5 threads and not 8"),
    ],
)
def test_what_is_a_failure(text: str, status: int, why: str) -> None:
    found, _ = judged(text, status, "Ctrl-C")
    assert found.startswith(why)
    assert bool(found) == bool(why)


def test_how_often_it_has_asked_again() -> None:
    """Without acknowledgments the same packet twice is two questions."""
    assert asked_again(LATE) == 1
    assert asked_again(GOOD) == 0
    assert asked_again(GOOD + "w -\nr <Timeout: 2 seconds>\nw -\n") == 2


def test_a_visit(tool: Callable[[str], str], tmp_path: Path) -> None:
    """Of a hart that runs for ever, in each way."""
    tool("gdb-multiarch")
    elf = build(PROGRAMS / "debugged.c", "B", tmp_path / "b.elf")
    with serve({"b": elf}, "--schedule", "sc") as server:
        for stop in STOPS:
            found = visit(f"127.0.0.1:{server.port}", stop, tmp_path, HANG)
            assert (found.why, found.seconds > 0) == ("", True), found
