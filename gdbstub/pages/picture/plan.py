# SPDX-License-Identifier: Apache-2.0
"""The floor plan: where each part of the tile is drawn, as the documents draw it.

Harts are on the left. A Tensix thread goes from its T core to the right: queues and expanders, the
wait gate, then the units, which the threads share. Below are what they share besides: semaphores
and mutexes, source banks, Dst, LRegs, L1. Last come the local RAMs.

A box has an `id` that is the same in every picture (`hart-1`, `gate-0`, `unit-packer`): a page
changes what has changed, and a test finds what it looks for.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.gdbstub.tensix.glance.units import NAMES as UNITS

WIDTH, HEIGHT = 1240, 936
LINE = 15  # from one line of text to the next
TITLE = 20  # from the top of a box to the first line below its title
TOP = 64
GAP = 10
ROW = 114  # height of a thread's row
HART_X, HART_WIDTH = 16, 274
FRONT_X, FRONT_WIDTH = 316, 188
GATE_X, GATE_WIDTH = 530, 286
UNIT_X, UNIT_WIDTH, UNIT_HEIGHT = 884, 324, 38  # with room for ways before and after
BAR_X = 104  # in a box, from its left to the bar of a queue
BELOW = TOP + THREADS * (ROW + GAP)
BELOW_HEIGHT = 84
SHARED = BELOW + BELOW_HEIGHT + GAP
SMALL_WIDTH, SMALL_HEIGHT = 62, 42
BANK_HEIGHT, BANK_GAP = 88, 18  # with room for ways above them
# Of the map of a bank's rows in its box: from the left, from the lower edge, height.
BANK_ROWS = {"x": 8, "rise": 22, "height": 16}
DST_X, DST_Y, DST_ROW, DST_WIDTH = 884, BELOW + 22, 2, 19
LREG_X, LREG_Y, LREG_WIDTH, LREG_HEIGHT = 934, DST_Y + 168, 8, 7
L1_X, L1_Y, L1_WIDTH, L1_HEIGHT = 72, LREG_Y + 86, 6, 12
L1_COLUMNS = 192  # cells in a line
NAMES_Y = L1_Y + 112  # of what is in L1
LOCAL_Y, LOCAL_WIDTH = L1_Y + 150, 3
LOCAL_STEP = 236  # from one hart's local RAM to the next
LEGEND_Y = LOCAL_Y + 30


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the tile on the plan, in pixels."""

    id: str
    title: str
    x: int
    y: int
    width: int
    height: int

    @property
    def lines(self) -> int:
        """The number of lines of text that fit below the title."""
        return max((self.height - TITLE) // LINE, 0)


def unit_id(name: str) -> str:
    """`unit-packer`, `unit-unpacker-0`."""
    return "unit-" + name.lower().replace(" ", "-")


def boxes() -> tuple[Box, ...]:
    """Return all boxes but those of Dst."""
    return (*_harts(), *_threads(), *_units(), *_shared())


def maps() -> dict[str, dict[str, int]]:
    """Return where the cells of the maps are: the first one, its size, and how many are in a
    line."""
    return {
        "dst": {"x": DST_X, "y": DST_Y, "width": DST_WIDTH, "height": DST_ROW},
        "lregs": {"left": DST_X, "x": LREG_X, "y": LREG_Y, "width": LREG_WIDTH,
                  "height": LREG_HEIGHT, "columns": LANES},
        "l1": {"left": HART_X, "x": L1_X, "y": L1_Y, "width": L1_WIDTH, "height": L1_HEIGHT,
               "columns": L1_COLUMNS},
        "local": {"x": HART_X, "y": LOCAL_Y, "width": LOCAL_WIDTH, "height": 8,
                  "step": LOCAL_STEP},
    }  # fmt: skip


def _harts() -> list[Box]:
    found = [
        Box(f"hart-{T0 + i}", HART_NAMES[T0 + i], HART_X, _row(i), HART_WIDTH, ROW)
        for i in range(THREADS)
    ]
    others = [hart for hart in range(len(HART_NAMES)) if not T0 <= hart < T0 + THREADS]
    width = (GATE_X + GATE_WIDTH - HART_X - GAP) // 2
    found += [
        Box(f"hart-{hart}", HART_NAMES[hart], HART_X + i * (width + GAP), BELOW, width,
            BELOW_HEIGHT)
        for i, hart in enumerate(others)
    ]  # fmt: skip
    return found


def _threads() -> list[Box]:
    found = []
    for thread in range(THREADS):
        found.append(Box(f"front-{thread}", "FIFOs and expanders", FRONT_X, _row(thread),
                         FRONT_WIDTH, ROW))  # fmt: skip
        found.append(Box(f"gate-{thread}", f"{THREAD_NAMES[thread]}: wait gate", GATE_X,
                         _row(thread), GATE_WIDTH, ROW))  # fmt: skip
    return found


def _units() -> list[Box]:
    step = UNIT_HEIGHT + 8
    return [
        Box(unit_id(name), name, UNIT_X, TOP + i * step, UNIT_WIDTH, UNIT_HEIGHT)
        for i, name in enumerate(UNITS)
    ]


def _shared() -> list[Box]:
    found = [
        Box(f"semaphore-{i}", f"sem {i}", HART_X + i * (SMALL_WIDTH + 8), SHARED, SMALL_WIDTH,
            SMALL_HEIGHT)
        for i in range(SEMAPHORES)
    ]  # fmt: skip
    x = HART_X + SEMAPHORES * (SMALL_WIDTH + 8)
    found.append(Box("mutexes", "mutexes", x, SHARED, GATE_X + GATE_WIDTH - x, SMALL_HEIGHT))
    y = SHARED + SMALL_HEIGHT + BANK_GAP
    width = (GATE_X + GATE_WIDTH - HART_X - 3 * GAP) // 4
    found += [
        Box(f"bank-{i}", f"Src{'AB'[i // 2]} bank {i % 2}", HART_X + i * (width + GAP), y, width,
            BANK_HEIGHT)
        for i in range(4)
    ]  # fmt: skip
    return found


def _row(thread: int) -> int:
    return TOP + thread * (ROW + GAP)
