# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb llk`: its words, the chips of tests, files that are not known; and one real job."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.llk import running
from tensix_gdb.gdbstub.llk.command import check_excluded
from tensix_gdb.gdbstub.llk.job.command import place_of
from tensix_gdb.gdbstub.llk.options import LlkOptions
from tensix_gdb.gdbstub.llk.running import Choice, Outcome
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import covered_by, named_in, of_chip, say_unknown
from tests.llk.test_tree import checkout

TEST = "test_eltwise_unary_datacopy.py"
PACK = "tt_llk_blackhole/llk_lib/llk_pack.h"


def options(*words: str) -> LlkOptions:
    found = parse(["llk", *words]).options
    assert isinstance(found, LlkOptions)
    return found


@pytest.mark.parametrize(
    ("words", "named", "of_pytest"),
    [
        ("", (), ()),
        ("a.py --ci b.py::t[x-1]", ("a.py", "b.py::t[x-1]"), ()),
        ("--ci a.py -- -k Float16 --maxfail=1", ("a.py",), ("-k", "Float16", "--maxfail=1")),
        ("--every -- -x", (), ("-x",)),
    ],
)
def test_words_go_to_their_pytest(
    words: str, named: tuple[str, ...], of_pytest: tuple[str, ...]
) -> None:
    found = options(*words.split())
    assert (found.named, found.of_pytest) == (named, of_pytest)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--ci --races", "--ci reports everything"),
        ("--baseline a.json", "are for --ci"),
        ("--schedule random", "type sc, latency"),
        ("--variants -1", "is no number from 0 on"),
        ("a.py -- -n 2", "-n of pytest runs tests at once, and here each test has the only tile: "),
        ("-- --numprocesses=2", "leave it out, or run pytest by itself on as many tiles as "),
        ("-- -n4", "workers (`tensix-gdb manual llk`)\n"),
    ],
)
def test_words_that_do_not_go_together(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["llk", *words.split()])
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 2
    assert said in capsys.readouterr().err


def test_a_file_that_one_chip_covers() -> None:
    check_excluded(["test_hadamard.py"], ["blackhole", "wormhole"])
    with pytest.raises(CannotPrepare, match=r"test_hadamard\.py is excluded: "):
        check_excluded(["test_hadamard.py::test[1]"], ["wormhole"])
    assert of_chip(["test_hadamard.py", TEST], "wormhole") == [TEST]


def test_files_of_another_month(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (TEST, "test_of_next_month.py", "quasar/test_q.py", "helpers/test_config.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    say_unknown(tmp_path, "blackhole")
    assert capsys.readouterr().err == (
        "test_of_next_month.py is not known to this version: name it to run it\n"
    )
    assert covered_by(tmp_path, ["test_gone.py", TEST]) == [TEST]
    assert capsys.readouterr().err == "test_gone.py is covered, and not in this LLK\n"
    assert named_in(tmp_path, ["test_of_next_month.py"]) == ["test_of_next_month.py"]


def test_a_suite_that_ends_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests that have not come to their turn are not forgotten in silence."""
    passed = Outcome("a.py::one", "passed", "", 1.0)
    monkeypatch.setattr(running, "started", lambda *given, **named: None)
    monkeypatch.setattr(running, "finished", lambda process: None)
    monkeypatch.setattr(running, "joined", lambda folder: [passed])
    suite, choice = Suite(tmp_path, tmp_path), Choice(1, "1", "latency", "compiled")
    found = running.run(suite, ["a.py", "-k", "b"], choice)
    assert [(one.test, one.outcome) for one in found] == [
        ("a.py::one", "passed"),
        ("a.py", "not ended"),
    ]


@pytest.mark.long("keys, files and what a test has built are looked at without a run")
def test_a_job_runs_what_has_changed(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A test of LLK with a race: new, and in the baseline; nothing changed; a comment in a header
    that it does not use, and in one that it does."""
    llk = checkout(suite, tmp_path / "metal")
    monkeypatch.chdir(tmp_path)
    asked = ["llk", "--ci", "--llk", str(tmp_path / "metal"), "--variants", "1", "--seeds", "2"]
    asked += ["--results", str(tmp_path / "kept"), TEST]

    def job(*more: str) -> tuple[int, str]:
        status = main([*asked, *more])
        return status, capfd.readouterr().out.splitlines()[-2]

    pack = llk / PACK
    before = pack.read_text(encoding="utf-8")
    line = "    ckernel::ckernel_template::run();\n"
    store = "    ckernel::tensix_sync();\n    *reinterpret_cast<volatile std::uint32_t*>"
    store += "(0xffef0000 + 4 * 70) = 0;\n    TTI_RDCFG(60, 70);\n"
    pack.write_text(before.replace(line, store + line), encoding="utf-8")
    try:
        status, said = job()
        assert status == 1
        assert "1 run, 0 with the same ELF files, 0 kept" in said
        (run,) = json.loads((tmp_path / "llk-reports/results.sarif").read_text())["runs"]
        uris = {
            place["physicalLocation"]["artifactLocation"]["uri"]
            for one in run["results"]
            for place in one["locations"]
        }
        assert f"tt_metal/tt-llk/{PACK}" in uris  # there is no .git: as of the folder of --llk
        assert job("--write-baseline")[0] == 0
        status, said = job()
        assert (status, "0 run, 0 with the same ELF files, 1 kept; 0 new" in said) == (0, True)
        other = llk / "tt_llk_blackhole/llk_lib/experimental/llk_math_hadamard.h"
        other.write_text(f"{other.read_text()}// more\n")
        assert "0 run, 0 with the same ELF files, 1 kept" in job()[1]
        changed = pack.read_text(encoding="utf-8")
        pack.write_text(f"{changed}// more\n", encoding="utf-8")
        status, said = job()
        assert (status, "0 run, 1 with the same ELF files, 0 kept" in said) == (0, True)
        pack.write_text(changed, encoding="utf-8")
        status, said = job()
        assert (status, "0 run, 0 with the same ELF files, 1 kept; 0 new" in said) == (0, True)
    finally:
        shutil.rmtree(place_of(llk), ignore_errors=True)
