# SPDX-License-Identifier: Apache-2.0
"""Trees of calls: of a hart, and with the programs that have gone apart from those that took their
place at the same addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from tensix_gdb.core.counting.shares import Share, more
from tensix_gdb.core.counting.site import Node
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image


@dataclass(slots=True)
class Call:
    """A function called from another one: `pc` is where it begins, `spent` the cycles in itself.
    The topmost one is the hart, which is no function. `owner` is its program if that has gone."""

    pc: int
    calls: int
    spent: int
    below: list[Call] = field(default_factory=list)
    owner: Image | None = None

    @property
    def total(self) -> int:
        """Cycles in it and in what it calls."""
        return self.spent + sum(call.total for call in self.below)


Owned = tuple[Image | None, Mapping[int, int], Mapping[int, int]]  # cycles, calls by node


def whole(tree: Mapping[int, Node], top: int) -> Call:
    """Return the tree below a node, whichever programs were there."""
    return by_program(tree, top, ())


def by_program(tree: Mapping[int, Node], top: int, past: Sequence[tuple[Image, Share]]) -> Call:
    """The same with a node for each program that was there, those that have gone first."""
    below: dict[int, list[int]] = {}
    for number, node in tree.items():
        below.setdefault(node.above, []).append(number)
    spent = {number: node.spent for number, node in tree.items()}
    calls = {number: node.calls for number, node in tree.items()}
    for _, share in past:
        spent, calls = more(spent, share.spent), more(calls, share.called)
    gone: list[Owned] = [(image, share.spent, share.called) for image, share in past]
    present: Owned = None, spent, calls

    def made(number: int, owned: Owned) -> Call:
        image, cycles, times = owned
        call = Call(tree[number].pc, times.get(number, 0), cycles.get(number, 0), [], owner=image)
        for child in below.get(number, ()):
            if owned is not present:
                owners = [owned]
            else:
                owners = [one for one in gone if child in one[1] and number not in one[1]]
                owners.append(present)
            for one in owners:
                made_below = made(child, one)
                if made_below.calls or made_below.spent or made_below.below:
                    call.below.append(made_below)
        return call

    return made(top, present)
