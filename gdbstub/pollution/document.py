# SPDX-License-Identifier: Apache-2.0
"""Footprints and hits for programs: what `--json` writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tensix_gdb.gdbstub.pollution.footprint import Footprint, Read
from tensix_gdb.gdbstub.pollution.state import Element, elements
from tensix_gdb.gdbstub.pollution.verdict import Hit, Verdict, Way
from tensix_gdb.gdbstub.pollution.where import Where

_WIDE = 8  # bytes of an element of which the value is written


def document(
    kernels: Sequence[Footprint],
    hits: Sequence[Hit],
    verdicts: Counter[tuple[Way, Verdict]],
    runs: int,
) -> dict[str, Any]:
    """Return both, and how many pairs there are of each verdict."""
    return {
        "pairs": {
            way.value: {one.name.lower(): verdicts[way, one] for one in Verdict} for way in Way
        },
        "runs": runs,
        "kernels": [_of_kernel(one) for one in kernels],
        "hits": [_of_hit(one) for one in hits],
    }


def _of_kernel(one: Footprint) -> dict[str, Any]:
    named: dict[int, list[Element]] = {}
    for each in {element for found in elements().values() for element in found}:
        if each.cell >= 0:
            named.setdefault(each.cell, []).append(each)
    return {
        "name": one.name,
        "cycles": one.end.cycles,
        "operations": sorted(one.functions),
        "reads": [
            {"elements": _names(read, named), "cycle": read.cycle, "by": where_json(read.where)}
            for read in one.reads
        ],
        "leaves": [
            {
                "kind": element.kind,
                "element": element.name,
                **(
                    {"was": element.value(one.start), "is": element.value(one.end.image)}
                    if element.size <= _WIDE
                    else {}
                ),
                "by": where_json(one.writers.get(element)),
            }
            for element in one.left
        ],
    }


def _names(read: Read, named: dict[int, list[Element]]) -> list[str]:
    if read.cell < 0:
        return [f"lreg {-1 - read.cell}"]
    found = [
        each.name for each in named.get(read.cell, ()) if each.mask < 0 or each.mask & read.mask
    ]
    return found or ["Dst"]


def _of_hit(one: Hit) -> dict[str, Any]:
    return {
        "way": one.way.value,
        "first": one.first,
        "second": one.second,
        "verdict": one.effect.verdict.name.lower(),
        "why": one.effect.why,
        "bytes": one.effect.bytes_wrong,
        "kind": one.element.kind if one.element else "",
        "element": one.element.name if one.element else "",
        "kinds": list(one.kinds),
        **({"was": one.was, "is": one.left} if one.element and one.element.size <= _WIDE else {}),
        "left_by": where_json(one.writer),
        "read_by": where_json(one.reader),
        "init": one.init,
        "uninit": one.uninit,
    }


def where_json(one: Where | None) -> dict[str, str] | None:
    """Return an instruction's place."""
    if one is None:
        return None
    return {"function": one.function, "section": one.section, "line": one.line}
