# SPDX-License-Identifier: Apache-2.0
"""The eight comparators of a core's debug interface (WormholeB0 BabyRISCV/DebugInterface.md).

DR(5) has their modes, four bits each, DR(10+i) the address of comparator i. What becomes of a hit
is in core/riscv/observe.py.
"""

from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

COMPARATORS = 8

MODE_BREAKPOINT = 8
MODE_READ = 9
MODE_WRITE = 10
MODE_ACCESS = 11


def any_is_on(S: View, core: int) -> int:
    """True if one of them compares anything."""
    modes = S.risc_debug.dr[core, 5]
    for i in range(COMPARATORS):
        if MODE_BREAKPOINT <= (modes >> (4 * i)) & 15 <= MODE_ACCESS:
            return 1
    return 0


def breakpoints(S: View, core: int, pc: int) -> int:
    """Return which comparators are breakpoints at `pc`."""
    hits = 0
    modes = S.risc_debug.dr[core, 5]
    for i in range(COMPARATORS):
        if (modes >> (4 * i)) & 15 == MODE_BREAKPOINT and S.risc_debug.dr[core, 10 + i] == pc:
            hits |= 1 << i
    return hits


def watches(S: View, core: int, addr: int, size: int, reads: int, writes: int) -> int:
    """Return which comparators watch an access to these bytes."""
    hits = 0
    modes = S.risc_debug.dr[core, 5]
    for i in range(COMPARATORS):
        mode = (modes >> (4 * i)) & 15
        at = S.risc_debug.dr[core, 10 + i]
        wanted = 0
        if mode == MODE_READ or mode == MODE_ACCESS:
            wanted = reads
        if mode == MODE_WRITE or mode == MODE_ACCESS:
            wanted |= writes
        if wanted and addr <= at < addr + size:
            hits |= 1 << i
    return hits
