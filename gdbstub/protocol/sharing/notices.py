# SPDX-License-Identifier: Apache-2.0
"""The notices of runs to the clients of one tile: each as far as it is theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.session.states import LOOKING, State
from tensix_gdb.gdbstub.protocol.target import Action, Signal, Stopped

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient


def join_run(session: ServedClient, name: str, actions: Mapping[int, Action]) -> None:
    """Tell a client that wants the target to run that it runs for `name` already."""
    if any(action.steps for action in actions.values()):
        text = f"The tile runs for {name}: no step is possible until it stops."
        session.stopped(Stopped(session.selection.general_thread, Signal.NONE, text=text))
    else:
        session.show(f"The tile runs for {name} already; waiting for its stop.\n")


def thread_to_show(session: ServedClient, running: Sequence[int]) -> int:
    """Choose the thread that an interrupt reports to a client: one that runs, if there is one.

    In order: a thread that the client steps, the one that its user has selected, the current one,
    the one that stopped last. The current one comes late because GDB leaves it at the last thread
    of `info threads`.
    """
    stepped = [thread for thread, action in session.actions.items() if action.steps]
    chosen = (
        session.selection.selected,
        session.selection.general_thread,
        session.last_stop().thread,
    )
    wanted = (*stepped, *chosen, *running)
    shown = (
        candidate
        for candidate in wanted
        if candidate in running and session.selection.sees(candidate)
    )
    return next(shown, session.selection.general_thread)


def client_to_ask(
    waiting: Sequence[ServedClient], driver: ServedClient | None, stop: Stopped
) -> ServedClient:
    """Choose the client for which the tile runs; at harts' ports the one that sees the hart."""
    return min(
        waiting, key=lambda client: (not client.selection.sees(stop.thread), client is not driver)
    )


def tell_lookers(sessions: Sequence[ServedClient], name: str, began: int, now: int) -> None:
    """Tell the clients that do not wait of a run: at their next run or `monitor` command."""
    for session in sessions:
        if session.state in LOOKING:
            session.console.news = (
                f"While you looked, the tile ran for {name}, last from cycle {began} to {now}: "
                "what you saw before is old.\n"
            )


def tell_stop(
    sessions: Sequence[ServedClient],
    stop: Stopped,
    known: Mapping[ServedClient, Stopped],
    news: str,
) -> None:
    """Tell all clients that wait for it of a stop: what is `known` of it to each, otherwise the
    `news` if it is news."""
    waiting = [session for session in sessions if session.state is State.RUNNING]
    concerned = [session for session in waiting if session.selection.sees(stop.thread)]
    # A stop that concerns none of them concerns all.
    for session in concerned or waiting:
        told = known.get(session)
        if told is None:
            told = as_seen_by(sessions, session, replace(stop, text=news) if news else stop)
        session.stopped(told)


def as_seen_by(sessions: Sequence[ServedClient], session: ServedClient, stop: Stopped) -> Stopped:
    """Turn a stop into what it is to one client: a breakpoint or watchpoint of another client is
    news, not a hit."""
    if not session.selection.sees(stop.thread):
        name = session.tile.target.threads.thread_name(stop.thread)
        text = f"{name} has stopped the tile. {stop.text}".rstrip()
        action = session.actions.get(session.selection.general_thread)
        # To GDB a SIGTRAP would be the end of the thread's own step, and it would step on.
        stepping = action is not None and action.steps
        signal = Signal.NONE if stepping else stop.signal
        return Stopped(session.selection.general_thread, signal, text=text)
    if stop.breakpoint is not None:
        addr = stop.breakpoint
        if not _has_break(session, stop, addr):
            names = [client.name for client in sessions if _has_break(client, stop, addr)]
            text = f"A breakpoint of {', '.join(names)} at {addr:#010x}."
            return replace(stop, breakpoint=None, text=text)
    elif stop.watch is not None:
        addr = stop.watch[1]
        if not session.selection.has_watch(addr):
            names = [client.name for client in sessions if client.selection.has_watch(addr)]
            text = f"A watchpoint of {', '.join(names)} at {addr:#010x}."
            return replace(stop, watch=None, text=text)
    return stop


def _has_break(session: ServedClient, stop: Stopped, addr: int) -> bool:
    """True if the stop at `addr` is one at a breakpoint of this client."""
    has_break = session.selection.has_break
    return has_break(0, addr, stop.thread) or has_break(1, addr, stop.thread)
