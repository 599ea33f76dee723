# SPDX-License-Identifier: Apache-2.0
"""The machine-code side of the compiled engine: a call, and a threaded loop, which Python only
describes."""

from tensix_gdb.core.record.layout import View

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
