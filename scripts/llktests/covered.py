# SPDX-License-Identifier: Apache-2.0
"""Which files of the suite run on our tile, and why the others do not."""

from __future__ import annotations

COVERED: tuple[str, ...] = ("test_eltwise_unary_datacopy.py",)
EXCLUDED: dict[str, str] = {}
