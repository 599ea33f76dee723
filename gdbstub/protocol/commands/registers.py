# SPDX-License-Identifier: Apache-2.0
"""g, G, p, P: registers of the current thread, or of the one that LLDB names in the packet."""

from __future__ import annotations

from binascii import hexlify

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packets import registers_memory as packets
from tensix_gdb.gdbstub.protocol.target import TargetError

UNAVAILABLE = b"xxxxxxxx"


def read_general(client: Client, packet: packets.ReadRegisters) -> bytes:
    thread = client.selection.one_thread(packet.thread)
    registers = client.target.registers
    data = hexlify(registers.read_general(thread))
    absent = 2 * registers.absent(thread)
    return b"x" * absent + data[absent:] if absent else data


def write_general(client: Client, packet: packets.WriteRegisters) -> bytes:
    thread = client.selection.one_thread(packet.thread)
    client.check_stopped(thread)
    client.target.registers.write_general(thread, packet.data)
    return replies.OK


def read_one(client: Client, packet: packets.ReadRegister) -> bytes:
    thread = client.selection.one_thread(packet.thread)
    value = client.target.registers.read_register(thread, packet.number)
    if value is not None:
        return hexlify(value)
    if client.features.thread_suffix:
        # LLDB takes the letters for a value, 0xcccccccc.
        raise TargetError(f"thread {thread} has no register {packet.number}")
    return UNAVAILABLE


def write_one(client: Client, packet: packets.WriteRegister) -> bytes:
    thread = client.selection.one_thread(packet.thread)
    client.check_stopped(thread)
    client.target.registers.write_register(thread, packet.number, packet.data)
    return replies.OK


HANDLERS = (
    handles(packets.ReadRegisters, read_general),
    handles(packets.WriteRegisters, write_general, changes=True, told=True),
    handles(packets.ReadRegister, read_one),
    handles(packets.WriteRegister, write_one, changes=True, told=True),
)
