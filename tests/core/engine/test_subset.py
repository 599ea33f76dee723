# SPDX-License-Identifier: Apache-2.0
"""Python outside the subset is refused with file, line and what to write instead."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from tensix_gdb.core.engine import Entry, SubsetError
from tensix_gdb.core.engine.lower import lower
from tests.core.engine import small
from tests.core.engine.conftest import WriteModule

HEADER = """\
import enum
from functools import partial
from tests.core.engine import small
from tests.core.engine.small import add, applied, nothing, note, scaled
TABLE = (1, 2, 3)
MIXED = (1, "two")
TEXT = "text"
BIG = 1 << 63
PAIR = ((1, 2), (3, 4))
DISPATCH = (scaled, add)
BOUND = (partial(scaled, 1), partial(scaled, 2))
LOWER_CASE = (partial(scaled, b=1),)
class Box:
    attribute = 1
    def method(S): return 0
def recurse(S, a, b): return helper(S, a, b)
def helper(S, a, b): return recurse(S, a, b)
def some_return_nothing(S, a, b):
    if a:
        return 1
def generic(S, a, N): return a
def of_bits(S, a):
    if a:
        return
    return 1
"""

# Body of `def f(S, a, b):`, the line of the body the error names (from 1), words of the sentence.
REFUSED = [
    ("x = 1.5", 1, "floats are not part of the subset; use integer formats"),
    ("x = 'text'", 1, "strings are not part of the subset"),
    ('a = 1\n"not a docstring"', 2, "strings are not part of the subset; write a comment"),
    ("x = b'bytes'", 1, "strings are not part of the subset"),
    ("x = None", 1, "None is not part of the subset; use a negative number"),
    ("x = ...", 1, "`...` is not part of the subset"),
    ("x = a / b", 1, "`/` makes floats, which are not part of the subset; use //"),
    ("x = a ** b", 1, "`**` is not part of the subset"),
    ("x = a @ b", 1, "`@` is not part of the subset"),
    ("a /= b", 1, "use //"),
    ("x = +a", 1, "unary + is not part of the subset"),
    ("x = [1]", 1, "lists are not part of the subset; all state lives in the record"),
    ("x = {}", 1, "dicts are not part of the subset; use match"),
    ("x = a in {1}", 1, "sets are not part of the subset"),
    ("x = [i for i in range(3)]", 1, "comprehensions are not part of the subset"),
    ("x = min(i for i in range(3))", 1, "generators are not part of the subset"),
    ("x = {i for i in range(3)}", 1, "comprehensions are not part of the subset"),
    ("x = {i: i for i in range(3)}", 1, "comprehensions are not part of the subset"),
    ("x = lambda: 1", 1, "lambda is not part of the subset; define a function at module level"),
    ("x = f'{a}'", 1, "f-strings are not part of the subset"),
    ("x = (y := a)", 1, "`:=` is not part of the subset"),
    ("yield a", 1, "generators are not part of the subset"),
    ("x = yield from a", 1, "generators are not part of the subset"),
    ("def g(): pass", 1, "nested functions are not part of the subset"),
    ("class C: pass", 1, "classes inside functions are not part of the subset"),
    ("try:\n  a = 1\nexcept ValueError:\n  a = 2", 1, "exceptions are not part of the subset"),
    ("try:\n  a = 1\nexcept* ValueError:\n  a = 2", 1, "exceptions are not part of the subset"),
    ("a = 1\nraise ValueError", 2, "exceptions are not part of the subset; return a negative"),
    ("assert a", 1, "assert is not part of the subset"),
    ("with a: pass", 1, "with is not part of the subset"),
    ("global x", 1, "global is not part of the subset; all state lives in the record"),
    ("del a", 1, "del is not part of the subset"),
    ("import os", 1, "import inside a function is not part of the subset"),
    ("from os import path", 1, "import inside a function is not part of the subset"),
    ("a = b = 1", 1, "assign twice"),
    ("a, b = b, a", 1, "unpacking is not part of the subset"),
    ("[a, b] = 1", 1, "unpacking is not part of the subset"),
    ("for a, b in range(3): pass", 1, "only `for name in range(…)`"),
    ("for i in TABLE: pass", 1, "only `for name in range(…)`"),
    ("for i in range(): pass", 1, "range takes one to three positional arguments"),
    ("for i in range(0, 9, a): pass", 1, "the step of a range is a constant other than 0"),
    ("for i in range(0, 9, 0): pass", 1, "the step of a range is a constant other than 0"),
    ("for i in range(3):\n  pass\nelse:\n  pass", 1, "`else` on a loop"),
    ("while a:\n  a -= 1\nelse:\n  pass", 1, "`else` on a loop"),
    ("a: int", 1, "an annotation needs a name and a value here"),
    ("S.p.s: int = 1", 1, "an annotation needs a name and a value here"),
    ("a + b", 1, "this expression has no effect"),
    ("S = 1", 1, "S is the record and cannot be assigned"),
    ("UPPER = 1", 1, "UPPER is ALL CAPS, a constant"),
    ("for UPPER in range(3): pass", 1, "UPPER is ALL CAPS, a constant"),
    ("stra\u00dfe = 1", 1, "names are ASCII"),
    ("x = S.p.b[0:3]", 1, "slices are not part of the subset"),
    ("x = note(S, what=a)", 1, "keyword arguments are not allowed"),
    ("x = min(*TABLE)", 1, "`*` takes only"),
    ("x = min(*(i for i in TABLE))", 1, "`*` takes only"),
    ("x = min(*(i for i in range(3) if i))", 1, "`*` takes only"),
    ("x = min(*(i for i in range(3)), 4)", 1, "`*` takes only"),
    ("x = min(*(i for i in range(b)))", 1, "range(b) is not constant"),
    # Records and rows
    ("x = S.p", 1, "S.p is not a number; rows are S.part.field"),
    ("x = S", 1, "S is the record, not a number"),
    ("x = S.p.w", 1, "p.w[16] needs an index"),
    ("x = S.p.s[0]", 1, "p.s has no index"),
    ("x = S.p.h[1]", 1, "p.h[3, 4] needs 2 indexes"),
    ("x = S.p.h[1][2]", 1, "S.p.h[1] is neither a row nor a module-level tuple"),
    ("x = S.p.w[16]", 1, "index 16 is outside p.w[16]"),
    ("x = S.p.h[1, -1]", 1, "index -1 is outside p.h[3, 4]"),
    ("x = S.p.unknown", 1, "the record has no row p.unknown"),
    ("x = S.q.w[1]", 1, "the record has no row q.w"),
    ("S.p.w = 1", 1, "p.w[16] needs an index"),
    ("S.p = 1", 1, "S.p is not a row: S.part.field[index]"),
    ("S.p.b[1] = 256", 1, "256 does not fit p.b (u8)"),
    ("S.p.s = -1", 1, "-1 does not fit p.s (u32)"),
    ("a.b = 1", 1, "a.b is not a row"),
    # Names
    ("x = nowhere", 1, "nowhere is not known here"),
    ("x = small.nowhere", 1, "small.nowhere is not known here"),
    ("x = Box.attribute", 1, "Box.attribute is not known here; only module-level names"),
    ("x = TEXT", 1, "TEXT is a str, not a number"),
    ("x = BIG", 1, "0x8000000000000000 leaves signed 64 bits"),
    ("x = 1 << 63", 1, "0x8000000000000000 leaves signed 64 bits"),
    ("x = 5 // 0", 1, "in a constant expression"),
    ("x = b // 0", 1, "division by zero"),
    ("x = b << -1", 1, "shift count -1 is negative"),
    ("b >>= -1", 1, "shift count -1 is negative"),
    ("S.p.s %= 0", 1, "division by zero"),
    ("x = 5 << -1", 1, "negative shift count in a constant expression"),
    ("x = add", 1, "add is a function, not a number"),
    ("if a:\n  x = 1\nb = x", 3, "x may have no value yet; give it one before the branch or loop"),
    ("while a:\n  x = 1\n  a -= 1\nb = x", 4, "x may have no value yet"),
    ("for i in range(a): pass\nb = i", 2, "i may have no value yet"),
    ("while True:\n  if a:\n    break\n  x = 1\n  a = 1\nb = x", 6, "x may have no value yet"),
    ("match a:\n  case 1:\n    x = 1\nb = x", 4, "x may have no value yet"),
    ("x += 1", 1, "x may have no value yet"),
    ("x = TABLE", 1, "TABLE is a tuple, not a number"),
    ("x = TABLE[3]", 1, "index 3 is outside TABLE[3]"),
    ("x = TABLE[-1]", 1, "index -1 is outside TABLE[3]"),
    ("x = MIXED[a]", 1, "MIXED is a dispatch table: call what it holds, MIXED[i](…)"),
    ("x = PAIR[0][a]", 1, "PAIR[0] is neither a row nor a module-level tuple"),
    ("x = TEXT[a]", 1, "TEXT is neither a row nor a module-level tuple"),
    # Calls
    ("x = print(a)", 1, "print is a builtin_function_or_method; only subset functions"),
    ("x = a(b)", 1, "a is a variable; only subset functions"),
    ("x = Box(a)", 1, "Box is a type; only subset functions"),
    ("x = Box.method(S)", 1, "Box.method is not known here"),
    ("x = TEXT.upper()", 1, "TEXT.upper is not known here"),
    ("x = note(a)", 1, "the first argument of note must be S"),
    ("x = note(S)", 1, "note does not get what"),
    ("x = note(S, a, b)", 1, "too many arguments for note"),
    ("x = scaled(a, b, a)", 1, "FACTOR of scaled is a compile-time constant; pass a number"),
    ("x = scaled(a, b)", 1, "scaled does not get FACTOR"),
    ("x = nothing(S)", 1, "nothing returns nothing, so its result cannot be used"),
    ("x = min(a)", 1, "min takes two or more numbers"),
    ("x = abs(a, b)", 1, "abs takes one argument"),
    ("x = int.bit_length(a, b)", 1, "bit_length takes one argument"),
    ("x = int.bit_count(a)", 1, "int.bit_count is a method_descriptor; only subset functions"),
    ("x = DISPATCH[a](a, b)", 1, "scaled does not get FACTOR"),
    ("x = BOUND[a](b)", 1, "partial may bind ALL-CAPS parameters only"),
    ("x = LOWER_CASE[a](b)", 1, "partial binds b, which is not an ALL-CAPS constant"),
    ("x = TABLE[a](b)", 1, "TABLE[0] is a int; only subset functions"),
    ("x = a[b](1)", 1, "a is not a module-level tuple of functions"),
    ("x = DISPATCH[2](a, b, 1)", 1, "index 2 is outside DISPATCH[2]"),
    ("x = generic(S, a, TABLE)", 1, "N of generic is a compile-time constant"),
    ("x = applied(S, a, b, add, 1) + applied", 1, "applied is a function, not a number"),
    # Conditions
    (
        "x = a and b",
        1,
        "and/or of numbers is only for conditions; as a value write `a if c else b`",
    ),
    ("x = a is b", 1, "`is` compares functions that are known here; use == for numbers"),
    ("x = a in TABLE", 1, "`in` needs a tuple of constants"),
    ("x = a in (1, b)", 1, "`in` needs a tuple of constants"),
    ("x = a in (1, 2) in (0, 1)", 1, "`in` cannot be chained"),
    ("if 0 < a in (1, 2): pass", 1, "`in` and `is` cannot be chained"),
    # match
    ("match a:\n  case x:\n    pass", 2, "`case x` would bind a name"),
    ("match a:\n  case 1 if b:\n    pass", 2, "`case … if` is not in the subset"),
    ("match a:\n  case [1, 2]:\n    pass", 2, "cases are numbers"),
    ("match a:\n  case True:\n    pass", 2, "cases are numbers"),
    ("match a:\n  case 1 | 2:\n    pass\n  case 2:\n    pass", 4, "case 2 appears twice"),
    ("match a:\n  case small.add:\n    pass", 2, "small.add is not a constant number"),
    ("match a:\n  case 'x':\n    pass", 2, "strings are not part of the subset"),
]


@pytest.mark.parametrize(("body", "line", "said"), REFUSED, ids=[body for body, _, _ in REFUSED])
def test_refused(body: str, line: int, said: str, write_module: WriteModule) -> None:
    text = f"{HEADER}def f(S, a, b):\n    a = 0\n{textwrap.indent(body, '    ')}\n"
    module = write_module("refused", text)
    with pytest.raises(SubsetError) as caught:
        lower([Entry("f", module.f)], small.LAYOUT)
    at = HEADER.count("\n") + 2 + line
    assert str(caught.value).startswith(f"refused.py:{at}:")
    assert said in str(caught.value)


# Whole definitions of f.
REFUSED_DEFINITIONS = [
    ("def f(S, a=1): pass", "f: defaults are not allowed"),
    ("def f(S, *a): pass", "f: only plain positional parameters are allowed"),
    ("def f(S, **a): pass", "f: only plain positional parameters are allowed"),
    ("def f(S, *, a): pass", "f: only plain positional parameters are allowed"),
    ("def f(S, a, /): pass", "f: only plain positional parameters are allowed"),
    ("def f(a, S): pass", "f: S, the record, must be the first parameter"),
    ("def f(S, N, a): pass", "f: ALL-CAPS parameters must come last"),
    ("def f(S, a, N): pass", "entry f must bind the constants N"),
    ("def f(a): return note(S, a)", "the first argument of note must be S"),
    ("f = lambda S: 0", "is not a function at the top level of its module"),
    ("f = Box.method", "is not a function at the top level of its module"),
    ("def f(S, a):\n  return recurse(S, a, a)", "recurse calls itself; recursion is not allowed"),
    ("def f(S):\n  return some_return_nothing(S, 1, 2)", "can end here without a value"),
    ("def f(S):\n  return of_bits(S, 1)", "returns a value in one place and nothing in another"),
    ("def f(S):\n  if g(S): pass\ndef g(S, a): return 0", "g does not get a"),
    ("def f(S): return generic(S, 1, BIG)", "0x8000000000000000 leaves signed 64 bits"),
    ("async def f(S): pass", "is not a function at the top level of its module"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED_DEFINITIONS, ids=lambda t: t)
def test_refused_definition(text: str, said: str, write_module: WriteModule) -> None:
    module = write_module("refused", f"{HEADER}{text}\n")
    with pytest.raises(SubsetError, match=r"^refused\.py:\d+:\d+: ") as caught:
        lower([Entry("f", module.f)], small.LAYOUT)
    assert said in str(caught.value)


def test_only_the_branch_that_is_taken_is_lowered(write_module: WriteModule) -> None:
    """A dead branch has to keep the form of the subset; its names are not looked at."""
    text = "ON = 1\ndef f(S):\n    if not ON:\n        return nowhere\n    return 1\n"
    lower([Entry("f", write_module("dead", text).f)], small.LAYOUT)
    text = "ON = 1\ndef f(S):\n    if not ON:\n        return 'text'\n    return 1\n"
    with pytest.raises(SubsetError, match=r"dead\.py:4:16: strings"):
        lower([Entry("f", write_module("dead", text).f)], small.LAYOUT)


def test_text_must_be_what_runs(write_module: WriteModule, tmp_path: Path) -> None:
    module = write_module("edited", "def f(S):\n    return 1\n")
    (tmp_path / "edited.py").write_text("def f(S):\n    return 200\n")
    with pytest.raises(SubsetError, match=r"edited\.py:1:1: the text of f is not the one"):
        lower([Entry("f", module.f)], small.LAYOUT)
    (tmp_path / "edited.py").write_text("\n\n\ndef f(S):\n    return 1\n")
    with pytest.raises(SubsetError, match="the file has changed since it was imported"):
        lower([Entry("f", module.f)], small.LAYOUT)
    (tmp_path / "edited.py").unlink()
    with pytest.raises(SubsetError, match="there is no source text for f"):
        lower([Entry("f", module.f)], small.LAYOUT)


def test_the_same_text_every_time(write_module: WriteModule) -> None:
    """The IR names the object in the cache, so it must not depend on places or on order."""
    entries = [Entry("a", small.nested_dispatch), Entry("b", small.calls)]
    first = lower(entries, small.LAYOUT)
    assert lower(entries, small.LAYOUT).ir == first.ir
    assert not re.search(r"0x[0-9a-f]{6}|/tests/|at 0x", first.ir)


def test_decorators_that_return_the_function(write_module: WriteModule) -> None:
    text = "def row(x):\n    return lambda f: f\n@row(1)\n@row(\n    2)\ndef f(S):\n    return 7\n"
    assert "ret i64 7" in lower([Entry("f", write_module("decorated", text).f)], small.LAYOUT).ir


def test_every_dispatch_is_one_switch() -> None:
    ir = lower([Entry("f", small.nested_dispatch)], small.LAYOUT).ir
    body = re.search(r'define \w+ i64 @"tests.core.engine.small.nested_dispatch".*?\n}', ir, re.S)
    assert body is not None
    assert body.group().count("switch i64") == 2


SEVERAL = """\
def leaf(S, a, N):
    x = a / 2
    if a:
        x = missing
    while [a]:
        y = x + 1.5
    return N << 63
