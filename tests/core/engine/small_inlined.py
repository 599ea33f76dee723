# SPDX-License-Identifier: Apache-2.0
"""A function that is to be a part of its callers, however large it is."""

from tensix_gdb.core.record.layout import View


def large(S: View, a: int) -> int:
    S.p.s = (a * 3 + S.p.t) & 0xFFFF
    for i in range(4):
        if (a >> i) & 1:
            S.p.s = (S.p.s * 5 + i) & 0xFFFF
        elif S.p.s > a:
            S.p.s = S.p.s >> 1
        else:
            S.p.s = (S.p.s + i * a) & 0xFFFF
    return S.p.s


INLINED = (large,)
