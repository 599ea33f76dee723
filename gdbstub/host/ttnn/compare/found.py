# SPDX-License-Identifier: Apache-2.0
"""The place of a datum on the chip, by what ttnn says of its tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tensix_gdb.gdbstub.host.ttnn.compare.place import (
    InPage,
    Layout,
    in_dram,
    in_l1,
    in_page,
    tile_of,
)

Place = Callable[[Sequence[int]], tuple[str, "str | None"]]


def say_where(tensor: Any, index: Sequence[int]) -> tuple[str, str | None]:
    """Return words for the tile or row of the tensor, and the place on the chip as `monitor origin`
    takes it; None where that is not known: a tensor of the host, shards in DRAM."""
    return placing(tensor)(index)


def placing(tensor: Any) -> Place:
    """Return the same as a function of an index, which needs the tensor no more."""
    import ttnn

    layout = _layout(tensor)
    is_on_chip = ttnn.is_tensor_storage_on_device(tensor)
    in_memory = _in_memory(tensor, layout) if is_on_chip else None

    def where(index: Sequence[int]) -> tuple[str, str | None]:
        full = (0,) * (len(layout.shape) - len(index)) + tuple(index)
        datum = in_page(layout, full)
        if datum is None or in_memory is None:
            return tile_of(layout, full), None
        return tile_of(layout, full), in_memory(datum)

    return where


def _layout(tensor: Any) -> Layout:
    import ttnn

    shape = tuple(tensor.padded_shape)
    shape = shape if len(shape) > 1 else (1, *shape)
    tile = None
    if tensor.layout == ttnn.TILE_LAYOUT:
        height, width = tensor.get_tile().tile_shape
        tile = int(height), int(width)
    return Layout(shape, tensor.dtype.name, tile)


def _in_memory(tensor: Any, layout: Layout) -> Callable[[InPage], str | None] | None:
    import ttnn

    config, device, address = tensor.memory_config(), tensor.device(), tensor.buffer_address()
    if config.buffer_type == ttnn.BufferType.DRAM:
        if config.memory_layout != ttnn.TensorMemoryLayout.INTERLEAVED:
            return None
        banks = device.dram_grid_size().x
        return lambda datum: in_dram(layout, datum, address, banks)

    def name_of_core(x: int, y: int) -> str:
        core = device.worker_core_from_logical_core(ttnn.CoreCoord(x, y))
        return f"{core.x}-{core.y}"

    pages = ttnn._ttnn.reports.get_buffer_pages(device)
    mine = [page for page in pages if page.address == address and "L1" in str(page.buffer_type)]
    return lambda datum: in_l1(mine, datum, name_of_core)