def branch(S, a, N):
    leaf(S, a, N)
    S.p.unknown = 1
    b = S.p.w
    return b + leaf(S, a, 3)
def good(S, a):
    return a
def form(S, a):
    with a: pass
    return good(S, lambda: a)
def top(S, a):
    c = nowhere
    d = c + branch(S, a, 1) + branch(S, a, 2)
    if c > d:
        return form(S, good(S, d, d)) + form(S, d)
    match nowhere_too:
        case 1: return e
    return branch(S, a, 1) + form(S, a)
"""


def test_all_problems_are_reported_with_their_instances(write_module: WriteModule) -> None:
    """Each once; and nothing that only follows from another problem."""
    module = write_module("several", SEVERAL)
    with pytest.raises(SubsetError) as caught:
        lower([Entry("one", module.top), Entry("two", module.form)], small.LAYOUT)
    found = [(each.line, each.column, each.sentence.split()[0]) for each in caught.value.problems]
    assert found == [
        (2, 9, "`/`"), (5, 11, "lists"), (6, 17, "floats"),
        (10, 5, "the"), (11, 9, "p.w[16]"),
        (16, 5, "with"), (17, 20, "lambda"),
        (19, 9, "nowhere"), (22, 24, "too"), (23, 11, "nowhere_too"),
    ]  # fmt: skip
    assert str(caught.value).startswith(
        "several.py:2:9: `/` makes floats, which are not part of the subset; use //\n"
        "    in several.leaf{N=1}\n"
        "    called from several.branch{N=1} at several.py:9:5\n"
        "    called from several.top at several.py:20:13, the entry one\n"
        "    also in several.leaf{N=3}, several.leaf{N=2}\n"
        "several.py:5:11: lists are"
    )
    first = (
        "several.py:2:9: `/` makes floats, which are not part of the subset; use // (and 9 more)"
    )
    assert caught.value.in_a_line() == first


def test_many_instances_with_the_same_problem_are_counted(write_module: WriteModule) -> None:
    calls = "".join(f"    bad(S, {i})\n" for i in range(7))
    module = write_module("many", f"def bad(S, N):\n    return nowhere\ndef f(S):\n{calls}")
    with pytest.raises(SubsetError) as caught:
        lower([Entry("f", module.f)], small.LAYOUT)
    (problem,) = caught.value.problems
    assert problem.chain == (
        "in many.bad{N=0}",
        "called from many.f at many.py:4:5, the entry f",
        "also in many.bad{N=1}, many.bad{N=2}, many.bad{N=3} and 3 more",
    )
