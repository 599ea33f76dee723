# SPDX-License-Identifier: Apache-2.0
"""Checks of instructions at a wait gate: S1 to S4, S9, S10, and the waits of S12.

before    before the observer takes the instruction, and it is executed
after     after both
"""

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.devices.semaphores import LARGEST, SEMAPHORES
from tensix_gdb.core.isa.architecture import CHIPS
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.race.accesses import site
from tensix_gdb.core.race.checks import waits
from tensix_gdb.core.race.checks.fields import found, is_on
from tensix_gdb.core.race.checks.table import Number
from tensix_gdb.core.race.fields import GATE, OLDER_SEMAPHORE, PUSH_SLOTS, PUSHED, RING
from tensix_gdb.core.race.lines import STORE, Line, Region, of_hart, of_thread
from tensix_gdb.core.race.operands import FORM, INDEX, Form, semaphores_of
from tensix_gdb.core.race.registers import banks
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import occupancy, sync
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.latch import SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.gate.wait_gate import MATRIX, UNITS, VECTOR, WAITS_FOR, catches
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.state_use import State, touches
from tensix_gdb.core.tensix.table import by_number
from tensix_gdb.core.tensix.wormhole import of_one_packer

AT_ZERO, AT_LARGEST, AT_MAX, UNORDERED = 0, 1, 2, 3  # S1
WHILE_FULL = 2  # SEMWAIT's condition C1
NOT_OWNED, FLIP_UNDER_WAY = 0, 1  # S3
NO_BANK, NOT_KNOWN = 0, 1  # S4
# UNSPECIFIED(UNPACR_Regular.md): how many instructions of a thread begin before an UNPACR among
# them has ended. LLK's unary kernels rely on it: SrcB is given right after the UNPACR of SrcA, for
# the end of which alone the Matrix Unit waits.
AT_ONCE = 4
TOO_EARLY, NOT_HELD = 0, 1  # S9


def _gives_back(row: Instruction) -> int:
    """1 if the Matrix Unit gives a bank back with it and does nothing else in the bank."""
    sources = (State.SRC_A, State.SRC_B)
    uses = any(touches((*row.reads, *row.writes), source) for source in sources)
    return int(row.unit is Unit.FPU and touches(row.writes, State.BANK) and not uses)


GIVES_BACK = by_number(_gives_back)
IS_CLEARDVALID = by_number(lambda row: int(row.mnemonic == "CLEARDVALID"))
IS_WAIT = by_number(lambda row: int(touches(row.writes, State.WAIT)))
ALU_WORDS = [
    {each.word for name, each in config_fields(arch).items() if name.startswith("ALU_")}
    for arch in CHIPS
]
# [(chip << 11) + word]
IS_ALU_WORD = tuple(int(word in words) for words in ALU_WORDS for word in range(1 << 11))


def before(S: View, thread: int, number: int, word: int) -> int:
    """The instruction at the gate of a thread is about to be executed."""
    form = FORM[number]
    if S.race.waiting[thread]:
        after_wait(S, thread, number, form)
    if IS_WAIT[number]:
        waits.latches(S, thread)
    elif UNITS[number] == MATRIX:
        matrix(S, thread, number, word)
    if S.check.wrcfg[thread]:
        if UNITS[number] == MATRIX or UNITS[number] == VECTOR:
            written = S.check.wrcfg[thread] - 1
            found(S, Number.S10, site(S, thread), S.check.wrcfg_site[thread], written, 0)
        S.check.wrcfg[thread] = 0
    if form == Form.SEMPOST or form == Form.SEMGET:
        semaphores(S, thread, number, word, form)
    elif form == Form.ATRELM and is_on(S, Number.S9):
        index = field(word, number, 0)
        if sync.is_mutex(S, index) and S.mutex.holder[index] != thread + 1:
            found(S, Number.S9, site(S, thread), 0, NOT_HELD | index << 1, 0)
    return 0


