# SPDX-License-Identifier: Apache-2.0
"""Plans of F5 for a file, and the sentence where nothing can be debugged."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.options.table import COMMANDS
from tensix_gdb.gdbstub.kernels.project import typed_to_run, write_project
from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.vscode import command, llk_test
from tensix_gdb.gdbstub.vscode.plan import plan_for, said

pytestmark = pytest.mark.gdb


@pytest.fixture(autouse=True)
def _gdb(tool: Callable[[str], str]) -> None:
    tool("gdb-multiarch")


@pytest.mark.parametrize("arch", Arch)
@pytest.mark.parametrize("kernel", ["add.c", "add.cpp"])
def test_the_kernel_of_a_new_project(tmp_path: Path, kernel: str, arch: Arch) -> None:
    """Its comment says the command that `new` prints, in lines."""
    write_project(tmp_path, kernel, arch)
    plan = plan_for(tmp_path / kernel)
    assert " ".join(["tensix-gdb run", *plan.run]) == typed_to_run(arch)
    assert plan.build[0] == "build"
    assert ("--arch" in plan.build) == (arch is Arch.WORMHOLE)
    assert ("--get-llk" in plan.build) == (kernel == "add.cpp")
    assert plan.serve[0] == "serve"
    assert "--record" in plan.serve
    assert "--expect" not in plan.serve
    assert plan.serve.count("--tile") == 2


def test_a_kernel_that_says_nothing(tmp_path: Path) -> None:
    kernel = tmp_path / "mine.c"
    kernel.write_text("int main(void) { return 0; }\n", "utf-8")
    plan = plan_for(kernel, ["--schedule", "sc"], record=False)
    assert plan.run == ["--dir", "build"]
    assert plan.build == ["build", "mine.c", "-o", "build"]
    assert plan.serve[-2:] == ["--schedule", "sc"]
    assert "--record" not in plan.serve


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("// RUN: tensix-gdb run --dir out", ["--dir", "out"]),
        ("/* RUN: tensix-gdb run --dir 'a b' */", ["--dir", "a b"]),
        (
            " * RUN: tensix-gdb run --dir out\n * RUN:   --tile 1=a:bf16",
            ["--dir", "out", "--tile", "1=a:bf16"],
        ),
        (
            "// RUN: true\n// RUN: tensix-gdb run --dir x\n// RUN: tensix-gdb run --dir y",
            ["--dir", "x"],
        ),
        ("// tensix-gdb run --dir out", []),
    ],
)
def test_lines_of_a_comment(text: str, options: list[str]) -> None:
    assert said(text, "run") == options


@pytest.mark.parametrize(
    ("text", "build"),
    [
        ('#include "sfpi.h"\n', ["--t1", "a.cpp", "-O", "2", "-o", "build"]),
        ('#include "sfpi.h"\n#ifdef LLK_TRISC_MATH\n#endif\n', ["a.cpp", "-O", "2", "-o", "build"]),
        ('#include <ckernel.h>\n#include "sfpi.h"\n', ["--get-llk", "a.cpp", "-o", "build"]),
        (
            '// RUN: tensix-gdb build --t1 a.cpp\n// RUN:   -O 1 -D X=2\n#include "sfpi.h"\n',
            ["--t1", "a.cpp", "-O", "1", "-D", "X=2", "-o", "build"],
        ),
        (
            "// RUN: tensix-gdb run --dir out --arch wormhole\n",
            ["a.cpp", "--arch", "wormhole", "-o", "out"],
        ),
        (
            "// RUN: tensix-gdb build a.cpp -o x\n// RUN: tensix-gdb run --dir x\n",
            ["a.cpp", "-o", "x"],
        ),
    ],
)
def test_how_a_kernel_is_built(tmp_path: Path, text: str, build: list[str]) -> None:
    """SFPI's values are in no memory, and its kernels say no hart."""
    kernel = tmp_path / "a.cpp"
    kernel.write_text(text, "utf-8")
    assert plan_for(kernel).build == ["build", *build]


