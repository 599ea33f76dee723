# SPDX-License-Identifier: Apache-2.0
"""Words of Wormhole's configuration (WormholeB0 BackendConfiguration.md), in the record by fields.

The record has each bit where Blackhole's units look for the field (config_places.py). Here a word
is taken apart when it is written and put together when it is read. Three words act when they
are written, as on Blackhole, and UNPACK_MISC_CFG does, which SETC16 writes.
"""

from tensix_gdb.core.arch.blackhole import THREADS, SoftReset
from tensix_gdb.core.arch.wormhole import (
    CONFIG_WORDS,
    GLOBAL_WORD,
    IC_INVALIDATE,
    PRNG_SEED,
    THCON_WORD,
    THREAD_CONFIG_WORDS,
)
from tensix_gdb.core.devices.backend_config import (
    BANKS,
    STATE_RESET_EN,
    invalidate_caches,
    note_late,
    seed_all,
)
from tensix_gdb.core.devices.wormhole.config_places import (
    CONFIG_RUNS,
    ON_WORMHOLE,
    THREAD_RUNS,
    by_run,
    first_runs,
)
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule

COLD = True  # little time of LLVM for it (core/engine/README.md)

FIRST = first_runs(CONFIG_RUNS, CONFIG_WORDS)
LOW = by_run(CONFIG_RUNS, lambda run: run.low)
AT = by_run(CONFIG_RUNS, lambda run: run.at)
AT_LOW = by_run(CONFIG_RUNS, lambda run: run.at_low)
MASK = by_run(CONFIG_RUNS, lambda run: run.mask)

THREAD_FIRST = first_runs(THREAD_RUNS, THREAD_CONFIG_WORDS)
THREAD_LOW = by_run(THREAD_RUNS, lambda run: run.low)
THREAD_AT = by_run(THREAD_RUNS, lambda run: run.at)
THREAD_AT_LOW = by_run(THREAD_RUNS, lambda run: run.at_low)
THREAD_MASK = by_run(THREAD_RUNS, lambda run: run.mask)

_FIELDS = config_fields(Arch.WORMHOLE)
UNPACK_MISC_CFG = _FIELDS["UNPACK_MISC_CFG_CfgContextOffset_0"].word
assert _FIELDS["STATE_RESET_EN"].word == STATE_RESET_EN

# Words of the record that say something about Wormhole itself, and what.
_ALWAYS = [(config_fields(Arch.BLACKHOLE)[name], value) for name, value in ON_WORMHOLE.items()]
ALWAYS_WORD = tuple(field.word for field, _ in _ALWAYS if field.space is Space.THREAD)
ALWAYS_BITS = tuple(value << field.low for field, value in _ALWAYS if field.space is Space.THREAD)
assert len(ALWAYS_WORD) == len(_ALWAYS)


def power_up(S: View) -> None:
    """Give the fields that Wormhole does not have the value that they have there."""
    for word, bits in zip(ALWAYS_WORD, ALWAYS_BITS, strict=True):
        for thread in range(THREADS):
            S.config.thread[thread, word] |= bits


def word_of(S: View, bank: int, index: int) -> int:
    """Return a word of Config."""
    value = 0
    for i in range(FIRST[index], FIRST[index + 1]):
        value |= (S.config.word[bank, AT[i]] & MASK[i]) >> AT_LOW[i] << LOW[i]
    return value


def set_config(S: View, bank: int, index: int, value: int) -> int:
    """Write a word of Config, with what that does."""
    if index == STATE_RESET_EN:
        for word in range(GLOBAL_WORD):
            put(S, bank, word, 0)
        return 0
    if is_thcon(S, index) and S.tile_control.soft_reset & SoftReset.THCON:
        return 0
    return modify(S, bank, index, value)


def modify(S: View, bank: int, index: int, value: int) -> int:
    """Write a word as RMWCIB does, for which STATE_RESET_EN is a word like any other."""
    put(S, bank, index, value)
    if index >= GLOBAL_WORD:
        put(S, 1 - bank, index, value)
    if index == IC_INVALIDATE:
        invalidate_caches(S, value)
    if index == PRNG_SEED:
        seed_all(S, value)
    return 0


def put(S: View, bank: int, index: int, value: int) -> int:
    """Put the bits of a word where the record has them."""
    for i in range(FIRST[index], FIRST[index + 1]):
        old = S.config.word[bank, AT[i]]
        new = (old & ~MASK[i]) | (value >> LOW[i] << AT_LOW[i] & MASK[i])
        if S.schedule.kind >= Schedule.RANDOM:
            note_late(S, AT[i], old ^ new)
        S.config.word[bank, AT[i]] = new
    return 0


def is_thcon(S: View, index: int) -> int:
    """True for the words that soft reset of the THCON configuration holds at 0."""
    return 1 if THCON_WORD <= index < GLOBAL_WORD else 0


def reset_thcon(S: View) -> int:
    """The THCON configuration enters soft reset (SoftReset.md)."""
    for bank in range(BANKS):
        for index in range(THCON_WORD, GLOBAL_WORD):
            put(S, bank, index, 0)
    return 0


def thread_word_of(S: View, thread: int, index: int) -> int:
    """Return a word of ThreadConfig."""
    value = 0
    for i in range(THREAD_FIRST[index], THREAD_FIRST[index + 1]):
        at = S.config.thread[thread, THREAD_AT[i]]
        value |= (at & THREAD_MASK[i]) >> THREAD_AT_LOW[i] << THREAD_LOW[i]
    return value


def set_thread_config(S: View, thread: int, index: int, value: int) -> int:
    """Write a word of ThreadConfig; 1 if it is the one that resets the unpackers' contexts."""
    for i in range(THREAD_FIRST[index], THREAD_FIRST[index + 1]):
        bits = value >> THREAD_LOW[i] << THREAD_AT_LOW[i] & THREAD_MASK[i]
        old = S.config.thread[thread, THREAD_AT[i]]
        S.config.thread[thread, THREAD_AT[i]] = (old & ~THREAD_MASK[i]) | bits
    return 1 if index == UNPACK_MISC_CFG else 0
