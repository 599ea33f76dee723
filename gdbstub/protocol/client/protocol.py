# SPDX-License-Identifier: Apache-2.0
"""The client that sent a packet and the tile that clients share, as the packet's handler sees them.

`gdbstub.protocol.session.Session` is the one `Client`. Handlers (gdbstub.protocol.commands) get it
as this protocol, so that they know no more of a session than is here, and a session may know
its handlers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from tensix_gdb.gdbstub.protocol.client.console import Console
from tensix_gdb.gdbstub.protocol.client.features import ClientFeatures
from tensix_gdb.gdbstub.protocol.client.old_steps import OldSteps
from tensix_gdb.gdbstub.protocol.client.packet_stream import PacketStream
from tensix_gdb.gdbstub.protocol.client.selection import Selection
from tensix_gdb.gdbstub.protocol.client.stop_queue import PendingStop, StopQueue
from tensix_gdb.gdbstub.protocol.target import Action, Stopped, Target
from tensix_gdb.gdbstub.protocol.tracepoints.frames import Trace


class NonStopMode(Protocol):
    """The threads of one client in non-stop mode (gdbstub.protocol.sharing.nonstop)."""

    @property
    def any_running(self) -> bool:
        """True if time passes for the client's threads."""

    def is_running(self, thread: int) -> bool:
        """True if the client takes this thread for running."""

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Start and stop threads."""

    def interrupt(self) -> None:
        """Stop one thread, as by Ctrl-C."""

    def halt(self) -> None:
        """Stop all threads, and tell no client."""

    def attached(self, threads: Collection[int]) -> None:
        """Add threads that the client has attached to."""

    def detached(self, threads: Collection[int]) -> None:
        """Remove threads that the client does not debug any more."""

    def started(self, thread: int, others: Collection[int]) -> None:
        """Note that a program was started: `thread` and these others are stopped at its entry."""

    def all_stopped(self) -> list[PendingStop]:
        """List every thread that the client knows to be stopped, and why."""

    def announce_rest(self) -> None:
        """Announce the threads that have not run since the client learnt of the first ones."""


class ServedTile(Protocol):
    """The tile, as handlers see it (gdbstub.protocol.sharing.tile)."""

    @property
    def target(self) -> Target:
        """The whole target."""

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""

    def last_stop(self) -> Stopped:
        """Return why the target is stopped where it is."""

    def keeping_core_files(self) -> int:
        """Count the clients that have begun to read a core file, and not ended."""

    def process_ended(self, pid: int) -> None:
        """Tell the other clients that debug a process that it was killed."""


class Client(Protocol):
    """The client that sent a packet."""

    # What it believes and has asked for.
    features: ClientFeatures
    selection: Selection
    trace: Trace
    old_steps: OldSteps
    # What it is sent.
    stream: PacketStream
    console: Console
    stop_queue: StopQueue
    before_next: Callable[[], object] | None
    # What handlers keep between its packets.
    open_files: dict[int, bytes]
    core_file: bytes
    notes: set[int]

    @property
    def tile(self) -> ServedTile:
        """The tile that clients share."""

    @property
    def target(self) -> Target:
        """The target as the client sees it."""

    @property
    def non_stop(self) -> NonStopMode | None:
        """Its threads in non-stop mode; None in all-stop mode."""

    def knows(self, packet: type) -> bool:
        """True if packets of this kind are answered."""

    def running_for(self) -> str:
        """Name the client for which the target runs; empty if it is stopped."""

    def say(self, text: str) -> None:
        """Show what this client prints at a breakpoint, after what programs printed."""

    def last_stop(self) -> Stopped:
        """Return why the target is stopped, as far as the client sees that thread."""

    def stop_reply(self, stop: Stopped) -> bytes:
        """Make a stop reply; its thread becomes the client's current one."""

    def notice_of(self, stop: Stopped) -> bytes:
        """Make a stop reply, and leave the current thread as it is."""

    def check_stopped(self, thread: int) -> None:
        """Raise TargetError if the client has this thread running."""

    def choose_non_stop(self, on: bool) -> None:
        """Begin or end non-stop mode; TargetError when it cannot begin."""

    def forget_request(self) -> None:
        """Wait for no answer to a program's request; the program asks again."""

    def detached(self, threads: Sequence[int]) -> None:
        """Let go of these threads, which the client does not see any more."""