def after_wait(S: View, thread: int, number: int, form: int) -> int:
    """No instruction has waited for the latched wait yet: does this one?"""
    if not catches(S.race.block[thread], number):
        S.check.between[thread] += 1
        if form == Form.ATGETM and S.race.wait_semaphores[thread] and is_on(S, Number.S9):
            found(S, Number.S9, site(S, thread), S.check.wait_site[thread], TOO_EARLY, 0)
        return 0
    if IS_WAIT[number] and S.check.between[thread] and is_on(S, Number.S2):
        at = S.check.wait_site[thread]
        found(S, Number.S2, at, site(S, thread), S.race.block[thread], 0)
    if is_on(S, Number.S12):
        waits.ends(S, thread, S.check.wait_site[thread])
    return 0


def semaphores(S: View, thread: int, number: int, word: int, form: int) -> int:
    """S1 of an instruction."""
    if not is_on(S, Number.S1):
        return 0
    chosen = semaphores_of(word, number)
    for i in range(SEMAPHORES):
        if (chosen >> i) & 1:
            one_semaphore(S, i, 1 if form == Form.SEMGET else 0, site(S, thread), 1)
    return 0


def one_semaphore(S: View, semaphore: int, gets: int, at: int, bounded: int) -> int:
    """S1 of one semaphore: a get, or a post, for which its Max is a bound."""
    value = S.semaphore.value[semaphore]
    largest = S.semaphore.max[semaphore]
    if gets:
        if value == 0:
            found(S, Number.S1, at, 0, semaphore | AT_ZERO << 3, 0)
    elif value == LARGEST:
        found(S, Number.S1, at, 0, semaphore | AT_LARGEST << 3, 0)
    elif bounded and largest and value >= largest:
        found(S, Number.S1, at, 0, semaphore | AT_MAX << 3, 0)
    return 0


def note_post(S: View, semaphore: int, number: int, line: int, at: int) -> int:
    """Keep which event the post of this number is."""
    S.check.post_line[semaphore, number & (RING - 1)] = line
    S.check.post_at[semaphore, number & (RING - 1)] = at
    return 0


def stores_before_push(S: View, thread: int) -> int:
    """Return how many stores to semaphores the T core had made when it pushed the instruction."""
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot == NO_SLOT:
        return 0
    return S.race.older[PUSHED + thread * PUSH_SLOTS + slot, OLDER_SEMAPHORE]


def after_post(
    S: View, semaphore: int, get: int, clock: int, site_of_get: int, mine: int, done: int
) -> int:
    """S1: the get of this number needs as many posts, and its clock has to know the last one.
    Besides, the first `done` events of the line `mine` are known."""
    number = get - S.race.begun[semaphore]
    if number <= 0 or number > S.race.posts[semaphore]:
        return 0
    if S.race.posts[semaphore] - number >= RING:
        return 0
    line = S.check.post_line[semaphore, number & (RING - 1)]
    post = S.check.post_at[semaphore, number & (RING - 1)]
    if line == mine and post <= done:
        return 0
    if line and S.race.clock[clock, line] < post:
        found(S, Number.S1, site_of_get, 0, semaphore | UNORDERED << 3, 0)
    return 0


def matrix(S: View, thread: int, number: int, word: int) -> int:
    """S3 and S4: banks of an instruction of the Matrix Unit that waits for none."""
    for source in range(2):
        S.check.bank[source] = S.busy.matrix_bank[source]
        if (WAITS_FOR[number] >> source) & 1:
            # It has waited for the bank as it is now.
            S.check.flip_line[source] = 0
        if (banks.WRITES[number] >> source) & 1 and is_on(S, Number.S3):
            line = S.check.flip_line[source]
            if occupancy.matrix_lacks(S, source):
                found(S, Number.S3, site(S, thread), 0, source | NOT_OWNED << 1, 0)
            elif line and not is_known(S, thread, source, line):
                flip = S.check.flip_site[source]
                wait = S.check.wait_site[thread]
                found(S, Number.S3, site(S, thread), flip, source | FLIP_UNDER_WAY << 1, wait)
        S.check.lacked[source] = occupancy.matrix_lacks(S, source)
        if S.check.lacked[source] and gives_back(number, word, source) and is_on(S, Number.S4):
            found(S, Number.S4, site(S, thread), 0, source | NO_BANK << 1, 0)
    return 0


