# SPDX-License-Identifier: Apache-2.0
"""The window onto Wormhole's backend configuration (WormholeB0 BackendConfiguration.md).

    0x000  Config[0][188]     0x5E0  ThreadConfig[3][57], 16 bits in each four words
    0x2F0  Config[1][188]

Loads have any width. Stores are `sw` to Config only: ThreadConfig is written by SETC16. There is no
window that writes both banks, but words from 152 on are the same in both. The record has the words
by fields (config_words.py).

UNSPECIFIED(BackendConfiguration.md): what the padding after a word of ThreadConfig reads; 0.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.wormhole import CONFIG_WORDS, THREAD_CONFIG_STRIDE, THREAD_CONFIG_WORDS
from tensix_gdb.core.devices.backend_config import CONFIG_BASE
from tensix_gdb.core.devices.registers import Access, Register, extract
from tensix_gdb.core.devices.wormhole.config_words import power_up as power_up
from tensix_gdb.core.devices.wormhole.config_words import set_config, thread_word_of, word_of
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

THREAD_CONFIG = 2 * CONFIG_WORDS  # the first word of it
WINDOW_WORDS = THREAD_CONFIG + THREADS * THREAD_CONFIG_WORDS * THREAD_CONFIG_STRIDE

WINDOW = (
    Register(0x000, "Config[0][{i}]", Access.READ_WRITE, "`sw` only", count=CONFIG_WORDS),
    Register(0x2F0, "Config[1][{i}]", Access.READ_WRITE, "`sw` only", count=CONFIG_WORDS),
    Register(
        0x5E0,
        "ThreadConfig[{i}]",
        Access.READ_ONLY,
        "three times 57 words, each with padding; written by SETC16",
        count=THREADS * THREAD_CONFIG_WORDS,
        step=4 * THREAD_CONFIG_STRIDE,
    ),
)


def word_at(S: View, index: int) -> int:
    """Word `index` of the window, 0 past its end."""
    if index < THREAD_CONFIG:
        return word_of(S, index // CONFIG_WORDS, index % CONFIG_WORDS)
    if index >= WINDOW_WORDS or (index - THREAD_CONFIG) % THREAD_CONFIG_STRIDE:
        return 0
    at = (index - THREAD_CONFIG) // THREAD_CONFIG_STRIDE
    return thread_word_of(S, at // THREAD_CONFIG_WORDS, at % THREAD_CONFIG_WORDS)


def peek(S: View, hart: int, addr: int) -> int:
    """Looking has no side effect."""
    index = (addr - CONFIG_BASE) >> 2
    return word_at(S, index) if index < WINDOW_WORDS else -1


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Any width."""
    value = peek(S, hart, addr)
    if value < 0:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    return extract(value, addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` to Config."""
    index = (addr - CONFIG_BASE) >> 2
    if index >= WINDOW_WORDS:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, size)
    if index >= THREAD_CONFIG:
        return fault(S, hart, Fault.STORE_THREAD_CONFIG, addr, size)
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return write_word(S, index, value)


def write_word(S: View, index: int, value: int) -> int:
    """Write word `index` of the window, below ThreadConfig."""
    return set_config(S, index // CONFIG_WORDS, index % CONFIG_WORDS, value)
