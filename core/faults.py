# SPDX-License-Identifier: Apache-2.0
"""What can go wrong on the emulated tile: fault codes, their categories and their sentences.

A fault is recorded by the semantics as a code with two operands (`core.stop.fault`), and put into
words here, once the run has ended. The categories follow what the hardware's documents say about
the situation, so that a person can tell a bug of theirs from a gap of ours.
"""

from __future__ import annotations

import enum

from core.fault_entry import Category as Category
from core.fault_entry import Entry as Entry
from core.faults_tensix import TENSIX
from core.faults_unpack import UNPACK
from core.faults_vector import VECTOR


@enum.unique
class Fault(enum.IntEnum):
    """Codes recorded in `stop.code`; `a` and `b` are its operands."""

    ILLEGAL_INSTRUCTION = 1
    FETCH_OUTSIDE_L1 = 3
    FETCH_MISALIGNED = 4
    LOAD_UNMAPPED = 5
    STORE_UNMAPPED = 6
    LOAD_MISALIGNED = 7
    STORE_MISALIGNED = 8
    AMO_OUTSIDE_L1 = 9
    UNKNOWN_CSR = 10
    UNIMPLEMENTED_CSR = 11
    UNIMPLEMENTED_DEVICE = 12
    LOAD_WIDTH = 13
    STORE_WIDTH = 14
    LOAD_WRITE_ONLY = 15
    STORE_READ_ONLY = 16
    PUSH_OTHER_THREAD = 17
    MRET_WITHOUT_INTERRUPTS = 18
    PUSH_INVALID = 19
    UNKNOWN_REGISTER = 20
    UNIMPLEMENTED_REGISTER = 21
    STORE_THREAD_CONFIG = 22
    DST_ACCESS = 23
    TIMESTAMP_EVENT = 24
    TIMESTAMP_SIZE = 25
    TIMESTAMP_BUFFER = 26
    NOC_REQUEST = 27
    OVERLAY_STREAM = 28
    MOVER_COMMAND = 29
    METADATA_EMPTY = 30
    DEBUG_NOT_PAUSED = 31
    DEBUG_COMBINATION = 32
    DEBUG_CONTINUE_EBREAK = 33
    CSR_WRITE_IN_HANDLER = 34
    MRET_OUTSIDE_HANDLER = 35
    PUSH_COLLISION = 36
    PUSH_DEBUG_FULL = 37
    MOP_ENDS_ONLY = 38
    MOP_OVERRIDE = 39
    TENSIX_ILLEGAL = 40
    TENSIX_UNDEFINED_BITS = 41
    TENSIX_NOT_EXPANDED = 42
    TENSIX_NOT_YET = 43
    TENSIX_UNDOCUMENTED = 44
    TENSIX_MODE = 45
    TENSIX_SEMWAIT = 46
    TENSIX_CONFIG_INDEX = 47
    TENSIX_REG2FLOP = 48
    TENSIX_OUTSIDE_L1 = 49
    TENSIX_NO_DEVICE = 50
    TENSIX_DEVICE = 51
    TTSYNC_ADJACENT = 52
    MOVER_RANGE = 53
    MOVER_CREDITS = 54
    MOVER_COMPACT = 55
    TENSIX_MOVER = 56
    VECTOR_STACK = 57
    VECTOR_UNDEFINED = 58
    VECTOR_HAZARD = 59
    VECTOR_MACRO = 60
    TENSIX_LEGACY = 63
    TENSIX_MATRIX_MODE = 61
    TENSIX_MOVE_WIDTH = 62
    PACR_FORMATS = 70
    PACR_ROWS = 71
    PACR_STRIDED = 72
    PACR_CONTEXT = 73
    PACR_CONFIG = 74
    PACR_RELU = 75
    PACR_L1_ACC = 76
    PACR_EDGE = 77
    PACR_OUTSIDE_L1 = 78
    PACR_PAST_L1 = 79
    PACR_SETREG_LOW = 80
    PACR_DEVICE = 81
    PACR_IN_RESET = 82
    UNPACK_CONTEXT = 100
    UNPACK_FORMAT = 101
    UNPACK_ADDRESS = 102
    UNPACK_RANGE = 103
    UNPACK_ALIGNMENT = 104
    UNPACK_COMBINATION = 105
    UNPACK_ROW = 106
    UNPACK_EXPONENT = 107
    UNPACK_DEVICE = 108
    UNPACK_BROADCAST = 109
    UNPACK_FILL = 110
    RVV_TYPE = 120
    RVV_REGISTERS = 121
    RVV_FLOAT = 122
    RVV_DEVICE = 123
    REPLAY_COUNT = 64
    STOREIND_ROW = 111
    NOC_BUSY = 112
    NOC_KIND = 113
    NOC_ALIGNMENT = 114
    NOC_OUTSIDE_L1 = 115
    NOC_ATOMIC = 116
    NOC_TRANSLATION = 117


