# SPDX-License-Identifier: Apache-2.0
"""LLK of other months, with the performance tests of then: each version of the wheel ttnn has both.

A published figure is of the LLK of its day. The wheels of the package registry are some weeks
apart; where a change lies between two of them, files of the one are put into the other.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.published.edits import apply
from tensix_gdb.gdbstub.kernels import user_cache, wheels
from tensix_gdb.gdbstub.kernels.llk import PLATFORM
from tensix_gdb.gdbstub.kernels.user_cache import said_if_unwritable, turn
from tensix_gdb.gdbstub.llk.suite import LLK, WANTED, Suite, prepare
from tensix_gdb.gdbstub.llk.tree import copy_of

TESTS = LLK / "tests/python_tests"
OF_PYTHON = ("--python-version", "3.10", "--abi", "cp310")
# SFPI 7.87 assembles no Tensix instruction without the extension, and B's start has some.
_B = (re.compile(r'(ARCH_NON_COMPUTE = "-mcpu=tt-(?:bh|wh))"'), r'\1-tensix"')
# What a test measures, before the suite had a variable for it.
_RUN_TYPES = re.compile(r"(?s)((?:ALL_PERF_RUN_TYPES = |run_types=)\[).*?\]")

_OPERATIONS = re.compile(r"( mathop=\[)")


def wheel_of(version: str) -> Path:
    """The wheel of a version of ttnn, downloaded if it is not kept."""
    name = f"ttnn-{version}-cp310-cp310-{PLATFORM}.whl"
    kept = user_cache.cache() / "wheels" / name
    with said_if_unwritable():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with turn(kept):
            if not kept.exists():
                with TemporaryDirectory(dir=kept.parent) as new:
                    requirement = f"ttnn=={version}"
                    into = Path(new)
                    wheels.download(requirement, name, PLATFORM, into, *OF_PYTHON).rename(kept)
    return kept


@dataclass(frozen=True, slots=True)
class Month:
    """LLK as of a version of ttnn. `swapped` has files of its tt_metal that are those of another
    version, `edits` names rules of edits.py that change it."""

    version: str
    swapped: Mapping[str, Sequence[str]]
    edits: Sequence[str] = ()


@contextmanager
def suite_of_month(
    month: Month, test: str, run_types: Sequence[str], operations: Sequence[str]
) -> Iterator[Suite]:
    """The suite of a month, in which a test measures these run types, and these operations with
    its own ones."""
    with TemporaryDirectory(prefix="llk-month-") as name:
        root = Path(name) / "wheel"
        of_month(root, month, test, run_types, operations)
        yield copy_of(root / LLK, Path(name) / "suite", prepare())


def of_month(
    root: Path, month: Month, test: str, run_types: Sequence[str], operations: Sequence[str]
) -> None:
    """Unpack what `suite_of_month` is of."""
    with zipfile.ZipFile(wheel_of(month.version)) as source:
        source.extractall(root, [one for one in source.namelist() if WANTED.match(one)])
    for other, files in month.swapped.items():
        with zipfile.ZipFile(wheel_of(other)) as source:
            for file in files:
                source.extract(f"ttnn/tt_metal/{file}", root)
    for name in month.edits:
        apply(name, root / "ttnn/tt_metal")
    _change(root / TESTS / "helpers/test_config.py", *_B)
    named = ", ".join(f"PerfRunType.{one}" for one in run_types)
    for file in (test, "helpers/perf.py", "helpers/perf/core.py"):
        _change(root / TESTS / file, _RUN_TYPES, rf"\1{named}]")
    own = (root / TESTS / test).read_text("utf-8")
    more = [f"MathOperation.{one}, " for one in operations if f"MathOperation.{one}," not in own]
    _change(root / TESTS / test, _OPERATIONS, rf"\1{''.join(more)}")


def _change(file: Path, old: re.Pattern[str], new: str) -> None:
    if file.is_file():
        file.write_text(old.sub(new, file.read_text("utf-8")), "utf-8")
