# SPDX-License-Identifier: Apache-2.0
"""Kernels that print by tt-metal's header: what the host makes of it, and that it is the same in
every run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.device_print.buffer import DISABLED, STARTING, Buffer
from tensix_gdb.core.device_print.prints import PERIOD, Prints
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.core.device_print.build import BUFFER, ROUNDS, SIZE, build, compiler
from tests.core.firmware.builds import KNOWN, unpack
from tests.gdbstub import wire
from tests.gdbstub.cli.test_recordings import played_again
from tests.gdbstub.tiles import Client
from tests.machines import machine_on

T1 = 2
EXPECTED = """\
B: small -1 255 -100 65535
B: large -5000000000 -7 4000000000
B: in order 2 1 2
B: hex 00000abc 0xabc 0XABC 101
B: float 1 3.142 0.1 1.234568e+04
B: double 0.1 bf16 1.5 -3.14
B: bool true false pointer 0xdeadbeef
B: text [   right] [left    ] [**mid***]
B: {braces} a string in memory
B: enum Green Color::Blue (Color)9
B: flags R | X chip::Perm::R | chip::Perm::W (chip::Perm)24
B: two halves of one line
"""
IN_LLK = """\
B: array    1.00    2.00    3.00   -4.00
B: tile 
B:    1.00    1.06    1.00    1.06
B:    1.00    1.06    1.00    1.06
B:    1.00    1.06    1.00    1.06
B:    1.00    1.06    1.00    1.06
B: too large 
B:    1.00    1.03    1.06    1.09    1.00    1.03    1.06    1.09
B:    1.00    1.03    1.06    1.09    1.00    1.03    1.06    1.09
B:    1.00    1.03    1.06    1.09    1.00    1.03    1.06    1.09
B:    1.00    1.03    1.06    1.09    1.00    1.03    1.06    1.09 <the other 32 did not fit>
B: 
"""


@pytest.fixture(scope="session")
def kernels(
    tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    compiler(tool)
    folder = tmp_path_factory.mktemp("prints")
    return {hart: build(folder, hart, folder / f"{hart}.elf") for hart in ("B", "T1")}


def loaded(tile: Machine, kernels: dict[str, Path], *harts: str) -> tuple[Prints, list[str]]:
    """A tile whose kernels print, and what is shown."""
    for hart in harts:
        tile.load({"B": B, "T1": T1}[hart], read_elf(kernels[hart]))
    shown: list[str] = []
    prints = Prints(tile, Buffer(BUFFER, SIZE), shown.append)
    tile.host.observer = prints
    return prints, shown


def ran(tile: Machine, slices: int = 1 << 20) -> None:
    """Run until every hart has paused."""
    for _ in range(1 << 20):
        stop = tile.run(slices)
        if stop is not None and stop.kind is StopKind.ALL_PAUSED:
            return
    raise AssertionError("it continues for ever")


def test_every_type(tile: Machine, kernels: dict[str, Path]) -> None:
    prints, shown = loaded(tile, kernels, "B")
    ran(tile)
    prints.show()
    assert "".join(shown) == EXPECTED + IN_LLK


def test_kernels_wait_for_the_host(tile: Machine, kernels: dict[str, Path]) -> None:
    """Prints of two harts, more than the buffer holds: none is lost."""
    prints, shown = loaded(tile, kernels, "B", "T1")
    ran(tile)
    prints.show()
    text = "".join(shown)
    assert "".join(line for line in text.splitlines(True) if line[:2] == "B:") == EXPECTED + IN_LLK
    numbers = [line for line in text.splitlines() if line.startswith("T1: ")]
    assert numbers == [f"T1: w={i}" for i in range(ROUNDS)]


def test_without_a_host_they_wait_for_ever(kernels: dict[str, Path]) -> None:
    """Nobody reads the buffer, and T1 polls for room: the tile stops by itself."""
    tile = machine_on("compiled")
    _, shown = loaded(tile, kernels, "T1")
    tile.host.observer = None
    stop = tile.run(1_000_000)
    assert stop is not None
    assert (stop.kind, stop.hart) == (StopKind.STANDSTILL, T1)
    assert shown == []
    tile.close()


def test_kernels_that_are_told_not_to_print_do_not_wait(kernels: dict[str, Path]) -> None:
    tile = machine_on("compiled")
    _, shown = loaded(tile, kernels, "T1")
    tile.host.observer = None
    Buffer(BUFFER, SIZE).say(tile, DISABLED)
    ran(tile)
    assert shown == []
    tile.close()


@pytest.mark.parametrize("slices", [999, PERIOD, 1 << 20])
def test_whatever_slices_it_runs_in(slices: int, kernels: dict[str, Path]) -> None:
    """The state at the end and the text are the same; at each stop all that there is, is shown."""
    ends = []
    for width in (slices, 1 << 20):
        tile = machine_on("compiled")
        prints, shown = loaded(tile, kernels, "B", "T1")
        ran(tile, width)
        prints.show()
        ends.append((tile.S.tile.cycle, tile.hash(), "".join(shown)))
        tile.close()
    assert ends[0] == ends[1]


def test_back_in_time(kernels: dict[str, Path]) -> None:
    """The same states again, nothing is shown twice, and another future is shown again."""
    tile = machine_on("compiled")
    prints, shown = loaded(tile, kernels, "B", "T1")
    history = begin_history(tile)
    history.resume()
    for _ in range(40):
        tile.run(500)
        history.add_checkpoint_if_due()
    history.suspend()
    prints.show()
    cycle, end, text = tile.S.tile.cycle, tile.hash(), "".join(shown)
    assert history.to_cycle(10_000)
    assert history.to_cycle(cycle)
    assert tile.hash() == end
    prints.show()
    assert "".join(shown) == text
    assert history.to_cycle(10_000)
    tile.write_x(0, 31, 1)
    history.truncate_future()
    history.resume()
    ran(tile)
    prints.show()
    assert len("".join(shown)) > len(text)
    assert shown[-2:] == [f"T1: w={ROUNDS - 2}\n", f"T1: w={ROUNDS - 1}\n"]
    tile.close()


@pytest.mark.parametrize("reads", [True, False])
def test_a_kernel_of_the_firmware(
    reads: bool,
    tool: Callable[[str], str],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The mailboxes say where the buffer is, and the host says there whether it reads."""
    compiler(tool)
    firmware = read_firmware(unpack(KNOWN, tmp_path))
    tile = machine_on("compiled")
    host = Host(tile, firmware, reads_prints=reads)
    buffer = host.print_buffer
    assert buffer is not None
    assert buffer.size == SIZE
    assert int.from_bytes(tile.peek(B, buffer.addr, 4), "little") == (
        STARTING if reads else DISABLED
    )
    host.run_until_done()
    elf = build(tmp_path, "B", tmp_path / "k.elf", buffer=buffer.addr, kernel=True)
    shown: list[str] = []
    if reads:
        tile.host.observer = prints = Prints(tile, buffer, shown.append)
    host.launch({B: read_elf(elf)})
    _, stop = host.run_until_done()
    assert stop is None, stop.text
    assert host.is_done()
    if reads:
        prints.show()
    assert "".join(shown) == (EXPECTED if reads else "")
    tile.close()


