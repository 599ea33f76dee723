# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb seeds`: whole searches, of a reader that only counts on time."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.riscv.pipeline.frontend import LINE, MISS
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.order.seeds import store
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome
from tensix_gdb.gdbstub.order.seeds.crew import Batch, Processes
from tensix_gdb.gdbstub.order.seeds.finding import Plan, carried_out
from tensix_gdb.gdbstub.order.seeds.nops import scan
from tensix_gdb.gdbstub.order.seeds.program import Program, state_of, unpacked
from tensix_gdb.gdbstub.usage import UsageError
from tests.gdbstub.order.seeds.test_seeds import here
from tests.programs import build

__all__ = ["here"]
SEEN = "0x30000+4"
SMALL = ("--seeds=30", "--jobs=1")


def run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str], str]:
    status = main(["seeds", "--dir=.", *options])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


@pytest.fixture
def program(here: Path) -> Program:
    """The two programs, and that the reader has to see 7."""
    machine = Machine(engine="reference")
    with closing(machine):
        machine.load(T0, read_elf("t0.elf"))
        machine.load(T1, read_elf("t1.elf"))
        return Program(
            "reader", state_of(machine), chosen=(SEEN,), same=f"{SEEN}=0x7", most=100_000
        )


def alone(program: Program, seeds: Sequence[int]) -> dict[tuple[int, str, str], str]:
    """Return what each seed gives in this process."""
    found: dict[tuple[int, str, str], str] = {}
    plan = Plan([program], jobs=1, tell=lambda some: found.update((o.key, o.kind) for o in some))
    carried_out(plan, (Case(0, f"random:{seed}") for seed in seeds), len(seeds))
    return found


def test_a_search_says_how_many_and_the_smallest(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines, err = run(capsys, "--state", SEEN, "--same", *SMALL)
    assert (status, err) == (1, "")
    assert lines[0].startswith("30 runs in ")
    assert " of 30 runs are wrong, " in lines[1]
    assert any("as wanted 0x30000+4=0x7" in line for line in lines)
    assert any("other state 0x30000+4=0x0" in line for line in lines)
    (smallest,) = (line for line in lines if line.startswith("    smallest: random:"))
    text = smallest.partition("smallest: ")[2].partition(" (of ")[0]
    assert "delays=" in text
    # The text is a schedule that gives it again.
    again, lines, _ = run(capsys, "--state", SEEN, "--same", "--schedule", text, "--no-smallest")
    assert again == 1
    assert " 1 of 1 runs are wrong" in lines[1]
    # Without any decision the run is right.
    none = f"{text.partition(',')[0]},delays=none,pauses=none"
    assert run(capsys, "--state", SEEN, "--same", "--schedule", none)[0] == 0


@pytest.mark.parametrize("name", ["f.jsonl", "f.sqlite"])
def test_a_search_is_resumed_and_compared(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    wanted = ("--state", SEEN, "--same", "--no-smallest")
    whole = run(capsys, *wanted, *SMALL)[1]
    run(capsys, *wanted, "--seeds=10", "--jobs=1", "--to", name)
    status, lines, _ = run(capsys, *wanted, *SMALL, "--to", name, "--resume")
    assert status == 1
    assert lines[0].startswith("20 runs in ")
    assert lines[1:] == whole[1:]
    lines = run(capsys, *wanted, *SMALL, "--compare", name)[1]
    assert lines[-1].startswith("compared: 30 runs are in both searches; 0 are wrong now")


def test_a_check_of_ones_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "checks.py").write_text(
        "def seen(tile):\n    assert tile.l1.read(0x30000, 'uint32', shape=(1, 1), rows=True)[0][0]"
        " == 7, 'nothing seen'\n"
    )
    status, lines, err = run(capsys, "--check", "checks:seen", *SMALL, "--no-smallest")
    assert (status, err) == (1, "")
    assert any(line.startswith("    first wrong: random:") for line in lines)
    assert lines[-1].endswith(": nothing seen")


def test_a_check_that_raises_is_named_with_its_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "checks.py").write_text("def bad(tile):\n    return 1 / 0\n")
    status, lines, err = run(capsys, "--check", "checks:bad", *SMALL, "--no-smallest")
    assert (status, err) == (1, "")
    assert lines[-1].endswith(": bad raises ZeroDivisionError: division by zero (checks.py:2)")


