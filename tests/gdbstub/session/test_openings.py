# SPDX-License-Identifier: Apache-2.0
"""What the debuggers of front ends send from connecting to leaving, and the answers to it.

`python -m tests.gdb.openings` writes the transcripts; tests/gdb/test_openings.py lets the debuggers
themselves do it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.gdbstub.demo_tile import STEPS, new_demo_tile
from tests.gdbstub.session.transcript import Player

FILES = sorted((Path(__file__).resolve().parent / "openings").glob("*.rsp"))

# What is unknown here, and why the client does well without it.
UNKNOWN = {
    b"vMustReplyEmpty": "asks for an empty reply",
    b"qTStatus": "tracepoints: there are none",
    b"qVAttachOrWaitSupported": "waiting for a process to start: the tile is always there",
    b"qStructuredDataPlugins": "streams of events: there are none",
    b"jThreadsInfo": "registers of all threads at once: the stop reply has the pcs",
    b"jThreadExtendedInfo": "queues of Darwin",
}
# A frame at the very top of the stack: what is above it cannot be read.
CANNOT = {("lldb", "xffb02000,200")}
# LLDB asks Tensix threads for ra, sp and fp, which they do not have.
LACKS = re.compile(r"p[0-9a-f]+;thread:000[678];")
STOP = re.compile(r"<- T[0-9a-f]{2}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_opening(path: Path, engine: str) -> None:
    Player(new_demo_tile(engine), STEPS).play(path.read_text("ascii"))


def test_the_front_ends_people_use_are_all_there() -> None:
    names = [path.stem for path in FILES]
    assert names == ["cdt", "cortex-debug", "cppdbg", "lldb", "native-debug"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_answer_is_sensible(path: Path) -> None:
    """No error; the empty reply only to what is known to be unknown; a stop that says which."""
    asked = ""
    stops = []
    for line in path.read_text("ascii").splitlines():
        if line.startswith("-> "):
            asked = line[3:]
        elif line.startswith("<- "):
            known = (path.stem, asked) in CANNOT or LACKS.fullmatch(asked)
            error = line[3:4] == "E" and not known
            assert not error, f"{asked} is answered with {line}"
            if STOP.match(line):
                stops.append(line)
        if line == "<- ":
            name = asked.partition(":")[0].encode("ascii")
            assert name in UNKNOWN, f"{asked} gets the empty reply"
    assert len(stops) >= 3, "it stops where it attaches, at main, and behind a step"
    assert all(";thread:" in line for line in stops)
