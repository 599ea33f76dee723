# SPDX-License-Identifier: Apache-2.0
"""The driver of a session: it has packets handled, and does what their handlers want done.

A handler returns an outcome (gdbstub.protocol.commands.outcome). Here alone the reply is sent, the
tile resumed, the session ended, after the handler has returned: a stop that comes at once meets a
session that waits for it.

A packet is answered exactly once: by its handler, by an error, or by the empty reply if it is not
known; `k` and `R` have no answer, and a packet that comes while the client should wait is answered
after the stop reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import assert_never

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.client.packet_stream import Refused
from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.commands.outcome import (
    Close,
    Deferred,
    Detach,
    FileAnswer,
    Interrupt,
    NoReply,
    Outcome,
    Packets,
    Resume,
    Started,
)
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed, parse
from tensix_gdb.gdbstub.protocol.rsp.packets import execution
from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient
from tensix_gdb.gdbstub.protocol.session.states import TABLE, Event, Reaction, State
from tensix_gdb.gdbstub.protocol.target import Action, Signal, Stopped, Target, TargetError

SHORT = 64  # bytes of a payload that is worth remembering: clients send the same ones again


@dataclass(frozen=True, slots=True)
class Request:
    """A payload, and what it asks for; with a `fault` its fields are not what they have to be."""

    payload: bytes
    event: Event
    packet: object = None
    fault: str = ""


def request(payload: bytes) -> Request:
    """Parse a payload. Short ones are remembered."""
    return _remembered(payload) if len(payload) <= SHORT else _request(payload)


def _request(payload: bytes) -> Request:
    try:
        packet = parse(payload)
    except Malformed as problem:
        return Request(payload, _event(payload), fault=str(problem))
    is_file_reply = isinstance(packet, execution.FileReply)
    return Request(payload, Event.FILE_REPLY if is_file_reply else _event(payload), packet)


_remembered = lru_cache(maxsize=4096)(_request)


def _event(payload: bytes) -> Event:
    """Urgent packets are answered while the client waits for a stop: it leaves, or interrupts."""
    is_urgent = payload in (b"k", b"D", b"vCtrlC") or payload.startswith(b"D;")
    return Event.URGENT if is_urgent else Event.PACKET


def knows(packet: type, target: Target) -> bool:
    """True if packets of this kind are answered for this target."""
    return packet in HANDLERS and HANDLERS[packet].available(target)


def answer(session: ServedClient, item: Request | Refused) -> None:
    """Answer a packet."""
    if isinstance(item, Refused):
        session.stream.send(replies.error(item.text, session.features.errors, item.number))
        return
    session.current = item.payload
    if session.before_next is not None:
        due, session.before_next = session.before_next, None
        due()
    try:
        outcome = _handle(session, item)
        if isinstance(outcome, bytes):
            session.stream.send(outcome)
        else:
            _apply(session, outcome)
    except Malformed as problem:
        style = _style(session, item)
        session.stream.send(replies.error(str(problem), style, replies.E_MALFORMED))
    except TargetError as problem:
        session.stream.send(replies.error(str(problem), _style(session, item)))
    except Exception as problem:
        packet = item.payload[:40].decode("latin-1")
        text = session.tile.defects.note(problem, f"at the packet {packet!r}")
        session.stream.send(replies.error(text, _style(session, item)))


def _handle(session: ServedClient, wanted: Request) -> Outcome:
    """Call the packet's handler. What its handler wants done is still to be done."""
    if wanted.fault:
        raise Malformed(wanted.fault)
    handler = HANDLERS.get(type(wanted.packet))
    if handler is None:
        return replies.EMPTY
    if not handler.changes:
        return handler.answer(session, wanted.packet)
    if not handler.available(session.target):
        return replies.EMPTY
    if driver := session.tile.busy(session):
        raise TargetError(f"the tile runs for {driver}: it can be looked at, not changed")
    session.tile.about_to_change()
    try:
        return handler.answer(session, wanted.packet)
    finally:
        session.tile.changed()


