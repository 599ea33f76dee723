# SPDX-License-Identifier: Apache-2.0
"""The comparison of both engines' records notices every byte, in pages there and not there."""

from __future__ import annotations

import ctypes
import mmap

import pytest

from tests import pages

COUNT = 40
SIZE = COUNT * mmap.PAGESIZE - 100  # the last page is not whole


def buffer() -> tuple[mmap.mmap, int]:
    made = mmap.mmap(-1, COUNT * mmap.PAGESIZE)
    return made, ctypes.addressof(ctypes.c_char.from_buffer(made))


@pytest.mark.parametrize("swaps", [False, True])
def test_every_byte_counts(swaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_swaps", lambda: swaps)
    (one, here), (other, there) = buffer(), buffer()
    assert pages.equal(here, there, SIZE)
    for at in (0, 1, mmap.PAGESIZE - 1, mmap.PAGESIZE, 7 * mmap.PAGESIZE + 5, SIZE - 1):
        one[at] = 1
        assert not pages.equal(here, there, SIZE), at
        assert not pages.equal(there, here, SIZE), at
        other[at] = 1
        assert pages.equal(here, there, SIZE), at
    one[SIZE] = 1
    assert pages.equal(here, there, SIZE), "beyond the end"


@pytest.mark.parametrize("swaps", [False, True])
def test_a_copy_is_the_same(swaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_swaps", lambda: swaps)
    (source, here), (target, there) = buffer(), buffer()
    source[3] = source[9 * mmap.PAGESIZE] = source[SIZE - 1] = source[SIZE] = 1
    target[3] = target[5 * mmap.PAGESIZE] = target[SIZE + 1] = 2
    pages.copy(there, here, SIZE)
    assert target[:SIZE] == source[:SIZE]
    assert target[SIZE : SIZE + 2] == b"\0\2"


def test_nothing_gets_a_page_for_being_looked_at() -> None:
    (source, here), (target, there) = buffer(), buffer()
    source[0] = 1
    pages.copy(there, here, SIZE)
    assert pages.equal(here, there, SIZE)
    if not pages._swaps():
        assert pages._resident(here, SIZE).count(1) == pages._resident(there, SIZE).count(1) == 1
    assert target[0] == 1
