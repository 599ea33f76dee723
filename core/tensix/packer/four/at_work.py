# SPDX-License-Identifier: Apache-2.0
"""The packers of Wormhole that have an instruction of a thread (WormholeB0 STALLWAIT.md, C3 to C6).

`busy.packer` counts what all four have. A packer is at work while the front stage has its datums
to read, and until the end of the instruction has come through the queue to L1; it names the packer.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer.four.images import PACKERS
from tensix_gdb.core.tensix.packer.state import END, OUT

ALL = (1 << PACKERS) - 1


def any_of(S: View, thread: int, packers: int) -> int:
    """True if one of these packers, a bit each, has an instruction of the thread."""
    left = S.busy.packer[thread]
    if left == 0:
        return 0
    # What is left when those of the others are counted is theirs.
    if S.pack.running == thread + 1:
        for packer in range(PACKERS):
            left -= ((S.pack.planes & ~packers) >> packer) & 1
    for i in range(S.pack.out_count):
        at = (S.pack.out_first + i) % OUT
        if S.pack.out_kind[at] == END and S.pack.out_thread[at] == thread:
            left -= 0 if (packers >> S.pack.out_addr[at]) & 1 else 1
    return 1 if left > 0 else 0
