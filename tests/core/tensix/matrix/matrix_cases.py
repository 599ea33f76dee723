# SPDX-License-Identifier: Apache-2.0
"""Cases for the Matrix Unit: state from a seed, one instruction, a digest of what comes out.

`matrix_cases.txt` has one case in a line:

    instruction | format of SrcA, of SrcB | flags | fidelity phase | seed | digest | checked by

Flags are `fp32`, `int8`, `keep` (Zero_Flag_disabled_src) and `blocked` (BLOCK_DEST_MOV of some
columns). "checked by" is `simulator` where Tenstorrent's simulator gave the same bits when the case
was recorded, `page` where it refuses the case; those that the model of matrix_model.py knows are
checked by it in test_matrix_arithmetic.py.

    python -m tests.core.tensix.matrix.matrix_cases        writes the file again, and keeps the last
    column
"""

from __future__ import annotations

import array
import ctypes
import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tensix_gdb.core.assembly.tensix_text import parse
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.decode import decode_tensix
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.matrix.formats import FP16, STYLE, TF32

FILE = Path(__file__).with_name("matrix_cases.txt")
HIGHEST = 1024
# Words of ThreadConfig: the sets of ADDR_MOD_AB and ADDR_MOD_DST, MATH_Offset.
AB_WORD, DST_WORD, OFFSET = 12, 28, 1


@dataclass(frozen=True)
class Case:
    """One line of the file."""

    text: str
    a: int
    b: int
    flags: str
    phase: int
    seed: int
    digest: str = ""
    checked: str = "page"

    def line(self) -> str:
        return (
            f"{self.text} | {self.a}, {self.b} | {self.flags} | {self.phase} | {self.seed}"
            f" | {self.digest} | {self.checked}"
        )

    @property
    def fields(self) -> dict[str, int]:
        """The fields of the instruction that are numbers."""
        pairs = (part.strip().split("=") for part in self.text.partition(" ")[2].split(","))
        return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}

    @property
    def wide(self) -> bool:
        """Dst has 32 bits."""
        return "fp32" in self.flags or "int8" in self.flags


def read_cases() -> list[Case]:
    """The file."""
    found = []
    for line in FILE.read_text().splitlines():
        text, formats, flags, phase, seed, digest, checked = (p.strip() for p in line.split("|"))
        a, b = map(int, formats.split(","))
        found.append(Case(text, a, b, flags, int(phase), int(seed), digest, checked))
    return found


def execute(S: View, word: int) -> int:
    """One instruction of thread 0, past the gate."""
    return EXECUTE[decode_tensix(word) & 0xFF](S, 0, word)


def datum(draw: random.Random, data_format: int, near: bool) -> int:
    """A datum of SrcA or SrcB as an unpacker leaves it, sometimes 0 or a denormal."""
    style = STYLE[data_format]
    sign, mantissa = draw.getrandbits(1), draw.getrandbits(10)
    if data_format == 14:
        return sign << 18 | mantissa << 8 | (16 if mantissa else 0)
    if style == FP16:
        exponent = draw.randrange(10, 20) if near else draw.randrange(32)
    else:
        exponent = draw.randrange(112, 142) if near else draw.randrange(256)
    if style != FP16 and style != TF32:
        mantissa &= 0x3F8
    chance = draw.random()
    if chance < 0.1:
        exponent = 0
        mantissa = 0 if chance < 0.07 else mantissa
    return sign << 18 | mantissa << 8 | exponent


def put(record: Record, part: str, field: str, kind: str, values: list[int]) -> None:
    """All of a row at once."""
    slot = record.layout.slot(part, field)
    data = array.array(kind, values).tobytes()
    assert len(data) == slot.field.size
    ctypes.memmove(record.address + slot.offset, data, len(data))


def get(record: Record, part: str, field: str) -> bytes:
    """The bytes of a row."""
    slot = record.layout.slot(part, field)
    return ctypes.string_at(record.address + slot.offset, slot.field.size)


