# SPDX-License-Identifier: Apache-2.0
"""Remedies as diffs: the macros of a source, and the statements beside which a line may go."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind
from tensix_gdb.core.race.remedies.waits import TRISC_CFG, stallwait
from tensix_gdb.gdbstub.order.tried import words
from tensix_gdb.gdbstub.order.tried.apply import built
from tensix_gdb.gdbstub.order.tried.patch import Patch
from tensix_gdb.gdbstub.order.tried.source import Source, known_of
from tensix_gdb.gdbstub.order.tried.spelling import Known, NoPatch, spelled, used

WAIT = stallwait(Arch.BLACKHOLE, Block.B3, TRISC_CFG, "", ())
WORD = words.stallwait_word(Block.B3, TRISC_CFG)
SYNC = Remedy(RemedyKind.SYNC, "", macro="tensix_sync()")
BARRIER = Remedy(RemedyKind.BARRIER, "", macro="noc_async_read_barrier()")
FENCE = Remedy(RemedyKind.FENCE, "", macro="invalidate_l1_cache()")


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("TTI_NOP;", "TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG);"),
        ('#include "tensix_by_name.h"',
         "TTINSN(STALLWAIT | STALLWAIT_block_B3 | STALLWAIT_wait_C10);"),
        ("TTINSN(1);", "TTINSN(0xa2040400u); /* STALLWAIT block=B3, wait=C10 */"),
        ("", '__asm__ volatile(".insn 2, 0x1002\\n\\t.half 0x8810"); '
             "/* STALLWAIT block=B3, wait=C10 */"),
    ],
)  # fmt: skip
def test_a_wait_with_the_macros_of_the_source(source: str, statement: str) -> None:
    assert spelled(WAIT, Known(source), WORD) == statement


def test_a_signal_of_llk() -> None:
    remedy = Remedy(RemedyKind.SEMWAIT, "", semaphore=3, block=int(Block.B6))
    known = Known("TTI_NOP;")
    assert spelled(remedy, known, words.post_word(3)) == "TTI_SEMPOST(semaphore::t6_sem(3));"
    assert spelled(remedy, known, words.get_word(3)) == "TTI_SEMGET(semaphore::t6_sem(3));"
    assert spelled(remedy, known, words.semwait_word(Block.B6, 3)) == (
        "TTI_SEMWAIT(p_stall::STALL_MATH, semaphore::t6_sem(3), p_stall::STALL_ON_ZERO);"
    )


def test_calls() -> None:
    assert spelled(SYNC, Known("void tensix_sync();"), None) == "tensix_sync();"
    assert spelled(SYNC, Known("void wait_for_tensix(void);"), None) == "wait_for_tensix();"
    assert "0xffe80004" in spelled(SYNC, Known(""), None)
    assert spelled(FENCE, Known("invalidate_l1_cache"), None) == "invalidate_l1_cache();"
    assert '"fence"' in spelled(FENCE, Known(""), None)
    assert spelled(BARRIER, Known("noc_async_read_barrier"), None) == "noc_async_read_barrier();"
    with pytest.raises(NoPatch, match="does not include tt-metal's noc_async_read_barrier"):
        spelled(BARRIER, Known(""), None)


def test_what_is_read_back() -> None:
    assert used("value", Known(""), is_stored=False) == words_of_use("value")
    assert used("A[1]", Known(""), is_stored=True) == words_of_use(
        "*(volatile __typeof__(A[1]) *)&(A[1])"
    )
    known = Known("load_blocking")
    assert used("cfg[3]", known, is_stored=True) == "ckernel::load_blocking(&(cfg[3]));"


def words_of_use(value: str) -> str:
    return f'__asm__ volatile("and zero, %0, zero" : : "r"({value}) : "memory");'


TEXT = """\
#define BOTH(a) \\
    first(a);     \\
    second(a)
/* one = two;
   more */
