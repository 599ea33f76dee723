# SPDX-License-Identifier: Apache-2.0
"""The five documents with their facts, numbered in the order of each document."""

from __future__ import annotations

from tests.documents.facts.fact import document
from tests.documents.facts.flushdma import MASK, MODEL, PERFORMANCE, SUMMARY
from tests.documents.facts.scalar import CLASSES, ENCODINGS, SOURCES, TOGETHER
from tests.documents.facts.scalar_flushdma import FLUSHDMA
from tests.documents.facts.scalar_models import MODELS
from tests.documents.facts.stallwait import BEGINNING, LATCHING
from tests.documents.facts.stallwait_blocking import BLOCK_MASK_FACTS, IN_ORDER
from tests.documents.facts.stallwait_conditions import MEANINGS
from tests.documents.facts.stallwait_matrix import MATRIX
from tests.documents.facts.stallwait_notes import NOTES
from tests.documents.facts.wait import WAIT
from tests.documents.facts.waitcnt import WAITCNT

DOCUMENTS = (
    document(
        *("000", "STALLWAIT of Blackhole"),
        *(BEGINNING, LATCHING, BLOCK_MASK_FACTS, MATRIX, IN_ORDER, MEANINGS, NOTES),
    ),
    document(
        *("001", "additional Scalar Unit instructions"),
        TOGETHER,
        *(part for name in ENCODINGS for part in (ENCODINGS[name], MODELS[name])),
        *(FLUSHDMA, CLASSES, SOURCES),
    ),
    document("002", "FLUSHDMA of Wormhole", SUMMARY, MODEL, MASK, PERFORMANCE),
    document("003", "WAIT of Intel's vISA", WAIT),
    document("004", "waitcnt of AMD's gfx9", WAITCNT),
)
FACTS = {fact.id: fact for one in DOCUMENTS for fact in one.facts}
