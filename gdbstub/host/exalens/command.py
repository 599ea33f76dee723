# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb core --from-exalens`: write a core file of a tile of a card."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.program.elf import LoadError, read_elf
from tensix_gdb.gdbstub.cli.options.core import CardOptions
from tensix_gdb.gdbstub.host.exalens.card import CannotRead, ExalensCard
from tensix_gdb.gdbstub.host.exalens.found import Local, Snapshot
from tensix_gdb.gdbstub.host.exalens.snapshot import take_snapshot
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tensix_gdb.gdbstub.tensix.corefile.why_of_card import unknown_lines
from tensix_gdb.gdbstub.usage import UsageError


def core_from_card(options: CardOptions) -> bytes:
    """Read the tile; say what is not known, and what was done to it."""
    assert options.from_exalens is not None
    card = ExalensCard(options.from_exalens, options.device, options.simulator)
    try:
        found = take_snapshot(
            card,
            undisturbed=options.undisturbed,
            with_dst=options.dst,
            local=_local(options),
            with_config=not options.no_config,
            tell=lambda text: print(f"{text} ...", flush=True),
        )
    except CannotRead as problem:
        raise UsageError(f"{card.name}: {problem}") from None
    machine = found.machine
    machine.unknown.update(found.unknown)
    try:
        for hart, path in options.elf:
            image = read_elf(path)
            image.hart = hart
            machine.loader.add_hosted([image])
    except LoadError as problem:
        raise UsageError(str(problem)) from None
    print("\n".join(snapshot_lines(found)), flush=True)
    return core_of(machine, f"read from a card: {card.name}")


def _local(options: CardOptions) -> Local:
    if options.no_local:
        return Local.NONE
    return Local.NOC if options.local_over_noc or options.simulator else Local.DEBUG


def snapshot_lines(found: Snapshot) -> Iterator[str]:
    """Yield what was done, and what is not known."""
    halted = ", ".join(HART_NAMES[hart] for hart in range(HARTS) if hart in found.halted)
    yield f"halted for a moment, and let go: {halted or 'no core'}"
    asked = ", ".join(HART_NAMES[hart] for hart in found.asked)
    if asked:
        yield (
            f"asked to halt, and not halted: {asked}. It waits for something, and will halt when "
            "that has come; then `cont` of tt-exalens lets it run"
        )
    yield from unknown_lines(found.unknown)
