# SPDX-License-Identifier: Apache-2.0
"""The machine-code side of the compiled engine: a call, and a threaded loop, which Python only
describes; and, for the code of a chip, other records and memory outside all of them by address."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record

# `while THREADED and n < budget` is an interpreter's loop: its arms jump to each other. It
# dispatches once, and no arm of the dispatch is to come back to a common end: each becomes a
# function that has the rest of the loop's body and its condition at its own end, and calls the next
# one as its last act (lowering/threads.py). So a processor learns for each kind of instruction what
# comes after it. A `continue` makes an end of its own, too: where an arm goes one of two ways, with
# a `continue` for one of them, the processor predicts which, and continues before it is known.
THREADED = True


def call_code(S: View, code: int, *arguments: int) -> int:
    """Call the function of the record and of integers that is at the address `code`, which is in
    the record (core/translate). The reference engine is never given such an address."""
    raise NotImplementedError("only compiled code calls machine code")


_records: weakref.WeakValueDictionary[int, Record] = weakref.WeakValueDictionary()


def reach(record: Record) -> None:
    """Let `on` find a record by its address."""
    _records[record.address] = record


def on(record: int, function: Callable[..., int], *arguments: int) -> int:
    """Call a function of the subset with the record at an address as its S."""
    return function(_records[record].S, *arguments)


def call_on(record: int, code: int, *arguments: int) -> int:
    """The same with the machine code at an address (`call_code`)."""
    raise NotImplementedError("only compiled code calls machine code")


def copy_bytes(to: int, source: int, count: int) -> int:
    """Copy bytes from address to address."""
    ctypes.memmove(to, source, count)
    return 0


def fill_bytes(to: int, value: int, count: int) -> int:
    """Set bytes at an address to a value."""
    ctypes.memset(to, value, count)
    return 0


def load_word(at: int) -> int:
    """Return the signed 64 bits at an address."""
    return ctypes.c_int64.from_address(at).value


def store_word(at: int, value: int) -> int:
    """Write 64 bits at an address."""
    ctypes.c_int64.from_address(at).value = value
    return 0
