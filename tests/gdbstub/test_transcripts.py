# SPDX-License-Identifier: Apache-2.0
"""Every transcript, against a tile on the reference engine, and on the compiled one."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from gdbstub.rsp.packet import PATTERNS, Malformed, parse
from gdbstub.session import Session
from tests.gdbstub.tiles import new_tile
from tests.gdbstub.transcript import Mismatch, Player

FOLDER = Path(__file__).resolve().parent / "transcripts"
FILES = sorted(FOLDER.glob("*.rsp"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_transcript(path: Path, engine: str) -> None:
    tile = new_tile(engine)
    Player(tile).play(path.read_text("ascii"))


def test_a_transcript_that_says_something_else_fails() -> None:
    text = (FOLDER / "registers.rsp").read_text("ascii")
    with pytest.raises(Mismatch, match="line 7"):
        Player(new_tile()).play(text.replace("<- OK", "<- E01", 1))
    with pytest.raises(Mismatch, match="also came"):
        Player(new_tile()).play("-> g\n-> g\n")


def test_every_packet_is_in_a_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    """Well-formed at least once; what is malformed gets an error and no handler."""
    seen: set[type] = set()
    original = Session._reply

    def note(self: Session, payload: bytes) -> bytes | None:
        with contextlib.suppress(Malformed):
            seen.add(type(parse(payload)))
        return original(self, payload)

    monkeypatch.setattr(Session, "_reply", note)
    for path in FILES:
        Player(new_tile()).play(path.read_text("ascii"))
    assert [cls.__name__ for cls in PATTERNS if cls not in seen] == []
