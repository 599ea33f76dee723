# SPDX-License-Identifier: Apache-2.0
"""Stops of the machine as the protocol has them."""

from __future__ import annotations

from functools import lru_cache

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.stop import Stop, StopKind, WatchKind
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped, Watch
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of, thread_of_tensix

_WATCH = {
    WatchKind.WRITE: Watch.WRITE,
    WatchKind.READ: Watch.READ,
    WatchKind.ACCESS: Watch.ACCESS,
}

_ILL = (Fault.ILLEGAL_INSTRUCTION, Fault.MRET_WITHOUT_INTERRUPTS,
        Fault.UNKNOWN_CSR, Fault.UNIMPLEMENTED_CSR, Fault.PUSH_INVALID)  # fmt: skip
_BUS = (Fault.LOAD_MISALIGNED, Fault.STORE_MISALIGNED, Fault.FETCH_MISALIGNED, Fault.LOAD_WIDTH,
        Fault.STORE_WIDTH)  # fmt: skip


def signal_of(stop: Stop) -> Signal:
    """Return the signal that says most about a stop: SIGTRAP unless something is wrong."""
    if stop.kind is not StopKind.FAULT:
        return Signal.TRAP
    if stop.code in _ILL:
        return Signal.ILL
    return Signal.BUS if stop.code in _BUS else Signal.SEGV


def stopped(stop: Stop) -> Stopped:
    """Return a machine's stop as a client is told of it.

    Breakpoints, watchpoints and steps speak for themselves in every client; the rest comes with
    its sentence, and so does all that is about a Tensix thread but a step.
    """
    return _remembered(stop) if not stop.text else _stopped(stop)


def _stopped(stop: Stop) -> Stopped:
    watch = None
    if stop.kind is StopKind.WATCH and stop.addr is not None:
        assert stop.access is not None
        watch = _WATCH[stop.access], stop.addr
    if stop.thread is not None:
        text = "" if stop.kind is StopKind.STEP else stop.text
        return Stopped(thread_of_tensix(stop.thread), signal_of(stop), watch=watch, text=text)
    quiet = stop.kind in (StopKind.BREAK, StopKind.WATCH, StopKind.STEP) and not stop.is_over
    return Stopped(
        thread_of(stop.hart),
        signal_of(stop),
        breakpoint=stop.pc if stop.kind is StopKind.BREAK else None,
        watch=watch,
        text="" if quiet else stop.text,
    )


_remembered = lru_cache(maxsize=256)(_stopped)  # a tile stops at the same places again and again
