# SPDX-License-Identifier: Apache-2.0
"""The suite of another LLK tree: `--llk DIR`.

DIR is a checkout of tt-metal or of tt-llk. Nothing is written there: its LLK is copied, and the
compiler is the one of the suite that is kept. Headers of tt-metal are found through links. tt-llk
alone has none, and gets those of the wheel. Packages that its tests want in another version get an
environment over the one that is kept.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tensix_gdb.gdbstub.kernels.llk import BLACKHOLE, IN_FOLDER, REQUIREMENT
from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED
from tensix_gdb.gdbstub.llk.copying import LeftOut, bring_up_to_date
from tensix_gdb.gdbstub.llk.suite import (
    COMPILER,
    REQUIREMENTS,
    CannotPrepare,
    Suite,
    cache,
    prepare,
    python_with,
)

# What the suite needs of LLK, and of the folder that its tests find two above themselves.
PARTS = ("common", "tests/helpers", "tests/python_tests", "tests/sources")
HEADERS = ("hw", "hostdevcommon", "tools")
CONFIGURATION = "hw/inc/internal/tt-1xx/blackhole"
# With which the tests share a simulator of any chip. Before, they knew one of Quasar alone.
SIMULATOR = "tests/python_tests/helpers/simulation_server.py"
LEFT_OUT = ("__pycache__", "node_modules")
# What a run of the suite writes into its own folder: two suites may run at once.
OF_A_RUN = shutil.ignore_patterns("running", "built", "*.log")
# Tests of another chip, and modules of helpers that are named like tests.
OTHERS = re.compile("quasar/|helpers/")
PINNED = re.compile(r"^([\w-]+)==([\w.]+)\s*$", re.M)


def add_llk_option(parser: argparse.ArgumentParser) -> None:
    """`--llk DIR`."""
    parser.add_argument(
        "--llk",
        type=Path,
        metavar="DIR",
        help="a checkout of tt-metal or tt-llk, instead of the LLK that is kept",
    )


@contextmanager
def suite_of(llk: Path | None) -> Iterator[Suite]:
    """The suite that is kept, or that of a tree. CannotPrepare if it lacks something."""
    if llk is None:
        yield prepare()
        return
    tree = find_tree(llk)
    kept = prepare()
    with tempfile.TemporaryDirectory(prefix="llk-tree-") as name:
        yield copy_of(tree, Path(name) / "tree", kept)


@contextmanager
def own_suite(llk: Path | None) -> Iterator[Suite]:
    """The suite of a tree, or a copy of the kept one: a run of the kept one waits for others."""
    if llk is not None:
        with suite_of(llk) as suite:
            yield suite
        return
    kept = prepare()
    with tempfile.TemporaryDirectory(prefix="own-", dir=cache()) as name:
        yield linked(kept, Path(name) / "suite")


def linked(suite: Suite, root: Path) -> Suite:
    """A copy of a suite with the same files: on the same disk, and made at once."""
    shutil.copytree(suite.root, root, copy_function=os.link, symlinks=True, ignore=OF_A_RUN)
    return Suite(root, suite.python)


def copy_of(tree: Path, root: Path, kept: Suite) -> Suite:
    """The suite of a tree, copied to `root`; what is there already is brought up to date."""
    suite = Suite(root, python_of(tree, kept))
    _copy(tree, suite, kept)
    return suite


def python_of(tree: Path, kept: Suite) -> Path:
    """The Python that has what the tests of a tree import."""
    others = _other_versions(tree)
    return python_with(kept.python, others) if others else kept.python


def unknown_files(tests: Path, arch: str) -> list[str]:
    """The files of tests that this version knows nothing of: those of another month's LLK."""
    known = set(COVERED[arch]) | set(EXCLUDED[arch])
    paths = tests.rglob("test_*.py")
    names = (path.relative_to(tests).as_posix() for path in paths)
    return sorted(name for name in names if name not in known and not OTHERS.match(name))


def say_unknown(tests: Path, arch: str) -> None:
    """Say which files of tests this version knows nothing of; they run when they are named."""
    for name in unknown_files(tests, arch):
        print(f"{name} is not known to this version: name it to run it", file=sys.stderr)


