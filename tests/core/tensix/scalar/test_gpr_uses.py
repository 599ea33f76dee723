# SPDX-License-Identifier: Apache-2.0
"""The rows' uses of GPRs (core/tensix/gpr_use.py) are those of their functions.

An instruction runs with random operands. Halves of GPRs that its row does not read are changed, one
in each further run: all else that it leaves must be the same. What changes in GPRs must be what its
row writes, and each use that a row has must matter in some run.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gpr_use import WRITES, GprAccess, GprUse, Width
from tensix_gdb.core.tensix.instruction import Instruction, Status
from tensix_gdb.core.tensix.packer.metadata import ResultSize
from tensix_gdb.core.tensix.scalar.unit import Size
from tensix_gdb.core.tensix.table import ROWS
from tests.core.tensix.drive import run_thread
from tests.machines import machine_on

ROOM = 0x12070  # of the tile's registers: words that keep what is written, from here on
FIXED = {
    "STOREREG": {"addr_lo": ROOM >> 2},
    "LOADREG": {"addr_lo": ROOM >> 2},
    "ATCAS": {"cmp_val": 0},  # what L1 has
    "ATINCGETPTR": {"no_incr": 1, "incr_log2": 0},
    "SETDMAREG.Special": {"input_source": 0, "which_packers": 0},
    "REG2FLOP.ADC": {"thread_sel": 0, "size_sel": 1, "shift8": 0, "adc_sel": 0},
    "RDCFG": {"cfg_index": 12},
    "WRCFG": {"cfg_index": 12},
}
DRAWS = 6

TESTED = [
    row
    for row in ROWS
    if row.gprs and row.status is Status.IMPLEMENTED and Arch.BLACKHOLE in row.arch
    if row.name != "REG2FLOP.Configuration"  # a fault on Blackhole
]


def covers(row: Instruction, use: GprUse, name: str, fields: dict[str, int]) -> set[int]:
    """The halves of GPRs of a use."""
    value, by = fields[name], fields.get(use.by, 0)
    halves_named = use.width in (Width.HALF, Width.RESULT_SIZE)
    gpr = value >> 1 if halves_named else value
    count = 1
    match use.width:
        case Width.HALF:
            return {value}
        case Width.PAIR:
            count = 2
        case Width.SIZED:
            if by in (Size.BITS_16, Size.BITS_8):
                return {2 * gpr}
            count = 4 if by == Size.BITS_128 else 1
        case Width.FOUR_IF:
            count = 4 if by else 1
        case Width.FOUR_UNLESS:
            count = 1 if by else 4
        case Width.RESULT_SIZE:
            if by == ResultSize.BITS_16:
                return {value}
            count = 1 if by == ResultSize.BITS_32 else 4
    first = gpr & 0x3C if count > 1 else gpr
    return set(range(2 * first, 2 * (first + count)))


def drawn(row: Instruction, draw: random.Random) -> dict[str, int]:
    """Fields of a word of the instruction, with GPRs that overlap as little as they can."""
    fields = {name: draw.getrandbits(f.width) for name, f in row.encoding.fields.items()}
    fields |= FIXED.get(row.name, {})
    groups = draw.sample(range(15), len(row.gprs))  # GPR 60 on is left alone
    for (name, use), group in zip(row.gprs, groups, strict=True):
        halves = use.width in (Width.HALF, Width.RESULT_SIZE)
        fields[name] = (group * 4 + draw.randrange(4)) << halves | (
            draw.randrange(2) if halves else 0
        )
    if "mode" in fields:
        fields["mode"] %= 2
    return fields


def values(row: Instruction, draw: random.Random) -> list[int]:
    """GPRs that make good addresses, of L1 or of registers of the tile."""
    if row.name == "STOREIND.MMIO":
        return [ROOM] * 64
    if row.mnemonic == "CMPDMAREG":  # near the constants
        return [draw.randrange(64) for _ in range(64)]
    if row.name == "STOREIND.Src":
        return [4 * draw.randrange(8, 20) for _ in range(64)]
    return [0x1000 + draw.randrange(0x400) for _ in range(64)]


def left(machine: Machine, word: int, gprs: list[int]) -> tuple[list[int], list[bytes]]:
    """GPRs, and the other rows that such instructions write, after one of them."""
    machine.reset()
    S = machine.S
    for i, value in enumerate(gprs):
        S.gpr.word[i] = value
    for i in range(64):
        S.config.word[0, i] = 0x100 * i
    run_thread(machine, [word])
    layout = machine.record.layout
    rows = (("config", "word"), ("adc", "value"), ("adc", "cr"), ("src", "a"), ("src", "b"))
    kept = [
        bytes(machine.record.row(layout.slot(*row))) for row in (*rows, ("tile_control", "word"))
    ]
    kept.append(bytes(machine.record.row(layout.slot("l1", "word"))[0x10000:0x20000]))
    kept.append(bytes(machine.record.row(layout.slot("l1", "word"))[0x30000:]))
    return [S.gpr.half[i] for i in range(128)], kept


def runs(
    row: Instruction, machine: Machine
) -> Iterator[tuple[set[int], set[int], set[int], set[int]]]:
    """Halves of each run: read by the row, and seen to matter; written by the row, and changed."""
    draw = random.Random(row.name)
    for _ in range(DRAWS):
        fields, gprs = drawn(row, draw), values(row, draw)
        reads, writes = set[int](), set[int]()
        for name, use in row.gprs:
            halves = covers(row, use, name, fields)
            (writes if use.access in WRITES else reads).update(halves)
            if use.access is GprAccess.COUNT_ON and fields["offset_increment"]:
                writes |= halves
        for half in reads if row.name.startswith(("LOADIND", "STOREIND")) else ():
            if half == fields["offset_half_reg"]:
                gprs[half >> 1] = gprs[half >> 1] & ~(0xFFFF << 16 * (half & 1)) | 32 << 16 * (
                    half & 1
                )
        word = row.encoding.encode(**fields)
        after, others = left(machine, word, gprs)
        before = [gprs[i >> 1] >> 16 * (i & 1) & 0xFFFF for i in range(128)]
        changed = {i for i in range(128) if after[i] != before[i]}
        matters = set[int]()
        for half in sorted(reads | set(draw.sample(range(120), 6))):
            other = list(gprs)
            other[half >> 1] ^= 0x10 << 16 * (half & 1)
            now, then = left(machine, word, other)
            same = now[:half] + now[half + 1 :] == after[:half] + after[half + 1 :]
            kept = half in writes or now[half] == after[half] ^ 0x10
            if not (same and kept and then == others):
                matters.add(half)
        yield reads, matters, writes, changed


@pytest.mark.parametrize("row", TESTED, ids=lambda row: row.name)
def test_the_row_says_what_the_function_does(row: Instruction) -> None:
    machine = machine_on("compiled")
    mattered = changes = 0
    for reads, matters, writes, changed in runs(row, machine):
        assert matters <= reads, "a GPR is read that the row does not name"
        assert changed <= writes, "a GPR is written that the row does not name"
        mattered += len(matters)
        changes += len(changed)
    uses = {use.access for _, use in row.gprs}
    assert mattered or not uses & {GprAccess.READ, GprAccess.COUNT_ON}
    assert changes or not uses & set(WRITES)
