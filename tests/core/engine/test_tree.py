# SPDX-License-Identifier: Apache-2.0
"""Every statement of Python's grammar is lowered or refused, also one that subset.py lets through.

A statement that stores and that the lowering does not know would keep facts about the variable that
are no longer true: silently wrong machine code.
"""

from __future__ import annotations

import ast
import textwrap

import pytest

from tensix_gdb.core.engine import Entry, SubsetError, open_engine, subset
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.lowering import tree
from tensix_gdb.core.engine.lowering.facts import Value
from tensix_gdb.core.engine.lowering.statements import Statements
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.core.engine.conftest import WriteModule

# An example of each class of statement, as the body of `def f(S, a, b):`.
STATEMENTS: dict[str, str] = {
    "FunctionDef":      "def x(): pass",
    "AsyncFunctionDef": "async def x(): pass",
    "ClassDef":         "class x: pass",
    "Return":           "return a",
    "Delete":           "del a",
    "Assign":           "x = a",
    "AugAssign":        "a += 1",
    "AnnAssign":        "x: int = a",
    "For":              "for x in range(a):\n    y = x",
    "AsyncFor":         "async for x in a: pass",
    "While":            "while a > b:\n    x = 1\n    b = a",
    "If":               "if a:\n    x = 1\nelse:\n    y = 2",
    "With":             "with a as x: pass",
    "AsyncWith":        "async with a as x: pass",
    "Match":            "match a:\n    case 1:\n        x = 1\n    case _:\n        y = 2",
    "Raise":            "raise a",
    "Try":              "try:\n    x = 1\nexcept b: pass",
    "TryStar":          "try:\n    x = 1\nexcept* b: pass",
    "Assert":           "assert a",
    "Import":           "import x",
    "ImportFrom":       "from b import x",
    "Global":           "global x",
    "Nonlocal":         "nonlocal x",
    "Expr":             "min(a, b)",
    "Pass":             "pass",
    "Break":            "while a:\n    break",
    "Continue":         "for x in range(3):\n    continue",
    "TypeAlias":        "type x = a",
}  # fmt: skip
# Other forms of those that the subset has.
FORMS = (
    "x = y = a", "x, y = a", "[x] = a", "(x, *y) = a", "for x, y in a: pass",
    "for x in range(a): pass\nelse:\n    y = 1", "while a: pass\nelse:\n    y = 1",
)  # fmt: skip
ALLOWED = {
    "Return", "Assign", "AugAssign", "AnnAssign", "For", "While", "If", "Match", "Expr", "Pass",
    "Break", "Continue",
}  # fmt: skip
GRAMMAR = {each.__name__ for each in ast.stmt.__subclasses__()}


def parsed(body: str) -> ast.stmt:
    """The first statement of `body`, which may need an async function or an inner one."""
    text = f"async def f(S, a, b):\n{textwrap.indent(body, '    ')}"
    outer = ast.parse(text).body[0]
    assert isinstance(outer, ast.AsyncFunctionDef)
    return outer.body[0]


def test_every_statement_of_the_grammar_has_an_example() -> None:
    assert set(STATEMENTS) >= GRAMMAR
    for name in GRAMMAR:
        assert name in {type(node).__name__ for node in ast.walk(parsed(STATEMENTS[name]))}


@pytest.mark.parametrize("name", sorted(GRAMMAR))
def test_what_a_statement_stores_is_known_or_it_is_refused(
    name: str, write_module: WriteModule
) -> None:
    statement = parsed(STATEMENTS[name])
    if name not in ALLOWED:
        with pytest.raises(tree.UnknownNodeError, match=f"{name} is not known to the lowering"):
            tree.stored_in(statement)
        return
    module = write_module("form", f"def f(S, a, b):\n{textwrap.indent(STATEMENTS[name], '    ')}\n")
    lower([Entry("f", module.f)], small.LAYOUT)
    locals_of_python = set(module.f.__code__.co_varnames) - {"S", "a", "b"}
    assert tree.stored_in(statement) - {"a", "b"} == locals_of_python


