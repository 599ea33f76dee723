# SPDX-License-Identifier: Apache-2.0
"""The demo's committed ELFs are what their sources give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.programs import build
from tests.tools import unavailable


def test_the_committed_elfs_are_what_the_sources_give(
    tool: Callable[[str], str], demo_elfs: dict[str, Path], tmp_path: Path
) -> None:
    tool(build.GCC)
    if build.compiler_version() != build.COMPILER:
        unavailable(f"the demo's ELFs come from {build.GCC} {build.COMPILER}; here is another one")
    for hart, built in build.build_demo(tmp_path).items():
        assert built.read_bytes() == demo_elfs[hart].read_bytes(), (
            f"{demo_elfs[hart].name} is not what its source gives: run scripts/build-programs"
        )


def test_the_examples_elfs_are_what_the_sources_give(
    tool: Callable[[str], str], tmp_path: Path
) -> None:
    tool(build.GCC)
    if build.compiler_version() != build.COMPILER:
        unavailable(f"the example's ELFs come from {build.GCC} {build.COMPILER}")
    for built in build.build_ring(tmp_path).values():
        assert built.read_bytes() == (build.RING / built.name).read_bytes()


def test_no_path_of_the_machine_that_built_it_is_in_an_elf(demo_elfs: dict[str, Path]) -> None:
    for path in demo_elfs.values():
        content = path.read_bytes()
        assert path.with_suffix(".c").name.encode() in content
        for place in (b"/home", b"/work", b"/tmp", b"/root", b"/usr"):
            assert place not in content
