# SPDX-License-Identifier: Apache-2.0
"""Rows of the observer of races.

Nothing in the machine looks here and all rows are DERIVED, so an execution that is observed is the
same execution, with the same hash. Only the loops with CHECKED observe, and only while `on` is set.

`clock` has all clocks, one a row; each group of rows begins at a number below. `slot_*` is the
shadow: each cell remembers its last SLOTS accesses (shadow.py).
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, THREADS
from tensix_gdb.core.devices.backend_config import BANKS, THREAD_WORDS, WORDS
from tensix_gdb.core.devices.mailboxes import ENDS
from tensix_gdb.core.devices.overlay import STREAMS as OVERLAY_STREAMS
from tensix_gdb.core.devices.pcbufs import PCBUFS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.memory.streams import DEPTH, STREAMS
from tensix_gdb.core.noc.state import INITIATORS, NIUS
from tensix_gdb.core.noc.state import SLOTS as NOC_SLOTS
from tensix_gdb.core.race.lines import CLOCKS, FOREIGN_LINES, NOC_LINES, REGIONS, THREAD_LINES
from tensix_gdb.core.record.layout import Mark, Part, Tag, named, row
from tensix_gdb.core.riscv.pipeline.fields import (
    L0_LINES,
    RETIRE_ORDER_ENTRIES,
    STORE_QUEUE_ENTRIES,
)
from tensix_gdb.core.tensix.auto_ttsync import tracker

PUSH_SLOTS = tracker.SLOTS
UNPACK_JOBS = 8  # unpacker/queue.py

# Groups of clocks.
NOTHING = 0  # of requests that were made before observing began
PAST = 1  # of each hart: what is done before it can emit its next request
REQUEST = PAST + HARTS  # of each hart: its last requests
IN_FLIGHT = 64
CACHED = REQUEST + HARTS * IN_FLIGHT  # lines of L0 caches, when they were read
PUSHED = CACHED + HARTS * L0_LINES  # by slot of the Auto TTSync tracker
FROM_B = PUSHED + THREADS * PUSH_SLOTS  # instructions that B has pushed
B_PUSHES = 16
GATE = FROM_B + THREADS * B_PUSHES  # of each thread: what is done before its next instruction
WAIT = GATE + THREADS  # what a latched wait brings
RING = 16
POSTS = WAIT + THREADS  # of each semaphore, by the number of the post
GETS = POSTS + SEMAPHORES * RING
MUTEXES = 8
RELEASED = GETS + SEMAPHORES * RING  # mutexes
MAIL_DEPTH = 4
MAIL = RELEASED + MUTEXES  # values in mailboxes
PCBUF_DEPTH = 16
PCBUF = MAIL + ENDS * ENDS * MAIL_DEPTH
SYNC_WORDS = 256
HELD = PCBUF + PCBUFS * PCBUF_DEPTH  # of each hart: what it had done when reset began
LET_GO = HELD + HARTS  # of each hart: what promise P10 has done when reset ended
SYNC = LET_GO + HARTS  # words of L1 that harts have stored to, and atomics
PACKING = SYNC + SYNC_WORDS  # of the last PACR of each thread
MOVING = PACKING + THREADS
GIVEN = MOVING + 1  # of each bank of SrcA and SrcB: what its giver had done
LEFT = GIVEN + 4  # of each: what the Matrix Unit had done when it left it
UNPACKING = LEFT + 4  # instructions of the unpackers' queues
COMMANDS_KEPT = 8
COMMANDED = UNPACKING + UNPACK_JOBS  # commands of TDMA-RISC
NOC_WANTED = COMMANDED + COMMANDS_KEPT  # [niu, initiator]: stores to NOC_CMD_CTRL
NOC_REQUEST = NOC_WANTED + NIUS * INITIATORS  # [niu, slot]: requests on their way
STREAM = NOC_REQUEST + NIUS * NOC_SLOTS  # registers of the overlay's streams, two groups of each
HOST_PAST = STREAM + 2 * OVERLAY_STREAMS  # of the host
ARRIVES = HOST_PAST + 1  # of a request of another tile
MACROS_KEPT = 8
LINE_WORDS = 4  # of a line of the L0 data cache
VECTOR_KEPT = 16  # instructions of the Vector Unit
MACROS = ARRIVES + 1  # SFPLOADMACRO with a store that is not made yet
WARM = MACROS + MACROS_KEPT  # of each hart: signals of the words of a line, when L0 got it
AWAITED = WARM + HARTS * LINE_WORDS  # words of L1 that have been polled
SWAPPED = AWAITED + SYNC_WORDS
SCRATCH = SWAPPED + 1
CLOCK_ROWS = SCRATCH + 1
CLOCK_SPACE = 1 << (CLOCK_ROWS - 1).bit_length()

# Of a push: what its hart had emitted before, as STALLWAIT C10 and promises see it.
OLDER_GPR, OLDER_CONFIG, OLDER_TDMA, OLDER_MOP_CONFIG, OLDER_SEMAPHORE = 0, 2, 4, 6, 7
OLDER_PUSH = 8
OLDER_PART = 9  # by resource of Auto TTSync: the last store, then the last load
OLDER_OLD = OLDER_PART + 16  # GPRs, configuration: stores that promises have done by now
# Of a load of an NIU: stores to regions without data. Of a store to L1: loads before the last store
# that has merged with it.
OLDER_OTHER = OLDER_OLD + 2
OLDER = -(-(OLDER_OTHER + 1) // 8) * 8

# Cells of the shadow.
LINE_BYTES = 16
L1_CELLS = 0
CONFIG_CELLS = L1_CELLS + L1_BYTES // LINE_BYTES
THREAD_CONFIG_CELLS = CONFIG_CELLS + BANKS * WORDS
GPR_CELLS = THREAD_CONFIG_CELLS + THREADS * THREAD_WORDS
MOP_CELLS = GPR_CELLS + THREADS * 64
TDMA_CELLS = MOP_CELLS + THREADS
TDMA_WORDS = 64
SEMAPHORE_CELLS = TDMA_CELLS + TDMA_WORDS
LOCAL_CELLS = SEMAPHORE_CELLS + SEMAPHORES
LOCAL_LINES = 0x2000 // LINE_BYTES  # of each hart
DST_CELLS = LOCAL_CELLS + HARTS * LOCAL_LINES
DST_BLOCK = 8  # rows; two bits of a mask for each, even and odd columns
SRC_CELLS = DST_CELLS + 1024 // DST_BLOCK  # [SrcA or SrcB, bank]
POINTER_CELLS = SRC_CELLS + 4  # the Matrix Unit's bank, as others see it
LREG_CELLS = POINTER_CELLS + 2  # the Vector Unit's own state
ADC_CELLS = LREG_CELLS + 1  # address counters [thread, unit, those that read or write]
FIFO_CELLS = ADC_CELLS + THREADS * 3 * 2  # what B and a T core push to one thread
CELLS = FIFO_CELLS + THREADS
SLOTS = 4
# Words of a cell. What is kept of its slots lies side by side: an access to a cell that was not
# touched for long waits for two lines of the processor's cache, and not for five.
STRIDE = 5 * SLOTS

SITES = 1 << 14
REPORTS = 512
PROMISES = 32
RELIED_SITES = 8
SAMPLES = 9 * THREADS * BANKS
UNIT_RING = 1024
# Of `units_at`: units that all threads share, and that keep an order.
IN_MATRIX, IN_VECTOR, IN_PIPE, TO_L1 = range(4)
HEARD_RING = 1024  # instructions of a thread of which it is known when they began
OVERLOOKED = 4
MOVES_KEPT = 16
PASSES = 16  # instructions that have passed a gate, for Auto TTSync
NEAR = 4  # waits of a thread that a report may name
PUSHES_KEPT = 128  # of a T core: pushes of which it is known where they are
PROMISED = 8  # lines that promises are about, for one access

_D, _F = Tag.DERIVED, Mark.FOUND
_SHADOW = row("shadow", "u32", CELLS * STRIDE, _D, "what is kept of the slots of each cell")
_SLOTS = (
    CELLS - 1
) * STRIDE + SLOTS  # places of a part of it: slot i of a cell is STRIDE * cell + i
_RQ = (HARTS, RETIRE_ORDER_ENTRIES)
_SQ = (HARTS, STORE_QUEUE_ENTRIES)

# fmt: off
RACE = Part("race", (
    row("on",        "u8",  (),                     _D, "observe"),
    row("clock",     "u32", (CLOCK_SPACE, CLOCKS),  _D, "all clocks"),
    row("number",    "u32", CLOCK_ROWS,             _D, "of a request: its place on its line"),
    row("older",     "u32", (CLOCK_SPACE, OLDER),   _D, "of a push: OLDER_GPR to OLDER_PART"),
    # Harts.
    row("made",      "u32", (HARTS, REGIONS + 1, 2), _D, "stores queued, loads emitted"),
    row("parts",     "u32", (HARTS, 16),            _D, "the last request by resource"),
    row("stores",    "u32", HARTS,                  _D, "entries that the store queue has taken"),
    row("left",      "u32", HARTS,                  _D, "of these, certainly emitted"),
    row("sq_region", "u8",  _SQ,                    _D, "of the last four: the region"),
    row("sq_addr",   "u32", _SQ,                    _D, "first byte"),
    row("sq_mask",   "u32", _SQ,                    _D, "bytes from there"),
    row("sq_first",  "u8",  HARTS,                  _D, "ring: the head of the store queue"),
    row("sq_clock",  "u16", _SQ,                    _D, "ring: the clock of each entry"),
    row("first",     "u8",  (HARTS, STREAMS),       _D, "ring: the oldest request of a stream"),
    row("of_stream", "u16", (HARTS, STREAMS, DEPTH), _D, "ring: the clock of each request"),
    row("next",      "u8",  HARTS,                  _D, "ring: the clock of the next request"),
    row("carries",   "u8",  CLOCK_ROWS,             _D, "a load has seen more than its hart knows"),
    row("line",      "u8",  CLOCK_ROWS,             _D, "of a load"),
    row("unused",    "u16", _RQ,                    _D, "clock of an answer that is not used yet"),
    row("pending",   "u8",  HARTS,                  _D, "how many of these there are"),
    row("holder",    "u8",  _RQ,                    _D, "the register that has it"),
    row("source",    "u8",  (HARTS, 96),            _D, "1 + entry whose answer is in a register"),
    row("settles",   "u8",  HARTS,                  _D, "the next instruction finds all answered"),
    row("cached_at", "u32", (HARTS, L0_LINES),      _D, "number of the load that filled the line"),
    row("polled",    "u32", HARTS,                  _D, "1 + line that a load has polled in L0"),
    row("cached_pc", "u32", (HARTS, L0_LINES),      _D, "its address"),
    row("old_cycle", "i64", (HARTS, 2, 8),          _D, "of the last stores: when emitted"),
    # Threads.
    row("ends",      "u32", (THREADS, 11),          _D, "events of each Line so far"),
    row("due",       "u32", (THREADS, 2),           _D, "PIPE at the next gate, and the one after"),
    row("seen",      "u32", (THREADS, 2),           _D, "SCALAR as the configuration pipe sees it"),
    row("site_asked", "i64", THREADS,               _D, "accesses.py: what `site_here` is of"),
    row("site_here", "u16", THREADS,                _D, "number of the instruction at the gate"),
    row("tracked",   "i64", THREADS,                _D, "gate.py: a push, and what was looked at"),
    row("fed_by",    "u8",  THREADS,                _D, "1: the last instruction is the T core's, "
                                                        "2: it is B's"),
    row("b_cycle",   "i64", (THREADS, B_PUSHES),    _D, "when B pushed"),
    row("b_first",   "u32", THREADS,                _D, "pushes of B that are over"),
    row("b_last",    "u32", THREADS,                _D, "pushes of B so far"),
    row("joined",    "u32", THREADS,                _D, "number of the last push"),
    row("waiting",   "u8",  THREADS,                _D, "a wait has been latched, and joined by "
                                                        "no instruction"),
    row("block",     "u16", THREADS,                _D, "its block mask"),
    row("wait_semaphores", "u8", THREADS,           _D, "of a SEMWAIT"),
    row("wait_conditions", "u8", THREADS,           _D, "of a SEMWAIT"),
    row("promised",  "u32", (THREADS, 2),           _D, "stores that only a promise has done"),
    row("promised_b", "u32", THREADS,               _D, "the same of B and configuration"),
    row("read_config", "u32", THREADS,              _D, "LATE_GPR of an RDCFG just before"),
    row("late_cycle", "i64", THREADS,               _D, "when the last RDCFG began"),
    row("late_old",  "u32", THREADS,                _D, "LATE_GPR of those that began long ago"),
    row("push_words", "u32", (THREADS, PUSHES_KEPT), _D, "by push of the T core: words so far that "
                                                        "reach the gate"),
    row("push_clear", "u32", (THREADS, PUSHES_KEPT), _D, "the last push that it finds begun"),
    row("push_gate", "u32", (THREADS, PUSHES_KEPT), _D, "its place at the gate"),
    row("push_pipe", "u32", (THREADS, PUSHES_KEPT), _D, "PIPE before that"),
    row("push_number", "u32", (THREADS, PUSHES_KEPT), _D, "of which push"),
    row("push_total", "u32", THREADS,               _D, "words so far that reach the gate"),
    row("push_seen", "u32", THREADS,                _D, "pushes looked at for `push_clear`"),
    row("push_done", "u32", THREADS,                _D, "the last value of `push_clear`"),
    row("recorded",  "u32", THREADS,                _D, "words to come that REPLAY only records"),
    row("pass_push", "u32", (THREADS, PASSES),      _D, "last instructions: number of the push"),
    row("pass_gate", "u32", (THREADS, PASSES),      _D, "their place at the gate"),
    row("pass_uses", "u16", (THREADS, PASSES),      _D, "resources read, and written"),
    row("pass_scalar", "u32", (THREADS, PASSES),    _D, "SCALAR when it had passed"),
    row("pass_result", "u32", (THREADS, PASSES),    _D, "the same with its result, if declared"),
    row("pass_late",   "u32", (THREADS, PASSES),    _D, "LATE_GPR of the last declared RDCFG"),
    row("last_late",   "u32", THREADS,              _D, "the same, of the last instruction"),
    row("passes",    "u32", THREADS,                _D, "how many there were"),
    row("near",      "u32", THREADS,                _D, "waits that were latched so far"),
    row("near_wait", "i64", (THREADS, NEAR),        _D, "ring: the last of them (near.py)"),
    row("near_cycle", "u32", (THREADS, NEAR),       _D, "their cycles, low 32 bits"),
    row("near_ends", "u32", (THREADS, NEAR, THREAD_LINES), _D, "`ends` then"),
    row("near_older", "u32", (THREADS, NEAR, 6),    _D, "what the push had found made"),
    row("began_in",  "u32", (THREADS, HEARD_RING),  _D, "by place at the gate: the cycle"),
    row("began_site", "u16", (THREADS, HEARD_RING), _D, "its site"),
    row("began_push", "u32", (THREADS, HEARD_RING), _D, "its push; 0: not known"),
    row("signal_gate", "u32", (THREADS, SEMAPHORES, 2), _D, "the last SEMPOST and SEMGET: place"
                                                        "at the gate"),
    row("signal_site", "u16", (THREADS, SEMAPHORES, 2), _D, "and its site"),
    row("pack_site", "u16", THREADS,                _D, "of the last PACR"),
    row("pack_tail", "u8",  (),                     _D, "end of the blocks that are known"),
    row("moves",     "u32", (),                     _D, "copies of the mover so far"),
    row("move_line", "u8",  MOVES_KEPT,             _D, "of the last copies: what has begun them"),
    row("move_at",   "u32", MOVES_KEPT,             _D, "its place there"),
    row("commands",  "u32", (),                     _D, "commands of TDMA-RISC so far"),
    row("ended",     "u32", (),                     _D, "of these, processed"),
    row("waited_for", "u32", (),                    _D, "copies that a command has waited for"),
    row("command",   "u32", COMMANDS_KEPT,          _D, "the last ones"),
    row("parameter", "u32", (COMMANDS_KEPT, 4),     _D, "what they have, unless they are compact"),
    row("command_hart", "u8", COMMANDS_KEPT,        _D, "of which hart"),
    row("command_site", "u16", COMMANDS_KEPT,       _D, "the store"),
    row("command_store", "u32", COMMANDS_KEPT,      _D, "its place on its line"),
    # Registers of units (core/race/registers).
    row("readers",   "u32", (),                     _D, "those that have sampled, a bit each"),
    row("changed",   "u32", (),                     _D, "writes of what units sample"),
    row("sampled_at", "u32", SAMPLES,               _D, "1 + `changed`, when last checked"),
    row("sampled_gate", "u32", SAMPLES,             _D, "the last sample: its place at the gate"),
    row("sampled_end", "u32", SAMPLES,              _D, "and on the line of the unit"),
    row("sampled_site", "u16", SAMPLES,             _D, "and its instruction"),
    row("adc_met",   "u8",  (),                     _D, "threads whose counters others use"),
    row("vector_thread", "u8", (),                  _D, "1 + the last thread of the Vector Unit"),
    row("units_at",  "u32", (THREADS, 4, UNIT_RING), _D, "instructions of a unit that began, by "
                                                        "place at the gate (sync.py)"),
    row("overlooked", "u32", (THREADS, OVERLOOKED), _D, "MATRIX of the last MVMUL and DOTPV"),
    row("overlooked_gate", "u32", (THREADS, OVERLOOKED), _D, "their places at the gate"),
    row("unpack_number", "u32", UNPACK_JOBS,        _D, "of the unpackers' queues: its number"),
    row("unpack_line", "u8", UNPACK_JOBS,           _D, "its line"),
    row("unpack_site", "u16", UNPACK_JOBS,          _D, "its instruction"),
    row("compressed", "u8", (),                     _D, "of these, that read compressed tiles"),
    row("read_data", "i64", UNPACK_JOBS,            _D, "of each: addresses, a cycle ago"),
    row("read_deltas", "i64", UNPACK_JOBS,          _D, "of its numbers of zeros"),
    row("read_exponents", "i64", UNPACK_JOBS,       _D, "of its exponents"),
    row("unpack_head", "u8", 2,                     _D, "the oldest one, a cycle ago"),
    row("unpack_does", "u8", UNPACK_JOBS,           _D, "of each: registers/banks.py"),
    row("kept_number", "u32", 2,                    _D, "the last UNPACR that has kept its bank"),
    row("kept_site", "u16", 2,                      _D, "its instruction"),
    row("kept_line", "u8",  2,                      _D, "and its line"),
    row("macro_site", "u16", MACROS_KEPT,           _D, "of MACROS: its instruction"),
    row("macro_number", "u32", MACROS_KEPT,         _D, "its place on VECTOR; 0: none"),
    row("macros",    "u8",  (),                     _D, "ring: how many there were"),
    row("vector_rows", "u32", (THREADS, VECTOR_KEPT), _D, "ring: of an access to Dst its place"
        " on VECTOR, row and columns (registers/macros.py)"),
    row("client",    "u8",  4,                      _D, "of each bank, a cycle ago"),
    row("bank_before", "u8", 2,                     _D, "the Matrix Unit's, before an instruction"),
    row("clients_before", "u8", (),                 _D, "bits of banks that were its"),
    row("wait_banks", "u8", THREADS,                _D, "C5 to C8 of the latched wait"),
    # The network: requests of both NIUs, the host (core/race/network).
    row("noc_made",  "u32", (NIUS, NOC_LINES),      _D, "requests so far by line"),
    row("noc_run",   "u32", (NIUS, NOC_LINES),      _D, "the first of the last ones that share a "
                                                        "virtual channel and a target"),
    row("noc_to",    "u32", (NIUS, NOC_LINES),      _D, "their target and channel"),
    row("noc_last",  "u16", (NIUS, NOC_LINES),      _D, "the instruction of the last one"),
    row("noc_line",  "u8",  (NIUS, NOC_SLOTS),      _D, "of a request: its line"),
    row("noc_end",   "u32", (NIUS, NOC_SLOTS, 2),   _D, "its place there, and on SENT"),
    row("noc_start", "u32", (NIUS, HARTS),          _D, "the last start: number of the store"),
    row("host_made", "u32", (),                     _D, "accesses of the host"),
    row("foreign_made", "u32", FOREIGN_LINES,       _D, "of lines of other tiles: events so far"),
    # Objects of synchronisation.
    row("posts",     "u32", SEMAPHORES,             _D, "posts so far"),
    row("gets",      "u32", SEMAPHORES,             _D, "gets so far"),
    row("begun",     "u8",  SEMAPHORES,             _D, "its value before all of them"),
    row("mail_in",   "u32", (ENDS, ENDS),           _D, "values sent"),
    row("mail_out",  "u32", (ENDS, ENDS),           _D, "values read"),
    row("pcbuf_in",  "u32", PCBUFS,                 _D, "values sent"),
    row("pcbuf_out", "u32", PCBUFS,                 _D, "values read"),
    row("sync_addr", "u32", SYNC_WORDS,             _D, "words of L1 that were stored to"),
    row("awaited_addr", "u32", SYNC_WORDS,          _D, "words of L1 that were polled"),
    row("promises",  "u8",  (),                     _D, "promises that hold for the next access"),
    row("promise_clock", "u32", (),                 _D, "the clock of what it is for"),
    row("promise_row", "u32", (),                   _D, "what P10 has done for the hart"),
    row("promise_line", "u8", PROMISED,              _D, "of each: the line of the earlier event"),
    row("promise_upto", "u32", PROMISED,             _D, "how many events it has done"),
    row("promise_of", "u8", PROMISED,               _D, "Number"),
    row("locals",    "u8",  (),                     _D, "observe local RAMs"),
    row("strict",    "u8",  (),                     _D, "report what only a promise orders"),
    # The shadow.
    _SHADOW,
    named("slot_at",   _SHADOW, 0 * SLOTS, _SLOTS,  "its place on its line; 0: free"),
    named("slot_what", _SHADOW, 1 * SLOTS, _SLOTS,  "line, site, and whether it writes"),
    named("slot_mask", _SHADOW, 2 * SLOTS, _SLOTS,  "bytes or bits of the cell"),
    named("slot_when", _SHADOW, 3 * SLOTS, _SLOTS,  "cycle, low 32 bits"),
    named("slot_sent", _SHADOW, 4 * SLOTS, _SLOTS,  "of a T core: words that it had pushed"),
    row("last",      "u8",  CELLS,                  _D, "1 + the slot of the last access, if that "
                                                        "was in order"),
    row("site",      "i64", SITES,                  _D, "instructions (shadow.py); 0: free",
        marks=_F),
    row("configured", "u32", SITES,                 _D, "of a MOP: the store of MopCfg that it "
                                                        "came from at first; 0: unknown",
        marks=_F),
    row("polls",     "u8",  SITES,                  _D, "of a load: 0 unknown, POLLS or NOT",
        marks=_F),
    row("load_bits", "u32", SITES,                  _D, "of a load: harts/bits.py; 0 unknown",
        marks=_F),
    row("stops",     "u8",  (),                     _D, "stop the tile at a new report"),
    row("hit",       "u16", (),                     _D, "1 + a new report, until it has stopped"),
    row("lost",      "u32", (),                     _D, "what there was no room for", marks=_F),
    row("pair",      "i64", REPORTS,                _D, "reports: sites and kinds; 0: free",
        marks=_F),
    row("cell",      "u32", REPORTS,                _D, "cell of the first one", marks=_F),
    row("mask",      "u32", REPORTS,                _D, "what both touched in it", marks=_F),
    row("times",     "u32", REPORTS,                _D, "how often", marks=_F),
    row("changes",   "u8",  REPORTS,                _D, "1: a write has changed something",
        marks=_F),
    row("heard",     "i64", REPORTS,                _D, "what the later side has heard (heard.py)",
        marks=_F),
    row("when",      "i64", (REPORTS, 2, 2),        _D, "cycles: [first, last] [earlier, later]",
        marks=_F),
    row("lines",     "u8",  (REPORTS, 2),           _D, "lines of both", marks=_F),
    row("tried",     "i64", (REPORTS, 2, NEAR),     _D, "waits near the first one (near.py)",
        marks=_F),
    row("relied",    "u32", PROMISES,               _D, "by promise: how often", marks=_F),
    row("relied_at", "i64", (PROMISES, RELIED_SITES),                _D, "first pairs of sites",
        marks=_F),
))
# fmt: on


def pc_of(key: int) -> int:
    """Return the pc in the key of a site (shadow.py)."""
    return ((key >> 16) & 0x3FFFFFFF) << 2