@pytest.mark.parametrize("name", ["f.jsonl", "f.sqlite"])
def test_a_file_that_cannot_be_written_ends_the_search_and_loses_nothing(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kind = store._Lines if name == "f.jsonl" else store._Tables
    add = kind.add
    lots = []

    def is_full_soon(self: Any, outcomes: Sequence[Outcome]) -> None:
        lots.append(len(outcomes))
        if sum(lots) > 5:
            raise OSError(28, "No space left on device")
        add(self, outcomes)

    wanted = ("--state", SEEN, "--same", "--no-smallest")
    whole = run(capsys, *wanted, *SMALL)[1]
    with monkeypatch.context() as patch:
        patch.setattr(kind, "add", is_full_soon)
        status, lines, err = run(capsys, *wanted, *SMALL, "--to", name)
    assert status == 2
    assert ": 6 runs, all as wanted" in lines[1]
    assert err.startswith(f"tensix-gdb: --to {name}: cannot be written: No space left on device; ")
    assert err.count("\n") == 1
    if name == "f.jsonl":  # a line that was cut off
        with (here / name).open("a") as file:
            file.write('{"program": 0, "exec')
    status, lines, _ = run(capsys, *wanted, *SMALL, "--to", name, "--resume")
    assert lines[0].startswith("25 runs in ")
    assert lines[1:] == whole[1:]


def test_a_line_that_is_no_run_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--state", SEEN, "--seeds=3", "--jobs=1", "--to", "f.jsonl")
    run(capsys, *options)
    lines = (here / "f.jsonl").read_text().splitlines()
    (here / "f.jsonl").write_text("\n".join([*lines[:2], "what", *lines[3:], ""]))
    status, said, err = run(capsys, *options, "--resume")
    assert (status, said) == (2, [])
    assert "f.jsonl: line 3 is no run of `tensix-gdb seeds`: delete it" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seeds=x",), "type how many"),
        (("--schedule=sc",), "one order alone"),
        (("--check=none:f",), "cannot be read"),
        (("--until=nowhere",), "no such symbol"),
        (("--state=what",), "type bytes of L1"),
        (("--same",), "name it"),
        (("--resume",), "name it with --to"),
        (("--vary=T0",), "type a place and lengths"),
        (("--nop=unpack:0:tti_nop:1",), "no function run_kernel"),
        (("--kept=none.core",), "cannot be read"),
        (("--recording=none",), "none"),
        (("--on=nowhere",), "type `local`"),
        (("--schedule=random:1,delays=5",), "type what is decided, as in T0.store.3=37"),
    ],
)
def test_wrong_input_gets_a_sentence(
    here: Path, capsys: pytest.CaptureFixture[str], options: Sequence[str], said: str
) -> None:
    status, lines, err = run(capsys, *options)
    assert status == 2
    assert lines == []
    assert err.startswith("tensix-gdb: ")
    assert err.count("\n") == 1
    assert said in err


