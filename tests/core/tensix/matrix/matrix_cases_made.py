# SPDX-License-Identifier: Apache-2.0
"""Make `matrix_cases.txt`: every instruction of the Matrix Unit in every mode (matrix_cases.py).

python -m tests.core.tensix.matrix.matrix_cases_made    writes the file again, and keeps the last
column
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tests.core.tensix.matrix.matrix_cases import FILE, Case, digest, execute, fill, read_cases

FLIPS = ("", "flip_src_a=1, ", "flip_src_b=1, ", "flip_src_b=1, flip_src_a=1, ")
ONE = "src_row=3, dst_row=5"
FORMATS = ((5, 5), (4, 4), (1, 1), (0, 0), (6, 7), (5, 4), (10, 10))


def wanted() -> Iterator[Case]:
    """Yield the cases that the file should have."""
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
                    if not from_dst and low and kind == 4:
                        continue  # likewise
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
    for text in ("MOVA2D move_8_rows=1, src_row=8", "MOVB2D move_4_rows=1, src_row=4",
                 "MOVB2D broadcast_1_row_to_8=1, broadcast_col0=1, dst_row=8",
                 "MOVB2A move_4_rows=1, srca_row=8, srcb_row=12"):  # fmt: skip
        for data_format in (1, 5, 4, 10):
            for flags in ("foreign", "foreign keep", "foreign fp32"):
                yield Case(text, data_format, data_format, flags, 0, next(seeds))


def main() -> None:
    """Write the file."""
    from tensix_gdb.core.engine import Entry, open_engine

    before = {case.line().split("|")[0] + str(case.seed): case.checked for case in read_cases()}
    record = Record(LAYOUT)
    engine = open_engine("compiled", [Entry("execute", execute)], record)
    lines = []
    for case in wanted():
        record.restore(Record(LAYOUT).snapshot())
        fill(record, case)
        if engine.call("execute", parse(case.text)) != 0:
            raise SystemExit(f"{case.text} stops: {record.S.stop.kind}")
        checked = before.get(f"{case.text} {case.seed}", "page")
        lines.append(replace(case, digest=digest(record, case), checked=checked).line())
    engine.close()
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
