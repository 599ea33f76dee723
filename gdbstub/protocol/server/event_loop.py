# SPDX-License-Identifier: Apache-2.0
"""Run the event loop of a command, and end it in order when a signal asks for that."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Awaitable, Callable

import trio

from tensix_gdb.gdbstub.signals import heard
from tensix_gdb.gdbstub.usage import leaves


def run_until_asked(main: Callable[[], Awaitable[object]], *more: int) -> None:
    """Run `main` until its end, or cancel it when SIGTERM, SIGHUP or one of `more` comes.

    An exception in the middle of a cycle would leave half of it done, and a recording of that
    cannot be replayed. So a signal only cancels, which is noticed between two slices. Where that
    hangs, the second Ctrl-C raises. Want of memory is raised by itself, not in a group.
    """
    scope = trio.CancelScope()
    loop: trio.lowlevel.TrioToken | None = None
    is_asked = False

    def hear(number: int) -> None:
        nonlocal is_asked
        is_asked = True
        if number == signal.SIGINT:
            signal.signal(number, signal.default_int_handler)
        if loop is not None:
            with contextlib.suppress(trio.RunFinishedError):
                loop.run_sync_soon(scope.cancel)

    async def cancelled_when_asked() -> None:
        nonlocal loop
        loop = trio.lowlevel.current_trio_token()
        with scope:
            if is_asked:
                scope.cancel()
            await main()

    with heard(hear, *more):
        try:
            trio.run(cancelled_when_asked)
        except BaseExceptionGroup as group:
            if any(isinstance(error, MemoryError) for error in leaves(group)):
                raise MemoryError from None
            raise