def test_four_harts_of_the_firmware_in_one_buffer(
    tool: Callable[[str], str], tmp_path: Path
) -> None:
    """They take turns by a lock, and wait when it is full: nothing is lost, no line is mixed."""
    compiler(tool)
    tile = machine_on("compiled")
    host = Host(tile, read_firmware(unpack(KNOWN, tmp_path)), reads_prints=True)
    buffer = host.print_buffer
    assert buffer is not None
    host.run_until_done()
    shown: list[str] = []
    tile.host.observer = prints = Prints(tile, buffer, shown.append)
    kernels = {}
    for hart, name in enumerate(("B", "T0", "T1", "T2")):
        out = tmp_path / f"{name}.elf"
        build(tmp_path, name, out, buffer=buffer.addr, kernel=True)
        kernels[hart] = read_elf(out)
    host.launch(kernels)
    _, stop = host.run_until_done()
    assert stop is None, stop.text
    assert host.is_done()
    prints.show()
    assert "".join(line for line in shown if line[:2] == "B:") == EXPECTED
    for name in ("T0", "T1", "T2"):
        mine = [line for line in shown if line.startswith(f"{name}: ")]
        assert mine == [f"{name}: w={i}\n" for i in range(ROUNDS)]
    tile.close()


def test_for_a_debugger(kernels: dict[str, Path]) -> None:
    """Whole lines while it runs, the rest at a stop; `monitor dprint` begins and ends it."""
    tile = machine_on("compiled")
    tile.load(B, read_elf(kernels["B"]))
    shared = SharedTile(tensix_target(tile), run_at_once=False)
    client = Client(shared)

    def say(payload: bytes) -> str:
        came = client.send(wire.frame(payload))
        while shared.running:
            shared.advance()
        texts = [one[1:] for one in (*came, *client.read()) if one[:1] == b"O" and one != b"OK"]
        return b"".join(bytes.fromhex(text.decode()) for text in texts).decode()

    assert say(b"qRcmd," + b"dprint".hex().encode()) == "Debug prints are not read.\n"
    assert "no buffer of debug prints is known" in say(b"qRcmd," + b"dprint on".hex().encode())
    wrong = b"dprint 0x180000".hex().encode()
    assert "0x180000 is no buffer of debug prints in L1" in say(b"qRcmd," + wrong)
    told = f"Debug prints are read from {BUFFER:#x}, {SIZE} bytes.\n"
    assert say(b"qRcmd," + f"dprint {BUFFER:#x}".encode().hex().encode()) == told
    shown = say(b"vCont;c")
    assert shown.startswith(EXPECTED + IN_LLK)
    assert "B at " in shown.removeprefix(EXPECTED + IN_LLK), "the stop's own text is last"
    assert say(b"qRcmd," + b"dprint off".hex().encode()) == "Debug prints are not read.\n"
    assert Buffer(BUFFER).disabled(tile)
    assert say(b"qRcmd," + b"dprint on".hex().encode()) == told
    assert not Buffer(BUFFER).disabled(tile)
    tile.close()


def test_on_the_command_line(kernels: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    elf = f"--elf=b={kernels['B']}"
    assert main(["run", elf, "--dprint", f"{BUFFER:#x},{SIZE}"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(EXPECTED + IN_LLK + "B paused at ebreak")
    for wrong, said in (
        ("0x17ffff", "no buffer of debug prints in L1"),
        ("", "without --firmware"),
    ):
        assert main(["run", elf, "--dprint", *([wrong] if wrong else [])]) == 2
        assert said in capsys.readouterr().err


def test_a_recording_has_what_the_host_did(kernels: dict[str, Path], tmp_path: Path) -> None:
    """Somebody else, without a host, gets to the same state at every check."""
    tile = machine_on("compiled")
    loaded(tile, kernels, "T1")
    tile.start_recording()
    ran(tile)
    again = played_again(tile, tmp_path / "prints.recording")
    assert again.host.observer is None
    again.close()
    tile.close()
