# SPDX-License-Identifier: Apache-2.0
"""A fact of a document: a sentence of this project, and what the product makes of it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace


class Standing(enum.Enum):
    """The fate of a fact."""

    KEPT = "as the document says"
    OVERRULED = "otherwise, for a reason"
    NO_CHECK = "nothing to check"


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: `found` asks the product, and its answer has to be `expected`.

    `reason` stands in place of a check, or says what overrules the document; a check then shows
    what the product does.
    """

    sentence: str
    found: Callable[[], object] | None = None
    expected: object = True
    reason: str = ""
    id: str = ""

    @property
    def standing(self) -> Standing:
        if self.found is None:
            return Standing.NO_CHECK
        return Standing.OVERRULED if self.reason else Standing.KEPT


@dataclass(frozen=True, slots=True)
class Document:
    """The facts of one document, in its order, with ids such as 000-17."""

    number: str
    title: str
    facts: tuple[Fact, ...]

    def count(self, standing: Standing) -> int:
        """Return how many of its facts have this standing."""
        return sum(fact.standing is standing for fact in self.facts)


def document(number: str, title: str, *parts: Sequence[Fact]) -> Document:
    """A document with the facts of its parts, numbered from 1 on."""
    facts = [fact for part in parts for fact in part]
    numbered = (replace(fact, id=f"{number}-{n}") for n, fact in enumerate(facts, 1))
    return Document(number, title, tuple(numbered))
