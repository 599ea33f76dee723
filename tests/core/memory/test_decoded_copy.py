# SPDX-License-Identifier: Apache-2.0
"""The decoded copy of L1 stays true whoever writes to L1: a word that is decoded is what is there.

Harts, the packer, the NoC and debuggers write in ways of their own. WRITERS are all places that
write the row; a new one has to be named here, and to drop what was decoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T1, T2, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.reset import PAUSED, update_issuing
from tensix_gdb.core.riscv.rvv.fields import VL, VTYPE
from tests.assembler import NOP, SPIN, asm, image
from tests.core.clock.first_stops import vector_word
from tests.core.tensix.packer.packer import BF16, OUT, bf16_row, formats, pack

ROOT = Path(__file__).resolve().parents[3]
WRITERS = {
    "core/memory/ram.py": "decoded.word",
    "core/tensix/packer/pipeline.py": "overwrite(",
    "core/device_print/buffer.py": "memory.drop_decoded(",
    "core/memory/noc_access.py": "memory.drop_decoded(",
    "core/debug/memory.py": "self.drop_decoded(",
    "core/noc/carry.py": "landed(",
    "core/chip/ethernet/registers.py": "memory.drop_decoded(",
}
_WRITES = re.compile(r"(?:\bl1\.(?:word|half|byte)|\b_l1)\[.*\] *[|&+]?= ")
WORDS = 16  # of decoded code at OUT


def test_every_writer_of_l1_is_known() -> None:
    found = {
        str(path.relative_to(ROOT)): path.read_text()
        for path in (ROOT / "core").rglob("*.py")
        if _WRITES.search(path.read_text())
    }
    assert set(found) == set(WRITERS)
    for path, drops in WRITERS.items():
        assert drops in found[path], path


def by(hart: int, *code: int) -> Callable[[Machine], None]:
    """A hart with OUT in x5 and something else than code in x6 executes this."""

    def write(machine: Machine) -> None:
        machine.load(hart, image([*code, SPIN], 0x3000))
        machine.write_x(hart, 5, OUT)
        machine.write_x(hart, 6, 0x1234_5678)
        machine.S.hart.vector_csr[T2, VTYPE] = 0x10
        machine.S.hart.vector_csr[T2, VL] = 4
        machine.run(60)

    return write


def by_packer(machine: Machine) -> None:
    formats(machine, BF16, BF16)
    bf16_row(machine, 0, [0x4049] * 16)
    pack(machine, "PACR last=1")


WAYS: dict[str, Callable[[Machine], None]] = {
    "sb": by(T1, asm("sb", rs1=5, rs2=6)),
    "sh": by(T1, asm("sh", rs1=5, rs2=6)),
    "sw": by(T1, asm("sw", rs1=5, rs2=6)),
    "amoadd.w": by(T1, asm("amoadd.w", rs1=5, rs2=6)),
    "vse32.v": by(T2, vector_word("unit", "store", 32)),
    "PACR": by_packer,
    "a debugger": lambda machine: machine.poke(B, OUT, bytes(range(7))),
    "the NoC": lambda machine: NocAccess(machine.record, machine.memory).write(OUT, bytes(16)),
}


@pytest.mark.parametrize("write", WAYS.values(), ids=WAYS)
def test_what_is_overwritten_is_decoded_again(
    tile: Machine, write: Callable[[Machine], None]
) -> None:
    tile.load(B, image([*[NOP] * (WORDS - 1), SPIN], OUT))
    tile.run(60)
    at = range(OUT >> 2, (OUT >> 2) + WORDS)
    before = [int(tile.S.l1.word[i]) for i in at]
    assert all(tile.S.decoded.word[i] for i in at)
    tile.S.hart.paused[B] = PAUSED  # it stays away from what is no code any more
    update_issuing(tile.S, B)
    tile.S.translated.code[1] = 1
    for i in at:
        tile.S.translated.of[i] = 1
    write(tile)
    assert not tile.S.translated.code[1], "a translation of what was there would still be entered"
    assert tile.S.translated.dropped
    after = [int(tile.S.l1.word[i]) for i in at]
    assert after != before
    for i, word in zip(at, after, strict=True):
        assert int(tile.S.decoded.word[i]) in (0, decode(word))
