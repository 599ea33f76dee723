# SPDX-License-Identifier: Apache-2.0
"""Fixtures of users that take `tile`, set up anew for each seed of a test.

pytest sets up a fixture once for a test, and a test of many seeds is one. So what depends on the
tile is torn down and set up again, with the tile of the seed in place of the first one. The other
fixtures stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.fixtures import TopRequest

if TYPE_CHECKING:
    from _pytest.fixtures import FixtureDef

GIVEN = ("tile", "tile_schedule")  # those of the plugin


class Anew:
    """The fixtures of a test that depend on its tile."""

    def __init__(self, item: pytest.Function) -> None:
        self._item = item
        self._definitions = item._fixtureinfo.name2fixturedefs
        self._dependents = list(self._found())

    def arguments(self, **given: object) -> dict[str, Any]:
        """Set the fixtures up with these values of the plugin's; the arguments of the test."""
        self.tear_down()
        for name, value in given.items():
            own = self._definitions[name][0]
            if own.cached_result is not None:
                own.cached_result = (value, own.cached_result[1], None)
        request = TopRequest(self._item, _ispytest=True)
        for name in self._item.fixturenames:
            if any(one.argname == name for one in self._dependents):
                request.getfixturevalue(name)
        return {name: request.getfixturevalue(name) for name in self._item._fixtureinfo.argnames}

    def tear_down(self) -> None:
        """Tear them down, the last one first. Those that are already do nothing."""
        for one in reversed(self._dependents):
            one.finish(self._item._request)

    def _found(self) -> Iterator[FixtureDef[Any]]:
        """Return them in the order in which pytest sets them up."""
        known: dict[FixtureDef[Any], bool] = {}
        for name in self._item.fixturenames:
            for one in self._definitions.get(name, ()):
                if self._depends(one, known) and not self._is_given(one):
                    yield one

    def _is_given(self, one: FixtureDef[Any]) -> bool:
        return one.argname in GIVEN and one is self._definitions[one.argname][0]

    def _depends(self, one: FixtureDef[Any], known: dict[FixtureDef[Any], bool]) -> bool:
        """True if a fixture is the plugin's, or takes one that depends on it."""
        if self._is_given(one):
            return True
        if one not in known:
            known[one] = False  # of a circle, which pytest refuses
            known[one] = any(self._depends(taken, known) for taken in self._fixtures_taken(one))
        return known[one]

    def _fixtures_taken(self, one: FixtureDef[Any]) -> Iterator[FixtureDef[Any]]:
        for name in one.argnames:
            several = self._definitions.get(name, ())
            if name == one.argname:  # a fixture that overrides another one takes that
                several = several[: list(several).index(one)]
            yield from several[-1:]
