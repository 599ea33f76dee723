# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb asm`, `disasm`, `explain`, `isa`, and `monitor disasm`, `monitor explain`."""

from __future__ import annotations

import io
import json
import struct
import sys
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.cli.counted import calls_of
from tests.gdbstub.tiles import Client, new_tile

Capture = pytest.CaptureFixture[str]


def printed(capture: Capture, *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    out, err = capture.readouterr()
    assert bool(err) is (status != 0)
    return err if status else out


def data(capture: Capture, *arguments: str) -> list[dict[str, object]]:
    found = json.loads(printed(capture, *arguments, "--json"))
    assert isinstance(found, list)
    return found


# asm


def test_asm_prints_words(capsys: Capture) -> None:
    assert printed(capsys, "asm", "STALLWAIT(B3, C10)", ".ttinsn STALLWAIT block=B3, wait=C10") == (
        "0xa2040400  STALLWAIT block=B3, wait=C10\n"
        "0x88101002  .ttinsn STALLWAIT block=B3, wait=C10\n"
    )
    shift = printed(capsys, "asm", "SHIFTDMAREG.Imm mode=LEFT, right_imm6=37")
    assert shift.endswith("# SHIFTDMAREG.md has no meaning for bit 11; it is ignored, so a shift by"
                          " 37 is one by 5\n")  # fmt: skip
    assert data(capsys, "disasm", "0x5c800940")[0]["note"] == shift.partition("# ")[2].strip()
    wormhole = printed(capsys, "asm", "--arch", "wormhole", "STALLWAIT block=B3, wait=TRISC_CFG")
    assert wormhole == "0xa2042000  STALLWAIT block=B3, wait=C13\n"
    assert printed(capsys, "asm", "--arch", "gfx9", "s_waitcnt vmcnt(0)").startswith("0xbf8c0f70 ")
    rows = data(capsys, "asm", "--arch", "riscv", "--at", "0x6000", "j .", ".ttinsn NOP")
    assert [(row["addr"], row["hex"], row["text"]) for row in rows] == [
        (0x6000, "0x0000006f", "j 6000"),
        (0x6004, "0x08000000", ".ttinsn NOP"),
    ]
    assert printed(capsys, "asm", "--arch", "visa", "WAIT 3") == "0x035b  WAIT 0x03:ub\n"


PROGRAM = """
.mopcfg 0, 2
.mopcfg 1, 2
.mopcfg 5, INCRWC rwc_d=1
.mopcfg 7, SETRWC
.mopcfg 8, ZEROACC
    MOP template=DOUBLE_LOOP
    NOP
"""


def test_asm_of_a_program(capsys: Capture, tmp_path: Path) -> None:
    source, words = tmp_path / "program.s", tmp_path / "words"
    source.write_text("again: NOP\n.word again, 5\nSEMPOST sem=S1")
    rows = data(capsys, "asm", "--file", str(source))
    assert [row["word"] for row in rows] == [0x02000000, 0, 5, 0xA4000008]
    assert [row["line"] for row in rows] == [1, 2, 2, 3]
    assert printed(capsys, "asm", "--file", str(source), "-o", str(words)) == ""
    assert struct.unpack("<4I", words.read_bytes()) == (0x02000000, 0, 5, 0xA4000008)
    # And back again.
    assert [row["word"] for row in data(capsys, "disasm", str(words))] == [r["word"] for r in rows]


def test_asm_expands(capsys: Capture, tmp_path: Path) -> None:
    source = tmp_path / "loop.s"
    source.write_text(PROGRAM)
    rows = data(capsys, "asm", "--expand", "--file", str(source))
    assert [str(row["text"]).split()[0] for row in rows] == [
        "INCRWC",
        "ZEROACC",
        "INCRWC",
        "SETRWC",
        "NOP",
    ]
    assert [row["line"] for row in rows] == [7, 7, 7, 7, 8]


# disasm


def test_disasm_of_words(capsys: Capture) -> None:
    assert printed(capsys, "disasm", "0xa2040400", "0x02000001") == (
        "0xa2040400  STALLWAIT block=B3, wait=C10\n"
        f"{'0x02000001  .word 0x02000001':56}  # NOP with bits 0x1 set, which mean nothing\n"
    )
    llk = printed(capsys, "disasm", "--llk", "0xa2040400")
    assert llk.split("  ")[1] == "TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG)\n"
    # fmt: off
    for arch, word, text in (
        ("wormhole", "0xa2042000", "STALLWAIT block=B3, wait=C13"),
        ("gfx9",     "0xbf8c0f70", "s_waitcnt vmcnt(0)"),
        ("visa",     "0x035b",     "WAIT 0x03:ub"),
        ("riscv",    "0x88101002", ".ttinsn STALLWAIT block=B3, wait=C10"),
        ("riscv",    "0x00008067", "ret"),
    ):
        assert data(capsys, "disasm", "--arch", arch, word)[0]["text"] == text
    # fmt: on


def test_disasm_of_hart_words_in_sequence(capsys: Capture) -> None:
    rows = data(capsys, "disasm", "--arch", "riscv", "0x13", "0x0000006f", "0xff9ff06f")
    assert [row["text"] for row in rows] == ["nop", "j 4", "j 0"]


def test_disasm_of_files(capsys: Capture, tmp_path: Path) -> None:
    text, binary = tmp_path / "words.txt", tmp_path / "words.bin"
    text.write_text("0xa2040400\n0x02000000 67108864\n")
    binary.write_bytes(struct.pack("<3I", 0xA2040400, 0x02000000, 67108864))
    assert data(capsys, "disasm", str(text)) == data(capsys, "disasm", str(binary))
    assert len(data(capsys, "disasm", str(text), "0x02000000")) == 4


def test_words_from_the_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    given(b"0xa2040400 0x02000000")
    assert [row["text"] for row in data(capsys, "disasm", "-")] == [
        "STALLWAIT block=B3, wait=C10",
        "NOP",
    ]
    given(b"NOP\nSEMPOST sem=S1\n")
    assert [row["hex"] for row in data(capsys, "asm", "--file", "-")] == [
        "0x02000000",
        "0xa4000008",
    ]
    given(b"\x7fELF")
    assert "read by name" in printed(capsys, "disasm", "-", status=2)


def test_disasm_of_an_elf(capsys: Capture, demo_elfs: dict[str, Path]) -> None:
    listing = printed(capsys, "disasm", str(demo_elfs["T0"]))
    rows = data(capsys, "disasm", str(demo_elfs["T0"]))
    assert "<main>:" in listing
    assert all(f"{row['word']:08x}" in listing for row in rows)
    pushed = [row for row in rows if row["tensix"] is not None]
    assert pushed
    assert all(str(row["text"]).startswith(".ttinsn") for row in pushed)
    assert {row["function"] for row in rows} >= {"main"}
    assert any(".c:" in str(row["source"]) for row in rows)
    plain = printed(capsys, "disasm", "--no-source", "--numeric", str(demo_elfs["T0"]))
    assert ".c:" not in plain
    assert "x2" in plain


# explain and isa


def test_explain(capsys: Capture) -> None:
    out = printed(capsys, "explain", "STALLWAIT", "block=B6,", "wait=C10")
    assert out.startswith("STALLWAIT block=B6, wait=C10\n")
    assert "Warning: C10: this block mask does not catch UNPACR" in out
    found = json.loads(printed(capsys, "explain", "--json", "--arch", "wormhole", "0xa2042000"))
    assert found["arch"] == "Wormhole"
    assert found["fields"][1]["text"] == "C13"
    assert found["elsewhere"][0]["text"] == "STALLWAIT block=B3, wait=C10"
    assert json.loads(printed(capsys, "explain", "--json", "s_waitcnt vmcnt(0)"))["arch"] == "gfx9"
    assert json.loads(printed(capsys, "explain", "--json", "WAIT 1"))["arch"] == "vISA"


def test_isa(capsys: Capture) -> None:
    lines = printed(capsys, "isa").splitlines()
    assert len(lines) == 1 + len(rows_of(Arch.BLACKHOLE))
    assert len({line.split()[0] for line in lines[1:]}) == 137
    rows = data(capsys, "isa", "s*wait")
    assert [row["mnemonic"] for row in rows] == ["STALLWAIT", "SEMWAIT", "STREAMWAIT"]
    assert data(capsys, "isa", "0xa2", "0xa6", "STREAMWAIT") == rows
    assert rows[0]["held_by"] == [f"B{i}" for i in range(9)]
    assert rows[0]["fields"] == {
        "block_mask": {
            "bits": "23:15",
            "signed": False,
            "meaning": "what is held at the wait gate; 0 means B6",
        },
        "condition_mask": {
            "bits": "12:0",
            "signed": False,
            "meaning": "what to wait for; 0 means C0 to C3",
        },
    }
    assert "STREAMWAIT" not in printed(capsys, "isa", "--arch", "wormhole")
    undocumented = data(capsys, "isa", "--status", "undocumented", "--unit", "matrix")
    assert {row["mnemonic"] for row in undocumented} >= {"RAREB", "TRNSPSRCA"}


def test_names_of_pages_and_forms(capsys: Capture) -> None:
    """A page's name stands for each opcode that it is about, in all commands of instructions."""
    assert printed(capsys, "explain", "SHIFTDMAREG").startswith("This text has 2 forms: SHIFT")
    forms = json.loads(printed(capsys, "explain", "--json", "SHIFTDMAREG"))
    assert [form["text"].split()[0] for form in forms] == ["SHIFTDMAREG.Reg", "SHIFTDMAREG.Imm"]
    rows = data(capsys, "isa", "RMWCIB", "SFPSTOCHRND")
    assert [row["mnemonic"] for row in rows] == [
        "SFP_STOCH_RND",
        *(f"RMWCIB{byte}" for byte in range(4)),
    ]
    shown = printed(capsys, "manual", "RMWCIB")
    assert all(f"tensix-gdb explain RMWCIB{byte}\n" in shown for byte in range(4))
    assert "SFP_STOCH_RND" in printed(capsys, "manual", "sfpstochrnd")


# What is wrong with a command line, in one sentence.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["asm"], "type an instruction in quotes"),
        (["asm", "NOP", "--file", "x"], "not both"),
        (["asm", "NOPE"], "argument:1: 'NOPE' is no Blackhole instruction; is it NOP"),
        (["asm", "RMWCIB"], "say which is meant: RMWCIB0 or RMWCIB1 or RMWCIB2 or RMWCIB3"),
        (["isa", "SEMWIAT"], "there is no such instruction; is it SEMWAIT"),
        (["asm", "--arch", "riscv", "add"], "argument:1: add takes 3 operands, not 0"),
        (["asm", "--at", "3", "NOP"], "'3' is no address of an instruction"),
        (["asm", "--file", "/nowhere/x.s"], "No such file"),
        (["asm", "--arch", "gfx9", "s_waitcnt vmcnt(64)"], "too large value for vmcnt"),
        (["asm", "NOP", "-o", "/nowhere/x"], "/nowhere/x: No such file"),
        (["disasm", "/nowhere/x"], "no number and no file"),
        (["disasm", "1 << 32"], "no word of 32 bits"),
        (["explain", "NOPE"], "is no Blackhole instruction"),
        (["isa", "NOPE"], "there is no such instruction"),
        (["explain", "NOP", "--arch", "z80"], "invalid choice: 'z80'"),
    ],
)
def test_refused(arguments: list[str], sentence: str, capsys: Capture) -> None:
    assert sentence in printed(capsys, *arguments, status=2)


