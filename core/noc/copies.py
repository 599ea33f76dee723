# SPDX-License-Identifier: Apache-2.0
"""Copies of a broadcast on their way, in words outside of the records (core/chip/routes.py has
them): how many, then those of each, in the order in which they have left."""

from tensix_gdb.core.engine.native import load_word, store_word
from tensix_gdb.core.noc.columns import (
    COPY_DUE,
    COPY_RECEIVER,
    COPY_STAGE,
    COPY_WORDS,
    ROUTE_COPIES,
    ROUTE_WORDS,
)
from tensix_gdb.core.noc.state import COMING


def copies_at(routes: int, number: int, at: int) -> int:
    """Return where the address of a broadcast's copies is, by its tile and slot."""
    return load_word(routes + 8 * (ROUTE_WORDS * number + ROUTE_COPIES)) + 8 * at


def copies_of(routes: int, number: int, at: int) -> int:
    """Return that address; 0 of one that is not followed yet."""
    return load_word(copies_at(routes, number, at))


def first_copy(copies: int, now: int) -> int:
    """Return the one that is due first, of these that of the receiver with the least number; 0 if
    none is."""
    found = 0
    for i in range(load_word(copies)):
        copy = copies + 8 + 8 * COPY_WORDS * i
        due = load_word(copy + 8 * COPY_DUE)
        if due <= now and (found == 0 or is_before(copy, due, found)):
            found = copy
    return found


def is_before(copy: int, due: int, other: int) -> int:
    """True if a copy, which is due then, comes before another one."""
    when = load_word(other + 8 * COPY_DUE)
    if due != when:
        return 1 if due < when else 0
    before = load_word(copy + 8 * COPY_RECEIVER) < load_word(other + 8 * COPY_RECEIVER)
    return 1 if before else 0


def soonest(copies: int) -> int:
    """Return when the next one is due."""
    first = load_word(copies + 8 + 8 * COPY_DUE)
    for i in range(1, load_word(copies)):
        first = min(first, load_word(copies + 8 + 8 * (COPY_WORDS * i + COPY_DUE)))
    return first


def are_all_coming(copies: int) -> int:
    """True if no receiver waits for the data any more."""
    for i in range(load_word(copies)):
        if load_word(copies + 8 + 8 * (COPY_WORDS * i + COPY_STAGE)) != COMING:
            return 0
    return 1


def remove(copies: int, copy: int) -> int:
    """Take a copy out; the others keep their order."""
    count = load_word(copies) - 1
    end = copies + 8 + 8 * COPY_WORDS * count
    while copy < end:
        store_word(copy, load_word(copy + 8 * COPY_WORDS))
        copy += 8
    store_word(copies, count)
    return 0
