# SPDX-License-Identifier: Apache-2.0
"""Reset or restart one hart through SOFT_RESET_0; the rest of the tile is untouched."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import SOFT_RESET_BIT
from tensix_gdb.core.devices import soft_reset
from tensix_gdb.core.machine.loading import Loader
from tensix_gdb.core.record.layout import View


def put_in_reset(S: View, hart: int) -> None:
    """Hold one hart in soft reset."""
    soft_reset.set_soft_reset(S, S.tile_control.soft_reset | 1 << SOFT_RESET_BIT[hart])


def start_over(S: View, loader: Loader, hart: int) -> bool:
    """Load one hart's files again and let it go from its entry; False when it has none."""
    images = [image for image in loader.own_images() if image.hart == hart]
    for image in images:
        put_in_reset(S, hart)
        loader.place(image)
    return bool(images)
