# SPDX-License-Identifier: Apache-2.0
"""The five documents that the wait instructions are written from, fact by fact.

    000  STALLWAIT of Blackhole                 stallwait, stallwait_blocking, stallwait_matrix,
                                                stallwait_conditions, stallwait_notes
    001  additional Scalar Unit instructions    scalar, scalar_models, scalar_flushdma, flushing
    002  FLUSHDMA of Wormhole                   flushdma, flushing
    003  WAIT of Intel's vISA                   wait
    004  waitcnt of AMD's gfx9                  waitcnt

A fact is a row: a sentence of this project, and a question to the product (`explain`, `core.waits`,
the assembler, the machine on both engines) with the answer that it has to give. A fact that nothing
can show, or that a page of the ISA documentation overrules, has a reason. `tests.documents` beside
this folder has tests that cover many rows at once; here each row has a name that can fail.

A reader who was no part of the project once counted 318 facts in the documents. There are more rows
here, because some of his are split: a condition into what it waits for and whose work that is, a
mode into its name and its operation, a mask into one row for each bit.

    pytest tests/documents/facts                    all of them
    pytest tests/documents/facts -k 000-17          one
    python -m tests.documents.facts.table           write the tables that count them
"""
