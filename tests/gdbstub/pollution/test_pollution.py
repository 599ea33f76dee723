# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb pollution` on two small operations, one of which leaves a field changed that the
other one reads; and on the same two when each does its part of the contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pollution.where import section_of
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tests.assembler import EBREAK, asm, li
from tests.elf_maker import make_elf, words
from tests.programs.build import ROOT, build

SOURCE = ROOT / "scripts" / "examples" / "pollution" / "kernels.c"
FIELD = "ALU_ACC_CTRL_SFPU_Fp32_enabled"
AFTER, WITHIN = "one kernel after another", "one operation after another in one kernel"
DONE, RESULT, GPRS = 0x20040, 0x20000, 0xFFE00000
Run = Callable[..., str]


def kernel(name: str, *, mended: bool = False, configures: bool = False) -> str:
    """Build `wide` or `narrow` in the present folder; its folder."""
    Path(name).mkdir()
    defines = (
        f"WIDE={int(name == 'wide')}",
        f"MENDED={int(mended)}",
        f"CONFIGURES={int(configures)}",
    )
    build(SOURCE, "T1", Path(name, "t1.elf").resolve(), defines=defines)
    return name


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")

    def pollution(*words: str, status: int = 0) -> str:
        found = main(["pollution", "--engine=reference", *words])
        out, err = capsys.readouterr()
        assert (found, err) == (status, ""), out + err
        return out

    return pollution


def line_of(text: str, function: str = "") -> int:
    """The number of the first line with a text, from the beginning of a function on."""
    lines = SOURCE.read_text("utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if f"INLINE void {function}(" in line), 0)
    return next(i for i, line in enumerate(lines, 1) if i > first and text in line)


def test_a_leak_is_named_with_its_field_both_functions_and_lines(run: Run) -> None:
    out = run(kernel("wide"), kernel("narrow"), "--json=found.json", status=1)
    stores = line_of("ALU_ACC_CTRL = on", "rows_of_32_bits")
    reads = line_of("SFPSTORE_ZERO_AS_FP32();", "store_a_number")
    assert (
        f"  _llk_math_wide_init_ (kernels.c:{stores}) leaves {FIELD} 0x1, which "
        f"_llk_math_narrow_init_ does not write and _llk_math_narrow_ (kernels.c:{reads}) reads\n"
        "      no UNINIT restores it\n"
        "      4 bytes of the result differ: wide then narrow\n"
    ) in out
    assert f"{AFTER}: another result in 1 pair," in out
    (hit,) = json.loads(Path("found.json").read_text("utf-8"))["hits"]
    assert (hit["first"], hit["second"], hit["was"], hit["is"]) == ("wide", "narrow", 0, 1)
    assert (hit["left_by"]["section"], hit["read_by"]["section"]) == ("INIT", "EXECUTE")


def test_kernels_that_do_what_the_contract_says_have_none(run: Run) -> None:
    out = run(kernel("wide", mended=True), kernel("narrow", mended=True), "--all")
    for way in (AFTER, WITHIN):
        assert f"{way}: another result in 0 pairs, a read that matters in 0, nothing in 4" in out


def test_an_operation_after_another_in_one_kernel(run: Run) -> None:
    """With a hw_configure no kernel disturbs the next one: within a kernel there is one alone."""
    wide, narrow = (kernel(name, configures=True) for name in ("wide", "narrow"))
    out = run(wide, narrow, status=1)
    assert f"{AFTER}: another result in 0 pairs" in out
    assert f"{WITHIN}: another result in 1 pair," in out
    assert f"leaves {FIELD} 0x1, which _llk_math_narrow_init_ does not write" in out


def test_a_result_that_depends_on_what_nothing_writes(run: Run) -> None:
    out = run(kernel("narrow"), "--contents", status=1)
    reads = line_of("SFPSTORE_ZERO_AS_FP32();", "store_a_number")
    assert (
        f"  {FIELD}, which _llk_math_narrow_ (kernels.c:{reads}) reads first: another result in "
        "narrow\n"
    ) in out


def test_a_kernel_that_writes_all_that_it_reads(run: Run) -> None:
    assert "0 with another result" in run(kernel("narrow", mended=True), "--contents")


ADDS = [*li(10, 0x30000), asm("lw", rd=11, rs1=10), *li(10, RESULT)]
ADDS += [asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=10, rs2=11)]
ENDS = [*li(10, DONE), *li(11, 255), asm("sw", rs1=10, rs2=11), asm("jal")]


def test_a_kept_run_with_other_contents_of_l1(run: Run) -> None:
    """T1 adds to a word that no host has written; the host reads a sum, and then the end."""
    Path("t1.elf").write_bytes(make_elf([(0x6000, words(*ADDS, *ENDS))], entry=0x6000))
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T1, read_elf("t1.elf"))
    Path("run-1.core").write_bytes(core_of(machine, "before T1 leaves reset"))
    machine.close()
    reads = {DONE: "ff000000", RESULT: "0100000000000000"}
    kept = {"addr": 0, "data": "", "reads": reads, "writes": []}
    Path("run-1.json").write_text(json.dumps(kept), "ascii")
    out = run("run-1.core", "--contents", status=1)
    assert "  L1 0x30000, which code at" in out
    assert "reads first: another result in run-1.core" in out


