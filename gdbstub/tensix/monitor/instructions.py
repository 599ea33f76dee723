# SPDX-License-Identifier: Apache-2.0
"""`monitor explain` and `monitor disasm`: instructions in the memory of a hart."""

from __future__ import annotations

import struct

from tensix_gdb.core.assembly import rv32
from tensix_gdb.core.assembly.listing import symbolizer
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.decode import decode, op_of
from tensix_gdb.core.riscv.table import FIRST, ILLEGAL, ROWS, Form
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, pc_of, tensix_of
from tensix_gdb.gdbstub.tensix.monitor.ttsync import of_access, of_thread, would_order

LINES = 8  # of `monitor disasm`, unless it says how many
MAX_LINES = 4096


def monitor_explain(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the instruction that is typed, or the one at the pc."""
    # Imported here: what is known of every instruction, also of other machines.
    from tensix_gdb.core.explain.instruction.any_machine import (
        MACHINES,
        ExplainError,
        explain,
        explain_forms,
        show_forms,
    )

    arch = ""
    if words and words[0] in MACHINES:
        arch, *words = words
    try:
        if words:
            return show_forms(explain_forms(" ".join(words), arch))
        hart, number = hart_of(thread), tensix_of(thread)
        instruction = None if number is None else at_gate(machine, number)
        if instruction is not None:
            return explain(instruction.text, arch).show() + _ttsync_at_gate(machine, number or 0)
        word = _peek(machine, hart, pc_of(machine, thread), 1)[0]
        return explain(str(word), "riscv").show() + _ttsync_of_access(machine, hart, word)
    except ExplainError as problem:
        raise TargetError(str(problem)) from None


def _ttsync_at_gate(machine: Machine, thread: int) -> str:
    """Return what Auto TTSync does for the instruction at the gate, or would do."""
    said = of_thread(machine, thread, "accesses by its T core that use the same")
    return "".join(f"\n{line}.\n" for line in (said, *would_order(machine, thread)))


def _ttsync_of_access(machine: Machine, hart: int, word: int) -> str:
    """Return the same of a load or store to GPRs, configuration or TDMA-RISC."""
    row = ROWS[op_of(word) - FIRST] if op_of(word) != ILLEGAL else None
    if row is None or row.form not in (Form.LOAD, Form.STORE):
        return ""
    decoded = decode(word)
    addr = (machine.read_x(hart, decoded >> 16 & 31) + (decoded >> 32)) & 0xFFFFFFFF
    said = of_access(machine, hart, addr)
    return f"\n{said}.\n" if said else ""


def monitor_disasm(machine: Machine, thread: int, words: list[str]) -> str:
    """Return instructions in the memory of the thread's hart, from the pc or an address on."""
    hart = hart_of(thread)
    pc = pc_of(machine, thread)
    addr = _address(machine, hart, words[0]) if words else pc & ~3
    count = number_of(words[1]) if len(words) > 1 else LINES
    if len(words) > 2 or count is None or not 0 < count <= MAX_LINES:
        raise TargetError(
            f"type `monitor disasm ADDR N` with an N of 1 to {MAX_LINES}; both may be missing"
        )
    image = machine.places.image(hart, addr)
    symbols = symbolizer(image) if image else None
    out = []
    for index, word in enumerate(_peek(machine, hart, addr, count)):
        at = addr + 4 * index
        name = symbols(at).strip() if symbols else ""
        text = rv32.show(word, at, symbols=symbols) if symbols else rv32.show(word, at)
        mark = "=>" if at == pc else "  "
        out.append(f"{mark} {at:#010x} {name}:\t{word:08x}\t{text}\n".replace(" :", ":"))
    return "".join(out)


def _address(machine: Machine, hart: int, text: str) -> int:
    addr = machine.read_pc(hart) if text in ("pc", "$pc") else number_of(text)
    if addr is None:
        own = [image for image in machine.images if image.hart == hart]
        known = (image.symbol(text) for image in (*own, *machine.images))
        addr = next((candidate for candidate in known if candidate is not None), None)
    if addr is None or not 0 <= addr < 1 << 32:
        raise TargetError(f"{text!r} is no address and no symbol of what is loaded")
    return addr & ~3


def _peek(machine: Machine, hart: int, addr: int, count: int) -> tuple[int, ...]:
    try:
        data = machine.peek(hart, addr, 4 * count)
    except MemoryFault as problem:
        raise TargetError(str(problem)) from None
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3])
