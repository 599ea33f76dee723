# SPDX-License-Identifier: Apache-2.0
"""The documents of `qXfer`: target description, memory map, thread list.

One description serves all threads, so it is their union; a register that a thread lacks is
unavailable there. `osabi none` keeps Debian's GDB from taking the tile for Linux, where it steps by
temporary breakpoints that it puts two bytes behind a `.ttinsn` word.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from core.machine import Machine
from core.memory.map import ROWS
from core.riscv.csrs import CSRS
from gdbstub.tensix.registers import FIRST_CSR, NAMES
from gdbstub.tensix.threads import THREAD_IDS, HartThreads

_TYPES = {"ra": "code_ptr", "sp": "data_ptr", "fp": "data_ptr", "pc": "code_ptr"}


def target_xml() -> str:
    """The target description (GDB manual, Target Descriptions; RISC-V Features)."""

    def reg(name: str, number: int, group: str = "") -> str:
        kind = _TYPES.get(name, "int")
        extra = f' group="{group}"' if group else ""
        return f'<reg name="{name}" bitsize="32" type="{kind}" regnum="{number}"{extra}/>'

    general = [reg(name, number) for number, name in enumerate((*NAMES, "pc"))]
    csrs = [reg(name, FIRST_CSR + number, "csr") for number, name in CSRS]
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
            '<feature name="org.gnu.gdb.riscv.csr">',
            *csrs,
            "</feature>",
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


class Documents:
    """The `Description` capability."""

    def __init__(self, machine: Machine) -> None:
        self._threads = HartThreads(machine)
        self._target = target_xml().encode("ascii")
        self._map = memory_map().encode("ascii")

    def kinds(self) -> Iterable[str]:
        return ("features", "memory-map", "threads")

    def document(self, kind: str, annex: str) -> bytes | None:
        match kind, annex:
            case "features", "target.xml":
                return self._target
            case "memory-map", "":
                return self._map
            case "threads", "":
                return self._thread_list()
        return None

    def _thread_list(self) -> bytes:
        rows = [
            f'<thread id="{thread:x}" name={quoteattr(self._threads.thread_name(thread))}>'
            f"{escape(self._threads.thread_state(thread))}</thread>"
            for thread in THREAD_IDS
        ]
        text = "\n".join(('<?xml version="1.0"?>', "<threads>", *rows, "</threads>", ""))
        return text.encode("utf-8")
