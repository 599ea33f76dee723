# SPDX-License-Identifier: Apache-2.0
"""The plugin of LLK's pytest: what a test has built, of which files, and what is not run again."""

from __future__ import annotations

import hashlib
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from tensix_gdb.gdbstub.llk.running import INSIDE

Plugin = dict[str, Any]


@pytest.fixture
def plugin() -> Plugin:
    return runpy.run_path(str(INSIDE / "tensix_gdb_llk_built.py"))


class Config:
    """As much of the suite's class as is wrapped: it writes an ELF file and what it is made of."""

    ARTEFACTS_DIR: Path
    SHARED_DIR: Path
    TESTS_WORKING_DIR: Path
    content = b"one"

    def __init__(self) -> None:
        self.test_name, self.variant_id = "sources/a.cpp", "v1"

    def build_elfs(self) -> None:
        folder = self.ARTEFACTS_DIR / self.test_name / self.variant_id / "elf"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "math.elf").write_bytes(self.content)
        (folder / "math.elf.d").write_text(f"math.o: ../a\\ b.h \\\n {self.ARTEFACTS_DIR}/c.h\n")


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Config]:
    class Own(Config):
        ARTEFACTS_DIR = tmp_path / "built"
        SHARED_DIR = tmp_path / "built" / "shared"
        TESTS_WORKING_DIR = tmp_path / "tests"

    Own.SHARED_DIR.mkdir(parents=True)
    (Own.SHARED_DIR / "brisc.elf").write_bytes(b"brisc")
    module = SimpleNamespace(TestConfig=Own, run_shell_command=lambda command, cwd: command)
    monkeypatch.setitem(sys.modules, "helpers.test_config", cast(ModuleType, module))
    return Own


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_what_a_test_has_built(plugin: Plugin, config: type[Config], tmp_path: Path) -> None:
    plugin["watch"]()
    plugin["begin"]("a.py::test")
    config().build_elfs()
    found = plugin["of_test"]()
    assert found["kernels"] == ["v1"]
    assert found["elfs"] == [_hash(b"brisc"), _hash(b"one")]
    assert found["deps"] == [str(tmp_path / "a b.h"), str(tmp_path / "built" / "c.h")]
    assert found["unknown"] == []


def test_the_same_elf_files_are_not_run(
    plugin: Plugin, config: type[Config], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "known"
    known.write_text(json.dumps({"a.py::test": [_hash(b"brisc"), _hash(b"one")]}))
    monkeypatch.setenv("LLK_KNOWN", str(known))
    plugin["watch"]()
    plugin["begin"]("a.py::test")
    with pytest.raises(pytest.skip.Exception, match=plugin["UNCHANGED"]):
        config().build_elfs()
    plugin["begin"]("a.py::test")
    monkeypatch.setattr(Config, "content", b"other")
    config().build_elfs()
    plugin["begin"]("a.py::another")
    config().build_elfs()


def test_an_llk_that_builds_otherwise(plugin: Plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said what it lacks."""
    for module, said in (
        (SimpleNamespace(), "helpers/test_config.py has no TestConfig.build_elfs"),
        (SimpleNamespace(TestConfig=Config), "helpers/test_config.py has no run_shell_command"),
    ):
        monkeypatch.setitem(sys.modules, "helpers.test_config", cast(ModuleType, module))
        plugin["watch"]()
        assert plugin["of_test"]()["unknown"] == [said]


def test_the_compiler_writes_what_it_reads(plugin: Plugin) -> None:
    change: Callable[[Any], Any] = plugin["with_dependencies"]
    more = ["-MD", "-MF", "/b/elf/math.elf.d"]
    assert change(["/x/bin/riscv-tt-elf-g++", "-", "-o", "/b/elf/math.elf"])[-3:] == more
    text = "/x/bin/riscv-tt-elf-g++ -O3 -o /b/elf/math.elf a.cpp"
    assert change(text) == f"{text} {' '.join(more)}"
    for other in (["/x/bin/objcopy", "-o", "/b/x.elf"], "/x/bin/g++ --version", ["lcov"]):
        assert change(other) == other


def test_a_compiler_makes_such_a_rule(
    plugin: Plugin, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    (tmp_path / "a b.h").write_text("#define A 1\n")
    source = tmp_path / "a.cpp"
    source.write_text('#include "a b.h"\nint a = A;\n')
    compiler = tool("riscv64-unknown-elf-gcc")
    rule = tmp_path / "a.d"
    subprocess.run(
        [compiler, "-MD", "-MF", rule, "-c", "-o", tmp_path / "a.o", source],
        check=True,
        cwd=tmp_path,
    )
    found = plugin["dependencies"](rule.read_text(), str(tmp_path))
    assert found == [str(source), str(tmp_path / "a b.h")]
