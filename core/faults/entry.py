# SPDX-License-Identifier: Apache-2.0
"""The text of a fault: its category, a sentence, what to try next, the page."""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass


class Category(enum.Enum):
    """The reason why a fault is one."""

    UNDEFINED_BEHAVIOR = "UndefinedBehavior"
    NON_CONTRACTUAL = "NonContractualBehavior"
    UNPREDICTABLE_VALUE = "UnpredictableValueUsed"
    MISSING_SPECIFICATION = "MissingSpecification"
    UNIMPLEMENTED = "UnimplementedFunctionality"
    RACE = "RaceDetected"
    SILICON_DEFECT = "SiliconDefect"  # never stops: core/faults/reports.py


@dataclass(frozen=True, slots=True)
class Entry:
    """Words for one code. `said` and `next` are formats over a, b, region and register.

    Of faults of the coprocessor also over instruction, thread and origin (core/explain/stop.py).
    """

    category: Category
    said: str
    next: str
    page: str
