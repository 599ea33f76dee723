# SPDX-License-Identifier: Apache-2.0
"""The reactions of a session to events: what the client believes decides.

                  resume packet                 stop, D (extended)
    IDLE ─────────────────────────► RUNNING ─────────────────────────► IDLE
                                     │   ▲
                   a program's call  │   │ F, resume packet
                                     ▼   │
                      AWAITING_FILE_REPLY ──────────────────► IDLE
                                     │     F that cannot be read, D (extended)
            another client resumes   │
                                     ▼     F, resume packet
                         STALE_FILE_REPLY ──────────────────► RUNNING

    IDLE ── QNonStop:1 ──► NONSTOP ── QNonStop:0 ──► IDLE
    any state ── D, k, end of stream, a defect ──► ENDED

    state                packet    urgent    F        interrupt  stop     console  exit     backlog
    IDLE                 answered  answered  refused  kept       dropped  dropped  kept     answered
    AWAITING_FILE_REPLY  answered  answered  resumes  kept       dropped  dropped  kept     kept
    STALE_FILE_REPLY     answered  answered  waits    kept       dropped  dropped  kept     kept
    RUNNING              kept      answered  kept     asked for  told     told     told     kept
    NONSTOP              answered  answered  refused  asked for  told     kept     told     answered
    ENDED                dropped   dropped   dropped  dropped    dropped  dropped  dropped  dropped

`TABLE` is this table. Urgent packets are k, D and vCtrlC; the backlog are packets that were kept.
IDLE is what the client believes: another client may have the tile running. In NONSTOP threads stop
and go one by one (gdbstub.protocol.sharing.nonstop).

A program's call is a request that the client answers with F (File-I/O); until then the client looks
at the hart that asks. When another client resumes meanwhile, it is asked too, so the F of the first
one is stale: it says only that the client waits again.

What is kept is taken up later: a packet after the stop reply, an interrupt (unless it has crossed a
stop reply, gdbstub.protocol.session.session) and the exit of a
process when the client lets the target run, text for the console at the next run or `monitor`
command, because non-stop mode has no packet for it.
"""

from __future__ import annotations

import enum


class State(enum.Enum):
    """The client's belief about the target (see the module's docstring)."""

    # The members are looked up for each packet; an Enum's own hash is several times slower.
    __hash__ = object.__hash__

    IDLE = "idle"
    AWAITING_FILE_REPLY = "awaiting a file reply"
    STALE_FILE_REPLY = "awaiting a file reply that is stale"
    RUNNING = "running"
    NONSTOP = "non-stop"
    ENDED = "ended"


# The client looks at a target that it does not let run: what happens meanwhile is news to it.
LOOKING = frozenset({State.IDLE, State.AWAITING_FILE_REPLY, State.STALE_FILE_REPLY})


class Event(enum.Enum):
    """An event of a session."""

    # The members are looked up for each packet; an Enum's own hash is several times slower.
    __hash__ = object.__hash__

    PACKET = "packet"
    URGENT = "a packet that cannot wait"
    FILE_REPLY = "the client's answer to a program's call"
    INTERRUPT = "interrupt"
    STOP = "stop"
    CONSOLE = "console text"
    EXIT = "another client has killed a process"
    BACKLOG = "packets that were kept"


class Reaction(enum.Enum):
    """The reaction to an event."""

    ANSWER = "answer it now"
    KEEP = "take it up later"
    REFUSE = "answer that nothing was asked for"
    RESUME = "let the target continue with the answer"
    WAIT = "wait for the target, which another client has"
    ASK = "ask the tile to stop"
    REPORT = "tell the client"
    DROP = "nothing"


TABLE: dict[tuple[State, Event], Reaction] = {
    (State.IDLE, Event.PACKET): Reaction.ANSWER,
    (State.IDLE, Event.URGENT): Reaction.ANSWER,
    (State.IDLE, Event.FILE_REPLY): Reaction.REFUSE,
    (State.IDLE, Event.INTERRUPT): Reaction.KEEP,
    (State.IDLE, Event.STOP): Reaction.DROP,
    (State.IDLE, Event.CONSOLE): Reaction.DROP,
    (State.IDLE, Event.EXIT): Reaction.KEEP,
    (State.IDLE, Event.BACKLOG): Reaction.ANSWER,
    (State.AWAITING_FILE_REPLY, Event.PACKET): Reaction.ANSWER,
    (State.AWAITING_FILE_REPLY, Event.URGENT): Reaction.ANSWER,
    (State.AWAITING_FILE_REPLY, Event.FILE_REPLY): Reaction.RESUME,
    (State.AWAITING_FILE_REPLY, Event.INTERRUPT): Reaction.KEEP,
    (State.AWAITING_FILE_REPLY, Event.STOP): Reaction.DROP,
    (State.AWAITING_FILE_REPLY, Event.CONSOLE): Reaction.DROP,
    (State.AWAITING_FILE_REPLY, Event.EXIT): Reaction.KEEP,
    (State.AWAITING_FILE_REPLY, Event.BACKLOG): Reaction.KEEP,
    (State.STALE_FILE_REPLY, Event.PACKET): Reaction.ANSWER,
    (State.STALE_FILE_REPLY, Event.URGENT): Reaction.ANSWER,
    (State.STALE_FILE_REPLY, Event.FILE_REPLY): Reaction.WAIT,
    (State.STALE_FILE_REPLY, Event.INTERRUPT): Reaction.KEEP,
    (State.STALE_FILE_REPLY, Event.STOP): Reaction.DROP,
    (State.STALE_FILE_REPLY, Event.CONSOLE): Reaction.DROP,
    (State.STALE_FILE_REPLY, Event.EXIT): Reaction.KEEP,
    (State.STALE_FILE_REPLY, Event.BACKLOG): Reaction.KEEP,
    (State.RUNNING, Event.PACKET): Reaction.KEEP,
    (State.RUNNING, Event.URGENT): Reaction.ANSWER,
    (State.RUNNING, Event.FILE_REPLY): Reaction.KEEP,
    (State.RUNNING, Event.INTERRUPT): Reaction.ASK,
    (State.RUNNING, Event.STOP): Reaction.REPORT,
    (State.RUNNING, Event.CONSOLE): Reaction.REPORT,
    (State.RUNNING, Event.EXIT): Reaction.REPORT,
    (State.RUNNING, Event.BACKLOG): Reaction.KEEP,
    (State.NONSTOP, Event.PACKET): Reaction.ANSWER,
    (State.NONSTOP, Event.URGENT): Reaction.ANSWER,
    (State.NONSTOP, Event.FILE_REPLY): Reaction.REFUSE,
    (State.NONSTOP, Event.INTERRUPT): Reaction.ASK,
    (State.NONSTOP, Event.STOP): Reaction.REPORT,
    (State.NONSTOP, Event.CONSOLE): Reaction.KEEP,
    (State.NONSTOP, Event.EXIT): Reaction.REPORT,
    (State.NONSTOP, Event.BACKLOG): Reaction.ANSWER,
    (State.ENDED, Event.PACKET): Reaction.DROP,
    (State.ENDED, Event.URGENT): Reaction.DROP,
    (State.ENDED, Event.FILE_REPLY): Reaction.DROP,
    (State.ENDED, Event.INTERRUPT): Reaction.DROP,
    (State.ENDED, Event.STOP): Reaction.DROP,
    (State.ENDED, Event.CONSOLE): Reaction.DROP,
    (State.ENDED, Event.EXIT): Reaction.DROP,
    (State.ENDED, Event.BACKLOG): Reaction.DROP,
}
