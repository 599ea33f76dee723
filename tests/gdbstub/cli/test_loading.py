# SPDX-License-Identifier: Apache-2.0
"""The modules that each command loads, as `python -X importtime` lists them: a budget in modules,
not seconds.

A module is 0.2 to 0.5 ms. Measured with Python 3.11: --help 128, manual 143, explain 354, asm 364.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tensix_gdb.core.race.checks import table as sync_checks
from tensix_gdb.core.race.state import table as state_checks
from tensix_gdb.gdbstub.cli.options import races
from tests.layers.style import ROOT

SLOW = {"llvmlite", "trio", "rich", "numpy", "shtab", "pygments", "pytest", "mcp", "pydantic"}
# The command, the most modules, and what it must do without besides SLOW.
BUDGETS = [
    (("--help",), 131, {"construct", "elftools", "difflib", "json"}),
    (("manual",), 147, {"construct", "elftools", "json"}),
    (("explain", "STALLWAIT(B3, C10)"), 374, {"elftools", "difflib", "json"}),
    (("isa", "SFPMAD"), 374, {"elftools", "json"}),
    (("asm", "NOP"), 377, {"json"}),
]


def loaded(*command: str) -> list[str]:
    """The modules in the order in which they are ready."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        cwd=ROOT,
        env={name: text for name, text in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return [row.rpartition("|")[2].strip() for row in rows[1:]]


@pytest.mark.parametrize(
    ("command", "most", "without"), BUDGETS, ids=[row[0][0] for row in BUDGETS]
)
def test_budget(command: tuple[str, ...], most: int, without: set[str]) -> None:
    modules = loaded("-m", "tensix_gdb.gdbstub", *command)
    assert "tensix_gdb.gdbstub.cli.parser" in modules
    assert {name.partition(".")[0] for name in modules} & (SLOW | without) == set()
    assert len(modules) <= most


def test_the_options_of_all_commands_load_no_machine() -> None:
    """They are all declared for completion, and before memory is measured that a command asks
    for (test_poor_machines.py)."""
    modules = loaded("-c", "from tensix_gdb.gdbstub.cli.parser import parser; parser()")
    assert {name.partition(".")[0] for name in modules} & SLOW == set()
    assert not [name for name in modules if name.startswith("tensix_gdb.core.machine")]
    assert len(modules) <= 160


def test_the_machine_comes_without_what_a_first_run_does_without() -> None:
    """Files of ELF, observers, and what makes machine code are loaded when they are wanted."""
    modules = loaded("-c", "from tensix_gdb.core.machine import Machine")
    without = SLOW | {"elftools", "tempfile", "shutil", "random"}
    assert {name.partition(".")[0] for name in modules} & without == set()
    ours = {name.removeprefix("tensix_gdb.core.") for name in modules}
    assert "machine.machine" in ours
    assert not ours & {"race.observer", "race.findings", "race.state.checks", "engine.ir"}
    assert not [name for name in ours if name.startswith(("engine.low", "dwarf", "origin"))]
    assert len(modules) <= 645


def test_the_server_of_a_host_loads_what_an_opening_takes() -> None:
    """A host without clients, reports and observers does without what they need."""
    modules = loaded(
        "-c",
        "import tensix_gdb.gdbstub.host.library.command, tensix_gdb.gdbstub.host.library.calls, "
        "tensix_gdb.gdbstub.host.simulator.many",
    )
    ours = [name.removeprefix("tensix_gdb.") for name in modules if name.startswith("tensix_gdb.")]
    rooms = ("protocol.commands", "protocol.rsp.packets", "tensix.monitor", "tensix.documents")
    later = tuple(f"gdbstub.{room}." for room in (*rooms, "tensix.races", "order", "pages.page"))
    assert not [name for name in ours if name.startswith(later)]
    assert not {"llvmlite", "elftools"} & {name.partition(".")[0] for name in modules}
    assert len(ours) <= 659


def test_a_command_seldom_looks_for_garbage() -> None:
    """All that it loads stays. Python by itself looks through it after each 700 objects."""
    code = (
        "import gc; from tensix_gdb.gdbstub.cli.main import main\n"
        "before = gc.get_stats()[0]['collections']\n"
        "main(['disasm', '0x02000000'])\n"
        "print(gc.get_stats()[0]['collections'] - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout.split()[-1]) < 4, done.stdout


def test_names_that_are_written_twice_to_load_less() -> None:
    assert races.GROUPS == state_checks.GROUPS
    assert races.DEFAULT == sync_checks.DEFAULT


def test_pytest_pays_little_for_the_plugin() -> None:
    """It is loaded in every run of pytest of an environment that has the package."""
    before = set(loaded("-c", "import pytest, _pytest.config"))
    added = set(loaded("-c", "import tensix_gdb.gdbstub.pytest_plugin")) - before
    assert {name for name in added if name.partition(".")[0] in SLOW - {"pytest"}} == set()
    assert len([name for name in added if name.startswith("tensix_gdb.")]) <= 20, sorted(added)
