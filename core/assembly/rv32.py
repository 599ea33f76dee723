# SPDX-License-Identifier: Apache-2.0
"""RV32 instructions as text, in the syntax of GNU binutils.

The rows of `core.riscv.table` give names and operands; this file has the order of the operands, and
the names that binutils prints instead of the general ones (`li`, `ret`, `csrr`, `rev8`). Tensix
instructions inside the code are printed as `.ttinsn` with their text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tensix_gdb.core.arch.blackhole import F0
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly import rvv, tensix_text
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import BLACKHOLE
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FIRST, ILLEGAL, ROWS, Form

# fmt: off
ABI_NAMES = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4"),
    *("a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11"),
    *("t3", "t4", "t5", "t6"),
)
NUMERIC_NAMES = tuple(f"x{i}" for i in range(32))
FLOAT_NAMES = (
    *("ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2"),
    *("fa3", "fa4", "fa5", "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9"),
    *("fs10", "fs11", "ft8", "ft9", "ft10", "ft11"),
)
# By column of hart.x.
ALL_ABI_NAMES = ABI_NAMES + FLOAT_NAMES
ALL_NUMERIC_NAMES = NUMERIC_NAMES + tuple(f"f{i}" for i in range(32))
ROUNDING = ("rne", "rtz", "rdn", "rup", "rmm", "", "", "dyn")
# What binutils knows of the CSRs that the harts have, and of those that C code names.
CSR_NAMES = {
    0x001: "fflags", 0x002: "frm", 0x003: "fcsr", 0x008: "vstart", 0x009: "vxsat", 0x00A: "vxrm",
    0x300: "mstatus", 0x301: "misa", 0x304: "mie", 0x305: "mtvec", 0x320: "mcountinhibit",
    0x323: "mhpmevent3", 0x324: "mhpmevent4", 0x340: "mscratch", 0x341: "mepc", 0x342: "mcause",
    0x343: "mtval", 0x344: "mip", 0xB00: "mcycle", 0xB02: "minstret", 0xB03: "mhpmcounter3",
    0xB04: "mhpmcounter4", 0xB80: "mcycleh", 0xB82: "minstreth", 0xB83: "mhpmcounter3h",
    0xB84: "mhpmcounter4h", 0xC00: "cycle", 0xC01: "time", 0xC02: "instret", 0xC20: "vl",
    0xC21: "vtype", 0xC22: "vlenb", 0xC80: "cycleh", 0xC81: "timeh", 0xC82: "instreth",
    0xF11: "mvendorid", 0xF12: "marchid", 0xF13: "mimpid", 0xF14: "mhartid",
}
COUNTER_READS = {0xC00: "rdcycle", 0xC01: "rdtime", 0xC02: "rdinstret",
                 0xC80: "rdcycleh", 0xC81: "rdtimeh", 0xC82: "rdinstreth"}
FLOAT_CSRS = {1: "flags", 2: "rm", 3: "csr"}
# fmt: on
VECTOR_FORMS = (Form.VECTOR, Form.VECTOR_LOAD, Form.VECTOR_STORE)
# Conversions that lose nothing, which have no rounding mode.
EXACT = {"fcvt.s.h"}
SIGN_ALIASES = {"fsgnj": "fmv", "fsgnjn": "fneg", "fsgnjx": "fabs"}
ORDERING = ("", ".rl", ".aq", ".aqrl")  # aq, rl
FENCE_TSO = 0x833
UNIMP = 0xC0001073  # csrrw x0, cycle, x0: compilers put it where nothing may come


@dataclass(frozen=True, slots=True)
class Style:
    """The way to write registers and well-known special cases."""

    aliases: bool = True
    numeric: bool = False


DEFAULT = Style()


@dataclass(frozen=True, slots=True)
class _Operands:
    """The decoded operands of one word, registers by name."""

    pc: int
    rd: str
    rs1: str
    rs2: str
    rs1_number: int
    imm: int
    at: Callable[[int], str]
    numbers: tuple[int, int, int]  # rd, rs1, rs2


def show(
    word: int,
    pc: int = 0,
    *,
    style: Style = DEFAULT,
    symbols: Callable[[int], str] = lambda _: "",
) -> str:
    """Return the text of `word` at `pc`, mnemonic and operands separated by a tab.

    `symbols` names the target of a jump: ` <main+0x10>`, or nothing.
    """
    packed = decode(word)
    op = packed & 0xFF
    if op == ILLEGAL:
        return f".4byte\t{word:#x}"
    row = ROWS[op - FIRST]
    if row.form is Form.TTINSN:
        return f".ttinsn\t{tensix_text.show(packed >> 32 & MASK32, BLACKHOLE)}"
    names = ALL_NUMERIC_NAMES if style.numeric else ALL_ABI_NAMES
    if row.form in VECTOR_FORMS:
        return rvv.show(word, packed, names)
    numbers = (packed >> 8 & 63, packed >> 16 & 63, packed >> 24 & 63)
    rd, rs1, rs2 = (names[number] for number in numbers)
    imm = packed >> 32

    def at(target: int) -> str:
        return f"{target & MASK32:x}{symbols(target & MASK32)}"

    if word == UNIMP:
        return "unimp"
    operands = _Operands(pc, rd, rs1, rs2, numbers[1], imm, at, numbers)
    if style.aliases:
        special = _alias(row.name, operands)
        if special:
            return special
    name, body = row.name, _BODY[row.form](operands)
    match row.form:
        case Form.AMO:
            name += ORDERING[word >> 25 & 3]
        case Form.FENCE:
            return _fence(word, style)
        case Form.FENCE_I:
            body = ""
        case Form.ALU_RRR | Form.HALF_RRR:
            body += f",{names[F0 + imm]}"
        case Form.ALU_RI if row.name in ("slli", "srli", "srai", "rori", "grevi"):
            body = f"{rd},{rs1},{imm:#x}"
    if "rm" in row.encoding.fields:
        body += _rounding(row.name, word >> 12 & 7)
    name, body = _shared(name, body, operands)
    return f"{name}\t{body}" if body else name


def _rounding(name: str, rm: int) -> str:
    """Return the rounding mode, which the harts ignore, unless it is the one that is understood."""
    if rm == (0 if name in EXACT else 7):
        return ""
    return f",{ROUNDING[rm] or 'unknown'}"


def _shared(name: str, body: str, o: _Operands) -> tuple[str, str]:
    """Return the standard name where the general instruction is another extension's."""
    if name == "grevi" and o.imm in (7, 24):
        return ("brev8" if o.imm == 7 else "rev8"), f"{o.rd},{o.rs1}"
    if name == "pack" and o.numbers[2] == 0:
        return "zext.h", f"{o.rd},{o.rs1}"
    return name, body


