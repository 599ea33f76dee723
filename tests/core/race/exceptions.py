# SPDX-License-Identifier: Apache-2.0
"""Litmus tests with which one observed run does not agree, and why."""

SYNC_VALUE = "What differs is the value of an object of synchronisation, where nothing is a race."
BESIDE = "A defect of the hardware, in rows that the two do not share (budabackend#2730)."
ALIKE = "Both write the row, and leave its flag alike."
STANDSTILL = "What differs is whether the tile comes to a standstill."
CACHED = "What differs is whether the poll ever ends."
OWN_FAULT = "It stops with a fault of its own, which says what to do (VECTOR_HAZARD)."
SEQUENCED = "The model keeps the order of the page; hardware does not (tt-metal#43561)."
DROPPED = "A defect of the hardware, with a report of its own (RDCFG_DROPPED)."

# fmt: off
EXCEPTIONS = {
    "mailbox query": SYNC_VALUE,
    "41 FLUSHDMA holds the Scalar Unit of every thread": SYNC_VALUE,
    "93 FLUSHDMA holds the Scalar Unit of other threads, on Wormhole": SYNC_VALUE,
    "41 FLUSHDMA and the real unpacker": STANDSTILL,
    "70 polling a cached word": CACHED,
    "92 a product and what reads it on Wormhole": OWN_FAULT,
    "95 RDCFG of two threads, on Wormhole": DROPPED,
    "84 an unpacker writes to Dst beside a ZEROACC of T2": BESIDE,
    "87 a bank filled, and given by UNPACR_NOP": SEQUENCED,
    "P1 another push does not wait": SYNC_VALUE,
    "P2 of another semaphore": SYNC_VALUE,
    "two atomic increments": SYNC_VALUE,
    "a semaphore as a lock": SYNC_VALUE,
}
# fmt: on

# Mutants (test_mutants.py).
# fmt: off
MUTANTS = {
    "29 a semaphore read back - sw 0, TTSYNC": SYNC_VALUE,
    "29 a semaphore read back - lw a1, TTSYNC": SYNC_VALUE,
    "84 an unpacker, then a ZEROACC that clears zero flags - push STALLWAIT block=0x1ff, wait=C1": (
        ALIKE
    ),
    "92 a product, SFPNOP and what reads it on Wormhole - push SFPNOP": OWN_FAULT,
}
# fmt: on

# Random programs by their seeds (random_races.py).
ANSWERS = "No page says that two LOADIND of one GPR are answered in order; the model has them so."
# fmt: off
RANDOM = {
    1001798: ANSWERS,
}
# fmt: on
