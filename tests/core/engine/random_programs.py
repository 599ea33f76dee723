# SPDX-License-Identifier: Apache-2.0
"""Random programs in the subset, and a reference that notices everything.

`write_program` makes the text of a module: functions that call each other through names, constants,
dispatch tables and partials, over a small record. Loops are bounded by variables that nothing else
assigns, so that every program ends on every engine, also after a defect.

`Instrumented` runs the same text in CPython with every operation wrapped, so that leaving signed
64 bits and negative indexes into tables are errors too, at their line: what it does is exactly what
the checked build has to do.
"""

from __future__ import annotations

import ast
from random import Random
from types import ModuleType
from typing import Any

from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.record.layout import Layout, Part, Tag, alias, row

_A = Tag.ARCHITECTURAL
_WORDS = row("w", "u32", 8, _A, "")
LAYOUT = Layout(
    (
        Part(
            "p",
            (
                row("b", "u8", 16, _A, ""),
                row("h", "u16", (3, 4), _A, ""),
                _WORDS,
                alias("w16", "u16", _WORDS),
                alias("w8", "u8", _WORDS),
                row("s", "u32", (), _A, ""),
            ),
        ),
        Part("r", (row("q", "i64", (2, 4), _A, ""), row("t", "i64", (), Tag.TIMING, ""))),
        ENGINE,
    )
)
# Row, widths of its dimensions, mask of what fits.
ROWS = [
    ("p.b", (16,), 0xFF),
    ("p.h", (3, 4), 0xFFFF),
    ("p.w", (8,), 0xFFFFFFFF),
    ("p.w16", (16,), 0xFFFF),
    ("p.w8", (32,), 0xFF),
    ("p.s", (), 0xFFFFFFFF),
    ("r.q", (2, 4), None),
    ("r.t", (), None),
]
NUMBERS = (
    0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 65, 100, 255, 256, 65535, 65536, 0x7FFFFFFF,
    0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 62), (1 << 63) - 1,
)  # fmt: skip
HEADER = """\
import enum
from functools import partial
class E(enum.IntEnum):
    A = 1
    B = 5
K = 6
ON = 1
OFF = 0
TABLE = (3, 1, 4, 1, 5, 9, 2, 65536)
SIGNED = (-1, 5, -(1 << 40))
"""


