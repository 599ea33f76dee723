# SPDX-License-Identifier: Apache-2.0
"""What a session does about each event: what the client believes decides.

            resume packet                    D, k, end of stream, a defect
    IDLE ───────────────────► RUNNING            any state ──► ENDED
      ▲                          │
      ├── stop, D (extended) ────┘
      │    QNonStop:1
      ├────────────────► NONSTOP
      └── QNonStop:0 ───────┘

    state     packet      k D vCtrlC   interrupt   stop       console text
    IDLE      answered    answered     kept        dropped    dropped
    RUNNING   kept        answered     asked for   reported   reported
    NONSTOP   answered    answered     asked for   reported   kept
    ENDED     dropped     dropped      dropped     dropped    dropped

`TABLE` is this table. IDLE is what the client believes: another client may have the tile running.
In NONSTOP threads stop and go one by one (gdbstub.sharing.nonstop); text for the console, for which
that mode has no packet, waits for the next `monitor` command.
"""

from __future__ import annotations

import enum


class State(enum.Enum):
    """What the client believes (see the module's docstring)."""

    # The members are looked up for each packet; an Enum's own hash is several times slower.
    __hash__ = object.__hash__

    IDLE = "idle"
    RUNNING = "running"
    NONSTOP = "non-stop"
    ENDED = "ended"


class Event(enum.Enum):
    """What happens to a session."""

    # The members are looked up for each packet; an Enum's own hash is several times slower.
    __hash__ = object.__hash__

    PACKET = "packet"
    URGENT = "a packet that cannot wait"
    INTERRUPT = "interrupt"
    STOP = "stop"
    CONSOLE = "console text"


class Deed(enum.Enum):
    """What is done about it."""

    ANSWER = "answer it now"
    KEEP = "answer it behind the stop reply"
    ASK = "ask the tile to stop"
    REMEMBER = "end the next run at once; show it when that is possible"
    REPORT = "tell the client"
    DROP = "nothing"


TABLE: dict[tuple[State, Event], Deed] = {
    (State.IDLE, Event.PACKET): Deed.ANSWER,
    (State.IDLE, Event.URGENT): Deed.ANSWER,
    (State.IDLE, Event.INTERRUPT): Deed.REMEMBER,
    (State.IDLE, Event.STOP): Deed.DROP,
    (State.IDLE, Event.CONSOLE): Deed.DROP,
    (State.RUNNING, Event.PACKET): Deed.KEEP,
    (State.RUNNING, Event.URGENT): Deed.ANSWER,
    (State.RUNNING, Event.INTERRUPT): Deed.ASK,
    (State.RUNNING, Event.STOP): Deed.REPORT,
    (State.RUNNING, Event.CONSOLE): Deed.REPORT,
    (State.NONSTOP, Event.PACKET): Deed.ANSWER,
    (State.NONSTOP, Event.URGENT): Deed.ANSWER,
    (State.NONSTOP, Event.INTERRUPT): Deed.ASK,
    (State.NONSTOP, Event.STOP): Deed.REPORT,
    (State.NONSTOP, Event.CONSOLE): Deed.REMEMBER,
    (State.ENDED, Event.PACKET): Deed.DROP,
    (State.ENDED, Event.URGENT): Deed.DROP,
    (State.ENDED, Event.INTERRUPT): Deed.DROP,
    (State.ENDED, Event.STOP): Deed.DROP,
    (State.ENDED, Event.CONSOLE): Deed.DROP,
}
