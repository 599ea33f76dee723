# SPDX-License-Identifier: Apache-2.0
"""The function of a translation: blocks of RV32 as LLVM IR that calls the functions of core/riscv.

    entry      load the registers; go to the head that is the pc
    block      leave if the budget is smaller than the block; its instructions; the next block
    dispatch   to the head that is the pc: a jump register, and the entry
    exit       store the registers and the pc; return how many instructions were executed

An instruction is a call of the function that `clock.burst` calls for it, with hart, pc and packed
word as constants. LLVM puts it into the block and folds what is constant. `hart.x` is not in the
record then but in memory of the function (`Kept`), so registers of the hart become registers of
the processor. The answer of the function says what is next, as in a burst: an address, or that
nothing was done and the general case has to look.
"""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import cast

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine.entry import Constant
from tensix_gdb.core.engine.ir import Block, Effect, Function, Linkage, Module, Unit
from tensix_gdb.core.engine.lower import Lowering
from tensix_gdb.core.engine.lowering.ir_builder import LIKELY
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE
from tensix_gdb.core.riscv.table import FORMS
from tensix_gdb.core.translate.blocks import Blocks

SYMBOL = "translation"
REGISTERS = 64
DROPPED = 4 * REGISTERS  # where translated.dropped is in the block of memory
KEPT = {("hart", "x"): 0, ("translated", "dropped"): DROPPED}
KEPT_BYTES = DROPPED + 8


MAY_LEAVE = (Form.LOAD, Form.STORE, Form.AMO)
STORES = (Form.STORE, Form.AMO)


