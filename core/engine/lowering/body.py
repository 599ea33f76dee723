# SPDX-License-Identifier: Apache-2.0
"""The LLVM IR text of one function while it grows: blocks, values, cold paths.

A value is a Python int (known now), a `Word` (an i64) or a `Flag` (an i1). Code that is not
reachable is not written: `alive` says whether the current place can be reached.
"""

from __future__ import annotations

LIKELY = "!prof !1"
SIGNED_64 = range(-(1 << 63), 1 << 63)


class Word(str):
    """The name of an i64."""

    __slots__ = ()


class Flag(str):
    """The name of an i1."""

    __slots__ = ()


Value = int | Word | Flag


class Body:
    """Blocks of one function."""

    def __init__(self) -> None:
        self.variables: list[str] = []
        self.lines: list[str] = []
        self.cold: list[str] = []
        self.count = 0
        self.at = "entry"
        self.alive = True
        self.reached: set[str] = set()

    def text(self) -> str:
        return "\n".join([*self.variables, *self.lines, *self.cold])

    # -- instructions
    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def name(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    def word(self, text: str) -> Word:
        """Write an instruction that makes an i64."""
        name = Word(self.name())
        self.line(f"{name} = {text}")
        return name

    def flag(self, text: str) -> Flag:
        """Write an instruction that makes an i1."""
        name = Flag(self.name())
        self.line(f"{name} = {text}")
        return name

    def pointer(self, text: str) -> str:
        """Write an instruction that makes a pointer."""
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def variable(self, hint: str) -> str:
        """A fresh i64 on the stack; LLVM turns it into registers."""
        self.count += 1
        name = f"%{hint}.{self.count}"
        self.variables.append(f"  {name} = alloca i64")
        return name

    # -- values
    def as_word(self, value: Value) -> str:
        """`value` as the operand of an i64 instruction."""
        if isinstance(value, Flag):
            return self.word(f"zext i1 {value} to i64")
        return str(int(value)) if isinstance(value, int) else value

    def as_flag(self, value: Value) -> str:
        """`value` as a condition."""
        if isinstance(value, int):
            return "true" if value else "false"
        if isinstance(value, Word):
            return self.flag(f"icmp ne i64 {value}, 0")
        return value

    # -- blocks
    def label(self) -> str:
        self.count += 1
        return f"L{self.count}"

    def place(self, label: str) -> None:
        """Go on at `label`, to which every jump has been written."""
        self.alive = label in self.reached
        if self.alive:
            self.lines.append(f"{label}:")
            self.at = label

    def place_head(self, label: str) -> None:
        """Go on at `label`, which is also jumped to from below (the head of a loop)."""
        self.jump(label)
        self.place(label)

    def jump(self, label: str, note: str = "") -> None:
        if self.alive:
            self.reached.add(label)
            self.line(f"br label %{label}{', ' + note if note else ''}")
            self.alive = False

    def branch(self, condition: str, yes: str, no: str, note: str = "") -> None:
        self.reached.update((yes, no))
        self.line(f"br i1 {condition}, label %{yes}, label %{no}{', ' + note if note else ''}")
        self.alive = False

    def guard(self, fine: str, cold: str, *, replace: tuple[str, str] | None = None) -> str:
        """Go on if `fine`; otherwise run the instruction `cold`, out of line, and then go on.

        `replace` = (value, other): the result is `value`, or `other` after the cold path.
        """
        before, on, off = self.at, self.label(), self.label()
        self.branch(fine, on, off, LIKELY)
        self.cold += [f"{off}:", f"  {cold}", f"  br label %{on}"]
        self.place(on)
        if replace is None:
            return ""
        return self.word(f"phi i64 [ {replace[0]}, %{before} ], [ {replace[1]}, %{off} ]")