def test_a_script_of_ttnn(tmp_path: Path) -> None:
    """Of several tiles the first ones are attached to, each as a process."""
    script = tmp_path / "add.py"
    script.write_text("import torch, ttnn\n", "utf-8")
    plan = plan_for(script)
    assert plan.serve[0] == "ttnn"
    assert plan.serve[-2:] == ["--", "add.py"]
    assert plan.connect == []
    line = "a T core has left reset; waiting for a debugger: gdb -ex 'target remote 127.0.0.1:{}'"
    assert re.search(plan.ready, line.format(plan.serve[plan.serve.index("--port") + 1]))
    many = plan_for(script, ["--tiles", "2x2"])
    assert [line for line in many.connect if line.startswith("attach")] == [
        f"attach {number}" for number in range(1, 5)
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.py", "print(1)\n", "does not import ttnn"),
        ("a.txt", "text", "no kernel"),
        ("a.c", "// RUN: tensix-gdb run --dir 'a\n", "no closing quotation"),
        ("a.c", None, "cannot be read"),
    ],
)
def test_what_cannot_be_debugged(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(UsageError, match=said):
        plan_for(tmp_path / name)


def test_it_is_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_project(tmp_path, "add.c")
    assert main(["vscode", "--plan", str(tmp_path / "add.c"), "--", "--schedule", "sc"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["folder"] == str(tmp_path)
    assert plan["serve"][-2:] == ["--schedule", "sc"]
    assert main(["vscode", "--attach"]) == 0
    assert "set osabi none" in json.loads(capsys.readouterr().out)["commands"]


def test_an_editor_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vscode", "--", "x"]) == 2
    assert "come with --plan" in capsys.readouterr().err


def test_a_part_of_the_extension_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.vsix"

    def copied(source: Path, to: Path) -> None:
        to.write_bytes(b"PK")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(command, "built", lambda: tmp_path / "built.vsix")
    monkeypatch.setattr(command.shutil, "copyfile", copied)
    assert main(["vscode", "-o", str(path)]) == 2
    assert "No space left" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("test", ["", "test_add"])
def test_a_test_of_llk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, test: str) -> None:
    """It runs first; the session, `diagnose` and `run` begin with what it has kept."""
    folder = tmp_path / "tt-llk" / "tests" / "python_tests"
    folder.mkdir(parents=True)
    file = folder / "test_sum.py"
    file.write_text("from helpers.test_config import TestConfig\n", "utf-8")
    monkeypatch.setitem(COMMANDS, "llk", COMMANDS["run"])
    plan = plan_for(folder / f"{file.name}::{test}" if test else file)
    assert plan.kind == "LLK test"
    assert plan.root == str(tmp_path / "tt-llk")
    assert plan.build[:3] == ["llk", "--llk", str(tmp_path / "tt-llk")]
    assert plan.build[-1] == ("test_sum.py::test_add" if test else "test_sum.py")
    core = str(Path(plan.build[plan.build.index("--keep") + 1]) / "test_sum.py" / "run-1.core")
    assert plan.serve[:3] == ["serve", "--core", core]
    assert (plan.run, plan.diagnose) == (["--from", core], ["--kept", core])
    # What was kept is debugged again, until a file of the suite is newer.
    monkeypatch.setattr(llk_test, "PACKAGE", tmp_path / "tt-llk")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = folder / f"{file.name}::{test}" if test else file
    first = plan_for(path)
    kept = Path(first.run[1])
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"")
    assert (plan_for(path).build, plan_for(path).serve) == ([], first.serve)
    later = kept.stat().st_mtime + 1
    os.utime(file, (later, later))
    assert plan_for(path).build == first.build
    file.rename(tmp_path / file.name)
    with pytest.raises(UsageError, match="in no tt-llk"):
        plan_for(tmp_path / file.name)


SAYS = """\
from helpers.test_config import TestConfig

def test_none(): ...

{head}
    return {{"test_name": "{source}"}}
"""


@pytest.mark.parametrize(
    ("head", "test"),
    [("def test_sums():", "::test_sums"), ("def prepared():", "")],
)
def test_a_kernel_of_llk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, test: str
) -> None:
    """The test that compiles it is run: the kernel's parameters are in a header that this writes.
    Of several the one of the same name is meant."""
    tests, sources = tmp_path / "tests" / "python_tests", tmp_path / "tests" / "sources"
    tests.mkdir(parents=True)
    sources.mkdir()
    for name in ("test_a.py", "test_sum.py"):
        text = SAYS.format(head=head, source="sources/sum_test.cpp")
        (tests / name).write_text(text, "utf-8")
    kernel = sources / "sum_test.cpp"
    kernel.write_text('#include "ckernel.h"\nvoid run_kernel() {}\n', "utf-8")
    monkeypatch.setitem(COMMANDS, "llk", COMMANDS["run"])
    plan = plan_for(kernel)
    assert plan.kind == "LLK test"
    assert plan.build[-1] == f"test_sum.py{test}"
    kernel.rename(sources / "other.cpp")
    with pytest.raises(UsageError, match=r"no test of .* compiles this kernel"):
        plan_for(sources / "other.cpp")
