# SPDX-License-Identifier: Apache-2.0
"""The Tensix rows: complete, without contradiction, as STALLWAIT.md and AutoTTSync.md have them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import PLAIN, Name
from tensix_gdb.core.isa.schema import Bits, EncodingError, Fixed, Unused, word32
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import (
    Catch,
    Group,
    Instruction,
    Operand,
    Status,
    Unit,
    check_table,
    tensix,
)
from tensix_gdb.core.tensix.table import ROWS, by_mnemonic, find, rows_of

BH, WH = Arch.BLACKHOLE, Arch.WORMHOLE

# STALLWAIT.md, "The exact set of instructions blocked from starting by each bit": the rows of the
# table, sorted by their columns.
GATE = """
B0 B5   ADDDMAREG ATCAS ATINCGET ATINCGETPTR ATSWAP BITWOPDMAREG CMPDMAREG DMANOP FLUSHDMA LOADIND
        LOADREG MULDMAREG REG2FLOP SETDMAREG SHIFTDMAREG STOREIND STOREREG SUBDMAREG
B0      ADDRCRXY ADDRCRZW INCADCXY INCADCZW RSTDMA SETADC SETADCXX SETADCXY SETADCZW SETDVALID
B6      APOOL3S1 APOOL3S2 CLEARDVALID CLREXPHIST CONV3S1 CONV3S2 DOTPV ELWADD ELWMUL ELWSUB GAPOOL
        GATESRCRST GMPOOL INCRWC MFCONV3S1 MOVA2D MOVB2A MOVB2D MOVD2A MOVD2B MOVDBGA2D MPOOL3S1
        MPOOL3S2 MVMUL SETRWC SHIFTXA SHIFTXB TRNSPSRCB ZEROACC ZEROSRC
B1      ATGETM ATRELM SEMGET SEMINIT SEMPOST
B7      CFGSHIFTMASK RDCFG RMWCIB0 RMWCIB1 RMWCIB2 RMWCIB3 SETC16 STREAMWRCFG WRCFG
B0 B2   PACR PACR_SETREG
B0 B1 B2 B3 B4 B5 B6 B7 B8  SEMWAIT STALLWAIT STREAMWAIT
B8      SFPABS SFPADD SFPADDI SFPAND SFPARECIP SFPCAST SFPCOMPC SFPCONFIG SFPDIVP2 SFPENCC SFPEXEXP
        SFPEXMAN SFPGT SFPIADD SFPLE SFPLOAD SFPLOADI SFPLOADMACRO SFPLUT SFPLUTFP32 SFPLZ SFPMAD
        SFPMOV SFPMUL SFPMUL24 SFPMULI SFPNOP SFPNOT SFPOR SFPPOPC SFPPUSHC SFPSETCC SFPSETEXP
        SFPSETMAN SFPSETSGN SFPSHFT SFPSHFT2 SFP_STOCH_RND SFPSTORE SFPSWAP SFPTRANSP SFPXOR
