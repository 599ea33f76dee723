# SPDX-License-Identifier: Apache-2.0
"""Rows through which compiled code reports a defect of ours (core/engine/README.md)."""

from tensix_gdb.core.record.layout import Part, Tag, row

ENGINE = Part(
    "engine",
    (
        row("defect", "i64", (), Tag.DERIVED, "1 + number of the site that broke a rule; 0 none"),
        row("defect_value", "i64", (), Tag.DERIVED, "the index, value or count that broke it"),
    ),
)