def fill(record: Record, case: Case) -> None:
    """The state that the seed gives."""
    S, draw = record.S, random.Random(case.seed)
    near = case.seed % 3 != 2
    put(record, "src", "a", "I", [datum(draw, case.a, near) for _ in range(2 * 64 * 16)])
    put(record, "src", "b", "I", [datum(draw, case.b, near) for _ in range(2 * 64 * 16)])
    for bank in range(2):
        S.src.format[0, bank], S.src.format[1, bank] = case.a, case.b
        for source in range(2):
            S.busy.src_client[source, bank] = 1
    fp16 = STYLE[case.a] == FP16 and not case.wide
    usual = near and not fp16 and "int8" not in case.flags
    bits: list[int] = []
    for row in range(HIGHEST):
        low_half = case.wide and row & 8
        for _ in range(16):
            half = draw.getrandbits(16)
            bits.append(half & 0xFF00 | 108 + half % 38 if usual and not low_half else half)
        # Rows of Dst32b are wholly undefined or not at all.
        first = row - 8 if low_half else row
        S.dst.undefined[row] = 0xFFFF if (first * 7 + case.seed) % 5 == 0 else 0
    put(record, "dst", "bits", "H", bits)
    S.busy.matrix_bank[0], S.busy.matrix_bank[1] = draw.getrandbits(1), draw.getrandbits(1)
    S.busy.unpack_bank[0], S.busy.unpack_bank[1] = draw.getrandbits(1), draw.getrandbits(1)
    S.config.word[0, 1] = ("fp32" in case.flags) << 29 | ("int8" in case.flags) << 31
    S.config.word[0, 2] = int("keep" in case.flags)
    S.config.thread[0, OFFSET] = draw.choice((0, 256))
    S.src.last_a_row = 16 * draw.randrange(4)
    S.rwc.src_a[0], S.rwc.src_b[0] = 16 * draw.randrange(2), 8 * draw.randrange(3)
    S.rwc.src_a_cr[0], S.rwc.src_b_cr[0] = 8 * draw.randrange(8), 8 * draw.randrange(8)
    S.rwc.dst[0], S.rwc.dst_cr[0] = 8 * draw.randrange(32), 8 * draw.randrange(128)
    S.rwc.fidelity[0] = case.phase
    for i in range(8):
        S.config.thread[0, AB_WORD + i] = draw.getrandbits(16) & 0x7878 | draw.choice((0, 128, 64))
        move = draw.choice((0, 1 << 10, 1 << 11, 1 << 12)) | draw.getrandbits(3) << 13
        S.config.thread[0, DST_WORD + i] = draw.getrandbits(10) & 0x1F8 | move
    if "blocked" in case.flags:
        for lane in range(8):
            S.vector.config[lane] = draw.getrandbits(2) << 9


def digest(record: Record) -> str:
    """Of everything that software can see."""
    return hashlib.sha256(visible(record)).hexdigest()[:16]


def visible(record: Record) -> bytes:
    """The bytes of SrcA, SrcB, defined Dst, banks and counters."""
    S = record.S
    out = bytearray(get(record, "src", "a") + get(record, "src", "b"))
    dst = bytearray(get(record, "dst", "bits"))
    for row in range(HIGHEST):
        gone = int(S.dst.undefined[row])
        out += gone.to_bytes(2, "little")
        if gone:
            for column in range(16):
                if gone >> column & 1:
                    dst[32 * row + 2 * column : 32 * row + 2 * column + 2] = bytes(2)
    out += dst
    for source in range(2):
        out += bytes((S.busy.matrix_bank[source], S.busy.unpack_bank[source]))
        out += bytes((S.busy.src_client[source, 0], S.busy.src_client[source, 1]))
    counters = (S.rwc.dst[0], S.rwc.dst_cr[0], S.rwc.src_a[0], S.rwc.src_a_cr[0], S.rwc.src_b[0])
    for counter in (*counters, S.rwc.src_b_cr[0], S.rwc.fidelity[0]):
        out += int(counter).to_bytes(2, "little")
    return bytes(out)