def test_a_pause_is_varied(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--schedule=latency", "--state", SEEN, "--same", "--no-smallest", "--jobs=1")
    status, lines, _ = run(capsys, *options, "--vary=late.T0@0x6010:1-400/100")
    assert status in (0, 1)
    assert lines[0].startswith("4 runs in ")


def test_a_litmus_test_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(__file__).resolve().parents[3] / "ordering" / "001-own-stores.litmus"
    status = main(["seeds", "--litmus", str(file), "--seeds=20", "--jobs=1"])
    out = capsys.readouterr().out
    assert status == 0
    assert "20 runs, all as wanted" in out


def test_an_interrupted_search_keeps_what_was_done(program: Program) -> None:
    found: list[Outcome] = []
    plan = Plan([program], jobs=1, tell=found.extend, is_interrupted=lambda: len(found) >= 7)
    carried_out(plan, (Case(0, f"random:{seed}") for seed in range(100)), 100)
    assert len(found) == 7


def test_ctrl_c_in_the_middle_of_a_run(program: Program) -> None:
    """A run may be long, and another Ctrl-C is not needed: it is asked for within the run, too."""
    answers = iter([False])  # before the first run
    plan = Plan([program], jobs=1, is_interrupted=lambda: next(answers, True))
    carried_out(plan, [Case(0, "random:1")], 1)
    assert plan.done == 0


def test_a_program_goes_as_bytes(program: Program) -> None:
    again = unpacked(program.packed())
    assert again.digest == program.digest
    program.most += 1
    assert again.digest != program.digest


def test_a_process_that_dies_costs_its_batch_only(program: Program) -> None:
    seeds = range(1, 61)
    wanted = alone(program, seeds)
    with closing(Processes([program], 2)) as crew:
        for number in range(6):
            some = seeds[10 * number : 10 * number + 10]
            crew.submit(Batch(number, 0, tuple(Case(0, f"random:{seed}") for seed in some)))
        os.kill(crew.processes()[0], signal.SIGKILL)
        found = list(_answers(crew, 6))
    assert [number for number, _ in found] == sorted({number for number, _ in found})
    assert {one.key: one.kind for _, some in found for one in some} == wanted


def _answers(crew: Processes, count: int) -> Iterator[tuple[int, list[Outcome]]]:
    answered: dict[int, list[Outcome]] = {}
    while len(answered) < count:
        for batch, outcomes in crew.done():
            assert batch.number not in answered
            answered[batch.number] = outcomes
    yield from sorted(answered.items())


class TestCluster:
    """Four workers of Dask on this machine."""

    def test_workers_die_and_each_seed_is_answered_once(self, program: Program) -> None:
        pytest.importorskip("distributed")
        from tensix_gdb.gdbstub.order.seeds.cluster import Cluster

        seeds = range(1, 601)
        wanted = alone(program, seeds)
        found: list[Outcome] = []
        with closing(Cluster([program], "local", 4)) as crew:
            pids = list(crew.workers().values())
            assert len(pids) == 4
            size = 50
            for at in range(0, len(seeds), size):
                some = tuple(Case(0, f"random:{seed}") for seed in seeds[at : at + size])
                crew.submit(Batch(at, 0, some))
            left = len(seeds) // size
            while left:
                for _, outcomes in crew.done():
                    left -= 1
                    found += outcomes
                    if pids and len(found) >= size * (6 - len(pids)):
                        os.kill(pids.pop(), signal.SIGKILL) if len(pids) > 2 else pids.clear()
            assert not pids
        assert len(found) == len(seeds)
        assert {one.key: one.kind for one in found} == wanted

    def test_a_worker_dies_while_it_gets_data(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Dask's scheduler looks up all workers, and does not find it."""
        pytest.importorskip("distributed")
        from tensix_gdb.gdbstub.order.seeds import cluster
        from tensix_gdb.gdbstub.order.seeds.cluster import Cluster

        monkeypatch.setattr(cluster, "BETWEEN", 0.0)
        with closing(Cluster([program], "local", 1)) as crew:
            scatter, asked = crew._client.scatter, []

            def scattered(data: object, **options: object) -> object:
                asked.append(options.get("broadcast", False))
                if asked[-1]:
                    raise KeyError("tcp://127.0.0.1:1")
                return scatter(data, **options)

            monkeypatch.setattr(crew._client, "scatter", scattered)
            crew._data[0] = crew._scattered(0)
            assert asked == [True] * cluster.BROADCASTS + [False]
            crew.submit(Batch(0, 0, (Case(0, "random:1"),)))
            found: list[Outcome] = []
            while not found:
                found += [one for _, outcomes in crew.done() for one in outcomes]
        assert {one.key: one.kind for one in found} == alone(program, range(1, 2))

    def test_without_dask_a_sentence_says_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import sys

        from tensix_gdb.gdbstub.order.seeds import cluster

        monkeypatch.setitem(sys.modules, "dask", None)
        with pytest.raises(UsageError, match="pip install"):
            cluster.connect("local")


def test_sites_of_tt_nop_and_their_detour(tmp_path: Path, tool: object) -> None:
    source = Path(__file__).with_name("nops.c")
    elf = build.build(source, "T0", tmp_path / "t0.elf")
    image = read_elf(elf)
    image.hart = T0
    sites = scan(image).sites
    assert [(site.index, site.op) for site in sites] == [(0, "SEMPOST"), (1, "SEMGET")]
    to = tmp_path / "failures.jsonl"
    words = ["seeds", "--elf", f"t0={elf}", "--nop-cave=0x100000", "--schedule=latency"]
    words += ["--state=T0.a0", "--jobs=1", "--to", str(tmp_path / "f.jsonl"), "--nop-to", str(to)]
    assert main([*words, "--nop=unpack:*:auto:0,10,20"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text().splitlines()[1:]]
    cycles = {row["setting"]: row["cycles"] for row in rows}
    assert {"unpack:0:tti_nop:0", "unpack:1:risc_nop:20"} <= set(cycles)
    # Each NOP takes a cycle, and each line of code that is not yet in the instruction cache MISS.
    lines = {count: -(-4 * (count + 2) // LINE) for count in (10, 20)}
    more = cycles["unpack:0:risc_nop:20"] - cycles["unpack:0:risc_nop:10"]
    assert more == 10 + MISS * (lines[20] - lines[10])
    assert to.read_text() == ""


def test_progress_costs_no_process_for_a_short_search(program: Program) -> None:
    begun = time.monotonic()
    plan = Plan([program], jobs=8)
    carried_out(plan, (Case(0, f"random:{seed}") for seed in range(20)), 20)
    assert plan.done == 20
    assert plan.crew is None
    assert plan.seconds <= time.monotonic() - begun + 1