void f(void)
{
    int a = load(1); // a; comment
    CONFIG(3) = a +
        4;
    if (a)
        store(a);
    for (int i = 0; i < 3; i++)
        push(i);
    if (a) one_line();
    while (a) {
        last("; {", a);
    }
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "f.c"
    path.write_text(TEXT)
    return Source(path)


@pytest.mark.parametrize(
    ("line", "range_of"), [(8, (8, 8)), (9, (9, 10)), (10, (9, 10)), (17, (17, 17))]
)
def test_statements(source: Source, line: int, range_of: tuple[int, int]) -> None:
    assert source.statement(line) == range_of


@pytest.mark.parametrize(
    ("line", "why"),
    [(2, "in a macro"), (15, "without braces"), (16, "without braces"), (99, "no line 99")],
)  # fmt: skip
def test_lines_beside_which_nothing_goes(source: Source, line: int, why: str) -> None:
    with pytest.raises(NoPatch, match=why):
        source.statement(line)


def test_what_has_no_braces_gets_them(source: Source) -> None:
    head, last = source.unbraced(12) or (0, 0)
    assert (head, last) == (11, 12)
    assert source.unbraced(9) is None
    after = source.with_lines([(*source.beside(12, before=False), "wait();")], [(head, last)])
    assert after.splitlines()[10:14] == [
        "    if (a) {",
        "        store(a);",
        "        wait();",
        "    }",
    ]


def test_begin_and_end_of_a_function(source: Source) -> None:
    assert source.begin(12) == (7, "    ")
    assert source.end(12) == (18, "    ")
    begin, end = (*source.begin(7), "first();"), (*source.end(7), "last();")
    lines = source.with_lines([begin, end]).splitlines()
    assert (lines[7], lines[-2:]) == ("    first();", ["    last();", "}"])


def test_a_function_that_returns_at_several_places(tmp_path: Path) -> None:
    path = tmp_path / "g.c"
    path.write_text("int g(int a)\n{\n    if (a)\n        return 1;\n    b();\n    return 0;\n}\n")
    with pytest.raises(NoPatch, match=r"g\.c:5: its function returns at several places"):
        Source(path).end(5)
    path.write_text("int g(int a)\n{\n    b();\n    return 0;\n}\n")
    assert Source(path).end(3) == (3, "    ")


def test_what_is_written(source: Source) -> None:
    assert source.written(8) == ("a", False)
    assert source.written(10) == ("CONFIG(3)", True)
    with pytest.raises(NoPatch, match="no assignment"):
        source.written(17)


def test_a_diff_can_be_applied(source: Source) -> None:
    after = source.with_lines([(*source.beside(10, before=False), "wait();")])
    assert after.splitlines()[10] == "    wait();"
    other = source.with_lines([(*source.beside(17, before=True), "wait();")])
    assert other.splitlines()[16] == "        wait();"
    diff = Patch(source.path, TEXT, after).diff(source.path.parent)
    folder = source.path.parent
    done = subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=folder)
    assert done.returncode == 0
    assert source.path.read_text() == after


def test_names_come_from_headers_too(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "a.c").write_text('#include "b.h"\n')
    (tmp_path / "inc" / "b.h").write_text("void tensix_sync();\n#include <a.c>\n")
    assert not known_of(tmp_path / "a.c", []).has("tensix_sync")
    assert known_of(tmp_path / "a.c", [tmp_path / "inc"]).has("tensix_sync")


def test_a_copy_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text, program = tmp_path / "a.c", tmp_path / "a.elf"
    text.write_text("old\n")
    program.write_text("built before\n")
    patch = Patch(text, "old\n", "new\n")
    with built([patch], [program], "rm a.elf; cat a.c > a.elf") as there:
        assert there(program).read_text() == "new\n"
    assert (text.read_text(), program.read_text()) == ("old\n", "built before\n")
    with (
        pytest.raises(NoPatch, match="with status 3\nno such thing"),
        built([patch], [program], "echo no such thing; exit 3"),
    ):
        pass
    with pytest.raises(NoPatch, match="has built no program"), built([patch], [program], "true"):
        pass
