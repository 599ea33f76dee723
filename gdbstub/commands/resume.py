# SPDX-License-Identifier: Apache-2.0
"""c, s, C, S, vCont, vCtrlC, ?: running and why it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdbstub.commands.handler import Handler
from gdbstub.rsp import packets, replies
from gdbstub.rsp.grammar import Pattern, parse_thread
from gdbstub.target import Action, Do

if TYPE_CHECKING:
    from gdbstub.session import Session

ACTIONS = b"vCont;c;C;s;S;t;r"

_RANGE = Pattern("r{start:hex},{end:hex}")
_SIGNAL = Pattern("{letter:char}{signal:hex}")
_THREAD = Pattern("{thread:thread}")


def why(session: Session, packet: packets.WhyStopped) -> bytes:
    return session.stop_reply(session.tile.last_stop())


def _resume_focus(session: Session, do: Do, addr: int | None) -> None:
    """c and s: the thread chosen by `Hc` does it. `Hc-1` or none: everybody, or who is current."""
    thread = session.resume_thread
    everybody = thread in (-1, 0)
    current = session.general_thread if everybody else thread
    if addr is not None:
        session.target.registers.write_register(current, PC, addr.to_bytes(4, "little"))
    actions = {current: Action(do)}
    if everybody:
        for other in session.target.threads.thread_ids():
            actions.setdefault(other, Action(Do.CONTINUE))
    session.resume(actions)


PC = 32


def go_on(session: Session, packet: packets.Continue | packets.ContinueSignal) -> bytes | None:
    if packet.addr is not None and packet.addr > 0xFFFFFFFF:
        return replies.E_MALFORMED
    _resume_focus(session, Do.CONTINUE, packet.addr)
    return None


def step(session: Session, packet: packets.Step | packets.StepSignal) -> bytes | None:
    if packet.addr is not None and packet.addr > 0xFFFFFFFF:
        return replies.E_MALFORMED
    _resume_focus(session, Do.STEP, packet.addr)
    return None


def query(session: Session, packet: packets.VContQuery) -> bytes:
    return ACTIONS


def vcont(session: Session, packet: packets.VCont) -> bytes | None:
    """Each thread does the first action that names it; one without a thread names all."""
    ids = session.target.threads.thread_ids()
    actions: dict[int, Action] = {}
    for text in packet.actions.split(";"):
        letter, _, thread = text.partition(":")
        action = _action(letter.encode("utf-8"))
        if action is None:
            return replies.E_MALFORMED
        if not thread:
            named = list(ids)
        else:
            if _THREAD.parse(thread.encode("utf-8")) is None:
                return replies.E_MALFORMED
            wanted = parse_thread(thread.encode("ascii"))
            named = list(ids) if wanted.tid == -1 else [session.one_thread(wanted)]
        for one in named:
            actions.setdefault(one, action)
    if all(action.do is Do.HOLD for action in actions.values()):
        # Nothing would run, so nothing would ever stop.
        return replies.E_MALFORMED
    session.resume(actions)
    return None


def _action(text: bytes) -> Action | None:
    match text:
        case b"c":
            return Action(Do.CONTINUE)
        case b"s":
            return Action(Do.STEP)
        case b"t":
            return Action(Do.HOLD)
    found = _RANGE.parse(text)
    if found is not None:
        return Action(Do.RANGE, found["start"] & 0xFFFFFFFF, found["end"] & 0xFFFFFFFF)
    found = _SIGNAL.parse(text)
    if found is not None and found["letter"] in "CS":
        return Action(Do.CONTINUE if found["letter"] == "C" else Do.STEP)
    return None


def interrupt(session: Session, packet: packets.VCtrlC) -> bytes:
    """Only reached while nothing runs for this client: then there is nothing to stop."""
    return replies.OK


HANDLERS = {
    packets.WhyStopped: Handler(why),
    packets.Continue: Handler(go_on),
    packets.ContinueSignal: Handler(go_on),
    packets.Step: Handler(step),
    packets.StepSignal: Handler(step),
    packets.VContQuery: Handler(query),
    packets.VCont: Handler(vcont),
    packets.VCtrlC: Handler(interrupt),
}
