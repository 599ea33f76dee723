# SPDX-License-Identifier: Apache-2.0
"""Sequences of operations: drawn, cut down, said, and one run by LLK's fuser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.fuzz.command import _write_json
from tensix_gdb.gdbstub.fuzz.cut import Cut, cut_down
from tensix_gdb.gdbstub.fuzz.draw import KINDS, Definition, drawn
from tensix_gdb.gdbstub.fuzz.known import Known
from tensix_gdb.gdbstub.fuzz.reductions import count_of, first_wrong, key_of
from tensix_gdb.gdbstub.fuzz.trial import End, Runner, Trial
from tensix_gdb.gdbstub.fuzz.words import lines_of
from tensix_gdb.gdbstub.llk.running import Choice
from tensix_gdb.gdbstub.llk.suite import Suite
from tensix_gdb.gdbstub.usage import UsageError

DRAWN = 300
MOST_LINES = 9
MOST_TRIED = 20
NOTHING = Suite(Path("/nothing"), Path("/nothing"))


def test_a_seed_gives_the_same_sequence() -> None:
    assert drawn("1 7", 3) == drawn("1 7", 3)
    assert drawn("1 7", 3) != drawn("1 8", 3)


def test_what_is_drawn_fits_together() -> None:
    seen: set[str] = set()
    for number in range(DRAWN):
        definition = drawn(f"fits {number}", 3)
        operands = {one["name"]: one for one in definition["operands"]}
        filled = {name for name, one in operands.items() if "stimuli" in one}
        for stage in definition["operations"]:
            first, *_ = stage["math"]
            seen.add(first["operation"])
            inputs = [operands[first[name]] for name in ("in0", "in1") if name in first]
            assert {one["name"] for one in inputs} <= filled
            kinds = {one["format"] in KINDS["A"] for one in inputs}
            assert len(kinds) == 1  # SrcA and SrcB have one kind of exponent
            (pack,) = stage["pack"]
            rows, columns = operands[pack["output"]]["dims"]
            high, wide = pack["block_size"]
            assert (rows % high, columns % wide) == (0, 0)
            if first["operation"].startswith("Matmul"):
                assert inputs[0]["dims"][1] == inputs[1]["dims"][0]
                assert [rows, columns] == [inputs[0]["dims"][0], inputs[1]["dims"][1]]
            filled.add(pack["output"])
    wanted = {"Datacopy", "Elwadd", "Elwmul", "Elwsub", "Matmul", "MatmulNoMop", "Reduce"}
    assert seen == wanted


def needs_a_product_of_bfp8(definition: Definition) -> End:
    """A defect that is made up: HiFi4 products with an operand of Bfp8_b are wrong."""
    formats = {one["name"]: one["format"] for one in definition["operands"]}
    for stage in definition["operations"]:
        for node in stage["math"]:
            inputs = [formats[node[name]] for name in ("in0", "in1") if name in node]
            if node.get("math_fidelity") == "HiFi4" and "Bfp8_b" in inputs:
                return End.WRONG
    return End.RIGHT


def outputs_of(definition: Definition) -> list[dict[str, object]]:
    """As its golden finds them: an output is wrong if its operation alone is, and all after it."""
    good, found = True, []
    for stage in definition["operations"]:
        good &= needs_a_product_of_bfp8({**definition, "operations": [stage]}) is End.RIGHT
        found.append({"name": stage["pack"][0]["output"], "good": good})
    return found


def ran(definitions: dict[str, Definition]) -> dict[str, Trial]:
    return {
        name: Trial(one, needs_a_product_of_bfp8(one), "", outputs_of(one))
        for name, one in definitions.items()
    }


def test_what_is_left_is_what_matters() -> None:
    failing = {
        f"seed-1-{number}": Trial(definition, End.WRONG, "", outputs_of(definition))
        for number in range(DRAWN)
        if needs_a_product_of_bfp8(definition := drawn(f"1 {number}", 3)) is End.WRONG
    }
    assert len(failing) > 3
    assert {first_wrong(one) for one in failing.values()} == {0, 1, 2}
    rounds = []

    def counted(definitions: dict[str, Definition]) -> dict[str, Trial]:
        rounds.append(len(definitions))
        return ran(definitions)

    found = cut_down(failing, counted)
    assert set(found) == set(failing)
    # All together take as many runs of the suite as the longest alone.
    alone = []
    for name, trial in failing.items():
        taken = len(rounds)
        (alone_too,) = cut_down({name: trial}, counted).values()
        assert (alone_too.least, alone_too.tried) == (found[name].least, found[name].tried)
        alone.append(len(rounds) - taken)
    assert len(rounds) - sum(alone) == max(alone)
    for name, cut in found.items():
        trial, least = failing[name], cut.least
        assert least.end is End.WRONG
        assert cut.complete
        assert 0 < cut.tried <= MOST_TRIED
        assert len(key_of(least.definition)) < len(key_of(trial.definition))
        assert count_of(least.definition) == 1
        (stage,) = least.definition["operations"]
        (node,) = stage["math"]
        assert node["math_fidelity"] == "HiFi4"
        assert "transpose_faces" not in node
        assert "dest_acc" not in least.definition
        assert [one["format"] for one in least.definition["operands"]].count("Bfp8_b") == 1
        assert len(lines_of("x", trial, cut)) <= MOST_LINES


def test_nothing_is_cut_down_without_a_run() -> None:
    assert cut_down({}, lambda definitions: pytest.fail("nothing is to be tried")) == {}


def test_no_more_than_its_seconds() -> None:
    """The smallest until then is said, and that it is not the end."""
    number = next(at for at in range(DRAWN) if needs_a_product_of_bfp8(drawn(f"1 {at}", 3)).fails)
    trial = ran({"x": drawn(f"1 {number}", 3)})["x"]
    (cut,) = cut_down({"x": trial}, ran, 0.0).values()
    assert not cut.complete
    assert 0 < cut.tried < MOST_LINES
    assert lines_of("x", trial, cut)[0].endswith(" s, which is all that it was given")
    assert Cut(trial).complete


def test_what_has_run_is_not_run_again(tmp_path: Path) -> None:
    """A command that was stopped begins where it was; a line without an end is none."""
    trials = ran({f"{at}": drawn(f"1 {at}", 3) for at in range(5)})
    broken = Trial(drawn("1 9", 3), End.HANGS)
    known = Known(tmp_path / "new" / "known.jsonl")
    assert known.read({}) == {}
    known.write([*trials.values(), broken])
    with known.path.open("a", encoding="utf-8") as file:
        file.write('["')
    wanted = {f"again {name}": one.definition for name, one in trials.items()}
    found = known.read(wanted | {"hangs": broken.definition})
    assert found == {f"again {name}": one for name, one in trials.items()}
    runner = Runner(NOTHING, Choice(0, "1", "latency", "compiled"), known)
    assert runner.run(wanted) == found


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no sequence as --cases writes it (JSON)"),
        ("{}", "has no operands and operations: it is no sequence"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_case_that_is_none(
    tmp_path: Path, text: str | None, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["fuzz", str(path)]) == 2
    assert capsys.readouterr().err == f"tensix-gdb: {path}: {sentence}\n"


def test_a_full_disk(tmp_path: Path) -> None:
    """The sentence names the file."""
    with pytest.raises(UsageError, match=r"^/dev/full: cannot be written: No space left"):
        _write_json(Path("/dev/full"), {})
    _write_json(tmp_path / "new" / "case.yaml", {})
    assert (tmp_path / "new" / "case.yaml").read_text("utf-8") == "{}\n"


OPERAND = {"dims": [32, 32], "format": "Float16_b"}
SUM: Definition = {
    "operands": [{"name": name, **OPERAND, "stimuli": [-1.0, 1.0]} for name in ("a", "b")]
    + [{"name": "c", **OPERAND}],
    "operations": [
        {
            "math": [
                {"type": "Fpu", "operation": "Elwadd", "unpacker": "UnpackerAB"}
                | {"in0": "a", "in1": "b", "block_size": [32, 32]}
            ],
            "pack": [{"output": "c", "packer": "Packer", "block_size": [32, 32]}],
        }
    ],
}


@pytest.mark.long("LLK's kernels run in tests/gdbstub/kernels and tests/examples/test_planted.py")
def test_by_the_fuser(suite: Suite) -> None:
    """A sum is right; an output of more rows than its inputs is refused."""
    other = json.loads(json.dumps(SUM))
    other["operands"][1]["dims"] = [32, 33]
    runner = Runner(suite, Choice(0, "1", "latency", "compiled"))
    found = runner.run({"sum": SUM, "other": other})
    assert found["sum"].end is End.RIGHT, found["sum"].why
    assert [one["name"] for one in found["sum"].outputs] == ["c"]
    assert found["other"].end in (End.REFUSED, End.BROKEN), found["other"]
