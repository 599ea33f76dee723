# SPDX-License-Identifier: Apache-2.0
"""The difference between a result and torch's, in one number that a scale or one datum changes.

The correlation, which ttnn's comparison mode takes, is 1 for a result that is twice too large. This
is the largest difference, as a part of the largest value that torch has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.gdbstub.host.ttnn.compare.told import Difference


def pairs(wanted: Any, got: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the tensors of a result, each with torch's. ValueError where they are not alike."""
    import torch
    import ttnn

    if isinstance(got, ttnn.Tensor) and isinstance(wanted, torch.Tensor):
        config = getattr(wanted, "_ttnn_comparison_config", None)
        if config is None or config.method != "skip":
            yield got, wanted
    elif isinstance(got, (list, tuple)):
        if not isinstance(wanted, (list, tuple)) or len(wanted) != len(got):
            raise ValueError("it has another number of results")
        for one, other in zip(wanted, got):  # noqa: B905 (Python 3.10)
            yield from pairs(one, other)


def difference(got: Any, wanted: Any, tolerance: float) -> Difference:
    """Compare a tensor of ttnn with one of torch. ValueError for one of another size."""
    from ttnn.decorators import to_torch_for_comparison

    return of_torch(to_torch_for_comparison(got, wanted), wanted, tolerance)


def of_torch(got: Any, wanted: Any, tolerance: float) -> Difference:
    """Compare two tensors of torch. ValueError for one of another size."""
    import torch

    here = got.detach().to(torch.float64)
    shape = tuple(here.shape)
    there = wanted.detach().to(torch.float64)
    if there.numel() != here.numel():
        raise ValueError(f"it has the shape {tuple(there.shape)}, and the result {shape}")
    there = there.reshape(shape)
    finite = torch.isfinite(here) & torch.isfinite(there)
    # Not finite on both sides alike is no difference; on one side alone it is the largest.
    alike = (here == there) | (torch.isnan(here) & torch.isnan(there))
    of_each = torch.where(finite, (here - there).abs(), torch.where(alike, 0.0, torch.inf))
    known = there[torch.isfinite(there)]
    largest = float(known.abs().max()) if known.numel() else 0.0
    scale = largest if largest > 0 else 1.0
    if not of_each.numel():
        return Difference(0.0, 0, 0, (0,) * len(shape), 0.0, 0.0)
    flat = int(of_each.argmax())
    worst: list[int] = []
    for length in reversed(shape):
        flat, at = divmod(flat, length)
        worst.insert(0, at)
    index = tuple(worst)
    return Difference(
        error=float(of_each.max()) / scale,
        off=int((of_each > tolerance * scale).sum()),
        values=of_each.numel(),
        worst=index,
        got=float(here[index]),
        wanted=float(there[index]),
    )