class Writer:
    """Writes one program."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.callable: list[tuple[str, int, list[str]]] = []  # name, ints, constants
        self.tables: list[tuple[str, int, int]] = []  # name, ints, length
        self.fresh = 0

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def program(self) -> str:
        for number in range(self.random.randrange(1, 4)):
            self.function(f"f{number}", self.random.randrange(1, 4), self.constants())
            if self.chance(50):
                self.table(number)
        self.function("main", 2, [])
        return HEADER + "\n".join(self.lines) + "\n"

    def constants(self) -> list[str]:
        return self.random.sample(["N", "FLAG"], self.random.randrange(3))

    def table(self, number: int) -> None:
        entries = []
        width = self.random.randrange(1, 4)
        for name, ints, constants in self.callable:
            if ints == width:
                bound = ", ".join(f"{c}={self.random.randrange(4)}" for c in constants)
                entries.append(f"partial({name}, {bound})" if bound else name)
        if entries:
            chosen = [self.random.choice(entries) for _ in range(self.random.randrange(1, 6))]
            self.lines.append(f"D{number} = ({', '.join(chosen)},)")
            self.tables.append((f"D{number}", width, len(chosen)))

    def function(self, name: str, ints: int, constants: list[str]) -> None:
        names = [f"a{i}" for i in range(ints)]
        self.lines.append(f"def {name}(S, {', '.join(names + constants)}):")
        body = Block(self, set(names), constants, 1)
        body.statements(self.random.randrange(2, 7))
        body.line(f"return {body.expression(2)}")
        self.callable.append((name, ints, constants))


class Block:
    """Writes statements at one depth. `known` are variables that certainly have a value."""

    def __init__(
        self, writer: Writer, known: set[str], constants: list[str], depth: int, loops: int = 0
    ) -> None:
        self.writer = writer
        self.random = writer.random
        self.known = known
        self.constants = constants
        self.depth = depth
        self.loops = loops
        self.ended = False

    def line(self, text: str) -> None:
        self.writer.lines.append("    " * self.depth + text)

    def inner(self, *, loop: bool = False) -> Block:
        return Block(
            self.writer, set(self.known), self.constants, self.depth + 1, self.loops + loop
        )

    def nested(self, *, loop: bool = False) -> Block:
        """A block below this one, written now."""
        block = self.inner(loop=loop)
        block.statements(self.random.randrange(1, 4))
        return block

    def statements(self, count: int) -> None:
        before = len(self.writer.lines)
        for _ in range(count):
            if not self.ended:
                self.statement()
        if len(self.writer.lines) == before:
            self.line("pass")

    def statement(self) -> None:
        kinds = ["assign"] * 4 + ["store"] * 4 + ["augment"] * 3 + ["augment_row"] * 2 + ["call"]
        if self.depth < 4:
            kinds += ["if"] * 3 + ["match"] * 2
            if self.loops < 2:
                kinds += ["while", "for", "for"]
        if self.loops and self.depth > 2:
            kinds += ["break", "continue"]
        if self.depth > 1:
            kinds.append("leave")
        getattr(self, f"write_{self.random.choice(kinds)}")()

    # -- statements
    def write_assign(self) -> None:
        name = f"v{self.random.randrange(5)}"
        self.line(f"{name} = {self.expression(3)}")
        self.known.add(name)

    def write_augment(self) -> None:
        name = self.random.choice(sorted(n for n in self.known if n[0] in "av"))
        operator = self.random.choice(["+", "-", "*", "&", "|", "^", ">>", "//", "%"])
        value = self.expression(2)
        if operator in ("//", "%", ">>") and not self.writer.chance(3):
            value = f"({value} & 31) + 1"
        self.line(f"{name} {operator}= {value}")

    def write_store(self) -> None:
        row, mask = self.row(2)
        self.line(f"{row} = {self.fitting(mask)}")

    def write_augment_row(self) -> None:
        row, mask = self.row(2)
        if mask is None:
            self.line(f"{row} {self.random.choice('+-^')}= {self.expression(2)}")
        else:
            operator = self.random.choice(["&", "^", "|", ">>", "+"])
            self.line(f"{row} {operator}= {self.fitting(mask)}")

    def fitting(self, mask: int | None) -> str:
        value = self.expression(3)
        return value if mask is None or self.writer.chance(2) else f"({value}) & {mask}"

    def write_call(self) -> None:
        if self.may_call():
            self.line(self.call(2))

    def may_call(self) -> bool:
        """Not from the inner loop: programs have to end soon."""
        return bool(self.writer.callable) and self.loops < 2

    def write_leave(self) -> None:
        self.line(f"return {self.expression(2)}")
        self.ended = True

    def write_break(self) -> None:
        self.line("break")
        self.ended = True

    def write_continue(self) -> None:
        self.line("continue")
        self.ended = True

    def write_if(self) -> None:
        self.line(f"if {self.condition(2)}:")
        ways = [self.nested()]
        if self.writer.chance(30):
            self.line(f"elif {self.condition(2)}:")
            ways.append(self.nested())
        if self.writer.chance(60):
            self.line("else:")
            ways.append(self.nested())
            self.meet(ways)

    def meet(self, ways: list[Block]) -> None:
        """All ways are written out: what they have in common is known afterwards."""
        open_ways = [way.known for way in ways if not way.ended]
        if open_ways:
            self.known |= set.intersection(*open_ways)
        else:
            self.ended = True

    def write_match(self) -> None:
        self.line(f"match {self.expression(2)}:")
        self.depth += 1
        labels = self.random.sample(
            ["0", "1", "2 | 3", "E.B", "-1", "7 | 8 | 1 << 3 | 9".replace("1 << 3 | ", "")], 3
        )
        ways = []
        for label in labels:
            self.line(f"case {label}:")
            ways.append(self.nested())
        if self.writer.chance(60):
            self.line("case _:")
            ways.append(self.nested())
            self.depth -= 1
            self.meet(ways)
        else:
            self.depth -= 1

    def counter(self) -> str:
        self.writer.fresh += 1
        return f"n{self.writer.fresh}"

    def write_while(self) -> None:
        fuel = self.counter()
        self.line(f"{fuel} = {self.random.randrange(1, 4)}")
        self.line(f"while {fuel} > 0 and ({self.condition(2)}):")
        body = self.inner(loop=True)
        body.line(f"{fuel} -= 1")
        body.statements(self.random.randrange(1, 4))

    def write_for(self) -> None:
        name = f"v{self.random.randrange(5)}"
        step = self.random.choice(["", "", ", 1", ", 2", ", -1", ", -3", ", 7"])
        mask = 3 if self.loops else 7
        start = f"({self.expression(1)}) & {mask}, " if step or self.writer.chance(50) else ""
        self.line(f"for {name} in range({start}({self.expression(1)}) & {mask}{step}):")
        body = self.inner(loop=True)
        body.known.add(name)
        body.statements(self.random.randrange(1, 4))

    # -- expressions
    def expression(self, depth: int) -> str:
        if depth <= 0 or self.writer.chance(20):
            return self.leaf()
        kind = self.random.randrange(100)
        if kind < 45:
            return self.binary(depth)
        if kind < 55:
            return f"({self.random.choice(['-', '~', 'not '])}({self.expression(depth - 1)}))"
        if kind < 62:
            return f"({self.condition(depth - 1, value=True)})"
        if kind < 70:
            parts = [self.expression(depth - 1) for _ in range(2)]
            return f"({parts[0]} if {self.condition(depth - 1)} else {parts[1]})"
        if kind < 78:
            arguments = ", ".join(self.expression(depth - 1) for _ in range(2))
            return f"{self.random.choice(['min', 'max'])}({arguments})"
        if kind < 81:
            function = "abs" if kind < 80 else "int.bit_length"
            return f"{function}({self.expression(depth - 1)})"
        if kind < 88:
            table, length = self.random.choice([("TABLE", 8), ("SIGNED", 3)])
            return f"{table}[{self.index(length, depth - 1)}]"
        if kind < 95 and self.may_call():
            return self.call(depth - 1)
        return self.row(depth - 1)[0]

    def leaf(self) -> str:
        kind = self.random.randrange(10)
        if kind < 5:
            return self.random.choice(sorted(self.known))
        if kind < 8:
            number = str(
                self.random.choice(NUMBERS[:20])
                if self.writer.chance(97)
                else self.random.choice(NUMBERS)
            )
            return f"-{number}" if self.writer.chance(20) else number
        if kind < 9:
            return self.random.choice(["K", "E.B", "ON", *self.constants])
        return self.row(0)[0]

    def binary(self, depth: int) -> str:
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        operator = self.random.choice(
            ["+", "-", "*", "&", "&", "|", "^", "//", "%", ">>", "<<", "+", "-"]
        )
        if operator in ("//", "%") and not self.writer.chance(3):
            right = self.random.choice([f"({right} | 1)", "3", "8", "-7", "1000", "-1"])
        elif operator in (">>", "<<") and not self.writer.chance(3):
            right = self.random.choice([f"({right} & 31)", "4", "63", f"({right} & 127)", "70"])
        if operator == "<<" and not self.writer.chance(20):
            left = f"({left} & 0xFFFF)"
        if operator == "<<" and not right.isdigit():
            right = f"({right} & 255)"  # CPython has to hold the result
        if operator == "*" and not self.writer.chance(10):
            left, right = f"({left} & 0xFFFFFF)", f"({right} & 0xFFFF)"
        if operator in "+-" and self.writer.chance(60):
            left = f"({left} & 0xFFFFFFFFFF)"
        return f"({left} {operator} {right})"

    def condition(self, depth: int, *, value: bool = False) -> str:
        """`value`: every operand of and/or is a condition itself."""
        kind = self.random.randrange(100)
        compare = ["<", "<=", ">", ">=", "==", "!="]
        if kind < 45 or depth <= 0:
            return (
                f"{self.expression(depth - 1)} {self.random.choice(compare)}"
                f" {self.expression(depth - 1)}"
            )
        if kind < 58:
            parts = [self.expression(depth - 1) for _ in range(3)]
            a, b = self.random.choice(compare), self.random.choice(compare)
            return f"{parts[0]} {a} {parts[1]} {b} {parts[2]}"
        if kind < 78:
            parts = [
                f"({self.condition(depth - 1, value=value)})"
                for _ in range(self.random.randrange(2, 4))
            ]
            return f" {self.random.choice(['and', 'or'])} ".join(parts)
        if kind < 85:
            return f"not ({self.condition(depth - 1)})"
        if kind < 92:
            inside = self.random.choice(["in", "not in"])
            return f"{self.expression(depth - 1)} {inside} (1, E.A, K, -2)"
        if value:
            return f"{self.expression(depth - 1)} == 0"
        return self.random.choice(["ON", "OFF", self.expression(depth - 1), *self.constants])

    def index(self, length: int, depth: int) -> str:
        if self.writer.chance(30):
            return str(self.random.randrange(length))
        value = self.expression(depth)
        return value if self.writer.chance(2) else f"({value}) % {length}"

    def row(self, depth: int) -> tuple[str, int | None]:
        path, shape, mask = self.random.choice(ROWS)
        if not shape:
            return f"S.{path}", mask
        return f"S.{path}[{', '.join(self.index(n, depth) for n in shape)}]", mask

    def call(self, depth: int) -> str:
        if self.writer.tables and self.writer.chance(40):
            name, ints, length = self.random.choice(self.writer.tables)
            arguments = [self.expression(depth - 1) for _ in range(ints)]
            return f"{name}[{self.index(length, depth - 1)}](S, {', '.join(arguments)})"
        name, ints, constants = self.random.choice(self.writer.callable)
        arguments = [self.expression(depth - 1) for _ in range(ints)]
        arguments += [self.random.choice(["0", "1", "3", "K", *self.constants]) for _ in constants]
        return f"{name}(S, {', '.join(arguments)})"


def write_program(random: Random) -> str:
    return Writer(random).program()


class _Wrap(ast.NodeTransformer):
    """Wrap what can leave 64 bits, and the indexes of tables. Lines stay as they are."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self.wrapped("fits", node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.operand, ast.Constant):
            return node
        self.generic_visit(node)
        return self.wrapped("fits", node) if isinstance(node.op, ast.USub) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "abs":
            return self.wrapped("fits", node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """To a plain assignment, if that evaluates nothing twice; rows are stored to anyway."""
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            old = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            new = ast.copy_location(ast.BinOp(old, node.op, node.value), node)
            return ast.copy_location(ast.Assign([node.target], self.wrapped("fits", new)), node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name):
            node.slice = self.wrapped("index", node.slice, node)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def wrapped(self, name: str, node: ast.expr, at: ast.AST | None = None) -> ast.expr:
        call = ast.Call(ast.Name(name, ast.Load()), [node], [])
        for new in (call, call.func):
            ast.copy_location(new, at or node)
        return call


class LeavesError(ArithmeticError):
    """A value left signed 64 bits."""


class TooLongError(Exception):
    """The program has used up its steps."""


class Steps:
    """The number of operations of a run."""

    MOST = 100_000

    def __init__(self) -> None:
        self.done = 0

    def fits(self, value: int) -> int:
        self.done += 1
        if self.done > self.MOST:
            raise TooLongError
        return _fits(value)


def _fits(value: int) -> int:
    if not -(1 << 63) <= value < 1 << 63:
        raise LeavesError(f"{value} leaves signed 64 bits")
    return value


def _index(value: int) -> int:
    if value < 0:
        raise IndexError(f"index {value}")
    return value


def instrument(text: str, name: str, steps: Steps) -> dict[str, Any]:
    """The program's globals, every operation watched."""
    tree = _Wrap().visit(ast.parse(text))
    scope: dict[str, Any] = {"__name__": name, "fits": steps.fits, "index": _index}
    exec(compile(tree, f"<{name}>", "exec"), scope)
    return scope


def line_of(problem: BaseException, module: ModuleType) -> int:
    """The line of the program on which an instrumented run ended."""
    traceback, line = problem.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == f"<{module.__name__}>":
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
