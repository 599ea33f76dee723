# SPDX-License-Identifier: Apache-2.0
"""The answer to any text is an explanation or one sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.assembly.program import AssemblyError, assemble
from tensix_gdb.core.assembly.tensix_read import TextError, parse
from tensix_gdb.core.explain.instruction.any_machine import MACHINES, ExplainError, explain
from tensix_gdb.core.isa.architecture import DIALECTS
from tests.forms import rounds

FRAGMENTS = r"""
STALLWAIT SEMWAIT TTI_STALLWAIT MOP SFPIADD UNPACR REG2FLOP.ADC WRCFG s_waitcnt WAIT .word .ttinsn
.equ .mopcfg .arch block= wait= sem= imm12= ( ) , = | << - ~ * / % 0 1 -1 0x200 1e9 B3 C10 C99 ALL
p_stall::STALL_CFG vmcnt( :ub label: ; // # 'a' " \ __import__ 0b2 1_0 ** lambda [ ] { } @ . ..
99999999999999999999 NOP REPLAY load=1 count=3 template=1 cfg_index= G5 L3 L16 blackhole
"""
PIECES = st.sampled_from([*FRAGMENTS.split(), "\n", "\t", "\x00", "\u00b2"])
TEXTS = st.lists(PIECES, max_size=8).map(" ".join) | st.text(max_size=40)


@pytest.mark.parametrize("machine", MACHINES)
@given(word=st.integers(0, 0xFFFFFFFF))
@settings(deadline=None)
def test_any_word(machine: str, word: int) -> None:
    try:
        found = explain(hex(word), machine)
    except ExplainError:
        assert machine in ("gfx9", "visa")
        return
    assert found.show().startswith(found.text)
    assert found.as_json()["text"] == found.text


@given(text=TEXTS, machine=st.sampled_from(["", *MACHINES]))
@settings(max_examples=rounds(80, 300), deadline=None)
def test_any_text(text: str, machine: str) -> None:
    with suppress(ExplainError):
        explain(text, machine).show()


@given(text=TEXTS, machine=st.sampled_from(list(DIALECTS)))
@settings(max_examples=rounds(80, 300), deadline=None)
def test_any_program(text: str, machine: str) -> None:
    with suppress(TextError):
        parse(text, DIALECTS[machine])
    with suppress(AssemblyError):
        assemble(text, DIALECTS[machine]).expanded()
