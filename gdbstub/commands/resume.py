# SPDX-License-Identifier: Apache-2.0
"""c, s, C, S, bs, bc, vCont;c, vCont;s, vCont;r, vCont;t, vCtrlC, ?: run, step, stop reasons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.handler import REVERSE, handles
from tensix_gdb.gdbstub.commands.outcome import Interrupt, Resume
from tensix_gdb.gdbstub.rsp.grammar import Pattern, ThreadId
from tensix_gdb.gdbstub.rsp.packet import Malformed
from tensix_gdb.gdbstub.rsp.packets import execution as packets
from tensix_gdb.gdbstub.target import NOTHING_RECORDED, Action, ResumeKind, TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.capabilities import Reverse
    from tensix_gdb.gdbstub.session import Session

ACTIONS = b"vCont;c;C;s;S;t;r"

NO_PROCESS = b"W00"  # how clients are told that there is nothing yet to debug
MASK32 = 0xFFFFFFFF

_RANGE = Pattern("r{start:hex},{end:hex}")  # vCont;r: step through a range
_SIGNAL = Pattern("{letter:char}{signal:hex}")
_THREAD = Pattern("{thread:thread}")


def why(session: Session, packet: packets.HaltReason) -> bytes:
    if session.non_stop is not None:
        return session.stop_queue.restart(session.non_stop.all_stopped())
    if not session.target.threads.thread_ids():
        return NO_PROCESS
    return session.stop_reply(session.last_stop())


def _chosen_threads(session: Session, kind: ResumeKind, addr: int | None) -> Resume:
    """c and s: the thread chosen by `Hc` does it. `Hc-1` or none: all, or the current one."""
    _check_mode(session)
    chosen = _chosen(session)
    current = chosen[0]
    if addr is not None:
        if session.tile.busy(session):
            raise Malformed("the tile runs already: it cannot continue from another address")
        session.target.registers.write_pc(current, addr)
    actions = {current: Action(kind)}
    for other in chosen:
        actions.setdefault(other, Action(ResumeKind.CONTINUE))
    return Resume(actions)


def _check_mode(session: Session) -> None:
    if session.non_stop is not None:
        raise TargetError("in non-stop mode threads go forward, each by vCont: set non-stop off")


def _chosen(session: Session) -> Sequence[int]:
    """The threads that `Hc` chose, the current one first."""
    wanted = session.selection.resume_threads
    chosen = session.selection.threads_named(ThreadId(wanted.tid or -1, wanted.pid))
    current = session.selection.general_thread
    return [current, *chosen] if current in chosen else chosen


def continue_threads(session: Session, packet: packets.Continue | packets.ContinueSignal) -> Resume:
    return _chosen_threads(session, ResumeKind.CONTINUE, packet.addr)


def step(session: Session, packet: packets.Step | packets.StepSignal) -> Resume:
    return _chosen_threads(session, ResumeKind.STEP, packet.addr)


def back(
    session: Session, reverse: Reverse, packet: packets.ReverseStep | packets.ReverseContinue
) -> Resume:
    """bs and bc: the whole tile goes back. TargetError without a history: GDB would wait forever
    after an empty reply."""
    _check_mode(session)
    if not reverse.recording():
        raise TargetError(NOTHING_RECORDED)
    current = _thread_that_goes_back(session)
    if isinstance(packet, packets.ReverseStep):
        return Resume({current: Action(ResumeKind.REVERSE_STEP)})
    return Resume({current: Action(ResumeKind.REVERSE_CONTINUE)})


def _thread_that_goes_back(session: Session) -> int:
    """The thread that `bs` and `bc` are about. GDB names none of several processes (`Hc0`), and
    leaves the current thread at the one where it has inserted a breakpoint last. It is the one that
    its user has selected, or that has stopped."""
    chosen = _chosen(session)
    if session.selection.attachment is not None and session.selection.resume_threads.tid in (0, -1):
        for thread in (session.selection.selected, session.last_stop().thread):
            if thread in chosen:
                return thread
    return chosen[0]


def query(session: Session, packet: packets.VContQuery) -> bytes:
    return ACTIONS


def vcont(session: Session, packet: packets.VCont) -> Resume:
    """Each thread does the first action that names it; one without a thread names all."""
    ids = session.target.threads.thread_ids()
    actions: dict[int, Action] = {}
    moves = False
    for action, thread in _actions(packet.actions):
        for thread_id in ids if thread is None else session.selection.threads_named(thread):
            if thread_id not in actions:
                actions[thread_id] = action
                moves = moves or action.kind is not ResumeKind.STOP
    if not ids:
        raise TargetError("no process is attached: nothing would run")
    if not moves and session.non_stop is None:
        raise Malformed("every thread is held: nothing would ever stop")
    return Resume(actions)


@lru_cache(maxsize=256)
def _actions(text: str) -> tuple[tuple[Action, ThreadId | None], ...]:
    """The actions in order, each with the thread that it names."""
    actions = []
    for part in text.split(";"):
        letter, _, thread = part.partition(":")
        action = _action(letter.encode("utf-8"))
        if action is None:
            raise Malformed(f"vCont knows no action {letter!r}; it knows c C s S t r")
        named = _THREAD.parse(thread.encode("utf-8")) if thread else (None,)
        if named is None:
            raise Malformed(f"{thread!r} is no thread")
        actions.append((action, named[0]))
    return tuple(actions)


def _action(text: bytes) -> Action | None:
    match text:
        case b"c":
            return Action(ResumeKind.CONTINUE)
        case b"s":
            return Action(ResumeKind.STEP)
        case b"t":
            return Action(ResumeKind.STOP)
    fields = _RANGE.parse(text)
    if fields is not None:
        start, end = fields
        if max(start, end) > MASK32:
            return None
        return Action(ResumeKind.RANGE, start, end)
    fields = _SIGNAL.parse(text)
    if fields is not None and fields[0] in "CS":
        return Action(ResumeKind.CONTINUE if fields[0] == "C" else ResumeKind.STEP)
    return None


def interrupt(session: Session, packet: packets.VCtrlC) -> Interrupt:
    return Interrupt()


HANDLERS = (
    handles(packets.HaltReason, why),
    handles(packets.Continue, continue_threads),
    handles(packets.ContinueSignal, continue_threads),
    handles(packets.Step, step),
    handles(packets.StepSignal, step),
    REVERSE.handles(packets.ReverseStep, back, changes=True, told=True),
    REVERSE.handles(packets.ReverseContinue, back, changes=True, told=True),
    handles(packets.VContQuery, query),
    handles(packets.VCont, vcont),
    handles(packets.VCtrlC, interrupt),
)
