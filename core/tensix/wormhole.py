# SPDX-License-Identifier: Apache-2.0
"""The differences of Wormhole's control units, where `tile.chip` is 1.

What the tile is otherwise besides the coprocessor is in core/arch. The coprocessor takes the
instructions of Wormhole then, by Wormhole's encodings. Those of the control units execute as the
pages of Wormhole have it:

    STALLWAIT, SEMWAIT  conditions have other numbers, and mask 0 means seven of them; a SEMWAIT
                        that finds a wait latched is held by B1 only, and replaces it otherwise
    ATGETM, ATRELM      there are mutexes 0 and 2 to 7
    MOP                 loop counts have seven bits; end instructions alone are issued 129 times
    address counters    Z and W have eight bits
    configuration       it has fewer words, and those that both banks share begin earlier

What computes is beside Blackhole's (unpacker/wormhole.py, packer/four, matrix/by_chip.py,
vector/by_chip.py).
"""

COLD = True  # little time of LLVM for it (core/engine/README.md)

DEFAULT_CONDITIONS = 0x7F
# Blackhole's conditions for each of Wormhole's. Bits above them are those of packers 1 to 3.
CONDITIONS = (
    *(1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 13, 1 << 14, 1 << 15, 1 << 4),
    *(1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11),
)
COUNT = len(CONDITIONS)


OF_BLACKHOLE = 13
PACKER = 1 << 3


def of_one_packer(conditions: int) -> int:
    """Return a translated mask in the bits that Blackhole has: any of the packers is the packer."""
    more = PACKER if conditions >> OF_BLACKHOLE else 0
    return (conditions & ((1 << OF_BLACKHOLE) - 1)) | more


def translate(conditions: int) -> int:
    """Return a condition mask of Wormhole in Blackhole's numbers; the default if it is 0."""
    chosen = conditions if conditions else DEFAULT_CONDITIONS
    mask = 0
    for i in range(COUNT):
        if (chosen >> i) & 1:
            mask |= CONDITIONS[i]
    return mask
