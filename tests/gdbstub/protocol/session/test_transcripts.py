# SPDX-License-Identifier: Apache-2.0
"""Every transcript, against a tile on the reference engine, and on the compiled one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.protocol.commands.outcome import Outcome
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS, Malformed, parse
from tensix_gdb.gdbstub.protocol.session import Session, dispatch
from tensix_gdb.gdbstub.protocol.session.dispatch import Request
from tensix_gdb.gdbstub.protocol.target import TargetError
from tests.gdbstub.protocol.session.transcript import Mismatch, Player
from tests.gdbstub.tiles import calling_tile, new_tile

FOLDER = Path(__file__).resolve().parent / "transcripts"
FILES = sorted(FOLDER.glob("*.rsp"))
TILES = {"file_io": calling_tile}  # whose programs make calls; the others have `new_tile`


def play(path: Path, engine: str = "reference") -> None:
    """Play a transcript; `# processes` in it asks for a tile with processes."""
    text = path.read_text("ascii")
    if "\n# processes\n" in text:
        Player(new_tile(engine, processes=True)).play(text)
    else:
        Player(TILES.get(path.stem, new_tile)(engine)).play(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_transcript(path: Path, engine: str) -> None:
    play(path, engine)


def test_a_transcript_that_says_something_else_fails() -> None:
    text = (FOLDER / "registers.rsp").read_text("ascii")
    with pytest.raises(Mismatch, match="line 7"):
        Player(new_tile()).play(text.replace("<- OK", "<- E01", 1))
    with pytest.raises(Mismatch, match="also came"):
        Player(new_tile()).play("-> g\n-> g\n")


@dataclass
class _Seen:
    """Packets that the transcripts have well-formed, malformed, and refused."""

    well: set[type] = field(default_factory=set)
    badly: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def seen() -> _Seen:
    found = _Seen()
    original = dispatch._handle

    def note(session: Session, wanted: Request) -> Outcome:
        payload = wanted.payload
        try:
            found.well.add(type(parse(payload)))
            return original(session, wanted)
        except Malformed:
            found.badly.add(_name(payload))
            raise
        except TargetError:
            found.badly.add(_name(payload))
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatch, "_handle", note)
        for path in FILES:
            play(path)
    return found


def _name(payload: bytes) -> str:
    """The longest name of a packet that this payload begins with."""
    names = [p.prefix for p in PATTERNS.values() if payload.startswith(p.prefix)]
    return max(names, key=len).decode("ascii")


def test_every_packet_is_in_a_transcript(seen: _Seen) -> None:
    assert [cls.__name__ for cls in PATTERNS if cls not in seen.well] == []


# Nothing that follows their names can be wrong.
CANNOT_BE_MALFORMED = {"R", "qSymbol:", "QTro", "QTNotes:"}


@pytest.mark.long("what is malformed in the transcripts is answered right in every form")
def test_every_packet_is_malformed_in_a_transcript(seen: _Seen) -> None:
    """An error, and not the empty reply, for a packet that we know with fields that are wrong."""
    names = {pattern.prefix.decode("ascii") for pattern in PATTERNS.values()}
    assert sorted(names - seen.badly - CANNOT_BE_MALFORMED) == []
