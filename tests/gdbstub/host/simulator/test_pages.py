# SPDX-License-Identifier: Apache-2.0
"""Memory outside the tile."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.memory.segments import SEGMENT_BYTES, Segments

SIZE = 4 * PAGE_BYTES
BOTH = pytest.mark.parametrize("kind", [Pages, Segments])


@BOTH
@given(writes=st.lists(st.tuples(st.integers(0, SIZE - 1), st.binary(max_size=2 * PAGE_BYTES))))
def test_is_like_a_bytearray(kind: type[Pages], writes: list[tuple[int, bytes]]) -> None:
    pages, model = kind(SIZE), bytearray(SIZE)
    for addr, data in writes:
        kept = data[: SIZE - addr]
        pages.write(addr, kept)
        model[addr : addr + len(kept)] = kept
    assert pages.read(0, SIZE) == bytes(model)


def test_segments_are_like_pages() -> None:
    """Random writes over the ends of segments, snapshots and returns to them."""
    size, rng = 3 * SEGMENT_BYTES + PAGE_BYTES, random.Random(3)
    pages, segments = Pages(size), Segments(size)
    kept: list[dict[int, bytes]] = [{}]
    for _ in range(300):
        addr = rng.choice((0, 1, 2, 3)) * SEGMENT_BYTES + rng.randrange(-PAGE_BYTES, PAGE_BYTES)
        addr = min(max(addr, 0), size - PAGE_BYTES)
        match rng.randrange(6):
            case 0:
                known = rng.choice(kept)
                assert segments.changes(known) == pages.changes(known)
            case 1:
                kept.append(segments.snapshot())
                assert kept[-1] == pages.snapshot()
            case 2:
                known = rng.choice(kept)
                segments.restore(known)
                pages.restore(known)
            case _:
                data = rng.randbytes(rng.randrange(1, PAGE_BYTES))
                segments.write(addr, data)
                pages.write(addr, data)
        assert segments.read(addr, PAGE_BYTES) == pages.read(addr, PAGE_BYTES)
    assert segments.read(0, size) == pages.read(0, size)
    assert segments.hash() == pages.hash()


def test_a_snapshot_has_what_was_written_since_and_shares_the_rest() -> None:
    segments = Segments(SIZE)
    segments.write(0, bytes(SIZE))
    first = segments.snapshot()
    segments.write(PAGE_BYTES, b"x")
    segments.write(2 * PAGE_BYTES, b"\0")  # what is there already
    second = segments.snapshot()
    assert [page for page in first if second[page] is not first[page]] == [1]


@BOTH
def test_a_snapshot_stays_what_it_was(kind: type[Pages]) -> None:
    pages = kind(SIZE)
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


@BOTH
def test_written_zeros_hash_like_nothing(kind: type[Pages]) -> None:
    pages = kind(SIZE)
    nothing = pages.hash()
    pages.write(5, bytes(7))
    assert pages.hash() == nothing


@pytest.mark.parametrize(("addr", "length"), [(-1, 1), (SIZE, 1), (SIZE - 3, 4)])
@BOTH
def test_outside(kind: type[Pages], addr: int, length: int) -> None:
    with pytest.raises(IndexError, match="outside"):
        kind(SIZE).read(addr, length)
    with pytest.raises(IndexError, match="outside"):
        kind(SIZE).write(addr, bytes(length))
