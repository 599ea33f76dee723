# SPDX-License-Identifier: Apache-2.0
"""scripts/bench ttnn: what rows say, rows in which a simulator dies, samples, and the tables."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.benchmark.chip import sampled
from scripts.benchmark.chip.run import KEYS, OPEN, Row, Run, read_rows, sampled_folder
from scripts.benchmark.chip.sampled import COMPILER, IMPORTS, MESSAGES, NATIVE, PYTHON, cause_of
from scripts.benchmark.chip.shares import Sample, Share, read_samples, shares_of
from scripts.benchmark.chip.tables import CHIPS, ROWS, profile_table, table
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions

ROOT = Path(__file__).resolve().parents[2]
SPINS = """
import time
from pathlib import Path
from scripts.benchmark.chip import sampled
def spin():
    end = time.process_time() + 0.2
    while time.process_time() < end:
        sum(range(1000))
"""
RUNS = ((0.02, 0.06, 3.0, 3.1), (0.01, 0.05, 3.1, 3.2))
SAID = [
    "the library prints something",
    '{"begins": "open_device"}',
    json.dumps({"row": OPEN, "runs": [dict(zip(KEYS, RUNS[0], strict=True))], "right": True}),
    '{"begins": "add 64"}',
    json.dumps(
        {
            "row": "add 64",
            "runs": [dict(zip(KEYS, run, strict=True)) for run in RUNS],
            "right": True,
        }
    ),
    '{"begins": "gelu 64"}',
]


def test_the_best_run_counts_and_a_row_that_ends_the_process_is_said() -> None:
    rows = read_rows(SAID, "one\nERROR: UnimplementedFunctionality: sfpu\n\n")
    assert list(rows) == ["open_device", "add 64", "gelu 64"]
    assert rows["add 64"].best() == Run(0.01, 0.05, 3.1, 3.2)
    assert rows["gelu 64"].best() is None
    assert rows["gelu 64"].why == "ERROR: UnimplementedFunctionality: sfpu"


def test_a_run_that_closes_its_device_has_no_row_of_that() -> None:
    said = ['{"begins": "close_device"}', '{"row": "close_device", "runs": [], "right": true}']
    assert read_rows(said, "") == {}
    assert read_rows(said[:1], "") == {}  # as ttsim, which ends the process there


def test_each_sample_has_a_cause() -> None:
    below = [("/x/gdbstub/host/library/calls.py", "_serve"), ("/y/trio/_core/_run.py", "run")]
    for file, function, cause in (
        ("/x/core/chip/together.py", "run", NATIVE),
        ("/x/core/chip/together.py", "due", PYTHON),
        ("/x/core/engine/compiled.py", "call", NATIVE),
        ("/x/gdbstub/host/library/channel.py", "pump", MESSAGES),
        ("/y/trio/_core/_run.py", "unrolled_run", MESSAGES),
        ("/x/core/engine/dependencies.py", "canonical", COMPILER),
        ("/x/gdbstub/host/simulator/launches.py", "_launched", PYTHON),
        ("<frozen importlib._bootstrap>", "_find_and_load", IMPORTS),
    ):
        found, name = cause_of([(file, function), *below])
        assert (found, name.split()[-1]) == (cause, function), file
    inner = ("/x/core/isa/schema.py", "word32")
    assert cause_of([inner, ("<frozen importlib._bootstrap>", "_load"), *below])[0] == IMPORTS


def test_a_row_has_the_samples_of_its_time() -> None:
    run = Run(0.0, 0.0, 10.0, 11.0)
    rows = {"add 64": Row("add 64", [run]), "exp 64": Row("exp 64", [Run(0.0, 0.0, 12.0, 13.0)])}
    samples = [
        Sample(9.9, 1.0, NATIVE, "a"),
        Sample(10.1, 0.3, NATIVE, "a"),
        Sample(10.2, 0.1, PYTHON, "b"),
        Sample(11.0, 0.1, PYTHON, "c"),
    ]
    (share,) = shares_of(samples, rows)
    assert (share.row, round(share.of_all(NATIVE), 3)) == ("add 64", 0.6)
    assert "| add 64 | 60 | 0 | 0 | 0 | 40 | b 20, c 20 |" in profile_table([share])


def test_the_table_has_ratios_and_what_died() -> None:
    def row(name: str, seconds: float) -> Row:
        return Row(name, [Run(seconds / 2, seconds / 2, 0.0, 1.0)], right=True)

    columns = {
        "latency": {"add 64": row("add 64", 0.08)},
        "sc": {"add 64": Row("add 64", why="Aborted")},
        "ttsim": {"add 64": row("add 64", 0.02)},
    }
    text = table(columns)
    assert "| add 64 | 0.040 + 0.040 | dies | 0.020 | 4.0 |  | 4 |" in text
    assert "sc: add 64: Aborted" in text
    assert "| add 64 | 0.040 + 0.040 | 4 |" in table({"latency": columns["latency"]})
    text = table(columns, CHIPS["wormhole"])
    assert " 64 tiles, slow dispatch" in text
    assert "| add 64 | 0.040 + 0.040 | dies | 0.020 | 4.0 |  |\n" in text


@pytest.mark.parametrize("arch", list(CHIPS))
def test_the_server_of_a_folder_is_sampled(tmp_path: Path, arch: str) -> None:
    library, samples = sampled_folder(tmp_path / "folder", SimulatorOptions(tiles="2x2"), arch)
    assert ("--arch wormhole" in library.with_name("serve.sh").read_text("utf-8")) is (
        arch == "wormhole"
    )
    script = library.with_name("serve.sh").read_text("utf-8")
    assert f"sampled.py {samples} -v simulator" in script
    assert "-m tensix_gdb" not in script


def test_the_sampler_sees_imports(tmp_path: Path) -> None:
    file = tmp_path / "samples"
    command = [sys.executable, str(Path(sampled.__file__)), str(file), "isa", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:5]) == (0, "usage"), done.stderr
    samples = read_samples(file)
    assert any(sample.cause == IMPORTS for sample in samples)
    assert 0 < sum(sample.used for sample in samples) < 60


def test_all_rows_of_the_chapter_are_wanted() -> None:
    assert ROWS[0].name == OPEN
    assert len({row.name for row in ROWS}) == len(ROWS) == 14
    for chip in CHIPS.values():
        assert chip.block.begin in chip.block.page.read_text("utf-8")
    assert profile_table([Share("add 64", Counter(), Counter())]).count("\n") == 5


def test_all_time_is_given_to_what_was_done(tmp_path: Path) -> None:
    """In a process of its own: pytest has a timer, too."""
    file, code = tmp_path / "samples", SPINS
    code += (
        f"sampler = sampled.Sampler(Path({str(file)!r})); sampler.start(); spin(); sampler.end()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    samples = read_samples(file)
    spun = sum(sample.used for sample in samples if sample.function.endswith(" spin"))
    assert 0.1 < spun <= sum(sample.used for sample in samples) < 1
    assert not sampled._write(tmp_path, ["no file"])
