# SPDX-License-Identifier: Apache-2.0
"""Stages that do not agree: one unit writes in a format, and another reads in another one.

The shadow keeps how each row of Dst (even and odd columns), each bank of SrcA and SrcB and each
line of L1 was written last: layout, kind of datum, format, instruction, cycle. A stage that reads
it is asked for its own. Nothing is said where one of the two is not known: what ZEROACC has
cleared, what a T core, SFPLOADMACRO or the host has written, bits that a move carries in a
format that it configures.

    table.py    F1 to F9                fields.py   the shadow
    dst.py      F1, F2: Dst             sources.py  F5, F6: SrcA, SrcB
    whole.py    F4, F9: tiles in Dst    tiles.py    F3, F7, F8: L1, strides
    carried.py  formats of requests     outside.py  those of DRAM and of other tiles
    copied.py   formats of what a hart copies
    reports.py  both stages, their fields and the writers

The functions run on the hooks of the observer of races while `state.on` has Group.STAGES. What has
written a field is in the log of core/race/state/config.py.
"""
