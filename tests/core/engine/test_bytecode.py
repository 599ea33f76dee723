# SPDX-License-Identifier: Apache-2.0
"""Bytecode that another patch release of Python has made, and bytecode of another text."""

from __future__ import annotations

import dis
import importlib.util
import marshal
import os
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tensix_gdb.core.engine import Entry, SubsetError
from tensix_gdb.core.engine.bytecode import functions_of, same_program
from tensix_gdb.core.engine.lower import lower
from tests.core.engine import small

FUNCTION = """\
def f(S, a):
    for i in range(a):
        match i & 3:
            case 0:
                if i & 4:
                    a = a + 1
                else:
                    S.p.w[i & 7] = a
            case 1:
                if a > 3:
                    a = a - 1
                else:
                    a = i
            case _:
                a = a ^ i
    return a
"""
# The code of `f` as two releases compile it. The first one's `case 0` jumps to a jump.
MAGIC_3_11 = (3495).to_bytes(2, "little") + b"\r\n"
BY_3_11_2 = (
    "97007401000000000000000000007c01a6010000ab01000000000000000044005d457d027c0264017a010000780164"
    "026b0200000000721f01007c0264037a01000072067c0164047a0000007d016e127c017c006a010000000000000000"
    "6a0200000000000000007c0264057a0100003c0000006e1a64046b0200000000720f7c0164016b040000000072067c"
    "0164047a0a00007d016e027c027d016e0609007c017c027a0c00007d018c467c015300"
)
BY_3_11_7 = (
    "97007401000000000000000000007c01a6010000ab01000000000000000044005d457d027c0264017a010000780164"
    "026b0200000000721f01007c0264037a01000072067c0164047a0000007d018c187c017c006a010000000000000000"
    "6a0200000000000000007c0264057a0100003c0000008c2b64046b0200000000720f7c0164016b040000000072067c"
    "0164047a0a00007d018c3c7c027d018c3f09007c017c027a0c00007d018c467c015300"
)


def compiled(text: str) -> CodeType:
    """The code of the only function of a text."""
    (code,) = functions_of(compile(text, "f.py", "exec", dont_inherit=True)).values()
    return code


def laid_out_differently(code: CodeType) -> CodeType:
    """The same program with a jump that leads nowhere, after the instruction with which all
    functions begin."""
    first = 2
    assert code.co_code[0] == dis.opmap["RESUME"]
    jump = bytes((dis.opmap["JUMP_FORWARD"], 0))
    return code.replace(co_code=code.co_code[:first] + jump + code.co_code[first:])


def by_another_release(module: CodeType) -> CodeType:
    """A module whose functions are laid out differently."""
    constants = (
        laid_out_differently(each) if isinstance(each, CodeType) else each
        for each in module.co_consts
    )
    return module.replace(co_consts=tuple(constants))


@pytest.mark.skipif(importlib.util.MAGIC_NUMBER != MAGIC_3_11, reason="the bytes are of 3.11")
def test_what_two_releases_have_made_of_one_text() -> None:
    f = compiled(FUNCTION)
    one, other = (f.replace(co_code=bytes.fromhex(code)) for code in (BY_3_11_2, BY_3_11_7))
    assert one.co_code != other.co_code
    assert same_program(one, other)
    assert same_program(other, one)
    assert f.co_code in (one.co_code, other.co_code)


@pytest.mark.parametrize(
    "text", [FUNCTION, "def f():\n while True: pass\n", "def f(*a): g(*(h(i) for i in a))\n"]
)
def test_a_jump_that_leads_nowhere_changes_nothing(text: str) -> None:
    code = compiled(text)
    other = laid_out_differently(code)
    assert other.co_code != code.co_code
    assert same_program(code, other)
    assert same_program(code, code)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a + 1", "a - 1"),
        ("a + 1", "i + 1"),
        ("a + 1", "a + 2"),
        ("i & 4", "i & a"),
        ("a > 3", "a < 3"),
        ("if a > 3", "if not a > 3"),
        ("a = a - 1", "break    "),
        ("case 0", "case 2"),
        ("p.w", "p.v"),
        ("i in range(a)", "a in range(i)"),
        ("f(S, a)", "f(a, S)"),
        ("return a", "return i"),
        ("    return a", "        break"),
        ("a & 3", "True"),
        ("a = a ^ i", "a = (lambda: 1)"),
    ],
)
def test_an_edit_is_another_program(before: str, after: str) -> None:
    text = FUNCTION.replace("i & 3", "a & 3")
    assert before in text
    assert not same_program(compiled(text), compiled(text.replace(before, after)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("while a: continue", "while a: break   "),
        ("return a and b", "return a or  b"),
        ("return 1   ", "return True"),
        ("return g(h(i) for i in a)", "return g(k(i) for i in a)"),
        ("while True: pass", "return"),
    ],
)
def test_what_differs_in_one_place(one: str, other: str) -> None:
    first, second = (compiled(f"def f(a, b):\n    {body}\n") for body in (one, other))
    assert not same_program(first, second)
    assert not same_program(second, first)


def keep(path: Path, code: CodeType, *, checked_by_time: bool = True) -> Path:
    """Put code where Python keeps that of a source."""
    status = path.stat()
    told = (0, int(status.st_mtime), status.st_size) if checked_by_time else (1, 4711, 42)
    header = b"".join(number.to_bytes(4, "little") for number in told)
    kept = Path(importlib.util.cache_from_source(path))
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(importlib.util.MAGIC_NUMBER + header + marshal.dumps(code))
    # As a package is installed: within the same second.
    os.utime(kept, ns=(status.st_mtime_ns, status.st_mtime_ns))
    return kept


def imported(path: Path) -> FunctionType:
    """The `f` of a module, by Python's own loader."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = module.f
    assert isinstance(function, FunctionType)
    return function


@pytest.mark.parametrize("checked_by_time", [True, False])
def test_a_package_that_another_release_has_installed(
    tmp_path: Path, checked_by_time: bool
) -> None:
    path = tmp_path / "installed.py"
    path.write_text(FUNCTION)
    code = by_another_release(compile(FUNCTION, str(path), "exec", dont_inherit=True))
    keep(path, code, checked_by_time=checked_by_time)
    function = imported(path)
    assert function.__code__.co_code == functions_of(code)["f", 1].co_code
    assert lower([Entry("f", function)], small.LAYOUT).ir


@pytest.mark.parametrize("checked_by_time", [True, False])
def test_bytecode_of_another_text(tmp_path: Path, checked_by_time: bool) -> None:
    """Python does not see it, and runs it at every start: the sentence has to say what helps."""
    path = tmp_path / "outdated.py"
    path.write_text(FUNCTION)
    other = compile(FUNCTION.replace("+ 1", "+ 2"), str(path), "exec", dont_inherit=True)
    kept = keep(path, other, checked_by_time=checked_by_time)
    with pytest.raises(SubsetError) as caught:
        lower([Entry("f", imported(path))], small.LAYOUT)
    assert str(caught.value) == (
        "outdated.py:1:1: Python runs f from bytecode that was made of another text;"
        f" delete {kept} and start the program again\n    in outdated.f, the entry f"
    )
    kept.unlink()
    assert lower([Entry("f", imported(path))], small.LAYOUT).ir
