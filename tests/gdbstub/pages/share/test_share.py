# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb share`: what the file has, how large it may be, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.share import bundle, made, of_chip, page_of_run
from tensix_gdb.gdbstub.pages.share.document import document, unpacked
from tensix_gdb.gdbstub.pages.share.gathered import Gathered
from tensix_gdb.gdbstub.pages.share.page_of_run import name_of, share_run
from tests.gdbstub.pages.share.conftest import shared_file

CAUSE = "semaphore 1 is 0 until it is posted"


def frame_at(tile: dict[str, Any], number: int) -> dict[str, Any]:
    """The page at an event, put together as share.js does."""
    frame: dict[str, Any] = {}
    for event in tile["events"][: number + 1]:
        cells = {**frame.get("cells", {}), **event.get("cells", {})}
        frame = {**frame, **event, "cells": cells}
    return frame


@pytest.fixture(scope="module")
def shared(bug: Path) -> dict[str, Any]:
    """The data of the file of the recording."""
    return unpacked(bug.read_text())


def test_it_ends_as_the_run(shared: dict[str, Any]) -> None:
    tile = shared["tiles"][""]
    last = frame_at(tile, len(tile["events"]) - 1)
    assert last["cycle"] == 357
    assert CAUSE in last["ending"]
    assert CAUSE in last["why"]
    assert CAUSE in "\n".join(shared["said"])
    assert CAUSE in "\n".join(last["cells"]["gate-2"]["lines"])


def test_an_event_is_what_the_recording_has_then(hang: Path, shared: dict[str, Any]) -> None:
    tile = shared["tiles"][""]
    cycles = [frame_at(tile, number)["cycle"] for number in range(len(tile["events"]))]
    assert cycles == sorted(set(cycles))
    number = cycles.index(next(cycle for cycle in cycles if cycle > 100))
    picture = hang / "then.json"
    at = str(cycles[number])
    assert main(["picture", str(hang / "run.rec"), "--at", at, "-o", str(picture)]) == 0
    words = picture.read_text()
    for box in ("hart-2", "hart-3", "gate-2"):
        for line in frame_at(tile, number)["cells"][box]["lines"][-1:]:
            assert line.split(",")[0].strip() in words


def test_insides_and_sources(shared: dict[str, Any]) -> None:
    tile = shared["tiles"][""]
    states = tile["boxes"]["hart-3"]
    lines = {inside["source"]["line"] for _, inside in states if inside["source"]}
    assert {26, 29} <= lines  # pushes of one function are in one cycle
    assert len({dict(map(tuple, inside["sections"]))["registers"] for _, inside in states}) > 5
    (path,) = [path for path in tile["sources"] if path.endswith("/hang.c")]
    assert "SEMWAIT_WHILE_0" in tile["sources"][path]["text"][25]
    assert any("words" in inside for _, inside in tile["boxes"]["local-3"])


def test_origins_and_timeline(shared: dict[str, Any]) -> None:
    found = shared["origins"]["gpr T1 4"]
    assert any(node["line"] == 11 for node in found["nodes"])
    names = {event["name"] for event in shared["timelines"][""]["traceEvents"]}
    assert "SETDMAREG held" in names


@pytest.mark.long("the others have races")
def test_reports_of_races(quiet: Path) -> None:
    assert unpacked(quiet.read_text())["races"] == {"": {"observed": False, "races": []}}


def test_a_core_file(hang: Path, tmp_path: Path) -> None:
    page = tmp_path / "end.html"
    assert main(["share", str(hang / "end.core"), "-o", str(page)]) == 0
    tile = unpacked(page.read_text())["tiles"][""]
    assert len(tile["events"]) == 1
    assert CAUSE in "\n".join(tile["events"][0]["cells"]["gate-2"]["lines"])


