# SPDX-License-Identifier: Apache-2.0
"""RV32 instructions from text in the syntax of GNU binutils: one, or a program with labels.

    addi a0,a1,-1               every row of `core.riscv.table`, registers by either name
    li t0,5                     the names that binutils has for special cases
    bnez a0,loop                a label; or an address in hex as objdump prints it, or `. + 8`
    .ttinsn STALLWAIT block=B3  what pushes a Tensix instruction
    .word 0x00008067            a raw word; also .4byte

Each text is one instruction: a constant that takes two is refused with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.assembly import rvv_read
from tensix_gdb.core.assembly.rv32 import (
    ABI_NAMES,
    COUNTER_READS,
    CSR_NAMES,
    EXACT,
    FENCE_TSO,
    FLOAT_CSRS,
    FLOAT_NAMES,
    ORDERING,
    ROUNDING,
    SIGN_ALIASES,
)
from tensix_gdb.core.assembly.tensix_names import nearby
from tensix_gdb.core.assembly.tensix_read import TextError
from tensix_gdb.core.assembly.tensix_read import parse as parse_tensix
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.expression import ExpressionError, evaluate
from tensix_gdb.core.isa.schema import EncodingError
from tensix_gdb.core.riscv.encoding import Instruction
from tensix_gdb.core.riscv.table import ROWS, Form

REGISTERS = {name: number for number, name in enumerate(ABI_NAMES)}
REGISTERS |= {f"x{number}": number for number in range(32)} | {"fp": 8}
F_REGISTERS = {name: number for number, name in enumerate(FLOAT_NAMES)}
F_REGISTERS |= {f"f{number}": number for number in range(32)}
CSRS = {name: number for number, name in CSR_NAMES.items()}
_ROWS = {row.name: row for row in ROWS}
_FENCE_LETTERS = {"i": 8, "o": 4, "r": 2, "w": 1, "-": 0}  # objdump has `unknown` for none
_LABEL = re.compile(r"^([A-Za-z_.$][\w.$]*)\s*:\s*(.*)$")
_COMMENT = re.compile(r"(#|//).*$")
_BASED = re.compile(r"(.*)\(\s*(\w+)\s*\)$")

# fmt: off
# What a name with so many operands stands for.
ALIASES: Mapping[tuple[str, int], str] = {
    ("nop", 0):     "addi zero,zero,0",     ("mv", 2):      "addi {0},{1},0",
    ("not", 2):     "xori {0},{1},-1",      ("neg", 2):     "sub {0},zero,{1}",
    ("zext.b", 2):  "andi {0},{1},255",     ("zext.h", 2):  "pack {0},{1},zero",
    ("rev8", 2):    "grevi {0},{1},24",     ("brev8", 2):   "grevi {0},{1},7",
    ("seqz", 2):    "sltiu {0},{1},1",      ("snez", 2):    "sltu {0},zero,{1}",
    ("sltz", 2):    "slt {0},{1},zero",     ("sgtz", 2):    "slt {0},zero,{1}",
    ("beqz", 2):    "beq {0},zero,{1}",     ("bnez", 2):    "bne {0},zero,{1}",
    ("bltz", 2):    "blt {0},zero,{1}",     ("bgez", 2):    "bge {0},zero,{1}",
    ("bgtz", 2):    "blt zero,{0},{1}",     ("blez", 2):    "bge zero,{0},{1}",
    ("bgt", 3):     "blt {1},{0},{2}",      ("ble", 3):     "bge {1},{0},{2}",
    ("bgtu", 3):    "bltu {1},{0},{2}",     ("bleu", 3):    "bgeu {1},{0},{2}",
    ("j", 1):       "jal zero,{0}",         ("jal", 1):     "jal ra,{0}",
    ("jr", 1):      "jalr zero,{0}",        ("jalr", 1):    "jalr ra,{0}",
    ("jalr", 3):    "jalr {0},{2}({1})",    ("ret", 0):     "jalr zero,0(ra)",
    ("csrr", 2):    "csrrs {0},{1},zero",   ("csrw", 2):    "csrrw zero,{0},{1}",
    ("csrs", 2):    "csrrs zero,{0},{1}",   ("csrc", 2):    "csrrc zero,{0},{1}",
    ("csrwi", 2):   "csrrwi zero,{0},{1}",  ("csrsi", 2):   "csrrsi zero,{0},{1}",
    ("csrci", 2):   "csrrci zero,{0},{1}",  ("unimp", 0):   "csrrw zero,cycle,zero",
    **{(f"{short}.{fmt}", 2): f"{name}.{fmt} {{0}},{{1}},{{1}}"
       for name, short in SIGN_ALIASES.items() for fmt in "sh"},
    **{(f"fr{name}", 1): f"csrrs {{0}},{csr},zero" for csr, name in FLOAT_CSRS.items()},
    **{(f"fs{name}", 1): f"csrrw zero,{csr},{{0}}" for csr, name in FLOAT_CSRS.items()},
    **{(f"fs{name}", 2): f"csrrw {{0}},{csr},{{1}}" for csr, name in FLOAT_CSRS.items()},
    **{(f"fs{name}i", 1): f"csrrwi zero,{csr},{{0}}" for csr, name in FLOAT_CSRS.items()
       if csr < 3},
    **{(f"fs{name}i", 2): f"csrrwi {{0}},{csr},{{1}}" for csr, name in FLOAT_CSRS.items()
       if csr < 3},
    **{(name, 1): f"csrrs {{0}},{csr:#x},zero" for csr, name in COUNTER_READS.items()},
}
# `add a0,a0,4` for addi: with a constant in the place of the last register, by number of operands.
WITH_CONSTANT: Mapping[tuple[str, int], str] = {
    **{(name, 3): f"{name}i" for name in ("add", "and", "or", "xor", "sll", "srl", "sra", "slt",
                                          "ror", "csrrw", "csrrs", "csrrc")},
    **{(name, 2): f"{name}i" for name in ("csrw", "csrs", "csrc")},
    ("sltu", 3): "sltiu",
}
# Operands in the order of the text.
OPERANDS: Mapping[Form, tuple[str, ...]] = {
    Form.ALU_RR: ("rd", "rs1", "rs2"),  Form.ALU_RI: ("rd", "rs1", "imm"),
    Form.ALU_R1: ("rd", "rs1"),         Form.BRANCH: ("rs1", "rs2", "target"),
    Form.ALU_RRR: ("rd", "rs1", "rs2", "rs3"),
    Form.HALF_RRR: ("rd", "rs1", "rs2", "rs3"),
    Form.HALF_RR: ("rd", "rs1", "rs2"), Form.HALF_R1: ("rd", "rs1"),
    Form.LOAD:   ("rd", "memory"),      Form.STORE:  ("rs2", "memory"),
    Form.AMO:    ("rd", "rs2", "address"),
    Form.CSR_R:  ("rd", "csr", "rs1"),  Form.CSR_I:  ("rd", "csr", "constant"),
    Form.LUI:    ("rd", "upper"),       Form.AUIPC:  ("rd", "upper"),
    Form.JAL:    ("rd", "target"),      Form.JALR:   ("rd", "base"),
    Form.FENCE_I: (), Form.EBREAK: (), Form.ECALL: (), Form.MRET: (),
}
# fmt: on


def parse(text: str, pc: int = 0, names: Mapping[str, int] | None = None) -> int:
    """Return the word of one instruction at `pc`; TextError with one sentence if it is none."""
    head, *rest = text.strip().split(None, 1) or [""]
    try:
        return _Reader(pc, names or {}).word(head.lower(), rest[0].strip() if rest else "")
    except (ExpressionError, EncodingError) as error:
        raise TextError(f"{text.strip()!r}: {error}") from None


def knows(name: str) -> bool:
    """True if it is the name of an instruction of the harts."""
    return name in known() or rvv_read.knows(name)


def known() -> tuple[str, ...]:
    """Return the names of all instructions of the harts, V's and those of the assembler alone
    too."""
    return (
        *(name for name in _ROWS if name[0] != "."),
        *rvv_read.FORMS,
        *(name for name, _ in ALIASES),
        "li",
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the operands of one instruction."""

    pc: int
    names: Mapping[str, int]

    def word(self, name: str, body: str) -> int:
        if name in (".word", ".4byte"):
            return self._fits(self._number(body), body)
        if name == ".ttinsn":
            try:
                pushed = self._fits(self._number(body), body)
            except ExpressionError:
                pushed = parse_tensix(body, names=self.names)
            if pushed >> 30 == 3:
                raise TextError(f".ttinsn cannot hold {pushed:#010x}: it is above 0xbfffffff")
            return (pushed << 2 | pushed >> 30) & MASK32
        if name in ("fence", "fence.tso"):
            return self._fence(name, body)
        operands = [operand.strip() for operand in body.split(",")] if body else []
        if rvv_read.knows(name):
            return rvv_read.parse(name, operands, REGISTERS, F_REGISTERS)
        if name == "li" and len(operands) == 2:
            return self._constant(*operands)
        if operands and operands[-1] not in REGISTERS:
            name = WITH_CONSTANT.get((name, len(operands)), name)
        alias = ALIASES.get((name, len(operands)))
        if alias:
            name, _, body = alias.format(*operands).partition(" ")
            operands = body.split(",")
        return self._row(name, operands)

    def _row(self, name: str, operands: list[str]) -> int:
        values: dict[str, int] = {}
        row = _ROWS.get(name)
        if row is None:
            # .aqrl is tried before .rl, which it ends with.
            for bits, suffix in reversed(list(enumerate(ORDERING))):
                plain = _ROWS.get(name.removesuffix(suffix))
                if suffix and plain and plain.form is Form.AMO:
                    row, values = plain, {"aq": bits >> 1, "rl": bits & 1}
                    break
        if row is None or row.form is Form.TTINSN:
            raise TextError(f"{name!r} is no instruction of the harts{nearby(name, known())}")
        if "rm" in row.encoding.fields:
            values["rm"] = 0 if row.name in EXACT else 7
            if operands and operands[-1] in ROUNDING and operands[-1]:
                values["rm"] = ROUNDING.index(operands.pop())
        wanted = OPERANDS[row.form]
        if len(operands) != len(wanted):
            raise TextError(f"{row.name} takes {len(wanted)} operands, not {len(operands)}")
        for kind, text in zip(wanted, operands, strict=True):
            values |= self._operand(row, kind, text)
        return row.encoding.encode(**{f: values.get(f, 0) for f in row.encoding.fields})

    def _operand(self, row: Instruction, kind: str, text: str) -> dict[str, int]:
        match kind:
            case "rd" | "rs1" | "rs2" if f"f{kind}" in row.encoding.fields:
                return {f"f{kind}": self._float(text)}
            case "rd" | "rs1" | "rs2":
                return {kind: self._register(text)}
            case "rs3":
                return {"imm": self._float(text)}
            case "imm":
                return {"imm": self._number(text)}
            case "constant":
                value = self._number(text)
                if not 0 <= value < 32:
                    raise TextError(f"{row.name}: {text} is outside 0..31")
                return {"rs1": value}
            case "csr":
                return {"imm": CSRS[text] if text in CSRS else self._number(text)}
            case "upper":
                value = self._number(text)
                if not 0 <= value < 1 << 20:
                    raise TextError(f"{row.name}: {text} is outside 0..0xfffff")
                return {"imm": s32(value << 12)}
            case "target":
                return {"imm": s32((self._target(text) - self.pc) & MASK32)}
            case "base" if text in REGISTERS:
                return {"imm": 0, "rs1": REGISTERS[text]}
        based = _BASED.match(text)
        if not based:
            raise TextError(f"{row.name}: {text!r} is not OFFSET(REGISTER)")
        offset = self._number(based[1]) if based[1].strip() else 0
        if kind == "address" and offset:
            raise TextError(f"{row.name} has no offset")
        return {"imm": offset, "rs1": self._register(based[2])}

    def _constant(self, register: str, text: str) -> int:
        """`li`: an addi, or a lui where the low 12 bits are 0."""
        value = s32(self._number(text) & MASK32)
        rd = self._register(register)
        if -2048 <= value < 2048:
            return _ROWS["addi"].encoding.encode(imm=value, rs1=0, rd=rd)
        if value & 0xFFF:
            raise TextError(f"li {text} takes two instructions: type the lui and the addi")
        return _ROWS["lui"].encoding.encode(imm=value, rd=rd)

    def _fence(self, name: str, body: str) -> int:
        sets = [15, 15]
        if name == "fence.tso":
            return _ROWS["fence"].encoding.encode(fm=FENCE_TSO >> 8, pred=3, succ=3, rs1=0, rd=0)
        if body:
            parts = [part.strip().replace("unknown", "-") for part in body.split(",")]
            if len(parts) != 2 or not all(
                part and set(part) <= set(_FENCE_LETTERS) for part in parts
            ):
                raise TextError(f"fence takes two sets of the letters iorw, not {body!r}")
            sets = [sum(_FENCE_LETTERS[letter] for letter in set(part)) for part in parts]
        return _ROWS["fence"].encoding.encode(fm=0, pred=sets[0], succ=sets[1], rs1=0, rd=0)

    def _register(self, text: str) -> int:
        if text not in REGISTERS:
            raise TextError(f"{text!r} is no register")
        return REGISTERS[text]

    def _float(self, text: str) -> int:
        if text not in F_REGISTERS:
            raise TextError(f"{text!r} is no floating-point register")
        return F_REGISTERS[text]

    def _target(self, text: str) -> int:
        """Return an address: a label, hex digits, `. + 8`; what objdump writes after it is
        ignored."""
        plain = re.sub(r"\s*<[^>]*>$", "", text)
        if plain in self.names:
            return self.names[plain]
        if re.fullmatch(r"[0-9a-f]+", plain):
            return int(plain, 16)
        if plain.startswith("."):
            return self.pc + (self._number("0" + plain[1:]) if plain != "." else 0)
        return self._number(plain)

    def _number(self, text: str) -> int:
        return evaluate(text, self.names.get)

    @staticmethod
    def _fits(value: int, text: str) -> int:
        if not -(1 << 31) <= value < 1 << 32:
            raise TextError(f"{text} does not fit 32 bits; 0xffffffff is the largest")
        return value & MASK32


@dataclass(frozen=True, slots=True)
class Placed:
    """A word of a program, its address, and the line that it came from."""

    addr: int
    word: int
    line: int


def assemble(source: str, base: int = 0, name: str = "<text>") -> list[Placed]:
    """Return the words of a program at `base`; TextError with a line for each thing that is
    wrong."""
    statements: list[tuple[int, int, str]] = []
    names: dict[str, int] = {}
    errors: list[str] = []
    for line, raw in enumerate(source.splitlines(), 1):
        for part in _COMMENT.sub("", raw).split(";"):
            text = part.strip()
            while label := _LABEL.match(text):
                if label[1] in names:
                    errors.append(f"{name}:{line}: {label[1]} is defined twice")
                names[label[1]] = base + 4 * len(statements)
                text = label[2]
            if text:
                statements.append((line, base + 4 * len(statements), text))
    words = []
    for line, addr, text in statements:
        try:
            words.append(Placed(addr, parse(text, addr, names), line))
        except TextError as error:
            errors.append(f"{name}:{line}: {error}")
    if errors:
        raise TextError("\n".join(errors))
    return words
