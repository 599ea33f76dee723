# SPDX-License-Identifier: Apache-2.0
"""Z and z: breakpoints and watchpoints.

Z0 and Z1 mean the same: the hart stops before the instruction and memory is not patched. The kind
of a breakpoint is the length GDB takes the instruction for, 2 at a `.ttinsn` word; it does not
matter here. A client's breakpoints are counted per client and go when it goes. A watchpoint belongs
to the thread that was current when it was inserted, because the same address is other bytes for
another hart; it is removed for that thread, whatever is current then.

To a client that debugs processes a breakpoint is one of the current thread's process, and
stops no other hart, though all of them may execute the same L1.
"""

from __future__ import annotations

from collections.abc import Collection

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.breakpoint_actions import attached
from tensix_gdb.gdbstub.protocol.commands.handler import BREAKPOINTS
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import registers_memory as packets
from tensix_gdb.gdbstub.protocol.target import Breakpoints, TargetError, Watch

SOFTWARE, HARDWARE = 0, 1
WATCHES = {2: Watch.WRITE, 3: Watch.READ, 4: Watch.ACCESS}
LONGEST_WATCH = 1 << 21
MAX_INSERTED = 10_000
Key = tuple[int, int, int, int]  # type and address of the packet, kind, thread
MAX_ATTACHED = 4 << 20  # bytes of all conditions and commands of a client


def insert(client: Client, target: Breakpoints, packet: packets.InsertBreakpoint) -> bytes:
    if len(client.selection.inserted) >= MAX_INSERTED:
        raise TargetError(f"no more than {MAX_INSERTED} breakpoints can be set")
    wanted = attached(packet.rest, client.say, client.trace.variables)
    if client.selection.attached_bytes + wanted.size > MAX_ATTACHED:
        raise TargetError(
            f"conditions and commands of breakpoints are more than {MAX_ATTACHED} bytes together: "
            "delete some, or type `set breakpoint condition-evaluation host`"
        )
    if packet.type in (SOFTWARE, HARDWARE):
        if packet.kind not in (2, 4):
            raise Malformed(f"an instruction has 2 or 4 bytes, not {packet.kind}")
        thread = client.selection.space_of(client.selection.general_thread)
        # What is there already is replaced: GDB so changes conditions, and inserts again after it
        # has lost count.
        _replaced(client, target, (packet.type, packet.addr, packet.kind, thread))
        note = target.add_breakpoint(packet.addr, wanted, thread)
        if note and packet.addr not in client.notes:
            if len(client.notes) == MAX_INSERTED:
                client.notes.clear()
            client.notes.add(packet.addr)
            client.console.tell(note + "\n")
    elif packet.type in WATCHES:
        if not 0 < packet.kind <= LONGEST_WATCH:
            raise Malformed(f"1 to {LONGEST_WATCH} bytes can be watched, not {packet.kind}")
        thread = client.selection.general_thread
        _replaced(client, target, (packet.type, packet.addr, packet.kind, thread))
        kind = WATCHES[packet.type]
        target.add_watchpoint(thread, kind, packet.addr, packet.kind, wanted)
    else:
        return replies.EMPTY
    client.selection.inserted[packet.type, packet.addr, packet.kind, thread] = wanted
    client.selection.attached_bytes += wanted.size
    return replies.OK


def _replaced(client: Client, target: Breakpoints, key: Key) -> None:
    if key in client.selection.inserted:
        _remove(client, target, [key])


def remove(client: Client, target: Breakpoints, packet: packets.RemoveBreakpoint) -> bytes:
    if packet.type not in (SOFTWARE, HARDWARE, *WATCHES):
        return replies.EMPTY
    wanted = (packet.type, packet.addr, packet.kind)
    # The same watch may be there for several threads; the current one's goes first.
    for thread in (
        0,
        client.selection.general_thread,
        *client.selection.siblings_of(client.selection.general_thread),
    ):
        if (*wanted, thread) in client.selection.inserted:
            _remove(client, target, [(*wanted, thread)])
            break
    return replies.OK


def remove_all(client: Client) -> None:
    """Remove everything that the client has inserted, and stop its tracing."""
    client.trace.stop()
    target = client.target.breakpoints
    if target is not None:
        _remove(client, target, list(client.selection.inserted))


def remove_those_of(client: Client, threads: Collection[int]) -> None:
    """Remove what the client has inserted for these threads alone."""
    target = client.target.breakpoints
    if target is not None:
        _remove(client, target, [key for key in client.selection.inserted if key[3] in threads])


def _remove(client: Client, target: Breakpoints, keys: Collection[Key]) -> None:
    """Remove breakpoints in one step: of a client that leaves there may be thousands."""
    breaks = []
    for key in keys:
        held = client.selection.inserted.pop(key)
        client.selection.attached_bytes -= held.size
        number, addr, kind, thread = key
        if number in WATCHES:
            target.remove_watchpoint(thread, WATCHES[number], addr, kind, held)
        else:
            breaks.append((addr, held, thread))
    target.remove_breakpoints(breaks)


HANDLERS = (
    BREAKPOINTS.handles(packets.InsertBreakpoint, insert),
    BREAKPOINTS.handles(packets.RemoveBreakpoint, remove),
)
