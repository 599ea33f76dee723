# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT of Blackhole: which bits of a block mask keep which instruction from starting.

A line for each row of the document's table. ANY is each of the nine bits, ALL only the nine
together; the others name the part of the frontend that takes the instruction before the gate.
"""

from __future__ import annotations

from tensix_gdb.core.tensix.table import find
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import UNPACKER_0, is_held
from tests.documents.facts.texts import BH, catches, fact_of, words_of
from tests.documents.on_the_machine import after

BITS = [f"B{bit}" for bit in range(9)]
ALL = 0x1FF
TABLE = """
ADDDMAREG     B0 B5
ADDRCRXY      B0
ADDRCRZW      B0
APOOL3S1      B6
APOOL3S2      B6
ATCAS         B0 B5
ATGETM        B1
ATINCGET      B0 B5
ATINCGETPTR   B0 B5
ATRELM        B1
ATSWAP        B0 B5
BITWOPDMAREG  B0 B5
CFGSHIFTMASK  B7
CLEARDVALID   B6
CLREXPHIST    B6
CMPDMAREG     B0 B5
CONV3S1       B6
CONV3S2       B6
DMANOP        B0 B5
DOTPV         B6
ELWADD        B6
ELWMUL        B6
ELWSUB        B6
FLUSHDMA      B0 B5
GAPOOL        B6
GATESRCRST    B6
GMPOOL        B6
INCADCXY      B0
INCADCZW      B0
INCRWC        B6
LOADIND       B0 B5
LOADREG       B0 B5
MFCONV3S1     B6
MOP           MOP Expander
MOP_CFG       MOP Expander
MOVA2D        B6
MOVB2A        B6
MOVB2D        B6
MOVD2A        B6
MOVD2B        B6
MOVDBGA2D     B6
MPOOL3S1      B6
MPOOL3S2      B6
MULDMAREG     B0 B5
MVMUL         B6
NOP           ALL
PACR          B0 B2
PACR_SETREG   B0 B2
RDCFG         B7
REG2FLOP      B0 B5
REPLAY        Replay Expander
RESOURCEDECL  Auto TTSync
RMWCIB        B7
RSTDMA        B0
SEMGET        B1
SEMINIT       B1
SEMPOST       B1
SEMWAIT       ANY
SETADC        B0
SETADCXX      B0
SETADCXY      B0
SETADCZW      B0
SETC16        B7
SETDMAREG     B0 B5
SETDVALID     B0
SETRWC        B6
SFPABS        B8
SFPADD        B8
SFPADDI       B8
SFPAND        B8
SFPARECIP     B8
SFPCAST       B8
SFPCOMPC      B8
SFPCONFIG     B8
SFPDIVP2      B8
SFPENCC       B8
SFPEXEXP      B8
SFPEXMAN      B8
SFPGT         B8
SFPIADD       B8
SFPLE         B8
SFPLOAD       B8
SFPLOADI      B8
SFPLOADMACRO  B8
SFPLUT        B8
SFPLUTFP32    B8
SFPLZ         B8
SFPMAD        B8
SFPMOV        B8
SFPMUL        B8
SFPMUL24      B8
SFPMULI       B8
SFPNOP        B8
SFPNOT        B8
SFPOR         B8
SFPPOPC       B8
SFPPUSHC      B8
SFPSETCC      B8
SFPSETEXP     B8
SFPSETMAN     B8
SFPSETSGN     B8
SFPSHFT       B8
SFPSHFT2      B8
SFPSTOCHRND   B8
SFPSTORE      B8
SFPSWAP       B8
SFPTRANSP     B8
SFPXOR        B8
SHIFTDMAREG   B0 B5
SHIFTXA       B6
SHIFTXB       B6
STALLWAIT     ANY
STOREIND      B0 B5
STOREREG      B0 B5
STREAMWAIT    ANY
STREAMWRCFG   B7
SUBDMAREG     B0 B5
TRNSPSRCB     B6
UNPACR        B0 B3
UNPACR_NOP    B0 B3
WRCFG         B7
XMOV          B0 B4
ZEROACC       B6
ZEROSRC       B6
"""
# Of the frontend's instructions a word that leads to nothing more.
FRONTEND = {
    "MOP": 0x01000000,
    "MOP_CFG": 0x03000000,
    "REPLAY": 0x04000000 | 1 << 4 | 1,
    "RESOURCEDECL": 0x05000000,
}
MOP_OF_NOPS = {f"mop_config.word[0,{i}]": 0x02000000 for i in range(2, 9)}


def sentence_of(mnemonic: str, bits: list[str]) -> str:
    """Return what the table says of an instruction."""
    match bits:
        case ["ANY"]:
            return f"Each of the nine bits alone keeps {mnemonic} from starting."
        case ["ALL"]:
            return f"{mnemonic} is blocked by the full block mask and by no other."
        case [bit]:
            return f"{mnemonic} does not start while {bit} is set, and no other bit matters to it."
        case _:
            return f"{mnemonic} does not start while {' or '.join(bits)} is set, or both."


def blocked_by(mnemonic: str) -> dict[str, list[str]]:
    """The bits that hold each form of an instruction alone: in the table and on the machine.

    The machine runs each bit that the table has, and all that it lacks at once.
    """
    found = {}
    for word in words_of(mnemonic):
        row = find(word, BH)
        assert row is not None
        names = [bit for bit in BITS if catches(bit, word)]
        held = [bit for bit in names if is_held(word, 1 << int(bit[1]))]
        rest = ALL & ~sum(1 << int(bit[1]) for bit in names)
        found[row.name] = held + ["others"] * (rest not in (0, ALL) and is_held(word, rest))
    return found


def only_by_all(mnemonic: str) -> tuple[list[bool], str]:
    """Is it held by all bits, and by all but one? And what `explain` says."""
    (word,) = words_of(mnemonic)
    masks = [ALL, *(ALL & ~(1 << bit) for bit in range(9))]
    return [is_held(word, mask) for mask in masks], fact_of(mnemonic, "Wait gate")


def before_the_gate(mnemonic: str) -> tuple[bool, str]:
    """True if a full mask does not hold it. A MOP leaves what it expands to at the gate."""
    stall = 0xA2000000 | ALL << 15 | 1 << 1
    record = after(6, [(0, stall), (0, FRONTEND[mnemonic])], {**UNPACKER_0, **MOP_OF_NOPS})
    gone = all(record.S.fifo.word[0, 2, at] != FRONTEND[mnemonic] for at in range(2))
    return gone, fact_of(mnemonic, "Wait gate")


def fact_about(mnemonic: str, marks: str) -> Fact:
    """The row of an instruction."""
    if marks == "ALL":
        expected = [True, *[False] * 9], "held only by a block mask with all nine bits"
        return Fact(sentence_of(mnemonic, ["ALL"]), lambda: only_by_all(mnemonic), expected)
    if not marks.startswith(("B", "ANY")):
        return Fact(
            f"{mnemonic} never comes to the wait gate, because {marks} takes it.",
            lambda: before_the_gate(mnemonic),
            (True, f"never reaches it: {marks} takes it before"),
        )
    bits = BITS if marks == "ANY" else marks.split()
    names = [found.name for word in words_of(mnemonic) if (found := find(word, BH))]
    return Fact(
        sentence_of(mnemonic, marks.split()),
        lambda: blocked_by(mnemonic),
        dict.fromkeys(names, bits),
    )


MATRIX = [
    fact_about(mnemonic, marks.strip())
    for mnemonic, _, marks in (line.partition(" ") for line in TABLE.strip().splitlines())
]
