# SPDX-License-Identifier: Apache-2.0
"""`WAIT` of Intel's vISA: wait until the threads that this thread depends on have ended.

A thread has eight thread dependency registers, each a valid bit and a thread id, filled when it is
dispatched. The mask of WAIT first clears valid bits; then the threads of those that are left are
waited for.

UNSPECIFIED(WAIT): the page gives the opcode and an 8-bit operand of type UB, and no layout of the
operand in a vISA binary; here the mask is the byte after the opcode.
"""

from __future__ import annotations

import re
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.expression import ExpressionError, evaluate
from tensix_gdb.core.waits.wait import Reason, WaitError

OPCODE = 0x5B
REGISTERS = 8
TYPE = "ub"
_TEXT = re.compile(r"\s*wait\s+(?P<mask>[^:;]+?)\s*(?::\s*(?P<type>\w+))?\s*$", re.I)


@dataclass
class DependencyRegister:
    """TDR: the thread that is depended on, if valid."""

    valid: bool = False
    thread: int = 0


@dataclass
class Threads:
    """The dependency registers of one thread, and which other threads still run."""

    registers: list[DependencyRegister] = field(
        default_factory=lambda: [DependencyRegister() for _ in range(REGISTERS)]
    )
    running: set[int] = field(default_factory=set)

    def depend(self, *threads: int) -> None:
        """Dispatch with dependencies on these threads, which run."""
        for register, thread in zip(self.registers, threads, strict=False):
            register.valid, register.thread = True, thread
            self.running.add(thread)

    def end(self, thread: int) -> None:
        """Let a thread end."""
        self.running.discard(thread)


@dataclass(frozen=True, slots=True)
class ThreadWait:
    """A decoded WAIT with its dependency clear mask."""

    mask: int

    def encode(self) -> int:
        return OPCODE | self.mask << 8

    def show(self) -> str:
        return f"WAIT {self.mask:#04x}:{TYPE}"

    def begin(self, state: Threads) -> None:
        """Clear the valid bits that the mask names."""
        for number, register in enumerate(state.registers):
            if self.mask >> number & 1:
                register.valid = False

    def blocked(self, state: Threads) -> tuple[Reason, ...]:
        return tuple(
            Reason(f"TDR{number}", f"thread {register.thread} has not ended")
            for number, register in enumerate(state.registers)
            if register.valid and register.thread in state.running
        )


def decode(word: int) -> ThreadWait:
    """Return the wait that these two bytes, opcode first, are; WaitError if they are none."""
    if not 0 <= word <= 0xFFFF or word & 0xFF != OPCODE:
        raise WaitError(f"{word:#06x} is no WAIT; its opcode is {OPCODE:#04x}")
    return ThreadWait(word >> 8)


def parse(text: str) -> ThreadWait:
    """Return the wait that `text` is; WaitError if it is none."""
    match = _TEXT.match(text)
    if not match:
        raise WaitError(f"{text.strip()!r} is not WAIT with a mask")
    if match["type"] and match["type"].lower() != TYPE:
        raise WaitError(f"the mask of WAIT has type UB, not {match['type'].upper()}")
    try:
        mask = evaluate(match["mask"], lambda name: None)
    except ExpressionError as error:
        raise WaitError(str(error)) from None
    if not 0 <= mask <= 0xFF:
        raise WaitError(f"the mask of WAIT has eight bits; {mask:#x} is outside 0..0xff")
    return ThreadWait(mask)