FLIPS = ("", "flip_src_a=1, ", "flip_src_b=1, ", "flip_src_b=1, flip_src_a=1, ")
ONE = "src_row=3, dst_row=5"
FORMATS = ((5, 5), (4, 4), (1, 1), (0, 0), (6, 7), (5, 4), (10, 10))


def wanted() -> Iterator[Case]:
    """What the file should have."""
    seeds = iter(range(1, 10000))

    def arithmetic(*texts: str) -> Iterator[Case]:
        for text in texts:
            for index, (a, b) in enumerate(FORMATS):
                for fp32 in ("", "fp32"):
                    phase = 0 if text.startswith(("ELWADD", "ELWSUB")) else (index + len(fp32)) % 4
                    seed = next(seeds)
                    mode = f"{FLIPS[seed % 4]}{{}}addr_mod={seed % 8}"
                    yield Case(text.replace("@", mode.format("")), a, b, fp32, phase, seed)
            for phase in range(4):
                seed = next(seeds)
                phase = 0 if text.startswith(("ELWADD", "ELWSUB")) else phase
                mode = f"{FLIPS[seed % 4]}addr_mod={seed % 8}"
                yield Case(text.replace("@", mode), 14, 14, "int8", phase, seed)

    yield from arithmetic(
        "MVMUL @, dst_row=8", "DOTPV @, dst_row=24", "GAPOOL dimension=1, @, dst_row=4",
        "ELWMUL @, dst_row=16", "ELWMUL broadcast_src_b_row=1, @, dst_row=16",
        "ELWMUL broadcast_src_b_col0=1, @, dst_row=16",
        "ELWADD @, dst_row=8", "ELWADD add_dst=1, @, dst_row=8",
        "ELWADD broadcast_src_b_row=1, broadcast_src_b_col0=1, @, dst_row=8",
        "ELWSUB @, dst_row=8", "ELWSUB add_dst=1, broadcast_src_b_col0=1, @, dst_row=8",
        "MVMUL broadcast_src_b_row=1, @, dst_row=8",
    )  # fmt: skip
    for text in ("ELWADD add_dst=1, dst_row=8", "ELWMUL dst_row=8", "MVMUL dst_row=8"):
        for a, b in FORMATS[:3]:
            yield Case(text, a, b, "keep", 0, next(seeds))
    for phase in range(1, 4):
        yield Case("ELWADD add_dst=1, dst_row=8", 5, 5, "fp32", phase, next(seeds))
        yield Case("ELWSUB dst_row=8", 1, 1, "", phase, next(seeds))
    for text in ("GMPOOL dimension=1, addr_mod=2, dst_row=4", "GMPOOL dimension=1, arg_max=1"):
        for a, b in FORMATS:
            for fp32 in ("", "fp32"):
                yield Case(text, a, b, fp32, 0, next(seeds))
        yield Case(text, 14, 5, "int8", 0, next(seeds))
    moves: tuple[tuple[str, Callable[[int], str]], ...] = (
        ("MOVA2D", lambda i: ("move_8_rows=1, src_row=8, dst_row=8", ONE)[i % 2]),
        ("MOVDBGA2D", lambda i: ("move_8_rows=1, dst_row=16", "src_row=9, dst_row=1")[i % 2]),
        ("MOVB2D", lambda i: (
            "src_row=3, dst_row=5", "move_4_rows=1, src_row=4, dst_row=4",
            "broadcast_1_row_to_8=1, src_row=8, dst_row=8",
            "move_4_rows=1, broadcast_col0=1, src_row=4", "broadcast_col0=1, src_row=7, dst_row=9",
            "broadcast_1_row_to_8=1, broadcast_col0=1, dst_row=8")[i % 6]),
        ("MOVD2A", lambda i: ("move_4_rows=1, src_row=4, dst_row=8", ONE)[i % 2]),
        ("MOVD2B", lambda i: ("move_4_rows=1, src_row=4, dst_row=8", ONE)[i % 2]),
    )  # fmt: skip
    for name, mode in moves:
        for i, (a, b) in enumerate((*FORMATS, (8, 8), (9, 9), (14, 14), (15, 15), (5, 1))):
            for fp32 in ("", "fp32"):
                for low in ("", "use_dst_32b_lo=1, "):
                    from_dst = name.startswith("MOVD2")
                    kind = a if name in ("MOVA2D", "MOVDBGA2D", "MOVD2A") else b
                    if from_dst and not fp32 and (low or kind == 4):
                        continue  # undefined behaviour
                    seed = next(seeds)
                    flags = f"{fp32} {'keep' if seed % 4 == 1 else ''}"
                    flags = f"{flags} {'blocked' if seed % 5 == 1 else ''}".strip()
                    text = f"{name} {low}{mode(i + len(fp32))}, addr_mod={seed % 8}"
                    yield Case(text, a, b, flags, 0, seed)
    for i in range(12):
        four = "move_4_rows=1, srca_row=8, srcb_row=12" if i % 2 else "srca_row=5, srcb_row=10"
        flags = ("", "keep", "blocked")[i % 3]
        yield Case(
            f"MOVB2A {four}, addr_mod={i % 8}", 5, *FORMATS[i % 7][1:], flags, 0, next(seeds)
        )
    for mode_name in ("ONE_ROW", "ROWS_16", "HALF_OF_DST", "ALL_OF_DST"):
        for wide in range(2):
            for at in (0, 1, 13, 31, 63, 255):
                flags = "fp32" if wide and mode_name == "ONE_ROW" else ""
                text = f"ZEROACC clear_mode={mode_name}, use_dst_32b={wide}, addr_mod=5, imm10={at}"
                yield Case(text, 5, 5, flags, 0, next(seeds))
    yield Case("ZEROACC clear_mode=ROWS_16, use_dst_32b=1, revert=1, imm10=2", 5, 5, "", 0, 3001)
    yield Case("ZEROACC clear_mode=ROWS_16, revert=1, imm10=3", 5, 5, "", 0, 3002)
    for seed, low in ((3003, ""), (3004, "use_dst_32b_lo=1, ")):
        yield Case(f"MOVB2D {low}broadcast_1_row_to_8=1, dst_row=8", 8, 8, "int8 keep", 0, seed)
    for i in range(32):
        names = ("clear_src_a", "clear_src_b", "both_banks", "single_bank_matrix_unit",
                 "negative_inf_src_a")  # fmt: skip
        chosen = ", ".join(f"{name}=1" for bit, name in enumerate(names) if i >> bit & 1)
        yield Case(f"ZEROSRC {chosen}".strip(), 5, 5, "", 0, next(seeds))
    for text in ("TRNSPSRCB", "SHIFTXA direction=LEFT", "SHIFTXA direction=RIGHT",
                 "SHIFTXB src_row=9, addr_mod=3", "SHIFTXB shift_in_zero=1, src_row=60",
                 "CLREXPHIST", "GATESRCRST invalidate_src_b_cache=1"):  # fmt: skip
        for _ in range(2):
            yield Case(text, 4, 4, "", 0, next(seeds))


def main() -> None:
    """Write the file."""
    from tensix_gdb.core.engine import Entry, open_engine

    before = {case.line().split("|")[0] + str(case.seed): case.checked for case in read_cases()}
    record = Record()
    engine = open_engine("compiled", [Entry("execute", execute)], record)
    lines = []
    for case in wanted():
        record.restore(Record().snapshot())
        fill(record, case)
        if engine.call("execute", parse(case.text)) != 0:
            raise SystemExit(f"{case.text} stops: {record.S.stop.kind}")
        checked = before.get(f"{case.text} {case.seed}", "page")
        lines.append(replace(case, digest=digest(record), checked=checked).line())
    engine.close()
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
