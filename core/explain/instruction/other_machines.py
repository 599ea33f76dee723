# SPDX-License-Identifier: Apache-2.0
"""gfx9's s_waitcnt and vISA's WAIT explained like a Tensix word."""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.explanation import Explanation, FieldText, Line
from tensix_gdb.core.explain.instruction.tensix import bits_of
from tensix_gdb.core.waits import elsewhere, gfx9, visa


def explain_gfx9(wait: gfx9.WaitCount) -> Explanation:
    """An `s_waitcnt`: what its counters may be at most."""
    explanation = Explanation(
        *("gfx9", wait.show(), wait.encode(), 8),
        "Wait until each counter of the wave's outstanding operations is low enough.",
    )
    explanation.facts = [
        Line(
            "Word", f"{wait.encode():#010x} on gfx9: SOPP, opcode 12, operand {wait.operand:#06x}"
        ),
        Line("Holds", "the whole wave"),
        Line("Latency", "no page has a number"),
        Line("Page", "llvm/docs/AMDGPU/gfx9_waitcnt.rst"),
    ]
    for name, count in wait.counts().items():
        field = gfx9.ENCODING.fields[gfx9.COUNTERS[name]]
        explanation.fields.append(
            FieldText(gfx9.COUNTERS[name], bits_of(field), count, str(count), _at_most(name, count))
        )
        if count != gfx9.LARGEST[name]:
            explanation.waits_while.append(
                Line(name, f"more than {count} {gfx9.MEANINGS[name]} are outstanding")
            )
    explanation.elsewhere = list(elsewhere.of_gfx9(wait))
    if wait.unused_bits:
        explanation.warnings.append(
            f"bits {wait.unused_bits:#06x} of the operand belong to no counter"
        )
    if not explanation.waits_while:
        explanation.warnings.append(
            "every counter is at its largest value, so it waits for nothing"
        )
    return explanation


def _at_most(name: str, count: int) -> str:
    if count == gfx9.LARGEST[name]:
        return f"{gfx9.MEANINGS[name]}: the largest value, not waited for"
    return f"{gfx9.MEANINGS[name]}: at most {count} may be outstanding"


def explain_visa(wait: visa.ThreadWait) -> Explanation:
    """A `WAIT`: which of the eight thread dependencies are left."""
    explanation = Explanation(
        *("vISA", wait.show(), wait.encode(), 4),
        "Clear the dependencies that the mask names, and wait for the threads of the others.",
    )
    explanation.facts = [
        Line("Bytes", f"{visa.OPCODE:#04x} {wait.mask:#04x}: opcode and mask, of type UB"),
        Line("Holds", "the whole thread"),
        Line("Latency", "no page has a number"),
        Line("Page", "Intel vISA, WAIT"),
    ]
    cleared = [str(i) for i in range(visa.REGISTERS) if wait.mask >> i & 1]
    left = [i for i in range(visa.REGISTERS) if not wait.mask >> i & 1]
    explanation.fields = [
        FieldText(
            *("mask", "7:0", wait.mask, f"{wait.mask:#04x}"),
            f"dependencies that are cleared: {', '.join(cleared) or 'none'}",
        )
    ]
    explanation.waits_while = [
        Line(f"TDR{i}", "it is valid and its thread has not ended") for i in left
    ]
    explanation.elsewhere = list(elsewhere.of_visa(wait))
    if not left:
        explanation.warnings.append("every dependency is cleared, so it waits for nothing")
    explanation.warnings.append("only for kernels of the global thread space execution model")
    return explanation
