# SPDX-License-Identifier: Apache-2.0
"""A word that a command does not know: the sentence for it, with the nearest one that it knows."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def unknown(word: str, options: Sequence[str]) -> str:
    """Return a sentence, without its end, for a word that a command with these options does not
    take."""
    if word.startswith("-"):
        name = word.partition("=")[0]
        return f"{name}: there is no such option here{near(name, options)}"
    if "--elf" in options:
        return f"{word}: a program is given as --elf HART=FILE, a folder of programs as --dir DIR"
    return f"{word}: nothing is expected here"


def near(word: str, known: Iterable[str]) -> str:
    """Return a half sentence with the word that is meant, if one of those known is near it."""
    found = difflib.get_close_matches(word, known, n=1)
    return f"; the nearest is {found[0]}" if found else ""
