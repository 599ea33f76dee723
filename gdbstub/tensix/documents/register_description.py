# SPDX-License-Identifier: Apache-2.0
"""The target description (GDB manual, Target Descriptions; RISC-V Features): every register.

One description serves all threads, so it is their union; a register that a thread lacks is
unavailable there. `osabi none` keeps Debian's GDB from taking the tile for Linux, where it steps by
temporary breakpoints that it puts two bytes after a `.ttinsn` word.

GDB gets it in pieces of 4 KiB at each attach, and reading it is most of what an attach takes: it is
not told what it takes for granted: the number after the last one, and `int`. LLDB takes little
for granted, and has a longer one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tensix_gdb.core.assembly.rv32 import FLOAT_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.gdbstub.tensix.capabilities.registers import (
    F0,
    FIRST_CSR,
    FIRST_TENSIX_REGISTER,
    FIRST_VECTOR,
    NAMES,
    PC,
)
from tensix_gdb.gdbstub.tensix.capabilities.tensix_registers import REGISTERS, Register

_TYPES = {"ra": "code_ptr", "sp": "data_ptr", "fp": "data_ptr", "pc": "code_ptr"}
# lldbgdbremote.md, `generic`: what a register is used for.
_GENERIC = {"ra": "ra", "sp": "sp", "fp": "fp", "pc": "pc"} | {
    f"a{n}": f"arg{n + 1}" for n in range(8)
}
# RISC-V's DWARF has no pc; LLDB's ABI plugin (RISCV_DWARF_Registers.h) calls it so, and unwinds
# from a function's first instruction by that number.
LLDB_DWARF_PC = 11451
# A vector register by its elements; f is what the name says in vector code for e32.
_VECTOR_TYPE = (
    '<vector id="bytes" type="uint8" count="16"/>',
    '<vector id="shorts" type="uint16" count="8"/>',
    '<vector id="words" type="uint32" count="4"/>',
    '<vector id="floats" type="ieee_single" count="4"/>',
    '<union id="riscv_vector">',
    '<field name="b" type="bytes"/>',
    '<field name="s" type="shorts"/>',
    '<field name="w" type="words"/>',
    '<field name="f" type="floats"/>',
    "</union>",
)
# 32 lanes, to be read as what a program means.
_LANES_TYPE = (
    f'<vector id="v32f" type="ieee_single" count="{LANES}"/>',
    f'<vector id="v32u" type="uint32" count="{LANES}"/>',
    f'<vector id="v32i" type="int32" count="{LANES}"/>',
    '<union id="lane_values">',
    '<field name="f" type="v32f"/>',
    '<field name="u" type="v32u"/>',
    '<field name="i" type="v32i"/>',
    "</union>",
)


class _Rows:
    """Rows of registers for one of the two clients, in order."""

    def __init__(self, *, lldb: bool) -> None:
        self._lldb = lldb
        self._next = 0  # the number that a client takes for granted

    def row(
        self,
        name: str,
        number: int,
        *,
        bits: int = 32,
        kind: str = "int",
        own: str = "",
        **lldb: Any,
    ) -> str:
        """Return a register; `own` is what both have to be told of it, the rest is for LLDB."""
        told = f' type="{kind}"' if self._lldb or kind != "int" else ""
        if self._lldb or number != self._next:
            told += f' regnum="{number}"'
        self._next = number + 1
        if self._lldb:
            own += "".join(f' {key}="{value}"' for key, value in lldb.items())
        return f'<reg name="{name}" bitsize="{bits}"{told}{own}/>'


@dataclass(frozen=True, slots=True)
class Present:
    """The registers that there are besides those of every hart."""

    csrs: Collection[int] = tuple(number for number, _ in CSRS)
    vectors: bool = True
    tensix: bool = True
    floats: bool = True


ALL = Present()


def target_xml(*, lldb: bool, present: Present = ALL) -> str:
    """Return the whole document. The one for a single hart leaves out what that hart does not
    have."""
    rows = _Rows(lldb=lldb)
    vectors = _feature("org.gnu.gdb.riscv.vector", _vectors(rows)) if present.vectors else ()
    tensix = _feature("org.tensix-gdb.tensix", _tensix(rows)) if present.tensix else ()
    floats = _feature("org.gnu.gdb.riscv.fpu", _floats(rows)) if present.floats else ()
    csrs = _feature("org.gnu.gdb.riscv.csr", _csrs(rows, present.csrs)) if present.csrs else ()
    return "\n".join(
        (
            '<?xml version="1.0"?>',
            '<!DOCTYPE target SYSTEM "gdb-target.dtd">',
            '<target version="1.0">',
            "<architecture>riscv:rv32</architecture>",
            "<osabi>none</osabi>",
            *_feature("org.gnu.gdb.riscv.cpu", _general(rows)),
            *floats,
            *csrs,
            *vectors,
            *tensix,
            "</target>",
            "",
        )
    )


def _feature(name: str, lines: Iterator[str]) -> Iterator[str]:
    yield f'<feature name="{name}">'
    yield from lines
    yield "</feature>"


def _general(rows: _Rows) -> Iterator[str]:
    """x0 to x31 and the pc, with what LLDB needs to unwind. DWARF's numbers are those of x0 to
    x31."""
    for number, name in enumerate((*NAMES, "pc")):
        use: dict[str, Any] = {"generic": _GENERIC[name]} if name in _GENERIC else {}
        dwarf = number if number < PC else LLDB_DWARF_PC
        kind = _TYPES.get(name, "int")
        yield rows.row(name, number, kind=kind, **use, ehframe_regnum=dwarf, dwarf_regnum=dwarf)


def _floats(rows: _Rows) -> Iterator[str]:
    for i, name in enumerate(FLOAT_NAMES):
        yield rows.row(
            *(name, F0 + i),
            kind="ieee_single",
            own=' group="float"',
            encoding="ieee754",
            format="float",
            ehframe_regnum=32 + i,
            dwarf_regnum=32 + i,
        )


def _csrs(rows: _Rows, numbers: Collection[int]) -> Iterator[str]:
    for number, name in CSRS:
        if number not in numbers:
            continue
        yield rows.row(name, FIRST_CSR + number, own=' group="csr"')


def _vectors(rows: _Rows) -> Iterator[str]:
    """LLDB takes encoding and format from here, GDB the type."""
    yield from _VECTOR_TYPE
    for i in range(32):
        yield rows.row(
            *(f"v{i}", FIRST_VECTOR + i),
            bits=128,
            kind="riscv_vector",
            own=' group="vector"',
            encoding="vector",
            format="vector-uint8",
            dwarf_regnum=96 + i,
        )


def _tensix(rows: _Rows) -> Iterator[str]:
    """Yield the registers of a Tensix thread."""
    yield from _LANES_TYPE
    counts = {register.words for register in REGISTERS if not register.lanes}
    counts |= {f.count for register in REGISTERS for f in register.fields if f.count > 1}
    for count in sorted(counts):
        yield f'<vector id="w{count}" type="uint32" count="{count}"/>'
    for number, register in enumerate(REGISTERS, FIRST_TENSIX_REGISTER):
        kind = "lane_values" if register.lanes else f"w{register.words}"
        if len(register.fields) > 1:
            yield from _union(register)
            kind = f"{register.name}_t"  # types of one name are one type to GDB
        # LLDB takes the encoding for that of bytes unless it is told.
        yield rows.row(
            *(register.name, number),
            bits=32 * register.words,
            kind=kind,
            own=' group="tensix" save-restore="no"',
            encoding="vector",
            format="vector-uint32",
        )


def _union(register: Register) -> Iterator[str]:
    """Yield a register by its fields, and as words."""
    name = register.name
    yield f'<struct id="{name}_fields">'
    for field in register.fields:
        inner = "uint32" if field.count == 1 else f"w{field.count}"
        yield f'<field name="{field.name}" type="{inner}"/>'
    yield "</struct>"
    yield f'<union id="{name}_t">'
    yield f'<field name="is" type="{name}_fields"/>'
    yield f'<field name="words" type="w{register.words}"/>'
    yield "</union>"
