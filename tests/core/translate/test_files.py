# SPDX-License-Identifier: Apache-2.0
"""A translation is made once: the next process finds it, as long as it is still true."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tensix_gdb.core.riscv import rv32i
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.translate import files
from tensix_gdb.core.translate.blocks import Blocks, blocks_from
from tensix_gdb.core.translate.translator import Translator
from tests.assembler import asm

WORDS = [asm("add", rd=5, rs1=5, rs2=6), asm("bne", rs1=5, imm=-4)]
KEY = "of a test"


def test_it_is_found_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSIX_GDB_CACHE", str(tmp_path))
    blocks = blocks_from((0,), lambda pc: decode(WORDS[pc >> 2]) if pc < 8 else None)
    with closing(Translator()) as first, closing(Translator()) as second:
        look_for_it(first, second, blocks)
    monkeypatch.setattr(rv32i, "MASK32", 0xFFFF)
    assert files.find(KEY) is None, "the semantics are others"


def look_for_it(first: Translator, second: Translator, blocks: Blocks) -> None:
    assert first.ask(KEY, 0, blocks)
    assert not first.has_answered(KEY)
    first.wait(KEY, 60)
    assert second.ask(KEY, 0, blocks)
    assert second.has_answered(KEY)
    made, found = first.find_translation(KEY), second.find_translation(KEY)
    assert made is not None
    assert found is not None
    assert found.code == made.code
    assert files.find("of another") is None
