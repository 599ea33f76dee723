# SPDX-License-Identifier: Apache-2.0
"""c, s, C, S, bs, bc, vCont;c, vCont;s, vCont;r, vCont;t, vCtrlC, ?: run, step, stop reasons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import REVERSE, handles
from tensix_gdb.gdbstub.protocol.commands.outcome import Interrupt, Resume
from tensix_gdb.gdbstub.protocol.rsp.grammar import Pattern, ThreadId
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import execution as packets
from tensix_gdb.gdbstub.protocol.target import NOTHING_RECORDED, Action, ResumeKind, TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import Reverse

ACTIONS = b"vCont;c;C;s;S;t;r"

NO_PROCESS = b"W00"  # how clients are told that there is nothing yet to debug
MASK32 = 0xFFFFFFFF

_RANGE = Pattern("r{start:hex},{end:hex}")  # vCont;r: step through a range
_SIGNAL = Pattern("{letter:char}{signal:hex}")
_THREAD = Pattern("{thread:thread}")


def why(client: Client, packet: packets.HaltReason) -> bytes:
    if client.non_stop is not None:
        return client.stop_queue.restart(client.non_stop.all_stopped())
    if not client.target.threads.thread_ids():
        return NO_PROCESS
    return client.stop_reply(client.last_stop())


def _chosen_threads(client: Client, kind: ResumeKind, addr: int | None) -> Resume:
    """c and s: the thread chosen by `Hc` does it. `Hc-1` or none: all, or the current one."""
    _check_mode(client)
    chosen = _chosen(client)
    current = chosen[0]
    if addr is not None:
        if client.running_for():
            raise Malformed("the tile runs already: it cannot continue from another address")
        client.target.registers.write_pc(current, addr)
    actions = {current: Action(kind)}
    for other in chosen:
        actions.setdefault(other, Action(ResumeKind.CONTINUE))
    return Resume(actions)


def _check_mode(client: Client) -> None:
    if client.non_stop is not None:
        raise TargetError("in non-stop mode threads go forward, each by vCont: set non-stop off")


def _chosen(client: Client) -> Sequence[int]:
    """Return the threads that `Hc` chose, the current one first."""
    wanted = client.selection.resume_threads
    chosen = client.selection.threads_named(ThreadId(wanted.tid or -1, wanted.pid))
    current = client.selection.general_thread
    return [current, *chosen] if current in chosen else chosen


def continue_threads(client: Client, packet: packets.Continue | packets.ContinueSignal) -> Resume:
    return _chosen_threads(client, ResumeKind.CONTINUE, packet.addr)


def step(client: Client, packet: packets.Step | packets.StepSignal) -> Resume:
    return _chosen_threads(client, ResumeKind.STEP, packet.addr)


def back(
    client: Client, reverse: Reverse, packet: packets.ReverseStep | packets.ReverseContinue
) -> Resume:
    """bs and bc: the whole tile goes back. TargetError without a history: GDB would wait forever
    after an empty reply."""
    _check_mode(client)
    if not reverse.recording():
        raise TargetError(NOTHING_RECORDED)
    current = _thread_that_goes_back(client)
    if isinstance(packet, packets.ReverseStep):
        return Resume({current: Action(ResumeKind.REVERSE_STEP)})
    return Resume({current: Action(ResumeKind.REVERSE_CONTINUE)})


def _thread_that_goes_back(client: Client) -> int:
    """Return the thread that `bs` and `bc` are about. GDB names none (`Hc0`), and leaves the
    current thread at the one of which it has read registers last, as an editor does with each, or
    where it has inserted a breakpoint. It is the one that its user has selected, or that has
    stopped."""
    chosen = _chosen(client)
    if client.selection.resume_threads.tid in (0, -1):
        for thread in (client.selection.selected, client.last_stop().thread):
            if thread in chosen:
                return thread
    return chosen[0]


def query(client: Client, packet: packets.VContQuery) -> bytes:
    return ACTIONS


def vcont(client: Client, packet: packets.VCont) -> Resume:
    """Each thread does the first action that names it; one without a thread names all."""
    ids = client.target.threads.thread_ids()
    actions: dict[int, Action] = {}
    moves = False
    for action, thread in _actions(packet.actions):
        for thread_id in ids if thread is None else client.selection.threads_named(thread):
            if thread_id not in actions:
                actions[thread_id] = action
                moves = moves or action.kind is not ResumeKind.STOP
    if not ids:
        raise TargetError("no process is attached: nothing would run")
    if not moves and client.non_stop is None:
        raise Malformed("every thread is held: nothing would ever stop")
    return Resume(actions)


@lru_cache(maxsize=256)
def _actions(text: str) -> tuple[tuple[Action, ThreadId | None], ...]:
    """Return the actions in order, each with the thread that it names."""
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


def interrupt(client: Client, packet: packets.VCtrlC) -> Interrupt:
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
