# SPDX-License-Identifier: Apache-2.0
"""Count down what pushes and mailbox writes wait for (kept.py), as requests leave their streams."""

from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

# Places in `stream.ahead`.
OF_MOP_CONFIG, OF_SEMAPHORE, OF_CONFIG, OF_GPR, OF_TILE_CONTROL, OF_MAIL = range(6)
PLACES = 6
NOT_AWAITED = PLACES
MAILBOX_WAITS = 0x1F00  # bits of `stream.held` that go with OF_MAIL


def count_down(S: View, hart: int, place: int) -> int:
    """The oldest request of a stream is gone; `place` says which stream it was."""
    if place == NOT_AWAITED:
        return 0
    if place == OF_SEMAPHORE and S.stream.ahead[hart, OF_MAIL]:
        S.stream.ahead[hart, OF_MAIL] -= 1
        if S.stream.ahead[hart, OF_MAIL] == 0:
            S.stream.held[hart] = S.stream.held[hart] & ~MAILBOX_WAITS
    if S.stream.ahead[hart, place]:
        S.stream.ahead[hart, place] -= 1
        if S.stream.ahead[hart, place] == 0:
            S.stream.held[hart] = S.stream.held[hart] & ~(1 << place)
    return 0
