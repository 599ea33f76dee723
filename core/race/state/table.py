# SPDX-License-Identifier: Apache-2.0
"""The checks of state and memory: what each is, why it matters, what mends it, its page.

Four groups have a switch each: `init`, `leaks`, `memory`, `stages` (`--check init,leaks`). A check
says something about one run of one kernel. What counts as written before a kernel begins is in
WRITTEN.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.checks.rule import Rule
from tensix_gdb.core.race.stages.table import ROWS as STAGES

_TENSIX = "TensixCoprocessor/"
_NOC = "NoC/"


class Group(enum.IntEnum):
    """The groups that a user switches on: bits of `state.on`."""

    INIT = 1
    LEAKS = 2
    MEMORY = 4
    STAGES = 8


_GROUPS = {
    "U": Group.INIT,
    "K": Group.LEAKS,
    "M": Group.MEMORY,
    "C": Group.MEMORY,
    "F": Group.STAGES,
}


class Number(enum.IntEnum):
    """The checks by number, for the functions of the machine."""

    U1 = 1
    U2 = 2
    K1 = 3
    K2 = 4
    K3 = 5
    K4 = 6
    K5 = 7
    K6 = 8
    M1 = 9
    M2 = 10
    M3 = 11
    M4 = 12
    M5 = 13
    M6 = 14
    M7 = 15
    M8 = 16
    M9 = 17
    M10 = 18
    M11 = 19
    C1 = 20
    C2 = 21
    C3 = 22
    C4 = 23
    C5 = 24
    C6 = 25
    C7 = 26
    C8 = 27
    C9 = 28
    C10 = 29
    C11 = 30
    U3 = 31
    K7 = 32  # found after the run: the key of a finding has 5 bits for the number


@dataclass(frozen=True, slots=True)
class Check(Rule):
    """One of them."""

    number: enum.IntEnum

    @property
    def group(self) -> Group:
        """The one that switches it on."""
        return _GROUPS[self.name[0]]


# fmt: off
CHECKS = (
    Check(Number.U1, "a read of what nothing has written",
          "a read of L1, Dst, an LReg, a GPR, a MOP template or a field of configuration that was "
          "written neither by the kernel nor by the host or firmware before it",
          "The value is what the tile had at power-up, or what any program has left there.",
          "write it before it is read: an init, ZEROACC, SFPLOADI, or a hw_configure",
          _TENSIX + "README.md"),
    Check(Number.U2, "a read of what an earlier kernel has left",
          "a read of Dst, an LReg, a GPR, a MOP template or a field of configuration that only an "
          "earlier kernel has written",
          "The kernel works after that kernel, and may not after another one.",
          "write it in the init of this kernel, or restore it in the uninit of that one",
          _TENSIX + "README.md"),
    Check(Number.K1, "configuration is left changed",
          "a field has another value than before the kernel, and not the one that a hw_configure "
          "of the kernel has given it",
          "The next kernel begins with the value, unless it writes the field itself.",
          "an uninit that restores it, or an init that writes it in each kernel",
          _TENSIX + "ConfigurationUnit.md"),
    Check(Number.K2, "address counters are left changed",
          "a counter of an unpacker or packer, or its carriage return value, is not what it was "
          "before the kernel",
          "The first UNPACR or PACR of the next kernel begins at these counters.",
          "SETADCXY, SETADCZW or SETADCXX at the end of the kernel, or in each init",
          _TENSIX + "ADCs.md"),
    Check(Number.K3, "a semaphore is left at another value",
          "a semaphore has neither the value from before the kernel, nor that of its SEMINIT",
          "A post was not taken, or one too many was: the next kernel waits too short or for ever.",
          "as many SEMGET as SEMPOST, or SEMINIT at the start of each kernel",
          _TENSIX + "SyncUnit.md"),
    Check(Number.K4, "a mutex is left held",
          "a thread holds a mutex at the end that it did not hold before the kernel",
          "The next ATGETM of another thread never passes.",
          "ATRELM on each way out", _TENSIX + "ATGETM.md"),
    Check(Number.K5, "a source bank is left given away",
          "a bank of SrcA or SrcB belongs to the Matrix Unit at the end, and did not before",
          "The next kernel's first instruction of the Matrix Unit takes the old data.",
          "CLEARDVALID, or SETRWC with a clear, after the last use; as many as the unpackers give",
          _TENSIX + "SrcASrcB.md"),
    Check(Number.K6, "a constant of the Vector Unit is left changed",
          "LReg[11] does not have the value from before the kernel; LReg[12] to LReg[14] are for "
          "each init to set, and a kernel that reads what an earlier one has set there is U2",
          "SFPU code that takes LReg[11] for -1.0 computes with the value.",
          "SFPCONFIG with the old value at the end, or in each init that needs the register",
          _TENSIX + "SFPCONFIG.md"),
    Check(Number.M1, "a stack has left its room",
          "the stack pointer of a hart is below the end of its data in local RAM, or below local "
          "RAM",
          "What is pushed there overwrites variables, or goes to no memory.",
          "less on the stack: no large arrays, no recursion; -fstack-usage names the functions",
          "BabyRISCV/README.md"),
    Check(Number.M2, "a write into a program",
          "a hart, a unit or the NoC writes to L1 where the code of a loaded program is; or the "
          "NoC, for a kernel, to the mailboxes of tt-metal's firmware",
          "The program is not what was loaded any more.",
          "another address for the buffer; `monitor check` lists programs and buffers",
          "MemoryMap.md"),
    Check(Number.M3, "a tile leaves its buffer",
          "a unpacker or the packer, or a transfer that begins in a buffer, touches L1 beyond the "
          "buffers that are known",
          "What lies after the buffer is read, or overwritten.",
          "the size of a tile and the number of tiles have to fit the buffer",
          _TENSIX + "UNPACR_Regular.md"),
    Check(Number.M4, "a page is read that is not in its circular buffer",
          "an unpacker, or a write of the NoC, reads a page that was not pushed, or was popped; "
          "none that its own hart pushes, or that no hart pushes",
          "The data is not there yet, or the producer may overwrite it meanwhile.",
          "cb_wait_front before the use, cb_pop_front after it (after the barrier of a write)",
          "tt_metal/api/dataflow/dataflow_api.h"),
    Check(Number.M5, "a page is overwritten that was not popped",
          "the packer, or a read of the NoC, writes to a page that was pushed and not popped",
          "The consumer has not read what was there.",
          "cb_reserve_back before the write", "tt_metal/api/dataflow/dataflow_api.h"),
    Check(Number.M6, "a NoC transfer is used before its barrier",
          "L1 that a read of the NoC fills is read, the source of a write is overwritten, or it is "
          "stored so late that nothing says that the transfer finds it, and nothing has waited",
          "The data may not be there yet.",
          "noc_async_read_barrier or noc_async_write_barrier (or _flushed) between the two",
          _NOC + "Counters.md"),
    Check(Number.M7, "a transfer is outstanding at the end of the kernel",
          "a hart has asked for reads, acknowledged writes or atomics, and has waited for none "
          "after the last of them when the kernel ends",
          "The next kernel may use the L1 of the transfer, or count its answer as its own.",
          "a barrier at the end of the kernel", _NOC + "Counters.md"),
    Check(Number.M8, "a transfer of no bytes",
          "a read or a write of the NoC of 0 bytes; a wrong alignment is a fault in any run",
          "Nothing is moved, and a barrier waits for it all the same.",
          "no request if there is nothing to move; the length is in bytes",
          _NOC + "MemoryMap.md"),
    Check(Number.M9, "two areas of memory overlap",
          "the code or data of two programs, a program and a buffer, two buffers, or data and the "
          "room of a stack lie on each other",
          "One of them overwrites the other.",
          "other addresses", "MemoryMap.md"),
    Check(Number.M10, "code was written after an instruction cache may have taken it",
          "a hart executes an instruction of L1 that was written after the hart had executed one "
          "of the same 16 bytes, with no RISCV_IC_INVALIDATE or reset of the hart after the write",
          "A card may execute the old instruction, from the cache; this run has executed the new "
          "one.",
          "read the last new word back and use it, then store the hart's bit to "
          "RISCV_IC_INVALIDATE_InvalidateAll",
          "BabyRISCV/InstructionCache.md"),
    Check(Number.M11, "a load reads an old copy from the L0 data cache",
          "a load is answered by the hart's L0 data cache, another agent has written there since "
          "the line was filled, and the hart has learned of that write, or waits for it in a loop",
          "The value is older than what L1 has, and a loop without a fence never sees the new one.",
          "a `fence` (invalidate_l1_cache) before the load; in a loop that waits, in the loop",
          "BabyRISCV/MemoryOrdering.md"),
    Check(Number.C1, "an argument is read that the kernel was not given",
          "get_arg_val or get_common_arg_val reads beyond the runtime arguments that the host has "
          "given to the kernel of this hart",
          "The value is one of another kernel, or what was left there.",
          "as many arguments in the host's program as the kernel reads",
          "tt_metal/api/dataflow/dataflow_api.h"),
    Check(Number.C2, "a circular buffer that the program has not",
          "a kernel reads or writes the counters of a circular buffer that the program does not "
          "create on this tile, while it creates others",
          "Its size is 0 or that of an earlier program: a wait never ends, or L1 is overwritten.",
          "the index that the host has given to CircularBufferConfig, or the buffer itself",
          "tt_metal/api/dataflow/dataflow_api.h"),
    Check(Number.C3, "more pages than the circular buffer has",
          "cb_wait_front or cb_reserve_back of more pages than the buffer has, a push or a pop of "
          "more, a push without room, or a pop of pages that were not pushed",
          "The wait never ends, or pages are lost.",
          "a larger buffer, or fewer pages at a time; cb_reserve_back before each push, "
          "cb_wait_front before each pop",
          "tt_metal/api/dataflow/dataflow_api.h"),
    Check(Number.C4, "pages at a time that do not divide the circular buffer",
          "a push or a pop of pages that lie on both sides of the end of the buffer",
          "The pointer leaves the buffer: it goes back to the begin only if it meets the end "
          "exactly, so what comes next is in the L1 after the buffer.",
          "a number of pages in the buffer that is a multiple of those at a time",
          "tt_metal/api/dataflow/dataflow_api.h"),
    Check(Number.C5, "a store to address 0",
          "a kernel stores to the first 4 bytes of L1, where no loaded program is",
          "It is what a null pointer leads to, and B begins there after a reset.",
          "look at where the pointer comes from: `monitor origin` of the word",
          "MemoryMap.md"),
    Check(Number.C6, "a division by zero",
          "div, divu, rem or remu with a divisor of 0",
          "The quotient is all ones and the remainder the dividend, without a trap.",
          "look at where the divisor comes from", "BabyRISCV/InstructionSet.md"),
    Check(Number.C7, "a row of the other half of Dst",
          "the Matrix or the Vector Unit writes to the half of Dst that is not the one of the "
          "section, in a kernel that gives the halves to the packer in turn",
          "The packer may read that half at the same time, and finds other rows there.",
          "an index of Dst below the tiles of a half: 8 of 16 bits, 4 of 32",
          _TENSIX + "Dst.md"),
    Check(Number.C8, "a semaphore that was not initialised",
          "a SEMPOST of a semaphore with Max 0: no SEMINIT was before it",
          "A SEMWAIT while it is at its Max never ends.",
          "SEMINIT, or the library's init of the thread that does it", _TENSIX + "SyncUnit.md"),
    Check(Number.C9, "a place where cards are reported to fail",
          "what is a SiliconDefect: a card may fail there, and the tile continues; on Blackhole an "
          "inline write of the NoC to L1",
          "The tile has done what the pages say, and a card may not.",
          "what the sentence of the SiliconDefect names", "TESTS.md"),
    Check(Number.C10, "SFPLOADMACRO outside of a MOP and a REPLAY",
          "a SFPLOADMACRO that a T core has pushed itself, and neither a MOP nor a REPLAY, outside "
          "of LLK's own functions",
          "What it schedules is counted in cycles, and a T core may pause between two pushes: "
          "what comes after it may meet another one of its instructions (tt-llk#1461).",
          "record it, and what is to follow it, and REPLAY both", _TENSIX + "SFPLOADMACRO.md"),
    Check(Number.C11, "Dst changes its layout while it is in use",
          "a store that changes bit 11 of DBG_FEATURE_DISABLE while an unpacker, the packer, the "
          "Matrix or the Vector Unit works, or instructions of the core's own thread wait",
          "Part of an instruction's rows is elsewhere than the rest.",
          "tensix_sync() before the store, and the other threads at a semaphore",
          _TENSIX + "Dst.md"),
    Check(Number.U3, "local RAM that nothing has written decides",
          "an address, the target of a jump or a branch depends on a word of local RAM, of a stack "
          "above all, that nothing has written; copies and sums are followed",
          "It is what another function, or the kernel before, has left there.",
          "give the variable a value where it is declared", "BabyRISCV/README.md"),
    Check(Number.K7, "lanes of the Vector Unit are left off",
          "conditional execution is on at the end, and flags of lanes are 0 that did not switch "
          "their lanes off before the kernel",
          "What the Vector Unit executes next does nothing in these lanes.",
          "SFPENCC after the SFPSETCC, or the SFPPOPC that belongs to the SFPPUSHC",
          _TENSIX + "VectorUnit.md"),
    *(Check(one.number, one.title, one.rule, one.reason, one.fix, one.page) for one in STAGES),
)
# fmt: on
BY_NAME = {check.name: check for check in CHECKS}
GROUPS = tuple(group.name.lower() for group in Group)
_WORDS = {"all": GROUPS}


@dataclass(frozen=True, slots=True)
class Written:
    """The state that counts as written when a kernel begins, and why."""

    state: str
    by: str
    counts: str


WRITTEN = (
    Written("L1", "the host, a loaded file, the NoC from outside", "yes"),
    Written("L1", "firmware, or an earlier kernel", "yes: tensors stay in L1 between kernels"),
    Written("Dst, LRegs, GPRs, MOP templates, configuration", "firmware, or the host", "yes"),
    Written("Dst, LRegs, GPRs, MOP templates, configuration", "an earlier kernel", "no: U2"),
    Written("Dst", "ZEROACC", "yes: rows without data read as zeros"),
    Written("LReg[8] to LReg[15]", "reset", "yes: the pages have their values"),
    Written("all", "whatever came before the check was switched on", "yes"),
)


def mask_of(names: Iterable[str]) -> int:
    """Return a bit for each group."""
    return sum(Group[name.upper()] for name in set(names))


def parse_groups(text: str) -> tuple[str, ...]:
    """`init,leaks`, or `all`. ValueError with a sentence if it is none of them."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in GROUPS:
            raise ValueError(
                f"{name or text!r} is no check: {', '.join(GROUPS)} with commas, or all"
            )
    return tuple(name for name in GROUPS if name in names)
