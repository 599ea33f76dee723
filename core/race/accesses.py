# SPDX-License-Identifier: Apache-2.0
"""The accesses of an instruction at a wait gate: GPRs, configuration, L1.

An access of a unit begins at the gate and ends on a line of its own, so it is checked once, with
the clock of the gate.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0
from tensix_gdb.core.arch.chips import CONFIG_WORDS, GLOBAL_WORD, THCON_WORD
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.arch.silicon import SCALAR_STAGE
from tensix_gdb.core.devices.backend_config import STATE_RESET_EN, THREAD_WORDS
from tensix_gdb.core.ordering.promises import Number
from tensix_gdb.core.race import sync
from tensix_gdb.core.race.clocks import copy
from tensix_gdb.core.race.fields import (
    GPR_CELLS,
    IN_PIPE,
    L1_CELLS,
    OLDER_SEMAPHORE,
    PUSH_SLOTS,
    PUSHED,
    SCRATCH,
    THREAD_CONFIG_CELLS,
)
from tensix_gdb.core.race.lines import Line, of_thread
from tensix_gdb.core.race.operands import (
    AMOUNT,
    BY,
    BYTE,
    COUNTS_ON,
    FIELD,
    FORM,
    FOUR,
    FOUR_IF,
    INDEX,
    IS_WRITTEN,
    MASK,
    OPERANDS,
    SCRATCH_OF,
    STAGE,
    USE,
    USES_GPRS,
    WIDTH,
    WIDTH_OF,
    Form,
    semaphores_of,
)
from tensix_gdb.core.race.registers import sampled
from tensix_gdb.core.race.registers.own_words import by_chip
from tensix_gdb.core.race.shadow import READ, WRITE, access, site_of
from tensix_gdb.core.race.state import config as state
from tensix_gdb.core.race.state import copies
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.pipeline import rotate_right
from tensix_gdb.core.tensix.config.unit import SCRATCH_WORD, bank_of
from tensix_gdb.core.tensix.config_use import Stage
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.frontend.configured import configured_at
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, VIA_MOP, C
from tensix_gdb.core.tensix.gpr_use import GprAccess, Width
from tensix_gdb.core.tensix.packer.four.images import PACKERS
from tensix_gdb.core.tensix.packer.metadata import ResultSize
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.scalar.unit import Size
from tensix_gdb.core.tensix.table import FIRST
from tensix_gdb.core.tensix.unpacker import config as unpack

ASKED = 1 << 48  # keeps a key from being 0
# By chip: the fields of UNPACR that a context chooses.
BASES, OFFSETS = by_chip(unpack.BASES), by_chip(unpack.OFFSETS)
OF_BASES, OF_OFFSETS = len(unpack.BASES), len(unpack.OFFSETS)


def accesses(S: View, thread: int, number: int, word: int, clock: int) -> int:
    """Check what the instruction reads and writes."""
    form = FORM[number]
    if form == Form.OTHER or form >= Form.XMOV:
        return 0
    if Form.WRCFG <= form <= Form.RDCFG:
        # Stages of the pipe keep their order, and it reads GPRs before a scalar result is there.
        copy(S, SCRATCH, clock)
        if SCALAR_STAGE[S.tile.chip] and form != Form.RDCFG:  # that writes some stages later
            S.race.clock[SCRATCH, of_thread(thread, Line.SCALAR)] = S.race.seen[thread, 0]
        S.race.clock[SCRATCH, of_thread(thread, Line.PIPE)] = S.race.ends[thread, Line.PIPE]
        sync.after_ring(S, SCRATCH, IN_PIPE)
        late = of_thread(thread, Line.LATE_GPR)
        known = S.race.clock[SCRATCH, late]
        if form == Form.RDCFG:  # two of them write GPRs in their order, and read at another stage
            S.race.clock[SCRATCH, late] = S.race.ends[thread, Line.LATE_GPR]
        gprs(S, thread, number, word, SCRATCH)
        S.race.clock[SCRATCH, late] = known
        return pipe(S, thread, number, word, form)
    if form == Form.SETC16:
        index = field(word, number, INDEX[number] - 1)
        if index < THREAD_WORDS:
            cell = THREAD_CONFIG_CELLS + thread * THREAD_WORDS + index
            at_gate(S, thread, cell, MASK32, WRITE, clock)
            if S.state.on:
                state.note(S, cell, word & 0xFFFF, MASK32, here(S, thread))
        return 0
    if Form.SEMINIT <= form <= Form.SEMWAIT:
        return semaphores(S, thread, number, word, form, clock)
    if form == Form.UNPACR:
        return unpacr(S, thread, number, word, clock)
    if STAGE[number] == Stage.SCALAR:
        return to_thcon(S, thread, number, word, clock)
    return gprs(S, thread, number, word, clock)


def to_thcon(S: View, thread: int, number: int, word: int, clock: int) -> int:
    """REG2FLOP of Wormhole: GPRs now, words of the configuration when the Scalar Unit ends it."""
    count = four_words(word, number)
    index = field(word, number, INDEX[number] - 1) & (0x7C if count > 1 else 0x7F)
    register = field(word, number, FIELD[OPERANDS * (number - FIRST)])
    register &= 0x3C if count > 1 else 0x3F
    bank = bank_of(S, thread)
    line = of_thread(thread, Line.SCALAR)
    end = S.race.ends[thread, Line.SCALAR] + 1
    gprs(S, thread, number, word, clock)
    for i in range(count):
        if THCON_WORD[1] + index + i < GLOBAL_WORD[1]:
            cell = sampled.cell_of(S, bank, THCON_WORD[1] + index + i)
            sampled.written(S, cell)
            access(S, cell, MASK32, WRITE, clock, line, end, here(S, thread))
            if S.state.on:
                value = S.gpr.word[thread * 64 + register + i]
                state.note(S, cell, value, MASK32, here(S, thread))
    return 0


def four_words(word: int, number: int) -> int:
    """Return 1 or 4: the words of configuration that an instruction reads or writes."""
    if FOUR[number] == 0:
        return 1
    is_set = 1 if field(word, number, FOUR[number] - 1) else 0
    return 4 if is_set == FOUR_IF[number] else 1


def site(S: View, thread: int) -> int:
    """Return the number of the instruction at the gate (shadow.py), before it begins."""
    at = S.fifo.head[thread, C]
    pc = S.fifo.pc[thread, C, at]
    opcode = S.fifo.word[thread, C, at] >> 24
    via = S.fifo.via[thread, C, at]
    key = pc | opcode << 32 | via << 40 | S.fifo.hart[thread, C, at] << 44 | ASKED
    if S.race.site_asked[thread] != key:
        S.race.site_asked[thread] = key
        hart = S.fifo.hart[thread, C, at]
        number = site_of(S, hart, thread + 1, via, opcode, pc)
        S.race.site_here[thread] = number
        if via & VIA_MOP and S.race.configured[number] == 0:
            word = S.fifo.word[thread, C, at]
            S.race.configured[number] = configured_at(S, thread, word, via)
    return S.race.site_here[thread]


def here(S: View, thread: int) -> int:
    """The same, from when it begins on (`gate.passing`): it was asked for."""
    return S.race.site_here[thread]


def at_gate(S: View, thread: int, cell: int, mask: int, what: int, clock: int) -> int:
    """Check an access that is over when the instruction has begun."""
    line = of_thread(thread, Line.GATE)
    return access(S, cell, mask, what, clock, line, S.race.ends[thread, Line.GATE], here(S, thread))


def gprs(S: View, thread: int, number: int, word: int, clock: int) -> int:
    """Check the GPRs that are operands."""
    if USES_GPRS[number - FIRST] == 0:
        return 0
    for operand in range(OPERANDS):
        at = OPERANDS * (number - FIRST) + operand
        if USE[at]:
            gpr(S, thread, number, word, clock, at)
    return 0


def gpr(S: View, thread: int, number: int, word: int, clock: int, at: int) -> int:
    """Check one of them, that of use `at`."""
    register = field(word, number, FIELD[at])
    chosen = field(word, number, BY[at] - 1) if BY[at] else 0
    mask = 15
    count = 1
    match WIDTH[at]:
        case Width.HALF:
            mask = 3 << (2 * (register & 1))
            register = register >> 1
        case Width.PAIR:
            count = 2
        case Width.SIZED:
            count = 4 if chosen == Size.BITS_128 else 1
            if chosen == Size.BITS_16:
                mask = 3
            elif chosen == Size.BITS_8:
                mask = 1
        case Width.FOUR_IF:
            count = 4 if chosen else 1
        case Width.FOUR_UNLESS:
            count = 1 if chosen else 4
        case Width.RESULT_SIZE:
            mask = 3 << (2 * (register & 1)) if chosen == ResultSize.BITS_16 else 15
            count = 4 if chosen >= ResultSize.BITS_128 else 1
            register = register >> 1
    if count > 1:
        register &= 0x3C
    what = READ
    line = Line.GATE
    match USE[at]:
        case GprAccess.WRITE:
            what = WRITE
            line = Line.SCALAR
        case GprAccess.ANSWER:
            what = WRITE
            line = Line.MEMORY
        case GprAccess.LATE:
            what = WRITE
            line = Line.LATE_GPR
        case GprAccess.COUNT_ON:
            what = WRITE if field(word, number, COUNTS_ON[number] - 1) else READ
    end = S.race.ends[thread, line] + (0 if line == Line.GATE else 1)
    where = here(S, thread)
    for i in range(count):
        if S.state.on:
            S.state.skips = copies.ALL & ~copies.bytes_of(S, number, word, i)
        cell = GPR_CELLS + thread * 64 + ((register + i) & 63)
        access(S, cell, mask, what, clock, of_thread(thread, line), end, where)
    S.state.skips = 0
    return 0


def pipe(S: View, thread: int, number: int, word: int, form: int) -> int:
    """Check the configuration that an instruction of the pipe reads or writes; its clock is in
    SCRATCH."""
    line = Line.PIPE
    if STAGE[number] == Stage.LATE:
        line = Line.LATE_GPR
    end = S.race.ends[thread, line] + 1
    if line == Line.LATE_GPR:  # they keep their order
        S.race.clock[SCRATCH, of_thread(thread, line)] = end - 1
    bits = MASK32
    if MASK[number]:
        bits = field(word, number, MASK[number] - 1) << (8 * BYTE[number])
    if WIDTH_OF[number]:
        width = field(word, number, WIDTH_OF[number] - 1)
        bits = rotate_right((2 << width) - 1, field(word, number, AMOUNT[number] - 1))
    index = field(word, number, INDEX[number] - 1)
    count = four_words(word, number)
    if count > 1:
        index &= ~3
    what = WRITE if IS_WRITTEN[number] else READ
    bank = bank_of(S, thread)
    where = here(S, thread)
    at = of_thread(thread, line)
    if SCRATCH_OF[number]:
        scratch = field(word, number, SCRATCH_OF[number] - 1)
        cell = sampled.cell_of(S, 0, SCRATCH_WORD + (scratch if scratch < 3 else thread))
        access(S, cell, bits, READ, SCRATCH, at, end, where)
    if index == STATE_RESET_EN and what == WRITE and form != Form.RMWCIB:
        index = 0
        count = GLOBAL_WORD[S.tile.chip]
    for i in range(count):
        if index + i < CONFIG_WORDS[S.tile.chip] and bits:
            cell = sampled.cell_of(S, bank, index + i)
            if what != READ:
                sampled.written(S, cell)
            access(S, cell, bits, what, SCRATCH, at, end, where)
    return 0


def semaphores(S: View, thread: int, number: int, word: int, form: int, clock: int) -> int:
    """Count on promises P2 and P23: stores of the own T core come before what it pushes later."""
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot == NO_SLOT:
        return 0
    older = S.race.older[PUSHED + thread * PUSH_SLOTS + slot, OLDER_SEMAPHORE]
    promise = Number.P2 if form == Form.SEMGET else Number.P23
    mask = semaphores_of(word, number)
    line = of_thread(thread, Line.GATE)
    return sync.rely_on_stores(S, T0 + thread, mask, older, promise, clock, line, here(S, thread))


def unpacr(S: View, thread: int, number: int, word: int, clock: int) -> int:
    """Check the configuration that UNPACR reads when it begins."""
    bank = bank_of(S, thread)
    unpacker = field(word, number, 0)
    context = 0
    if field(word, number, 7):
        context = field(word, number, 5)
        if field(word, number, 11):
            context = S.unpack.context[unpacker, thread]
        context = (context + unpack.context_offset(S, thread, unpacker)) & 7
    end = S.race.ends[thread, Line.UNPACKER_0 + unpacker] + 1
    sampled.sample(S, thread, sampled.Reader.UNPACKER + unpacker, bank, end, here(S, thread))
    at = S.tile.chip * OF_BASES + unpacker * unpack.CONTEXTS + context
    reads(S, thread, bank, BASES[at], clock)
    if context < unpack.DESTINATIONS:
        at = S.tile.chip * OF_OFFSETS + unpacker * unpack.DESTINATIONS + context
        reads(S, thread, bank, OFFSETS[at], clock)
    return 0


def reads(S: View, thread: int, bank: int, packed: int, clock: int) -> int:
    """Check a field of configuration, packed as in unpacker/config.py."""
    bits = ((1 << (packed & 0xFF)) - 1) << ((packed >> 8) & 0xFF)
    if packed == 0:
        return 0
    return at_gate(S, thread, sampled.cell_of(S, bank, packed >> 16), bits & MASK32, READ, clock)


def pacr(S: View, thread: int) -> int:
    """PACR has sampled its configuration: check that, and keep what it may read later."""
    end = S.race.ends[thread, Line.PACKER]
    if S.tile.chip == 0:
        return sampled.sample(S, thread, S.pack.section & 3, S.pack.bank, end, here(S, thread))
    for packer in range(PACKERS):
        if (S.pack.planes >> packer) & 1:
            sampled.sample(S, thread, packer, bank_of(S, thread), end, here(S, thread))
    return 0


def to_l1(S: View, thread: int, i: int, kind: int, line: int, end: int) -> int:
    """Check a request of the Scalar Unit to L1; its clock is in SCRATCH."""
    addr = S.thcon.addr[i]
    size = S.thcon.size[i]
    if kind != thcon.LOAD_L1 and kind != thcon.STORE_L1:
        size = 4
    if addr + size > L1_BYTES:
        return 0
    mask = ((1 << size) - 1) << (addr & 15)
    what = READ if kind == thcon.LOAD_L1 else WRITE
    return access(
        S, L1_CELLS + (addr >> 4), mask & 0xFFFF, what, SCRATCH, line, end, here(S, thread)
    )
