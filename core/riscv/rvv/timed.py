# SPDX-License-Identifier: Apache-2.0
"""V in the schedules with time (BabyRISCV/README.md: Pipeline, EX3, Retire Unit).

Documented: operands come from the register file only, so an instruction waits until all that write
them have retired, its destination among them; it takes one entry of the retire-order queue for
every register that it writes; it passes EX1, EX2 and EX3.

UNSPECIFIED(BabyRISCV/README.md, MemoryOrdering.md): one cycle of EX1 for every register of the
group; a load has its elements as late as a scalar load has its word. Vector loads and stores enter
when the store queue is empty and every load has its answer, and are processed at once, in order:
one of the orders that scalars in their place could have.
"""

from tensix_gdb.core.arch.blackhole import F0, L1_BYTES, T2
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.pipeline.load_store import lsu_drained
from tensix_gdb.core.riscv.pipeline.pipeline import reserve
from tensix_gdb.core.riscv.rvv import arithmetic, memory
from tensix_gdb.core.riscv.rvv.configure import eighths
from tensix_gdb.core.riscv.rvv.encodings import Mop
from tensix_gdb.core.riscv.rvv.fields import VTYPE
from tensix_gdb.core.riscv.rvv.rows import KINDS, Kind
from tensix_gdb.core.stop import WAIT, WatchKind

COLD = True  # little time of LLVM for it (core/engine/README.md)

V0 = 64  # v0 among the registers that the pipeline keeps account of
STAGES = 3
NEAR, FAR = 2, 8  # cycles of a load from local RAM, and from elsewhere


def is_written(S: View, hart: int, first: int, count: int) -> int:
    """True if an unretired instruction writes one of these vector registers."""
    for register in range(count):
        if first + register < 32 and S.pipeline.writers[hart, V0 + first + register]:
            return 1
    return 0


def scalars_known(S: View, hart: int, d: int) -> int:
    """True if the scalar operands are in the register file."""
    rs1 = (d >> 16) & 63
    return 1 if rs1 == 0 or S.pipeline.writers[hart, rs1] == 0 else 0


def take_entries(S: View, hart: int, first: int, count: int, ready: int) -> int:
    """One entry of the retire-order queue for each register written, one cycle apart."""
    for register in range(count):
        reserve(S, hart, V0 + first + register, ready + register)
    S.pipeline.ex1_free[hart] = S.tile.cycle + count
    return 0


def issue_arithmetic(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """OP-V without vset."""
    imm = arithmetic.whole(d)
    kind = KINDS[arithmetic.row_of(imm)]
    count = registers_of(S, imm, kind)
    width = 2 * count if Kind.WIDE <= kind <= Kind.NARROW else count
    to_scalar = kind == Kind.FIRST_ELEMENT or kind == Kind.COUNT or kind == Kind.FIND_FIRST
    written = 0 if to_scalar else count
    if kind == Kind.WIDE or kind == Kind.WIDE_W:
        written = min(2 * count, 8)
    if S.pipeline.rq_count[hart] + max(written, 1) > RETIRE_ORDER_ENTRIES:
        return WAIT
    if not scalars_known(S, hart, d) or is_written(S, hart, 0, 1):
        return WAIT
    vd = imm & 31
    if is_written(S, hart, (imm >> 5) & 31, width) or is_written(S, hart, (imm >> 17) & 31, width):
        return WAIT
    if not to_scalar and is_written(S, hart, vd, width):
        return WAIT
    npc = arithmetic.execute(S, hart, pc, d, CHECKED)
    if npc < 0:
        return npc
    if to_scalar:
        is_float = (imm >> 22) & 7 == 1
        reserve(S, hart, F0 + vd if is_float else vd, S.tile.cycle + STAGES)
    else:
        take_entries(S, hart, vd, min(written, 32 - vd), S.tile.cycle + STAGES)
    return npc


def registers_of(S: View, imm: int, kind: int) -> int:
    """Return how many registers the destination has by vtype."""
    match kind:
        case Kind.COMPARE | Kind.CARRY_OUT | Kind.MASK | Kind.REDUCE | Kind.REDUCE_WIDE:
            return 1
        case Kind.SCALAR_IN | Kind.SET_BEFORE | Kind.SET_ONLY | Kind.SET_INCLUDING:
            return 1
        case Kind.MOVE_GROUP:
            return min(((imm >> 17) & 31) + 1, 8)
        case _:
            return max(eighths(S.hart.vector_csr[T2, VTYPE]) >> 3, 1)


def issue_load(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Issue a vector load."""
    imm = (d >> 32) & MASK32
    count = min(max(eighths(S.hart.vector_csr[T2, VTYPE]) >> 3, 1) * 4, 8)
    fields = ((imm >> 14) & 7) + 1
    written = min(max(eighths(S.hart.vector_csr[T2, VTYPE]) >> 3, 1) * fields, 8, 32 - (imm & 31))
    if not may_access(S, hart, d, imm, count):
        return WAIT
    if S.pipeline.rq_count[hart] + written > RETIRE_ORDER_ENTRIES:
        return WAIT
    npc = memory.access(S, hart, pc, d, CHECKED, WatchKind.READ)
    if npc >= 0:
        base = S.hart.x[hart, (d >> 16) & 31]
        cycles = FAR if base < L1_BYTES else NEAR
        take_entries(S, hart, imm & 31, written, S.tile.cycle + cycles)
    return npc


def issue_store(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Issue a vector store."""
    imm = (d >> 32) & MASK32
    if not may_access(S, hart, d, imm, 8):
        return WAIT
    npc = memory.access(S, hart, pc, d, CHECKED, WatchKind.WRITE)
    if npc >= 0:
        reserve(S, hart, 0, S.tile.cycle + 1)
    return npc


def may_access(S: View, hart: int, d: int, imm: int, count: int) -> int:
    """True if a vector load or store may enter the Load/Store Unit."""
    if not lsu_drained(S, hart) or not scalars_known(S, hart, d):
        return 0
    if S.stream.busy[hart]:
        return 0
    if (imm >> 11) & 3 == Mop.STRIDED and S.pipeline.writers[hart, (imm >> 5) & 31]:
        return 0
    if is_written(S, hart, 0, 1) or is_written(S, hart, imm & 31, count):
        return 0
    return 0 if (imm >> 11) & 1 and is_written(S, hart, (imm >> 5) & 31, count) else 1
