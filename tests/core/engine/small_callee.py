# SPDX-License-Identifier: Apache-2.0
"""Callees and constants of `small`, in another module."""

from tensix_gdb.core.record.layout import View

LIMIT = 9
SQUARES = (0, 1, 4, 9)


def twice(value: int) -> int:
    return 2 * value


def through(S: View, a: int, b: int, TABLE_ROW: int) -> int:
    S.p.h[TABLE_ROW, a & 3] = b & 0xFFFF
    return twice(S.p.h[TABLE_ROW, 0])
