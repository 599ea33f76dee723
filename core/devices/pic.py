# SPDX-License-Identifier: Apache-2.0
"""The PIC: 32 software and 4 hardware interrupt requests for B and NC; pc snapshots (PIC.md).

    SW_INT[i]    store != 0: raise; store 0: clear; load: the value stored, and clear
    HW_INT[i]    1 while raised; nothing on the tile raises one yet
    *_INT_EN     which requests interrupt this core; *_INT_NO  which one did
    *_INT_PC     where the handler of a request is

A request that is raised and enabled interrupts the core between two instructions, at the start of
a cycle: the pc is saved, `mret` returns to it. Handlers do not nest. The one after the last one
served comes first (round robin). `tile.pending` tells the clock that there is something to do, so
a tile without requests pays nothing.

UNSPECIFIED(PIC.md): an interrupt is not taken while a load or store of the core waits (its request
is under way), while a debugger steps the core (as OpenOCD masks them), or while it is paused.
Round robin starts with request 0. INT_NO keeps its value after mret. The PIC keeps its registers
when a core is reset; the core forgets that it was in a handler. Loads narrower than a word from
SW_INT and all narrower stores stop the hart.
"""

from tensix_gdb.core.arch.blackhole import HARTS, NC, SNAPSHOT_ORDER, B
from tensix_gdb.core.devices.registers import Access, Register, RegisterBlock, extract
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.riscv.csrs import RESTORE_PC_COPY
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.reset import next_pc
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

PIC_BASE = 0xFFB13000
SW_IRQS = 32
HW_IRQS = 4
IRQS = SW_IRQS + HW_IRQS
CORES = 2  # B and NC, in this order in rows of several
PENDING_INTERRUPT = 1  # bit of tile.pending


def core_of(hart: int) -> int:
    """Column of the rows above, or -1 for T0, T1 and T2."""
    if hart == B:
        return 0
    return 1 if hart == NC else -1


def update(S: View) -> int:
    """Work out again whether the clock has to look: something is raised and enabled."""
    S.tile.pending &= ~PENDING_INTERRUPT
    raised = 0
    for i in range(SW_IRQS):
        if S.pic.sw_int[i]:
            raised |= 1 << i
    for i in range(HW_IRQS):
        if S.pic.hw_int[i]:
            raised |= 1 << (SW_IRQS + i)
    for core in range(CORES):
        if raised & (S.pic.sw_enable[core] | S.pic.hw_enable[core] << SW_IRQS):
            S.tile.pending |= PENDING_INTERRUPT
    return 0


def is_raised(S: View, core: int, irq: int) -> int:
    """True if request `irq` is raised, and enabled for `core`."""
    if irq < SW_IRQS:
        raised = S.pic.sw_int[irq]
        enabled = (S.pic.sw_enable[core] >> irq) & 1
    else:
        raised = S.pic.hw_int[irq - SW_IRQS]
        enabled = (S.pic.hw_enable[core] >> (irq - SW_IRQS)) & 1
    return enabled if raised else 0


def take_interrupts(S: View) -> int:
    """Send B and NC into handlers, if there is reason to and they can go."""
    for core in range(CORES):
        hart = NC if core else B
        if (
            S.hart.issuing[hart]
            and not S.hart.in_handler[hart]
            and S.hart.waits_for[hart] == 0
            and not S.debug.stepping[hart]
        ):
            take_interrupt(S, core, hart)
    return 0


def take_interrupt(S: View, core: int, hart: int) -> int:
    """Send `hart` into the handler of the next request, if one is raised and enabled."""
    for i in range(IRQS):
        irq = (S.pic.turn[core] + i) % IRQS
        if is_raised(S, core, irq):
            S.pic.turn[core] = (irq + 1) % IRQS
            S.pic.number[core] = irq
            S.hart.in_handler[hart] = 1
            S.hart.restore_pc[hart] = S.hart.pc[hart]
            S.hart.scratch[hart, RESTORE_PC_COPY] = S.hart.pc[hart]
            S.hart.pc[hart] = S.pic.handler[irq]
            asleep.wake(S, hart)
            # What was reported at the old pc says nothing about the handler.
            S.debug.step_over[hart] = 0
            return 1
    return 0