class FunctionText:
    """Writes one function."""

    def __init__(self, layout: Layout, hart: int, blocks: Blocks) -> None:
        self.lowering = Lowering(layout, checked=False, kept=KEPT)
        self._layout, self._hart, self._blocks = layout, hart, blocks
        self._out: list[Block] = []
        self._lines: list[Effect] = []
        self._count = 0
        self._ends: list[tuple[str, int, int]] = []  # label, pc, instructions that are not done
        self._leaves: list[int] = []  # addresses outside that blocks lead to
        self._dropped_tag = self._tag("translated", "dropped")

    def module(self) -> Module:
        """Print it, with all that it calls."""
        self._entry()
        for leader in sorted(self._blocks.leaders):
            self._block(leader)
        self._rest()
        self._exit()
        parameters = ("ptr %S", "i64 %pc", "i64 %budget")
        made = Function(f"@{SYMBOL}", parameters, self._out, Linkage.EXTERNAL)
        functions = [*self.lowering.functions, made]
        return self.lowering.program.module(Unit([], functions, is_cold=False))

    # -- text
    def _label(self, label: str) -> None:
        self._lines = []
        self._out.append(Block(label, self._lines))  # type: ignore[arg-type]

    def _add(self, text: str) -> None:
        self._lines.append(Effect(text))

    def _name(self) -> str:
        self._count += 1
        return f"%n{self._count}"

    def _value(self, text: str) -> str:
        name = self._name()
        self._add(f"{name} = {text}")
        return name

    def _tag(self, part: str, row: str) -> str:
        return f"!tbaa !{self.lowering.program.tag(self._layout.slot(part, row))}"

    # -- blocks
    def _entry(self) -> None:
        self._label("entry")
        self._add(f"%K = alloca [{KEPT_BYTES} x i8], align 16")
        self._add("%left = alloca i64")
        self._add("%at = alloca i64")
        for number in self._registers():
            value = self._value(f"load i32, ptr {self._register(number)}, {self._tag('hart', 'x')}")
            self._add(f"store i32 {value}, ptr {self._kept_value(4 * number)}")
        self._add(f"store i8 0, ptr {self._kept_value(DROPPED)}")
        self._add("store i64 %budget, ptr %left")
        self._add("store i64 %pc, ptr %at")
        self._dispatch("%pc")

    def _block(self, leader: int) -> None:
        instructions = self._blocks.block(leader)
        length = len(instructions)
        self._label(f"b{leader}")
        left = self._value("load i64, ptr %left")
        rest = self._value(f"sub i64 {left}, {length}")
        fits = self._value(f"icmp sge i64 {rest}, 0")
        self._add(f"br i1 {fits}, label %g{leader}, label %s{leader}, {LIKELY}")
        self._out_of_line(f"s{leader}", leader, 0)
        self._label(f"g{leader}")
        self._add(f"store i64 {rest}, ptr %left")
        for done, (pc, d) in enumerate(instructions, 1):
            self._instruction(pc, d, length - done)

    def _instruction(self, pc: int, d: int, after: int) -> None:
        """One instruction; `after` are those after it in its block."""
        npc, form = self._call(pc, d), FORMS[d & 0xFF]
        target = (pc + (d >> 32)) & MASK32
        if form in MAY_LEAVE:
            fine = self._value(f"icmp sge i64 {npc}, 0")
            self._add(f"br i1 {fine}, label %d{pc}, label %u{pc}, {LIKELY}")
            self._out_of_line(f"u{pc}", pc, after + 1)
            self._label(f"d{pc}")
        if form in STORES:
            # It may have written what it is in: nothing more of it is executed then.
            dropped = self._value(f"load i8, ptr {self._kept_value(DROPPED)}, {self._dropped_tag}")
            stays = self._value(f"icmp eq i8 {dropped}, 0")
            self._add(f"br i1 {stays}, label %k{pc}, label %w{pc}, {LIKELY}")
            self._out_of_line(f"w{pc}", pc + 4, after)
            self._label(f"k{pc}")
        if form is Form.BRANCH:
            taken = self._value(f"icmp eq i64 {npc}, {target}")
            self._add(f"br i1 {taken}, label %{self._to(target)}, label %{self._to(pc + 4)}")
        elif form is Form.JAL:
            self._add(f"br label %{self._to(target)}")
        elif form is Form.JALR:
            self._add(f"store i64 {npc}, ptr %at")
            self._dispatch(npc)
        elif after == 0:
            self._add(f"br label %{self._to(pc + 4)}")

    def _call(self, pc: int, d: int) -> str:
        """Return the call of the function of an instruction; what it answers."""
        function, constants = _handler(d)
        instance = self.lowering.part(function, constants)
        values = {"hart": self._hart, "pc": pc, "d": d}
        arguments = [values[name] for name in instance.parameters]
        for needed in instance.preconditions:
            if not 0 <= arguments[needed.argument] < needed.size:
                raise ValueError(f"{instance.name} is not given what it needs")
        given = ", ".join(["ptr %S", "ptr %K", *(f"i64 {each}" for each in arguments)])
        return self._value(f"call i64 {instance.symbol}({given})")

    def _out_of_line(self, label: str, at: int, not_done: int) -> None:
        """The end of a run in the middle of a block."""
        self._ends.append((label, at, not_done))

    def _dispatch(self, at: str) -> None:
        """Go to the head with this address."""
        arms = " ".join(f"i64 {pc}, label %b{pc}" for pc in self._blocks.heads)
        self._add(f"switch i64 {at}, label %exit [ {arms} ]")

    def _to(self, npc: int) -> str:
        """Return the label of what follows a block."""
        if npc in self._blocks.leaders:
            return f"b{npc}"
        if npc not in self._leaves:
            self._leaves.append(npc)
        return f"x{npc}"

    def _rest(self) -> None:
        """The ways out of the function."""
        for label, at, not_done in self._ends:
            self._label(label)
            left = self._value("load i64, ptr %left")
            left = self._value(f"add i64 {left}, {not_done}")
            self._add(f"store i64 {left}, ptr %left")
            self._add(f"store i64 {at}, ptr %at")
            self._add("br label %exit")
        for npc in self._leaves:
            self._label(f"x{npc}")
            self._add(f"store i64 {npc}, ptr %at")
            self._add("br label %exit")

    def _exit(self) -> None:
        self._label("exit")
        for number in self._registers():
            value = self._value(f"load i32, ptr {self._kept_value(4 * number)}")
            self._add(f"store i32 {value}, ptr {self._register(number)}, {self._tag('hart', 'x')}")
        at = self._value("load i64, ptr %at")
        small = self._value(f"trunc i64 {at} to i32")
        slot = self._layout.slot("hart", "pc")
        place = self._value(
            f"getelementptr inbounds i8, ptr %S, i64 {slot.offset + 4 * self._hart}"
        )
        self._add(f"store i32 {small}, ptr {place}, {self._tag('hart', 'pc')}")
        dropped = self._value(f"load i8, ptr {self._kept_value(DROPPED)}, {self._dropped_tag}")
        slot = self._layout.slot("translated", "dropped")
        place = self._value(f"getelementptr inbounds i8, ptr %S, i64 {slot.offset}")
        old = self._value(f"load i8, ptr {place}, {self._dropped_tag}")
        new = self._value(f"or i8 {old}, {dropped}")
        self._add(f"store i8 {new}, ptr {place}, {self._dropped_tag}")
        left = self._value("load i64, ptr %left")
        done = self._value(f"sub i64 %budget, {left}")
        self._add(f"ret i64 {done}")

    # -- registers
    def _registers(self) -> list[int]:
        used = {0}
        for d in self._blocks.code.values():
            used |= {d >> 8 & 63, d >> 16 & 63, d >> 24 & 63}
            if FORMS[d & 0xFF] is Form.ALU_RRR:
                used.add(32 + (d >> 32 & 31))
        return sorted(used)

    def _register(self, number: int) -> str:
        slot = self._layout.slot("hart", "x")
        at = slot.offset + 4 * (self._hart * REGISTERS + number)
        return self._value(f"getelementptr inbounds i8, ptr %S, i64 {at}")

    def _kept_value(self, offset: int) -> str:
        return self._value(f"getelementptr inbounds i8, ptr %K, i64 {offset}")


def _handler(d: int) -> tuple[FunctionType, dict[str, Constant]]:
    """Return the function of an instruction and its constants."""
    handler: object = EXECUTE_ALONE[d & 0xFF]
    constants: dict[str, Constant] = {"CHECKED": 0}
    if isinstance(handler, partial):
        constants |= handler.keywords
        handler = handler.func
    return cast(FunctionType, handler), constants
