# SPDX-License-Identifier: Apache-2.0
"""The host's calls, one after the other: what concerns bytes of L1 or of DRAM alone is done in
pump.c, all else here.

Time passes in `libttsim_clock`. So many cycles pass as it says; when the host waits, which is when
it has read the same again with the same answer, or has accessed nothing, as many as it takes to
change that, up to --cycles. A few pass after a command to the debug interface of a hart, because
debuggers of the host look once. So the same calls give the same execution.
"""

from __future__ import annotations

import ctypes
import logging
import signal
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

import trio

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.chip.places import SIDE, beside, chip_of
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.library.arc import Arc
from tensix_gdb.gdbstub.host.library.arc_wormhole import WormholeArc
from tensix_gdb.gdbstub.host.library.channel import Channel, Kind, Why
from tensix_gdb.gdbstub.host.library.host_memory import CallbackMemory
from tensix_gdb.gdbstub.host.library.inputs import HostInputs
from tensix_gdb.gdbstub.host.library.launch_table import table_of
from tensix_gdb.gdbstub.host.simulator.grid import ARC_OF, Core, of_noc_0
from tensix_gdb.gdbstub.host.simulator.host_clock import DEBUG_REGISTERS, REGISTER_CYCLES, HostClock
from tensix_gdb.gdbstub.host.simulator.launches import Repeatable
from tensix_gdb.gdbstub.host.simulator.messages import Message
from tensix_gdb.gdbstub.host.simulator.simulator import Simulator
from tensix_gdb.gdbstub.host.simulator.watched import Watched
from tensix_gdb.gdbstub.kernels.user_cache import cache
from tensix_gdb.gdbstub.protocol.target import TargetError

log = logging.getLogger(__name__)

ARCS = Arc, WormholeArc  # by kind of chip
MOST = 100_000  # requests until clients have their turn
WAIT_SECONDS = 0.001  # for a request, while no client can have a turn
WAITS = 5  # such times, until the host has other things to do
POLL_SECONDS = 0.0005  # between two polls of the host, while a client runs the tiles
INTERRUPTED_SECONDS = 5  # after a Ctrl-C, in which a host may end by itself
REFUSED = 1  # exit status of the host
INTERRUPTED = 130  # exit status of the host then, as in a shell
OWED_CYCLES = 250  # at most, before they pass


