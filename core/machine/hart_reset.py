# SPDX-License-Identifier: Apache-2.0
"""One hart out of action, or from its beginning, while the rest of the tile stays as it is: what a
host does by SOFT_RESET_0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import SOFT_RESET_BIT
from tensix_gdb.core.devices import soft_reset

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine


def put_in_reset(machine: Machine, hart: int) -> None:
    """Soft reset of one hart."""
    reset = machine.S.tile_control.soft_reset | 1 << SOFT_RESET_BIT[hart]
    soft_reset.set_soft_reset(machine.S, reset)


def start_over(machine: Machine, hart: int) -> bool:
    """Load one hart's files again and let it go from its entry; False when it has none."""
    mine = [image for image in machine.own_images() if image.hart == hart]
    for image in mine:
        put_in_reset(machine, hart)
        machine.place(image)
    return bool(mine)
