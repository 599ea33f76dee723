# SPDX-License-Identifier: Apache-2.0
"""Memory outside the tile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages

SIZE = 4 * PAGE_BYTES


@given(st.lists(st.tuples(st.integers(0, SIZE - 1), st.binary(max_size=2 * PAGE_BYTES))))
def test_is_like_a_bytearray(writes: list[tuple[int, bytes]]) -> None:
    pages, model = Pages(SIZE), bytearray(SIZE)
    for addr, data in writes:
        kept = data[: SIZE - addr]
        pages.write(addr, kept)
        model[addr : addr + len(kept)] = kept
    assert pages.read(0, SIZE) == bytes(model)


def test_a_snapshot_stays_what_it_was() -> None:
    pages = Pages(SIZE)
    pages.write(PAGE_BYTES - 2, b"abcd")
    kept, before = pages.snapshot(), pages.hash()
    pages.write(PAGE_BYTES, b"xy")
    assert pages.read(PAGE_BYTES - 2, 4) == b"abxy"
    assert pages.hash() != before
    pages.restore(kept)
    assert pages.read(PAGE_BYTES - 2, 4) == b"abcd"
    assert pages.hash() == before
    pages.write(PAGE_BYTES, b"zz")
    pages.restore(kept)
    assert pages.read(PAGE_BYTES, 2) == b"cd"


def test_written_zeros_hash_like_nothing() -> None:
    pages = Pages(SIZE)
    nothing = pages.hash()
    pages.write(5, bytes(7))
    assert pages.hash() == nothing


@pytest.mark.parametrize(("addr", "length"), [(-1, 1), (SIZE, 1), (SIZE - 3, 4)])
def test_outside(addr: int, length: int) -> None:
    with pytest.raises(IndexError, match="outside"):
        Pages(SIZE).read(addr, length)
    with pytest.raises(IndexError, match="outside"):
        Pages(SIZE).write(addr, bytes(length))
