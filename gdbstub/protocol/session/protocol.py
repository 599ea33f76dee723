# SPDX-License-Identifier: Apache-2.0
"""A session and the tile that sessions share, as each sees the other.

`gdbstub.protocol.session.session.Session` is the one `ServedClient`,
`gdbstub.protocol.sharing.tile.SharedTile` the one `Tile`. `dispatch`, `reports` and the tile know a
session by this protocol alone, so a session may call them. Handlers of packets see less of it:
`gdbstub.protocol.client.protocol.Client`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tensix_gdb.gdbstub.protocol.client.protocol import Client, NonStopMode, ServedTile
from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.target import Action, Stopped


class ServedClient(Client, Protocol):
    """A client, for those that answer its packets, tell it of stops and let its tile run."""

    name: str
    state: State
    actions: Mapping[int, Action]  # of its run
    current: bytes  # the packet in hand, for the log when we have a defect
    stop_is_news: bool  # it has said nothing since it was told of a stop

    @property
    def tile(self) -> Tile:
        """The tile that clients share."""

    @property
    def has_backlog(self) -> bool:
        """True if the client waits for the tile, and does not take what it is shown."""

    def show(self, text: str | bytes) -> None:
        """Show text, if the client can take it; in non-stop mode at the next chance."""

    def answer_all_kept(self) -> None:
        """Answer packets that were kept, as far as the state lets them be answered."""

    def interrupt(self) -> None:
        """Stop the target for the client, or keep that for its next run."""

    def take_interrupt(self) -> bool:
        """Take up the interrupt that was kept; False if there is none."""

    def stopped(self, stop: Stopped) -> None:
        """Tell the client of a stop if it waits for that."""

    def process_ended(self, pid: int) -> None:
        """Tell the client that another one has killed a process."""

    def report_kept_exit(self) -> bool:
        """Tell of a process that has ended instead of letting threads run; False if none has."""

    def request_taken(self) -> None:
        """Note that another client has resumed the target, and is asked instead."""

    def end(self, *, reset: bool = False) -> None:
        """Leave: what the client inserted is removed, the tile is told."""


class DefectsOfTarget(Protocol):
    """Defects of ours (gdbstub.protocol.sharing.defects)."""

    def note(self, problem: Exception, where: str) -> str:
        """Note an exception, which is being handled; the sentence for clients."""

    def check(self) -> None:
        """Raise TargetError if what lets the target run is to be refused."""


class Tile(ServedTile, Protocol):
    """The things that sessions share: the target, and which one has it running
    (gdbstub.protocol.sharing.tile)."""

    @property
    def defects(self) -> DefectsOfTarget:
        """Defects of ours that were met."""

    def resume(self, session: ServedClient, actions: Mapping[int, Action]) -> bool:
        """Let the target run until it stops, for this client or with it. True if a slice may be
        run at once."""

    def advance(self) -> bool:
        """Run one slice; True if the target stopped in it. Clients that wait are told."""

    def interrupt(self, session: ServedClient) -> None:
        """Stop the target."""

    def answered(
        self, session: ServedClient, answer: tuple[int, int] | None, *, interrupted: bool
    ) -> bool:
        """Let the target continue with the answer to a program's request, or stop it where it is if
        the client wants that. None is no answer. True if a slice may be run at once."""

    def rejoin(self, session: ServedClient) -> None:
        """Let the session wait for the target, which another client has running."""

    def forget_request(self) -> None:
        """Give the program's request no answer."""

    def say(self, session: ServedClient, text: str) -> None:
        """Show what the session prints at a breakpoint, after what programs printed."""

    def begin_non_stop(self, session: ServedClient) -> NonStopMode:
        """Give the session the tile, thread by thread; TargetError when that cannot be."""

    def end_non_stop(self, session: ServedClient) -> None:
        """Stop all threads, for every client."""

    def about_to_change(self) -> None:
        """Prepare for a change by a client: it comes between what was and what will be."""

    def changed(self) -> None:
        """Continue after a change by a client, which may have been a reset."""

    def busy(self, session: ServedClient) -> str:
        """Name the client for which the target runs while `session` looks; empty when it has
        stopped."""

    def detached_some(self, session: ServedClient) -> None:
        """Let go of the threads that the session does not see any more."""

    def detach(self, session: ServedClient) -> None:
        """Remove what the session inserted, and end its run or hand it over."""

    def disconnect(self, session: ServedClient, *, reset: bool) -> None:
        """Detach the session, which ends."""
