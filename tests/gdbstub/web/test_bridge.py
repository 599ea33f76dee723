# SPDX-License-Identifier: Apache-2.0
"""`bridge --web`: the page of a tile that a driver uses."""

from __future__ import annotations

import re
import urllib.parse
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.bridge.driver import started

ADDRESS = re.compile(r"the page is at (\S+)")


def test_the_page_of_a_drivers_tile(tmp_path: Path) -> None:
    assert main(["bridge", str(tmp_path), "--port", "0", "--web"]) == 0
    with started(tmp_path) as driver:
        driver.write(0x4000, b"abcd")
        assert driver.read(0x4000) == b"abcd"
        assert driver.process.stdout is not None
        for line in driver.process.stdout:
            if found := ADDRESS.search(line):
                break
        parts = urllib.parse.urlparse(found[1])
        connection = HTTPConnection(parts.netloc, timeout=20)
        connection.request("GET", "/?" + parts.query)
        answer = connection.getresponse()
        answer.read()
        cookie = str(answer.getheader("set-cookie")).split(";")[0]
        connection.request("GET", "/state.json", headers={"Cookie": cookie})
        answer = connection.getresponse()
        assert answer.status == 200
        assert b'"harts"' in answer.read()
        connection.close()
        driver.end()


def test_several_tiles_have_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["bridge", str(tmp_path), "--tiles", "2x2", "--web"]
    assert main(words) == 2
    assert "--web knows one tile" in capsys.readouterr().err
