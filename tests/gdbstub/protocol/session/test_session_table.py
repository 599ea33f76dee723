# SPDX-License-Identifier: Apache-2.0
"""The session does what its table says, the drawing above it too; a wrong table is noticed.

What a session does is seen from outside: bytes and stops go in, bytes come out, the tile is asked.
"""

from __future__ import annotations

import re

import pytest

from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.session import states as module
from tensix_gdb.gdbstub.protocol.session.states import TABLE, Event, Reaction, State
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, calling_tile

STOP = Stopped(1, Signal.TRAP)
RUN, FILE_REPLY = wire.frame(b"vCont;c:1"), wire.frame(b"F6")
CALL = b"Fwrite,"  # how the request begins that the tile's program makes first
# What can be done about an event at all.
REACTIONS = {
    Event.PACKET: (Reaction.ANSWER, Reaction.KEEP, Reaction.DROP),
    Event.URGENT: (Reaction.ANSWER, Reaction.KEEP, Reaction.DROP),
    Event.FILE_REPLY: (
        *(Reaction.REFUSE, Reaction.RESUME, Reaction.WAIT),
        *(Reaction.KEEP, Reaction.DROP),
    ),
    Event.INTERRUPT: (Reaction.ASK, Reaction.KEEP, Reaction.DROP),
    Event.STOP: (Reaction.REPORT, Reaction.DROP),
    Event.CONSOLE: (Reaction.REPORT, Reaction.KEEP, Reaction.DROP),
    Event.EXIT: (Reaction.REPORT, Reaction.KEEP, Reaction.DROP),
    Event.BACKLOG: (Reaction.ANSWER, Reaction.KEEP, Reaction.DROP),
}


def in_state(state: State) -> Client:
    """A client whose session is in this state; the tile is shared with one that only looks."""
    client = Client(calling_tile(processes=True), "one")
    client.session.stream.acks = False
    other = Client(client.tile, "another")
    if state is not State.NONSTOP:
        # Non-stop mode has no requests. The end of a process is an event for clients of processes.
        client.send(wire.frame(b"qSupported:multiprocess+"))
    match state:
        case State.RUNNING:
            client.send(RUN)
        case State.AWAITING_FILE_REPLY | State.STALE_FILE_REPLY:
            client.send(RUN)
            run(client)
            assert client.read()[-1].startswith(CALL)
            if state is State.STALE_FILE_REPLY:
                other.send(RUN)
        case State.NONSTOP:
            client.send(wire.frame(b"qSupported:multiprocess+"))
            client.send(wire.frame(b"QNonStop:1"))
        case State.ENDED:
            client.session.end()
    assert client.session.state is state
    return client


def run(client: Client) -> None:
    """Let the tile run up to a stop or a request."""
    while client.tile.running:
        client.tile.advance_to(client.tile.target.execution.clock() + 1000)


def observed(state: State, event: Event) -> Reaction:
    """Return what the session does about the event."""
    client = in_state(state)
    session = client.session
    match event:
        case Event.PACKET | Event.URGENT:
            payload = b"qC" if event is Event.PACKET else b"vCtrlC"
            return _observed_packet(client, wire.frame(payload))
        case Event.FILE_REPLY:
            return _observed_file_reply(client)
        case Event.INTERRUPT:
            return _observed_interrupt(client)
        case Event.STOP:
            session.stopped(STOP)
            return Reaction.REPORT if b"T" in _told(client) else Reaction.DROP
        case Event.CONSOLE:
            session.show("text")
            if client.read():
                return Reaction.REPORT
            return Reaction.KEEP if session.console.take_news() == "text" else Reaction.DROP
        case Event.EXIT:
            return _observed_exit(client)
        case Event.BACKLOG:
            return _observed_backlog(client)


def _told(client: Client) -> list[bytes]:
    return [one.removeprefix(b"%Stop:")[:1] for one in client.read()]


def _answers(came: list[bytes]) -> bool:
    return any(one == b"OK" or one.startswith(b"QC") for one in came)


def _refused(came: list[bytes]) -> bool:
    return any(one.startswith(b"E") for one in came)


def _stop_later(client: Client) -> None:
    """Let the client stop now, whatever it waits for."""
    client.session.state = State.RUNNING
    client.session.stopped(STOP)


def _observed_packet(client: Client, framed: bytes) -> Reaction:
    client.session.receive(framed)
    if _answers(wire.answers(client.session.stream.take_outgoing())):
        return Reaction.ANSWER
    # Kept is what comes behind the next stop reply, whatever brings that about.
    _stop_later(client)
    return Reaction.KEEP if _answers(client.read()) else Reaction.DROP


