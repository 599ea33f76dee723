# SPDX-License-Identifier: Apache-2.0
"""scripts/random_kernels: kernels by SFPI against a model of the pages, and the model itself.

The kernels here are a sample; gdbstub/manual/random-kernels.md says what the whole run found.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from scripts.random_kernels.__main__ import drawn, pool_seed
from scripts.random_kernels.build import FIRST_OUTPUT, words
from scripts.random_kernels.check import TTSIM, Checker, Engines
from scripts.random_kernels.draw import kernel, pool
from scripts.random_kernels.legal import legal
from scripts.random_kernels.model import results, run
from scripts.random_kernels.rows import FLOAT, INT
from scripts.random_kernels.running import Stopped, vectors
from scripts.random_kernels.semantics import through
from scripts.random_kernels.shrink import shrunk
from scripts.random_kernels.tree import (
    ADD,
    MUL,
    NEG,
    Assign,
    Block,
    Constant,
    If,
    Kernel,
    Loop,
    Node,
    Swap,
    Variable,
    source,
)
from tensix_gdb.gdbstub.kernels.compilers import Compiler, find_compiler
from tensix_gdb.gdbstub.kernels.sfpi.find import find_sfpi
from tests.tools import unavailable

A, N = Variable("f0", FLOAT), Variable("i0", INT)
SAMPLE = 12


def one(*body: Assign | If | Loop) -> Kernel:
    return Kernel(((A, 0), (N, 10)), body)


def inputs(floats: list[float], integers: list[int]) -> np.ndarray:
    """A pool of which two rows matter."""
    made = np.zeros((16, len(floats)), np.uint32)
    made[0] = np.array(floats, np.float32).view(np.uint32)
    made[10] = np.array(integers, np.int64).astype(np.uint32)
    return made


@pytest.fixture
def sfpi(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.delenv("SFPI", raising=False)
    if find_sfpi() is None:
        unavailable("no SFPI is here: `tensix-gdb sfpi --install` gets it")
    return find_compiler()


@pytest.mark.parametrize(
    ("engine", "optimize"), [("compiled", 2), ("compiled", 3), ("reference", 2)]
)
@pytest.mark.long("the other tests of this file have the model, and test_operations.py the unit")
def test_sample(sfpi: Compiler, engine: str, optimize: int, tmp_path: Path) -> None:
    """Kernels of a seed: every lane of every variable is what the pages say."""
    count = SAMPLE if engine == "compiled" else SAMPLE // 4
    checker = Checker(sfpi, optimize, Engines(engine))
    batch = [(number, drawn(99, number)) for number in range(count)]
    assert list(checker.check(batch, pool_seed(99, 0), tmp_path)) == []
    assert checker.seen[f"kernels run, the tile ({engine})"] >= count * 3 // 4


@pytest.mark.long("the other tests of this file have the parts")
def test_a_wrong_lane_is_named(
    sfpi: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is wrong about `~` fails, and what is printed is the one statement with it."""
    from scripts.random_kernels.operations import BY_NAME

    monkeypatch.setitem(BY_NAME, "not", replace(BY_NAME["not"], model=lambda a: a))
    body = (
        Assign(A, Node(MUL, (A, Constant(1.5, FLOAT)))),
        Loop(2, False, (Assign(N, Node("not", (Node("iadd", (N, N)),))),)),
    )
    failures = list(Checker(sfpi, 2, Engines("compiled")).check([(7, one(*body))], "1", tmp_path))
    assert len(failures) == 1
    assert failures[0].number == 7
    assert failures[0].what.startswith("i0 in lane 0 is 0x")
    assert failures[0].what.endswith("i0 = (~i0);")
    assert sum("=" in line for line in failures[0].source if "dst_reg" not in line) == 1


