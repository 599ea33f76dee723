# SPDX-License-Identifier: Apache-2.0
"""In which cycle each byte of the state was stored last: only code of the stamped build writes it.

The machine never looks here. All of it is DERIVED, and no page of the row is touched in a run that
nothing asks about, so it costs neither time nor memory there.
"""

from tensix_gdb.core.record.layout import Part, Tag, row

STATE_LIMIT = 1 << 21  # bytes of state rows, at most; tests/core/origin looks whether they fit

ORIGIN = Part(
    "origin",
    (
        row(
            "stamp",
            "u32",
            STATE_LIMIT,
            Tag.DERIVED,
            "of each byte of the state: 1 + the low 32 bits of the cycle of its last store",
        ),
    ),
)