def _observed_file_reply(client: Client) -> Reaction:
    asked: list[Reaction] = []

    def answered(session: Session, answer: object, *, interrupted: bool) -> bool:
        asked.append(Reaction.RESUME)
        return False

    client.tile.answered = answered  # type: ignore[method-assign]
    client.tile.rejoin = lambda session: asked.append(Reaction.WAIT)  # type: ignore[method-assign]
    client.session.receive(FILE_REPLY)
    if asked:
        return asked[0]
    if _refused(wire.answers(client.session.stream.take_outgoing())):
        return Reaction.REFUSE
    _stop_later(client)
    return Reaction.KEEP if _refused(client.read()) else Reaction.DROP


def _observed_interrupt(client: Client) -> Reaction:
    asked: list[Session] = []
    client.tile.interrupt = asked.append  # type: ignore[method-assign]
    client.send(b"\x03")
    if asked:
        return Reaction.ASK
    return Reaction.KEEP if client.session.take_interrupt() else Reaction.DROP


def _observed_exit(client: Client) -> Reaction:
    session = client.session
    (pid, *_) = session.selection.attachment.ids if session.selection.attachment else ()
    session.process_ended(pid)
    if b"X" in _told(client):
        return Reaction.REPORT
    session.report_kept_exit()
    return Reaction.KEEP if b"X" in _told(client) else Reaction.DROP


def _observed_backlog(client: Client) -> Reaction:
    """A packet that was kept comes up."""
    session = client.session
    state, session.state = session.state, State.RUNNING
    client.send(wire.frame(b"qC"))
    if state is State.ENDED:
        session.end()
    session.state = state
    if _answers(client.read()):
        return Reaction.ANSWER
    _stop_later(client)
    return Reaction.KEEP if _answers(client.read()) else Reaction.DROP


@pytest.mark.parametrize("event", Event, ids=lambda event: event.name)
@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_the_session_does_what_the_table_says(state: State, event: Event) -> None:
    assert observed(state, event) is TABLE[state, event]


WRONG = [
    (state, event, reaction)
    for (state, event), right in TABLE.items()
    for reaction in REACTIONS[event]
    # The backlog is dropped when the client leaves, and at no other time.
    if reaction is not right and (event, reaction) != (Event.BACKLOG, Reaction.DROP)
]


@pytest.mark.parametrize(
    ("state", "event", "reaction"),
    WRONG,
    ids=lambda one: one.name if hasattr(one, "name") else one,
)
def test_a_wrong_table_is_noticed(
    state: State, event: Event, reaction: Reaction, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = TABLE[state, event]
    monkeypatch.setitem(TABLE, (state, event), reaction)
    assert observed(state, event) is not right


def test_the_table_is_whole() -> None:
    assert set(TABLE) == {(state, event) for state in State for event in Event}
    assert all(reaction in REACTIONS[event] for (_, event), reaction in TABLE.items())


def test_the_drawing_is_the_table() -> None:
    words = {
        "answered": Reaction.ANSWER,
        "kept": Reaction.KEEP,
        "refused": Reaction.REFUSE,
        "resumes": Reaction.RESUME,
        "waits": Reaction.WAIT,
        "asked for": Reaction.ASK,
        "told": Reaction.REPORT,
        "dropped": Reaction.DROP,
    }
    rows = re.search(r"\n    state  .*?\n\n", module.__doc__ or "", re.DOTALL)
    assert rows
    cells = [re.split(r" {2,}", row.strip()) for row in rows[0].strip().splitlines()]
    assert len(cells[0]) == 1 + len(Event)
    assert [row[0] for row in cells[1:]] == [state.name for state in State]
    for state, (_, *row) in zip(State, cells[1:], strict=True):
        for event, cell in zip(Event, row, strict=True):
            assert TABLE[state, event] is words[cell], f"{state.name} {event.name}"


@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_threads_go_one_by_one_in_one_state_alone(state: State) -> None:
    assert (in_state(state).session.non_stop is not None) == (state is State.NONSTOP)


def test_an_interrupt_of_an_idle_session_ends_its_next_run() -> None:
    client = in_state(State.IDLE)
    client.send(b"\x03")
    came = client.send(RUN)
    assert client.session.state is State.IDLE
    assert came[-1].startswith(b"T02")


def test_an_interrupt_before_a_stale_answer_stops_what_the_client_waits_for() -> None:
    client = in_state(State.STALE_FILE_REPLY)
    assert client.send(b"\x03") == []
    assert client.send(FILE_REPLY)[-1].startswith(b"T02")
    assert not client.tile.running


def test_a_request_that_the_client_does_not_answer_is_forgotten() -> None:
    """The program asks again, and the client may answer then."""
    client = in_state(State.AWAITING_FILE_REPLY)
    client.send(RUN)
    run(client)
    assert client.read()[-1].startswith(CALL)
    assert client.session.state is State.AWAITING_FILE_REPLY
