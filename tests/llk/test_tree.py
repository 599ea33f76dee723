# SPDX-License-Identifier: Apache-2.0
"""`scripts/llk --llk DIR`: another LLK is what runs, and nothing is written there."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite, python_with
from tensix_gdb.gdbstub.llk.tree import PARTS, SIMULATOR, find_tree, suite_of

TEST = "test_eltwise_unary_datacopy.py"
PACK = "tt_llk_blackhole/llk_lib/llk_pack.h"
LINE = "    ckernel::ckernel_template::run();\n"


def _tree(folder: Path) -> Path:
    """The parts of a tree, empty."""
    for part in ("tt_llk_blackhole", *PARTS):
        (folder / part).mkdir(parents=True)
    (folder / SIMULATOR).parent.mkdir()
    (folder / SIMULATOR).touch()
    return folder


@pytest.mark.parametrize("above", ["", "tt-llk", "tt_metal/tt-llk"])
def test_llk_is_found_in_a_checkout(tmp_path: Path, above: str) -> None:
    tree = _tree(tmp_path / above)
    assert find_tree(tmp_path) == tree.resolve()


def test_a_folder_that_is_no_llk(tmp_path: Path) -> None:
    with pytest.raises(CannotPrepare, match=r"/none: there is no such folder$"):
        find_tree(tmp_path / "none")
    with pytest.raises(CannotPrepare, match="is neither a checkout of tt-metal nor one of tt-llk"):
        find_tree(tmp_path)


def test_an_llk_that_lacks_a_part(tmp_path: Path) -> None:
    shutil.rmtree(_tree(tmp_path) / "tests" / "sources")
    with pytest.raises(CannotPrepare, match=r"LLK is there without tests/sources$"):
        find_tree(tmp_path)


def test_an_llk_whose_tests_know_no_simulator(tmp_path: Path) -> None:
    (_tree(tmp_path) / SIMULATOR).unlink()
    with pytest.raises(CannotPrepare, match="its tests cannot run Blackhole on a simulator"):
        find_tree(tmp_path)


@pytest.mark.parametrize("command", ["race", "seeds", "sweep", "times"])
def test_every_command_has_the_option(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(f"scripts.llktests.{command}")
    assert module.main(["--llk", str(tmp_path / "none")]) == 2
    said = capsys.readouterr().err
    assert said == f"llk {command}: --llk {tmp_path / 'none'}: there is no such folder\n"


@pytest.mark.parametrize("more", [[], ["--ci"]])
def test_the_command_of_the_package_has_it(
    tmp_path: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["llk", *more, "--llk", str(tmp_path / "none")]) == 2
    said = capsys.readouterr().err
    assert said == f"tensix-gdb: --llk {tmp_path / 'none'}: there is no such folder\n"


@pytest.fixture
def kept(suite: Suite) -> Suite:
    """The suite that is kept, beside that of a tree."""
    return suite


def checkout(kept: Suite, folder: Path) -> Path:
    """A checkout of tt-metal, as far as LLK's tests use it."""
    llk = folder / "tt_metal" / "tt-llk"
    shutil.copytree(kept.llk, llk, symlinks=True)
    for name in ("hw", "hostdevcommon", "tools"):
        (llk.parent / name).symlink_to(kept.llk.parent / name)
    return llk


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below, with its size and time."""
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            stat = os.lstat(Path(root, name))
            found[str(Path(root, name))] = stat.st_size, stat.st_mtime_ns
    return found


@pytest.mark.long("the options and the tree are looked at in this file without a run")
def test_the_changed_tree_is_what_runs(kept: Suite, tmp_path: Path) -> None:
    """With a race before each MOP of the packer, which is reported; and nothing is written there.
    A store to configuration, and an instruction after it that reads the word. T2 has synchronised
    before: else it is some tiles ahead, and its store also comes before the RDCFG of an earlier
    one."""
    llk = checkout(kept, tmp_path)
    before = (llk / PACK).read_text(encoding="utf-8")
    assert LINE in before
    store = "    *reinterpret_cast<volatile std::uint32_t*>(0xffef0000 + 4 * 70) = 0;\n"
    store = f"    ckernel::tensix_sync();\n{store}"
    (llk / PACK).write_text(
        before.replace(LINE, f"{store}    TTI_RDCFG(60, 70);\n{LINE}"), encoding="utf-8"
    )
    files = _files(tmp_path)
    choice = Choice(1, "1", "latency", "compiled", ("--races",))
    with suite_of(tmp_path) as suite:
        assert suite.python == kept.python
        found = [race for one in run(suite, [TEST], choice) for race in one.races]
        copy = suite.root
    assert not copy.exists()
    assert _files(tmp_path) == files
    texts = [race["text"] for race in found if "RDCFG" in race["text"]]
    assert texts, [race["text"] for race in found]
    sides = [line for line in texts[0].splitlines() if "llk_pack.h:" in line]
    assert [line.split()[0] for line in sides[:1]] == ["T2"], texts[0]
    assert "TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG) before llk_pack.h:" in texts[0]


@pytest.mark.long("the options and the tree are looked at in this file without a run")
def test_what_a_changed_tree_does_wrong_is_said(
    kept: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A header that does not compile, a plugin of pytest that fails, a test that is not there."""
    llk = checkout(kept, tmp_path)
    source = (llk / PACK).read_text(encoding="utf-8")
    (llk / PACK).write_text(f"#error changed by us\n{source}", encoding="utf-8")
    asked = ["llk", "--llk", str(llk), "--variants", "1", TEST]
    assert main(asked) == 1
    assert "#error changed by us" in capsys.readouterr().out
    (llk / "tests/python_tests/conftest.py").write_text("raise ImportError('broken by us')\n")
    assert main(asked) == 1
    assert "ImportError: broken by us" in capsys.readouterr().out
    assert main(["llk", "--llk", str(llk), "test_none.py"]) == 2
    assert (
        "tensix-gdb: test_none.py is not among the tests of this LLK\n" in capsys.readouterr().err
    )


@pytest.mark.long("the options and the tree are looked at in this file without a run")
def test_a_tree_that_wants_another_version_of_a_package(kept: Suite) -> None:
    """The environment has it, and the packages of the one that is kept."""
    python = python_with(kept.python, ["termcolor==3.1.0"])
    code = "import numpy, importlib.metadata as m; print(numpy.__file__, m.version('termcolor'))"
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith(str(kept.python.parent.parent))
    assert said.endswith(" 3.1.0\n")