@pytest.mark.long("a recording is shared")
def test_a_run(hang: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "run.html"
    programs = [f"--elf={path.stem[-2:]}={path}" for path in sorted(hang.glob("*.elf"))]
    assert main(["share", "run", *programs, "--events", "20", "-o", str(page)]) == 0
    assert CAUSE in capsys.readouterr().out
    assert len(unpacked(page.read_text())["tiles"][""]["events"]) < 70


@pytest.mark.long("a tile alone is shared")
def test_a_chip(of_chip: Path) -> None:
    data = unpacked(of_chip.read_text())
    (origin,) = data["origins"].values()
    assert {node["tile"] for node in origin["nodes"]} - {"", "1-3"}  # of a request of another tile
    assert set(data["tiles"]) == {"1-2", "1-3", "2-2", "2-3"}
    assert len(data["chip"]["events"]) > 3
    for name, found in data["races"].items():
        assert data["tiles"][name]["events"][0]["races"] == len(found["races"])
        one = found["races"][0]
        ends = {one["earlier"]["row"], one["later"]["row"]}
        assert ends == {"", "1-0"}  # of another tile, and B's
        assert "tile (" in one["text"]
    assert set(data["races"]) == set(data["tiles"])
    assert "reports of races in 4 tiles: 1-2, " in data["said"][-1]
    assert all(len(tile["events"]) > 3 for tile in data["tiles"].values())


@pytest.mark.long("test_forgetting_keeps_what_is_shown")
def test_too_large_a_file_has_fewer_events(
    hang: Path,
    quiet: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = quiet.stat().st_size
    monkeypatch.setattr(made, "MOST_BYTES", whole - 1)
    page = shared_file(tmp_path, hang, "--no-races")
    assert page.stat().st_size < whole
    assert "earlier events are left out" in capsys.readouterr().out
    tile = unpacked(page.read_text())["tiles"][""]
    assert CAUSE in "\n".join(frame_at(tile, len(tile["events"]) - 1)["cells"]["gate-2"]["lines"])


def test_forgetting_keeps_what_is_shown() -> None:
    cells = {"a": 1, "b": 2}
    gathered = Gathered(
        [{"cycle": 1, "cells": cells}, {"cycle": 2, "cells": {"b": 3}}, {"cycle": 4, "x": 5}],
        {"a": [(0, {"id": 1}), (2, {"id": 2})], "b": [(1, {"id": 3})]},
    )
    gathered.forget(1)
    assert gathered.events == [{"cycle": 2, "cells": {"a": 1, "b": 3}}, {"cycle": 4, "x": 5}]
    assert gathered.boxes == {"a": [(0, {"id": 1}), (1, {"id": 2})], "b": [(0, {"id": 3})]}


def test_the_policy_has_a_hash_for_each_script() -> None:
    text = document({"title": "</title><script>alert(1)</script>", "tiles": {}})
    assert text.count("</script>") == 3
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")


def test_a_form_of_import_that_is_not_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a.js").write_text("import * as b from './b.js';\n")
    monkeypatch.setattr(bundle, "PAGE", tmp_path)
    with pytest.raises(ValueError, match=r"a\.js: this form is not known here: import"):
        bundle.script("a.js", "start")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name a recording, a core file, or the programs of a run"),
        (["missing.rec"], "missing.rec: cannot be read: No such file"),
        ([__file__], "test_share.py: neither a recording nor a core file"),
        (["CORE", "--origin", "nan"], "is a core file, and has no past to look into"),
        (["RECORDING", "--origin", "dst"], "--origin 'dst'"),
        (["RECORDING", "--until", "pack"], "are about a run: leave out"),
        (
            ["CHIP", "--origin", "nan"],
            "has several tiles: begin with the name of one, as in '1-2 nan'",
        ),
        (["CHIP", "--origin", "1-2 dst"], "--origin '1-2 dst'"),
    ],
    ids=str,
)
def test_refusals(
    hang: Path,
    chip: Path,
    tmp_path: Path,
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"CORE": hang / "end.core", "RECORDING": hang / "run.rec", "CHIP": chip}
    given = [str(files.get(one, one)) for one in arguments]
    assert main(["share", *given, "-o", str(tmp_path / "x.html")]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


def test_the_page_of_a_run_that_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot be made is a line, and no end of the run."""
    name = "test_pack.py::test_pack[formats:Float16->Float16_b, x-1]"
    assert name_of(name) == "test_pack-test_pack-formats-Float16--Float16_b-x-1"
    core = tmp_path / "run-1.core"
    core.write_bytes(b"no core")
    said = share_run(name, core, tmp_path / "pages")
    assert said.startswith(f"{name}: no page: tensix-gdb: {core}")
    assert list((tmp_path / "pages").iterdir()) == []
    killed = CompletedProcess([], -9, "", "")
    with monkeypatch.context() as patch:
        patch.setattr(page_of_run.subprocess, "run", lambda *words, **options: killed)
        said = share_run(name, core, tmp_path / "pages")
    assert said == f"{name}: no page: it has ended with status -9"
    monkeypatch.setattr(page_of_run, "MOST_NAME", 4)
    assert name_of(name) == "test"
    (tmp_path / "file").write_bytes(b"")
    said = share_run(name, core, tmp_path / "file")
    assert said == f"{tmp_path / 'file'}: cannot be written: File exists"


@pytest.mark.parametrize(("letters", "names"), [("fKff", ["1"]), ("ffff", ["3"]), ("KK!K", ["2"])])
def test_tiles_with_events(monkeypatch: pytest.MonkeyPatch, letters: str, names: list[str]) -> None:
    """Of a hang of one tile, three that run firmware had events, too."""
    tiles = [SimpleNamespace(name=str(number)) for number in range(4)]
    monkeypatch.setattr(of_chip, "letter", lambda tile, hart: letters[int(tile.name)])
    monkeypatch.setattr(of_chip, "kernels", lambda tile: "reader (B)" * (tile.name == "3"))
    found = of_chip._followed(cast("Any", SimpleNamespace(look_at_all=lambda: tiles)))
    assert [tile.name for tile in found][: len(names)] == names
    assert len(found) <= max(len(names), letters.count("K") + letters.count("!"))


@pytest.mark.parametrize(
    ("letter", "said"), [("!", "stands at a fault"), ("w", "all that its kernels do is to wait")]
)
def test_a_hang_is_no_fault(monkeypatch: pytest.MonkeyPatch, letter: str, said: str) -> None:
    monkeypatch.setattr(of_chip, "letter", lambda tile, hart: letter)
    monkeypatch.setattr(of_chip, "why_all", lambda tiles: "1-2 B: polls cb 0\nmore\n")
    tiles: Any = SimpleNamespace(all=[SimpleNamespace(name="1-2")])
    assert of_chip._ending(of_chip.ENDING, tiles) == f"{said}\n1-2 B: polls cb 0"


def test_a_wrong_result_says_what_ran_last_and_what_is_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = {"1-2": "reader (B)", "2-2": "reader (B)", "3-2": "", "4-2": "writer (NC)"}
    monkeypatch.setattr(of_chip, "kernels", lambda tile: names[tile.name])
    tiles: Any = SimpleNamespace(all=[SimpleNamespace(name=name) for name in names])
    first, second = of_chip._ending(of_chip.LAST, tiles).split("\n")
    assert (
        "Last: reader (B) on 2 tiles, 1 other sets on 1. Next: `tensix-gdb ttnn --compare" in first
    )
    assert second == of_chip.LAST
