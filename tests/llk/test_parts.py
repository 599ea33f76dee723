# SPDX-License-Identifier: Apache-2.0
"""Programs of T cores that kernels have in common: which, and that the compiler makes each once."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from tensix_gdb.gdbstub.llk.running import INSIDE

PLUGIN = INSIDE / "tensix_gdb_llk_parts.py"
HEADER = """# 1 "/kernel/{kernel}/build.h" 1
constexpr int USED = {used};
constexpr std::uint32_t UNUSED = {unused};
constexpr auto OF_A_CONSTANT = ckernel::Fidelity::HiFi{inner};
constexpr int BY_USED = OF_A_CONSTANT;
struct RuntimeParams {{
int loops;
}};
# 3 "source.cpp" 2
int kernel() {{ return USED + BY_USED; }}
constexpr int OF_THE_SOURCE = 3;
"""


def needed(kernel: str = "a", used: int = 1, unused: int = 2, inner: int = 3) -> list[str]:
    text = HEADER.format(kernel=kernel, used=used, unused=unused, inner=inner)
    return cast(list[str], runpy.run_path(str(PLUGIN))["needed"](text))


def test_a_constant_that_nothing_names_makes_no_other_program() -> None:
    """One that a needed constant names is needed."""
    same = needed()
    assert needed("b", unused=7) == same
    assert needed(used=7) != same
    assert needed(inner=4) != same
    assert "constexpr int OF_THE_SOURCE = 3;" in same
    assert "int loops;" in same


def compiler(ran: list[list[str]]) -> Any:
    def run_shell_command(command: list[str], cwd: object = None, text: object = None) -> object:
        ran.append(command)
        Path(command[-1]).write_text(f"ELF of {text}")
        return subprocess.CompletedProcess(command, 0, None, "")

    return run_shell_command


def test_a_program_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that cannot be preprocessed is compiled, so that the suite says why it fails."""
    ran: list[list[str]] = []
    config = SimpleNamespace(run_shell_command=compiler(ran))
    monkeypatch.setitem(sys.modules, "helpers.test_config", cast(ModuleType, config))
    monkeypatch.setenv("LLK_PARTS", str(tmp_path / "parts"))
    runpy.run_path(str(PLUGIN))["watch"]()
    for kernel in ("a", "b"):
        (tmp_path / kernel / "elf").mkdir(parents=True)
    fake = tmp_path / "g++"  # prints what it is given, as a preprocessor does
    fake.write_text('#!/bin/sh\nread line\n[ "$line" != bad ] && echo "$line"\n')
    fake.chmod(0o755)

    def compiled(kernel: str, text: str, *options: str) -> str:
        output = tmp_path / kernel / "elf" / "math.elf"
        words = [str(fake), f"-I{tmp_path / kernel}", *options, "-o", str(output)]
        config.run_shell_command(words, str(tmp_path), text)
        return output.read_text()

    assert compiled("a", "int a;\n") == "ELF of int a;\n"
    assert compiled("b", "int a;\n") == "ELF of int a;\n"
    assert len(ran) == 1
    assert compiled("b", "int a;\n", "-DX") == "ELF of int a;\n"
    assert compiled("b", "int b;\n") == "ELF of int b;\n"
    assert compiled("b", "bad\n") == "ELF of bad\n"
    assert compiled("b", "bad\n") == "ELF of bad\n"
    assert len(ran) == 5
    monkeypatch.setenv("LLK_PARTS", "")
    config.run_shell_command = compiler(ran)
    before = config.run_shell_command
    runpy.run_path(str(PLUGIN))["watch"]()
    assert config.run_shell_command is before