def gives_back(number: int, word: int, source: int) -> int:
    """True if the instruction gives the bank of a source back; CLEARDVALID may reset both."""
    if GIVES_BACK[number] == 0 or (IS_CLEARDVALID[number] and word & 1):
        return 0
    return (word >> (22 + source)) & 1


def gave_back(S: View, thread: int, number: int, word: int) -> int:
    """S4 by clocks: the bank was the Matrix Unit's in this run, and the thread has not heard that
    the unpacker's instruction had begun, nor any of the few before it. That it has ended takes no
    wait."""
    for source in range(2):
        bank = S.check.bank[source]
        line = S.check.given_line[source, bank]
        known = S.race.clock[GATE + thread, line]
        few = AT_ONCE if known else 0
        if (
            line
            and S.check.lacked[source] == 0
            and gives_back(number, word, source)
            and known + few < S.check.given_at[source, bank]
        ):
            found(S, Number.S4, site(S, thread), 0, source | NOT_KNOWN << 1, 0)
    return 0


def is_known(S: View, thread: int, source: int, line: int) -> int:
    """True if the thread has waited for the end of what has left a bank."""
    known = S.race.clock[GATE + thread, line]
    if S.race.waiting[thread] and catches_matrix(S, thread):
        known = max(known, waits.brings(S, thread, line))
    return 1 if known >= S.check.flip_at[source] else 0


def catches_matrix(S: View, thread: int) -> int:
    """True if the latched wait is one for the Matrix Unit."""
    return (S.race.block[thread] >> 6) & 1


def after(S: View, thread: int, number: int, word: int) -> int:
    """The instruction was executed, and the observer knows it."""
    if UNITS[number] == MATRIX:
        if is_on(S, Number.S4):
            gave_back(S, thread, number, word)
        for source in range(2):
            if S.busy.matrix_bank[source] != S.check.bank[source]:
                line = of_thread(thread, Line.MATRIX)
                S.check.flip_site[source] = site(S, thread)
                S.check.flip_line[source] = line
                S.check.flip_at[source] = S.race.ends[thread, Line.MATRIX]
        return 0
    match FORM[number]:
        case Form.SEMPOST | Form.SEMGET:
            for i in range(SEMAPHORES):
                if (semaphores_of(word, number) >> i) & 1 and is_on(S, Number.S1):
                    if FORM[number] == Form.SEMPOST:
                        gate = of_thread(thread, Line.GATE)
                        note_post(S, i, S.race.posts[i], gate, S.race.ends[thread, Line.GATE])
                    else:
                        # Promise P2: stores of the own T core come before what it pushes later.
                        mine = of_hart(T0 + thread, Region.SEMAPHORE, STORE)
                        done = stores_before_push(S, thread)
                        at = site(S, thread)
                        after_post(S, i, S.race.gets[i], GATE + thread, at, mine, done)
        case Form.STALLWAIT | Form.SEMWAIT:
            S.check.wait_site[thread] = site(S, thread)
            S.check.between[thread] = 0
            if S.latch.kind[thread] == STALLWAIT:
                conditions = of_one_packer(S.latch.conditions[thread])
                S.check.wait_for[site(S, thread)] = conditions
            elif S.latch.kind[thread] == SEMWAIT:
                S.check.wait_for[site(S, thread)] = waits.OF_SEMAPHORES
                if S.latch.conditions[thread] & WHILE_FULL:
                    S.check.max_awaited |= S.latch.semaphores[thread]
        case Form.WRCFG | Form.CFGSHIFTMASK:
            index = field(word, number, INDEX[number] - 1)
            if is_on(S, Number.S10) and IS_ALU_WORD[S.tile.chip << 11 | index]:
                S.check.wrcfg[thread] = 1 + index
                S.check.wrcfg_site[thread] = site(S, thread)
        case _:
            pass
    return 0