def _style(session: ServedClient, failed: Request) -> replies.ErrorStyle:
    """Choose how the client is told that a packet failed. A GDB before feature error-message shows
    the text of an `E.` reply to some packets; to others it would take it for data."""
    wanted = session.features.errors
    if wanted is not replies.ErrorStyle.NUMBER or not session.features.swbreak:
        return wanted
    handler = HANDLERS.get(type(failed.packet))
    return replies.ErrorStyle.TEXT if handler is not None and handler.told else wanted


def _apply(session: ServedClient, outcome: Deferred) -> None:
    """Apply what a handler has returned."""
    match outcome:
        case Resume(actions):
            _resume(session, actions)
        case Packets(payloads):
            for payload in payloads:
                session.stream.send(payload)
        case FileAnswer():
            _continue_call(session, outcome)
        case Started(stop):
            _start(session, stop)
        case Interrupt():
            session.stream.send(replies.OK)
            session.interrupt()
        case Detach():
            _detach(session)
            session.stream.send(replies.OK)
        case Close(reply, reset):
            if reply is not None:
                session.stream.send(reply)
            session.end(reset=reset)
        case NoReply():
            pass
        case _:
            assert_never(outcome)


def _resume(session: ServedClient, actions: Mapping[int, Action]) -> None:
    """Let the target run until it stops. The first slice of the run is run here: a step has ended
    then, and costs no turn of the event loop."""
    session.tile.defects.check()
    if session.non_stop is not None:
        session.stream.send(replies.OK)
        session.non_stop.resume(actions)
        return
    session.forget_request()
    if session.report_kept_exit():
        return
    session.actions = actions
    if session.selection.attachment is not None:
        session.old_steps.resumed(actions)
    session.state = State.RUNNING
    if session.console.news:
        session.show(session.console.take_news())
    is_interrupted = session.take_interrupt()
    try:
        begins = session.tile.resume(session, actions)
    except Exception:
        session.state = State.IDLE
        raise
    if is_interrupted:
        session.interrupt()
    elif begins:
        session.tile.advance()


def _continue_call(session: ServedClient, answer: FileAnswer) -> None:
    """Let the target continue with the answer to a program's call, or join the run of the client
    that was asked since."""
    match TABLE[session.state, Event.FILE_REPLY]:
        case Reaction.RESUME:
            session.state = State.RUNNING
            is_interrupted = session.take_interrupt() or answer.interrupted
            if session.tile.answered(session, answer.result, interrupted=is_interrupted):
                session.tile.advance()
        case Reaction.WAIT:
            session.state = State.RUNNING
            session.tile.rejoin(session)
            if session.state is State.RUNNING and (session.take_interrupt() or answer.interrupted):
                session.interrupt()
        case _:
            raise Malformed("nothing was asked for")


def _start(session: ServedClient, stop: Stopped) -> None:
    """Reply that a program is stopped at its entry, in non-stop mode too; the threads that are
    there besides are announced."""
    session.stream.send(session.stop_reply(stop))
    if session.non_stop is not None:
        others = [t for t in session.selection.siblings_of(stop.thread) if t != stop.thread]
        session.non_stop.started(stop.thread, others)


def _detach(session: ServedClient) -> None:
    """Leave the tile and stay connected: what the client inserted is removed. What it waits for is
    answered first: its run is over."""
    if session.non_stop is not None:
        session.stop_queue.clear()
        session.tile.detach(session)
        return
    session.forget_request()
    while session.state is State.RUNNING:
        session.state = State.IDLE
        session.tile.detach(session)
        session.state = State.RUNNING
        session.stopped(Stopped(session.selection.general_thread, Signal.NONE))
        session.answer_all_kept()
    session.state = State.IDLE
    session.tile.detach(session)
