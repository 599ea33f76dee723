# SPDX-License-Identifier: Apache-2.0
"""The random numbers of stochastic rounding (VectorUnit.md, "PRNG").

One 32-bit state for each lane of the Vector Unit. What an instruction gets is the state, and
`advance` is the state after it.
"""

COLD = True  # little time of LLVM for it (core/engine/README.md)

TAPS = 0x80200003


def advance(state: int) -> int:
    """Return the next state: shifted right, with the inverted parity of the taps coming in on
    top."""
    taps = state & TAPS
    parity = taps ^ (taps >> 31) ^ (taps >> 21) ^ (taps >> 1)
    return (((parity & 1) ^ 1) << 31) | (state >> 1)


def advance_by(state: int, steps: int) -> int:
    """Return the state after `steps` steps."""
    for _ in range(steps):
        state = advance(state)
    return state


def seeded(seed: int, lane: int) -> int:
    """Return the state of a lane after PRNG_SEED_Seed_Val was written.

    UNSPECIFIED(BackendConfiguration.md): the page says that all PRNGs are seeded with the value.
    If all lanes got the same they would round alike; so the seed runs 32 steps, and then every two
    steps give a lane its state, lane 31 first. That is what Tenstorrent's simulator does.
    """
    return advance_by(seed, 32 + 2 * (32 - lane))