def _csr(number: int) -> str:
    return CSR_NAMES.get(number & 0xFFF, f"{number & 0xFFF:#x}")


_BODY: dict[Form, Callable[[_Operands], str]] = {
    Form.ALU_RR: lambda o: f"{o.rd},{o.rs1},{o.rs2}",
    Form.ALU_RI: lambda o: f"{o.rd},{o.rs1},{o.imm}",
    Form.ALU_R1: lambda o: f"{o.rd},{o.rs1}",
    Form.ALU_RRR: lambda o: f"{o.rd},{o.rs1},{o.rs2}",
    Form.HALF_R1: lambda o: f"{o.rd},{o.rs1}",
    Form.HALF_RR: lambda o: f"{o.rd},{o.rs1},{o.rs2}",
    Form.HALF_RRR: lambda o: f"{o.rd},{o.rs1},{o.rs2}",
    Form.VSETVLI: lambda o: f"{o.rd},{o.rs1},{rvv.vtype_text(o.imm)}",
    Form.VSETIVLI: lambda o: f"{o.rd},{o.imm & 31},{rvv.vtype_text(o.imm >> 5)}",
    Form.VSETVL: lambda o: f"{o.rd},{o.rs1},{o.rs2}",
    Form.BRANCH: lambda o: f"{o.rs1},{o.rs2},{o.at(o.pc + o.imm)}",
    Form.LOAD: lambda o: f"{o.rd},{o.imm}({o.rs1})",
    Form.STORE: lambda o: f"{o.rs2},{o.imm}({o.rs1})",
    Form.AMO: lambda o: f"{o.rd},{o.rs2},({o.rs1})",
    Form.CSR_R: lambda o: f"{o.rd},{_csr(o.imm)},{o.rs1}",
    Form.CSR_I: lambda o: f"{o.rd},{_csr(o.imm)},{o.rs1_number}",
    Form.LUI: lambda o: f"{o.rd},{o.imm >> 12 & 0xFFFFF:#x}",
    Form.AUIPC: lambda o: f"{o.rd},{o.imm >> 12 & 0xFFFFF:#x}",
    Form.JAL: lambda o: f"{o.rd},{o.at(o.pc + o.imm)}",
    Form.JALR: lambda o: f"{o.rd},{o.imm}({o.rs1})",
    Form.FENCE: lambda o: "",
    Form.FENCE_I: lambda o: "",
    Form.EBREAK: lambda o: "",
    Form.ECALL: lambda o: "",
    Form.MRET: lambda o: "",
}


