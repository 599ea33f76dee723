# SPDX-License-Identifier: Apache-2.0
"""The instructions of a translation: what can be reached from where a hart was seen.

    blocks_from(starts, decoded_at) ─► Blocks: instructions by address, and where to enter

From `starts` on, the code is followed both ways at branches, into calls and past them. A word that
is not translated (a CSR, a push, an ebreak: whatever `clock.burst` leaves to the general case) ends
a block; the code continues after it. A hart enters at *heads*: the targets of jumps back and of
calls, what comes after calls, and what comes after something that is not translated. What a jump
register jumps to is looked up among them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE, head, leave
from tensix_gdb.core.riscv.table import FORMS

MOST = 600  # instructions of one translation
NOTHING_AFTER = (Form.ILLEGAL, Form.EBREAK, Form.MRET)
LONGEST = 64  # instructions of a block: a run that ends in it is interpreted from its beginning


@dataclass(frozen=True, slots=True)
class Blocks:
    """The code of a translation."""

    code: dict[int, int]  # packed words (core/riscv/decode.py) by address, in order of addresses
    leaders: frozenset[int]  # where blocks begin
    heads: tuple[int, ...]  # those of them where a hart may enter

    def block(self, leader: int) -> list[tuple[int, int]]:
        """Return the instructions of the block that begins at `leader`."""
        pc, found = leader, []
        while pc in self.code and (pc == leader or pc not in self.leaders):
            found.append((pc, self.code[pc]))
            if ends_block(self.code[pc]):
                break
            pc += 4
        return found


def is_translated(d: int) -> bool:
    """True if a burst executes this instruction."""
    return EXECUTE_ALONE[d & 0xFF] not in (leave, head)


def ends_block(d: int) -> bool:
    """True if something else than the next instruction may follow."""
    return FORMS[d & 0xFF] in (Form.BRANCH, Form.JAL, Form.JALR)


def blocks_from(starts: tuple[int, ...], decoded_at: Callable[[int], int | None]) -> Blocks:
    """Follow the code from `starts`. `decoded_at` is the packed word of the instruction at an
    address, None where it must not be translated."""
    code: dict[int, int] = {}
    leaders, heads, targets = set(starts), set[int](), set[int]()
    left = deque(starts)
    looked: set[int] = set()  # at what is not translated
    while left and len(code) < MOST:
        pc = left.popleft()
        while pc not in code and len(code) < MOST and 0 <= pc < L1_BYTES:
            d = decoded_at(pc)
            if d is None:
                break
            if not is_translated(d):
                if FORMS[d & 0xFF] in NOTHING_AFTER or pc in looked or len(looked) > MOST:
                    break
                looked.add(pc)
                leaders.add(pc + 4)
                heads.add(pc + 4)
                left.append(pc + 4)
                break
            code[pc] = d
            form, target = FORMS[d & 0xFF], (pc + (d >> 32)) & MASK32
            links = d >> 8 & 63
            if form is Form.BRANCH or form is Form.JAL:
                targets.add(target)
                left.append(target)
                if target <= pc or (form is Form.JAL and links):
                    heads.add(target)
            if form is Form.BRANCH:
                leaders.add(pc + 4)
            if form is Form.JAL or form is Form.JALR:
                if links:
                    leaders.add(pc + 4)
                    heads.add(pc + 4)
                    left.append(pc + 4)
                break
            pc += 4
    ordered = dict(sorted(code.items()))
    leaders = (leaders | targets) & set(ordered)
    # Where the hart was seen is no place of its own in the middle of a block.
    leaders -= {pc for pc in starts if pc - 4 in code and not ends_block(code[pc - 4])} - targets
    _cut(ordered, leaders)
    return Blocks(ordered, frozenset(leaders), tuple(sorted(heads & set(ordered))))


def _cut(code: dict[int, int], leaders: set[int]) -> None:
    """Begin another block where one would be too long."""
    length = 0
    for pc in code:
        length = 1 if pc in leaders or pc - 4 not in code else length + 1
        if length > LONGEST:
            leaders.add(pc)
            length = 1
