# SPDX-License-Identifier: Apache-2.0
"""Check that functions keep to the Python subset of the machine's semantics.

`check` looks at the form alone and names everything that is not part of the subset, each with one
sentence on what to write instead. What needs meaning (is this name a constant? does the record
have this row?) is found while lowering and reported in the same way. README.md has the subset as
a table.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tensix_gdb.core.engine.entry import Problem, SubsetError, is_constant_name, problem_at

STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Break, ast.Continue,
    ast.Return, ast.Pass, ast.Expr, ast.Match,
)  # fmt: skip
EXPRESSIONS = (
    ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.BinOp, ast.UnaryOp,
    ast.BoolOp, ast.Compare, ast.IfExp, ast.Call,
)  # fmt: skip

LOOPS = ("range", "lanes")  # lanes: core/engine/lanes.py

_HIDDEN_STATE = "all state lives in the record: declare a row in the part's `Part(...)`"
_STATUS = "return a negative status and test it"

# What to say about everything else.
ADVICE: dict[type[ast.AST], str] = {
    ast.Try: f"exceptions are not part of the subset; {_STATUS}",
    ast.TryStar: f"exceptions are not part of the subset; {_STATUS}",
    ast.Raise: f"exceptions are not part of the subset; {_STATUS}",
    ast.Assert: f"assert is not part of the subset; {_STATUS}, or assert at module level",
    ast.With: "with is not part of the subset; semantics hold no resources",
    ast.Global: f"global is not part of the subset; {_HIDDEN_STATE}",
    ast.Nonlocal: f"nonlocal is not part of the subset; {_HIDDEN_STATE}",
    ast.Delete: "del is not part of the subset; assign another value",
    ast.Import: "import inside a function is not part of the subset; import at module level",
    ast.ImportFrom: "import inside a function is not part of the subset; import at module level",
    ast.FunctionDef: "nested functions are not part of the subset; define it at module level",
    ast.AsyncFunctionDef: "async functions are not part of the subset; write a plain function",
    ast.ClassDef: f"classes inside functions are not part of the subset; {_HIDDEN_STATE}",
    ast.AsyncFor: "async is not part of the subset; write a plain loop",
    ast.AsyncWith: "async is not part of the subset; semantics hold no resources",
    ast.Lambda: "lambda is not part of the subset; define a function at module level",
    ast.NamedExpr: "`:=` is not part of the subset; assign in a statement of its own",
    ast.List: f"lists are not part of the subset; {_HIDDEN_STATE}",
    ast.Dict: "dicts are not part of the subset; use match, or a module-level tuple",
    ast.Set: "sets are not part of the subset; use `x in (1, 2)` or match",
    ast.ListComp: "comprehensions are not part of the subset; write a for loop over range",
    ast.SetComp: "comprehensions are not part of the subset; write a for loop over range",
    ast.DictComp: "comprehensions are not part of the subset; write a for loop over range",
    ast.GeneratorExp: "generators are not part of the subset; write a for loop over range",
    ast.Yield: "generators are not part of the subset; keep the place in a row of the record",
    ast.YieldFrom: "generators are not part of the subset; keep the place in a row of the record",
    ast.Await: "await is not part of the subset; keep the place in a row of the record",
    ast.JoinedStr: "f-strings are not part of the subset; record numbers, format them outside",
    ast.Starred: "`*` takes only `(f(i) for i in range(N))`; write every argument",
    ast.Slice: "slices are not part of the subset; write a for loop over range",
}

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Div: "`/` makes floats, which are not part of the subset; use //",
    ast.Pow: "`**` is not part of the subset; use << or a named constant",
    ast.MatMult: "`@` is not part of the subset",
    ast.UAdd: "unary + is not part of the subset; leave it out",
}


def check(label: str, node: ast.FunctionDef) -> None:
    """Raise SubsetError for everything in `node` that is not part of the subset.

    Of one statement (without those in it) it is the first thing.
    """
    checker = Checker(label)
    checker.function(node)
    if checker.problems:
        raise SubsetError(*sorted(checker.problems, key=lambda each: (each.line, each.column)))


class Checker:
    """One walk over one function."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.problems: list[Problem] = []

    def refuse(self, node: ast.AST, sentence: str) -> SubsetError:
        return SubsetError(problem_at(self.label, node, sentence))

    def function(self, node: ast.FunctionDef) -> None:
        try:
            self.parameters(node)
        except SubsetError as error:
            self.problems += error.problems
        body = node.body
        if ast.get_docstring(node, clean=False) is not None:
            body = body[1:]
        self.block(body)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Check statements one by one, so that each can have a problem."""
        for statement in statements:
            try:
                self.statement(statement)
            except SubsetError as error:
                self.problems += error.problems

    def parameters(self, node: ast.FunctionDef) -> None:
        args = node.args
        if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs:
            raise self.refuse(node, f"{node.name}: only plain positional parameters are allowed")
        if args.defaults:
            raise self.refuse(node, f"{node.name}: defaults are not allowed; pass every argument")
        names = [arg.arg for arg in args.args]
        if "S" in names[1:]:
            raise self.refuse(node, f"{node.name}: S, the record, must be the first parameter")
        constant = [is_constant_name(name) for name in names]
        if constant != sorted(constant):
            raise self.refuse(node, f"{node.name}: ALL-CAPS parameters must come last")

    def statement(self, node: ast.stmt) -> None:
        if not isinstance(node, STATEMENTS):
            raise self.refuse(node, ADVICE.get(type(node), f"{_words(node)} is not in the subset"))
        match node:
            case ast.Assign(targets=[_, _, *_]):
                raise self.refuse(node, "`a = b = …` is not part of the subset; assign twice")
            case ast.Assign(targets=[target]):
                self.target(target)
            case ast.AnnAssign(target=target, value=value):
                if value is None or not isinstance(target, ast.Name):
                    raise self.refuse(node, "an annotation needs a name and a value here")
                self.target(target)
                self.expression(value)
                return
            case ast.AugAssign(target=target):
                self.target(target)
            case ast.For(orelse=[_, *_]) | ast.While(orelse=[_, *_]):
                raise self.refuse(node, "`else` on a loop is not part of the subset; use a flag")
            case ast.For():
                self.range_loop(node)
                return
            case ast.Expr(value=value) if not isinstance(value, ast.Call):
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    raise self.refuse(node, "strings are not part of the subset; write a comment")
                self.expression(value)
                raise self.refuse(node, "this expression has no effect; only calls stand alone")
            case ast.Match():
                self.match(node)
                return
        try:
            self.children(node)
        finally:
            for name in ("body", "orelse"):
                self.block(getattr(node, name, ()))

    def children(self, node: ast.AST) -> None:
        """Check the expressions of a statement or an expression."""
        for name in node._fields:
            value = getattr(node, name)
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.expr):
                    self.expression(child)
                elif type(child) in _OPERATORS:
                    raise self.refuse(node, _OPERATORS[type(child)])

    def target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Tuple | ast.List | ast.Starred):
            raise self.refuse(node, "unpacking is not part of the subset; assign one by one")
        if isinstance(node, ast.Name):
            if node.id == "S":
                raise self.refuse(node, "S is the record and cannot be assigned")
            if is_constant_name(node.id):
                raise self.refuse(node, f"{node.id} is ALL CAPS, a constant; use a lower-case name")
            if not node.id.isascii():
                raise self.refuse(node, f"{node.id}: names are ASCII")

    def range_loop(self, node: ast.For) -> None:
        call = node.iter
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id in LOOPS
            and isinstance(node.target, ast.Name)
        ):
            raise self.refuse(node, "only `for name in range(…)` is part of the subset")
        if not 1 <= len(call.args) <= 3 or call.keywords:
            raise self.refuse(node, "range takes one to three positional arguments")
        self.target(node.target)
        for argument in call.args:
            self.expression(argument)
        self.block(node.body)

    def repeated(self, node: ast.GeneratorExp) -> None:
        """The last argument `*(f(i) for i in range(N))`, which stands for N arguments."""
        match node.generators:
            case [
                ast.comprehension(
                    target=ast.Name(),
                    iter=ast.Call(func=ast.Name(id="range"), args=[count], keywords=[]),
                    ifs=[],
                    is_async=0,
                )
            ]:
                self.expression(count)
                self.expression(node.elt)
            case _:
                raise self.refuse(node, ADVICE[ast.Starred])

    def match(self, node: ast.Match) -> None:
        self.expression(node.subject)
        for case in node.cases:
            if case.guard is not None:
                raise self.refuse(case.pattern, "`case … if` is not in the subset; nest the if")
            self.pattern(case.pattern)
            self.block(case.body)

    def pattern(self, node: ast.pattern) -> None:
        match node:
            case ast.MatchValue(value=value):
                self.expression(value)
            case ast.MatchOr(patterns=patterns):
                for each in patterns:
                    self.pattern(each)
            case ast.MatchAs(name=None, pattern=None):
                pass
            case ast.MatchAs(name=str(name)):
                raise self.refuse(
                    node, f"`case {name}` would bind a name; write a number or module.{name}"
                )
            case _:
                raise self.refuse(node, "cases are numbers, dotted constants, `|` of them, or `_`")

    def expression(self, node: ast.expr) -> None:
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and _is_number(node)):
            return  # most are one of these
        match node:
            case ast.Constant(value=str() | bytes()):
                raise self.refuse(node, "strings are not part of the subset; use numbers")
            case ast.Constant(value=float() | complex()):
                raise self.refuse(node, "floats are not part of the subset; use integer formats")
            case ast.Constant(value=None):
                raise self.refuse(node, "None is not part of the subset; use a negative number")
            case ast.Constant(value=v) if v is ...:
                raise self.refuse(node, "`...` is not part of the subset; write the function")
            case ast.Call(keywords=[_, *_]):
                raise self.refuse(node, "keyword arguments are not allowed; pass by position")
            case ast.Call(args=[*given, ast.Starred(value=ast.GeneratorExp() as each)]):
                for argument in (node.func, *given):
                    self.expression(argument)
                self.repeated(each)
                return
            case _ if not isinstance(node, EXPRESSIONS):
                raise self.refuse(
                    node, ADVICE.get(type(node), f"{_words(node)} is not in the subset")
                )
        self.children(node)


def _is_number(node: ast.Constant) -> bool:
    return isinstance(node.value, int)


def _words(node: ast.AST) -> str:
    return type(node).__name__
