# SPDX-License-Identifier: Apache-2.0
"""What a session does is what its table says, the drawing above it too; a wrong table is noticed.

What a session does is seen from outside: bytes and stops go in, bytes come out, the tile is asked.
"""

from __future__ import annotations

import re

import pytest

from tensix_gdb.gdbstub.session import Session
from tensix_gdb.gdbstub.session import states as module
from tensix_gdb.gdbstub.session.states import TABLE, Deed, Event, State
from tensix_gdb.gdbstub.target import Action, Do, Signal, Stopped
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile

STOP = Stopped(1, Signal.TRAP)
# What can be done about an event at all.
DEEDS = {
    Event.PACKET: (Deed.ANSWER, Deed.KEEP, Deed.DROP),
    Event.URGENT: (Deed.ANSWER, Deed.KEEP, Deed.DROP),
    Event.INTERRUPT: (Deed.ASK, Deed.REMEMBER, Deed.DROP),
    Event.STOP: (Deed.REPORT, Deed.DROP),
    Event.CONSOLE: (Deed.REPORT, Deed.REMEMBER, Deed.DROP),
}


def in_state(state: State) -> Client:
    """A client whose session is in this state; the tile is shared with one that only looks."""
    client = Client(new_tile())
    client.session.acks = False
    Client(client.tile, "another")
    if state is State.RUNNING:
        client.send(wire.frame(b"vCont;c:1"))
    elif state is State.NONSTOP:
        client.send(wire.frame(b"QNonStop:1"))
    elif state is State.ENDED:
        client.session.end()
    assert client.session.state is state
    return client


def observed(state: State, event: Event) -> Deed:
    """What the session does about the event."""
    client = in_state(state)
    session = client.session
    match event:
        case Event.PACKET | Event.URGENT:
            payload = b"qC" if event is Event.PACKET else b"vCtrlC"
            return _observed_packet(client, wire.frame(payload))
        case Event.INTERRUPT:
            return _observed_interrupt(client)
        case Event.STOP:
            session.stopped(STOP)
            told = [one.removeprefix(b"%Stop:")[:1] for one in client.read()]
            return Deed.REPORT if b"T" in told else Deed.DROP
        case Event.CONSOLE:
            session.console("text")
            if client.read():
                return Deed.REPORT
            return Deed.REMEMBER if session.take_news() == "text" else Deed.DROP


def _observed_packet(client: Client, framed: bytes) -> Deed:
    def answers(came: list[bytes]) -> bool:
        return any(one in (b"OK", b"QC1") for one in came)

    if answers(client.send(framed)):
        return Deed.ANSWER
    # Kept is what comes behind the next stop reply, whatever brings that about.
    session = client.session
    if session.state is not State.RUNNING:
        session.state = State.RUNNING
    session.stopped(STOP)
    return Deed.KEEP if answers(client.read()) else Deed.DROP


def _observed_interrupt(client: Client) -> Deed:
    asked: list[Session] = []
    client.tile.interrupt = asked.append  # type: ignore[method-assign]
    client.send(b"\x03")
    if asked:
        return Deed.ASK
    return Deed.REMEMBER if client.session._interrupted else Deed.DROP


@pytest.mark.parametrize("event", Event, ids=lambda event: event.name)
@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_the_session_does_what_the_table_says(state: State, event: Event) -> None:
    assert observed(state, event) is TABLE[state, event]


WRONG = [
    (state, event, deed)
    for (state, event), right in TABLE.items()
    for deed in DEEDS[event]
    if deed is not right
]


@pytest.mark.parametrize(
    ("state", "event", "deed"), WRONG, ids=lambda one: one.name if hasattr(one, "name") else one
)
def test_a_wrong_table_is_noticed(
    state: State, event: Event, deed: Deed, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = TABLE[state, event]
    monkeypatch.setitem(TABLE, (state, event), deed)
    assert observed(state, event) is not right


def test_the_table_is_whole() -> None:
    assert set(TABLE) == {(state, event) for state in State for event in Event}
    assert all(deed in DEEDS[event] for (_, event), deed in TABLE.items())


def test_the_drawing_is_the_table() -> None:
    words = {
        "answered": Deed.ANSWER,
        "kept": Deed.KEEP,
        "asked for": Deed.ASK,
        "reported": Deed.REPORT,
        "dropped": Deed.DROP,
    }
    columns = (Event.PACKET, Event.URGENT, Event.INTERRUPT, Event.STOP, Event.CONSOLE)
    rows = (module.__doc__ or "").partition("state     packet")[2].splitlines()
    for state in State:
        row = next(line for line in rows if line.strip().startswith(state.name + " "))
        cells = re.split(r" {2,}", row.strip())[1:]
        assert len(cells) == len(columns)
        for event, cell in zip(columns, cells, strict=True):
            wanted = words[cell]
            if event in (Event.INTERRUPT, Event.CONSOLE) and cell == "kept":
                wanted = Deed.REMEMBER
            assert TABLE[state, event] is wanted, f"{state.name} {event.name}"


def test_an_interrupt_of_an_idle_session_ends_its_next_run() -> None:
    client = in_state(State.IDLE)
    client.send(b"\x03")
    session = client.session
    session.resume({1: Action(Do.CONTINUE)})
    assert session.state is State.IDLE
    assert client.read()[-1].startswith(b"T02")
