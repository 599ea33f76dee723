# SPDX-License-Identifier: Apache-2.0
"""A tree, results and reports of a job, as a run would have made them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.llk.job.findings import findings_of
from tensix_gdb.gdbstub.llk.job.inputs import Tree
from tensix_gdb.gdbstub.llk.job.known import Known
from tensix_gdb.gdbstub.llk.job.report import Failure, Job
from tensix_gdb.gdbstub.llk.job.store import Result

UNPACK, PACK = "tt_llk_blackhole/llk_lib/llk_unpack_A.h", "tt_llk_blackhole/llk_lib/llk_pack.h"
TEST = "test_unpack_A.py::test_unpack[tile:1]"


def tree_at(folder: Path) -> Tree:
    """LLK in a checkout of tt-metal."""
    llk = folder / "tt_metal" / "tt-llk"
    files = {
        UNPACK: "void a();\n",
        PACK: "void b();\n",
        "tests/python_tests/conftest.py": "",
        "tests/python_tests/helpers/test_config.py": "",
        "tests/python_tests/test_unpack_A.py": "",
        "tests/python_tests/test_other.py": "",
        "tests/helpers/ld/math.ld": "",
    }
    for name, text in files.items():
        (llk / name).parent.mkdir(parents=True, exist_ok=True)
        (llk / name).write_text(text)
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "tt_metal/hw/inc").mkdir(parents=True, exist_ok=True)
    (folder / "tt_metal/hw/inc/tensix.h").write_text("")
    return Tree(llk)


def side(instruction: str, *lines: tuple[str, int, str]) -> dict[str, Any]:
    """A side of a report."""
    chain = [{"file": file, "line": line, "function": name} for file, line, name in lines]
    return {"instruction": instruction, "pc": 0x6A10, "chain": chain, "agent": "T0"}


EARLIER = side(
    *("sw", (f"tt_metal/tt-llk/{UNPACK}", 412, "_llk_unpack_A_")),
    ("tt_metal/tt-llk/tests/sources/a.cpp", 45, "run_kernel"),
)
LATER = side("UNPACR", (f"tt_metal/tt-llk/{PACK}", 12, "_llk_pack_<true>"))
NOWHERE = side("sw")


def race(identity: str = "1a", check: str | None = None, **more: Any) -> dict[str, Any]:
    """A report."""
    return {
        "identity": identity,
        "check": check,
        "verdict": "race",
        "place": {"name": "cfg word 76"},
        "earlier": EARLIER,
        "later": LATER,
        "page": "BabyRISCV/MemoryOrdering.md",
        "text": "RACE 1  write, then read\n    a <b> & c",
        **more,
    }


def result(test: str = TEST, outcome: str = "passed", **more: Any) -> Result:
    """A test that has run."""
    given = {
        "reason": "" if outcome == "passed" else "E   assert False",
        "seconds": 1.5,
        "cycles": 100,
        "faults": [],
        "elfs": ["e1"],
        "deps": [f"tt_metal/tt-llk/{UNPACK}"],
    }
    return Result(test, outcome, **{**given, **more})


def job_of(tree: Tree, results: Sequence[Result], known: Known | None = None) -> Job:
    """A job on Blackhole, judged."""
    known = known or Known()
    found = Job(tree, {"blackhole": list(results)}, compiler="SFPI 7.87.0")
    found.findings = findings_of("blackhole", results)
    for one in found.findings:
        known.judge(one)
    for one in results:
        if not one.passed:
            found.failures.append(Failure("blackhole", one, *known.of_test("blackhole", one.test)))
    found.unused = [str(row) for row in known.unused]
    return found