class Calls:
    """Carries out the calls of the host at the other end of `channel`."""

    def __init__(self, channel: Channel, simulator: Simulator) -> None:
        self._channel, self._simulator = channel, simulator
        self._clock: HostClock = simulator.clock
        self._memory = CallbackMemory(channel, self._has_gone)
        self._gone = False
        self._writes = 0  # of the host, when it was last looked at
        self._watched: Mapping[Core, Watched] = simulator.watched
        chip = simulator.chip
        self._chip = chip.chip
        every = [
            beside((x, y), near) for near in chip.firsts for x in range(SIDE) for y in range(SIDE)
        ]
        cores: dict[Core, list[Core]] = {}
        for core in every:
            cores.setdefault(of_noc_0(core, self._chip), []).append(core)
        self._known_as = cores  # by the host: a core has translated coordinates, too
        tiles = [(core, one.machine) for core, one in self._watched.items()]
        channel.set_tiles(tiles, OWED_CYCLES, cores)
        assert channel.tiles is not None
        self._rows = dict(zip(self._watched, channel.tiles, strict=True))
        self._cores = list(self._watched)
        self._numbers = {core: number for number, core in enumerate(self._cores)}
        self._launches: dict[Core, Repeatable | None] = {}  # those that the rows have
        self._notes = -1  # of the clock, when the rows were made
        # Of tiles that share what keeps a run that fails one is asked, after each write.
        every_one = self._watched.values()
        failing = {id(one.failing): one for one in every_one if one.failing is not None}
        for each in failing.values():
            assert each.failing is not None
            each.failing.repeats = channel.launches
            if each.failing.plays:
                each.failing.inputs = HostInputs(channel, self._clock, self._memory)
        self._keeping = [*failing.values(), *(one for one in every_one if one.capture.is_wanted)]
        dram = {core: chip.channels.get(of_noc_0(core, self._chip), -1) for core in every}
        channel.set_dram(dram, chip.dram, chip.dram_end)

    async def serve(self) -> None:
        """Carry out calls until the host has ended."""
        self._simulator.connected(self._memory)
        firsts = self._simulator.chip.firsts
        for near in firsts:
            arc = ARCS[self._chip](max(chip_of(near), 0), len(firsts))
            place = beside(ARC_OF[self._chip], near)
            self._simulator.add_device(place, arc)
            self._channel.add_memory(self._known_as.get(place, ()), arc.csm_at, arc.csm)
        self._simulator.refuse_by(self._refuse)
        with trio.open_signal_receiver(signal.SIGINT) as interrupts:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._end_when_interrupted, interrupts)
                await self._serve()
                nursery.cancel_scope.cancel()

    def _refuse(self, why: str) -> None:
        """End the host, as the interface has it for what is not there."""
        log.error("%s", why)
        self._channel.end_host(REFUSED)

    async def _end_when_interrupted(self, interrupts: AsyncIterator[int]) -> None:
        """End the host some time after a Ctrl-C in its terminal, which this process gets too, at
        the second one at once, if it does nothing but wait in calls: there it notices none."""
        async for _ in interrupts:
            before = self._channel.counts()[0], self._channel.writes
            with trio.move_on_after(INTERRUPTED_SECONDS):
                async for _ in interrupts:
                    break
            calls = self._channel.is_in_call() or self._channel.counts()[0] != before[0]
            if calls and self._channel.writes == before[1]:
                self._channel.end_host(INTERRUPTED)

    async def _serve(self) -> None:
        waits = 0
        while True:
            if not self._clock.is_free():
                await self._clock.until_free()
            if self._clock.notes != self._notes:
                self._notes = self._clock.notes
                self._look_at(self._watched)
                self._channel.may_sleep()  # a client may have run them
            why = self._channel.pump(MOST, 0 if self._simulator.has_clients() else WAIT_SECONDS)
            if why is Why.IDLE and self._has_gone():  # and all that it has posted is done
                break
            waits = waits + 1 if why is Why.IDLE else 0
            if why is Why.ASKS_PYTHON and await self._carry_out():
                return
            if why is Why.WAKES:
                self._wake(of_noc_0(self._channel.message().core, self._chip))
            if why in (Why.WAITS, Why.PASSES):
                await self._pass_time(waits=why is Why.WAITS)
            if why is Why.IDLE and (waits > WAITS or self._simulator.has_clients()):
                await self._sleep()
            await self._clock.give_turn()
        self._note_its_end()

    def _note_its_end(self) -> None:
        """Write a core file if the host was killed, or has crashed, while kernels ran."""
        if not self._channel.is_open or not self._simulator.is_running():
            return
        if self._simulator.is_told_by_another:
            return  # which has ended the host, and says why
        path = cache() / "host-gone.core"
        text = "the host has ended without closing its device, while tiles ran"
        try:
            path.write_bytes(self._simulator.core_file())
        except TargetError as problem:
            log.warning("%s; no core file: %s", text, problem)
        except OSError as problem:
            log.warning("%s; no core file, %s cannot be written: %s", text, path, problem.strerror)
            with suppress(OSError):
                path.unlink()  # half a one
        else:
            log.warning("%s; `tensix-gdb replay --serve %s` shows them", text, path)
        for line in self._simulator.keep_failed():
            log.warning("%s", line)

    def _has_gone(self) -> bool:
        """True if the host's process has ended: its end of the socket is closed."""
        try:
            self._gone = self._gone or not self._channel.socket.recv(64)
        except BlockingIOError:
            pass
        except OSError:
            self._gone = True
        return self._gone

    async def _sleep(self) -> None:
        """Wait for a call of the host, and let clients have their turns."""
        if self._channel.sleep_at_socket():
            await trio.lowlevel.wait_readable(self._channel.socket)

    def _look_at(self, cores: Iterable[Core]) -> None:
        """Say in which of these tiles an access concerns nothing but the bytes of L1, and where
        not; and whether one to DRAM concerns nothing but its bytes."""
        keeps_inputs = self._clock.keeps_inputs()
        for core in cores:
            row, one = self._rows[core], self._watched[core]
            keeps = keeps_inputs or one.keeps_accesses
            row.is_plain = is_plain(one.machine) and not keeps
            row.signals, row.signals_end = one.launches.signals.start, one.launches.signals.stop
            if one.launches.repeatable is not self._launches.get(core):
                self._learn_launch(core, one)
        keeps = keeps_inputs or any(one.keeps_accesses for one in self._keeping)
        self._channel.is_dram_plain(not keeps and not self._simulator.chip.is_dram_observed())

    def _learn_launch(self, core: Core, one: Watched) -> None:
        """Say which launch needs no look if it comes again."""
        launch = self._launches[core] = one.launches.repeatable
        table = None if launch is None or one.notes_launches else table_of(launch)
        self._rows[core].launch = None if table is None else ctypes.pointer(table)

    def _wake(self, core: Core) -> None:
        slept = self._simulator.chip.sleeps(core)
        self._simulator.wake_for_bytes(core)
        self._channel.is_awake(self._numbers[core], slept=slept)

    async def _carry_out(self) -> bool:
        """Carry out the current request; True if it is the host's end."""
        channel = self._channel
        match channel.kind:
            case Kind.OPEN:
                channel.done()
            case Kind.CLOSE:
                self._simulator.host_ended()
                channel.done()
                return True
            case Kind.READ:
                message = self._message()
                channel.keep_current()
                channel.done(await self._simulator.carry_out(message))
                if message.addr >= L1_END[self._chip] and message.core in self._rows:
                    channel.owe(REGISTER_CYCLES)
            case Kind.WRITE:
                await self._write()
                channel.done()
        return False

    def _message(self) -> Message:
        message = self._channel.message()
        core = of_noc_0(message.core, self._chip)
        return message if core == message.core else replace(message, core=core)

    async def _write(self) -> None:
        self._channel.keep_current()
        first, last = (of_noc_0(core, self._chip) for core in self._channel.cores())
        message = self._message()
        if first == last:
            cores = [message.core]
        else:
            cores = [core for core in self._watched if _is_between(first, core, last)]
        for core in cores:
            await self._simulator.carry_out(replace(message, core=core))
        self._look_at(core for core in cores if core in self._rows)
        if message.addr in DEBUG_REGISTERS and self._clock.may_run():
            await self._clock.run(REGISTER_CYCLES)
            self._note_time()

    async def _pass_time(self, *, waits: bool) -> None:
        channel, owed = self._channel, self._channel.take_owed()
        if self._clock.may_run():
            if not waits:
                await self._clock.run(owed)
            elif channel.repeats:
                message, answer = channel.last_read()
                core = of_noc_0(message.core, self._chip)
                await self._clock.run_until_changed(replace(message, core=core), answer)
            else:
                await self._clock.run_for_host(lambda: self._memory.has_written)
                self._memory.has_written = False
            self._note_time()
        elif waits and self._simulator.has_clients():
            await trio.sleep(POLL_SECONDS)  # in which a client runs the tiles
            self._note_resets()
        if waits:
            wrote, self._writes = channel.writes != self._writes, channel.writes
            await self._simulator.look_how_long_it_waits(wrote=wrote)
        channel.done()

    def _note_time(self) -> None:
        """Note what has changed while time has passed."""
        self._note_resets()
        self._look_at(())  # kernels may be observed from now on
        self._channel.may_sleep()

    def _note_resets(self) -> None:
        self._simulator.check_resets(self._cores[number] for number in self._channel.resets())


def _is_between(first: Core, core: Core, last: Core) -> bool:
    return first[0] <= core[0] <= last[0] and first[1] <= core[1] <= last[1]


def is_plain(machine: Machine) -> bool:
    """True if an access of the host to L1 concerns nothing but its bytes: nothing watches them."""
    return machine.memory.watched is None and machine.runner.races is None
