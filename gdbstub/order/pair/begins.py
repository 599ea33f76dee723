# SPDX-License-Identifier: Apache-2.0
"""The litmus test of a hart's store and an instruction of a unit that the hart pushes later: may
the instruction begin before the store is done?

What a unit does with the word leaves nothing in a register, so two other things are looked at: the
instruction is followed by a SEMPOST, and another T core loads the semaphore, uses it and loads the
word. If the semaphore is 1 the instruction has passed its gate. What is counted are the values of
the word then.

    T0                                          T1
    sw 0x2000, CFG[76]                          lw a0, SEM[7]
    push STALLWAIT block=B6, wait=C10           use a0
    push SETRWC   in the place of ELWADD        lw a1, CFG[76]
    push SEMPOST sem=S7

The gate sees of an instruction what holds it: the bits of block masks. So another one with the same
bits is in its place, which needs no unit to be ready. Those of unpackers, packer and mover have
none; there the bit of the Matrix Unit takes the place of theirs, in the masks too. Other
instructions of units are left out: without them, nothing waits longer for the store.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, WORDS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import DEFAULT_BLOCK_MASK, Block
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.replay_expander import ENTRIES
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.table import by_mnemonic, find
from tensix_gdb.gdbstub.order.pair.cut import CannotCut, Cut, statements_between, word_of

# The stand-in for an instruction, by the bits that hold it.
_SAME_BITS = {int(Block.B6): "SETRWC", int(Block.B8): "SFPNOP", int(Block.B0 | Block.B5): "DMANOP"}
_OTHER_BITS = (int(Block.B0 | Block.B2), int(Block.B0 | Block.B3), int(Block.B0 | Block.B4))
_UNITS = (Unit.FPU, Unit.SFPU, Unit.UNPACKER, Unit.PACKER, Unit.MOVER, Unit.MISC)
_MAKERS = (Unit.MOP, Unit.REPLAY)
MOP_WORDS = range(2, 9)  # of MopCfg: instructions of both templates
_WAITS = ("STALLWAIT", "SEMWAIT", "STREAMWAIT")


@dataclass(frozen=True, slots=True)
class _Step:
    """A statement of the hart, and what a MOP or a REPLAY that it pushes may issue."""

    text: str
    made: tuple[int, ...] = ()

    @property
    def row(self) -> Instruction | None:
        """The instruction that it pushes; None if it pushes none."""
        is_push = self.text.startswith(("push", "ttinsn"))
        return find(word_of(self.text), Arch.BLACKHOLE) if is_push else None


def gate_cuts_of(machine: Machine, report: Report) -> list[Cut]:
    """Return the test of a report. CannotCut with why."""
    earlier, later = report.earlier, report.later
    if earlier.thread is not None or later.thread is None or earlier.hart != later.hart:
        raise CannotCut("only a hart and an instruction that it pushes itself can be cut out")
    if not T0 <= later.hart < T0 + THREADS or later.hart - T0 != later.thread:
        raise CannotCut("only a T core and its own thread can be cut out")
    rows = by_mnemonic(Arch.BLACKHOLE).get(later.instruction, ())
    only = rows[0].opcode if rows else None
    return gate_cuts(machine, later.hart, earlier.pc, later.pc, only)


def gate_cuts(
    machine: Machine, hart: int, earlier: int, later: int, opcode: int | None = None
) -> list[Cut]:
    """Return the tests of a store at one address and a push at another. A MOP or a REPLAY has one
    for each unit that it is for, or, with `opcode`, for this instruction. CannotCut with why."""
    S, thread = machine.S, hart - T0
    steps = []
    for text in statements_between(machine, hart, earlier, later):
        row = _Step(text).row
        made = _made(S, thread, word_of(text)) if row is not None and row.unit in _MAKERS else ()
        steps.append(_Step(text, tuple(made)))
    last = steps[-1]
    words = last.made or (word_of(last.text),)
    rows = [row for word in words if (row := find(word, Arch.BLACKHOLE)) is not None]
    if opcode is not None:
        rows = [row for row in rows if row.opcode == opcode]
    names = {int(row.blocked_by): _standing_for(int(row.blocked_by)) for row in rows}
    found = [_cut(hart, steps, bits, name) for bits, name in names.items() if name]
    if not found:
        raise CannotCut("the later line pushes no instruction of a unit")
    return found


def _cut(hart: int, steps: list[_Step], bits: int, name: str) -> Cut:
    first = steps[0].text
    stored = first.replace(",", " ").split()
    if stored[0] not in ("sw", "sh", "sb"):
        raise CannotCut("the earlier line is no store")
    between = [_statement_text(step, bits) for step in steps[1:-1]]
    semaphore = _unused(steps)
    result = Cut(hart, [first, *filter(None, between), _push(name)])
    result.after = [f"push SEMPOST sem=S{semaphore}"]
    place = _for_others(stored[-1])
    other = T0 + (hart - T0 + 1) % THREADS
    result.observer = other, [f"lw a0, SEM[{semaphore}]", "use a0", f"lw a1, {place}"]
    result.init = [f"semaphore.max[{semaphore}] = 15", f"{place} = {int(stored[1], 0) ^ 0x11:#x}"]
    result.final = [f"{HART_NAMES[other]}:{register}" for register in ("a0", "a1")]
    result.pushed = lambda text: _statement_text(_Step(f"push {text}  # {parse(text):#010x}"), bits)
    return result


def _standing_for(bits: int) -> str:
    """Return the stand-in for an instruction with these bits; empty if there is none."""
    return _SAME_BITS.get(bits) or (_SAME_BITS[int(Block.B6)] if bits in _OTHER_BITS else "")


def _made(S: View, thread: int, word: int) -> Iterator[int]:
    """Yield the words that a MOP or a REPLAY may issue as the tile is now."""
    row = find(word, Arch.BLACKHOLE)
    if row is None:
        return
    if row.mnemonic == "MOP":
        for at in range(MOP_WORDS.start, MOP_WORDS.stop):
            yield from _made(S, thread, int(S.mop_config.word[thread, at]))
    elif row.mnemonic == "REPLAY":
        fields = row.encoding.fields
        for number in range(fields["count"].get(word) or ENTRIES):
            at = (fields["index"].get(word) + number) % ENTRIES
            yield int(S.replay.buffer[thread, at])
    else:
        yield word


def _push(name: str) -> str:
    word = by_mnemonic(Arch.BLACKHOLE)[name][0].encoding.match
    return f"push {show(word)}  # {word:#010x}"


def _statement_text(step: _Step, bits: int) -> str:
    """Return a statement between the two as the test has it; empty if it is left out."""
    row = step.row
    if row is None:
        return step.text
    for word in step.made:
        made = find(word, Arch.BLACKHOLE)
        if made is not None and made.unit not in (*_UNITS, Unit.THCON):
            raise CannotCut(f"between the two is {row.mnemonic}, which makes {made.mnemonic}")
    if row.unit in (*_UNITS, *_MAKERS):
        return ""
    if row.mnemonic not in _WAITS:
        return step.text
    masked = _masked(row, word_of(step.text), bits)
    return f"push {show(masked)}  # {masked:#010x}"


def _masked(row: Instruction, word: int, bits: int) -> int:
    """Return a wait that catches the instruction of the test if it catches that of the program, and
    the SEMPOST after it only then."""
    operand = row.encoding.fields["block_mask"]
    mask = operand.get(word) or int(DEFAULT_BLOCK_MASK)
    catches = mask & bits
    if bits in _OTHER_BITS:
        mask = mask | Block.B6 if catches else mask & ~Block.B6
    if not catches:
        mask &= ~Block.B1
        if not mask:
            raise CannotCut(f"{row.mnemonic} between the two holds nothing but the Sync Unit")
    return word & ~operand.put(int(Block.ALL)) | operand.put(int(mask))


def _unused(steps: list[_Step]) -> int:
    """Return a semaphore of which no statement speaks."""
    used = 0
    for step in steps:
        row = step.row
        if row is not None and "semaphore_mask" in row.encoding.fields:
            used |= row.encoding.fields["semaphore_mask"].get(word_of(step.text))
    free = [number for number in range(SEMAPHORES) if not used >> number & 1]
    if not free:
        raise CannotCut("the instructions between the two use every semaphore")
    return free[-1]


def _for_others(address: str) -> str:
    """Return the same word where another T core finds it."""
    if not address.startswith("0x"):
        return address
    addr = int(address, 0)
    if CONFIG_BASE <= addr < CONFIG_BASE + 8 * WORDS:
        return f"CFG[{(addr - CONFIG_BASE) >> 2}]"
    raise CannotCut("the earlier line stores neither to L1 nor to configuration")
