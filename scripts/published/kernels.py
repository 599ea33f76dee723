# SPDX-License-Identifier: Apache-2.0
"""The times of LLK's performance tests here, for the figures that are of kernels.

`perf_*.py` of the suite are run by `scripts/llk perf`, with --speed-of-light; their reports are
read from a folder. Which row of a report a figure is of is said by `ROWS`: columns and values.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.llktests import perf
from scripts.published.compare import Beside
from scripts.published.figures import Figure


class CannotMeasure(Exception):
    """The suite cannot be run; one sentence."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The way to run a figure's kernel: pytest's -k, and what its row of the report has."""

    choose: str
    row: Mapping[str, str]


_PACK = "l1_acc:{} and num_blocks:{} and num_tiles_in_block:{} and loop_factor:{}"
_REDUCE = Kernel(
    "formats:Float16_b- and Float16_b-dest_acc and reduce_dim:Row and pool_type:Max", {}
)
_TILIZE = Kernel("formats:Float16_b- and Float16_b-rt_dim:2 and ct_dim:2", {})
_FP8 = Kernel("formats:Fp8_e4m3- and Bfp8_b-rt_dim:8 and ct_dim:8", {})
# By id. Where -k leaves one variant, its row needs no columns.
ROWS: Mapping[str, Kernel] = {
    "pack.4": Kernel(_PACK.format("No", 1, 4, 128), {}),
    "pack.8": Kernel(_PACK.format("No", 1, 8, 128), {}),
    "pack.2x4": Kernel(_PACK.format("No", 2, 4, 512), {}),
    "pack.acc": Kernel(_PACK.format("Yes", 2, 4, 512), {}),
    "pack.one": _REDUCE,
    "reduce.max.math": _REDUCE,
    "reduce.max.unpack": _REDUCE,
    "tilize.f16.bfp8": Kernel("formats:Float16- and Bfp8_b-rt_dim:5 and ct_dim:2", {}),
    "tilize.fp8.e2e": _FP8,
    "tilize.fp8.64": _FP8,
    "tilize.pack": _TILIZE,
    "tilize.unpack": _TILIZE,
    "exp.appx": Kernel(
        "formats:Float16_b- and Float16_b-approx_mode:Yes and mathop:Exp-dest_acc:No and "
        "fast_mode:Yes",
        {},
    ),
}


def measure(figures: Iterable[Figure], reports: Path | None) -> list[Beside]:
    """Run what the figures of kernels want, or read it; those without a report are left out."""
    wanted = [one for one in figures if one.id in ROWS]
    if reports is not None:
        return [row for one in wanted for row in _read(one, reports)]
    found = []
    with tempfile.TemporaryDirectory(prefix="published-") as temporary:
        for one in wanted:
            choose = ROWS[one.id].choose
            folder = Path(temporary) / f"{one.what} {choose}"
            if not folder.exists():
                more = ("--only", choose, "--variants", "0", "--to", str(folder))
                if perf.main([one.what, *more]) == 2:
                    raise CannotMeasure("LLK's suite cannot be set up: `scripts/llk perf` says why")
            found += _read(one, folder)
    return found


def _read(one: Figure, folder: Path) -> list[Beside]:
    """The figure's row of a report in the folder, or in a folder of its name there."""
    report = f"{Path(one.what).stem}.post.csv"
    for path in (folder / one.id / report, folder / report):
        if path.exists():
            for row in perf.rows_of(path):
                columns = perf.variant_of(row)
                mine = ROWS[one.id].row.items()
                if all(columns.get(name) == value for name, value in mine):
                    ours = perf.means(row).get(one.run_type)
                    if ours is not None:
                        return [Beside(one, ours)]
    return []
