# SPDX-License-Identifier: Apache-2.0
"""Every fact of the five documents: what the product answers is what the row expects."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.explain.instruction.block import Generated
from tests.documents.facts.documents import DOCUMENTS, FACTS
from tests.documents.facts.fact import Fact, Standing
from tests.documents.facts.table import TABLES

CHECKED = [fact for fact in FACTS.values() if fact.standing is not Standing.NO_CHECK]
COUNTED_BEFORE = 318  # by a reader who was no part of the project


@pytest.mark.parametrize("fact", CHECKED, ids=lambda fact: fact.id)
def test_fact(fact: Fact) -> None:
    assert fact.found is not None
    assert fact.found() == fact.expected, fact.sentence


def test_ids_are_unique() -> None:
    ids = [fact.id for one in DOCUMENTS for fact in one.facts]
    assert len(ids) == len(set(ids)) == len(FACTS) >= COUNTED_BEFORE
    assert all(re.fullmatch(r"00[0-4]-\d+", one) for one in ids)


def test_each_sentence_is_said_once_in_a_document() -> None:
    for one in DOCUMENTS:
        sentences = [fact.sentence for fact in one.facts]
        assert len(sentences) == len(set(sentences))
        assert all(sentence.endswith(".") for sentence in sentences)


def test_what_has_no_check_has_a_reason() -> None:
    assert [fact.id for fact in FACTS.values() if not fact.found and not fact.reason] == []


@pytest.mark.parametrize(("generated", "make"), TABLES, ids=["tests/README.md", "manual"])
def test_the_tables_count_them(generated: Generated, make: object) -> None:
    assert callable(make)
    assert generated.read() == make(), f"run `{generated.maker}`"