# Registers


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.pic.word[SLOT[(addr - PIC_BASE) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr - PIC_BASE) >> 2]
    S.pic.word[slot] = value & KEPT_BITS[slot]
    return 0


def set_enable(S: View, hart: int, addr: int, value: int) -> int:
    """Write *_SW_INT_EN or *_HW_INT_EN."""
    keep(S, hart, addr, value)
    return update(S)


def read_sw_int(S: View, hart: int, addr: int) -> int:
    """Load and clear, atomically."""
    value = kept(S, hart, addr)
    keep(S, hart, addr, 0)
    update(S)
    return value


def write_sw_int(S: View, hart: int, addr: int, value: int) -> int:
    """Raise, or clear by 0."""
    keep(S, hart, addr, value)
    return update(S)


def snapshot(S: View, hart: int, addr: int) -> int:
    """Return the pc of a core. Hardware shows it as it leaves the frontend, here nothing is in
    between."""
    return next_pc(S, SNAPSHOT_ORDER[(addr - PIC_BASE - 0x138) >> 2])


_RW, _RO, _IGN = Access.READ_WRITE, Access.READ_ONLY, Access.IGNORES_WRITES

# fmt: off
REGISTERS = (
    Register(0x000, "BRISC_SW_INT_EN",  _RW, "software requests that interrupt B",
             write=set_enable, row="sw_enable"),
    Register(0x00C, "NCRISC_SW_INT_EN", _RW, "software requests that interrupt NC",
             write=set_enable, row="sw_enable"),
    Register(0x004, "BRISC_HW_INT_EN",  _RW, "hardware requests that interrupt B", kept_bits=0xF,
             write=set_enable, row="hw_enable"),
    Register(0x010, "NCRISC_HW_INT_EN", _RW, "hardware requests that interrupt NC", kept_bits=0xF,
             write=set_enable, row="hw_enable"),
    # "one such address" that discards stores (MemoryOrdering.md)
    Register(0x008, "BRISC_INT_NO",     _IGN, "the request that interrupted B; hardware ones are 32"
             " and up", row="number"),
    Register(0x014, "NCRISC_INT_NO",    _RO, "the request that interrupted NC", row="number"),
    Register(0x018, "SW_INT[{i}]",      _RW, "store: raise, or clear by 0; load: the value, and"
             " clear", count=SW_IRQS, read=read_sw_int, write=write_sw_int, row="sw_int"),
    Register(0x098, "HW_INT[{i}]",      _IGN, "1 while raised", count=HW_IRQS, row="hw_int"),
    Register(0x0A8, "SW_INT_PC[{i}]",   _RW, "pc of the handler", count=SW_IRQS, row="handler"),
    Register(0x128, "HW_INT_PC[{i}]",   _RW, "pc of the handler", count=HW_IRQS, row="handler"),
    Register(0x138, "PC_SNAPSHOT[{i}]", _RO, "pc of B, NC, T0, T1, T2", count=HARTS,
             peek=snapshot, page="BabyRISCV/README.md"),
)
# fmt: on
BLOCK = RegisterBlock(
    "PIC", PIC_BASE, 0x1000, "PIC.md", REGISTERS, kept=kept, keep=keep, row="pic.word"
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes

_WORD = row("word", "u32", BLOCK.count, Tag.ARCHITECTURAL, "the registers that are storage")
_TURN = row("turn", "u32", CORES, Tag.ARCHITECTURAL, "round robin: the request that is first")
PIC = Part("pic", (_WORD, *BLOCK.named_rows(_WORD), _TURN), chapter=Chapter.DEVICES)
PARTS = (PIC,)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`."""
    return PEEK[SLOT[(addr - PIC_BASE) >> 2]](S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes, except where a load changes something."""
    offset = addr - PIC_BASE
    if size != 4 and 0x18 <= offset < 0x98:
        return fault(S, hart, Fault.LOAD_WIDTH, addr, size)
    return extract(READ[SLOT[offset >> 2]](S, hart, addr & 0xFFFFFFFC), addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return WRITE[SLOT[(addr - PIC_BASE) >> 2]](S, hart, addr, value)
