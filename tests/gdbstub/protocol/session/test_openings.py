# SPDX-License-Identifier: Apache-2.0
"""The packets of front ends' debuggers from connecting to leaving, and the answers to them.

`python -m tests.gdb.openings` writes the transcripts; tests/gdb/test_openings.py lets the debuggers
themselves do it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.gdb.openings import errors
from tests.gdbstub.demo_tile import STEPS, new_demo_tile
from tests.gdbstub.protocol.session import recorded
from tests.gdbstub.protocol.session.transcript import Player

OPENINGS = Path(__file__).resolve().parent / "openings"
FILES = recorded.paths(OPENINGS, ".rsp")
TEXTS = recorded.paths(OPENINGS, ".txt")


def name(path: Path) -> str:
    """`cppdbg` of Debian's debuggers, `gdb17/cppdbg` of another one."""
    return path.relative_to(OPENINGS).with_suffix("").as_posix()


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


@pytest.mark.parametrize("path", FILES, ids=name)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_opening(path: Path, engine: str) -> None:
    Player(new_demo_tile(engine), STEPS).play(recorded.read(path))


def test_the_front_ends_people_use_are_all_there() -> None:
    of_gdb = ["cdt", "cortex-debug", "cppdbg", "native-debug"]
    newer = [f"gdb17/{one}" for one in of_gdb]
    assert [name(path) for path in FILES] == sorted([*of_gdb, *newer, "lldb"])
    assert [name(path) for path in TEXTS] == newer


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_a_newer_gdb_does_what_it_is_told(path: Path) -> None:
    said = recorded.read(path).splitlines()
    # It fetches the programs of the other harts from the server, which is slow elsewhere.
    assert [line for line in errors(said) if "File transfers" not in line] == []
    stops = [line for line in said if line.startswith("notify stopped: ")]
    assert any("'reason': 'breakpoint-hit'" in line for line in stops)
    assert any("'reason': 'end-stepping-range'" in line for line in stops)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_every_answer_is_sensible(path: Path) -> None:
    """No error; the empty reply only to what is known to be unknown; a stop that says which."""
    asked = ""
    stops = []
    for line in recorded.read(path).splitlines():
        if line.startswith("-> "):
            asked = line[3:]
        elif line.startswith("<- "):
            known = (path.stem, asked) in CANNOT or LACKS.fullmatch(asked)
            error = line[3:4] == "E" and not known
            assert not error, f"{asked} is answered with {line}"
            if STOP.match(line):
                stops.append(line)
        if line == "<- ":
            packet = asked.partition(":")[0].encode("ascii")
            assert packet in UNKNOWN, f"{asked} gets the empty reply"
    assert len(stops) >= 3, "it stops where it attaches, at main, and behind a step"
    assert all(";thread:" in line for line in stops)
