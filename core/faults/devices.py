# SPDX-License-Identifier: Apache-2.0
"""Sentences about faults at devices of the tile, by the name of their code (core/faults/codes.py).

The operands are mostly the address and the value of the access.
"""

from tensix_gdb.core.faults.entry import Category, Entry

_UB = Category.UNDEFINED_BEHAVIOR
_NC = Category.NON_CONTRACTUAL
_MS = Category.MISSING_SPECIFICATION
_UI = Category.UNIMPLEMENTED
_SD = Category.SILICON_DEFECT

# fmt: off
DEVICES = {
    "UNKNOWN_REGISTER": Entry(
        _MS, "access to {a:#010x}: no document describes a register of {region} there",
        "check the address; step over the access with `set $pc += 4`",
        "TileControlDebugStatus.md"),
    "UNIMPLEMENTED_REGISTER": Entry(
        _UI, "access to {register} at {a:#010x}, which is not emulated yet",
        "step over the access with `set $pc += 4`, or leave the register out",
        "TileControlDebugStatus.md"),
    "STORE_THREAD_CONFIG": Entry(
        _UB, "store to {a:#010x}, in ThreadConfig, which harts can only read",
        "push a SETC16 instruction to the thread",
        "TensixCoprocessor/BackendConfiguration.md"),
    "DST_ACCESS": Entry(
        _NC, "access to Dst at {a:#010x} that does not fit RISC_DEST_ACCESS_CTRL of this core's "
        "thread",
        "set fmt, or use the width of an element",
        "TensixCoprocessor/Dst.md"),
    "TIMESTAMP_EVENT": Entry(
        _UB, "TIMESTAMP event {a:#010x}: its size field is 5 or 6, which mean nothing",
        "use 0 (128 bits), 1 (64), 2 (32) or 4 (96)",
        "DebugTimestamper.md"),
    "TIMESTAMP_SIZE": Entry(
        _UB, "TIMESTAMP event of {a} bits between events of {b} bits",
        "flush (size 3 or 7) before events of another size",
        "DebugTimestamper.md"),
    "TIMESTAMP_BUFFER": Entry(
        _UB, "TIMESTAMP event {a:#010x} for a buffer that reaches past the end of L1",
        "check TIMESTAMP_DUMP_BUF0_START_ADDR and _END_ADDR: they count 16 bytes",
        "DebugTimestamper.md"),
    "PERF_MODE": Entry(
        _MS, "store of {b:#x} to {a:#010x}, a mode of performance counters that no document has",
        "use 0 (continuous), 1 (until the reference period) or 2 in bits 7:0",
        "tt-metal tech_reports/PerfCounters/perf-counters.md"),
    "PERF_SELECT": Entry(
        _MS, "load of the performance counter at {a:#010x} with mode {b:#x}, which selects none "
        "that a document names",
        "`monitor perf` lists the counters with their selects",
        "tt-metal perf_counters/blackhole.h"),
    "NOC_REQUEST": Entry(
        _UI, "start of a NoC request to the tile at x {x}, y {y}, which is not there: the emulator "
        "has the Tensix tiles of this run, DRAM, and the host over PCI Express",
        "check the coordinates of NOC_TARG_ADDR or NOC_RET_ADDR, or leave the transfer out",
        "NoC/Coordinates.md"),
    "NOC_BUSY": Entry(
        _UB, "start of a request on initiator {b}, which has not taken the last one yet",
        "wait until NOC_CMD_CTRL reads 0",
        "NoC/MemoryMap.md"),
    "NOC_KIND": Entry(
        _UI, "start of a NoC request with NOC_CTRL {b:#x}: a broadcast of a read or by a tile that "
        "is alone, the reserved kind, or an atomic or inline write to what is no Tensix tile",
        "use reads, writes and atomics to one tile; several tiles of Blackhole can broadcast "
        "writes and atomics",
        "NoC/MemoryMap.md"),
    "NOC_INLINE_L1": Entry(
        _SD, "start of an inline write (NOC_CTRL {a:#x}) to L1 at {b:#x}: on Blackhole a hardware "
        "bug makes it unsafe, and it is safe to registers only; here the word is written",
        "store the word to L1 of this tile and write it from there, as tt-metal's "
        "noc_inline_dw_write does without InlineWriteDst::REG",
        "NoC/MemoryMap.md"),
    "NOC_ACCUMULATE": Entry(
        _UB, "start of a NoC request with NOC_CTRL {b:#x}: NOC_CMD_L1_ACC_AT_EN, which a hardware "
        "bug of Blackhole makes unsafe; the page wants it to be 0 always",
        "write 0 to bit 31; let the packer add up (Pack_L1_Acc), or add what was read",
        "NoC/MemoryMap.md"),
    "NOC_EXCLUDE": Entry(
        _MS, "start of a broadcast with NOC_BRCST_EXCLUDE {b:#x}, whose bits no page describes",
        "write 0 there, and broadcast to several rectangles",
        "NoC/MemoryMap.md"),
    "NOC_BROADCAST": Entry(
        _UB, "start of a broadcast from x {start_x}, y {start_y} to x {x}, y {y} of its NoC, where "
        "this run has no Tensix tile, so that nothing receives it",
        "check the corners: NoC 1 counts from the other end, so start and end change places there",
        "NoC/MemoryMap.md"),
    "NOC_CHANNEL": Entry(
        _UB, "start of a NoC request with NOC_CTRL {b:#x}: NOC_CMD_VC_STATIC, and class bits of "
        "another kind of request",
        "with NOC_CMD_VC_STATIC write 2 to bits 15:14 of a broadcast, and 0 or 1 of anything else",
        "NoC/MemoryMap.md"),
    "NOC_LINKED": Entry(
        _UB, "start of a NoC request to x {x}, y {y} of its NoC, to which the request before is "
        "linked, but that one had another destination or virtual channel, so that the NoC fails",
        "end the transaction with a request without NOC_CMD_VC_LINKED to the destination that it "
        "began with",
        "NoC/MemoryMap.md"),
    "NOC_ALIGNMENT": Entry(
        _UB, "start of a NoC request with two addresses that do not go together",
        "make them equal modulo 16 in L1 and modulo 64 (32 on Wormhole) for reads of DRAM; "
        "registers take aligned words",
        "WormholeB0 NoC/Alignment.md"),
    "NOC_TAG": Entry(
        _UI, "start of a NoC request with NOC_PACKET_TAG {b:#x}: a transaction id above 15, a "
        "packet for a stream of the receiver's overlay, or one of which the first 16 bytes are "
        "stored twice",
        "write no more than a transaction id to NOC_PACKET_TAG, bits 13:10",
        "NoC/MemoryMap.md"),
    "NOC_OUTSIDE_L1": Entry(
        _UB, "a NoC request that was started at {b:#010x} reaches {a:#x}, where there is no memory",
        "check the address and length that were written before NOC_CMD_CTRL",
        "NoC/MemoryMap.md"),
    "NOC_ATOMIC": Entry(
        _UI, "an atomic NoC request that was started at {b:#010x} has NOC_AT_LEN_BE {a:#x}, which "
        "is no operation or a parallel addition of parts of words",
        "use an increment, a swap, a compare and swap, or an operation of Zaamo",
        "NoC/Atomics.md"),
    "NOC_TRANSLATION": Entry(
        _UI, "start of a NoC request to x {x}, y {y} of its NoC, after translation; there is "
        "nothing: the emulator has the Tensix tiles of this run, DRAM, and the host over PCI "
        "Express",
        "check the coordinates of NOC_TARG_ADDR or NOC_RET_ADDR: with bit 14 of NIU_CFG_0 tiles "
        "have the coordinates of NoC 0 on both NoCs, and on Wormhole those that its tables say",
        "NoC/Coordinates.md"),
    "OVERLAY_STREAM": Entry(
        _UI, "start of stream {b} of the NoC overlay, which does not move data yet",
        "step over the access with `set $pc += 4`, or leave the stream out",
        "WormholeB0 NoC/Overlay/README.md"),
    "MOVER_COMMAND": Entry(
        _UB, "command {a:#x} for TDMA-RISC, which has no meaning",
        "the opcodes are 0x40 (move), 0x46 (wait), 0x66 (write L1, with bits 10:9 set), 0x89",
        "WormholeB0 TDMA-RISC.md"),
    "MOVER_RANGE": Entry(
        _UB, "command {a:#x} for TDMA-RISC, with parameters that reach outside L1, or more than "
        "the configuration that can be written",
        "addresses and sizes of the mover are in units of 16 bytes",
        "WormholeB0 Mover.md"),
    "MOVER_CREDITS": Entry(
        _UB, "command {a:#x} for TDMA-RISC with parameters while two of them are queued",
        "enqueue a NOP command (0x80000089) after each command with parameters, or look at STATUS",
        "WormholeB0 TDMA-RISC.md"),
    "MOVER_COMPACT": Entry(
        _UB, "compact command {a:#x} for TDMA-RISC, stored at {b:#x}, which reaches outside L1, or "
        "more than the configuration that can be written",
        "look at XMOV_L1_BASE_ADDR of that core: it is in units of 16 bytes",
        "WormholeB0 Mover.md"),
    "METADATA_EMPTY": Entry(
        _UB, "pop of the packer's metadata FIFO, which is empty: the value is undefined",
        "look at FIFO_PACKED_TILE_STATUS first",
        "WormholeB0 TDMA-RISC.md"),
    "DEBUG_NOT_PAUSED": Entry(
        _UB, "command {a:#x} through the debug interface to a core that is not paused",
        "pause it (bit 0 of DR(1)), then wait until bit 0 of DR(0) is set",
        "WormholeB0 BabyRISCV/DebugInterface.md"),
    "DEBUG_COMBINATION": Entry(
        _UB, "command {a:#x} through the debug interface, with bits that cannot be combined",
        "give one command at a time",
        "WormholeB0 BabyRISCV/DebugInterface.md"),
    "DEBUG_CONTINUE_EBREAK": Entry(
        _UB, "`continue` through the debug interface from an ebreak: on hardware the core pauses "
        "again",
        "write the pc (bit 8 of DR(1)) first",
        "WormholeB0 BabyRISCV/DebugInterface.md"),
}
# fmt: on
