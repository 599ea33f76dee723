# SPDX-License-Identifier: Apache-2.0
"""Address counters of unpackers and packers (ADCs.md), and how instructions move them.

Each Tensix thread has counters for Unpacker 0, Unpacker 1 and the packers; each of them two
channels with X, Y, Z and W, and for each of these the value that "carriage return" goes back to.
Counters wrap at their width: X has 18 bits, Y 13. Z and W have 13 bits on Blackhole and 8 on
Wormhole, as the newest version of the page says; of channel 0's, an unpacker's input address has
only the low eight bits on Blackhole too (INPUT_ZW). This is settled by the page (commit acaf010);
Tenstorrent's simulator has eight bits on both chips, as older versions of the page have.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, View, row

UNPACKER_0, UNPACKER_1, PACKERS = range(3)
X, Y, Z, W = range(4)
MASKS = (0x3FFFF, 0x1FFF, 0x1FFF, 0x1FFF)
INPUT_ZW = 0xFF
MASKS_WORMHOLE = (0x3FFFF, 0x1FFF, 0xFF, 0xFF)
_SHAPE = (THREADS, 3, 2, 4)

ADC = Part("adc", (
    row("value", "u32", _SHAPE, Tag.ARCHITECTURAL, "[thread, unit, channel, XYZW]: the counters",
        marks=Mark.STEERS),
    row("cr",    "u32", _SHAPE, Tag.ARCHITECTURAL, "what carriage return goes back to",
        role=Role.DATA),
), role=Role.SETTING, chapter=Chapter.CONTROL)  # fmt: skip


def mask(S: View, axis: int) -> int:
    """Return the bits of a counter."""
    return MASKS_WORMHOLE[axis] if S.tile.chip else MASKS[axis]


def counters_of(thread: int, thread_override: int) -> int:
    """Return the thread of the counters that an instruction means: 0 stands for its own."""
    return thread_override - 1 if thread_override else thread


def set_counter(S: View, thread: int, unit: int, channel: int, axis: int, value: int) -> int:
    """Set a counter and its carriage return value."""
    S.adc.value[thread, unit, channel, axis] = value & mask(S, axis)
    S.adc.cr[thread, unit, channel, axis] = value & mask(S, axis)
    return 0


def add_to_counter(S: View, thread: int, unit: int, channel: int, axis: int, by: int) -> int:
    """Add to a counter."""
    value = S.adc.value[thread, unit, channel, axis] + by
    S.adc.value[thread, unit, channel, axis] = value & mask(S, axis)
    return 0


def carriage_return(S: View, thread: int, unit: int, channel: int, axis: int, by: int) -> int:
    """Add to a carriage return value, and set the counter to it."""
    return set_counter(S, thread, unit, channel, axis, S.adc.cr[thread, unit, channel, axis] + by)


def place(thread: int, unit: int, channel: int, cr: int, axis: int) -> int:
    """Return a counter, or its carriage return value, as one number; there is no thread 3 and no
    unit 3."""
    return thread << 6 | unit << 4 | channel << 3 | cr << 2 | axis


def set_at(S: View, at: int, value: int) -> int:
    """Set what `place` names."""
    thread = at >> 6
    unit = (at >> 4) & 3
    axis = at & 3
    if thread == 3 or unit == 3:
        return 0
    if (at >> 2) & 1:
        S.adc.cr[thread, unit, (at >> 3) & 1, axis] = value & mask(S, axis)
    else:
        S.adc.value[thread, unit, (at >> 3) & 1, axis] = value & mask(S, axis)
    return 0


def set_some(S: View, thread: int, units: int, axis: int, values: int, chosen: int) -> int:
    """Set each of four counters that has its bit in `chosen` set.

    `units` has a bit for each unit. The four are `axis` and the next one of channel 0, then those
    of channel 1; `values` has three bits for each.
    """
    for i in range(12):
        unit = i >> 2
        which = i & 3
        if (units >> unit) & 1 and (chosen >> which) & 1:
            value = (values >> (3 * which)) & 7
            set_counter(S, thread, unit, which >> 1, axis + (which & 1), value)
    return 0


def add_to_all(S: View, thread: int, units: int, axis: int, values: int) -> int:
    """Add to the four counters."""
    for i in range(12):
        unit = i >> 2
        which = i & 3
        if (units >> unit) & 1:
            by = (values >> (3 * which)) & 7
            add_to_counter(S, thread, unit, which >> 1, axis + (which & 1), by)
    return 0


def carriage_return_some(
    S: View, thread: int, units: int, axis: int, values: int, chosen: int
) -> int:
    """Add to each carriage return value that has its bit set, and set the counters to them."""
    for i in range(12):
        unit = i >> 2
        which = i & 3
        if (units >> unit) & 1 and (chosen >> which) & 1:
            by = (values >> (3 * which)) & 7
            carriage_return(S, thread, unit, which >> 1, axis + (which & 1), by)
    return 0
