# SPDX-License-Identifier: Apache-2.0
"""The manual: its chapters, what generates them, and the command that shows them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensix_gdb.core.explain.instruction.block import Generated
from tensix_gdb.core.machine.parts import DEVICE_PARTS, PARTS
from tensix_gdb.core.record.layout import Chapter
from tensix_gdb.gdbstub import manual
from tensix_gdb.gdbstub.cli import lookup
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.references import BLOCKS
from tensix_gdb.gdbstub.manual.meant import MEANT
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS
from tensix_gdb.gdbstub.tensix.monitor.monitor import NEEDS

MAX_LINES = 250


def test_every_file_is_a_chapter() -> None:
    files = {path.stem for path in manual.FOLDER.glob("*.md")}
    assert sorted(manual.TOPICS) == sorted(files)


@pytest.mark.parametrize("topic", manual.TOPICS)
def test_a_chapter_is_short(topic: str) -> None:
    text = manual.path_of(topic).read_text("utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    assert text.startswith("<!-- SPDX-License-Identifier: Apache-2.0 -->\n# ")


@pytest.mark.parametrize(("block", "make"), BLOCKS, ids=lambda one: getattr(one, "name", ""))
def test_references_are_fresh(block: Generated, make: Callable[[], str]) -> None:
    assert make() == block.read(), f"run `{block.maker}`"


def test_each_part_of_the_record_is_on_one_page() -> None:
    assert {part.chapter for part in DEVICE_PARTS} == {Chapter.DEVICES}
    assert {part.chapter for part in PARTS} == set(Chapter)


def test_commands_that_not_every_tile_has_are_there() -> None:
    text = manual.text_of("monitor")
    assert all(f"`monitor {name}`" in text for name in NEEDS)


def test_the_list_of_chapters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(manual.TOPICS)]] == list(manual.TOPICS)
    assert lines[0].split(maxsplit=1)[1] == manual.title_of("session")


def test_a_chapter_is_shown_without_marks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", "fault-codes"]) == 0
    shown = capsys.readouterr().out
    assert "`STORE_WIDTH`" in shown
    assert "<!--" not in shown


def test_a_word_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", "store_width"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("fault-codes: ")
    assert all(len(line) <= 110 for line in shown.splitlines())
    assert main(["manual", "the"]) == 0
    assert "search for a longer text" in capsys.readouterr().out


def test_several_words_may_be_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", "packer", "relu"]) == 0
    assert "units: The packer\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("shiftdmareg", "tensix-gdb explain SHIFTDMAREG.Imm\n\nSHIFTDMAREG.Imm mode=LEFT"),
        ("sfpmad", "\nopcodes: "),
        ("TBUFCMD", "tensix-gdb explain TBUFCMD"),
        ("mulhsu", "an instruction of the harts (BabyRISCV/InstructionSet.md)"),
        ("vadd.vv", "an instruction of the V extension"),
        ("STORE_WIDTH", "fault-codes: "),
        ("monitor sem", "monitor: "),
        ("vCont;r", "packets: "),
        ("Z0", "`Z TYPE,ADDR,KIND[;REST]` is a packet: "),
        ("m8000,4", "`m ADDR,LENGTH` is a packet: read memory"),
        ("qXfer:features:read", "`qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH` is a packet: "),
        ("SOFT_RESET_0", "registers: "),
        ("stacc_relu", "STACC_RELU_ApplyRelu: bits 5:2 of word 2"),
        ("hart.pc", "record-harts: "),
        ("debug.breaks", "debug.breaks is a row of the record"),
        ("packer's ReLU", "units: The packer\n"),
        ("c10 for reads", "units: The other units\n"),
        ("C10 reads", "units: The other units\n"),
        ("disagree", "# Where documents disagree\n"),
        ("documents disagree", "disagree: Where documents disagree\n"),
        ("ZEROACC", "disagree: Dst and the Matrix Unit\n"),
        ("s_waitcnt", "disagree: Harts and devices\n"),
        ("fflags", "disagree: Harts and devices\n"),
    ],
)
def test_a_name_of_the_machine_is_found(
    words: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["manual", words]) == 0
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("watcher", "Read `tensix-gdb manual contract`"),
        ("waypoint", "`monitor why [HART|THREAD]`"),
        ("waypoint", "Read `tensix-gdb manual contract`"),
        ("runtime args", "Read `tensix-gdb manual contract`"),
        ("stuck", "Read `tensix-gdb manual diagnose`"),
        ("overwrote", "`monitor origin PLACE"),
        ("L1 overflow", "Read `tensix-gdb manual state`"),
        ("circular buffer", "`monitor cb [N]`"),
        ("circular buffer", "Read `tensix-gdb manual contract`"),
        ("hang", "Read `tensix-gdb manual diagnose`"),
        ("overwrote", "Read `tensix-gdb manual origin`"),
        ("PCC", "Read `tensix-gdb manual wrong-numbers`"),
        ("nan", "Read `tensix-gdb manual wrong-numbers`"),
        ("fp32_dest_acc", "Read `tensix-gdb manual stages`"),
        ("dst", "Read `tensix-gdb manual coprocessor`"),
        ("cb", "`monitor cb [N]`"),
        ("dst", "`monitor dst [ROW"),
        ("why", "`monitor why"),
    ],
)
def test_the_words_of_reports(words: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", *words.split()]) == 0
    first = capsys.readouterr().out.split("\n\n\n")[0]
    assert shown in "\n".join(first.splitlines()[:4])


def test_what_words_mean_is_there() -> None:
    table = manual.text_of("monitor")
    for words, chapters, commands in MEANT:
        assert set(chapters.split()) <= set(manual.TOPICS), words
        assert all(f"`monitor {name}" in table for name in commands.split()), words
    assert len(words_of := [one for row in MEANT for one in row[0].split("|")]) == len(
        set(words_of)
    )


@pytest.mark.parametrize(
    ("word", "topic"),
    [
        ("races", "races"),
        ("seeds", "seeds"),
        ("ttnn", "ttnn"),
        ("coverage", "measuring"),
        ("NumPy", "tiles"),
        ("--html", "pictures"),
        ("semihosting", "io"),
        ("Wormhole", "wormhole"),
    ],
)
def test_the_best_chapter_is_first(word: str, topic: str) -> None:
    assert manual.search(word)[0].topic == topic


def test_all_names_are_found() -> None:
    """No row of the machine is without a word about it."""
    unknown = [
        name for name in lookup.names() if not lookup.about(name) and not manual.search(name)
    ]
    # The rows of V's encodings and of a pushed instruction are no mnemonics.
    assert [name for name in unknown if not name.startswith(("v.", ".ttinsn"))] == []
    packets = [pattern.prefix.decode() for pattern in PATTERNS.values()]
    assert [one for one in packets if not lookup.packet(one) and not manual.search(one)] == []


def test_a_word_that_is_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manual", "sesion"]) == 2
    assert "`tensix-gdb manual session`?" in capsys.readouterr().err
    assert main(["manual", "semwat"]) == 2
    assert "`tensix-gdb manual SEMWAIT`?" in capsys.readouterr().err
