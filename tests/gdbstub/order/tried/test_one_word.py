# SPDX-License-Identifier: Apache-2.0
"""S7 and S8: a write of a whole word becomes RMWCIB, and a mutex is put around what two cores
change; the bugs are those of the manual."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scripts.examples.races import bugs
from scripts.examples.races.bugs import BUGS, SOURCE
from scripts.examples.races.tried import tried_bug
from tensix_gdb.gdbstub.order.tried.mutex import Mutex
from tensix_gdb.gdbstub.order.tried.patch import diff_of, patches_of
from tensix_gdb.gdbstub.order.tried.source import Source
from tensix_gdb.gdbstub.order.tried.whole_word import InPlace

WHOLE_WORD, CHANGES = (next(one for one in BUGS if one.checks == (name,)) for name in ("S7", "S8"))


def diff_and_gone(number: int, folder: Path) -> tuple[list[str], tuple[int, ...], object]:
    """The lines of the diff of what has ended the finding, and what else is gone."""
    bug = next(one for one in BUGS if one.number == number)
    found, places, machine = tried_bug(bug, folder)
    (one,) = found
    machine.close()
    assert one.ended is one.tries[0]
    lines = diff_of(patches_of(one.ended, places, one.report)).splitlines()
    own = [line for line in lines[2:] if line[0] in "+-"]
    return own, one.ended.gone, one.ended.remedy


def test_a_whole_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SOURCE.parent)
    lines, gone, remedy = diff_and_gone(WHOLE_WORD.number, tmp_path)
    assert isinstance(remedy, InPlace)
    assert gone == (1,)  # the race of the same write
    assert lines[:2] == [
        "-    WRCFG(4, RELU);",
        "+    TTI_RMWCIB0(0xfe, 0x40, ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR32);",
    ]


def test_a_mutex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both cores call one function, so it is in the diff once."""
    monkeypatch.chdir(SOURCE.parent)
    lines, gone, remedy = diff_and_gone(CHANGES.number, tmp_path)
    assert isinstance(remedy, Mutex)
    assert gone == (1, 2, 3, 4)
    assert [line.split() for line in lines] == [
        ["+", "TTI_ATGETM(0);"],
        ["+", "tensix_sync();"],
        ["+", "TTI_STALLWAIT(p_stall::STALL_SYNC,", "p_stall::TRISC_CFG);"],
        ["+", "TTI_ATRELM(0);"],
    ]


def test_a_statement_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text("int f(void)\n{\n    g(1,\n      2);\n    return 0;\n}\n")
    source = Source(path)
    above, indent = source.beside(4, before=True)
    text = source.with_lines([(above, indent, "h();")], left_out=[source.statement(4)])
    assert text == "int f(void)\n{\n    h();\n    return 0;\n}\n"


@pytest.mark.parametrize(
    ("store", "value"),
    [("CONFIG(RELU) = 0x40;", "0x40"), ("CONFIG(RELU) |= 0x40;", "CONFIG(RELU) | (0x40)")],
)
def test_a_whole_word_that_a_core_stores(
    store: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its value is that of the statement; the diff is compiled, and the finding is gone."""
    sources = tmp_path / "races"
    shutil.copytree(SOURCE.parent, sources, ignore=shutil.ignore_patterns("*.elf", "__pycache__"))
    path = sources / SOURCE.name
    text = SOURCE.read_text()
    path.write_text(text.replace("WRCFG(4, RELU);", store).replace("= CONFIG(RELU);", "= 0;"))
    monkeypatch.chdir(sources)
    monkeypatch.setattr(bugs, "SOURCE", path)
    found, places, machine = tried_bug(WHOLE_WORD, tmp_path)
    machine.close()
    one = next(each for each in found if each.report.check == "S7")
    assert one.ended is not None
    (patch,) = patches_of(one.ended, places, one.report)
    lines = [line for line in diff_of([patch]).splitlines()[2:] if line[0] in "+-"]
    assert lines[0] == f"-    {store}"
    assert [line[1:].split(" /*")[0].strip() for line in lines[1:]] == [
        "{",
        f"const unsigned whole = {value};",
        "*(volatile unsigned *)0xffe40000 = 0xb3fe0002u | (whole & 0xfe) << 8;",
        *(
            f"*(volatile unsigned *)0xffe40000 = 0xb{3 + byte}ff0002u | "
            f"(whole >> {8 * byte} & 0xff) << 8;"
            for byte in (1, 2, 3)
        ),
        "}",
    ]
    path.write_text(patch.after)
    again, _, machine = tried_bug(WHOLE_WORD, tmp_path)
    machine.close()
    assert [each.report.check for each in again if each.report.check == "S7"] == []
