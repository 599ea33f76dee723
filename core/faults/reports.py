# SPDX-License-Identifier: Apache-2.0
"""Places at which cards are reported to fail, although the pages allow what is done there.

The tile continues as the pages have it: what the silicon does then is not published. The first
places are kept, each with how often it was reached.
"""

from tensix_gdb.core.record.layout import Part, Tag, View, row

COLD = True  # little time of LLVM for it (core/engine/README.md)

REPORTS = 16

_M = Tag.MONOTONE

# fmt: off
REPORT = Part("report", (
    row("count", "u32", (),      _M, "number of places"),
    row("code",  "u32", REPORTS, _M, "Fault"),
    row("hart",  "u8",  REPORTS, _M, "the hart that it is about"),
    row("pc",    "u32", REPORTS, _M, "where that hart has pushed the instruction"),
    row("a",     "i64", REPORTS, _M, "first operand, of the first time"),
    row("b",     "i64", REPORTS, _M, "second operand, of the first time"),
    row("times", "u32", REPORTS, _M, "how often it was reached"),
))
# fmt: on


def report(S: View, code: int, hart: int, pc: int, a: int, b: int) -> int:
    """Report a place, or count it once more; without room for another one it is left out."""
    number = 0
    while number < S.report.count and (
        S.report.code[number] != code or S.report.hart[number] != hart or S.report.pc[number] != pc
    ):
        number += 1
    if number == REPORTS:
        return 0
    if number == S.report.count:
        S.report.count += 1
        S.report.code[number] = code
        S.report.hart[number] = hart
        S.report.pc[number] = pc
        S.report.a[number] = a
        S.report.b[number] = b
    S.report.times[number] += 1
    return 1
