# SPDX-License-Identifier: Apache-2.0
"""Programs as text: labels, constants, pushes, raw words, expansions; all errors at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.assembly.program import AssemblyError, assemble
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.isa.architecture import WORMHOLE, Arch, Dialect
from tensix_gdb.core.tensix.table import rows_of

PROGRAM = """
    .arch blackhole
    .equ  ROWS, 8               # a constant
    TWICE = ROWS * 2
    REPLAY index=0, count=end-begin, load=1   // labels may come later
begin:
    MVMUL addr_mod=ADDR_MOD_1, dst_row=TWICE
    .word 0x02000000, 1 << 25
end: here:  TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG); TTI_NOP;
    .ttinsn STALLWAIT block=B3, wait=C10
    .ttinsn 0x02000000
"""


def test_program() -> None:
    program = assemble(PROGRAM)
    assert program.arch is Arch.BLACKHOLE
    assert [f"{word:08x}" for word in program.words] == [
        *("04000031", "26004010", "02000000", "02000000", "a2040400", "02000000"),
        *("88101002", "08000000"),
    ]
    assert program.labels == {"begin": 1, "end": 4, "here": 4}
    assert [item.line for item in program.items] == [5, 7, 8, 8, 9, 9, 10, 11]
    assert [item.is_push for item in program.items] == [False] * 6 + [True, True]
    assert [item.tensix for item in program.items[6:]] == [0xA2040400, 0x02000000]


def test_expansion_of_a_program() -> None:
    program = assemble(
        """
        .mopcfg 0, 2                    # outer loop
        .mopcfg 1, 2                    # inner loop
        .mopcfg 5, MVMUL dst_row=1
        .mopcfg 7, MVMUL dst_row=2      # the last of all
        .mopcfg 8, REPLAY index=0, count=1
        REPLAY index=0, count=1, load=1
        SETRWC
        .ttinsn MOP template=DOUBLE_LOOP
        """
    )
    shown = [(show(one.word), one.origin) for one in program.expanded()]
    assert shown == [
        ("MVMUL dst_row=1", 2),
        ("SETRWC", 2),
        ("MVMUL dst_row=1", 2),
        ("MVMUL dst_row=2", 2),
    ]


def test_the_dialect_that_the_caller_names() -> None:
    assert assemble("STALLWAIT block=B3, wait=C13", WORMHOLE).words == [0xA2042000]
    assert assemble(".arch wormhole\nSTALLWAIT wait=C13").words == [0xA2002000]


def test_all_errors_at_once() -> None:
    with pytest.raises(AssemblyError) as caught:
        assemble(
            """STALWAIT
            twice: twice:
            .equ 9x, 1
            .equ x, unknown
            .arch quasar
            NOP
            .arch wormhole
            .mopcfg 9, NOP
            .mopcfg 2, WHAT
            .org 5
            .ttinsn 0xc0000000
            .word 1 << 32
            MVMUL dst_row=nowhere
            """,
            name="bad.s",
        )
    # fmt: off
    said = [
        ("bad.s:2: ", "twice is defined twice"),
        ("bad.s:3: ", "'9x' is no name"),
        ("bad.s:4: ", "'unknown' is no known name"),
        ("bad.s:5: ", ".arch quasar: there is blackhole and wormhole"),
        ("bad.s:7: ", "before the first instruction"),
        ("bad.s:1: ", "'STALWAIT' is no Blackhole instruction; is it STALLWAIT"),
        ("bad.s:8: ", ".mopcfg 9: the MOP configuration has words 0 to 8"),
        ("bad.s:9: ", "'WHAT' is no Blackhole instruction"),
        ("bad.s:10: ", ".org is no directive"),
        ("bad.s:11: ", "above 0xbfffffff"),
        ("bad.s:12: ", "does not fit 32 bits"),
        ("bad.s:13: ", "'nowhere' is no known name"),
    ]
    # fmt: on
    lines = str(caught.value).splitlines()
    assert len(lines) == len(said)
    for line, (place, sentence) in zip(lines, said, strict=True):
        assert line.startswith(place)
        assert sentence in line


def test_an_expansion_that_cannot_be() -> None:
    with pytest.raises(AssemblyError, match=r"give them with \.mopcfg"):
        assemble("MOP template=MASK_LOOP").expanded()


@pytest.mark.parametrize("arch", [Arch.BLACKHOLE, Arch.WORMHOLE])
@given(data=st.data())
def test_a_program_of_any_words_reads_back(arch: Arch, data: st.DataObject) -> None:
    """Words to a program's text and back, instructions and raw words mixed."""
    rows = rows_of(arch)
    instruction = st.builds(
        lambda row, bits: row.encoding.match | bits & ~row.encoding.mask,
        st.sampled_from(rows),
        st.integers(0, 0xFFFFFF),
    )
    words = data.draw(st.lists(st.one_of(instruction, st.integers(0, 0xFFFFFFFF)), max_size=30))
    dialect = Dialect(arch)
    text = "\n".join(show(word, dialect) for word in words)
    assert assemble(text, dialect).words == words
    pushed = [word for word in words if word < 0xC0000000]
    program = assemble("\n".join(f".ttinsn {show(w, dialect)}" for w in pushed), dialect)
    assert [item.tensix for item in program.items] == pushed


def test_the_head_of_a_statement_ends_at_any_space() -> None:
    assert assemble(".word\t1").words == [1]
    assert assemble("SEMPOST\tsem=S1").words == [parse("SEMPOST sem=S1")]