def test_a_kernel_that_stops_a_program_is_found_by_halves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """ttsim refuses two kernels of 56; the others are compared in programs of many."""
    refused, made = {13, 40}, list[int]()

    def program(_: object, kernels: list[tuple[int, object]], *__: object) -> SimpleNamespace:
        made.append(len(kernels))
        named = [SimpleNamespace(name=f"k{number}", kernel=None) for number, _ in kernels]
        numbers = {number for number, _ in kernels}
        return SimpleNamespace(kernels=named, refused=(), elf=numbers)

    def ran(numbers: set[int], _: object) -> Iterator[tuple[str, object]]:
        stops = Stopped("UnimplementedFunctionality: it") if numbers & refused else "found"
        yield TTSIM, stops

    monkeypatch.setattr("scripts.random_kernels.check.build", program)
    monkeypatch.setattr(Checker, "_fits", lambda *_, **__: True)
    checker = Checker(SimpleNamespace(), 2, SimpleNamespace(run=ran))  # type: ignore[arg-type]
    kernels = [(number, drawn(12, number, plain=True)) for number in range(56)]
    assert list(checker.check(kernels, "1", tmp_path)) == []
    assert checker.seen["kernels run, ttsim"] == 54
    assert checker.seen["kernels stopped, ttsim: UnimplementedFunctionality: it"] == 2
    assert len(made) < 24
    assert checker.failures == 0


def test_a_seed_gives_one_kernel() -> None:
    first, again = (source(kernel("5.3"), "k", 16) for _ in range(2))
    assert [line for line, _ in first] == [line for line, _ in again]
    assert kernel("5.3") != kernel("5.4")


def test_lanes_of_a_v_if() -> None:
    """v_elseif and v_else have the lanes that no branch before them had."""
    small = Node("i<k", (N,), (("small", 3),))
    middle = Node("i<k", (N,), (("small", 7),))
    body = If(
        (
            (small, (Assign(N, Constant(1, INT)),)),
            (middle, (Assign(N, Constant(2, INT)),)),
            (None, (Assign(N, Constant(3, INT)),)),
        )
    )
    found = results(run(one(body), inputs([0.0] * 4, [2, 3, 6, 7])))
    assert found[1].tolist() == [1, 2, 2, 3]


def test_a_block_leaves_fewer_lanes_at_each_v_and() -> None:
    """And all of them after it."""
    parts = tuple(
        (
            Node("i<k", (N,), (("small", most),)),
            (Assign(N, Node("iadd_k", (N,), (("small", add),))),),
        )
        for most, add in ((7, 10), (15, 100))
    )
    last = Assign(N, Node("iadd_k", (N,), (("small", 1000),)))
    found = results(run(one(Block(parts), last), inputs([0.0] * 3, [4, 6, 8])))
    assert found[1].tolist() == [1114, 1016, 1008]


def test_v_and_as_sfpi_makes_it_enables_lanes_again() -> None:
    """A second v_and with || leaves, by SFPCOMPC, what the first one disabled; this is counted."""
    either = Node("||", (Node("i<k", (N,), (("small", 3),)), Node("i>k", (N,), (("small", 8),))))
    first = (Node("i<k", (N,), (("small", 20),)), ())
    body = Block((first, (either, (Assign(N, Constant(-1, INT)),))))
    data = inputs([0.0] * 4, [2, 5, 9, 30])
    assert results(run(one(body), data))[1].astype(np.int32).tolist() == [-1, 5, -1, 30]
    found = legal(one(body), data, lambda got: got[1].astype(np.int32).tolist() == [-1, 5, -1, -1])
    assert found is not None
    assert found.defects == {"v_and(a || b) after another v_and"}


def test_lanes_that_are_disabled_are_not_swapped() -> None:
    other = Variable("i1", INT)
    small = Node("i<k", (N,), (("small", 3),))
    body = If(((small, (Swap(N, other),)),))
    data = inputs([0.0] * 2, [2, 5])
    data[11] = (8, 9)
    found = results(run(Kernel(((N, 10), (other, 11)), (body,)), data))
    assert found.tolist() == [[8, 5], [2, 9]]


@pytest.mark.parametrize(
    ("form", "before", "after"),
    [
        ("F16a", 0x3F801FFF, 0x3F800000),  # truncated to 10 bits
        ("F16a", 0x7F000000, 0x47FFE000),  # the largest of FP16
        ("F16b", 0xBF80FFFF, 0xBF800000),
        ("F16b", 0x80000001, 0x80000000),  # a denormal
        ("U16", 0x12345678, 0x5678),
        ("SM8", -5, -5),
        ("SM16", -0x8000, 0),  # the magnitude has 15 bits
        ("SM32", -7, -7),
    ],
)
def test_a_variable_through_dst(form: str, before: int, after: int) -> None:
    found = through(form, np.array([before & 0xFFFFFFFF], np.uint32))
    assert found.tolist() == [after & 0xFFFFFFFF]