def covered_by(tests: Path, covered: Sequence[str] = COVERED["blackhole"]) -> Sequence[str]:
    """The covered files that a folder of tests has. Says which it has not."""
    names = [name for name in covered if (tests / name).is_file()]
    for name in covered:
        if name not in names:
            print(f"{name} is covered, and not in this LLK", file=sys.stderr)
    return names


def file_of(test: str) -> str:
    """The file of a test's id."""
    return test.partition("::")[0]


def named_in(tests: Path, named: Sequence[str]) -> Sequence[str]:
    """These tests. CannotPrepare if there is no such file in the folder of tests."""
    for test in named:
        if not (tests / file_of(test)).is_file():
            raise CannotPrepare(f"{file_of(test)} is not among the tests of this LLK")
    return named


def of_chip(tests: Sequence[str], arch: str) -> Sequence[str]:
    """Those of the tests that run on a chip's tile."""
    return [test for test in tests if file_of(test) not in EXCLUDED[arch]]


def find_tree(folder: Path) -> Path:
    """LLK in a checkout. CannotPrepare if there is none, or no tests in it."""
    if not folder.is_dir():
        raise CannotPrepare(f"--llk {folder}: there is no such folder")
    for name in IN_FOLDER:
        root = folder / name
        if (root / BLACKHOLE).is_dir():
            break
    else:
        raise CannotPrepare(
            f"--llk {folder}: is neither a checkout of tt-metal nor one of tt-llk: there is no "
            f"{BLACKHOLE} in it, in tt-llk or in tt_metal/tt-llk"
        )
    missing = [part for part in PARTS if not (root / part).is_dir()]
    if missing:
        raise CannotPrepare(f"--llk {folder}: LLK is there without {', '.join(missing)}")
    if not (root / SIMULATOR).is_file():
        raise CannotPrepare(
            f"--llk {folder}: its tests cannot run Blackhole on a simulator (they have no "
            f"{SIMULATOR}); take LLK from a newer tt-metal"
        )
    return root.resolve()


def _copy(tree: Path, suite: Suite, kept: Suite) -> None:
    """Copy LLK, and link what it includes of tt-metal."""
    print(f"copying {tree} ...", file=sys.stderr)
    try:
        bring_up_to_date(tree, suite.llk, _left_out(tree))
    except OSError as problem:
        raise CannotPrepare(
            f"{tree} cannot be copied: {problem.filename}: {problem.strerror}"
        ) from None
    _link(suite.llk / COMPILER, (kept.llk / COMPILER).resolve())
    metal, repository = tree.parent, tree.parent.parent
    if not (metal / CONFIGURATION / "cfg_defines.h").is_file():
        print(f"{tree}: no headers of tt-metal; taken from {REQUIREMENT}", file=sys.stderr)
        metal, repository = kept.llk.parent, kept.llk.parent.parent
    for name in HEADERS:
        if (metal / name).is_dir():
            _link(suite.llk.parent / name, metal / name)
    if (repository / "ttnn").is_dir():
        _link(suite.llk.parent.parent / "ttnn", repository / "ttnn")


def _link(link: Path, target: Path) -> None:
    link.unlink(missing_ok=True)
    link.symlink_to(target)


def _left_out(tree: Path) -> LeftOut:
    """Return the filter of what is not copied: hidden files, what was made before, Tenstorrent's
    compiler."""

    def ignored(folder: str, names: list[str]) -> list[str]:
        return [
            name
            for name in names
            if name.startswith(".") or name in LEFT_OUT or Path(folder, name) == tree / COMPILER
        ]

    return ignored


def _other_versions(tree: Path) -> list[str]:
    """Packages that the tree's tests want in another version. torch serves in any."""
    path = tree / "tests" / "requirements.txt"
    wanted = dict(PINNED.findall(path.read_text(encoding="utf-8"))) if path.is_file() else {}
    pairs = [requirement.split("==") for requirement in REQUIREMENTS]
    return [
        f"{name}=={wanted[name]}"
        for name, version in pairs
        if name != "torch" and wanted.get(name, version) != version
    ]
