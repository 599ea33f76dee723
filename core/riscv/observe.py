# SPDX-License-Identifier: Apache-2.0
"""The debug interface's view of a core's instructions (core/devices/debug/risc_debug.py).

Only cores with an armed comparator, or a pause or step under way, are looked at: `hart.observed`.
`before` finds the comparators that the next instruction hits, `after` pauses the core after it.
When requests take time, `after_issue` lets nothing follow, and `pauses` pauses the core once
everything that it has issued has retired.
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.debug import comparators, risc_debug
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS, SIZES

LOAD, STORE, ATOMIC = 1, 2, 3
_KINDS = {Form.LOAD: LOAD, Form.STORE: STORE, Form.AMO: ATOMIC}
KIND = tuple(_KINDS.get(form, 0) for form in FORMS)
BYTES = tuple(4 if form is Form.AMO else size for form, size in zip(FORMS, SIZES, strict=True))


def before(S: View, hart: int, pc: int, d: int) -> int:
    """Return the bits of DR(0) for the comparators that the instruction at `pc` hits."""
    hits = comparators.breakpoints(S, hart, pc)
    cause = hits << 8 | (risc_debug.BREAKPOINT if hits else 0)
    kind = KIND[d & 0xFF]
    if kind:
        offset = 0 if kind == ATOMIC else d >> 32
        addr = (S.hart.x[hart, (d >> 16) & 31] + offset) & MASK32
        hits = comparators.watches(S, hart, addr, BYTES[d & 0xFF], kind != STORE, kind != LOAD)
        cause |= hits << 8 | (risc_debug.WATCHPOINT if hits else 0)
    return cause


def after(S: View, hart: int, cause: int) -> int:
    """Pause the core if something asked for it."""
    if S.hart.paused[hart] or S.hart.in_reset[hart]:
        return 0
    if cause or S.risc_debug.stepping[hart] or S.risc_debug.pausing[hart]:
        return risc_debug.pause(S, hart, cause)
    return 0


def after_issue(S: View, hart: int, cause: int) -> int:
    """Let the core pause when what it has issued has retired, if something asked for it."""
    if S.hart.paused[hart] or S.hart.in_reset[hart]:
        return 0
    if cause or S.risc_debug.stepping[hart]:
        S.risc_debug.stepping[hart] = 0
        S.risc_debug.pausing[hart] = 1
        S.risc_debug.cause[hart] = cause
    return 0


def pauses(S: View, hart: int) -> int:
    """True if a pause is under way, so that nothing more is issued; end it when it can end."""
    if not S.risc_debug.pausing[hart]:
        return 0
    if S.pipeline.rq_count[hart] == 0 and S.pipeline.ex1_op[hart] == 0:
        risc_debug.pause(S, hart, S.risc_debug.cause[hart])
    return 1
