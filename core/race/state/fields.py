# SPDX-License-Identifier: Apache-2.0
"""Rows of the checks of state and memory, and what keeps a finding of theirs (kept.py).

As for the rows of the observer, nothing in the machine looks here, all are DERIVED, and they are
used only while `race.on` is set. `written` has a mask of each cell of the observer's shadow
(core/race/fields.py): bytes of L1 and GPRs, bits of configuration, halves of rows of Dst.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, THREADS
from tensix_gdb.core.devices.overlay import STREAMS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.race.fields import CELLS, LINE_BYTES, MUTEXES, pc_of
from tensix_gdb.core.race.kept import Family, keep
from tensix_gdb.core.race.lines import NOC_LINES
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES

WRITES_KEPT = 4096  # (word of configuration, instruction) of a kernel
BUFFERS = 128
L1_LINES = L1_BYTES // LINE_BYTES
NO_AREA, CODE, SHARED, FIRST_BUFFER = 0, 1, 2, 3  # of a line of L1; then the buffers
MAILBOXES = 255  # of tt-metal: its firmware and its host write there
GIVEN = 1 << 7  # a bit of `arguments`: some kernel has arguments in the line
THE_HOST = 7  # in place of a hart
KNOWN = 1 << 62  # keeps a key from being 0

_D = Tag.DERIVED

# fmt: off
STATE = Part("state", (
    row("on",        "u8",  (),              _D, "Group, a bit each"),
    row("alone",     "u8",  (),              _D, "races are not looked for"),
    row("lost",      "u32", (),              _D, "writes of configuration without room"),
    # What was written.
    row("written",   "u32", CELLS,           _D, "bits that count as written"),
    row("kernel",    "u32", CELLS,           _D, "bits that the kernel has written last"),
    row("stale",     "u32", CELLS,           _D, "bits that an earlier kernel has written last"),
    row("lregs",     "u32", (),              _D, "LRegs that count as written"),
    row("lregs_kernel", "u32", (),           _D, "that the kernel has written last"),
    row("lregs_stale", "u32", (),            _D, "that an earlier one has"),
    row("from_pc",   "u32", HARTS,           _D, "firmware of each hart: its first address"),
    row("to_pc",     "u32", HARTS,           _D, "and the one after its last"),
    # The last writers.
    row("log_key",   "i64", WRITES_KEPT,     _D, "cell of configuration, and instruction; 0: free"),
    row("log_value", "i64", WRITES_KEPT,     _D, "the word after the last such write; -1: unknown"),
    row("log_bits",  "u32", WRITES_KEPT,     _D, "the bits that it has written"),
    row("log_when",  "i64", WRITES_KEPT,     _D, "the cycle of it"),
    row("semaphore_site", "u16", SEMAPHORES, _D, "last post, get, init"),
    row("semaphore_init", "u8", SEMAPHORES,  _D, "1 + the value of the last SEMINIT"),
    row("mutex_site", "u16", MUTEXES,        _D, "the last ATGETM"),
    row("constant_site", "u16", 4,           _D, "LReg[11] to LReg[14]: the last SFPCONFIG"),
    row("flags_site", "u16", (),             _D, "lane flags: the last write"),
    row("flags_when", "i64", (),             _D, "and its cycle"),
    row("bank_site", "u16", (2, 2),          _D, "[SrcA or SrcB, bank]: what gave it away last"),
    # Memory.
    row("lowest",    "u32", HARTS,           _D, "stack pointer: the lowest so far; 0: none yet"),
    row("lowest_pc", "u32", HARTS,           _D, "where that was"),
    row("floor",     "u32", HARTS,           _D, "the end of the data below the stack"),
    row("areas",     "u8",  L1_LINES,        _D, "of each line: NO_AREA to MAILBOXES"),
    row("cached",    "u8",  L1_LINES,        _D, "of each line: harts whose instruction cache may "
                                                 "have it, a bit each"),
    row("changed",   "u32", L1_LINES,        _D, "words of it that were written since, four bits "
                                                 "for each hart"),
    row("changer",   "u16", L1_LINES,        _D, "what has written them"),
    row("code_first", "u32", HARTS,          _D, "1 + the first such line of a hart; 0: none"),
    row("code_end",  "u32", HARTS,           _D, "and the one after the last"),
    row("stale_site", "u16", (HARTS, L0_LINES), _D, "the last load that an old line has answered"),
    row("stale_fill", "u32", (HARTS, L0_LINES), _D, "and race.cached_at of that line"),
    row("buffers",   "u8",  (),              _D, "how many"),
    row("first",     "u32", BUFFERS,         _D, "of a buffer: its address"),
    row("size",      "u32", BUFFERS,         _D, "bytes"),
    row("page",      "u32", BUFFERS,         _D, "bytes of a page; 0: it has none"),
    row("stream",    "u8",  BUFFERS,         _D, "1 + the stream that counts its pages"),
    row("buffer_of", "u8",  STREAMS,         _D, "of a stream: 1 + the buffer that it is of"),
    row("pages_at",  "u32", (STREAMS, 2),    _D, "pages that were received, acknowledged"),
    row("pages_by",  "u8",  (STREAMS, 2),    _D, "1 + the hart of the program that has pushed, "
                                                 "popped pages last; 0: none has"),
    row("arguments", "u8",  L1_LINES,        _D, "of each line with arguments of kernels: the "
                                                 "harts that have some there, and GIVEN"),
    row("argument_words", "u8", L1_LINES,    _D, "and its words that are arguments, a bit each"),
    row("section",   "u16", THREADS,         _D, "what has selected its half of Dst"),
    row("half",      "u8",  THREADS,         _D, "that half"),
    row("posted",    "u8",  THREADS,         _D, "0: its next offset selects a section's half"),
    row("half_site", "u16", (THREADS, 2),    _D, "what has selected each half last"),
    row("unknown",   "u32", HARTS,           _D, "registers with what nothing has written"),
    row("unknown_at", "u32", (HARTS, 32),    _D, "where in local RAM that was"),
    row("unknown_site", "u16", (HARTS, 32),  _D, "and the load"),
    row("stack_at",  "u32", HARTS,           _D, "the stack pointer"),
    row("skips",     "u32", (),              _D, "bytes of the GPR that do not count"),
    row("ring",      "u8",  (),              _D, "circular buffers among the buffers"),
    row("span_site", "u16", (),              _D, "the last access of a transfer: its instruction"),
    row("span_line", "u8",  (),              _D, "its line"),
    row("span_at",   "u32", (),              _D, "its number there"),
    row("span_area", "u8",  (),              _D, "the area where it has begun"),
    row("by_hart",   "u32", (NIUS, NOC_LINES, HARTS), _D, "the last request of each hart: its "
                                                        "number on the line"),
    row("by_site",   "u16", (NIUS, NOC_LINES, HARTS), _D, "and its instruction"),
))
# fmt: on


def is_kernel(S: View, site: int) -> int:
    """True if an instruction is a kernel's: neither the host's, nor in the firmware of its hart."""
    key = S.race.site[site]
    hart = key & 7
    if hart == THE_HOST:
        return 0
    pc = pc_of(key)
    return 0 if S.state.from_pc[hart] <= pc < S.state.to_pc[hart] else 1


def found(S: View, check: int, site: int, other: int, detail: int, cell: int, mask: int) -> int:
    """Keep a finding: an instruction, another one or 0, and what tells it from others."""
    add(S, check, site, other, detail, cell, mask)
    return 0


def add(S: View, check: int, site: int, other: int, detail: int, cell: int, mask: int) -> int:
    """The same; the place of the finding, or -1 if there is no room."""
    place = keep(S, Family.STATE, check, site, other, detail)
    if place >= 0 and S.found.times[place] == 1:
        S.found.cell[place] = cell
        S.found.mask[place] = mask
    return place
