# SPDX-License-Identifier: Apache-2.0
"""Wormhole's configuration: each bit has a place of its own, where the units of both chips look."""

from __future__ import annotations

import random

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.arch.wormhole import CONFIG_WORDS, GLOBAL_WORD, THREAD_CONFIG_WORDS
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.devices.wormhole.config_places import (
    CONFIG_RUNS,
    ON_WORMHOLE,
    THREAD_RUNS,
    Run,
    place,
)
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.config.words import SET_CONFIG, WORD_OF
from tests.vectors import both_engines

HERE = config_fields(Arch.WORMHOLE)
THERE = config_fields(Arch.BLACKHOLE)
# The words that act when they are written are none to keep a value in.
ACTING = {config_words.STATE_RESET_EN}


def _record() -> Record:
    record = Record(LAYOUT)
    record.S.tile.chip = WORMHOLE
    config_words.power_up(record.S)
    return record


def _bits(run: Run) -> set[tuple[int, int]]:
    return {(run.at, run.at_low + i) for i in range(run.width)}


def test_every_bit_has_a_place_of_its_own() -> None:
    for runs, words, size in (
        (CONFIG_RUNS, CONFIG_WORDS, 32),
        (THREAD_RUNS, THREAD_CONFIG_WORDS, 16),
    ):
        taken = [bit for run in runs for bit in _bits(run)]
        assert len(taken) == len(set(taken)) == words * size
        assert {run.word for run in runs} == set(range(words))


def test_fields_lie_where_blackhole_has_them() -> None:
    for name, field in HERE.items():
        if name in THERE and "TileDescriptor" not in name:
            at = place(name)
            there = THERE[name]
            assert (at.word, at.low, at.width) == (there.word, there.low, field.width), name
            assert field.width <= there.width


def test_what_only_wormhole_has_disturbs_no_field_of_blackhole() -> None:
    own = {name for name in HERE if name not in THERE}
    assert own
    for space in (Space.THREAD, Space.STATE):
        thread = space is Space.THREAD
        fields = [f for f in THERE.values() if (f.space is Space.THREAD) is thread]
        size = 16 if thread else 32
        theirs = {divmod(f.word * size + f.low + i, size) for f in fields for i in range(f.width)}
        for name in own:
            if (HERE[name].space is Space.THREAD) is thread:
                at = place(name)
                assert not theirs & {(at.word, at.low + i) for i in range(at.width)}, name


def test_a_word_reads_as_it_was_written() -> None:
    record = _record()
    S = record.S
    dice = random.Random(27)
    written = {}
    for bank in range(2):
        for word in range(GLOBAL_WORD):
            if word not in ACTING:
                written[bank, word] = dice.getrandbits(32)
                both_engines(SET_CONFIG[WORMHOLE], record, bank, word, written[bank, word])
    for word in range(GLOBAL_WORD, CONFIG_WORDS):
        written[0, word] = written[1, word] = dice.getrandbits(32)
        both_engines(SET_CONFIG[WORMHOLE], record, 0, word, written[0, word])
    for (bank, word), value in written.items():
        assert both_engines(WORD_OF[WORMHOLE], record, bank, word) == value
    for thread in range(3):
        values = [dice.getrandbits(16) for _ in range(THREAD_CONFIG_WORDS)]
        for word, value in enumerate(values):
            config_words.set_thread_config(S, thread, word, value)
        assert [
            config_words.thread_word_of(S, thread, word) for word in range(THREAD_CONFIG_WORDS)
        ] == values
    _has_its_constants(S)


def _has_its_constants(S: View) -> None:
    for name, value in ON_WORMHOLE.items():
        field = THERE[name]
        for thread in range(3):
            assert (S.config.thread[thread, field.word] & field.mask) >> field.low == value, name


def test_state_reset_clears_the_words_of_one_bank() -> None:
    record = _record()
    S = record.S
    for bank in range(2):
        for word in (0, 8, GLOBAL_WORD - 1, GLOBAL_WORD):
            config_words.modify(S, bank, word, 0xFFFFFFFF)
    both_engines(SET_CONFIG[WORMHOLE], record, 1, config_words.STATE_RESET_EN, 0)
    left = {
        (bank, word)
        for bank in range(2)
        for word in range(CONFIG_WORDS)
        if config_words.word_of(S, bank, word)
    }
    assert left == {(0, 0), (0, 8), (0, GLOBAL_WORD - 1), (0, GLOBAL_WORD), (1, GLOBAL_WORD)}
    _has_its_constants(S)


def test_soft_reset_clears_thcon() -> None:
    record = _record()
    first = config_words.THCON_WORD
    for word in (first - 1, first, GLOBAL_WORD - 1, GLOBAL_WORD):
        config_words.modify(record.S, 0, word, 0xFFFFFFFF)
    both_engines(config_words.reset_thcon, record)
    words = range(CONFIG_WORDS)
    assert [w for w in words if config_words.word_of(record.S, 0, w)] == [first - 1, GLOBAL_WORD]
