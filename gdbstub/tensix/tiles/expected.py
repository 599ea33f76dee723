# SPDX-License-Identifier: Apache-2.0
"""The arrays that a failing run was compared with, kept in its recording: `monitor wrong` with
nothing more compares with them. Files of a user may change before the run is looked at."""

from __future__ import annotations

import contextlib
import json
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tensix_gdb.gdbstub.tensix.tiles.spec import EXPECT, TileFile, parse
from tensix_gdb.gdbstub.usage import UsageError

INDEX, ARRAY = "expected.json", "expected/{}.npy"


def keep_expected(recording: Path, options: Sequence[str]) -> None:
    """Add the files of values of `--expect` to a recording. OSError where that fails."""
    if not options:
        return
    tiles = [parse(EXPECT, text) for text in options]
    with zipfile.ZipFile(recording, "a", zipfile.ZIP_DEFLATED) as archive:
        for number, tile in enumerate(tiles):
            archive.write(tile.path, ARRAY.format(number))
        archive.writestr(INDEX, json.dumps([_without_file(tile) for tile in tiles]))


def _without_file(tile: TileFile) -> list[str]:
    where, _, rest = tile.text.partition("=")
    return [where, rest.removeprefix(f"{tile.path}:")]


@contextlib.contextmanager
def expected_in(recording: str) -> Iterator[tuple[str, ...]]:
    """Give what a recording has, as values of `--expect` with files that are there meanwhile."""
    with tempfile.TemporaryDirectory(prefix="tensix-gdb-expected-") as name:
        try:
            with zipfile.ZipFile(recording) as archive:
                if INDEX not in archive.namelist():
                    yield ()
                    return
                rows = json.loads(archive.read(INDEX))
                texts = []
                for number, (where, kind) in enumerate(rows):
                    path = Path(name) / f"expected-{number}.npy"
                    path.write_bytes(archive.read(ARRAY.format(number)))
                    texts.append(f"{where}={path}:{kind}")
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
            raise UsageError(f"{recording}: a damaged recording: {problem}") from None
        yield tuple(texts)
