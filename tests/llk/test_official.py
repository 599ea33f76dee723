# SPDX-License-Identifier: Apache-2.0
"""A sample of Tenstorrent's own LLK tests on our tile, and GDB attached to one of them.

All of them: `scripts/llk`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scripts.examples.llk import attached
from scripts.llktests import seeds
from scripts.llktests.beginning import Beginning
from scripts.llktests.ordering import OrderingTest
from scripts.llktests.race import SEEDS, TEST, first_of_both
from scripts.llktests.seeds import AS_SHIPPED, Seeds, tried
from scripts.llktests.times import RACES, of_folder
from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import LLK, Suite
from tests.core.isa.wheel import wheel
from tests.llk.conftest import Once

LEAST_COVERED = {"blackhole": 123, "wormhole": 78}
TESTS = f"{LLK}/tests/python_tests/"


def without_cycles(text: str) -> str:
    """Take the figures out that each new cost of the model changes."""
    return re.sub(r"cycle \d+", "cycle", text)


@pytest.mark.parametrize("arch", COVERED)
def test_every_file_of_the_suite_is_listed_once(arch: str) -> None:
    names = {
        name.removeprefix(TESTS)
        for name in wheel().namelist()
        if name.startswith(TESTS) and name.rpartition("/")[2].startswith("test_")
    }
    ours = {name for name in names if not name.startswith(("quasar/", "helpers/"))}
    covered, excluded = COVERED[arch], EXCLUDED[arch]
    assert sorted([*covered, *excluded]) == sorted(ours)
    assert len(covered) >= LEAST_COVERED[arch]
    assert all(excluded.values())


SESSIONS = [attached.BLACKHOLE, attached.WORMHOLE]


@pytest.mark.long("LLK's kernels run in tests/gdbstub/kernels and tests/examples/test_planted.py")
@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: str(session.arch))
def test_gdb_in_the_middle_of_one(
    suite: Suite, session: attached.Session, tool: Callable[[str], str]
) -> None:
    tool("gdb-multiarch")
    shown = attached.attached(suite, session)
    assert attached.check(shown, session) == []
    (one,) = shown.outcomes
    assert one.cycles > 1000, one
    assert one.tensix > 30, one
    assert one.instructions > 1000, one


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: str(session.arch))
def test_the_manual_shows_that_session(session: attached.Session) -> None:
    lines = session.block.read().splitlines()
    typed = [line[6:] for line in lines if line.startswith("(gdb) ")]
    assert typed == [command for command, _ in session.commands]


@pytest.mark.long("LLK's kernels run in tests/gdbstub/kernels and tests/examples/test_planted.py")
def test_a_kernel_gives_the_same_in_every_seed(
    suite: Suite, once: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its threads wait for each other by what pages promise, and for RDCFG as kernels do."""
    monkeypatch.setattr(seeds, "run", once)
    test = OrderingTest("test_matmul.py", None, (), variants=1)
    found = tried(test, AS_SHIPPED, suite, Seeds(1, 20))
    assert found.good, (found.problem, found.failed)
    assert found.executions == 20


@pytest.mark.long("LLK's kernels run in tests/gdbstub/kernels and tests/examples/test_planted.py")
def test_a_race_that_a_test_of_the_suite_has_itself(suite: Suite, tmp_path: Path) -> None:
    """Two loads of what the RMWCIB has changed are still under way; and what takes how long."""
    run(suite, [TEST], Choice(1, "1", "latency", "compiled"), str(tmp_path))
    with closing(Beginning(tmp_path / "run-1.core")) as beginning:
        assert beginning.check() == ""
        _, order = first_of_both(beginning, range(1, SEEDS + 1))
    assert "P15  a waiting reader's load of configuration before" in order
    shown = without_cycles(Path("gdbstub/manual/llk.md").read_text(encoding="utf-8"))
    late = [one for one in without_cycles(order).splitlines() if "0xffef0048" in one]
    assert len(late) == 2
    assert [one for one in late if one not in shown] == []
    (time,) = of_folder(TEST, tmp_path, (RACES, "--check all"))
    assert min(time.observed.values()) > 0
    assert time.typical
    assert time.instructions > 2_000
    assert time.tensix == 257  # an RMWCIB for each cycle, and the last
    assert time.milliseconds > 0
