# SPDX-License-Identifier: Apache-2.0
"""Copies the chunks of a state between the record and a row of their own (state_codec.py).

The rows here are no state: they belong to the explorer. `whole.word` is every state row of the
record once more, as 64-bit words. Machine code takes rows of different names to be different
memory, so a function that uses `whole` uses no row of the machine.
"""

from __future__ import annotations

from tensix_gdb.core.engine import Entry
from tensix_gdb.core.record.layout import Field, Layout, Part, Slot, Tag, View, row
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER

MAX_WORDS = 8192  # of a state
MAX_CHUNKS = 1024

_D = Tag.DERIVED


def explorer(state_words: int) -> Part:
    """Return the rows, for a record with so many words of state."""
    return Part(
        "explorer",
        (
            row("start", "i64", state_words, _D, "the state at the start"),
            row("kept", "i64", MAX_WORDS, _D, "a state: its chunks, one after the other"),
            row("chunks", "u32", (), _D, "how many there are"),
            row("first", "u32", MAX_CHUNKS, _D, "first word of each"),
            row("end", "u32", MAX_CHUNKS, _D, "word after its last one"),
            row("clocks", "u32", (), _D, "how many words of the chunks hold a cycle"),
            row("clock", "u32", MAX_WORDS, _D, "which"),
            row("backs", "u32", (), _D, "how many words are put back after each cycle"),
            row("back", "u32", MAX_WORDS, _D, "which"),
        ),
    )


class ExplorerLayout(Layout):
    """`parts` with the rows of the explorer, and `whole.word` over all that is state."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        words = Layout(parts).state_size // 8
        super().__init__((*parts, explorer(words)))
        everything = Field("word", "i64", (words,), _D, "all state rows", alias="everything")
        whole = Part("whole", (everything,))
        self.parts = (*self.parts, whole)
        self.slots["whole", "word"] = Slot("whole", everything, 0, whole.role)
        self.rows = self.rows_for_views()


def load(S: View, words: int) -> int:
    """Make the record, which is as at the start, the state in the first `words` of `kept`."""
    at = 0
    chunk = 0
    while at < words:
        for word in range(S.explorer.first[chunk], S.explorer.end[chunk]):
            S.whole.word[word] = S.explorer.kept[at]
            at += 1
        chunk += 1
    return at


def take_chunks(S: View) -> int:
    """Keep the chunks and leave them as at the start; the words up to the last that is not so."""
    for i in range(S.explorer.backs):
        word = S.explorer.back[i]
        S.whole.word[word] = S.explorer.start[word]
    for i in range(S.explorer.clocks):
        word = S.explorer.clock[i]
        due = S.whole.word[word]
        if 0 < due < NEVER:
            S.whole.word[word] = due - 1
    at = 0
    used = 0
    for chunk in range(S.explorer.chunks):
        for word in range(S.explorer.first[chunk], S.explorer.end[chunk]):
            value = S.whole.word[word]
            S.explorer.kept[at] = value
            at += 1
            if value != S.explorer.start[word]:
                S.whole.word[word] = S.explorer.start[word]
                used = chunk + 1
    at = 0
    for chunk in range(used):
        at += S.explorer.end[chunk] - S.explorer.first[chunk]
    return at


LOAD = Entry("load", load)
TAKE = Entry("take", take_chunks)
