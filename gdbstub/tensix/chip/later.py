# SPDX-License-Identifier: Apache-2.0
"""Capabilities that only clients ask for: made, and their modules loaded, at the first question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class _Later:
    """Stands for an object that is made when an attribute of it is wanted."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make
        self._made: object = None

    def _object(self) -> object:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._object(), name)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Of the object: `isinstance` asks for it."""
        return type(self._object())


def later(make: Callable[[], T]) -> T:
    """Return what stands for the object that `make` returns, which is no special method's."""
    return cast("T", _Later(make))
