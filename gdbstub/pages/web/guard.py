# SPDX-License-Identifier: Apache-2.0
"""The guard of the page: requests to this machine by its own name, from our own page, with the
token.

A page of another site that the user visits can make the browser send requests to loopback. Three
checks keep it out. The name in `Host` has to be ours: a name of theirs that they let point to
loopback (DNS rebinding) is not. `Origin`, where the browser sends it, has to be ours too. And
without the token of the printed address nothing is answered. The address is opened once: the token
goes into a cookie that scripts cannot read, and out of the address, where others might see it.

An editor shows the page in a frame, where browsers keep cookies of ours away. It has the token in
the path of each request, `/in/TOKEN/...`. That page may be framed and come by an editor's proxy,
under another name: its address is the secret, and a site that does not know it cannot ask for it.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

# Nothing is ever requested from elsewhere.
POLICY = b"default-src 'self'; base-uri 'none'"
FRAMED = (
    (b"content-security-policy", POLICY),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)
HEADERS = ((b"content-security-policy", POLICY + b"; frame-ancestors 'none'"), *FRAMED[1:])
IN = "/in/"  # then the token, and the path
NO_TOKEN = "This page needs the token of the address that tensix-gdb has printed: open that one.\n"
FOREIGN = "This request comes from another site, or names this machine by another name.\n"
POLICY_VIOLATION = 1008  # the close code of RFC 6455 for what is not allowed


class Guard:
    """The application, for requests that have the token. `hosts` are the names of this machine that
    the user may type, each without the port."""

    def __init__(self, app: ASGIApp, port: int, hosts: Iterable[str]) -> None:
        self._app = app
        self.token = secrets.token_urlsafe(18)
        # Cookies are shared by all ports of a name.
        self._cookie = f"tensix_gdb_{port}"
        self._hosts = {f"{host}:{port}".encode() for host in hosts}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif (inside := self._inside(scope)) is not None:
            await self._app(inside, receive, _with_headers(send, FRAMED))
        elif not self._is_ours(scope["headers"]):
            await _refuse(scope, receive, send, FOREIGN)
        elif self._has_cookie(scope["headers"]):
            await self._app(scope, receive, _with_headers(send, HEADERS))
        elif scope["type"] == "http" and self._has_token(scope["query_string"]):
            await self._welcome(scope, send)
        else:
            await _refuse(scope, receive, send, NO_TOKEN)

    def _is_ours(self, headers: list[tuple[bytes, bytes]]) -> bool:
        hosts = [value for name, value in headers if name == b"host"]
        origins = [value for name, value in headers if name == b"origin"]
        return (
            len(hosts) == 1
            and hosts[0] in self._hosts
            and all(origin in self._origins for origin in origins)
        )

    def _has_cookie(self, headers: list[tuple[bytes, bytes]]) -> bool:
        for name, value in headers:
            if name == b"cookie":
                try:
                    cookies = SimpleCookie(value.decode("latin-1"))
                except CookieError:
                    continue
                if self._cookie in cookies and self._fits(cookies[self._cookie].value):
                    return True
        return False

    def _inside(self, scope: Scope) -> Scope | None:
        """Return the request without the token that its path begins with; None if it has none."""
        if scope["type"] not in ("http", "websocket") or not scope["path"].startswith(IN):
            return None
        token, slash, path = scope["path"][len(IN) :].partition("/")
        if not slash or not self._fits(token):
            return None
        return {**scope, "path": f"/{path}", "raw_path": f"/{path}".encode()}

    def _has_token(self, query: bytes) -> bool:
        try:
            values = parse_qs(query.decode("ascii"), max_num_fields=8).get("token", [])
        except ValueError:
            return False
        return any(self._fits(value) for value in values)

    def _fits(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self.token.encode())

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """Put the token into a cookie, and lead to the page without it."""
        cookie = f"{self._cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), *HEADERS]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": ""})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": why.encode()})


def _with_headers(send: Send, headers: Iterable[tuple[bytes, bytes]]) -> Send:
    async def sent(message: dict) -> None:  # type: ignore[type-arg]
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *headers]
        await send(message)

    return sent  # type: ignore[return-value]
