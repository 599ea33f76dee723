# SPDX-License-Identifier: Apache-2.0
"""The place where a function records defects, and the bound checks that it leaves to its callers.

A function that uses its parameter as an index before anything else can have happened need not check
it. Whether the function or its caller finds the defect makes no difference then, and a caller often
knows more: two of five checks go this way, because no function in the chain has to look.

    def tick(S):                    def load(S, hart, at):          def get(S, hart, at):
        for hart in range(5):           x = get(S, hart, at) ◄──┐       return S.hart.x[hart, at]
            load(S, hart, S.p.b)                  │             │                       │     │
                   │        │                     ▼             │                       ▼     ▼
                   │        │       checked_operands:           │       push_to_caller: both are
                   │        │        hart, at are parameters    │        parameters, nothing has
                   │        │        too, nothing happened yet  │        happened yet
                   ▼        ▼                     │             │                 │
    checked_operands:               push_to_caller again        └── Precondition(hart, 5, site)
     hart is in range(5): none                    │                 Precondition(at, 32, site)
     S.p.b is a u8, not      ◄────────────────────┘
     in range(32): the one        Precondition(hart, 5, site)
     check, with the site         Precondition(at, 32, site)
     in `get`

The site stays that of the index, so a message names the line that a reader expects. An entry has no
caller that could check: the function that stands for it outside checks everything that is left.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.lowering import ranges
from tensix_gdb.core.engine.lowering.ir_builder import IRBuilder
from tensix_gdb.core.engine.lowering.program import Program

# `preserve_most` keeps the cold call from costing registers on the hot path; the TBAA tag on the
# call tells LLVM that it writes to the engine's rows and to nothing else.
RECORD = "call preserve_mostcc void @defect(ptr %S, i64 {site}, i64 {value}), !tbaa !{tag}"


@dataclass(frozen=True, slots=True)
class Precondition:
    """An argument has to be in range(size); `site` is where that is needed."""

    argument: int
    size: int
    site: int


class Defects:
    """The defects of one function instance."""

    def __init__(
        self, program: Program, builder: IRBuilder, label: str, parameters: Sequence[str]
    ) -> None:
        self.checked = program.checked
        self.preconditions: list[Precondition] = []
        self.has_called = False  # something may have happened before this point
        self._program = program
        self._builder = builder
        self._label = label
        self._parameters = parameters

    def record(self, node: ast.AST, sentence: str, value: str) -> str:
        """Return the instruction that records a defect at `node`."""
        return self._record(self._program.site(self._label, node, sentence), value)

    def _record(self, site: int, value: str) -> str:
        return RECORD.format(site=site, value=value, tag=self._program.engine_tag)

    def push_to_caller(self, node: ast.AST, sentence: str, value: str, size: int) -> bool:
        """Leave it to the callers that `value` is in range(size); false if that cannot be done."""
        if not self._is_entry_param(value):
            return False
        self._require(value, size, self._program.site(self._label, node, sentence))
        return True

    def _is_entry_param(self, value: str) -> bool:
        """True if `value` is a parameter, and nothing can have happened since the entry."""
        return self._builder.at == "entry" and not self.has_called and value.startswith("%p.")

    def _require(self, value: str, size: int, site: int) -> None:
        argument = self._parameters.index(value.removeprefix("%p."))
        self.preconditions.append(Precondition(argument, size, site))
        self._builder.assume(value, (0, size - 1))

    def checked_operands(
        self, preconditions: Sequence[Precondition], operands: Sequence[str]
    ) -> list[str]:
        """Return the operands (without the record) for a call here, in the ranges that the callee
        needs."""
        given = list(operands)
        for needed in preconditions:
            value, size = given[needed.argument], needed.size
            if ranges.inside(self._builder.range_of(value), size):
                continue
            if self._is_entry_param(value):
                self._require(value, size, needed.site)
            else:
                cold = self._record(needed.site, value)
                given[needed.argument] = self._builder.guarded_index(value, size, cold)
        return given
