# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb demo`: none."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass


@dataclass(frozen=True)
class DemoOptions:
    """Run a C program on several harts and show a session of a real GDB with it."""
