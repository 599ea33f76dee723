# SPDX-License-Identifier: Apache-2.0
"""The state by which outcomes are told apart: `--state`.

0x21000+4096    so many bytes of L1 from there on
T0.a0           a register of a hart
gpr, dst, l1    a part of the record
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, B
from tensix_gdb.core.assembly.rv32_read import REGISTERS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.gdbstub.usage import UsageError

SHORT = 8  # bytes that are shown as they are


def check(text: str, machine: Machine) -> None:
    """UsageError with a sentence if the text names no state."""
    _bytes(text, machine)


def state_now(chosen: Sequence[str], machine: Machine) -> str:
    """Return the chosen state, hashed; what is short is shown as it is."""
    said = []
    for text in chosen:
        data = _bytes(text, machine)
        value = (
            f"{int.from_bytes(data, 'little'):#x}"
            if len(data) <= SHORT
            else hashlib.blake2b(data, digest_size=6).hexdigest()
        )
        said.append(f"{text}={value}")
    return " ".join(said)


def _bytes(text: str, machine: Machine) -> bytes:
    addr, plus, length = text.partition("+")
    if plus:
        try:
            first, size = int(addr, 0), int(length, 0)
        except ValueError:
            raise _wrong(text) from None
        if not 0 <= first < first + size <= L1_BYTES:
            raise UsageError(f"--state {text}: L1 ends at {L1_BYTES:#x}")
        return machine.peek(B, first, size)
    hart, dot, register = text.partition(".")
    if dot:
        if hart.upper() not in HART_NAMES or register not in REGISTERS:
            raise _wrong(text)
        value = machine.read_x(HART_NAMES.index(hart.upper()), REGISTERS[register])
        return value.to_bytes(4, "little")
    stored = machine.record.layout.storage(Tag.ARCHITECTURAL)
    rows = [slot for slot in stored if slot.path.startswith(f"{text}.")]
    if not rows:
        raise _wrong(text)
    return b"".join(bytes(machine.record.row(slot)) for slot in rows)


def _wrong(text: str) -> UsageError:
    return UsageError(
        f"--state {text}: type bytes of L1 as in 0x21000+4096, a register as in T0.a0, or a part "
        "of the record such as gpr or dst"
    )
