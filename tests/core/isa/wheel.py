# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's wheel ttnn 0.81.1, from which tests read macros, tables and firmware.

It is 100 MB, downloaded once with pip into the user's cache, and nothing of it is kept here.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from functools import cache

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.expression import evaluate
from tensix_gdb.gdbstub.kernels import user_cache
from tensix_gdb.gdbstub.kernels.llk import FILE, download
from tensix_gdb.gdbstub.usage import UsageError
from tests.tools import unavailable

LLK = "ttnn/tt_metal/tt-llk/tt_llk_{}/"
CFG = "ttnn/tt_metal/hw/inc/internal/tt-1xx/{}/cfg_defines.h"
LLK_NAMES = {Arch.BLACKHOLE: "blackhole", Arch.WORMHOLE: "wormhole_b0"}
CFG_NAMES = {Arch.BLACKHOLE: "blackhole", Arch.WORMHOLE: "wormhole/wormhole_b0_defines"}


@cache
def wheel() -> zipfile.ZipFile:
    """The wheel, downloaded if not in the cache; without it a test is skipped, or fails in CI."""
    path = user_cache.cache() / "wheels" / FILE
    try:
        download(path)
    except UsageError as problem:
        unavailable(str(problem))
    return zipfile.ZipFile(path)


def text(name: str) -> str:
    """A text file of the wheel."""
    return wheel().read(name).decode()


class Macro:
    """`TT_OP_NAME(a, b)` of ckernel_ops.h: its parameters in order, and what it computes."""

    def __init__(self, name: str, parameters: list[str], opcode: int, body: str) -> None:
        self.name = name
        self.parameters = parameters
        self.opcode = opcode
        self.body = body

    def __call__(self, *arguments: int) -> int:
        values = dict(zip(self.parameters, arguments, strict=True))
        return (self.opcode << 24) + evaluate(self.body, values.get)


_MACRO = re.compile(
    r"#define TT_OP_(\w+)(?:\(([^)]*)\))?\s+TT_OP\(\s*(0x[0-9a-fA-F]+),\s*(.*)\)\s*$", re.M
)


@cache
def macros(arch: Arch) -> dict[str, Macro]:
    """The instruction macros of an architecture by name."""
    source = text(LLK.format(LLK_NAMES[arch]) + "common/inc/ckernel_ops.h")
    found = {}
    for name, parameters, opcode, body in _MACRO.findall(re.sub(r"\\\n\s*", " ", source)):
        names = [one.strip() for one in parameters.split(",") if one.strip()]
        found[name] = Macro(name, names, int(opcode, 16), body)
    return found


@cache
def assembler_table(arch: Arch) -> dict[str, int]:
    """Names and opcodes of assembly.yaml."""
    source = text(LLK.format(LLK_NAMES[arch]) + "instructions/assembly.yaml")
    table = {}
    name = ""
    for line in source.splitlines():
        if head := re.match(r"([A-Z]\w*):\s*(#.*)?$", line):
            name = head[1]
        elif opcode := re.match(r"\s+op_binary:\s*(0x[0-9a-fA-F]+)", line):
            table[name] = int(opcode[1], 16)
    return table


def llk_structs(arch: Arch) -> dict[str, int]:
    """`p_stall.STALL_CFG` and the like, `p_gpr_pack.TMP0`, `InstrModLoadStore.FP16A`."""
    folder = LLK.format(LLK_NAMES[arch])
    source = text(folder + "common/inc/ckernel_instr_params.h")
    source += text(folder + "common/inc/ckernel_gpr_map.h")
    source = re.sub(r"//.*", "", source)
    found: dict[str, int] = {}
    for struct, body in re.findall(r"struct (\w+)\s*\{(.*?)\n\};", source, re.S):
        own: dict[str, int] = {}
        for name, value in re.findall(r"std::uint32_t (\w+)\s*=\s*([^;]+);", body):
            own[name] = evaluate(value, own.get)
        found |= {f"{struct}.{name}": value for name, value in own.items()}
    defs = text(folder + "llk_lib/llk_defs.h")
    formats = re.search(r"enum class (\w+)\s*\{([^}]*FP16A[^}]*)\}", defs)
    assert formats
    for name, value in re.findall(r"(\w+)\s*=\s*(\d+)", formats[2]):
        found[f"{formats[1]}.{name}"] = int(value)
    return found


def uses(arch: Arch) -> set[str]:
    """Every use of an instruction macro in LLK's sources, as text."""
    found = set()
    for name in wheel().namelist():
        if not name.startswith(LLK.format(LLK_NAMES[arch])) or not name.endswith((".h", ".cpp")):
            continue
        if name.endswith("ckernel_ops.h"):
            continue
        source = re.sub(r"//.*", "", text(name))
        for use in re.finditer(r"\bT(TI|T_OP)_[A-Z0-9_]+\(", source):
            end, depth = use.end(), 1
            while depth:
                depth += (source[end] == "(") - (source[end] == ")")
                end += 1
            found.add(" ".join(source[use.start() : end].split()))
    return found


def config_defines(arch: Arch) -> dict[str, tuple[int, int, int]]:
    """Word, shift and mask of every field of cfg_defines.h."""
    source = text(CFG.format(CFG_NAMES[arch]))
    parts: dict[str, dict[str, int]] = {}
    for name, what, value in re.findall(
        r"#define (\w+)_(ADDR32|SHAMT|MASK) (0x[0-9a-fA-F]+|\d+)", source
    ):
        parts.setdefault(name, {})[what] = int(value, 0)
    return {
        name: (found["ADDR32"], found["SHAMT"], found["MASK"])
        for name, found in parts.items()
        if len(found) == 3
    }


def firmware() -> Iterator[tuple[str, bytes]]:
    """All firmware ELF files."""
    for name in sorted(wheel().namelist()):
        if name.endswith(".elf"):
            yield name, wheel().read(name)
