# SPDX-License-Identifier: Apache-2.0
"""Rows of the checks of synchronisation, and what keeps a finding of theirs (kept.py).

As for the rows of the observer, nothing in the machine looks here, and they are used only while
`race.on` is set.
"""

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.devices.backend_config import BANKS, WORDS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.race.fields import RING, SITES, UNPACK_JOBS
from tensix_gdb.core.race.kept import Family, keep
from tensix_gdb.core.race.lines import CLOCKS
from tensix_gdb.core.record.layout import Mark, Part, Tag, View, row

CONFIG = BANKS * WORDS
RECENT = 64  # events of a line of which is known which wait has brought them

_D, _F = Tag.DERIVED, Mark.FOUND

# fmt: off
CHECK = Part("check", (
    row("on",        "u16", (),              _D, "checks that are on: 1 << their number"),
    # Threads.
    row("between",   "u32", THREADS,         _D, "S2: instructions that a wait has not held"),
    row("wait_site", "u16", THREADS,         _D, "the last wait"),
    row("flip_site", "u16", 2,               _D, "S3: what has left the bank of SrcA, SrcB last"),
    row("flip_line", "u8",  2,               _D, "its line, 0: nothing is under way"),
    row("flip_at",   "u32", 2,               _D, "its number there"),
    row("bank",      "u8",  2,               _D, "the Matrix Unit's banks before an instruction"),
    row("lacked",    "u8",  2,               _D, "S4: the instruction has no bank to give back"),
    row("given_line", "u8", (2, 2),          _D, "of each bank: the gate of what gave it last"),
    row("given_at",  "u32", (2, 2),          _D, "its number there"),
    row("unpack_gate_line", "u8", UNPACK_JOBS, _D, "the same of the unpackers' queues"),
    row("unpack_gate", "u32", UNPACK_JOBS,   _D, "its number there"),
    row("wrcfg",     "u16", THREADS,         _D, "S10: 1 + the word that was written just before"),
    row("wrcfg_site", "u16", THREADS,        _D, "by what"),
    row("max_awaited", "u8", (),             _D, "S1: semaphores for the Max of which a wait was"),
    row("post_line", "u8",  (SEMAPHORES, RING), _D, "S1: of each post, its line"),
    row("post_at",   "u32", (SEMAPHORES, RING), _D, "its number there"),
    # Harts.
    row("effect",    "u16", HARTS,           _D, "S5, S6: clock of a load that is not used yet"),
    row("effect_site", "u16", HARTS,         _D, "the load"),
    row("is_done_check", "u8", HARTS,        _D, "it is one"),
    row("pushed",    "u32", HARTS,           _D, "S11: the last thing that a hart has pushed"),
    row("pushed_pc", "u32", HARTS,           _D, "where"),
    # Configuration.
    row("owner",     "u32", (HARTS, CONFIG), _D, "S7: bits that the hart or its thread wrote last"),
    row("owner_site", "u16", (HARTS, CONFIG), _D, "the last write"),
    row("loaded",    "u8",  CONFIG,          _D, "S8: harts that have loaded the word, a bit each"),
    row("changed_by", "u8", CONFIG,          _D, "harts that have loaded and stored it"),
    row("no_locks",  "u8",  CONFIG,          _D, "mutexes that one of them did not hold"),
    row("change_site", "u16", CONFIG,        _D, "the last such store"),
    # S12.
    row("wait_times", "u32", SITES,          _D, "of a wait: how often it was over", marks=_F),
    row("wait_cost", "u32", SITES,           _D, "cycles in which it has held something", marks=_F),
    row("wait_needed", "u8", SITES,          _D, "an access was in order because of it", marks=_F),
    row("wait_for",  "u16", SITES,           _D, "its conditions", marks=_F),
    row("without",   "u32", (THREADS, 2),    _D, "SCALAR, PIPE as known without the wait"),
    row("cover_at",  "u32", (CLOCKS, RECENT), _D, "number of an event"),
    row("cover",     "u16", (CLOCKS, RECENT), _D, "the wait that has brought it"),
))
# fmt: on


def is_on(S: View, check: int) -> int:
    """True if the check of this number is on."""
    return (S.check.on >> check) & 1


def found(S: View, check: int, site: int, other: int, detail: int, more: int) -> int:
    """Keep a finding: an instruction, another one or 0, and what the check needs to tell of it."""
    place = keep(S, Family.SYNC, check, site, other, detail)
    if place >= 0 and S.found.times[place] == 1:
        S.found.more[place] = more
    return 0
