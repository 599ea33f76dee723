# SPDX-License-Identifier: Apache-2.0
"""Reports of races on the page: arrows between two rows of the timeline."""

from __future__ import annotations

import json
from pathlib import Path

import trio

from scripts.examples.c10.race import KERNEL
from tests.gdbstub.pages.web.conftest import Open
from tests.patience import HANG
from tests.programs.build import build


async def test_arrows_of_a_race(open_page: Open, tmp_path: Path) -> None:
    elf = tmp_path / "no-wait.elf"
    build(KERNEL, "T0", elf, defines=("WAIT=0",))
    with open_page("--elf", f"t0={elf}", "--races", "--record") as page:
        async with page.viewer() as viewer:
            await viewer.run(do="continue")
            with trio.fail_after(HANG):
                await viewer.until(lambda viewer: viewer.frame["races"])
        answer, body = page.get("/races.json", Cookie=page.cookie)
        assert answer.status == 200
        found = json.loads(body)
        assert found["observed"] is True
        (race,) = found["races"]
        assert (race["earlier"]["row"], race["later"]["row"]) == ("1-1", "2-0")
        assert race["earlier"]["cycle"] <= race["later"]["cycle"] + 50
        assert "RDCFG" in race["later"]["what"]
        assert race["later"]["file"].endswith("kernel.c")
        answer, body = page.get("/timeline.json?first=0&last=400", Cookie=page.cookie)
        rows = {f"{e['pid']}-{e['tid']}" for e in json.loads(body)["traceEvents"] if e["ph"] == "X"}
        assert {"1-1", "2-0"} <= rows


def test_nothing_is_looked_for(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo) as page:
        _, body = page.get("/races.json", Cookie=page.cookie)
        assert json.loads(body) == {"observed": False, "races": []}
