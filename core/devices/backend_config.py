# SPDX-License-Identifier: Apache-2.0
"""The window onto the Tensix backend configuration (BackendConfiguration.md).

    0x000  Config[0][224]          0x700  ConfigDualWrite[224], writes both banks, reads bank 0
    0x380  Config[1][224]          0xA80  ThreadConfig[3][68], 16 bits in each word

Loads have any width. Stores are `sw` to the first three only: ThreadConfig is written by SETC16.
Words from 180 on are the same in both banks. Three words act when they are written:

    STATE_RESET_EN (4)             zeroes the words below 180 of the bank
    RISCV_IC_INVALIDATE (185)      invalidates instruction caches, a bit for each hart. That is
                                   time only: harts execute what L1 holds (memory/ram.py)
    PRNG_SEED (186)                seeds the random numbers of Vector Unit and packer

While SOFT_RESET_0 holds the THCON configuration in reset, stores to its words are discarded.

UNSPECIFIED(BackendConfiguration.md): what STATE_RESET_EN reads afterwards; 0, like the words around
it. The window after ThreadConfig: an access stops the hart.
"""

from tensix_gdb.core.arch import chips
from tensix_gdb.core.arch.blackhole import HARTS, THREADS, SoftReset
from tensix_gdb.core.devices.registers import Access, Elsewhere, Register, extract
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.sampling import LATE_IN_PACKER, LATE_IN_UNPACKERS
from tensix_gdb.core.numeric.prng import seeded
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, View, row
from tensix_gdb.core.riscv.pipeline import frontend
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.vector.state import seed

CONFIG_BASE = 0xFFEF0000  # TENSIX_CFG_BASE
BANKS = 2
# Of the record, which are Blackhole's: Wormhole has fewer (core/arch/chips.py).
WORDS = chips.CONFIG_WORDS[chips.BLACKHOLE]  # of a bank: CFG_STATE_SIZE * 4
THREAD_WORDS = chips.THREAD_CONFIG_WORDS[chips.BLACKHOLE]  # THD_STATE_SIZE
THCON_WORD = chips.THCON_WORD[chips.BLACKHOLE]  # THCON_CFGREG_BASE_ADDR32
GLOBAL_WORD = chips.GLOBAL_WORD[chips.BLACKHOLE]  # GLOBAL_CFGREG_BASE_ADDR32
IC_INVALIDATE = chips.IC_INVALIDATE[chips.BLACKHOLE]
PRNG_SEED = chips.PRNG_SEED[chips.BLACKHOLE]
UNPACK_MISC_CFG = 41
STATE_RESET_EN = 4
PACKER, UNPACKERS = 1, 2  # of `late`
WINDOW_WORDS = 3 * WORDS + THREADS * THREAD_WORDS

CONFIG = Part(
    "config",
    (
        row(
            "word",
            "u32",
            (BANKS, WORDS),
            Tag.ARCHITECTURAL,
            "Config",
            marks=Mark.VISIBLE | Mark.STEERS,
        ),
        row(
            "thread",
            "u16",
            (THREADS, THREAD_WORDS),
            Tag.ARCHITECTURAL,
            "ThreadConfig",
            marks=Mark.VISIBLE | Mark.STEERS,
        ),
        row(
            "late",
            "u8",
            (),
            Tag.ARCHITECTURAL,
            "PACKER, UNPACKERS: they may sample once more",
            role=Role.DATA,
        ),
    ),
    role=Role.SETTING,
    chapter=Chapter.DEVICES,
)
PARTS = (CONFIG,)


def _bank(bank: int) -> Elsewhere:
    return Elsewhere("config.word", lambda hart, copy, i: (bank, i))


WINDOW = (
    Register(
        0x000,
        "Config[0][{i}]",
        Access.READ_WRITE,
        "stores by `sw` only",
        count=WORDS,
        elsewhere=_bank(0),
    ),
    Register(
        0x380,
        "Config[1][{i}]",
        Access.READ_WRITE,
        "stores by `sw` only",
        count=WORDS,
        elsewhere=_bank(1),
    ),
    Register(
        0x700,
        "ConfigDualWrite[{i}]",
        Access.READ_WRITE,
        "a store writes both banks; a load reads Config[0]",
        count=WORDS,
        elsewhere=_bank(0),
    ),
    Register(
        0xA80,
        "ThreadConfig[{i}]",
        Access.READ_ONLY,
        "three times 68 words; written by SETC16",
        count=THREADS * THREAD_WORDS,
        elsewhere=Elsewhere("config.thread", lambda hart, copy, i: divmod(i, THREAD_WORDS)),
    ),
)