B0 B3   UNPACR UNPACR_NOP
B0 B4   XMOV
"""
# Special cases of the same table.
NEVER = {"MOP", "MOP_CFG", "REPLAY", "RESOURCEDECL"}
ONLY_ALL = {"NOP"}
NOT_IN_TABLE = {
    *("MOVDBGB2D", "TRNSPSRCA", "RAREB", "SETASHRMH0", "SETASHRMH1", "SETASHRMV", "SETPKEDGOF"),
    *("SETASHRMH", "SETIBRWC", "TBUFCMD"),
}
# AutoTTSync.md, "Instruction classes"; 15 is everything else, None has no class.
CLASSES = {
    0: "ADDDMAREG SUBDMAREG MULDMAREG BITWOPDMAREG SHIFTDMAREG CMPDMAREG SETDMAREG",
    1: "ATINCGET ATINCGETPTR ATSWAP ATCAS",
    2: "REG2FLOP",
    3: "LOADIND STOREIND",
    4: "STREAMWRCFG CFGSHIFTMASK",
    5: "STOREREG",
    6: "LOADREG",
    7: "FLUSHDMA",
    8: "WRCFG",
    9: "RDCFG",
    10: "XMOV",
    11: "UNPACR UNPACR_NOP",
    12: "PACR",
    13: "MOP",
    14: "REPLAY",
    None: "NOP MOP_CFG RESOURCEDECL",
}


def gate_table() -> dict[str, Block]:
    table: dict[str, Block] = {}
    blocked = Block(0)
    for line in GATE.strip().splitlines():
        words = line.split()
        bits = [word for word in words if len(word) == 2 and word[0] == "B"]
        if bits:
            blocked = Block(0)
            for bit in bits:
                blocked |= Block[bit]
        table |= dict.fromkeys(words[len(bits) :], blocked)
    return table


def test_every_opcode_of_both_architectures() -> None:
    assert len(by_mnemonic(BH)) == 137 == len({row.opcode for row in rows_of(BH)})
    assert len(by_mnemonic(WH)) == 128 == len({row.opcode for row in rows_of(WH)})
    assert set(by_mnemonic(BH)) - set(by_mnemonic(WH)) == {
        *("STREAMWAIT", "MOVDBGB2D", "SFPLE", "SFPGT", "SFPMUL24", "SFPARECIP", "STREAMWRCFG"),
        *("CFGSHIFTMASK", "RESOURCEDECL"),
    }
    shared = set(by_mnemonic(BH)) & set(by_mnemonic(WH))
    assert all(by_mnemonic(BH)[n][0].opcode == by_mnemonic(WH)[n][0].opcode for n in shared)


def test_all_opcodes_leave_the_low_bits_of_ttinsn_free() -> None:
    assert max(row.opcode for row in ROWS) < 0xC0


def test_gate_matrix_of_blackhole() -> None:
    table = gate_table()
    assert len(table) + len(NEVER) + len(ONLY_ALL) + len(NOT_IN_TABLE) == 137
    for row in rows_of(BH):
        if row.mnemonic in table:
            assert (row.gate, row.blocked_by) == (Catch.MASKED, table[row.mnemonic]), row.name
        else:
            expected = Catch.NEVER if row.mnemonic in NEVER else Catch.UNKNOWN
            expected = Catch.ONLY_ALL if row.mnemonic in ONLY_ALL else expected
            assert (row.gate, row.blocked_by) == (expected, Block(0)), row.name
            assert row.mnemonic in NEVER | ONLY_ALL | NOT_IN_TABLE


def test_gate_matrix_of_wormhole_differs_in_semwait_alone() -> None:
    table = gate_table() | {"SEMWAIT": Block.B1}
    for row in rows_of(WH):
        if row.mnemonic in table:
            assert row.blocked_by == table[row.mnemonic], row.name


def test_ttsync_classes() -> None:
    classes = {name: number for number, names in CLASSES.items() for name in names.split()}
    for row in rows_of(BH):
        assert row.ttsync == classes.get(row.mnemonic, 15), row.name


def test_undocumented_rows_are_those_no_page_describes() -> None:
    undocumented = {row.mnemonic for row in ROWS if row.status is Status.UNDOCUMENTED}
    assert undocumented == NOT_IN_TABLE | {"RSTDMA"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.arch.name}")
def test_row_is_complete(row: Instruction) -> None:
    assert row.summary.endswith(".")
    assert set(row.operands) == set(row.encoding.fields)
    assert row.page.startswith(("BlackholeA0/", "WormholeB0/", "tt_llk_blackhole/"))
    assert set(row.latency) <= set("0123456789+-")


def test_words_that_mean_nothing() -> None:
    # fmt: off
    for word, arch, sentence in (
        (0x06000000, BH, "opcode 0x06 is no Blackhole instruction"),
        (0xC0000000, BH, "opcode 0xc0 is no Blackhole instruction"),
        (0xA7000000, WH, "opcode 0xa7 is no Wormhole instruction"),
        (0xA2006000, BH, "STALLWAIT with bits 0x6000 set, which mean nothing"),
        (0xA2006000, WH, ""),
        (0x02000001, BH, "NOP with bits 0x1 set, which mean nothing"),
        (0x48300000, BH, ""),
        (0x48100000, BH, "REG2FLOP has no form with these bits"),
        (0x5CC00000, BH, "SHIFTDMAREG.Imm with bits 0x400000 set, which mean nothing"),
        (0xA2040400, BH, ""),
    ):
        assert undefined(word, arch) == sentence
    # fmt: on
    assert find(0x06000000, BH) is None


def group(**more: object) -> Group:
    operands = {"a": Operand(PLAIN, "a"), "b": Operand(PLAIN, "b")}
    return Group(Unit.SYNC, operands, blocked_by=Block.B1, **more)  # type: ignore[arg-type]


def declare(encoding: object, one: Group | None = None, **facts: object) -> Group:
    one = one or group()
    given = {"llk": "a@0", "summary": "Text.", "page": "page", **facts}
    one.instruction("ANY", encoding, **given)  # type: ignore[arg-type]
    return one


A = tensix(0x10, "a" / Bits(24))


def function_ok(S: object, thread: int, a: int, CHECKED: int) -> int:
    return a


def function_bad(S: object, thread: int, b: int) -> int:
    return b


# fmt: off
ERRORS = {
    "gap":           (lambda: declare(tensix(0x10, "a" / Bits(8))), "16 bits, not 32"),
    "opcode":        (lambda: declare(tensix(0x100, "a" / Bits(24))), "does not fit 8 bits"),
    "no_operand":    (lambda: declare(tensix(0x10, "c" / Bits(24))), "no operand is declared"),
    "no_block_bits": (lambda: declare(A, blocked_by=Block(0)), "without bits"),
    "block_and_gate": (lambda: declare(A, gate=Catch.NEVER), "has block bits and is never"),
    "class":         (lambda: declare(A, ttsync=16), "no Auto TTSync class 16"),
    "use_of_state":  (lambda: declare(A, writes=(uses.SEMAPHORES.masked("c"),)),
                      "use of state names a field"),
    "out_of_reach":  (lambda: declare(A, llk="a@4"), "reaches bits 0xf"),
    "free_opcode":   (lambda: declare(word32("a" / Bits(8), Unused(24))), "opcode is not fixed"),
    "missing_page":  (lambda: check_table(tuple(declare(A, page="").rows)), "names no page"),
    "same_word":     (lambda: check_table((*declare(A).rows, *group_of("OTHER").rows)),
                      "match the same word"),
    "same_name":     (lambda: check_table((*declare(A).rows, *declare(
                          tensix(0x11, "a" / Bits(24))).rows)), "declared twice"),
    "parameters":    (lambda: group().instruction("ANY", A, llk="a@0", summary="", page="page")(
                          function_bad), r"takes \(b\), the word holds \(a\)"),
}
# fmt: on


def group_of(name: str) -> Group:
    one = group()
    one.instruction(
        name, tensix(0x10, Fixed(0, 1), "a" / Bits(23)), llk="a@0", summary="", page="page"
    )
    return one


@pytest.mark.parametrize("case", ERRORS)
def test_err(case: str) -> None:
    provoke, sentence = ERRORS[case]
    with pytest.raises(EncodingError, match=sentence):
        provoke()


def test_err_name_that_no_expression_can_hold() -> None:
    with pytest.raises(ValueError, match="is no name"):
        Name("16_ROWS", 1)


def test_a_function_makes_a_row_implemented() -> None:
    one = group()
    declared = one.instruction("ANY", A, llk="a@0", summary="", page="page")
    assert one.rows[0].status is Status.NOT_YET
    assert declared(function_ok) is function_ok
    assert (one.rows[0].status, one.rows[0].function) == (Status.IMPLEMENTED, function_ok)
