# SPDX-License-Identifier: Apache-2.0
"""`for column in lanes(16)`: a loop over lanes, which the compiled engine does several at a time.

To Python it is `range`. To the compiled engine it is a loop that LLVM is asked to vectorise; it
still proves by itself that this changes nothing. What it takes for that: no call that is not
inlined, no branch that it cannot turn into a choice, and indexes that are in range for all it can
see, because a check is a branch (`(row & 0x38) + i` is, `row + i` is not). `tests/core/engine/
engine/test_lanes.py` looks whether a loop has become vectors.
"""

lanes = range
