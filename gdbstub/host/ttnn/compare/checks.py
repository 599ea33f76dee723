# SPDX-License-Identifier: Apache-2.0
"""The comparisons that a program makes itself, while `ttnn --share` watches it: of the last one
that differed the worst value, what was expected, and where on the chip it was.

A result on the host is known by its memory; of a copy, by its numbers. The place is taken when the
result is read: a tensor is not held on the chip for it.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.host.ttnn.compare.differences import of_torch
from tensix_gdb.gdbstub.host.ttnn.compare.found import Place, placing
from tensix_gdb.gdbstub.host.ttnn.compare.lines import line_of_script
from tensix_gdb.gdbstub.host.ttnn.compare.told import said_wrong
from tensix_gdb.gdbstub.host.ttnn.compare.wanted import note_wrong

MOST_RESULTS = 8  # read from the chip, that are remembered
# Functions that compare their first two arguments: they return False, or raise AssertionError.
OF_TORCH = ("torch.equal", "torch.allclose", "torch.testing.assert_close")
OF_NUMPY = (
    *("numpy.array_equal", "numpy.allclose", "numpy.testing.assert_allclose"),
    *("numpy.testing.assert_array_equal", "numpy.testing.assert_array_almost_equal"),
)


@contextlib.contextmanager
def watching(path: Path) -> Iterator[None]:
    """Note meanwhile in a file what a comparison finds."""
    try:
        import torch  # noqa: F401
        import ttnn
    except ImportError:
        yield
        return
    checks = Checks(path)
    ttnn.to_torch = _Around(ttnn.to_torch, checks.read)
    for name in (*OF_TORCH, *OF_NUMPY):
        module, _, function = name.rpartition(".")
        with contextlib.suppress(ImportError, AttributeError):
            __import__(module)
            holder = sys.modules[module]
            setattr(holder, function, checks.around(name, getattr(holder, function)))
    yield


class _Around:
    """A function of ttnn, of which the result is shown to another; it has all that it had."""

    def __init__(self, function: Any, look: Callable[[Any, Any], None]) -> None:
        self._function, self._look = function, look

    def __call__(self, *args: Any, **named: Any) -> Any:
        found = self._function(*args, **named)
        with contextlib.suppress(Exception):  # nothing here ends a program of a user
            self._look(args[0] if args else named["tensor"], found)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class Checks:
    """The results that were read, and comparisons around them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._results: list[tuple[Any, Place]] = []

    def read(self, tensor: Any, host: Any) -> None:
        """Remember a result, and how its datums are kept on the chip."""
        self._results = [*self._results[1 - MOST_RESULTS :], (host, placing(tensor))]

    def around(self, name: str, compare: Any) -> Any:
        """Return a comparison that notes what differs."""

        @functools.wraps(compare)
        def compared(*args: Any, **named: Any) -> Any:
            try:
                same = compare(*args, **named)
            except AssertionError:
                self._note(name, args, named)
                raise
            if same is False:
                self._note(name, args, named)
            return same

        return compared

    def _note(self, name: str, args: Any, named: Any) -> None:
        given = [*args, *named.values()][:2]
        with contextlib.suppress(Exception):  # as above
            one, other = (_tensor(each) for each in given)
            known = [self._of(one), self._of(other)]
            # What came from the chip is the result; else the second, as of PCC.
            swapped = known[0] is None
            got, wanted = (other, one) if swapped else (one, other)
            result = known[1] if swapped else known[0]
            found = of_torch(got, wanted, 0.0)
            if not found.off:
                return
            where, place = ("", None)
            if result is not None:
                place_of, index_of = result
                index = index_of(found.worst)
                if index is not None:
                    where, place = place_of(index)
            line = f"{name} at {line_of_script()}"
            note_wrong(self._path, said_wrong(found, line, where, place), place)

    def _of(self, tensor: Any) -> Any:
        """Return the result that a tensor is a part or a copy of, and what leads from an index of
        it to one of the result."""
        import torch

        for host, place_of in reversed(self._results):
            storage = host.untyped_storage()
            first = tensor.data_ptr() - storage.data_ptr()
            if 0 <= first < storage.nbytes():
                return place_of, functools.partial(_in_memory, tensor, host)
            if tensor.shape == host.shape and torch.equal(
                tensor.to(torch.float64).nan_to_num(), host.to(torch.float64).nan_to_num()
            ):
                return place_of, tuple
        return None


def _in_memory(part: Any, whole: Any, index: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the index in `whole` of a datum of `part`, a view of the same memory."""
    at = part.data_ptr() - whole.data_ptr()
    steps = zip(index, part.stride())  # noqa: B905 (Python 3.10)
    left = at // whole.element_size() + sum(i * step for i, step in steps)
    found = []
    for length, step in zip(whole.shape, whole.stride()):  # noqa: B905
        i, left = divmod(left, step)
        if i >= length:
            return None
        found.append(i)
    return None if left else tuple(found)


def _tensor(value: Any) -> Any:
    """Return a tensor in the same memory, where it has one."""
    import torch

    return value.detach() if isinstance(value, torch.Tensor) else torch.as_tensor(value)
