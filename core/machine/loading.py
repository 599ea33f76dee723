# SPDX-License-Identifier: Apache-2.0
"""Put files and bytes into a tile's memories, now and after each reset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import is_not

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_BIT, T0, B
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.debug.registers import poke, write_pc
from tensix_gdb.core.debug.resume import StepOver
from tensix_gdb.core.devices import soft_reset
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.program.elf import Image, check_apart, check_mapped, read_elf
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import set_reset_pc_wormhole

Hosted = Mapping[str, tuple[Image, ...]]  # files that a host has put into a tile, by group


class Loader:
    """The files that are loaded into one tile. `images` has every file, also those of a host."""

    def __init__(self, S: View, memory: Access, step_over: StepOver) -> None:
        self._S, self._memory, self._step_over = S, memory, step_over
        self.images: list[Image] = []
        self.places = Places(self.images)
        # What else puts something into a fresh tile, and the images that are its business.
        self._loads: list[Callable[[], None]] = []
        self._hosted: list[Image] = []
        self._groups: dict[str, list[Image]] = {}
        self._hosted_now: Hosted | None = None
        # Called with the files of a host that go, and those that come.
        self.on_replaced: Callable[[Sequence[Image], Sequence[Image]], None] = lambda gone, new: (
            None
        )
        # Called when `images` are others: breakpoints at lines follow them.
        self.on_changed: Callable[[], None] = lambda: None

    def load(self, hart: int, image: Image) -> None:
        """Put an ELF into the memories that `hart` sees and let the hart go from its entry.

        LoadError when the image does not fit the hart or overlaps another one.
        """
        check_mapped(image, hart, self._S.tile.chip)
        check_apart([*self.images, image])
        image.hart = hart
        self.images.append(image)
        self.place(image)

    def load_bytes(self, addr: int, data: bytes) -> None:
        """Put bytes into L1 (or whatever B has at `addr`). MemoryFault where it has no memory."""
        place = partial(poke, self._S, self._memory, B, addr, data)
        self._loads.append(place)
        place()

    def load_by(self, place: Callable[[], None], images: Sequence[Image]) -> None:
        """Let a host load its files in its own way: `place` is called now and after each reset, and
        does what that host does to a tile in reset."""
        self.add_hosted(images)
        self._loads.append(place)
        place()

    def add_hosted(self, images: Sequence[Image]) -> None:
        """Add files that a host has put into the tile, for their symbols."""
        self.images.extend(images)
        self._hosted.extend(images)

    def replace_hosted(self, image: Image, hart: int) -> None:
        """Take over the file that a host loads for a hart, in place of the one before.

        LoadError when it is no program for that hart.
        """
        check_mapped(image, hart, self._S.tile.chip)
        image.hart = hart
        self.set_hosted(f"program of hart {hart}", [image])

    def set_hosted(self, group: str, images: Sequence[Image]) -> None:
        """Take over the files of a group, such as the kernels, in place of those before."""
        before = self._groups.get(group, [])
        for kept in (self.images, self._hosted):
            kept[:] = [image for image in kept if not any(image is old for old in before)]
        self._groups[group], self._hosted_now = list(images), None
        self.on_replaced(_without(before, images), _without(images, before))
        self.add_hosted(images)
        self.places.forget_files()
        self.on_changed()

    def hosted_now(self) -> Hosted:
        """Return the files of all groups: the same object until they are others."""
        if self._hosted_now is None:
            self._hosted_now = {group: tuple(images) for group, images in self._groups.items()}
        return self._hosted_now

    def put_back(self, hosted: Hosted) -> bool:
        """Take over the files of all groups as they were then. False if they are those."""
        if hosted is self._hosted_now:
            return False
        changed = False
        for group in [*self._groups, *(new for new in hosted if new not in self._groups)]:
            images, now = hosted.get(group, ()), self._groups.get(group, [])
            if len(images) != len(now) or any(map(is_not, images, now)):
                self.set_hosted(group, images)
                changed = True
        self._hosted_now = hosted
        return changed

    def ungrouped(self) -> list[Image]:
        """List the files of no group: they stay, whatever a host does."""
        grouped = {id(image) for group in self._groups.values() for image in group}
        return [image for image in self.images if id(image) not in grouped]

    def hosted(self, group: str) -> Sequence[Image]:
        """Return the files of a group."""
        return tuple(self._groups.get(group, ()))

    def has_hosted(self, group: str) -> bool:
        """True if a host has put files of this group into the tile."""
        return bool(self._groups.get(group))

    def place(self, image: Image) -> None:
        """Put an image where it belongs, and let its hart go from its entry."""
        hart = image.hart
        assert hart is not None
        self._set_reset_pc(hart, image.entry)
        reset = self._S.tile_control.soft_reset & ~(1 << SOFT_RESET_BIT[hart])
        soft_reset.set_soft_reset(self._S, reset)
        for segment in image.segments:
            self._memory.poke(hart, segment.addr, segment.data)
        write_pc(self._S, hart, image.entry)
        self._step_over.forget_hart(hart)

    def _set_reset_pc(self, hart: int, entry: int) -> None:
        """Later soft resets start at the entry too, where the hardware has a register for it."""
        if self._S.tile.chip:
            set_reset_pc_wormhole(self._S, hart, entry)
            return
        control = self._S.tile_control
        if hart == NC:
            control.ncrisc_reset_pc, control.ncrisc_override = entry, 1
        elif hart != B:
            control.trisc_reset_pc[hart - T0] = entry
            control.trisc_override |= 1 << (hart - T0)

    def own_images(self) -> list[Image]:
        """List what `load` has loaded, and no host."""
        return [i for i in self.images if not any(i is hosted for hosted in self._hosted)]

    def outdated(self) -> list[Image]:
        """List what was loaded from a file that has other bytes now: it was built again."""
        return [image for image in self.own_images() if _is_other_now(image)]

    def replace(self, old: Image) -> Image:
        """Read the file of an image again; it is in the tile from the next reset on.

        LoadError when it is no program for its hart, and then the old one stays.
        """
        assert old.hart is not None
        new = read_elf(old.path)
        check_mapped(new, old.hart, self._S.tile.chip)
        check_apart([*(image for image in self.images if image is not old), new])
        new.hart = old.hart
        self.images[self.images.index(old)] = new
        self.places.forget_files()
        self.on_changed()
        return new

    def load_again(self) -> None:
        """Put everything that was loaded into a fresh tile."""
        for image in self.own_images():
            self.place(image)
        for load in self._loads:
            load()


def _is_other_now(image: Image) -> bool:
    if not image.content:
        return False  # made in memory
    try:
        return image.path.read_bytes() != image.content
    except OSError:
        return False  # being built, or gone: what was loaded is all there is


def _without(images: Sequence[Image], others: Sequence[Image]) -> list[Image]:
    return [image for image in images if not any(image is other for other in others)]
