# SPDX-License-Identifier: Apache-2.0
"""Words of the backend configuration of either chip: each table is indexed by `S.tile.chip`.

    WORD_OF[S.tile.chip](S, bank, index)             a word of Config
    SET_CONFIG[S.tile.chip](S, bank, index, value)   write it, with what that does

The record has Wormhole's words by fields (core/devices/wormhole/config_places.py), so that units of
both chips find a field in one place; what names a word, and not a field, goes through these
functions.
"""

from tensix_gdb.core.devices import backend_config as blackhole
from tensix_gdb.core.devices.wormhole import config_words as wormhole

WORD_OF = (blackhole.word_of, wormhole.word_of)
SET_CONFIG = (blackhole.set_config, wormhole.set_config)
MODIFY = (blackhole.modify, wormhole.modify)  # as RMWCIB
IS_THCON = (blackhole.is_thcon, wormhole.is_thcon)
RESET_THCON = (blackhole.reset_thcon, wormhole.reset_thcon)
THREAD_WORD_OF = (blackhole.thread_word_of, wormhole.thread_word_of)
SET_THREAD_CONFIG = (blackhole.set_thread_config, wormhole.set_thread_config)
