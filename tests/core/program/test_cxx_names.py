# SPDX-License-Identifier: Apache-2.0
"""Names of C++ without their parameters, as `c++filt -p` has them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.program.cxx_names import readable
from tensix_gdb.core.program.elf import Image, Symbol
from tensix_gdb.gdbstub.cli.main import main
from tests.forms import rounds
from tests.tools import find_tool

Capture = pytest.CaptureFixture[str]

# fmt: off
NAMES = {
    "_Z10run_kernelv":                          "run_kernel",
    "_ZN7ckernel4math4tileEv":                  "ckernel::math::tile",
    "_ZN7ckernel4math8run_tileILi2ELb1EEEvm":   "ckernel::math::run_tile<2, true>",
    "_ZN7ckernel3CfgILi3ELb1ELNS_3DimE1EEC1Ev":
                                        "ckernel::Cfg<3, true, (ckernel::Dim)1>::Cfg",
    "_ZN7ckernel3CfgILi3ELb1ELNS_3DimE1EED2Ev":
                                        "ckernel::Cfg<3, true, (ckernel::Dim)1>::~Cfg",
    "_ZNK7ckernel3CfgILi3ELb1ELNS_3DimE1EEcviEv":
                                        "ckernel::Cfg<3, true, (ckernel::Dim)1>::operator int",
    "_ZN7ckernel3CfgILi3ELb1ELNS_3DimE1EE3runIPFvicEEEvT_PS2_":
                    "ckernel::Cfg<3, true, (ckernel::Dim)1>::run<void (*)(int, char)>",
    "_ZN7ckernel3CfgILi3ELb1ELNS_3DimE1EE3runIPKPKcEEvT_PS2_":
                    "ckernel::Cfg<3, true, (ckernel::Dim)1>::run<char const* const*>",
    "_ZN7ckernel4manyILNS_3OldE1ELj7ELln3EJiRfPNS_3CfgILi3ELb1ELNS_3DimE1EEEEEEvDpT2_":
        "ckernel::many<(ckernel::Old)1, 7u, -3l, int, float&, "
        "ckernel::Cfg<3, true, (ckernel::Dim)1>*>",
    "_ZN7ckernel2ttINS_3VecEEEvPT_IiE":         "ckernel::tt<ckernel::Vec>",
    "_ZN7ckernel4callIXadL_ZNS_6targetEiEEEEvi": "ckernel::call<&ckernel::target>",
    "_ZN7ckernel12_GLOBAL__N_16hiddenERA4_i":   "ckernel::(anonymous namespace)::hidden",
    "_ZeqRK4BaseS1_":                           "operator==",
    "_ZTV4Base":                                "vtable for Base",
    "_ZNSt6vectorIiSaIiEE9push_backERKi":       "std::vector<int, std::allocator<int> >::push_back",
    "_Z3tucILh5EEvv":                           "tuc<(unsigned char)5>",
    "_Z20l1_to_local_mem_copyPmU11rvtt_l1_ptrS_11L1WordCount": "l1_to_local_mem_copy",
}
# Where this one says less than c++filt, or more.
OWN = {
    "_ZZN8llk_perf13get_bank_regsEN3llk4perf4BankEE4none":  "llk_perf::get_bank_regs::none",
    "_ZN7ckernel4math4tileEv.constprop.0": "ckernel::math::tile [clone .constprop.0]",
    "_ZGVZN3foo3barEiE5guard":             "guard variable for foo::bar::guard",
    "main":                                "main",
    "main.constprop.0":                    "main.constprop.0",
    "_Znonsense":                          "_Znonsense",
    "_Z":                                  "_Z",
    "_ZN3foo":                             "_ZN3foo",
    "_ZGTtN3foo3barEv":                    "_ZGTtN3foo3barEv",
}
# fmt: on


@pytest.mark.parametrize(("name", "shown"), [*NAMES.items(), *OWN.items()])
def test_names(name: str, shown: str) -> None:
    assert readable(name) == shown


@pytest.mark.oracle
def test_as_the_tool_of_binutils() -> None:
    told = subprocess.run(
        [find_tool("riscv64-unknown-elf-c++filt"), "-p"],
        input="\n".join(NAMES),
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines() == list(NAMES.values())


@given(st.text(alphabet="NSTLEIJPRKXZvijbms0123_abcFAUlCDt", max_size=40))
@settings(max_examples=rounds(300, 1500), deadline=None)
def test_any_name_has_an_answer(name: str) -> None:
    assert readable(f"_Z{name}")


SOURCE = """
namespace ckernel {
template <int N> void tile() { asm volatile("nop\\nebreak"); }
template void tile<2>();
}
"""
ENTRY = "_ZN7ckernel4tileILi2EEEvv"


def test_people_see_the_name_of_the_source(tmp_path: Path, capsys: Capture) -> None:
    """In a sentence about a stop, a timeline, a profile; and it may be typed."""
    source, elf = tmp_path / "kernel.cpp", tmp_path / "kernel.elf"
    source.write_text(SOURCE)
    gcc = find_tool("riscv64-unknown-elf-g++")
    flags = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-nostartfiles", "-O1"]
    link = ["-Wl,-Ttext=0x1000", f"-Wl,-e,{ENTRY}"]
    subprocess.run([gcc, *flags, *link, source, "-o", elf], check=True)
    trace, profile = tmp_path / "run.txt", tmp_path / "profile.txt"
    files = ["--trace", str(trace), "--profile", str(profile)]
    assert main(["run", f"--elf=b={elf}", *files]) == 0
    assert "ckernel::tile<2>" in capsys.readouterr().out
    assert "ckernel::tile<2>" in trace.read_text()
    assert "tile<2>" in profile.read_text()
    assert "_ZN" not in trace.read_text() + profile.read_text()
    assert main(["run", f"--elf=b={elf}", "--until", "ckernel::tile<2>"]) == 0
    assert "ckernel::tile<2>" in capsys.readouterr().out
    assert main(["disasm", str(elf)]) == 0
    shown = capsys.readouterr().out
    assert "<ckernel::tile<2>>:" in shown
    assert "_ZN" not in shown


def test_a_symbol_is_found_by_both_names() -> None:
    image = Image.__new__(Image)
    mangled = "_ZN7ckernel4math4tileEv"
    image.__dict__["symbols"] = {mangled: Symbol(mangled, 0x40, 8, True)}
    for name in (mangled, "ckernel::math::tile"):
        assert image.symbol(name) == 0x40
    assert image.symbol("tile") is None
