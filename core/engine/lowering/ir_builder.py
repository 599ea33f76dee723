# SPDX-License-Identifier: Apache-2.0
"""Builds one function of LLVM IR: blocks, values, cold paths.

Code that cannot be reached is not written: `reachable` says whether the insertion point can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from tensix_gdb.core.engine.ir import Block, Effect, Instruction, VariableStore
from tensix_gdb.core.engine.lowering.facts import Facts, Flag, Knowledge, Value, Word
from tensix_gdb.core.engine.lowering.ranges import BIT, FULL, Range, both, union

LIKELY = "!prof !1"


class Checkpoint(NamedTuple):
    """The size of a function at one moment, to which it can be cut back."""

    blocks: int
    instructions: int  # of the last block
    cold: int
    facts: Facts


class IRBuilder(Knowledge):
    """Blocks of one function. New instructions go to the end of the last block."""

    def __init__(self) -> None:
        super().__init__()
        self.allocations: list[Instruction] = []
        self.blocks: list[Block] = []
        self.cold: list[Block] = []
        self.reachable = True
        self.unlikely = ""  # a label
        self._count = 0
        self._stored: set[str] = set()  # variables
        self._edges: dict[str, list[Facts]] = {}
        self._open("entry")

    def _open(self, label: str) -> None:
        self.at = label
        block = Block(label)
        self.blocks.append(block)
        self._instructions = block.instructions

    def finish(self, read: Collection[str]) -> list[Block]:
        """Return all blocks. A variable that is not in `read` is never loaded: it needs no place,
        and what stores to it goes."""
        self.allocations += [Instruction(f"%v.{name} = alloca i64") for name in sorted(read)]
        blocks = [*self.blocks, *self.cold]
        if not self._stored <= set(read):
            for block in self.blocks:
                block.instructions = [
                    each
                    for each in block.instructions
                    if type(each) is not VariableStore or each.variable in read
                ]
        blocks[0].instructions = [*self.allocations, *blocks[0].instructions]
        return blocks

    # -- instructions
    def effect(self, text: str) -> None:
        """Write an instruction without a result."""
        self._instructions.append(Effect(text))

    def add(self, instruction: Instruction) -> None:
        """Write an instruction that is more than its text."""
        self._instructions.append(instruction)

    def name(self) -> str:
        """Return a new name for a value."""
        self._count += 1
        return f"%t{self._count}"

    def word(self, text: str, known: Range = FULL) -> Word:
        """Write an instruction that makes an i64, which is certainly in the range `known`."""
        self._count += 1
        name = Word(f"%t{self._count}")
        self._instructions.append(Instruction(f"{name} = {text}"))
        if known is not FULL:
            self._ranges[name] = known
        return name

    def flag(self, text: str) -> Flag:
        """Write an instruction that makes an i1."""
        name = Flag(self.name())
        self._instructions.append(Instruction(f"{name} = {text}"))
        return name

    def pointer(self, text: str) -> str:
        """Write an instruction that makes something else: a pointer, a smaller integer, a pair."""
        name = self.name()
        self._instructions.append(Instruction(f"{name} = {text}"))
        return name

    def allocate(self, hint: str) -> str:
        """Make a fresh i64 on the stack; LLVM turns it into registers."""
        self._count += 1
        name = f"%{hint}.{self._count}"
        self.allocations.append(Instruction(f"{name} = alloca i64"))
        return name

    def store_variable(self, name: str, word: str) -> None:
        """Keep the value of a variable of the source on the stack."""
        self._stored.add(name)
        self._instructions.append(VariableStore(f"store i64 {word}, ptr %v.{name}", name))

    def load_variable(self, name: str, known: Range) -> Word:
        """Load a variable of the source; `finish` has to be told."""
        return self.word(f"load i64, ptr %v.{name}", known)

    # -- values
    def as_word(self, value: Value) -> str:
        """Return `value` as the operand of an i64 instruction."""
        if isinstance(value, Flag):
            return self.word(f"zext i1 {value} to i64", BIT)
        return str(int(value)) if isinstance(value, int) else value

    def as_flag(self, value: Value) -> str:
        """Return `value` as a condition."""
        if isinstance(value, int):
            return "true" if value else "false"
        if isinstance(value, Word):
            return self.flag(f"icmp ne i64 {value}, 0")
        return value

    # -- blocks
    def label(self) -> str:
        """Return a new label."""
        self._count += 1
        return f"L{self._count}"

    def add_edge(self, label: str, facts: Facts | None = None) -> None:
        """Note that a jump from here to `label` has been written, and what is known then."""
        self._edges.setdefault(label, []).append(self.facts if facts is None else facts)

    def has_edge(self, label: str) -> bool:
        """True if a jump to `label` has been written."""
        return label in self._edges

    def position_at(self, label: str) -> None:
        """Continue at `label`, to which every jump has been written."""
        self.reachable = label in self._edges
        if self.reachable:
            self._open(label)
            self.facts = self.meet(self._edges[label])

    def position_at_head(self, label: str, changed: Iterable[str]) -> None:
        """Continue at the head of a loop, to which the end of its body jumps as well: what is known
        about the variables `changed` before the loop need not hold there."""
        self.jump(label)
        self.position_at(label)
        self.forget(changed)

    def jump(self, label: str, metadata: str = "") -> None:
        """Jump to `label`."""
        if self.reachable:
            self.add_edge(label)
            self.effect(f"br label %{label}{', ' + metadata if metadata else ''}")
            self.reachable = False

    def branch(
        self,
        condition: str,
        yes: str,
        no: str,
        *,
        if_yes: Facts | None = None,
        if_no: Facts | None = None,
    ) -> None:
        """Jump to `yes` or `no`, where this is known."""
        self.add_edge(yes, if_yes)
        self.add_edge(no, if_no)
        weights = f", {LIKELY}" if no == self.unlikely else ""
        self.effect(f"br i1 {condition}, label %{yes}, label %{no}{weights}")
        self.reachable = False

    def switch(self, index: str, arms: Iterable[tuple[int, str]], default: str) -> None:
        """Jump to the label of the number that `index` is, or to `default`. The caller adds the
        edges."""
        cases = " ".join(f"i64 {number}, label %{label}" for number, label in arms)
        self.effect(f"switch i64 {index}, label %{default} [ {cases} ]")
        self.reachable = False

    def leave(self, result: str) -> None:
        """Return from the function."""
        self.effect(f"ret i64 {result}")
        self.reachable = False

    def add_unreachable(self, label: str) -> None:
        """Write the block of a case that never happens."""
        self.cold.append(Block(label, [Effect("unreachable")]))

    # -- guards
    def guard(self, fine: str, cold: str) -> tuple[str, str]:
        """Continue if `fine`; otherwise run the instruction `cold` out of line first.

        Return the labels that the two ways come from.
        """
        before, on, off = self.at, self.label(), self.label()
        self.effect(f"br i1 {fine}, label %{on}, label %{off}, {LIKELY}")
        self.cold.append(Block(off, [Effect(cold), Effect(f"br label %{on}")]))
        self._open(on)
        return before, off

    def guarded(self, fine: str, cold: str, value: str, known: Range) -> Word:
        """Return `value` if `fine`, otherwise 0 after the instruction `cold`.

        The result is in the range `known`. So are, from here on, the variables that had `value`.
        """
        before, off = self.guard(fine, cold)
        within = both(self.range_of(value), known)
        safe = self.word(f"phi i64 [ {value}, %{before} ], [ 0, %{off} ]", within)
        self.facts = {
            name: safe if fact == value and isinstance(fact, Word) else fact
            for name, fact in self.facts.items()
        }
        return safe

    def guarded_index(self, index: str, size: int, cold: str) -> Word:
        """Return `index` where it is in range(size), otherwise 0 after the instruction `cold`."""
        fine = self.flag(f"icmp ult i64 {index}, {size}")
        return self.guarded(fine, cold, index, (0, size - 1))

    def phi(self, ways: list[tuple[Value, str, Range]]) -> Word:
        """Return a value that depends on the way here: (value, block, range) of each way."""
        known = ways[0][2]
        for _, _, other in ways[1:]:
            known = union(known, other)
        operands = ", ".join(f"[ {value}, %{block} ]" for value, block, _ in ways)
        return self.word(f"phi i64 {operands}", known)

    # -- trying
    def checkpoint(self) -> Checkpoint:
        """Return the insertion point, to come back to."""
        return Checkpoint(len(self.blocks), len(self._instructions), len(self.cold), self.facts)

    def is_pure_since(self, start: Checkpoint) -> bool:
        """True if nothing but results was computed since then, without a branch."""
        return len(self.blocks) == start.blocks and not any(
            isinstance(each, Effect) for each in self._instructions[start.instructions :]
        )

    def rollback(self, start: Checkpoint) -> None:
        """Remove what was written since then. Names are not used again."""
        del self.blocks[start.blocks :], self.cold[start.cold :]
        last = self.blocks[-1]
        del last.instructions[start.instructions :]
        self.at, self._instructions = last.label, last.instructions
        self.facts, self.reachable = start.facts, True
