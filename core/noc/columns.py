# SPDX-License-Identifier: Apache-2.0
"""The table of the records that run together: a row of words for each (core/chip/together.py)."""

# Modes of a record
OUT, RUNS, SLEEPS, STOPPED = 0, 1, 2, 3
# Words of a row. CYCLE to SLEEP are addresses in the record; PLAIN is 1 if nobody watches it.
COLUMNS = 9
RECORD, ENTRY, CYCLE, STOP, DEFECT, PENDING, SLEEP, MODE, PLAIN = range(COLUMNS)