def test_refused_files(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xff\xff\xff")
    assert "3 bytes" in printed(capsys, "disasm", str(path), status=2)
    path.write_bytes(b"\x7fELF, but no more")
    assert str(path) in printed(capsys, "disasm", str(path), status=2)


def test_explain_answers_quickly() -> None:
    """A fifth of a second is 300,000 calls, nearly all of them for loading modules."""
    assert calls_of("explain", "STALLWAIT(B3, C10)") < 400_000


# monitor


def monitor(client: Client, line: str) -> str:
    came = client.send(_packet(b"qRcmd," + line.encode().hex().encode()))
    texts = [bytes.fromhex(one[1:].decode()) for one in came if one[:1] == b"O" and one != b"OK"]
    assert came[-1] == b"OK"
    return b"".join(texts).decode()


def _packet(payload: bytes) -> bytes:
    return b"$%s#%02x" % (payload, sum(payload) & 0xFF)


def test_monitor() -> None:
    client = Client(new_tile())
    client.ask("Hg1")
    assert monitor(client, "disasm pc 3").splitlines() == [
        "=> 0x00000000:\t00010337\tlui\tt1,0x10",
        "   0x00000004:\tffb003b7\tlui\tt2,0xffb00",
        "   0x00000008:\t00128293\taddi\tt0,t0,1",
    ]
    assert len(monitor(client, "disasm").splitlines()) == 8
    assert monitor(client, "explain").startswith("lui t1,0x10\n")
    client.ask("Hg2")
    assert monitor(client, "disasm 0x600c 1").split("\t")[2:] == [".ttinsn", "NOP\n"]
    assert "C10  TRISC_CFG" in monitor(client, "explain STALLWAIT(B3, C10)")
    assert "Wormhole, pushed by" in monitor(client, "explain wormhole 0xa2042000")
    assert "SrcB" in monitor(client, "explain wormhole STALLWAIT block=B4, wait=C9")
    assert "no address and no symbol" in monitor(client, "disasm nothing")
    assert "an N of 1 to 4096" in monitor(client, "disasm 0 0")
    assert "is no Blackhole instruction" in monitor(client, "explain NOPE")
    assert monitor(client, "explain SHIFTDMAREG").startswith("This text has 2 forms")
    assert "Gate breakpoint 1: RMWCIB." in monitor(client, "break gate RMWCIB")
    assert "0x00200000" in monitor(client, "disasm 0x200000")
    for name in ("disasm", "explain"):
        assert f"monitor {name} [" in monitor(client, "help")
