# SPDX-License-Identifier: Apache-2.0
"""The origin of a wrong datum: the operation runs once more with a history, and its origin is
asked of the debugger's server.

A history of a whole model on 140 tiles costs seconds at each message of the host. One operation,
again from the same operands, costs a history of itself alone. Operands that the operation has
written are put back first. Where a history was kept from the start (--record), it has the answer.
"""

from __future__ import annotations

import sys
from typing import Any

from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.host.ttnn.compare.differences import difference, pairs
from tensix_gdb.gdbstub.host.ttnn.compare.found import say_where
from tensix_gdb.gdbstub.host.ttnn.compare.told import Compared, maker, shown
from tensix_gdb.gdbstub.usage import UsageError

CYCLES = 24  # of the past that an origin looks at
SECONDS = 3600.0  # in which a server answers
SAME = 1e-6


def say_origin(
    settings: dict[str, Any],
    operation: Any,
    args: Any,
    kwargs: Any,
    kept: list[Any] | None,
    one: Compared,
    place: str | None,
) -> str | None:
    """Say what has made the worst datum, or why that is not known; return its place."""
    try:
        if not settings["recorded"]:
            place = _run_again(settings, operation, args, kwargs, kept, one)
        if place is None:
            _say("its place on the chip is not known, so nothing says what has made it")
            return None
        answer = _ask(settings, f"origin {_question(place, settings)} --values --cycles {CYCLES}")
    except UsageError as problem:
        _say(f"what has made it is not known: {problem}")
        return place
    tree = answer.splitlines()
    made = maker(tree)
    if made is not None:
        _say(f"  made by {made}")
    _say(f"  where it came from (`monitor origin {_question(place, settings)}`):")
    for line in shown(tree):
        print(f"    {line}", file=sys.stderr)
    sys.stderr.flush()
    return place


def _run_again(
    settings: dict[str, Any],
    operation: Any,
    args: Any,
    kwargs: Any,
    kept: list[Any] | None,
    one: Compared,
) -> str | None:
    """Run the operation with a history, and return the place of the same datum of its result.
    UsageError says why it is not the same again."""
    import torch
    import ttnn

    assert one.difference is not None
    _put_back(args, kwargs, kept)
    _ask(settings, "record on")
    try:
        output = operation(*args, **kwargs)
        for device in ttnn.decorators.get_devices(output):
            ttnn.synchronize_device(device)
    except Exception as problem:
        text = " ".join(str(problem).split())[:200]
        raise UsageError(f"the operation does not run once more: {text}") from None
    index = one.difference.worst
    leaves = [got for got, _ in pairs(_like(output), output)]
    for leaf in leaves:
        if len(tuple(leaf.shape)) != len(index):
            continue
        host = ttnn.decorators.to_torch_for_comparison(leaf).to(torch.float64)
        if all(at < length for at, length in zip(index, host.shape)):  # noqa: B905 (Python 3.10)
            value = float(host[index])
            if value == one.difference.got or value != value != one.difference.got:
                return say_where(leaf, index)[1]
    raise UsageError(
        "the operation was run once more from the same operands, and its result is another one "
        "there: it depends on what was in memory before, or on a race (--races, --record)"
    )


def _like(output: Any) -> Any:
    """Return torch's tensors in the place of ttnn's."""
    import torch
    import ttnn

    if isinstance(output, (list, tuple)):
        return [_like(each) for each in output]
    return torch.zeros(1) if isinstance(output, ttnn.Tensor) else output


def _put_back(args: Any, kwargs: Any, kept: list[Any] | None) -> None:
    """Put back the operands that the operation has written."""
    import ttnn
    from ttnn.decorators import get_ttnn_tensors, to_torch_for_comparison

    tensors = get_ttnn_tensors((args, kwargs))
    if kept is None or len(kept) != len(tensors):
        return
    for tensor, before in zip(tensors, kept):  # noqa: B905 (Python 3.10)
        if not ttnn.is_tensor_storage_on_device(tensor) or not tensor.is_allocated():
            continue
        now = to_torch_for_comparison(tensor)
        if now.shape != before.shape or difference(tensor, before, SAME).error > SAME:
            host = ttnn.from_torch(before, dtype=tensor.dtype, layout=tensor.layout)
            ttnn.copy_host_to_device_tensor(host, tensor)


def _question(place: str, settings: dict[str, Any]) -> str:
    """Return a place as the server takes it: a tile alone has no name."""
    tile, _, rest = place.partition(" ")
    return rest if settings["alone"] and tile != "DRAM" else place


def _ask(settings: dict[str, Any], command: str) -> str:
    with RspClient(settings["host"], settings["port"], SECONDS) as client:
        client.features()
        return client.monitor(command)


def _say(text: str) -> None:
    print(f"tensix-gdb: {text}", file=sys.stderr, flush=True)
