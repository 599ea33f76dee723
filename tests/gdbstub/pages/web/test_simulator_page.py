# SPDX-License-Identifier: Apache-2.0
"""`simulator --web`: the page of a tile that a host uses."""

from __future__ import annotations

import contextlib
import re
import urllib.parse
from http.client import HTTPConnection
from pathlib import Path

from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.host.simulator.driver import started
from tests.patience import HANG

ADDRESS = re.compile(r"the page is at (\S+)")


def test_the_page_of_a_hosts_tile(tmp_path: Path) -> None:
    assert main(["simulator", str(tmp_path), "--port", "0", "--tiles", "1x1", "--web"]) == 0
    with started(tmp_path) as driver:
        driver.write(0x4000, b"abcd")
        assert driver.read(0x4000) == b"abcd"
        assert driver.process.stdout is not None
        for line in driver.process.stdout:
            if found := ADDRESS.search(line):
                break
        assert b'"harts"' in answer_of(found[1], "/state.json")
        driver.end()


def test_the_grid_of_several_tiles(tmp_path: Path) -> None:
    assert main(["simulator", str(tmp_path), "--port", "0", "--tiles", "2x2", "--web"]) == 0
    with started(tmp_path) as driver:
        driver.write(0x4000, b"abcd")
        assert driver.process.stdout is not None
        for line in driver.process.stdout:
            if found := ADDRESS.search(line):
                break
        assert b"Tensix chip" in answer_of(found[1], "/")
        assert b'"tile":"2-3"' in answer_of(found[1], "/tile/2-3/plan.json")
        driver.end()


def answer_of(address: str, path: str) -> bytes:
    """Return what is at a path, for one that has opened the address."""
    parts = urllib.parse.urlparse(address)
    connection = HTTPConnection(parts.netloc, timeout=HANG)
    with contextlib.closing(connection):
        connection.request("GET", "/?" + parts.query)
        answer = connection.getresponse()
        answer.read()
        cookie = str(answer.getheader("set-cookie")).split(";")[0]
        connection.request("GET", path, headers={"Cookie": cookie})
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.read()
