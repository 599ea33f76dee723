# SPDX-License-Identifier: Apache-2.0
"""Requests to regions: from a hart's load or store to the device that processes it.

Every access of a hart that is not L1 or its own local RAM comes through `read` and `write`. In the
schedule `sc` a request is processed in the cycle in which it is emitted; the two are still
separate steps here, because the ordering model puts per-core queues between them.

devices.py has what a device consists of. One that returns WAIT has done nothing but note what it
waits for (core/stall.py); it is asked again.

The hart may have issued further instructions since: devices take the origin of what they note from
`request.pc`, and never from `hart.pc`.
"""

from collections.abc import Callable

from tensix_gdb.core.arch.chips import CHIPS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.memory.map import region_on
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.core.stop import WAIT, fault

Read = Callable[[View, int, int, int], int]
Write = Callable[[View, int, int, int, int], int]
Peek = Callable[[View, int, int], int]


def _unmapped_read(S: View, hart: int, addr: int, size: int) -> int:
    return fault(S, hart, Fault.LOAD_UNMAPPED, addr, size)


def _unmapped_write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    return fault(S, hart, Fault.STORE_UNMAPPED, addr, size)


def _no_peek(S: View, hart: int, addr: int) -> int:
    return -1


# By region. L1 and LOCAL never come here: harts access them without a request.
_MODULES = tuple(device.load(chip) for chip in range(CHIPS) for device in DEVICES)
REGIONS = len(DEVICES)  # of a chip; those of the next one follow
READ: tuple[Read, ...] = tuple(
    _unmapped_read if module is None else module.read for module in _MODULES
)
WRITE: tuple[Write, ...] = tuple(
    _unmapped_write if module is None else module.write for module in _MODULES
)
PEEK: tuple[Peek, ...] = tuple(getattr(module, "peek", _no_peek) for module in _MODULES)
# By region of a chip: compiled code of one chip has no devices of the other one.
_ON_BLACKHOLE, _ON_WORMHOLE = WRITE[:REGIONS], WRITE[REGIONS:]


def number_of(S: View, hart: int, addr: int) -> int:
    """Return the place in READ, WRITE and PEEK of what `hart` has at `addr`."""
    return S.tile.chip * REGIONS + region_on(S, hart, addr)


def read(S: View, hart: int, addr: int, size: int, origin: int) -> int:
    """Process a load of `size` bytes that the instruction at `origin` has made; the value,
    zero-extended, or a negative status."""
    S.request.pc = origin
    value = READ[number_of(S, hart, addr)](S, hart, addr, size)
    if value != WAIT:
        S.hart.waits_for[hart] = WaitsFor.NOTHING
    return value


def write(S: View, hart: int, addr: int, size: int, value: int, origin: int) -> int:
    """Process a store of the low `size` bytes of `value` that the instruction at `origin` has made;
    0 or a negative status."""
    S.request.pc = origin
    region = region_on(S, hart, addr)
    if S.tile.chip:
        status = _ON_WORMHOLE[region](S, hart, addr, size, value)
    else:
        status = _ON_BLACKHOLE[region](S, hart, addr, size, value)
    if status != WAIT:
        S.hart.waits_for[hart] = WaitsFor.NOTHING
    return status


def write_to(S: View, hart: int, addr: int, size: int, value: int, origin: int, REGION: int) -> int:
    """`write`, of an address that is in REGION, which is known when it is compiled."""
    S.request.pc = origin
    status = WRITE[S.tile.chip * REGIONS + REGION](S, hart, addr, size, value)
    if status != WAIT:
        S.hart.waits_for[hart] = WaitsFor.NOTHING
    return status


def peek(S: View, hart: int, addr: int) -> int:
    """Return the 32-bit register at `addr`, a multiple of 4, as a debugger sees it; -1 if it
    cannot."""
    return PEEK[number_of(S, hart, addr)](S, hart, addr)


INLINED = (write_to,)
