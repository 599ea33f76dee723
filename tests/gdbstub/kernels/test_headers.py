# SPDX-License-Identifier: Apache-2.0
"""The C headers say what the tables of the machine say, and refuse a value that does not fit."""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.config_words import DESCRIPTOR_PARTS, config_fields
from tensix_gdb.core.tensix.unpacker import config as unpacker
from tensix_gdb.core.tiles.configuration.matrix import math
from tensix_gdb.core.tiles.configuration.packer import pack
from tensix_gdb.core.tiles.configuration.setting import Setup
from tensix_gdb.core.tiles.configuration.unpacker import unpack
from tensix_gdb.gdbstub.kernels.as_c import lines, word_in_c
from tensix_gdb.gdbstub.kernels.headers import FILES, FOLDER, MAKER
from tests.gdbstub.kernels.kernels import want
from tests.programs.build import DEMO, GCC

# The words that the example pushes, and others: signed fields, several forms, all of a mask.
WORDS = {
    "UNPACR_Regular | UNPACR_multi_context_mode(1) | UNPACR_which_unpacker_UNP1":
        "UNPACR.Regular which_unpacker=UNP1, multi_context_mode=1",
    "SEMWAIT | SEMWAIT_block_B6 | SEMWAIT_sem_S1 | SEMWAIT_wait_C1":
        "SEMWAIT block=B6, sem=S1, wait=C1",
    "STALLWAIT | STALLWAIT_block_ALL | STALLWAIT_wait_C10 | STALLWAIT_wait_C3":
        "STALLWAIT block=ALL, wait=C3|C10",
    "SETC16 | SETC16_cfg_index(WORD(ADDR_MOD_AB_SEC3_SrcAIncr)) | SETC16_new_value(0x808)":
        "SETC16 ADDR_MOD_AB_SEC3_SrcAIncr, 0x808",
    "ZEROACC | ZEROACC_clear_mode_ALL_OF_DST": "ZEROACC clear_mode=ALL_OF_DST",
    "ADDDMAREG_Imm | ADDDMAREG_result_reg(5) | ADDDMAREG_right_imm6(63)":
        "ADDDMAREG.Imm result_reg=G5, right_imm6=63",
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_it_is_fresh(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == FILES[name](), f"run `{MAKER}`"


def compiled(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "words.c").write_text(f'#include "tensix_by_name.h"\n{source}', "utf-8")
    command = [GCC, "-march=rv32im_zicsr", "-mabi=ilp32", "-c", "words.c", f"-I{FOLDER}"]
    command += [f"-I{DEMO}", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_words(tool: Callable[[str], str], tmp_path: Path) -> None:
    want(tool, GCC, "riscv64-unknown-elf-objcopy")
    listed = ",\n".join(WORDS)
    source = f'__attribute__((section(".words"))) const u32 words[] = {{ {listed} }};\n'
    done = compiled(tmp_path, source)
    assert done.returncode == 0, done.stderr
    objcopy = [
        "riscv64-unknown-elf-objcopy",
        "-O",
        "binary",
        "-j",
        ".words",
        "words.o",
        "words.bin",
    ]
    subprocess.run(objcopy, cwd=tmp_path, check=True)
    found = struct.unpack(f"<{len(WORDS)}I", (tmp_path / "words.bin").read_bytes())
    assert dict(zip(WORDS, found, strict=True)) == {
        name: parse(text) for name, text in WORDS.items()
    }


@pytest.mark.parametrize("optimize", ["-O0", "-Og", "-O3"])
def test_a_value_that_does_not_fit(
    optimize: str, tool: Callable[[str], str], tmp_path: Path
) -> None:
    want(tool, GCC)
    source = "void push(void) {{ TTINSN(PACR | PACR_addr_mod({})); }}\n"
    assert compiled(tmp_path, source.format(3), optimize).returncode == 0
    done = compiled(tmp_path, source.format(4), optimize)
    assert done.returncode != 0
    assert "a value is too big for its field" in done.stderr


def test_parts_of_the_tile_descriptor() -> None:
    """Where the unpackers read them."""
    word = config_fields(Arch.BLACKHOLE)["THCON_SEC1_REG0_TileDescriptor"].word
    read = {
        "in_data_format": unpacker.IN_FORMAT,
        "uncompressed": unpacker.IS_UNCOMPRESSED,
        "no_exponents": unpacker.NO_EXPONENT_SECTION,
        "blobs_per_xy_plane": unpacker.BLOBS_PER_XY_PLANE,
        "x_dim": unpacker.X_DIM,
        "y_dim": unpacker.Y_DIM,
        "z_dim": unpacker.Z_DIM,
        "w_dim": unpacker.W_DIM,
        "blobs_y_start_lo": unpacker.BLOBS_Y_START_LOW,
        "blobs_y_start_hi": unpacker.BLOBS_Y_START_HIGH,
        "digest_size": unpacker.DIGEST_SIZE,
    }
    assert {
        name: (word + low // 32) << 16 | low % 32 << 8 | width
        for name, (low, width) in DESCRIPTOR_PARTS.items()
    } == {name: packed[1] for name, packed in read.items()}
    text = (FOLDER / "tensix_config.h").read_text("utf-8")
    assert f"#define THCON_SEC1_REG0_TileDescriptor_y_dim {word + 1}, 0, 8\n" in text


SETUPS = [
    *(unpack(one, to=to) for one, to in (("bf16", "srca"), ("fp32", "dst"), ("bfp8", "srcb"))),
    *(math("bf16"), math("int32"), pack("bf16"), pack("bfp8"), pack("fp32")),
    *(unpack("bf16", arch=Arch.WORMHOLE), unpack("fp32", to="dst", arch=Arch.WORMHOLE)),
    *(math(one, arch=Arch.WORMHOLE) for one in ("bf16", "int32")),
    *(pack(one, arch=Arch.WORMHOLE) for one in ("bfp8", "fp32")),
]
# By chip: what `build --arch` defines, and the header of the configuration.
DEFINES = {Arch.BLACKHOLE: (), Arch.WORMHOLE: ("-DTENSIX_WORMHOLE",)}
HEADERS = {Arch.BLACKHOLE: "tensix_config.h", Arch.WORMHOLE: "tensix_config_wormhole.h"}


def _titled(setup: Setup) -> str:
    chip = "" if setup.arch is Arch.BLACKHOLE else f"{setup.arch.title} "
    return chip + setup.title.partition(":")[0]


@pytest.mark.parametrize("setup", SETUPS, ids=_titled)
def test_a_configuration_as_lines_of_c(
    setup: Setup, tool: Callable[[str], str], tmp_path: Path
) -> None:
    """The fields make the same words, and the instructions are the same."""
    want(tool, GCC, "riscv64-unknown-elf-objcopy")
    pushed = [*setup.prepares, *dict.fromkeys((*setup.runs, *setup.beside))]
    names = ", ".join(word_in_c(text, setup.arch) for text in pushed)
    source = f'__attribute__((section(".words"))) const u32 words[] = {{ {names} }};\n'
    body = "\n".join(lines(setup))
    source += f"void all(void)\n{{\n{body}\n}}\n"
    assert (done := compiled(tmp_path, source, "-Og", *DEFINES[setup.arch])).returncode == 0, (
        done.stderr
    )
    out = ["riscv64-unknown-elf-objcopy", "-O", "binary", "-j", ".words", "words.o", "words.bin"]
    subprocess.run(out, cwd=tmp_path, check=True)
    found = struct.unpack(f"<{len(pushed)}I", (tmp_path / "words.bin").read_bytes())
    assert list(found) == [parse(text, Dialect(setup.arch)) for text in pushed]
    text = (FOLDER / HEADERS[setup.arch]).read_text("utf-8")
    places = {
        name: tuple(map(int, (word, low, width)))
        for name, word, low, width in re.findall(r"#define (\w+) (\d+), (\d+), (\d+)\n", text)
    }
    words: dict[tuple[bool, int], int] = {}
    for is_thread, pattern in (
        (False, r"configure\((\w+), (\w+)\)"),
        (True, r"FIELD\((\w+), (\d+)\)"),
    ):
        for name, value in re.findall(pattern, body):
            word, low, width = places[name]
            assert int(value, 0) >> width == 0
            words[is_thread, word] = words.get((is_thread, word), 0) | int(value, 0) << low
    assert words == setup.words()