def _fence(word: int, style: Style) -> str:
    if word >> 20 == FENCE_TSO:
        return "fence.tso"
    before, after = (
        "".join(letter for bit, letter in zip((8, 4, 2, 1), "iorw", strict=True) if mask & bit)
        or "unknown"
        for mask in (word >> 24 & 15, word >> 20 & 15)
    )
    if style.aliases and before == after == "iorw":
        return "fence"
    return f"fence\t{before},{after}"


def _alias(name: str, o: _Operands) -> str:
    """Return the special case that binutils has a name of its own for, or nothing."""
    rd, rs1, rs2 = o.numbers
    match name:
        case "addi" if rd == rs1 == o.imm == 0:
            return "nop"
        case "addi" if rs1 == 0:
            return f"li\t{o.rd},{o.imm}"
        case "addi" if o.imm == 0:
            return f"mv\t{o.rd},{o.rs1}"
        case "andi" if o.imm == 255:
            return f"zext.b\t{o.rd},{o.rs1}"
        case "xori" if o.imm == -1:
            return f"not\t{o.rd},{o.rs1}"
        case "sub" if rs1 == 0:
            return f"neg\t{o.rd},{o.rs2}"
        case "sltiu" if o.imm == 1:
            return f"seqz\t{o.rd},{o.rs1}"
        case "sltu" if rs1 == 0:
            return f"snez\t{o.rd},{o.rs2}"
        case "slt" if rs2 == 0:
            return f"sltz\t{o.rd},{o.rs1}"
        case "slt" if rs1 == 0:
            return f"sgtz\t{o.rd},{o.rs2}"
        case "jal" if rd == 0:
            return f"j\t{o.at(o.pc + o.imm)}"
        case "jal" if rd == 1:
            return f"jal\t{o.at(o.pc + o.imm)}"
        case "jalr":
            return _jalr_alias(o)
        case _ if name[:-2] in SIGN_ALIASES and rs1 == rs2:
            return f"{SIGN_ALIASES[name[:-2]]}{name[-2:]}\t{o.rd},{o.rs1}"
        case "beq" | "bne" | "blt" | "bge":
            return _branch_alias(name, o)
        case "csrrs" | "csrrw" | "csrrc" | "csrrsi" | "csrrwi" | "csrrci":
            return _csr_alias(name, o)
    return ""


def _jalr_alias(o: _Operands) -> str:
    rd, rs1, _ = o.numbers
    target = f"{o.imm}({o.rs1})" if o.imm else o.rs1
    if rd == 0:
        return "ret" if rs1 == 1 and o.imm == 0 else f"jr\t{target}"
    if rd == 1:
        return f"jalr\t{target}"
    return f"jalr\t{o.rd},{target}" if not o.imm else ""


_ZERO_BRANCHES: Mapping[tuple[str, int], str] = {
    ("beq", 2): "beqz", ("bne", 2): "bnez", ("blt", 2): "bltz", ("bge", 2): "bgez",
    ("blt", 1): "bgtz", ("bge", 1): "blez",
}  # fmt: skip


def _branch_alias(name: str, o: _Operands) -> str:
    """Comparisons with zero; where both registers are, binutils has one name first."""
    places = ((1, o.rs2), (2, o.rs1)) if name == "bge" else ((2, o.rs1), (1, o.rs2))
    for position, other in places:
        if o.numbers[position] == 0 and (name, position) in _ZERO_BRANCHES:
            return f"{_ZERO_BRANCHES[name, position]}\t{other},{o.at(o.pc + o.imm)}"
    return ""


def _csr_alias(name: str, o: _Operands) -> str:
    rd, rs1, _ = o.numbers
    number = o.imm & 0xFFF
    match name:
        case "csrrs" if rs1 == 0 and number in COUNTER_READS:
            return f"{COUNTER_READS[number]}\t{o.rd}"
        case "csrrs" if rs1 == 0 and number in FLOAT_CSRS:
            return f"fr{FLOAT_CSRS[number]}\t{o.rd}"
        case "csrrw" | "csrrwi" if number in FLOAT_CSRS and (name == "csrrw" or number < 3):
            operand = str(o.rs1_number) if name.endswith("i") else o.rs1
            target = f"{o.rd}," if rd or name.endswith("i") else ""
            return f"fs{FLOAT_CSRS[number]}{'i' if name.endswith('i') else ''}\t{target}{operand}"
        case "csrrs" if rs1 == 0:
            return f"csrr\t{o.rd},{_csr(number)}"
    if rd == 0:
        operand = str(o.rs1_number) if name.endswith("i") else o.rs1
        short = {"csrrw": "csrw", "csrrs": "csrs", "csrrc": "csrc"}
        short |= {"csrrwi": "csrwi", "csrrsi": "csrsi", "csrrci": "csrci"}
        return f"{short[name]}\t{_csr(number)},{operand}"
    return ""
