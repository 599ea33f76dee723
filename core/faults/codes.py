# SPDX-License-Identifier: Apache-2.0
"""The faults of the emulated tile: codes, categories and sentences.

A fault is recorded by the semantics as a code with two operands (`core.stop.fault`), and put into
words here, once the run has ended. The categories follow what the hardware's documents say about
the situation, so that a person can tell a bug of theirs from a gap of ours.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.faults.coprocessor import TENSIX
from tensix_gdb.core.faults.devices import DEVICES
from tensix_gdb.core.faults.entry import Category as Category
from tensix_gdb.core.faults.entry import Entry as Entry
from tensix_gdb.core.faults.unpacker import UNPACK
from tensix_gdb.core.faults.vector import VECTOR


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
    TENSIX_WORMHOLE = 67
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
    VECTOR_WRITES = 65
    VECTOR_SHUFFLED = 68
    VECTOR_INDEX = 94
    TENSIX_LEGACY = 63
    TENSIX_MATRIX_MODE = 61
    TENSIX_MOVE_WIDTH = 62
    TENSIX_MOVE_TF32_LOW = 66
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
    PACR_SETREG_BASE = 83
    UNPACK_SETREG = 84
    RDCFG_DROPPED = 85
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
    UNPACR_NOP_THREAD = 99
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
    PERF_MODE = 118
    PERF_SELECT = 119
    NOC_EXCLUDE = 124
    NOC_BROADCAST = 125
    NOC_CHANNEL = 126
    NOC_LINKED = 127
    NOC_TAG = 98
    NOC_INLINE_L1 = 97
    NOC_ACCUMULATE = 96


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
    Fault.CSR_WRITE_IN_HANDLER: Entry(
        _UB, "write of CSR {a:#05x} in an interrupt handler, where hardware cannot write CSRs",
        "write it before the interrupt is enabled",
        "PIC.md"),
    Fault.MRET_OUTSIDE_HANDLER: Entry(
        _MS, "mret outside an interrupt handler: no document says where it goes",
        "look at `bt`: a handler that is called as a function?",
        "PIC.md"),
    **{Fault[name]: entry for name, entry in DEVICES.items()},
    **{Fault[name]: entry for name, entry in TENSIX.items()},
    **{Fault[name]: entry for name, entry in UNPACK.items()},
    **{Fault[name]: entry for name, entry in VECTOR.items()},
}
# fmt: on