def word_at(S: View, index: int) -> int:
    """Word `index` of the window, 0 past its end."""
    if index < WORDS:
        return S.config.word[0, index]
    if index < 2 * WORDS:
        return S.config.word[1, index - WORDS]
    if index < 3 * WORDS:
        return S.config.word[0, index - 2 * WORDS]
    if index < WINDOW_WORDS:
        index -= 3 * WORDS
        return S.config.thread[index // THREAD_WORDS, index % THREAD_WORDS]
    return 0


def peek(S: View, hart: int, addr: int) -> int:
    """Looking has no side effect."""
    index = (addr - CONFIG_BASE) >> 2
    return word_at(S, index) if index < WINDOW_WORDS else -1


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Any width."""
    value = peek(S, hart, addr)
    if value < 0:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    return extract(value, addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` to Config and ConfigDualWrite."""
    index = (addr - CONFIG_BASE) >> 2
    if index >= WINDOW_WORDS:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    if index >= 3 * WORDS:
        return fault(S, hart, Fault.STORE_THREAD_CONFIG, addr, size)
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return write_word(S, index, value)


def write_word(S: View, index: int, value: int) -> int:
    """Write word `index` of the window, below ThreadConfig."""
    if index >= 2 * WORDS:
        set_config(S, 0, index - 2 * WORDS, value)
        return set_config(S, 1, index - 2 * WORDS, value)
    return set_config(S, index // WORDS, index % WORDS, value)


def word_of(S: View, bank: int, index: int) -> int:
    """Return a word of Config."""
    return S.config.word[bank, index]


def set_config(S: View, bank: int, index: int, value: int) -> int:
    """Write a word of Config, with what that does."""
    if index == STATE_RESET_EN:
        for i in range(GLOBAL_WORD):
            S.config.word[bank, i] = 0
        return 0
    if is_thcon(S, index) and S.tile_control.soft_reset & SoftReset.THCON:
        return 0
    return modify(S, bank, index, value)


def modify(S: View, bank: int, index: int, value: int) -> int:
    """Write a word as RMWCIB does, for which STATE_RESET_EN is a word like any other."""
    if S.schedule.kind >= Schedule.RANDOM:
        note_late(S, index, S.config.word[bank, index] ^ value)
    S.config.word[bank, index] = value
    if index >= GLOBAL_WORD:
        S.config.word[1 - bank, index] = value
    if index == IC_INVALIDATE:
        invalidate_caches(S, value)
    if index == PRNG_SEED:
        seed_all(S, value)
    return 0


def invalidate_caches(S: View, harts: int) -> int:
    """Instruction caches, a bit for each hart."""
    for hart in range(HARTS):
        if (harts >> hart) & 1:
            frontend.invalidate(S, hart)
    return 0


def seed_all(S: View, value: int) -> int:
    """The random numbers of Vector Unit and packer."""
    seed(S, value)
    # UNSPECIFIED(BackendConfiguration.md): how the packer's differ from others; they do not.
    S.pack.random = seeded(value, 0)
    return 0


def is_thcon(S: View, index: int) -> int:
    """True for the words that soft reset of the THCON configuration holds at 0."""
    return 1 if THCON_WORD <= index < GLOBAL_WORD else 0


def note_late(S: View, index: int, changed: int) -> int:
    """Note which units, busy now, may not have sampled the bits that change in a word."""
    if LATE_IN_PACKER[index] & changed and (S.pack.running or S.pack.out_count):
        S.config.late |= PACKER
    if LATE_IN_UNPACKERS[index] & changed and (S.unpack.count[0] or S.unpack.count[1]):
        S.config.late |= UNPACKERS
    return 0


def thread_word_of(S: View, thread: int, index: int) -> int:
    """Return a word of ThreadConfig."""
    return S.config.thread[thread, index]


def set_thread_config(S: View, thread: int, index: int, value: int) -> int:
    """Write a word of ThreadConfig; 1 if it is the one that resets the unpackers' contexts."""
    S.config.thread[thread, index] = value
    return 1 if index == UNPACK_MISC_CFG else 0


def reset_thcon(S: View) -> int:
    """The THCON configuration enters soft reset (SoftReset.md)."""
    for bank in range(BANKS):
        for i in range(THCON_WORD, GLOBAL_WORD):
            S.config.word[bank, i] = 0
    return 0
