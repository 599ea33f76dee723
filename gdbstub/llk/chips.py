# SPDX-License-Identifier: Apache-2.0
"""The files of the suite that run on the tile of each chip, and why the others do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensix_gdb.gdbstub.llk import covered, covered_wormhole

COVERED: Mapping[str, Sequence[str]] = {
    "blackhole": covered.COVERED,
    "wormhole": covered_wormhole.COVERED,
}
EXCLUDED: Mapping[str, Mapping[str, str]] = {
    "blackhole": covered.EXCLUDED,
    "wormhole": covered_wormhole.EXCLUDED,
}
