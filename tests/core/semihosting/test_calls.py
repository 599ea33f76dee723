# SPDX-License-Identifier: Apache-2.0
"""Each operation, on both engines, with requests that take time and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.answering import ANSWERS as OPERATIONS
from tensix_gdb.core.semihosting.answering import FREQUENCY
from tensix_gdb.core.semihosting.calls import Calls, exits
from tensix_gdb.core.semihosting.console import ERROR, OUT, Silent
from tensix_gdb.core.semihosting.files import FEATURES
from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Errno, Op
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, NOP, SPIN, asm, image, li
from tests.core.semihosting.program import EXIT, SEQUENCE, answers, block, data, fill, load, program

R, R_PLUS, W, W_PLUS, A, A_PLUS = 0, 2, 4, 6, 8, 10


@pytest.fixture
def console() -> Silent:
    return Silent()


def serve(tile: Machine, console: Silent, folder: Path | None = None, *arguments: str) -> Calls:
    calls = Calls(console, folder, arguments)
    tile.serve_calls(calls)
    return calls


def ended(tile: Machine) -> Stop:
    stop = tile.run(100_000)
    assert stop is not None
    assert stop.kind is StopKind.EXIT, stop.text
    return stop


def test_text(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    text = b"a longer text than one piece of memory. " * 20
    fill(tile, 1, OUT, data(1), 3, text=b"two")
    fill(tile, 2, ERROR, data(2), 5, text=b"three")
    tile.load_bytes(0x20000, text + b"\0more")
    tile.load_bytes(data(0), b"c")
    load(
        tile,
        [
            (Op.SYS_WRITEC, data(0)),
            (Op.SYS_WRITE0, 0x20000),
            (Op.SYS_WRITE, block(1)),
            (Op.SYS_WRITE, block(2)),
            EXIT,
        ],
    )
    assert ended(tile).code == 0
    assert console.written == [(OUT, b"c"), (OUT, text), (OUT, b"two"), (ERROR, b"three")]
    assert answers(tile, 4) == [0, 0, 0, 0]
    assert tile.S.semihosting.calls == 5


def test_what_was_stored_just_before_is_seen(tile: Machine, console: Silent) -> None:
    """A store that is still on its way to memory when the call is made is seen."""
    serve(tile, console)
    local = 0xFFB00100
    words = [*li(8, local), *li(9, 0x00216948), asm("sw", rs1=8, rs2=9)]  # "Hi!"
    words += [*li(5, data(0)), *li(9, 0x00003F58), asm("sw", rs1=5, rs2=9)]  # "X?"
    words += [*li(11, local), *li(10, Op.SYS_WRITE0), *SEQUENCE]
    words += [*li(11, data(0)), *li(10, Op.SYS_WRITE0), *SEQUENCE, SPIN]
    tile.load(B, image(words))
    tile.run(1000)
    assert [text for _, text in console.written] == [b"Hi!", b"X?"]


def test_input(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    console.input = b"xyz12"
    fill(tile, 0, 0, data(0), 3)
    fill(tile, 1, 0, data(1), 8)
    fill(tile, 2, 0, data(2), 8)
    calls = [(Op.SYS_READ, block(0)), (Op.SYS_READC, 0), (Op.SYS_READ, block(1))]
    load(tile, [*calls, (Op.SYS_READ, block(2)), (Op.SYS_READC, 0), EXIT])
    ended(tile)
    assert answers(tile, 5) == [0, ord("1"), 7, 8, -1]
    assert tile.peek(B, data(0), 4) == b"xyz\0"
    assert tile.peek(B, data(1), 2) == b"2\0"


def test_a_file(tile: Machine, console: Silent, tmp_path: Path) -> None:
    serve(tile, console, tmp_path)
    (tmp_path / "sub").mkdir()
    name = b"sub/note"
    fill(tile, 0, data(0), W_PLUS, len(name), text=name)
    fill(tile, 1, 3, data(1), 6, text=b"abcdef")
    fill(tile, 2, 3, 2)
    fill(tile, 3, 3, data(3), 16)
    fill(tile, 4, 3)
    fill(tile, 5, data(0), A, len(name))
    fill(tile, 6, 3, data(1), 2)
    fill(tile, 7, 3, data(7), 4)
    calls = [
        (Op.SYS_OPEN, block(0)),
        (Op.SYS_WRITE, block(1)),
        (Op.SYS_SEEK, block(2)),
        (Op.SYS_READ, block(3)),
        (Op.SYS_FLEN, block(4)),
        (Op.SYS_ISTTY, block(4)),
        (Op.SYS_CLOSE, block(4)),
        (Op.SYS_OPEN, block(5)),
        (Op.SYS_WRITE, block(6)),
        (Op.SYS_READ, block(7)),
        (Op.SYS_ERRNO, 0),
        (Op.SYS_CLOSE, block(4)),
        (Op.SYS_CLOSE, block(4)),
        (Op.SYS_ERRNO, 0),
    ]
    load(tile, [*calls, EXIT])
    ended(tile)
    assert answers(tile, 14) == [3, 0, 0, 12, 6, 0, 0, 3, 0, -1, Errno.EBADF, 0, -1, Errno.EBADF]
    assert tile.peek(B, data(3), 5) == b"cdef\0"
    assert (tmp_path / "sub" / "note").read_bytes() == b"abcdefab"


def test_names_and_removal(tile: Machine, console: Silent, tmp_path: Path) -> None:
    serve(tile, console, tmp_path)
    (tmp_path / "old").write_bytes(b"kept")
    fill(tile, 0, data(0), 3, data(1), 3, text=b"old")
    fill(tile, 1, data(1), 3, text=b"new")
    fill(tile, 2, data(2), 0x105, 8)
    fill(tile, 3, data(3), 5, 6)
    calls = [
        (Op.SYS_RENAME, block(0)),
        (Op.SYS_RENAME, block(0)),
        (Op.SYS_TMPNAM, block(2)),
        (Op.SYS_TMPNAM, block(3)),
        (Op.SYS_REMOVE, block(1)),
        (Op.SYS_REMOVE, block(1)),
    ]
    load(tile, [*calls, EXIT])
    ended(tile)
    assert answers(tile, 6) == [0, Errno.ENOENT, 0, -1, 0, Errno.ENOENT]
    assert tile.peek(B, data(2), 7) == b"tmp005\0"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", [b"/etc/passwd", b"../up", b"a/../../up", b"link", b"way/secret", b"pipe", b"dir", b""]
)
@pytest.mark.parametrize("mode", [R, W])
def test_no_way_out_of_the_directory(
    name: bytes, mode: int, console: Silent, tmp_path: Path
) -> None:
    import os

    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for folder in (outside, inside, inside / "dir", inside / "a"):
        folder.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (tmp_path / "up").write_bytes(b"up")
    (inside / "link").symlink_to(outside / "secret")
    (inside / "way").symlink_to(outside)
    os.mkfifo(inside / "pipe")
    tile = Machine(engine="reference")
    serve(tile, console, inside)
    fill(tile, 0, data(0), mode, len(name), text=name or b"\0")
    fill(tile, 1, data(0), len(name), data(1), 3, text=b"got")
    load(tile, [(Op.SYS_OPEN, block(0)), (Op.SYS_RENAME, block(1)), EXIT])
    ended(tile)
    opened, renamed = answers(tile, 2)
    assert opened == -1
    assert renamed != 0
    assert (outside / "secret").read_bytes() == b"secret"
    assert (tmp_path / "up").read_bytes() == b"up"
    assert sorted(path.name for path in inside.iterdir()) == ["a", "dir", "link", "pipe", "way"]
    tile.close()


def test_without_a_directory_there_are_no_files(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    fill(tile, 0, data(0), W, 1, text=b"f")
    load(tile, [(Op.SYS_OPEN, block(0)), (Op.SYS_ERRNO, 0), EXIT])
    ended(tile)
    assert answers(tile, 2) == [-1, Errno.EACCES]


def test_the_console_by_its_name(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    for number, mode in enumerate((R, W, A)):
        fill(tile, number, data(0), mode, 3, text=b":tt")
    fill(tile, 3, 4, data(3), 2, text=b"ou")
    fill(tile, 4, 5, data(4), 2, text=b"er")
    fill(tile, 5, 3, data(3), 2)
    fill(tile, 6, 4, 0)
    calls = [(Op.SYS_OPEN, block(number)) for number in range(3)]
    calls += [(Op.SYS_WRITE, block(number)) for number in (3, 4, 5)]
    load(tile, [*calls, (Op.SYS_ISTTY, block(6)), (Op.SYS_SEEK, block(6)), EXIT])
    ended(tile)
    assert answers(tile, 8) == [3, 4, 5, 0, 0, -1, 1, -1]
    assert console.written == [(OUT, b"ou"), (ERROR, b"er")]


def test_features(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    name = b":semihosting-features"
    fill(tile, 0, data(0), R, len(name), text=name)
    fill(tile, 1, 3, data(1), 9)
    fill(tile, 2, 3)
    load(tile, [(Op.SYS_OPEN, block(0)), (Op.SYS_READ, block(1)), (Op.SYS_FLEN, block(2)), EXIT])
    ended(tile)
    assert answers(tile, 3) == [3, 9 - len(FEATURES), len(FEATURES)]
    assert tile.peek(B, data(1), len(FEATURES)) == FEATURES


def test_time_is_that_of_the_tile(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    calls = [(Op.SYS_ELAPSED, data(0)), (Op.SYS_CLOCK, 0), (Op.SYS_TIME, 0), (Op.SYS_TICKFREQ, 0)]
    load(tile, [*calls, EXIT])
    tile.S.tile.cycle = 3 * FREQUENCY
    ended(tile)
    assert answers(tile, 4) == [0, 300, 3, FREQUENCY]
    elapsed = int.from_bytes(tile.peek(B, data(0), 8), "little")
    assert 3 * FREQUENCY < elapsed < tile.S.tile.cycle


def test_what_the_program_is_called_and_what_it_has(tile: Machine, console: Silent) -> None:
    serve(tile, console, None, "-v", "two")
    fill(tile, 0, data(0), 64)
    fill(tile, 1, data(1), 4)
    fill(tile, 2, data(2))
    calls = [(Op.SYS_GET_CMDLINE, block(0)), (Op.SYS_GET_CMDLINE, block(1))]
    load(tile, [*calls, (Op.SYS_HEAPINFO, block(2)), (Op.SYS_SYSTEM, block(2)), (0x99, 0), EXIT])
    ended(tile)
    assert answers(tile, 5) == [0, -1, 0, -1, -1]
    assert tile.peek(B, data(0), 15) == b"program -v two\0"
    assert tile.peek(B, block(0) + 4, 4) == (14).to_bytes(4, "little")
    words = [int.from_bytes(tile.peek(B, data(2) + 4 * i, 4), "little") for i in range(4)]
    assert words[0] < words[1] <= 1536 * 1024
    assert words[2:] == [0xFFB02000, 0xFFB00000]


def test_wrong_pointers(tile: Machine, console: Silent) -> None:
    """They are refused, and nothing has happened."""
    serve(tile, console)
    nowhere, device = 0x00180000, 0xFFB12000
    console.input = b"kept"
    fill(tile, 0, OUT, nowhere, 4)
    fill(tile, 1, 0, nowhere, 4)
    fill(tile, 2, 0, device, 4)
    fill(tile, 3, 0, 0x0017FFFE, 4)
    fill(tile, 4, OUT, data(0), 0xFFFFFFFF)
    calls = [(Op.SYS_WRITE0, nowhere), (Op.SYS_WRITE, block(0)), (Op.SYS_READ, nowhere)]
    calls += [(Op.SYS_READ, block(number)) for number in (1, 2, 3)]
    calls += [(Op.SYS_WRITE, block(4)), (Op.SYS_ELAPSED, nowhere), (Op.SYS_ERRNO, 0)]
    load(tile, [*calls, EXIT])
    ended(tile)
    assert answers(tile, 9) == [-1] * 8 + [Errno.EFAULT]
    assert console.written == []
    assert console.input == b"kept"


def test_every_operation_is_there() -> None:
    assert set(Op) - set(OPERATIONS) == {Op.SYS_SYSTEM}


@pytest.mark.parametrize(
    ("operation", "argument", "status"),
    [
        (Op.SYS_EXIT, APPLICATION_EXIT, 0),
        (Op.SYS_EXIT, 0x20023, 1),
        (Op.SYS_EXIT_EXTENDED, block(0), 77),
        (Op.SYS_EXIT_EXTENDED, block(1), 1),
    ],
)
def test_the_end(
    tile: Machine, console: Silent, operation: int, argument: int, status: int
) -> None:
    serve(tile, console)
    fill(tile, 0, APPLICATION_EXIT, 77)
    fill(tile, 1, 0x20023, 77)
    load(tile, [(operation, argument)])
    stop = ended(tile)
    assert (stop.hart, stop.code) == (B, status)
    assert tile.hart_state(B) == f"ended with exit status {status}"
    assert list(exits(tile.S)) == [(B, status)]
    again = tile.run(100)
    assert again is not None
    assert again.kind is StopKind.ALL_PAUSED


def test_each_hart_ends_by_itself(tile: Machine, console: Silent) -> None:
    """With 0 the others continue; the last one ends the run, or one that fails."""
    serve(tile, console)
    wait = [NOP] * 40
    tile.load(T0, image(program([EXIT]), 0x1000))
    tile.load(NC, image([*wait, *program([(Op.SYS_EXIT, 1)])], 0x2000))
    tile.load(B, image([*wait, *wait, *program([EXIT])], 0))
    stop = ended(tile)
    assert (stop.hart, stop.code) == (NC, 1)
    assert dict(exits(tile.S)) == {T0: 0, NC: 1}
    stop = ended(tile)
    assert (stop.hart, stop.code) == (B, 0)


def test_five_harts_make_calls(tile: Machine, console: Silent) -> None:
    serve(tile, console)
    for hart in range(HARTS):
        tile.load_bytes(data(hart), bytes([ord("0") + hart]))
        words = [*li(10, Op.SYS_WRITEC), *li(11, data(hart)), *SEQUENCE, EBREAK]
        tile.load(hart, image(words, 0x400 * hart))
    for _ in range(HARTS):
        stop = tile.run(1000)
        assert stop is not None
        assert stop.kind is StopKind.EBREAK
    assert sorted(text for _, text in console.written) == [b"0", b"1", b"2", b"3", b"4"]


def test_an_ebreak_is_one_when_it_is_no_call(tile: Machine, console: Silent) -> None:
    """Half of the sequence, or a sequence that crosses a page."""
    serve(tile, console)
    tile.load(B, image([SEQUENCE[0], EBREAK, NOP], 0))
    tile.load(T0, image([NOP, EBREAK, SEQUENCE[2]], 0x800))
    tile.load(NC, image([*li(10, Op.SYS_WRITEC), *SEQUENCE], 0x1FF0))
    kinds = [stop.kind for stop in (tile.run(1000) for _ in range(3)) if stop is not None]
    assert kinds == [StopKind.EBREAK] * 3
    assert tile.S.semihosting.calls == 0


def test_when_nobody_answers_the_stop_says_what_to_type(tile: Machine) -> None:
    load(tile, [(Op.SYS_WRITE0, data(0))])
    stop = tile.run(1000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    assert "SYS_WRITE0, a semihosting call, and nothing answers it: start with --semi" in stop.text


def test_a_reset_starts_the_program_over(tile: Machine, console: Silent, tmp_path: Path) -> None:
    serve(tile, console, tmp_path)
    fill(tile, 0, data(0), W, 1, text=b"f")
    load(tile, [(Op.SYS_OPEN, block(0)), (Op.SYS_OPEN, block(0)), EXIT])
    for _ in range(2):
        ended(tile)
        assert answers(tile, 2) == [3, 4]
        tile.reset()
    assert tile.S.semihosting.served
    assert list(exits(tile.S)) == []