@pytest.mark.parametrize("body", FORMS)
def test_no_other_form_of_a_statement_is_known(body: str) -> None:
    with pytest.raises(tree.UnknownNodeError):
        tree.stored_in(parsed(body))


PLANTED = sorted(GRAMMAR - ALLOWED - {"AsyncFor", "AsyncWith", "Global", "Nonlocal"})


@pytest.mark.parametrize("name", PLANTED)
def test_a_statement_that_only_the_subset_knows_is_refused(
    name: str, write_module: WriteModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer who allows a statement and forgets the lowering gets an error."""
    monkeypatch.setattr(subset, "STATEMENTS", (*subset.STATEMENTS, getattr(ast, name)))
    monkeypatch.setattr(subset.Checker, "children", lambda self, node: None)
    text = (
        f"def f(S, a, b):\n    x = 0\n{textwrap.indent(STATEMENTS[name], '    ')}\n    return x\n"
    )
    with pytest.raises(SubsetError, match=rf"planted\.py:3:.*{name} is not known to the lowering"):
        lower([Entry("f", write_module("planted", text).f)], small.LAYOUT)


def test_an_inner_variable_hides_the_outer_one(write_module: WriteModule) -> None:
    """`i` of the inner `for` is not the number that stands for the outer one."""
    text = """\
    def of_three(S, a, b, c): return 100 * a + 10 * b + c
    def of_two(S, a, b): return a + b
    def f(S): return of_three(S, *(of_two(S, *(i + 1 for i in range(2))) + i for i in range(3)))
    """
    module = write_module("hides", textwrap.dedent(text))
    assert module.f(None) == 345
    record = Record(small.LAYOUT)
    assert open_engine("compiled", [Entry("f", module.f)], record).call("f") == 345


@pytest.mark.parametrize(
    "text", ["lambda: i", "[i for i in a]", "f'{i}'", "f(x=i)", "(x := i)", "{i}", "a[i:]"]
)
def test_a_number_is_put_into_forms_that_are_known(text: str) -> None:
    with pytest.raises(tree.UnknownNodeError):
        tree.with_number(ast.parse(text, mode="eval").body, "i", 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i + j", "7 + j"),
        ("S.p.w[i, j]", "S.p.w[7, j]"),
        ("-i if not i else (i < j < i)", "-7 if not 7 else 7 < j < 7"),
        ("f(S, i, T[i](i))", "f(S, 7, T[7](7))"),
        ("i.i", "7 .i"),
        ("f(*(g(i, j) for j in range(i)))", "f(*(g(7, j) for j in range(7)))"),
        ("f(*(g(i, j) for i in range(i)))", "f(*(g(i, j) for i in range(7)))"),
        ("i and j or i in (i, 2)", "7 and j or 7 in (7, 2)"),
    ],
)
def test_a_number_where_a_variable_is_read(text: str, expected: str) -> None:
    tree_of = ast.parse(text, mode="eval").body
    assert ast.unparse(tree.with_number(tree_of, "i", 7)) == expected
    assert ast.unparse(tree_of) == ast.unparse(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    "loop", ["while a > (x := x + 1):\n    a -= 1", "for i in range(a):\n    a = (x := i)"]
)
def test_an_expression_that_stores_is_refused_in_a_loop_that_does_not_know_of_it(
    loop: str, write_module: WriteModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer who lowers `:=` and forgets what a loop head has to forget gets an error."""

    def store(self: Statements, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.write(node, node.target.id, value)
        return value

    monkeypatch.setattr(subset, "EXPRESSIONS", (*subset.EXPRESSIONS, ast.NamedExpr))
    monkeypatch.setitem(Statements.methods, ast.NamedExpr, store)
    body = textwrap.indent(f"x = 0\n{loop}\nreturn x", "    ")
    module = write_module("walrus", f"def f(S, a):\n{body}\n")
    with pytest.raises(
        SubsetError, match=r"walrus\.py:\d:\d+: x is stored here, and lowering/tree"
    ):
        lower([Entry("f", module.f)], small.LAYOUT)