def test_a_loop_counts_down() -> None:
    add = Assign(N, Node("iadd_n", (N,), (("n", "n"),)))
    assert results(run(one(Loop(4, True, (add,))), inputs([0.0], [100])))[1].tolist() == [110]


def test_a_product_may_be_joined_or_not() -> None:
    """(1 + 2**-12) squared, less its rounded value, is 0 with two roundings and not with one. Both
    are legal, a third result is not."""
    x = float(np.float32(1 + 2**-12))
    square = float(np.float32(x * x))
    body = Assign(A, Node(ADD, (Node(MUL, (A, A)), Constant(-square, FLOAT))))
    data = inputs([x], [0])
    exact = np.float32(x * x - square).view(np.uint32)
    for wanted, right in ((exact, True), (np.uint32(0), True), (exact + 1, False)):
        found = legal(one(body), data, lambda got, wanted=wanted: bool(got[0][0] == wanted))
        assert (found is not None) == right


def test_a_product_times_minus_one_may_be_joined_with_a_sum() -> None:
    """SFPI makes one SFPMAD of `-1 * (x * y) + z`, with the other sign of VA."""
    x = float(np.float32(1 + 2**-12))
    square = float(np.float32(x * x))
    squared = Node(MUL, (Constant(-1.0, FLOAT), Node(MUL, (A, A))))
    body = Assign(A, Node(ADD, (squared, Constant(square, FLOAT))))
    exact = np.float32(square - x * x).view(np.uint32)
    assert legal(one(body), inputs([x], [0]), lambda got: bool(got[0][0] == exact))


def test_the_sign_of_a_product_that_is_zero() -> None:
    """SFPMUL adds +0; with its sign changed it is +0, with the operand's sign changed too."""
    body = Assign(A, Node(NEG, (Node(MUL, (A, Constant(2.0, FLOAT))),)))
    data = inputs([0.0], [0])
    for wanted in (0, 0x80000000):
        assert legal(one(body), data, lambda got, wanted=wanted: bool(got[0][0] == wanted))


def test_the_line_that_wrote_a_lane() -> None:
    first = Assign(N, Constant(5, INT))
    second = Assign(N, Constant(6, INT))
    small = Node("i<k", (N,), (("small", 3),))
    done = run(one(If(((small, (first,)), (None, (second,))))), inputs([0.0] * 2, [0, 9]))
    assert done.state.writers["i0"] == [first, second]
    assert done.state.writers["f0"] == [None, None]


def test_shrinking() -> None:
    """A kernel keeps the statement without which it does not fail, and none of its operands."""
    bad = Assign(N, Node("not", (Node("iadd", (N, Constant(4, INT))),)))
    nested = If(((Node("truth", (N,)), (Loop(3, True, (bad,)),)),))
    kernel = one(Assign(A, Constant(1.0, FLOAT)), nested, Assign(N, Constant(9, INT)))
    small = shrunk(kernel, lambda tried: "'not'" in repr(tried))
    assert small.body == (Assign(N, Node("not", (N,))),)
    assert small.variables == (N,)


def pushed(found: list[int]) -> Iterator[tuple[int, int]]:
    """The opcode and the rest of each instruction."""
    for word in found:
        yield word >> 24, word & 0xFFFFFF


def test_inputs_are_stored_to_their_rows() -> None:
    """One SFPSTORE for each row of the pool, below the outputs."""
    made = pool(random.Random(3))
    stores = [rest for opcode, rest in pushed(words(made)) if opcode == 0x72]
    assert [rest & 0x3FF for rest in stores] == [2 * row for row in range(len(made))]
    assert len(made) <= FIRST_OUTPUT


def test_the_lanes_of_dst() -> None:
    """dst_reg[3] is in rows 4 to 7, in odd columns (SFPLOAD.md)."""
    bits = np.zeros((1024, 16), np.uint32)
    bits[5, 3], bits[13, 3] = 0x5, 0xABCD  # lane 9: row 5; the low half is eight rows on
    found = vectors(bits)
    assert found[3, 9] == 5 << 23 | 0xABCD
    assert np.count_nonzero(found) == 1
