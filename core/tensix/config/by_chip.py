# SPDX-License-Identifier: Apache-2.0
"""Where a field of the configuration is on each chip: tables that `S.gate.wormhole` indexes.

    S.config.thread[thread, PHASE_WORD[S.gate.wormhole]]

A field that only one chip has is word 0 on the other, with a mask of 0: nothing of the word counts.
"""

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, config_fields

ARCHES = (Arch.BLACKHOLE, Arch.WORMHOLE)  # by S.gate.wormhole


def fields(name: str) -> tuple[ConfigField | None, ...]:
    """The field on each chip; None on a chip without it."""
    return tuple(config_fields(arch).get(name) for arch in ARCHES)


def words(name: str) -> tuple[int, ...]:
    """Its word on each chip."""
    return tuple(field.word if field else 0 for field in fields(name))


def masks(name: str) -> tuple[int, ...]:
    """Its bits in that word."""
    return tuple(field.mask if field else 0 for field in fields(name))


def same_word(name: str) -> int:
    """Its word, where it is the same on both chips."""
    blackhole, wormhole = words(name)
    assert blackhole == wormhole, name
    return blackhole


def same_low(name: str) -> int:
    """Its lowest bit, likewise."""
    blackhole, wormhole = fields(name)
    assert blackhole is not None, name
    assert wormhole is not None, name
    assert blackhole.low == wormhole.low, name
    return blackhole.low
