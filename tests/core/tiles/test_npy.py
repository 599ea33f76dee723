# SPDX-License-Identifier: Apache-2.0
"""NumPy's files against NumPy: every type, order and version of the header; damaged files."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from tensix_gdb.core.tiles.npy import Array, ArrayError, read, written


def saved(array: Any, version: tuple[int, int] | None = None) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(3, 5), (2, 3, 4), (7,), (), (0, 4)])
@pytest.mark.parametrize(
    "kind", ["<f2", "<f4", "<f8", ">f4", "|i1", "<i2", ">i4", "<i8", "|u1", "<u2", "<u4", "|b1"]
)
def test_what_numpy_saves(kind: str, shape: tuple[int, ...], order: Any) -> None:
    numbers = np.arange(int(np.prod(shape))).reshape(shape) % 2 * 3
    array = np.asarray(numbers.astype(kind), order=order)
    found = read(saved(array))
    assert found.shape == shape
    assert found.values == array.ravel().tolist()


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_of_the_header(version: tuple[int, int]) -> None:
    assert read(saved(np.eye(2), version)).values == [1, 0, 0, 1]


def test_bf16_of_ml_dtypes() -> None:
    bits = np.array([0x3F80, 0xC000, 0x7F80], "<u2").view("V2")
    assert read(saved(bits)).values == [1, -2, float("inf")]


@pytest.mark.parametrize("kind", ["f4", "i1", "u1", "i2", "u2", "i4", "u4"])
def test_numpy_reads_what_is_written(kind: str) -> None:
    content = written(Array((2, 3), [0, 1, 2, 3, 4, 100]), kind)
    array = np.load(io.BytesIO(content))
    assert array.dtype == np.dtype(kind)
    assert array.tolist() == [[0, 1, 2], [3, 4, 100]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no .npy file"),
        (b"1.0, 2.0", "is no .npy file"),
        (saved(np.eye(2))[:20], "header that numpy.save does not write"),
        (saved(np.eye(2))[:-1], "has 31 bytes of numbers and its shape needs 32"),
        (saved(np.eye(2) * 1j), "has numbers of the type '<c16': save it as float32 or int32"),
        (saved(np.zeros(2, [("a", "f4")])), "has numbers of the type"),
        (saved(np.eye(2)).replace(b"(2, 2)", b"(2, x)"), "header that numpy.save does not write"),
        (saved(np.eye(2)).replace(b"(2, 2)", b"(9**9)"), "header that numpy.save does not write"),
        (saved(np.zeros((9, 9))).replace(b"(9, 9), ", b"(9,99999"), "header"),
        (saved(np.zeros((10, 99))).replace(b"(10, 99), }  ", b"(99999,9999)}"), "more than a tile"),
    ],
)
def test_damaged(content: bytes, said: str) -> None:
    with pytest.raises(ArrayError, match=said.replace("(", r"\(")):
        read(content)
