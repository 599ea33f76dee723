# SPDX-License-Identifier: Apache-2.0
"""Functions that break a rule when they are called with the wrong numbers.

The line on which each does is marked with `# HERE`.
"""

from functools import partial

from tensix_gdb.core.record.layout import View
from tests.core.engine.small import DISPATCH, TABLE, add, applied


def index(S: View, a: int) -> int:
    x = 1
    return x + S.p.w[a]  # HERE


def second_index(S: View, a: int) -> int:
    S.p.h[2, a] = 1  # HERE
    return 0


def store_too_large(S: View, a: int) -> int:
    S.p.b[a & 7] = a  # HERE
    return 0


def scalar_store_too_large(S: View, a: int) -> int:
    S.p.s = a  # HERE
    return 0


def augmented_store(S: View, a: int) -> int:
    S.p.s = 5
    S.p.s -= a  # HERE
    return 0


def division(S: View, a: int) -> int:
    return 100 // (a - 70)  # HERE


def modulo(S: View, a: int) -> int:
    S.p.t = 7 % (a - 70)  # HERE
    return 0


def left_count(S: View, a: int) -> int:
    return 1 << -a  # HERE


def right_count(S: View, a: int) -> int:
    return 1 >> -a  # HERE


def table_index(S: View, a: int) -> int:
    return TABLE[a]  # HERE


def dispatch_index(S: View, a: int) -> int:
    return DISPATCH[a](S, 1, 2)  # HERE


ONE = (partial(applied, OPERATION=add, TIMES=1),)


def one_entry_dispatch(S: View, a: int) -> int:
    return ONE[a](S, 1, 2)  # HERE


def index_before_arguments(S: View, a: int) -> int:
    return DISPATCH[a](  # HERE
        S,
        S.p.w[a],
        2,
    )


def in_a_callee(S: View, a: int) -> int:
    return add(1, index(S, a))


def addition(S: View, a: int) -> int:
    return a + 0x7FFFFFFFFFFFFFFF  # HERE


def negation(S: View, a: int) -> int:
    x = -0x7FFFFFFFFFFFFFFF - 1 + (a - 70)
    return -x  # HERE


def absolute(S: View, a: int) -> int:
    return abs(-0x7FFFFFFFFFFFFFFF - 1 + (a - 70))  # HERE


def left_shift(S: View, a: int) -> int:
    return a << 60  # HERE


def division_overflow(S: View, a: int) -> int:
    x = -0x7FFFFFFFFFFFFFFF - 1 + (a - 70)
    return x // (69 - a)  # HERE


def first_of_two(S: View, a: int) -> int:
    x = S.p.w[a]  # HERE
    return x + S.p.b[a]


def goes_on(S: View, a: int) -> int:
    """After a defect the rest runs with index 0: memory stays whole."""
    S.p.w[a] = 77  # HERE
    S.p.s = 1234
    return S.p.w[a]
