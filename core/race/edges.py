# SPDX-License-Identifier: Apache-2.0
"""Every rule by which one event comes after another: where it is done, its page, a litmus test.

The litmus test is one that goes wrong if the rule is left out, or if it says too much.
`python -m scripts.races` puts the table into README.md.
"""

from __future__ import annotations

from dataclasses import dataclass

_ORDERING = "BabyRISCV/MemoryOrdering.md"
_TENSIX = "TensixCoprocessor/"


@dataclass(frozen=True, slots=True)
class Edge:
    """One rule. `where` is the function that does it."""

    what: str
    rule: str
    page: str
    litmus: str
    where: str


# fmt: off
EDGES = (
    Edge("a request is made", "it begins after what its hart has used until then",
         _ORDERING, "25 manual TTSync", "harts.requests.new_clock"),
    Edge("two requests of a hart to a region", "they keep their order",
         _ORDERING, "coherence of two stores", "harts.requests.append"),
    Edge("a store, then a load of other bytes", "no order: the load may be emitted first",
         _ORDERING, "a store, a store and a load", "harts.requests.stores_before"),
    Edge("a store, then a load that shares a byte", "the store and all before it are emitted first",
         _ORDERING, "18 read back between", "harts.requests.certainly_left"),
    Edge("a store, four more stores, then a load", "the store is emitted first",
         _ORDERING, "19 four stores between", "harts.requests.append"),
    Edge("fence, atomic", "all stores are emitted, all loads are answered",
         _ORDERING, "11 store buffering with fences", "harts.requests.fence"),
    Edge("a load, then an instruction that reads the register", "the hart comes after the load",
         _ORDERING, "23 a consumed load and the instruction that writes after it",
         "harts.answers.use_register"),
    Edge("a load, then eight instructions", "its entry of the retire-order queue is used again",
         _ORDERING, "5 mailbox read from the future over seven nops", "harts.answers.issue"),
    Edge("a hit in the L0 data cache", "the load reads when the line was filled",
         _ORDERING, "12 message passing with a warm line", "harts.requests.hit"),
    Edge("a push, then its instruction", "the instruction begins after what the hart had used",
         "BabyRISCV/PushTensixInstruction.md", "18 read back between", "gate.passing"),
    Edge("two instructions of a thread", "they begin in their order",
         _TENSIX + "WaitGate.md", "35 the gate is in order", "gate.passing"),
    Edge("STALLWAIT C10", "requests that were made before the wait was pushed, of the own T core",
         _TENSIX + "STALLWAIT.md", "15 STALLWAIT C10 between", "passed.own_requests"),
    Edge("STALLWAIT C0 to C4, C9, C11", "what the thread has given to the unit is over",
         _TENSIX + "STALLWAIT.md", "50 PACR, C3 and a semaphore", "passed.latched"),
    Edge("STALLWAIT C12", "what is in the configuration pipe is over",
         _TENSIX + "STALLWAIT.md", "43 configuration read into a GPR", "passed.latched"),
    Edge("a latched wait", "over for the first instruction that its block mask catches",
         _TENSIX + "WaitGate.md", "16 STALLWAIT C10 that does not catch the instruction",
         "gate.end_wait"),
    Edge("FLUSHDMA", "the units are done before the thread goes on",
         "WormholeB0 FLUSHDMA.md", "39 a load by the Scalar Unit and FLUSHDMA", "passed.scalar"),
    Edge("an instruction of the Scalar Unit", "ended before the thread's next one, but for WRCFG",
         "tt-isa-documentation#58", "81 SETDMAREG and WRCFG of its GPR", "accesses.accesses"),
    Edge("requests of the Scalar Unit to L1", "those of all threads keep their order",
         _TENSIX + "ScalarUnit.md", "two threads and a semaphore", "sync.after_ring"),
    Edge("RMWCIB", "seen by the next instruction",
         _TENSIX + "RMWCIB.md", "42 RMWCIB and the next instruction", "passed.entered_pipe"),
    Edge("WRCFG, CFGSHIFTMASK", "seen by the next instruction but one",
         _TENSIX + "WRCFG.md", "42 WRCFG, NOP and the next instruction", "passed.entered_pipe"),
    Edge("two accesses in the configuration pipe", "they keep their order, requests of harts too",
         _TENSIX + "ConfigurationUnit.md", "45 CFGSHIFTMASK and WRCFG", "sync.after_ring"),
    Edge("SEMPOST, SEMGET, stores to a semaphore", "they carry the gate or the hart, and no unit",
         _TENSIX + "SyncUnit.md", "a store by the Scalar Unit and a semaphore", "sync.post"),
    Edge("SEMWAIT", "as many posts, or gets, as it needs are done",
         _TENSIX + "SEMWAIT.md", "two threads and a semaphore", "sync.after_semwait"),
    Edge("a load of a semaphore", "posts and gets until then are done",
         _TENSIX + "SyncUnit.md", "a store by the Scalar Unit, C0 and a semaphore",
         "sync.semaphore"),
    Edge("mailboxes", "the n-th message that is read is the n-th that was sent",
         "BabyRISCV/Mailboxes.md", "9 signal by mailbox, both sides in order", "sync.mailbox"),
    Edge("PCBufs", "the same; B's load comes after the T core and its thread",
         "BabyRISCV/PCBufs.md", "B sends to T0 by its PCBuf", "sync.pcbuf"),
    Edge("CoprocessorDoneCheck", "what was certainly pushed before the load is over",
         "BabyRISCV/ManualTTSync.md", "33 manual TTSync without its store", "sync.done_check"),
    Edge("MOPExpanderDoneCheck", "MOPs that were certainly pushed before are expanded",
         "BabyRISCV/ManualTTSync.md", "32 MOPExpanderDoneCheck is not CoprocessorDoneCheck",
         "sync.done_check"),
    Edge("Auto TTSync, at the gate", "conflicting requests from before the push are processed",
         "BabyRISCV/AutoTTSync.md", "58 Auto TTSync: a store and the instruction that reads",
         "gate.after_tracked"),
    Edge("Auto TTSync, of a request", "conflicting instructions from before have passed the gate",
         "BabyRISCV/AutoTTSync.md", "60 Auto TTSync: a store after the instruction that reads",
         "sync.after_tracked"),
    Edge("ATGETM, ATRELM", "a mutex carries the gate of its last holder",
         _TENSIX + "ATGETM.md", "54 mutex", "passed.passed"),
    Edge("a word of L1 that a hart polls", "the loop ends after the last store to the word",
         _ORDERING, "22 configuration of another core, read back", "sync.after_signal"),
    Edge("an atomic", "releases and acquires its word; two of them are no race",
         _ORDERING, "a lock by atomics", "harts.regions.check_l1"),
    Edge("two instructions of the Matrix or the Vector Unit", "the unit keeps their order",
         _TENSIX + "MatrixUnit.md", "82 two MVMUL, two banks", "registers.dst.known_units"),
    Edge("a block of Dst was written", "the Matrix Unit and PACR wait before they read it",
         _TENSIX + "Dst.md", "49 MVMUL and a semaphore", "registers.dst.known_units"),
    Edge("the Matrix Unit writes Dst, three instructions, SFPLOAD", "the load finds it",
         _TENSIX + "SFPLOAD.md", "86 MVMUL, three instructions and SFPLOAD",
         "registers.dst.vector_begins"),
    Edge("MVMUL or DOTPV, then MOVD2B", "no order for four instructions: it may overlook the write",
         "llk_math_hadamard.h", "86 MVMUL and MOVD2B", "registers.dst.overlook"),
    Edge("an unpacker gives a bank away", "the Matrix Unit's reader comes after its instruction",
         "WormholeB0 SrcASrcB.md", "87 a bank given, and its words written",
         "registers.banks.matrix_begins"),
    Edge("the Matrix Unit leaves a bank", "an unpacker fills it after that",
         "WormholeB0 SrcASrcB.md", "82 a bank given back, and an unpacker that waits for it",
         "registers.banks.given"),
    Edge("STALLWAIT C7, C8", "none of a bank that the thread has just left, without C4",
         "tt-metal#52256, tt-metal#55106", "82 SRCA_VLD after a flip", "registers.banks.latched"),
    Edge("pushes of B and a T core to a thread", "what the later hart had used, and no wait",
         "BabyRISCV/PushTensixInstruction.md",
         "56 B and T0 push to one thread, T0 after a message", "registers.order.fed"),
    Edge("a store that lets a hart out of soft reset", "the hart comes after what was used before",
         "SoftReset.md",
         "85 a store, read back, before the end of a soft reset", "harts.resets.starts"),
    Edge("a load of SOFT_RESET_0", "harts that are held have done all that they will",
         "SoftReset.md",
         "85 a core is held, SOFT_RESET_0 is read back, and the word is written",
         "harts.resets.loaded"),
    Edge("two PACR of a thread, two copies of the mover", "they write L1 in their order",
         _TENSIX + "PACR.md", "50 PACR, C3 and a semaphore", "units.packs"),
    Edge("UNPACR, PACR, XMOV in L1", "from the gate to the end of the unit",
         _TENSIX + "STALLWAIT.md", "49 the unpacker, C1 and a semaphore", "units.span"),
)
# fmt: on
