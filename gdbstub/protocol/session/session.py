# SPDX-License-Identifier: Apache-2.0
"""One client, without I/O: bytes and stops go in, packets and actions come out.

A `Session` has a stream of packets, a selection of threads, a console, and the state of what its
client believes. Every event goes through the table of states (gdbstub.protocol.session.states):
packets and interrupts of the client, and what happens to the tile. `dispatch` answers packets, and
does what their handlers want done.

An interrupt that comes while the client looks at a stop ends its next run at once, as gdbserver
does: GDB passes Ctrl-C on also while it evaluates a condition, and then resumes by itself. One that
comes before the client has said anything after a stop has crossed the stop reply: it has what it
wanted, and is forgotten.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from tensix_gdb.gdbstub.protocol.client.console import Console
from tensix_gdb.gdbstub.protocol.client.features import ClientFeatures
from tensix_gdb.gdbstub.protocol.client.old_steps import OldSteps
from tensix_gdb.gdbstub.protocol.client.packet_stream import FULL, PacketStream, Refused
from tensix_gdb.gdbstub.protocol.client.protocol import NonStopMode
from tensix_gdb.gdbstub.protocol.client.selection import Selection
from tensix_gdb.gdbstub.protocol.client.stop_queue import StopQueue
from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView
from tensix_gdb.gdbstub.protocol.rsp.framing import Interrupt, Packet
from tensix_gdb.gdbstub.protocol.session import dispatch
from tensix_gdb.gdbstub.protocol.session.dispatch import Request
from tensix_gdb.gdbstub.protocol.session.protocol import Tile
from tensix_gdb.gdbstub.protocol.session.reports import report_exit, report_stop
from tensix_gdb.gdbstub.protocol.session.states import TABLE, Event, Reaction, State
from tensix_gdb.gdbstub.protocol.session.stop_reply import stop_reply
from tensix_gdb.gdbstub.protocol.target import Action, Stopped, Target, TargetError

log = logging.getLogger(__name__)

BATCH = 64  # packets handled before others get their turn
MAX_KEPT = 64  # packets kept while the client should be waiting
# Looked at for each packet; finding a member in its class takes several times as long.
_ANSWER, _RUNNING = Reaction.ANSWER, State.RUNNING


class Session:
    """The protocol with one client."""

    def __init__(self, tile: Tile, name: str = "client", view: ThreadView | None = None) -> None:
        self.tile = tile
        self.name = name
        self.state = State.IDLE
        self.stream = PacketStream(name, self.end)
        self.features = ClientFeatures()
        self.selection = Selection(view or ThreadView(tile.target))
        self.trace = self.selection.trace
        self.console = Console(self.stream)
        self.non_stop: NonStopMode | None = None
        self.stop_queue = StopQueue()
        self.actions: Mapping[int, Action] = {}  # of its run
        self.old_steps = OldSteps()
        self.open_files: dict[int, bytes] = {}
        self.core_file: bytes = b""  # which the client is reading
        self.notes: set[int] = set()  # breakpoints of which it was told that they are never hit
        self.current: bytes = b""  # the packet in hand, for the log when we have a defect
        self.before_next: Callable[[], object] | None = None  # called before the next answer
        # Events that are taken up later.
        self._packets: deque[Request | Refused] = deque()
        self._exits: list[int] = []  # processes of the client that others have killed
        self._is_interrupted = False
        self.stop_is_news = False  # the client has said nothing since it was told of a stop

    # Packets

    def receive(self, data: bytes) -> None:
        """Take bytes from the client and answer what they hold, at most a batch of it."""
        if not self._packets or self.state is _RUNNING:
            payload = self.stream.whole(data)
            if payload is not None:
                self._arrived(payload)
                return
        self.stream.feed(data)
        self.proceed()

    @property
    def unanswered(self) -> bool:
        """True while something that was received can be answered: `proceed` has to be called, after
        the output was sent."""
        return self._answers_kept or self.stream.more

    @property
    def _answers_kept(self) -> bool:
        return bool(self._packets) and TABLE[self.state, Event.BACKLOG] is _ANSWER

    def proceed(self) -> None:
        """Answer one batch of what was received."""
        stream = self.stream
        stream.begin_batch()
        for _ in range(BATCH):
            self._answer_kept()
            # Before the end is looked for: answers keep the order of their packets.
            if stream.batch_is_over:
                return
            match stream.event():
                case None:
                    return
                case Packet(payload):
                    self._arrived(payload)
                case Refused() as refused:
                    self._handle_event(Event.PACKET, refused)
                case Interrupt():
                    self.interrupt()
        self._answer_kept()

    def _answer_kept(self) -> None:
        """Answer packets that were kept, until the batch is over."""
        while self._answers_kept and not self.stream.batch_is_over:
            dispatch.answer(self, self._packets.popleft())

    def answer_all_kept(self) -> None:
        """Answer packets that were kept, as far as the state lets them be answered."""
        while self._answers_kept:
            dispatch.answer(self, self._packets.popleft())

    def _arrived(self, payload: bytes) -> None:
        wanted = dispatch.request(payload)
        if self.stop_is_news and payload != b"vCtrlC":
            self.stop_is_news = False
        if TABLE[self.state, wanted.event] is _ANSWER:
            dispatch.answer(self, wanted)
        else:
            self._handle_event(wanted.event, wanted)

    def _handle_event(self, event: Event, item: Request | Refused) -> None:
        match TABLE[self.state, event]:
            case Reaction.DROP:
                pass
            case Reaction.KEEP:
                self._packets.append(item)
                if len(self._packets) > MAX_KEPT:
                    log.warning("%s: sends packets while it should wait; dropped it", self.name)
                    self.end()
            case _:
                dispatch.answer(self, item)

    def interrupt(self) -> None:
        """Stop the target for the client, or keep that for its next run."""
        match TABLE[self.state, Event.INTERRUPT]:
            case Reaction.ASK:
                self.tile.interrupt(self)
            case Reaction.KEEP:
                self._is_interrupted = not self.stop_is_news

    def take_interrupt(self) -> bool:
        """Take up the interrupt that was kept; False if there is none."""
        kept, self._is_interrupted = self._is_interrupted, False
        return kept

    # What happens to the tile

    def stopped(self, stop: Stopped) -> None:
        """Tell the client of a stop if it waits for that. What it sent meanwhile is answered
        afterwards, as `unanswered` says."""
        if TABLE[self.state, Event.STOP] is Reaction.REPORT:
            report_stop(self, stop)

    def process_ended(self, pid: int) -> None:
        """Tell the client that another one has killed a process: now, or when it lets threads
        run."""
        attachment = self.selection.attachment
        if attachment is None or pid not in attachment.ids:
            return
        match TABLE[self.state, Event.EXIT]:
            case Reaction.KEEP:
                self._exits.append(pid)
            case Reaction.REPORT:
                report_exit(self, pid)

    def report_kept_exit(self) -> bool:
        """Tell of a process that has ended instead of letting threads run; False if none has."""
        if self._exits:
            report_exit(self, self._exits.pop(0))
            return True
        return False

    def show(self, text: str | bytes) -> None:
        """Show text, if the client can take it; in non-stop mode at the next chance."""
        if text:
            match TABLE[self.state, Event.CONSOLE]:
                case Reaction.REPORT:
                    self.console.show(text)
                case Reaction.KEEP:
                    self.console.tell(
                        text if isinstance(text, str) else text.decode("utf-8", "replace")
                    )

    @property
    def has_backlog(self) -> bool:
        """True if the client waits for the tile, and does not take what it is shown."""
        return self.state is State.RUNNING and len(self.stream.outgoing) > FULL

    # Requests of programs

    def forget_request(self) -> None:
        """Wait for no answer to a program's request; the program asks again."""
        if self.state is State.AWAITING_FILE_REPLY:
            self.state = State.IDLE
            self.tile.forget_request()

    def request_taken(self) -> None:
        """Note that another client has resumed the target, and is asked instead."""
        if self.state is State.AWAITING_FILE_REPLY:
            self.state = State.STALE_FILE_REPLY

    # Non-stop mode

    def choose_non_stop(self, on: bool) -> None:
        """Begin or end non-stop mode; TargetError when it cannot begin."""
        if on and self.non_stop is None:
            if self.selection.view.own_hart:
                raise TargetError("non-stop mode is for the tile's port, not for that of one hart")
            self.selection.look_at(None)
            self.forget_request()
            self.non_stop = self.tile.begin_non_stop(self)
            self.state = State.NONSTOP
        elif not on and self.non_stop is not None:
            self.tile.end_non_stop(self)
            self.non_stop = None
            self.stop_queue.clear()
            self.state = State.IDLE

    def check_stopped(self, thread: int) -> None:
        """Raise TargetError if the client has this thread running: its registers cannot be
        written."""
        if self.non_stop is not None and self.non_stop.is_running(thread):
            name = self.selection.target.threads.thread_name(thread)
            raise TargetError(f"{name} runs: stop it first, with `interrupt`")

    # What handlers ask

    @property
    def target(self) -> Target:
        """The target as the client sees it."""
        return self.selection.target

    def knows(self, packet: type) -> bool:
        """True if packets of this kind are answered."""
        return dispatch.knows(packet, self.selection.target)

    def running_for(self) -> str:
        """Name the client for which the target runs; empty if it is stopped."""
        return self.tile.busy(self)

    def say(self, text: str) -> None:
        """Show what this client prints at a breakpoint, after what programs printed."""
        self.tile.say(self, text)

    def detached(self, threads: Sequence[int]) -> None:
        """Let go of these threads, which the client does not see any more."""
        if self.non_stop is not None:
            self.non_stop.detached(threads)
        else:
            self.tile.detached_some(self)

    def last_stop(self) -> Stopped:
        """Return why the target is stopped, as far as the client sees that thread."""
        return self.selection.seen(self.tile.last_stop())

    def notice_of(self, stop: Stopped) -> bytes:
        """Make a stop reply, and leave the current thread as it is."""
        return stop_reply(self, stop)

    def stop_reply(self, stop: Stopped) -> bytes:
        """Make a stop reply; its thread becomes the client's current one."""
        self.selection.general_thread = stop.thread
        self.selection.selected = 0
        return stop_reply(self, stop)

    # The end

    @property
    def ended(self) -> bool:
        """True if the client has left."""
        return self.state is State.ENDED

    def end(self, *, reset: bool = False) -> None:
        """Leave: what the client inserted is removed, the tile is told."""
        if self.state is not State.ENDED:
            self.forget_request()
            self.state = State.ENDED
            self.stream.acks = False  # nothing more is sent
            if TABLE[self.state, Event.BACKLOG] is Reaction.DROP:
                self._packets.clear()
            self.core_file = b""
            self.tile.disconnect(self, reset=reset)
            self.non_stop = None
