# SPDX-License-Identifier: Apache-2.0
"""The table of the records that run together: a row of words for each (core/chip/together.py)."""

# Modes of a record
OUT, RUNS, SLEEPS, STOPPED = 0, 1, 2, 3
# Words of a row. CYCLE to GOES_ON are addresses in the record; PLAIN is 1 if nothing watches it,
# CHANGED is 0 if nothing but its own code has changed it since its last quantum, and then ASKS is 1
# if that quantum has left a request under way: so the record itself, which is in the cache of
# another processor, is not looked into.
COLUMNS = 12
RECORD, ENTRY, CYCLE, STOP, DEFECT, PENDING, SLEEP, GOES_ON = range(8)
MODE, PLAIN, CHANGED, ASKS = range(8, COLUMNS)
# Words of what the links of a chip are called with (core/links/settle.py)
LINK_WORDS = 4
NET_RECORD, ENTER_CODE, LEAVE_CODE, TOLD_CODE = range(LINK_WORDS)
# Words of each tile that find the tiles of requests (core/chip/routes.py): addresses of numbers of
# tiles by NIU and coordinates, UNKNOWN and less for none; of the addresses of copies by slot; and
# of room for a list of what is due, of all tiles.
ROUTE_WORDS = 3
ROUTE_NUMBERS, ROUTE_COPIES, ROUTE_DUE = range(ROUTE_WORDS)
UNKNOWN = -1
# Copies of a broadcast: how many, then of each when it is due, the number of the receiver, the
# stage, the word that an atomic answers with, cycles back, and where the receiver is.
COPY_WORDS = 7
COPY_DUE, COPY_RECEIVER, COPY_STAGE, COPY_WORD, COPY_BACK, COPY_X, COPY_Y = range(COPY_WORDS)