def test_a_folder_of_kernels_and_one_that_does_not_end(run: Run) -> None:
    Path("all").mkdir()
    kernel("all/wide", mended=True)
    Path("all", "spins").mkdir()
    spins = make_elf([(0x6000, words(asm("jal")))], entry=0x6000)
    Path("all", "spins", "t0.elf").write_bytes(spins)
    out = run("all", "--max-cycles=2000")
    assert "2 kernels" not in out
    assert "left out: spins: not done after 2,000 cycles" in out


def program(name: str, code: list[int]) -> str:
    """A folder with a program of T0."""
    Path(name).mkdir()
    Path(name, "t0.elf").write_bytes(make_elf([(0x6000, words(*code, EBREAK))], entry=0x6000))
    return name


def test_two_elements_that_matter_together(run: Run) -> None:
    """The second kernel stores two GPRs, one and the other: each by itself gives 0."""
    pointer, ones = li(10, GPRS), li(11, 1)
    stores = [asm("sw", rs1=10, rs2=11, imm=at) for at in (16, 20)]
    loads = [asm("lw", rd=12, rs1=10, imm=16), asm("lw", rd=13, rs1=10, imm=20)]
    both = [asm("and", rd=12, rs1=12, rs2=13), *li(10, RESULT), asm("sw", rs1=10, rs2=12)]
    ones_in = program("ones", [*pointer, *ones, *stores])
    out = run(ones_in, program("both", [*pointer, *loads, *both]), status=1)
    assert "ones leaves what together matters to both: GPRs" in out
    assert "1 byte of the result differs: ones then both" in out


@pytest.mark.parametrize(
    ("function", "section"),
    [
        ("_llk_unpack_AB_init_", "INIT"),
        ("_llk_unpack_AB_", "EXECUTE"),
        ("_llk_unpack_tilize_uninit_", "UNINIT"),
        ("_llk_pack_init_wrapper_", "INIT"),
        ("_llk_math_hw_configure_", "CONFIGURE"),
        ("_llk_unpack_reconfig_data_format_srca_", "CONFIGURE"),
        ("_llk_math_reconfig_remap_", "EXECUTE"),
        ("set_packer_strides", "CONFIGURE"),
    ],
)
def test_the_section_of_a_function(function: str, section: str) -> None:
    assert section_of(function) == section


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "nothing: is neither a kept run (FILE.core) nor a folder with programs"),
        (("empty",), "empty: has neither kept runs (*.core) nor programs in it"),
    ],
)
def test_what_is_no_kernel(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    assert main(["pollution", *words]) == 2
    assert said in capsys.readouterr().err
