# SPDX-License-Identifier: Apache-2.0
"""A packer ready to pack: configuration by name, rows of Dst, PACR as text."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.numeric.layouts import bf16_to_dst16, fp16_to_dst16, fp32_to_dst32
from tensix_gdb.core.stop import Stop
from tensix_gdb.core.tensix.regfiles.dst import row16, row32, write16, write32
from tests.core.tensix import drive

FIELDS = config_fields(Arch.BLACKHOLE)
THREAD = 2  # of the packer, as LLK has it
OUT = 0x20000  # where streams begin
FP32, FP16, BFP8A, BFP4A, TF32, BF16, BFP8, BFP4, INT32, INT16, FP8, BFP2A = range(12)
INT8, BFP2 = 14, 15


def configure(machine: Machine, **values: int) -> None:
    """Set fields by name."""
    S = machine.record.S
    for name, value in values.items():
        field = FIELDS[name]
        assert value < 1 << field.width, name
        if field.space is Space.THREAD:
            old = int(S.config.thread[THREAD, field.word])
            S.config.thread[THREAD, field.word] = (old & ~field.mask) | value << field.low
        else:
            for bank in range(2 if field.space is Space.GLOBAL else 1):
                old = int(S.config.word[bank, field.word])
                S.config.word[bank, field.word] = (old & ~field.mask) | value << field.low


def formats(machine: Machine, between: int, out: int, **more: int) -> None:
    """Intermediate and input format alike, output format, no compression, to OUT."""
    configure(
        machine,
        ALU_FORMAT_SPEC_REG2_Dstacc=between,
        THCON_SEC0_REG1_In_data_format=between,
        THCON_SEC0_REG1_Out_data_format=out,
        THCON_SEC0_REG1_Disable_zero_compress=1,
        THCON_SEC0_REG1_L1_Dest_addr=OUT // 16 - 1,
    )
    for i in range(4):
        configure(machine, **{f"PCK_EDGE_OFFSET_SEC{i}_mask": 0xFFFF})
    configure(machine, **{"PACK_COUNTERS_SEC0_pack_reads_per_xy_plane": 16})
    x_end(machine, 15)
    configure(machine, **more)


def counters(machine: Machine, channel: int, **values: int) -> None:
    """Set the packers' address counters: x, y, z, w."""
    S = machine.record.S
    for axis, value in values.items():
        S.adc.value[THREAD, 2, channel, "xyzw".index(axis)] = value
        S.adc.cr[THREAD, 2, channel, "xyzw".index(axis)] = value


def x_end(machine: Machine, last: int, first: int = 0) -> None:
    """SETADCXX."""
    counters(machine, 0, x=first)
    counters(machine, 1, x=last)


def dst16(machine: Machine, row: int, values: Sequence[int]) -> None:
    """A row of Dst16b as it is."""
    S = machine.record.S
    for column, value in enumerate(values):
        write16(S, row16(S, 0, row), column, value)


def bf16_row(machine: Machine, row: int, values: Sequence[int]) -> None:
    """A row of BF16."""
    dst16(machine, row, [bf16_to_dst16(value) for value in values])


def fp16_row(machine: Machine, row: int, values: Sequence[int]) -> None:
    """A row of FP16."""
    dst16(machine, row, [fp16_to_dst16(value) for value in values])


def fp32_row(machine: Machine, row: int, values: Sequence[int]) -> None:
    """A row of FP32, or of INT32."""
    S = machine.record.S
    for column, value in enumerate(values):
        write32(S, row32(S, 0, row), column, fp32_to_dst32(value))


def pack(machine: Machine, *texts: str) -> int:
    """Run instructions of the packer's thread to their end; the cycles that it took."""
    cycles = drive.ends(machine, *texts, thread=THREAD)
    assert not machine.record.S.busy.packer[THREAD], "an instruction has left a count"
    return cycles


def refused(machine: Machine, *texts: str) -> Stop:
    """Run instructions of the packer's thread, of which one is a fault; that stop."""
    return drive.refused(machine, *texts, thread=THREAD)


def l1(machine: Machine, size: int, count: int, addr: int = OUT) -> list[int]:
    """Return what is in L1 from there on."""
    data = machine.peek(B, addr, size * count)
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