_UB = Category.UNDEFINED_BEHAVIOR
_NC = Category.NON_CONTRACTUAL
_MS = Category.MISSING_SPECIFICATION
_UI = Category.UNIMPLEMENTED

# fmt: off
ENTRIES: dict[Fault, Entry] = {
    Fault.ILLEGAL_INSTRUCTION: Entry(
        _UB, "{a:#010x} is not an instruction of this core",
        "look at the caller with `bt`: a jump into data, or code built for another core?",
        "BabyRISCV/InstructionSet.md"),
    Fault.RVV_TYPE: Entry(
        _MS, "vtype {a:#x} with vl {b}: no page says what becomes of a setting that there is not",
        "elements have 8, 16 or 32 bits, LMUL is 1/4 to 8, and vl no more than fits",
        "BabyRISCV/InstructionSet.md"),
    Fault.RVV_REGISTERS: Entry(
        _MS, "{a:#010x} names vector registers in a way that the V extension reserves",
        "look at LMUL (`info registers vtype`): groups begin at multiples of it",
        "BabyRISCV/InstructionSet.md"),
    Fault.RVV_FLOAT: Entry(
        _MS, "floating-point vector instruction on elements of {a} bits; no page says that it has"
        " other than FP32",
        "set e32 with vsetvli, or use scalar half-precision instructions",
        "BabyRISCV/InstructionSet.md"),
    Fault.RVV_DEVICE: Entry(
        _MS, "vector access of {b} bytes to {a:#010x}, a device; only Dst is said to take them",
        "use scalar loads and stores there", "TensixCoprocessor/Dst.md"),
    Fault.FETCH_OUTSIDE_L1: Entry(
        _UB, "the pc left L1; instructions can be fetched from L1 only",
        "look at `info registers ra sp`: a wrong return address or function pointer?",
        "BabyRISCV/README.md"),
    Fault.FETCH_MISALIGNED: Entry(
        _UB, "the pc is not a multiple of 4",
        "look at the jump that led here: `info registers ra`",
        "BabyRISCV/InstructionSet.md"),
    Fault.LOAD_UNMAPPED: Entry(
        _UB, "load of {b} bytes from {a:#010x}, where this core has nothing mapped",
        "check the pointer; `monitor map` lists what this core sees",
        "BabyRISCV/README.md"),
    Fault.STORE_UNMAPPED: Entry(
        _UB, "store of {b} bytes to {a:#010x}, where this core has nothing mapped",
        "check the pointer; `monitor map` lists what this core sees",
        "BabyRISCV/README.md"),
    Fault.LOAD_MISALIGNED: Entry(
        _MS, "load of {b} bytes from {a:#010x}, which is not a multiple of {b}",
        "align the object, or copy it byte by byte",
        "BabyRISCV/InstructionSet.md"),
    Fault.STORE_MISALIGNED: Entry(
        _MS, "store of {b} bytes to {a:#010x}, which is not a multiple of {b}",
        "align the object, or copy it byte by byte",
        "BabyRISCV/InstructionSet.md"),
    Fault.AMO_OUTSIDE_L1: Entry(
        _UB, "atomic instruction on {a:#010x}; atomics work on L1 only",
        "keep the variable in L1",
        "BabyRISCV/InstructionSet.md"),
    Fault.UNKNOWN_CSR: Entry(
        _MS, "CSR {a:#05x} is not one this core has",
        "the CSRs are listed by `info registers csr`",
        "BabyRISCV/CSRs.md"),
    Fault.UNIMPLEMENTED_CSR: Entry(
        _UI, "CSR {a:#05x} belongs to a part of the core that is not emulated yet",
        "leave it alone for now, or step over the access",
        "BabyRISCV/CSRs.md"),
    Fault.UNIMPLEMENTED_DEVICE: Entry(
        _UI, "access to {region} at {a:#010x}, which is not emulated yet",
        "step over the access with `set $pc += 4`, or leave the device out",
        "BabyRISCV/README.md"),
    Fault.LOAD_WIDTH: Entry(
        _NC, "load of {b} bytes from {a:#010x}; {region} is read by `lw` only",
        "use a 32-bit access",
        "BabyRISCV/README.md"),
    Fault.STORE_WIDTH: Entry(
        _NC, "store of {b} bytes to {a:#010x}; {region} is written by `sw` only",
        "use a 32-bit access",
        "BabyRISCV/README.md"),
    Fault.LOAD_WRITE_ONLY: Entry(
        _UB, "load from {a:#010x}; {region} can only be written",
        "keep a copy of what was written",
        "BabyRISCV/README.md"),
    Fault.STORE_READ_ONLY: Entry(
        _UB, "store to {a:#010x}, a read-only register of {region}",
        "check the address",
        "TileControlDebugStatus.md"),
    Fault.PUSH_OTHER_THREAD: Entry(
        _UB, "store to {a:#010x}: only B may push to this thread; on hardware this core hangs here",
        "push to INSTRN_BUF_BASE (0xffe40000), which is the core's own thread",
        "BabyRISCV/PushTensixInstruction.md"),
    Fault.MRET_WITHOUT_INTERRUPTS: Entry(
        _UB, "mret on a core without interrupts",
        "only B and NC take interrupts",
        "BabyRISCV/InstructionSet.md"),
    Fault.PUSH_INVALID: Entry(
        _UB, "push of {a:#010x}, which is no Tensix instruction: they are below 0xc0000000",
        "check the word that is stored to the push window",
        "BabyRISCV/PushTensixInstruction.md"),
    Fault.UNKNOWN_REGISTER: Entry(
        _MS, "access to {a:#010x}: no document describes a register of {region} there",
        "check the address; step over the access with `set $pc += 4`",
        "TileControlDebugStatus.md"),
    Fault.UNIMPLEMENTED_REGISTER: Entry(
        _UI, "access to {register} at {a:#010x}, which is not emulated yet",
        "step over the access with `set $pc += 4`, or leave the register out",
        "TileControlDebugStatus.md"),
    Fault.STORE_THREAD_CONFIG: Entry(
        _UB, "store to {a:#010x}, in ThreadConfig, which harts can only read",
        "push a SETC16 instruction to the thread",
        "TensixCoprocessor/BackendConfiguration.md"),
    Fault.DST_ACCESS: Entry(
        _NC, "access to Dst at {a:#010x} that does not fit RISC_DEST_ACCESS_CTRL of this core's "
        "thread",
        "set fmt, or use the width of an element",
        "TensixCoprocessor/Dst.md"),
    Fault.TIMESTAMP_EVENT: Entry(
        _UB, "TIMESTAMP event {a:#010x}: its size field is 5 or 6, which mean nothing",
        "use 0 (128 bits), 1 (64), 2 (32) or 4 (96)",
        "DebugTimestamper.md"),
    Fault.TIMESTAMP_SIZE: Entry(
        _UB, "TIMESTAMP event of {a} bits between events of {b} bits",
        "flush (size 3 or 7) before events of another size",
        "DebugTimestamper.md"),
    Fault.TIMESTAMP_BUFFER: Entry(
        _UB, "TIMESTAMP event {a:#010x} for a buffer that reaches behind the end of L1",
        "check TIMESTAMP_DUMP_BUF0_START_ADDR and _END_ADDR: they count 16 bytes",
        "DebugTimestamper.md"),
    Fault.NOC_REQUEST: Entry(
        _UI, "start of a NoC request to the tile at x {x}, y {y}, which is not there: the emulator "
        "has the Tensix tile at NoC 0 (1, 2), DRAM, and the host behind PCI Express",
        "check NOC_TARG_ADDR_HI or NOC_RET_ADDR_HI, or leave the transfer out",
        "NoC/Coordinates.md"),
    Fault.NOC_BUSY: Entry(
        _UB, "start of a request on initiator {b}, whose last one has not been taken yet",
        "wait until NOC_CMD_CTRL reads 0",
        "NoC/MemoryMap.md"),
    Fault.NOC_KIND: Entry(
        _UI, "start of a NoC request with NOC_CTRL {b:#x}: a broadcast, the reserved kind, or an "
        "atomic or inline write to what is no Tensix tile",
        "use reads, writes and atomics to one tile",
        "NoC/MemoryMap.md"),
    Fault.NOC_ALIGNMENT: Entry(
        _UB, "start of a NoC request whose two addresses do not go together",
        "make them equal modulo 16 in L1 and modulo 64 for reads of DRAM; registers take aligned "
        "words",
        "WormholeB0 NoC/Alignment.md"),
    Fault.NOC_OUTSIDE_L1: Entry(
        _UB, "a NoC request that was started at {b:#010x} reaches {a:#x}, where there is no memory",
        "check the address and length that were written before NOC_CMD_CTRL",
        "NoC/MemoryMap.md"),
    Fault.NOC_ATOMIC: Entry(
        _UI, "an atomic NoC request that was started at {b:#010x} has NOC_AT_LEN_BE {a:#x}, which "
        "is no operation or a parallel addition of parts of words",
        "use an increment, a swap, a compare and swap, or an operation of Zaamo",
        "NoC/Atomics.md"),
    Fault.NOC_TRANSLATION: Entry(
        _UI, "start of a NoC request while bit 14 of NIU_CFG_0 asks for translated coordinates",
        "leave the bit clear and use coordinates of the NoC",
        "NoC/Coordinates.md"),
    Fault.OVERLAY_STREAM: Entry(
        _UI, "start of stream {b} of the NoC overlay, which does not move data yet",
        "step over the access with `set $pc += 4`, or leave the stream out",
        "WormholeB0 NoC/Overlay/README.md"),
    Fault.MOVER_COMMAND: Entry(
        _UB, "command {a:#x} for TDMA-RISC, which has no meaning",
        "the opcodes are 0x40 (move), 0x46 (wait), 0x66 (write L1, with bits 10:9 set), 0x89",
        "WormholeB0 TDMA-RISC.md"),
    Fault.MOVER_RANGE: Entry(
        _UB, "command {a:#x} for TDMA-RISC, whose parameters reach outside L1, or more than the "
        "configuration that can be written",
        "addresses and sizes of the mover are in units of 16 bytes",
        "WormholeB0 Mover.md"),
    Fault.MOVER_CREDITS: Entry(
        _UB, "command {a:#x} for TDMA-RISC with parameters while two of them are queued",
        "enqueue a NOP command (0x80000089) behind each command with parameters, or look at STATUS",
        "WormholeB0 TDMA-RISC.md"),
    Fault.MOVER_COMPACT: Entry(
        _UB, "compact command {a:#x} for TDMA-RISC, stored at {b:#x}, which reaches outside L1, or "
        "more than the configuration that can be written",
        "look at XMOV_L1_BASE_ADDR of that core: it is in units of 16 bytes",
        "WormholeB0 Mover.md"),
    Fault.METADATA_EMPTY: Entry(
        _UB, "pop of the packer's metadata FIFO, which is empty: the value is undefined",
        "look at FIFO_PACKED_TILE_STATUS first",
        "WormholeB0 TDMA-RISC.md"),
    Fault.DEBUG_NOT_PAUSED: Entry(
        _UB, "command {a:#x} through the debug interface to a core that is not paused",
        "pause it (bit 0 of DR(1)), then wait until bit 0 of DR(0) is set",
        "WormholeB0 BabyRISCV/DebugInterface.md"),
    Fault.DEBUG_COMBINATION: Entry(
        _UB, "command {a:#x} through the debug interface, whose bits cannot be combined",
        "give one command at a time",
        "WormholeB0 BabyRISCV/DebugInterface.md"),
    Fault.DEBUG_CONTINUE_EBREAK: Entry(
        _UB, "`continue` through the debug interface from an ebreak: on hardware the core pauses "
        "again",
        "write the pc (bit 8 of DR(1)) first",
        "WormholeB0 BabyRISCV/DebugInterface.md"),
    Fault.CSR_WRITE_IN_HANDLER: Entry(
        _UB, "write of CSR {a:#05x} in an interrupt handler, where hardware cannot write CSRs",
        "write it before the interrupt is enabled",
        "PIC.md"),
    Fault.MRET_OUTSIDE_HANDLER: Entry(
        _MS, "mret outside an interrupt handler: no document says where it goes",
        "look at `bt`: a handler that is called as a function?",
        "PIC.md"),
    **{Fault[name]: entry for name, entry in TENSIX.items()},
    **{Fault[name]: entry for name, entry in UNPACK.items()},
    **{Fault[name]: entry for name, entry in VECTOR.items()},
}
# fmt: on
