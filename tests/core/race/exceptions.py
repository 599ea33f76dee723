# SPDX-License-Identifier: Apache-2.0
"""Litmus tests with which one observed run does not agree, and why."""

SYNC_VALUE = "What differs is the value of an object of synchronisation, where nothing is a race."
UNIT = "The observer does not know what this unit does with L1, Dst or the source banks yet."
BANKS = "Banks of SrcA and SrcB are not observed yet."
PUSHES = "The order of pushes of two harts to one thread is not observed."
CACHED = "What differs is whether the poll ever ends."

# fmt: off
EXCEPTIONS = {
    "mailbox query": SYNC_VALUE,
    "41 FLUSHDMA holds the Scalar Unit of every thread": SYNC_VALUE,
    "41 FLUSHDMA and the real unpacker": UNIT,
    "49 MVMUL and a semaphore": UNIT,
    "51 a command for the mover and C9": UNIT,
    "56 B and T0 push to one thread": PUSHES,
    "70 polling a cached word": CACHED,
    "82 SRCA_VLD after a flip": BANKS,
    "82 SRCB_VLD after CLEARDVALID": BANKS,
    "82 SRCA_VLD after MVMUL": BANKS,
    "84 an unpacker writes to Dst beside a ZEROACC of T2": UNIT,
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
    "49 MVMUL, C4 and a semaphore - push STALLWAIT block=B1, wait=C4": UNIT,
    "51 a command for the mover, and the mover idle - fence": UNIT,
}
# fmt: on
