# SPDX-License-Identifier: Apache-2.0
"""Answers about a firmware are kept by the content of its files, and not believed else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tensix_gdb.core.firmware import facts
from tensix_gdb.core.firmware.folder import programs_in
from tensix_gdb.core.firmware.image import Firmware, read_firmware
from tensix_gdb.core.program.elf import Image, LoadError, read_elf
from tensix_gdb.gdbstub.kernels.kept_firmware import FOLDER, kept_firmware
from tests.core.firmware.builds import KNOWN, unpack

FIELD = "go_messages[0].signal"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(KNOWN, tmp_path_factory.mktemp("builds"))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "tensix-gdb" / FOLDER


def images_in(folder: Path) -> list[Image]:
    return [read_elf(path) for _, path in sorted(programs_in(folder).items())]


def read(folder: Path) -> Firmware:
    return kept_firmware(folder, images_in(folder))


def test_a_second_start_reads_no_debug_information(
    build: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, first = read_firmware(build, loads=False), read(build)
    for firmware in (first, wanted):
        assert firmware.field(FIELD) == wanted.field(FIELD)
        assert firmware.signal("RUN_MSG_GO") == 0x80
    assert len(list(cache.iterdir())) == 1
    reads = []
    monkeypatch.setattr(facts, "debug_info", reads.append)
    again = read(build)
    assert again.mailboxes == wanted.mailboxes
    assert again.field(FIELD) == wanted.field(FIELD)
    assert again.signal("RUN_MSG_GO") == 0x80
    assert [image.hart for image in again.images] == [image.hart for image in wanted.images]
    assert not reads


def test_a_second_start_loads_nothing_that_reads_files(build: Path, cache: Path) -> None:
    read(build).field(FIELD)
    asked = """
import sys
from pathlib import Path
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.kernels.kept_firmware import kept_firmware
images = [read_elf(path) for path in sys.argv[2:]]
assert all(image.code for image in images)
print(kept_firmware(Path(sys.argv[1]), images).field("go_messages[0].signal").size)
print([name for name in sys.modules if "elftools" in name or "core.dwarf" in name])
"""
    paths = [str(path) for _, path in sorted(programs_in(build).items())]
    done = subprocess.run(
        [sys.executable, "-c", asked, str(build), *paths],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n[]\n"


def test_a_new_question_is_answered_by_the_file_and_kept(build: Path, cache: Path) -> None:
    read(build)
    again, wanted = read(build), read_firmware(build, loads=False)
    assert again.field("launch_msg_rd_ptr") == wanted.field("launch_msg_rd_ptr")
    (file,) = cache.iterdir()
    assert "mailboxes launch_msg_rd_ptr" in json.loads(file.read_text("ascii"))["fields"]
    with pytest.raises(LoadError, match="no member"):
        again.field("nothing")


def test_another_file_of_the_same_name_is_read_anew(
    build: Path, cache: Path, tmp_path: Path
) -> None:
    read(build)
    other = shutil.copytree(build, tmp_path / "other")
    elf = other / "ncrisc" / "ncrisc.elf"
    elf.write_bytes(elf.read_bytes() + b"\0")
    read(other)
    assert len(list(cache.iterdir())) == 2


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": 1, "mailboxes": "8", "constants": {}, "fields": {}}', "\xff"],
)
def test_a_damaged_file_is_made_anew(build: Path, cache: Path, text: str) -> None:
    wanted = read(build).field(FIELD)
    (file,) = cache.iterdir()
    file.write_bytes(text.encode("latin-1"))
    assert read(build).field(FIELD) == wanted
    assert json.loads(file.read_text("ascii"))["fields"]


def test_a_cache_that_cannot_be_written_keeps_nothing(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert read(build).field(FIELD) == read_firmware(build, loads=False).field(FIELD)
