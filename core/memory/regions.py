# SPDX-License-Identifier: Apache-2.0
"""Requests to regions: from a hart's load or store to the device that processes it.

Every access of a hart that is not L1 or its own local RAM comes through `read` and `write`. In the
schedule `sc` a request is processed in the cycle in which it is emitted; the two are still
separate steps here, because the ordering model puts per-core queues between them.

A device is three functions: `read`, `write` (with their side effects) and `peek` (what a debugger
may see: no side effect, -1 where looking is not possible).
A read returns the value, or WAIT or STOPPED. A write returns 0, WAIT or STOPPED. A device that
returns WAIT has done nothing but note what it waits for (core/stall.py); it is asked again.

The hart may have issued further instructions since: devices take the origin of what they note from
`request.pc`, and never from `hart.pc`.
"""

from tensix_gdb.core.devices import (
    backend_config,
    dst_window,
    gprs,
    mailboxes,
    mop_config,
    niu,
    overlay,
    pcbufs,
    pic,
    push,
    tdma,
    tile_control,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.map import Region, region_of, slow_local_offset
from tensix_gdb.core.memory.ram import local_read, local_write
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.core.stop import WAIT, fault


def _unmapped_read(S: View, hart: int, addr: int, size: int) -> int:
    return fault(S, hart, Fault.LOAD_UNMAPPED, addr, size)


def _unmapped_write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    return fault(S, hart, Fault.STORE_UNMAPPED, addr, size)


def _slow_local_read(S: View, hart: int, addr: int, size: int) -> int:
    offset = slow_local_offset(addr)
    if size == 4:
        return local_read(S, offset, 4, 0)
    if size == 2:
        return local_read(S, offset, 2, 0)
    return local_read(S, offset, 1, 0)


def _slow_local_write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    offset = slow_local_offset(addr)
    if size == 4:
        return local_write(S, offset, value, 4)
    if size == 2:
        return local_write(S, offset, value, 2)
    return local_write(S, offset, value, 1)


def _no_peek(S: View, hart: int, addr: int) -> int:
    return -1


# One row per Region, in the order of their numbers. L1 and LOCAL never come here.
# fmt: off
READ = (
    _unmapped_read,       _unmapped_read,    _unmapped_read,   _slow_local_read,
    tdma.read,            tile_control.read, pic.read,         niu.read,         niu.read,
    overlay.read,         mop_config.read,   dst_window.read,  gprs.read,
    push.read,            pcbufs.read,       mailboxes.read,   backend_config.read,
)
WRITE = (
    _unmapped_write,      _unmapped_write,    _unmapped_write,  _slow_local_write,
    tdma.write,           tile_control.write, pic.write,        niu.write,        niu.write,
    overlay.write,        mop_config.write,   dst_window.write, gprs.write,
    push.write,           pcbufs.write,       mailboxes.write,  backend_config.write,
)
PEEK = (
    _no_peek,             _no_peek,           _no_peek,         _no_peek,
    tdma.peek,            tile_control.peek,  pic.peek,         niu.peek,         niu.peek,
    overlay.peek,         mop_config.peek,    dst_window.peek,  gprs.peek,
    _no_peek,             pcbufs.peek,        mailboxes.peek,   backend_config.peek,
)
# fmt: on
assert len(READ) == len(WRITE) == len(PEEK) == len(Region)


def read(S: View, hart: int, addr: int, size: int, origin: int) -> int:
    """Process a load of `size` bytes that the instruction at `origin` has made; the value,
    zero-extended, or a negative status."""
    S.request.pc = origin
    value = READ[region_of(hart, addr)](S, hart, addr, size)
    if value != WAIT:
        S.hart.waits_for[hart] = WaitsFor.NOTHING
    return value


def write(S: View, hart: int, addr: int, size: int, value: int, origin: int) -> int:
    """Process a store of the low `size` bytes of `value` that the instruction at `origin` has made;
    0 or a negative status."""
    S.request.pc = origin
    status = WRITE[region_of(hart, addr)](S, hart, addr, size, value)
    if status != WAIT:
        S.hart.waits_for[hart] = WaitsFor.NOTHING
    return status


def peek(S: View, hart: int, addr: int) -> int:
    """The 32-bit register at `addr`, a multiple of 4, as a debugger sees it; -1 if it cannot."""
    return PEEK[region_of(hart, addr)](S, hart, addr)
