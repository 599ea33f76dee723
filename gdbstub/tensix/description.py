# SPDX-License-Identifier: Apache-2.0
"""The documents of `qXfer`: target description, memory map, threads, programs, processes.

One description serves all threads, so it is their union; a register that a thread lacks is
unavailable there. `osabi none` keeps Debian's GDB from taking the tile for Linux, where it steps by
temporary breakpoints that it puts two bytes behind a `.ttinsn` word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from core.assembly.rv32 import FLOAT_NAMES
from core.loader import Image
from core.machine import Machine
from core.memory.map import ROWS
from core.riscv.csrs import CSRS
from gdbstub.target import Monitor
from gdbstub.tensix import tensix_registers
from gdbstub.tensix.files import path_of, section_offsets
from gdbstub.tensix.questions import answer
from gdbstub.tensix.registers import (
    F0,
    FIRST_CSR,
    FIRST_TENSIX_REGISTER,
    FIRST_VECTOR,
    NAMES,
    PC,
)

_TYPES = {"ra": "code_ptr", "sp": "data_ptr", "fp": "data_ptr", "pc": "code_ptr"}
# lldbgdbremote.md, `generic`: what a register is used for.
_GENERIC = {"ra": "ra", "sp": "sp", "fp": "fp", "pc": "pc"} | {
    f"a{n}": f"arg{n + 1}" for n in range(8)
}
# RISC-V's DWARF has no pc; LLDB's ABI plugin (RISCV_DWARF_Registers.h) calls it so, and unwinds
# from a function's first instruction by that number.
LLDB_DWARF_PC = 11451
# As LLDB is told that it is a float.
_FLOAT = ' encoding="ieee754" format="float"'
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


def target_xml() -> str:
    """The target description (GDB manual, Target Descriptions; RISC-V Features)."""

    def reg(name: str, number: int, group: str = "", more: str = "") -> str:
        kind = _TYPES.get(name, "ieee_single" if group == "float" else "int")
        extra = f' group="{group}"' if group else ""
        return f'<reg name="{name}" bitsize="32" type="{kind}" regnum="{number}"{extra}{more}/>'

    def general_reg(name: str, number: int) -> str:
        # What LLDB needs to unwind; GDB reads over it. DWARF's numbers are those of x0 to x31.
        more = f' generic="{_GENERIC[name]}"' if name in _GENERIC else ""
        dwarf = number if number < PC else LLDB_DWARF_PC
        more += f' ehframe_regnum="{dwarf}" dwarf_regnum="{dwarf}"'
        return reg(name, number, "", more)

    general = [general_reg(name, number) for number, name in enumerate((*NAMES, "pc"))]
    floats = [
        reg(name, F0 + i, "float", _FLOAT + f' ehframe_regnum="{32 + i}" dwarf_regnum="{32 + i}"')
        for i, name in enumerate(FLOAT_NAMES)
    ]
    csrs = [reg(name, FIRST_CSR + number, "csr") for number, name in CSRS]
    vectors = [
        # LLDB takes encoding and format from here, GDB the type.
        f'<reg name="v{i}" bitsize="128" type="riscv_vector" regnum="{FIRST_VECTOR + i}"'
        f' group="vector" encoding="vector" format="vector-uint8" dwarf_regnum="{96 + i}"/>'
        for i in range(32)
    ]
    return "\n".join(
        (
            '<?xml version="1.0"?>',
            '<!DOCTYPE target SYSTEM "gdb-target.dtd">',
            '<target version="1.0">',
            "<architecture>riscv:rv32</architecture>",
            "<osabi>none</osabi>",
            '<feature name="org.gnu.gdb.riscv.cpu">',
            *general,
            "</feature>",
            '<feature name="org.gnu.gdb.riscv.fpu">',
            *floats,
            "</feature>",
            '<feature name="org.gnu.gdb.riscv.csr">',
            *csrs,
            "</feature>",
            '<feature name="org.gnu.gdb.riscv.vector">',
            *_VECTOR_TYPE,
            *vectors,
            "</feature>",
            *tensix_registers.description(FIRST_TENSIX_REGISTER),
            "</target>",
            "",
        )
    )


def _regions() -> list[tuple[int, int]]:
    """What any hart can reach, as (start, length), adjacent rows joined."""
    joined: list[tuple[int, int]] = []
    for row in sorted(ROWS, key=lambda row: row.start):
        if joined and sum(joined[-1]) == row.start:
            joined[-1] = joined[-1][0], row.end - joined[-1][0]
        else:
            joined.append((row.start, row.end - row.start))
    return joined


def memory_map() -> str:
    """The memory map (GDB manual, Memory Map Format): what a hart can reach.

    All of it is `ram`, devices too: GDB does not cache `ram`. What the map leaves out GDB refuses
    to read at all, which is right for a wild pointer.
    """
    regions = [
        f'<memory type="ram" start="{start:#x}" length="{length:#x}"/>'
        for start, length in _regions()
    ]
    head = '<?xml version="1.0"?>\n<!DOCTYPE memory-map PUBLIC "+//IDN gnu.org//DTD GDB Memory Map'
    return f'{head} V1.0//EN" "http://sourceware.org/gdb/gdb-memory-map.dtd">\n' + "\n".join(
        ("<memory-map>", *regions, "</memory-map>", "")
    )


def library(image: Image) -> str:
    """An ELF as a library, with how far from the addresses in the file it was loaded."""
    # One row for each section that takes memory; GDB (solib-target.c) adds the number to the
    # address in the file. Rows for segments would move variables that are loaded elsewhere than
    # they live.
    sections = "".join(
        f'<section address="{offset % (1 << 64):#x}"/>' for offset in section_offsets(image)
    )
    return f'<library name="{escape(path_of(image))}">{sections}</library>'


def osdata(annex: str) -> bytes | None:
    """The tables of `info os`: one process, the tile."""
    rows: list[dict[str, str]]
    match annex:
        case "" | "types":
            rows = [{"Type": "processes", "Description": "The tile", "Title": "Processes"}]
        case "processes":
            rows = [{"pid": "1", "user": "-", "command": "Blackhole Tensix tile", "cores": "5"}]
        case _:
            return None
    return osdata_text(annex or "types", rows)


def osdata_text(kind: str, rows: Sequence[Mapping[str, str]]) -> bytes:
    """A table of `info os`."""
    items = [
        "".join(
            f'<column name="{escape(name)}">{escape(text, quote=False)}</column>'
            for name, text in r.items()
        )
        for r in rows
    ]
    text = "".join(f"<item>{item}</item>" for item in items)
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE osdata SYSTEM "osdata.dtd">\n'
        f'<osdata type="{kind}">{text}</osdata>\n'
    ).encode("utf-8", "surrogateescape")


class Documents:
    """The `Description` capability; with a `hart`, of that one and its programs alone."""

    def __init__(
        self, machine: Machine, hart: int | None = None, monitor: Monitor | None = None
    ) -> None:
        self._machine = machine
        self._monitor = monitor
        self._hart = hart
        self._target = target_xml().encode("ascii")
        self._map = memory_map().encode("ascii")

    def kinds(self) -> Iterable[str]:
        kinds = ("features", "memory-map", "threads", "exec-file", "libraries", "osdata")
        return kinds if self._monitor is None else (*kinds, "tensix")

    def document(self, kind: str, annex: str, *, running_for: str) -> bytes | None:
        match kind, annex:
            case "features", "target.xml":
                return self._target
            case "memory-map", "":
                return self._map
            case "exec-file", "" | "1":
                return self._program()
            case "libraries", "":
                return self._libraries()
            case "osdata", _:
                return osdata(annex)
            case "tensix", _ if self._monitor is not None:
                return answer(self._machine, self._monitor, annex, running=bool(running_for))
        return None

    def _images(self) -> list[Image]:
        images = self._machine.images
        return [image for image in images if self._hart in (None, image.hart)]

    def _program(self) -> bytes | None:
        """The first ELF. GDB reads it from the server when it was started without a file."""
        images = self._images()
        return path_of(images[0]).encode("utf-8", "surrogateescape") if images else None

    def _libraries(self) -> bytes:
        """The ELFs, each where it was linked for. All of them: which one the client was started
        with is not known, and what GDB finds twice at an address it shows once. Of a single one
        there is no doubt."""
        images = self._images()
        rows = [library(image) for image in images] if len(images) > 1 else []
        return "\n".join(("<library-list>", *rows, "</library-list>", "")).encode("utf-8")
