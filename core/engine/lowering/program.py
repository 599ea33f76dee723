# SPDX-License-Identifier: Apache-2.0
"""The shared parts of a program's functions: defect sites, TBAA tags, names of loops, constant
tables; and the text of a module around its functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from enum import Enum, auto

from tensix_gdb.core.engine.entry import Fixed
from tensix_gdb.core.engine.ir import Attributes, Module, Unit, attribute_groups
from tensix_gdb.core.record.layout import Layout, Slot

LLVM_TYPE = {"u8": "i8", "u16": "i16", "u32": "i32", "i64": "i64"}
LIMITS = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}
_INTRINSICS = """\
declare void @llvm.assume(i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
# Rows that are not in the record but in a block of memory of the caller's: where each begins in it.
# An index that says which hart or thread it is (the first of several) is left out, because the
# block is of one. When everything is inlined and all indexes are known, LLVM has them in registers.
Kept = Mapping[tuple[str, str], int]
NOTHING_KEPT: Kept = {}
_FIRST_LOOP = 100_005  # after what is said of loops
_NO_VECTORS, _AS_IT_IS, _UNROLLED, _AFTERWARDS, _VECTORS = range(100_000, 100_005)
_USED = re.compile(r"!(?:tbaa|llvm\.loop) !(\d+)")
_FIRST_TAG = 3  # !0 nothing, !1 branch weights, !2 root of the TBAA tree


class Unrolling(Enum):
    """The limit of LLVM's unrolling of a loop of which it can count the rounds."""

    NEVER = auto()
    FREE = auto()  # it decides
    WHOLE = auto()  # no loop is left


class Program:
    """One program while its functions are lowered."""

    def __init__(
        self,
        layout: Layout,
        *,
        checked: bool,
        kept: Kept = NOTHING_KEPT,
        stamped: bool = False,
        fixed: Fixed = (),
    ) -> None:
        self.layout = layout
        self.fixed = {(part, name): value for part, name, value in fixed}
        self.checked = checked
        # Where the stamps begin: each store also notes the cycle for each byte (core/origin).
        self.stamps = layout.slot("origin", "stamp") if stamped else None
        self.cycle = layout.slot("tile", "cycle") if stamped else None
        self.kept = kept
        self.sites: dict[str, int] = {}
        self._tables: dict[tuple[int, ...], tuple[str, str]] = {}  # name and type of an element
        self._tags: dict[tuple[str, str], int] = {}
        self._threaded = 0  # loops (threads.py)
        self._loops: list[tuple[bool, Unrolling]] = []  # vectorised, unrolled
        self.engine_tag = self._tag("engine", "")

    def first_parameters(self, *, has_record: bool) -> tuple[str, ...]:
        """Return what a function takes first: every one the record, where defects are recorded."""
        return ("ptr %S", "ptr %K") if self.kept and has_record else ("ptr %S",)

    def site(self, label: str, node: ast.AST, sentence: str) -> int:
        """Return the number of a place where a defect can be recorded, counted from 1."""
        line = getattr(node, "lineno", 0)
        return self.sites.setdefault(f"{label}:{line}: {sentence}", len(self.sites) + 1)

    def tag(self, slot: Slot) -> int:
        """Return the TBAA tag of a row: its own, its owner's for an alias, one for all of
        `engine`."""
        if slot.part == "engine":
            return self.engine_tag
        return self._tag(slot.part, slot.field.alias or slot.field.name)

    def _tag(self, part: str, field: str) -> int:
        return self._tags.setdefault((part, field), _FIRST_TAG + 2 * len(self._tags) + 1)

    def loop(self, *, vectorised: bool, unrolling: Unrolling) -> str:
        """Return the metadata of one more loop, which says what LLVM may do with it."""
        self._loops.append((vectorised, unrolling))
        return f"!llvm.loop !{_FIRST_LOOP - 1 + len(self._loops)}"

    def next_threaded(self) -> int:
        """Return the number of one more threaded loop."""
        self._threaded += 1
        return self._threaded

    def table(self, values: tuple[int, ...]) -> tuple[str, str]:
        """Return the global name and the element type of the constant table with these values."""
        known = self._tables.get(values)
        if known is None:
            low, high = min(values, default=0), max(values, default=0)
            kind = "i64"
            if low >= 0:
                kind = next(
                    (LLVM_TYPE[row] for row, limit in LIMITS.items() if high <= limit), "i64"
                )
            known = self._tables[values] = (f"@table.{len(self._tables)}", kind)
        return known

    # -- modules
    def module(self, unit: Unit) -> Module:
        """Print a module."""
        used = unit.tables
        tables = "\n".join(
            f"{name} = private unnamed_addr constant [{len(values)} x {kind}]"
            f" [{', '.join(f'{kind} {value}' for value in values)}]"
            for values, (name, kind) in self._tables.items()
            if name in used
        )
        head = _INTRINSICS + self._defect()
        text = unit.text()
        tail = "\n".join([*attribute_groups(), *self._metadata(_used_in(head + text)), ""])
        return Module("\n".join([head, tables, text, tail]), unit.is_cold, unit.effort)

    def _metadata(self, used: set[int]) -> list[str]:
        """Print what a module says `!N` of, for each N in `used`."""
        metadata = ["!0 = !{}", '!1 = !{!"branch_weights", i32 4000, i32 1}', '!2 = !{!"record"}']
        for (part, field), tag in self._tags.items():
            if tag not in used:
                continue
            metadata.append(f'!{tag - 1} = !{{!"{part}.{field}", !2, i64 0}}')
            metadata.append(f"!{tag} = !{{!{tag - 1}, !{tag - 1}, i64 0}}")
        metadata.append(f'!{_NO_VECTORS} = !{{!"llvm.loop.vectorize.enable", i1 false}}')
        metadata.append(f'!{_AS_IT_IS} = !{{!"llvm.loop.unroll.disable"}}')
        metadata.append(f'!{_UNROLLED} = !{{!"llvm.loop.unroll.full"}}')
        # LLVM keeps what is said here of a loop when it has made vectors of it, unless something
        # else is said of that. Two rounds of a few vectors are better without a loop.
        metadata.append(f'!{_AFTERWARDS} = !{{!"llvm.loop.vectorize.followup_all", !{_VECTORS}}}')
        metadata.append(f'!{_VECTORS} = !{{!"llvm.loop.isvectorized", i32 1}}')
        for loop, (vectorised, unrolling) in enumerate(self._loops, _FIRST_LOOP):
            if loop not in used:
                continue
            hints = f", !{_AFTERWARDS}" if vectorised else f", !{_NO_VECTORS}"
            if unrolling is not Unrolling.FREE:
                hints += f", !{_AS_IT_IS if unrolling is Unrolling.NEVER else _UNROLLED}"
            metadata.append(f"!{loop} = distinct !{{!{loop}{hints}}}")
        return metadata

    def _defect(self) -> str:
        """Print `defect(S, site, value)`, which keeps the first defect."""
        site = self.layout.slot("engine", "defect").offset
        value = self.layout.slot("engine", "defect_value").offset
        tag = f"!tbaa !{self.engine_tag}"
        attributes = f"#{int(Attributes.DEFECT)}"
        return f"""\
define internal preserve_mostcc void @defect(ptr %S, i64 %site, i64 %value) {attributes} {{
  %at = getelementptr i8, ptr %S, i64 {site}
  %old = load i64, ptr %at, {tag}
  %first = icmp eq i64 %old, 0
  br i1 %first, label %keep, label %done
keep:
  store i64 %site, ptr %at, {tag}
  %to = getelementptr i8, ptr %S, i64 {value}
  store i64 %value, ptr %to, {tag}
  br label %done
done:
  ret void
}}
"""


def _used_in(text: str) -> set[int]:
    """Return the numbers of the metadata that instructions refer to."""
    return set(map(int, set(_USED.findall(text))))
