# SPDX-License-Identifier: Apache-2.0
"""Functions that say of themselves that they seldom run."""

from tensix_gdb.core.record.layout import View

SELDOM = True


def below(a: int) -> int:
    return a * 3 + 1


def rarely(S: View, a: int) -> int:
    S.p.s = below(a) & 0xFFFF
    return S.p.s
