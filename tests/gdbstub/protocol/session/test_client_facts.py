# SPDX-License-Identifier: Apache-2.0
"""Facts about real debuggers that a server has to respect: one test for each.

Seen with gdb-multiarch 13, a GDB 17 of Tenstorrent's, LLDB 19 and the front ends of editors. How
whole sessions of them go is in openings/ and tests/gdb; here the facts stand by themselves.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub import wire
from tests.gdbstub.tiles import L1, LOCAL, PROGRAMS, TTINSN_NOP, Client, loaded, new_tile
from tests.machines import machine_on

B_LOOP, B_STORE_L1, B_STORE_LOCAL, B_EBREAK = 0x8, 0xC, 0x10, 0x1C
T0_TTINSN, T1_LOOP, T1_EBREAK = 0x600C, 0xA000, 0xA008


@pytest.fixture
def client() -> Client:
    """A client of a fresh tile."""
    return Client(new_tile())


def document(client: Client, name: str) -> str:
    """A document of qXfer."""
    text = b""
    while True:
        piece = client.ask(f"qXfer:{name}:{len(text):x},ffb")
        text += wire.binary(piece[1:])
        if piece[:1] != b"m":
            return text.decode("utf-8")


def register(client: Client, number: int) -> int:
    """One register of the current thread."""
    return int.from_bytes(bytes.fromhex(client.ask(f"p{number:x}").decode("ascii")), "little")


def pc(client: Client) -> int:
    return register(client, 32)


def memory(client: Client, addr: int, length: int = 4) -> bytes:
    return bytes.fromhex(client.ask(f"m{addr:x},{length:x}").decode("ascii"))


def stopped_thread(reply: bytes) -> int:
    """The thread of a stop reply."""
    fields = dict(f.split(b":", 1) for f in reply[3:].rstrip(b";").split(b";") if b":" in f)
    return int(fields[b"thread"], 16)


# Attaching


def test_osabi_none_or_gdb_takes_the_tile_for_linux(client: Client) -> None:
    """It would step by breakpoints of its own, at pc + 2 behind a `.ttinsn`, and never stop."""
    xml = document(client, "features:read:target.xml")
    assert "<architecture>riscv:rv32</architecture>" in xml
    assert "<osabi>none</osabi>" in xml


def test_one_process_whose_threads_are_the_harts(client: Client) -> None:
    """With a process each GDB would resume one hart alone, which then waits for the others."""
    assert client.ask("qfThreadInfo") == b"m1,2,3,4,5,6,7,8"
    assert client.ask("qsThreadInfo") == b"l"
    assert [client.ask(f"T{thread}") for thread in range(1, HARTS + 1)] == [b"OK"] * HARTS
    assert client.ask("qAttached") == b"1"


@pytest.mark.parametrize("payload", ["q", "Q", "v", "qUnheardOf", "QUnheardOf:1", "vUnheardOf;1"])
def test_what_is_unknown_is_answered_by_nothing_and_not_by_silence(
    client: Client, payload: str
) -> None:
    assert client.send(wire.frame(payload.encode("ascii"))) == [wire.ACK, b""]


@pytest.mark.parametrize("payload", ["bs", "bc", "!", "qRcmd,", "vCont", "H", "m", "Z"])
def test_what_comes_unasked_does_no_harm(client: Client, payload: str) -> None:
    client.ask(payload)
    assert client.ask("qC") == b"QC1"


def test_a_damaged_packet_is_asked_for_again(client: Client) -> None:
    assert client.send(b"$qC#00") == [wire.NAK]
    assert client.send(wire.frame(b"qC")) == [wire.ACK, b"QC1"]


def test_no_ack_mode_is_forgotten_with_the_connection(client: Client) -> None:
    assert client.ask("QStartNoAckMode") == b"OK"
    assert client.send(wire.frame(b"qC")) == [b"QC1"]
    client.session.end()
    assert Client(client.tile).send(wire.frame(b"qC")) == [wire.ACK, b"QC1"]


def test_gdb_probes_x_and_wants_a_letter_lldb_does_not(client: Client) -> None:
    assert b"binary-upload+" in client.ask("qSupported:binary-upload+")
    assert client.ask("x0,0") == b"b"
    assert wire.binary(client.ask("x0,4")) == b"b" + memory(client, 0)
    lldb = Client(client.tile)
    assert lldb.ask("QThreadSuffixSupported") == b"OK"
    assert lldb.ask("x0,0") == b"OK"
    assert wire.binary(lldb.ask("x0,4")) == memory(client, 0)


def test_every_elf_is_announced_as_a_library(client: Client) -> None:
    xml = document(client, "libraries:read:")
    for hart in PROGRAMS:
        assert f'name="/nowhere/{hart}.elf"' in xml


# Registers and memory


def test_g_ends_behind_the_pc(client: Client) -> None:
    """Steps stay cheap, whatever else is described; the rest is read by `p`."""
    assert len(client.ask("g")) == 8 * 33
    described = document(client, "features:read:target.xml").count("<reg ")
    assert described > 33
    assert client.ask(f"p{0x21:x}") != b""


def test_memory_is_that_of_the_chosen_thread(client: Client) -> None:
    """GDB chooses by Hg; local RAM is another one on each hart."""
    for thread in range(1, HARTS + 1):
        assert client.ask(f"Hg{thread}") == b"OK"
        assert client.ask(f"M{LOCAL:x},4:{thread:02x}000000") == b"OK"
    for thread in range(1, HARTS + 1):
        client.ask(f"Hg{thread}")
        assert memory(client, LOCAL) == bytes((thread, 0, 0, 0))


def test_behind_a_stop_reply_its_thread_is_chosen(client: Client) -> None:
    """GDB sends no Hg then."""
    client.ask("Hg1")
    client.ask(f"Z0,{T1_LOOP:x},4")
    assert stopped_thread(client.ask("vCont;c")) == 3
    assert pc(client) == T1_LOOP


def test_stop_replies_bring_registers(client: Client) -> None:
    reply = client.ask("vCont;s:1")
    assert b";20:04000000;" in reply
    assert b";02:" in b";" + reply[3:]


def test_registers_that_do_not_exist_are_errors(client: Client) -> None:
    assert client.ask("pffff").startswith(b"E")
    assert client.ask("Pffff=00000000").startswith(b"E")
    assert b"".join(_console(client, b"riscv info")).split()[:2] == [b"hart.xlen", b"32"]


def _console(client: Client, command: bytes) -> Iterator[bytes]:
    for one in client.send(wire.frame(b"qRcmd," + command.hex().encode("ascii"))):
        if one[:1] == b"O" and one != b"OK":
            yield bytes.fromhex(one[1:].decode("ascii"))


def test_mmio_is_not_described_as_rom_nor_cached(client: Client) -> None:
    """A `rom` region would turn `break` into Z1, and only what is `ram` is not cached."""
    xml = document(client, "memory-map:read:")
    assert 'type="rom"' not in xml
    assert 'type="flash"' not in xml
    assert 'type="ram"' in xml


def test_compare_sections_find_and_load_have_their_packets(client: Client) -> None:
    data = memory(client, 0, 0x20)
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    assert client.ask("qCRC:0,20") == b"C%x" % crc
    assert client.ask("qSearch:memory:0;1000;" + data[8:12].decode("latin-1")) == b"1,8"
    assert client.ask("X20000,4:abcd") == b"OK"
    assert memory(client, 0x20000) == b"abcd"
    assert client.ask("vFlashErase:20000,4") == b"OK"
    assert client.ask("vFlashWrite:20000:wxyz") == b"OK"
    assert client.ask("vFlashDone") == b"OK"
    assert memory(client, 0x20000) == b"wxyz"
    assert binascii.crc32(data) != crc  # the checksum is GDB's own, not zip's


# Breakpoints


@pytest.mark.parametrize("kind", [2, 4])
@pytest.mark.parametrize("z", [0, 1])
def test_a_breakpoint_at_a_ttinsn_comes_with_kind_2(client: Client, z: int, kind: int) -> None:
    """GDB takes the word for a compressed instruction. Z1 means what Z0 means."""
    assert client.ask(f"Z{z},{T0_TTINSN:x},{kind}") == b"OK"
    assert int.from_bytes(memory(client, T0_TTINSN), "little") == TTINSN_NOP
    assert stopped_thread(client.ask("vCont;c")) == 2
    assert pc(client) == T0_TTINSN
    assert client.ask(f"z{z},{T0_TTINSN:x},{kind}") == b"OK"


def test_memory_never_shows_breakpoints(client: Client) -> None:
    before = memory(client, 0, 0x20)
    for addr in range(0, 0x20, 4):
        assert client.ask(f"Z0,{addr:x},4") == b"OK"
    client.ask("vCont;c:1")
    assert memory(client, 0, 0x20) == before


def test_any_number_of_hardware_breakpoints(client: Client) -> None:
    assert {client.ask(f"Z1,{addr:x},4") for addr in range(0x1000, 0x5000, 4)} == {b"OK"}


def test_the_pc_is_at_the_ebreak(client: Client) -> None:
    """The hardware leaves it behind; GDB wants it there. Going on continues behind it."""
    client.ask("Hg3")
    client.ask(f"P20={_word(T1_EBREAK)}")
    assert client.ask("vCont;c:3").startswith(b"T05")
    assert pc(client) == T1_EBREAK
    assert stopped_thread(client.ask("vCont;s:3")) == 3
    assert pc(client) == T1_EBREAK + 4
    list(_console(client, b"ebreak after"))
    client.ask(f"P20={_word(T1_EBREAK)}")
    client.ask("vCont;c:3")
    assert pc(client) == T1_EBREAK + 4


def _word(value: int) -> str:
    return value.to_bytes(4, "little").hex()


def test_code_on_the_stack_is_never_fetched(client: Client) -> None:
    """An inferior call returns to a breakpoint in local RAM, where nothing can be fetched."""
    assert client.ask(f"Z0,{LOCAL + 0x40:x},4") == b"OK"
    client.ask(f"P20={_word(LOCAL + 0x40)}")
    reply = client.ask("vCont;c:1")
    assert (reply[:3], stopped_thread(reply), pc(client)) == (b"T05", 1, LOCAL + 0x40)


def test_stepping_off_a_breakpoint_moves_one_thread(client: Client) -> None:
    """`vCont;s:1` alone, that breakpoint removed: the others are held."""
    client.ask(f"Z0,{B_LOOP:x},4")
    client.ask("vCont;c:1")
    client.ask(f"z0,{B_LOOP:x},4")
    before = []
    for thread in range(2, HARTS + 1):
        client.ask(f"Hg{thread}")
        before.append(client.ask("g"))
    assert stopped_thread(client.ask("vCont;s:1")) == 1
    assert pc(client) == B_LOOP + 4
    for thread in range(2, HARTS + 1):
        client.ask(f"Hg{thread}")
        assert client.ask("g") == before[thread - 2]


def test_a_range_is_stepped_through_in_one_packet(client: Client) -> None:
    client.ask(f"P20={_word(B_LOOP)}")
    assert stopped_thread(client.ask(f"vCont;r{B_LOOP:x},{B_STORE_LOCAL:x}:1")) == 1
    assert pc(client) == B_STORE_LOCAL


# Watchpoints


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
@pytest.mark.parametrize("addr", [L1, LOCAL + 0x100])
def test_a_watch_stops_before_the_store_which_the_step_shows(addr: int, schedule: Schedule) -> None:
    """GDB removes it, steps that thread, and reads the memory: an old value would be no hit."""
    machine = machine_on("reference", schedule)
    client = Client(SharedTile(tensix_target(loaded(machine)), run_at_once=False))
    store = B_STORE_L1 if addr == L1 else B_STORE_LOCAL
    assert client.ask(f"Z2,{addr:x},4") == b"OK"
    assert b"watch:%x;" % addr in client.ask("vCont;c:1")
    assert (pc(client), memory(client, addr)) == (store, bytes(4))
    assert client.ask(f"z2,{addr:x},4") == b"OK"
    client.ask("vCont;s:1")
    assert (pc(client), memory(client, addr)) == (store + 4, bytes((1, 0, 0, 0)))
    machine.close()


def test_a_local_watch_is_that_of_the_chosen_thread(client: Client) -> None:
    """T0 writes the same address of its own RAM all the time."""
    client.ask("Hg1")
    assert client.ask(f"Z2,{LOCAL + 0x100:x},4") == b"OK"
    reply = client.ask("vCont;c")
    assert stopped_thread(reply) == 1
    client.ask("Hg2")
    assert memory(client, LOCAL + 0x100) != bytes(4)  # it has been there, and nobody was stopped


# Leaving


@pytest.mark.parametrize("command", [b"reset halt", b"halt", b"reset"])
def test_what_front_ends_say_to_a_probe_is_understood(client: Client, command: bytes) -> None:
    assert client.ask("qRcmd," + command.hex())[:1] != b"E"


@pytest.mark.parametrize("farewell", ["D", "D;1", "k"])
def test_a_second_connection_and_whoever_comes_after_the_end(client: Client, farewell: str) -> None:
    """Editors open a second one for live memory, and end with a detach or a kill."""
    second = Client(client.tile, "second")
    assert memory(second, 0) == memory(client, 0)
    client.ask(farewell)
    assert second.ask("qC") == b"QC1"
    third = Client(client.tile, "third")
    assert third.ask("?").startswith(b"T")
