# SPDX-License-Identifier: Apache-2.0
"""Recorded sessions of GDB 13 and 17: their packets get the same answers, their output is right.

`python -m tests.gdb.sessions` records them; tests/gdb/test_sessions.py types them into the GDB of
this machine.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.testing.mi import selected_in
from tests.gdb.sessions import FOLDER, SESSIONS, Session, complaints, missing, new_tile
from tests.gdbstub.inside.made_up_gdb import inside
from tests.gdbstub.protocol.session import recorded
from tests.gdbstub.protocol.session.transcript import Player

GENERATIONS = ("gdb13", "gdb17")
BY_NAME = {session.name: session for session in SESSIONS}
EMPTY = "vMustReplyEmpty"
# GDB chooses a thread before it is attached to a process, and reads more of the stack than a
# tracepoint has collected.
MAY_FAIL = {
    ("processes", "Hgp0.0"),
    ("tracing", "mffb00ffc,4"),
    ("tracing", "xffb00ffc,4"),
}
every_recording = pytest.mark.parametrize(
    ("generation", "session"),
    [(generation, session) for generation in GENERATIONS for session in SESSIONS],
    ids=lambda one: getattr(one, "name", one),
)


def recording(generation: str, session: Session, suffix: str) -> str:
    """Read a file of a recording."""
    return recorded.read(FOLDER / generation / f"{session.name}{suffix}")


@every_recording
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_answers_are_the_same(generation: str, session: Session, engine: str) -> None:
    text = recording(generation, session, ".rsp")
    Player(new_tile(session, engine), session.steps).play(text)


@every_recording
def test_every_packet_is_known_and_done(generation: str, session: Session) -> None:
    """No packet gets an error or the empty reply, except where GDB asks for one."""
    lines = recording(generation, session, ".rsp").splitlines()
    pairs = [(one[3:], other[3:]) for one, other in pairwise(lines) if one.startswith("-> ")]
    bad = [(asked, reply) for asked, reply in pairs if reply == "" or reply[0] == "E"]
    assert [asked for asked, _ in bad if (session.name, asked) not in MAY_FAIL] == [EMPTY]


@every_recording
def test_gdb_says_what_it_has_to(generation: str, session: Session) -> None:
    said = recording(generation, session, ".txt")
    assert missing(session, said) == []
    assert complaints(said) == []


@pytest.mark.parametrize("generation", GENERATIONS)
def test_output_that_is_parsed(generation: str) -> None:
    said = recording(generation, BY_NAME["looking"], ".txt")
    answers = {
        command: answer
        for command, _, answer in (part.partition("\n") for part in said.split("(gdb) "))
    }
    # The library for tests reads which thread has stopped.
    assert selected_in(answers["info threads"]) == "B"
    assert selected_in(answers["info threads"].replace("* 1 ", "  1 ").replace("  6 ", "* 6 ")) == (
        "T0 unpack"
    )
    # Our `info line` names the function at an address.
    with inside("own_symbols", answers.__getitem__) as own_symbols:
        seen = [own_symbols._address(address) for address in (0xA05C, 0xA060, 0x30000)]
    assert seen == ["0xa05c <mix>", "0xa060 <mix+4>", "0x30000"]


def test_nothing_else_is_recorded() -> None:
    files = [*recorded.paths(FOLDER, ".rsp"), *recorded.paths(FOLDER, ".txt")]
    assert {path.relative_to(FOLDER) for path in files} == {
        Path(generation) / f"{session.name}{suffix}"
        for generation in GENERATIONS
        for session in SESSIONS
        for suffix in (".rsp", ".txt")
    }


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    for generation, text in (("gdb13", "a\nb\nc\n"), ("gdb17", "a\nc\nd\ne\n"), ("gdb18", "")):
        (tmp_path / generation).mkdir()
        recorded.write(tmp_path / generation / "one.rsp", text)
        assert recorded.read(tmp_path / generation / "one.rsp") == text
    assert [path.suffix for path in sorted(tmp_path.rglob("*.*"))] == [".rsp", ".diff", ".diff"]
    recorded.write(tmp_path / "gdb17" / "new.txt", "whole\n")
    assert recorded.read(tmp_path / "gdb17" / "new.txt") == "whole\n"
    assert len(recorded.paths(tmp_path, ".rsp")) == 3


def test_complaints_are_found() -> None:
    assert complaints("(gdb) next\nPython Exception <class 'TypeError'>: no\n1\n") != []
    assert complaints("remote.c:527: internal-error: mark_async_event_handler: ...\n") != []
    assert complaints("warning: 16\t./crt0.S: No such file or directory\n") == []
