# SPDX-License-Identifier: Apache-2.0
"""Who may look: the token, names of this machine, other sites."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.gdbstub.pages.web.conftest import Open
from tests.gdbstub.pages.web.page import Page
from tests.patience import HANG

PATHS = ("/", "/state.json", "/plan.json", "/page/main.js", "/?token=", "/?token=wrong")


@pytest.fixture(scope="module")
def page(open_page: Open, demo: list[str]) -> Iterator[Page]:
    with open_page(*demo) as page:
        yield page


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token(page: Page, path: str) -> None:
    answer, body = page.get(path)
    assert answer.status == 403
    assert b"needs the token" in body
    assert answer.getheader("set-cookie") is None


def test_the_token_goes_into_a_cookie_and_out_of_the_address(page: Page) -> None:
    answer, _ = page.get("/?" + page.query)
    assert answer.status == 303
    assert answer.getheader("location") == "/"
    cookie = str(answer.getheader("set-cookie"))
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    answer, body = page.get("/", Cookie=page.cookie)
    assert answer.status == 200
    assert b"<title>Tensix tile</title>" in body
    assert "default-src 'self'" in str(answer.getheader("content-security-policy"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1.evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
    ],
)
def test_another_site(page: Page, headers: dict[str, str]) -> None:
    answer, body = page.get("/state.json", Cookie=page.cookie, **headers)
    assert answer.status == 403
    assert b"another site" in body


def test_localhost_is_a_name_of_this_machine(page: Page) -> None:
    port = page.host.rpartition(":")[2]
    answer, _ = page.get("/plan.json", Cookie=page.cookie, Host=f"localhost:{port}")
    assert answer.status == 200


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/etc/passwd"])
def test_no_other_file(page: Page, path: str) -> None:
    answer, _ = page.get(path, Cookie=page.cookie)
    assert answer.status == 404


@pytest.mark.parametrize(
    ("cookie", "origin", "status"),
    [
        (True, "", 101),
        (False, "", 403),
        (True, "http://evil.example", 403),
        (True, "null", 403),
    ],
)
def test_sockets(page: Page, cookie: bool, origin: str, status: int) -> None:
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": origin or f"http://{page.host}",
    }
    if cookie:
        headers["Cookie"] = page.cookie
    connection = HTTPConnection(page.host, timeout=HANG)
    with contextlib.closing(connection):
        connection.request("GET", "/ws", headers=headers)
        answer = connection.getresponse()
        assert answer.status == status
        answer.close()


def test_a_frame_has_the_token_in_its_path(page: Page) -> None:
    """An editor's panel: a browser sends no cookie of ours from a frame."""
    token = page.query.partition("=")[2]
    for path in ("/", "/state.json", "/page/main.js"):
        answer, _ = page.get(f"/in/{token}{path}")
        assert answer.status == 200
        policy = str(answer.getheader("content-security-policy"))
        assert "default-src 'self'" in policy
        assert "frame-ancestors" not in policy
    assert b'src="page/main.js"' in page.get(f"/in/{token}/")[1]


@pytest.mark.parametrize("path", ["/in/", "/in/wrong/", "/in/wrong/state.json", "/in//state.json"])
def test_a_frame_without_the_token(page: Page, path: str) -> None:
    answer, body = page.get(path)
    assert answer.status == 403
    assert b"needs the token" in body
