# SPDX-License-Identifier: Apache-2.0
"""What is put into a machine's memories, now and after each reset: ELFs, bytes, a host's files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_BIT, T0, B
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.debug.resume import Passing
from tensix_gdb.core.devices import soft_reset
from tensix_gdb.core.program.elf import Image, check_apart, check_mapped, read_elf
from tensix_gdb.core.record.layout import View

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine

Load = Callable[["Machine"], None]


class Loading:
    """The part of `Machine` (core/machine/machine.py) that loads."""

    S: View
    memory: Access
    passing: Passing
    images: list[Image]
    # What else puts something into a fresh tile, and the images that are its business.
    _loads: list[Load]
    _hosted: list[Image]

    def load(self, hart: int, image: Image) -> None:
        """Put an ELF into the memories that `hart` sees and let the hart go from its entry.

        LoadError when the image does not fit the hart or overlaps another one.
        """
        check_mapped(image, hart)
        check_apart([*self.images, image])
        image.hart = hart
        self.images.append(image)
        self.place(image)

    def load_bytes(self, addr: int, data: bytes) -> None:
        """Put bytes into L1 (or whatever B has at `addr`). MemoryFault where it has no memory."""
        self._loads.append(lambda machine: machine.poke(B, addr, data))
        self._machine.poke(B, addr, data)

    def load_by(self, place: Load, images: Sequence[Image]) -> None:
        """Let a host load its files in its own way: `place` is called with the tile, now and after
        each reset, and does what that host does to a tile in reset."""
        self.add_hosted(images)
        self._loads.append(place)
        place(self._machine)

    def add_hosted(self, images: Sequence[Image]) -> None:
        """Know of files that a host has put into the tile, for their symbols."""
        self.images.extend(images)
        self._hosted.extend(images)

    def know(self, image: Image, hart: int) -> None:
        """Know what somebody outside loads for a hart, instead of what was known so before.

        LoadError when it is no program for that hart.
        """
        check_mapped(image, hart)
        image.hart = hart
        for old in [one for one in self._hosted if one.hart == hart]:
            self.images.remove(old)
            self._hosted.remove(old)
        self.add_hosted([image])
        self._machine.places.forget()

    def place(self, image: Image) -> None:
        """Put an image that is known where it belongs, and let its hart go."""
        hart = image.hart
        assert hart is not None
        self._set_reset_pc(hart, image.entry)
        reset = self.S.tile_control.soft_reset & ~(1 << SOFT_RESET_BIT[hart])
        soft_reset.set_soft_reset(self.S, reset)
        for segment in image.segments:
            self.memory.poke(hart, segment.addr, segment.data)
        self._machine.write_pc(hart, image.entry)
        self.passing.forget(hart)

    def _set_reset_pc(self, hart: int, entry: int) -> None:
        """Later soft resets start at the entry too, where the hardware has a register for it."""
        control = self.S.tile_control
        if hart == NC:
            control.ncrisc_reset_pc, control.ncrisc_override = entry, 1
        elif hart != B:
            control.trisc_reset_pc[hart - T0] = entry
            control.trisc_override |= 1 << (hart - T0)

    def own_images(self) -> list[Image]:
        """What `load` has loaded, and no host."""
        return [i for i in self.images if not any(i is hosted for hosted in self._hosted)]

    def outdated(self) -> list[Image]:
        """What was loaded from a file that has other bytes now: somebody has built it again."""
        return [image for image in self.own_images() if _is_other_now(image)]

    def replace(self, old: Image) -> Image:
        """Know the file of an image as it is now; it is there from the next reset on.

        LoadError when it is no program for its hart, and then the old one stays.
        """
        assert old.hart is not None
        new = read_elf(old.path)
        check_mapped(new, old.hart)
        check_apart([*(image for image in self.images if image is not old), new])
        new.hart = old.hart
        self.images[self.images.index(old)] = new
        self._machine.places.forget()
        return new

    def load_again(self) -> None:
        """Into a fresh tile, everything that was loaded."""
        for image in self.own_images():
            self.place(image)
        for load in self._loads:
            load(self._machine)

    @property
    def _machine(self) -> Machine:
        return cast("Machine", self)


def _is_other_now(image: Image) -> bool:
    if not image.content:
        return False  # made in memory
    try:
        return image.path.read_bytes() != image.content
    except OSError:
        return False  # being built, or gone: what was loaded is all there is
