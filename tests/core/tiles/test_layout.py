# SPDX-License-Identifier: Apache-2.0
"""The order of datums against NumPy's own way to cut faces; bytes and addresses."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tensix_gdb.core.tiles.formats import FORMATS
from tensix_gdb.core.tiles.layout import tiles
from tensix_gdb.core.tiles.npy import Array, ArrayError
from tensix_gdb.core.tiles.tile import array_bytes, from_l1, to_l1, where


def faces(shape: tuple[int, ...], height: int, width: int) -> list[int]:
    """Places in the order of L1, by reshaping."""
    places = np.arange(int(np.prod(shape)))
    up, left = shape[-2] // height, shape[-1] // width
    cut = places.reshape(-1, up, height // 16, 16, left, width // 16, 16)
    return list(cut.transpose(0, 1, 4, 2, 5, 3, 6).ravel().tolist())


@pytest.mark.parametrize(
    ("shape", "height", "width"),
    [((32, 32), 32, 32), ((64, 96), 32, 32), ((2, 3, 32, 64), 32, 32), ((16, 64), 16, 32),
     ((64, 16), 32, 16), ((16, 16), 16, 16)],
)  # fmt: skip
def test_tiles_and_faces(shape: tuple[int, ...], height: int, width: int) -> None:
    found = tiles(shape)
    assert {len(tile) for tile in found} == {height * width}
    assert [place for tile in found for place in tile] == faces(shape, height, width)
    assert tiles(shape, by_rows=True) == [list(range(int(np.prod(shape))))]


@pytest.mark.parametrize("shape", [(1024,), (33, 32), (32, 48), (0, 32), ()])
def test_no_tiles(shape: tuple[int, ...]) -> None:
    with pytest.raises(ArrayError, match="is no whole tiles: rows and columns have to be"):
        array_bytes(FORMATS["bf16"], shape)


def test_bytes_of_a_tile_are_llks() -> None:
    """Bytes of a tile of 32 by 32 in LLK's headers."""
    sizes = {"fp32": 4096, "bf16": 2048, "bfp8": 1088, "bfp4": 576, "bfp2": 320, "int8": 1024}
    assert {name: array_bytes(FORMATS[name], (32, 32)) for name in sizes} == sizes
    assert array_bytes(FORMATS["bfp2"], (3, 7), by_rows=True) == 16 + 16


@pytest.mark.parametrize("by_rows", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_there_and_back(name: str, by_rows: bool) -> None:
    """Small integers survive, except where a datum has hardly a bit."""
    dice = random.Random(5)
    most = 1 if "bfp2" in name else 7
    choices = [v for v in (-most, 0, most) if v >= 0 or not name.startswith("uint")]
    array = Array((32, 64), [dice.choice(choices) for _ in range(2048)])
    content = to_l1(FORMATS[name], array, by_rows)
    assert len(content) == array_bytes(FORMATS[name], array.shape, by_rows)
    back, _ = from_l1(FORMATS[name], content, array.shape, by_rows)
    if "bfp2" not in name:
        assert back.values == array.values


def test_addresses() -> None:
    shape = (32, 64)
    assert where(FORMATS["bf16"], 0x40000, shape, 0) == "0x40000"
    # Row 3, column 17 is in the second face; row 0, column 32 begins the second tile.
    assert where(FORMATS["bf16"], 0x40000, shape, 3 * 64 + 17) == hex(
        0x40000 + 2 * (256 + 3 * 16 + 1)
    )
    assert where(FORMATS["bf16"], 0x40000, shape, 32) == "0x40800"
    assert where(FORMATS["bf16"], 0x40000, shape, 33, by_rows=True) == "0x40042"
    assert where(FORMATS["bfp4"], 0x1000, (32, 32), 17) == (
        "0x10c0 bits 4 to 7, its exponent at 0x1010"
    )


def test_two_datums_in_a_byte() -> None:
    """The first one is in the low bits, as the packer has it."""
    content = to_l1(FORMATS["bfp4"], Array((1, 16), [4.0, -4.0] * 8), by_rows=True)
    assert content[:1] == bytes([127 + 2])
    assert content[16:17] == bytes([0xC4])
