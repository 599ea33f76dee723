# SPDX-License-Identifier: Apache-2.0
"""Rows say of configuration (core/tensix/config_use.py) what their functions do.

An instruction runs with random fields. What changes in configuration must be what its row writes;
what its row reads is changed in a further run, and that must matter.
"""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import DEFAULT_RESOURCES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.config.unit import SCRATCH_WORD
from tensix_gdb.core.tensix.config_use import MaskedByte, Rotated, Stage
from tensix_gdb.core.tensix.gpr_use import WRITES, GprAccess
from tensix_gdb.core.tensix.instruction import Instruction, Status
from tensix_gdb.core.tensix.state_use import State, touches
from tensix_gdb.core.tensix.table import ROWS
from tests.core.tensix.drive import run_thread
from tests.machines import machine_on

DRAWS = 8
THREAD = 1
FREE_GLOBAL = range(12, 60)  # words that do nothing but keep what is written
FREE_OF_THREAD = range(28, 36)
ON_BLACKHOLE = [row for row in ROWS if Arch.BLACKHOLE in row.arch]
TESTED = [
    row
    for row in ON_BLACKHOLE
    if row.config and row.status is Status.IMPLEMENTED and row.name != "REG2FLOP.Configuration"
]


def bits_of(row: Instruction, fields: dict[str, int]) -> int:
    """The bits of a word that an instruction may write."""
    assert row.config is not None
    match row.config.bits:
        case MaskedByte(mask, byte):
            return fields[mask] << 8 * byte
        case Rotated(width, amount):
            mask, by = (2 << fields[width]) - 1, fields[amount]
            return (mask >> by | mask << 32 - by) & 0xFFFFFFFF
    return 0xFFFFFFFF


def left(machine: Machine, word: int, config: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Configuration of bank 0, of the thread, and its GPRs, after one instruction."""
    machine.reset()
    S = machine.S
    for i in (*FREE_GLOBAL, *range(SCRATCH_WORD, SCRATCH_WORD + 4)):
        S.config.word[0, i] = config[i]
    for i in range(64):
        S.gpr.word[THREAD * 64 + i] = 0xABCD0000 + i
    run_thread(machine, [word], THREAD)
    return (
        [S.config.word[0, i] for i in range(len(config))],
        [S.config.thread[THREAD, i] for i in range(FREE_OF_THREAD.stop)],
        [S.gpr.word[THREAD * 64 + i] for i in range(64)],
    )


@pytest.mark.parametrize("row", TESTED, ids=lambda row: row.name)
def test_a_row_says_which_words(row: Instruction) -> None:
    use, draw = row.config, random.Random(row.name)
    assert use is not None
    seen_to_read = seen_to_write = seen_scratch = False
    machine = machine_on("reference")
    for _ in range(DRAWS):
        fields = {n: draw.getrandbits(f.width) for n, f in row.encoding.fields.items()}
        fields[use.index] = draw.choice(FREE_OF_THREAD if use.stage is Stage.GATE else FREE_GLOBAL)
        fields |= {"stream_select": 0, "reg_index": 0} if use.stage is Stage.LATE else {}
        word = row.encoding.encode(**fields)
        config = [draw.getrandbits(32) for _ in range(SCRATCH_WORD + 4)]
        after = left(machine, word, config)
        of_thread = use.stage is Stage.GATE
        begun = left(machine, 0x02000000, config)  # NOP
        table = 1 if of_thread else 0
        pairs = enumerate(zip(after[table], begun[table], strict=True))
        changed = {i: a ^ b for i, (a, b) in pairs if a != b}
        assert after[1 - table] == begun[1 - table]
        assert not changed or use.writes
        assert set(changed) <= set(use.words(fields))
        if row.mnemonic != "CFGSHIFTMASK":  # some of its modes make all bits (CFGSHIFTMASK.md)
            assert not any(bits & ~bits_of(row, fields) for bits in changed.values())
        seen_to_write |= bool(changed)
        for i in use.words(fields) if use.reads else ():
            other = left(machine, word, [*config[:i], config[i] ^ 0xFFFFFFFF, *config[i + 1 :]])
            seen_to_read |= other[2] != after[2] or other[0][i] != after[0][i]
        if use.scratch:
            which = fields[use.scratch]
            i = SCRATCH_WORD + (which if which < 3 else THREAD)
            other = left(machine, word, [*config[:i], config[i] ^ 0xFFFFFFFF, *config[i + 1 :]])
            seen_scratch |= other[0][fields[use.index]] != after[0][fields[use.index]]
    assert seen_to_write == use.writes
    assert seen_to_read == use.reads
    assert seen_scratch == bool(use.scratch)


# What the tracking hardware does not take these to read or write (AutoTTSync.md).
UNTRACKED = {
    *(f"RMWCIB{byte}" for byte in range(4)),  # in the class of everything else
    "SETC16",  # the same, and ThreadConfig is none of its resources
    "REG2FLOP.Configuration",  # no instruction of Blackhole
    *("STOREIND.MMIO", "STOREREG", "LOADREG"),  # TDMA-RISC is one of the devices that they reach
    "PACR_SETREG.Write",  # the same
}
RD_CFG, WR_CFG = 1 << 0, 1 << 1
RD_GPR, WR_GPR, RD_TDMA, WR_TDMA = (1 << i for i in range(5, 9))


def test_auto_ttsync_knows_what_rows_say() -> None:
    """Each class has what its instructions read and write, by default (DEFAULT_RESOURCES)."""
    missing = set()
    for row in ON_BLACKHOLE:
        if row.ttsync is None:
            continue
        has, use = DEFAULT_RESOURCES[row.ttsync], row.config
        reads = any(use.access in (GprAccess.READ, GprAccess.COUNT_ON) for _, use in row.gprs)
        writes = any(use.access in (*WRITES, GprAccess.COUNT_ON) for _, use in row.gprs)
        wants = RD_CFG if (use and use.reads) or touches(row.reads, State.CONFIG) else 0
        wants |= WR_CFG if (use and use.writes) or touches(row.writes, State.CONFIG) else 0
        wants |= (RD_GPR if reads else 0) | (WR_GPR if writes else 0)
        wants |= RD_TDMA if touches(row.reads, State.DEVICE) else 0
        wants |= WR_TDMA if touches(row.writes, State.DEVICE) else 0
        if wants & ~has:
            missing.add(row.name)
    assert missing == UNTRACKED
