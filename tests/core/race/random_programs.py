# SPDX-License-Identifier: Apache-2.0
"""Random litmus programs for the observer of races.

A program has one to three cores. Each makes accesses: loads and stores to places that others see,
and pushes. Two cores may have a link, a message of one kind that the second one waits for, and on
either side of it what makes the message count, or looks as if it did. A program may have one unit
of the data path that is ready, and instructions for it.

All that can differ is looked at in the end, as far as registers hold it. Values differ from each
other and from those at the start. Objects of synchronisation are used as pairs only, as two
requests to one are no race.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from tensix_gdb.core.litmus.text import Litmus, parse
from tensix_gdb.core.tensix.config.unit import SCRATCH_WORD
from tests.ordering.random_litmus import SETTINGS, SHARED

STATES = 4_000
OPERATIONS = {1: 7, 2: 5, 3: 4}
LINKED_OPERATIONS = 3
THIRD = ("NC", "B")
OWN = {
    "T0": ("LOCAL", "SLOW_T0", "GPR[1]", "GPR[65]", "CFG[190]", "CFG[414]"),
    "T1": ("LOCAL", "SLOW_T1", "GPR[1]", "CFG[190]"),
    "NC": ("LOCAL", "SLOW_NC"),
    "B": ("LOCAL", "SLOW_B", "GPR[1]", "CFG[190]"),
}
HOT = (("CFG[190]", "CFG[414]") * 2, ("GPR[1]", "GPR[65]") * 2, ())
INSTRUCTIONS = (
    "SETDMAREG.Immediate result_half_reg=2, new_value={value}",
    "ADDDMAREG.Reg result_reg=2, left_reg=1, right_reg=1",
    "RMWCIB0 mask=0xff, new_value={value}, index4=190",
    "RDCFG result_reg=1, cfg_index=190",
    "WRCFG input_reg=1, cfg_index=190",
    "CFGSHIFTMASK cfg_index=190",
    "CFGSHIFTMASK alu_mode=3, mask_width=4, cfg_index=190",
    "STREAMWRCFG stream_select=0, reg_index=0, cfg_index=190",
    "LOADIND size=1, result_reg=1, addr_reg=8, offset_half_reg=18",
    "STOREIND.L1 size=1, data_reg=1, addr_reg=8, offset_half_reg=18",
    "STALLWAIT block=B5, wait=C10",
    "STALLWAIT block=B7, wait=C10",
    "STALLWAIT block=B7, wait=C0",
    "STALLWAIT block=B5, wait=C0",
    "STALLWAIT block=B5, wait=C12",
    "FLUSHDMA condition_mask=1",
    "NOP",
)
TTSYNC = ("sw 0, TTSYNC", "lw t0, TTSYNC", "use t0")
BETWEEN = ("fence", "nop", "use a0", "use a1")


@dataclass(frozen=True)
class Ready:
    """A unit of the data path: its instructions, places that it shares with harts, what to see."""

    name: str
    pushes: tuple[str, ...]
    places: tuple[str, ...]
    final: tuple[str, ...]
    init: tuple[str, ...] = ()
    waits: str = ""  # condition of STALLWAIT


# fmt: off
READY = (
    Ready("unpacker 0",
          ("UNPACR.Regular which_unpacker=0, multi_context_mode=1",
           "UNPACR.Regular which_unpacker=0, multi_context_mode=1",
           "RMWCIB0 mask=0xf, new_value=0x1, index4=72",
           "RMWCIB0 mask=0xff, new_value=0xe0, index4=76",
           "STALLWAIT block=B7, wait=C1", "STALLWAIT block=B1, wait=C1",
           "STALLWAIT block=0x1ff, wait=C1", "STALLWAIT block=B3, wait=C10"),
          ("0xf10", "0xe10"),
          ("0xf10", "0xe10", "src.a[0,0,0]", "src.a[1,0,0]", "T0:CFG[72]", "T0:CFG[76]"),
          ("config.word[0,64] = 0x100010",), "C1"),
    Ready("packer",
          ("PACR read_intf_sel=1, last=1", "PACR read_intf_sel=1, last=1",
           "RMWCIB2 mask=0x8, new_value=0x8, index4=71",
           "RMWCIB0 mask=0xff, new_value=0xe3, index4=69",
           "STALLWAIT block=B7, wait=C3", "STALLWAIT block=B1, wait=C3",
           "STALLWAIT block=0x1ff, wait=C3", "STALLWAIT block=B2, wait=C10"),
          ("0xf40", "0xe40"), ("0xf40", "0xe40", "T0:CFG[69]", "T0:CFG[71]"), (), "C3"),
    Ready("matrix",
          ("MVMUL", "MVMUL", "MOVD2B", "SFPLOAD vd=0, mod0=2, imm10=0",
           "ZEROACC clear_mode=0, imm10=0",
           "STALLWAIT block=B8, wait=C4", "STALLWAIT block=B6, wait=C4",
           "STALLWAIT block=B1, wait=C4", "NOP"),
          ("DST",), ("dst.bits[0,0]", "dst.undefined[0]", "src.b[0,0,0]", "vector.lreg[0,0]"),
          ("dst.bits[0,0] = 0x4080",), "C4"),
    Ready("",  # the mover
          ("XMOV", "XMOV", "STALLWAIT block=B4, wait=C9", "STALLWAIT block=B1, wait=C9",
           "STALLWAIT block=0x1ff, wait=C9"),
          ("0xf00", "0xf40"), ("0xf00", "0xf40"),
          ("0xf00 = 77", "config.word[0,88] = 0xf0, config.word[0,89] = 0xf4",
           "config.word[0,90] = 0xc0000001"), "C9"),
)
# fmt: on


@dataclass(frozen=True)
class Program:
    """A litmus test in parts, so that it can be varied."""

    name: str
    heading: tuple[str, ...]
    cores: dict[str, tuple[str, ...]]
    final: tuple[str, ...]
    kinds: frozenset[str] = field(default=frozenset())
    states: int = STATES

    def litmus(self) -> Litmus:
        lines = [f"litmus {self.name}", f"states {self.states}", *self.heading]
        for core, text in self.cores.items():
            lines += [core, *(text or ("nop",))]
        final = self.final or ("X",)
        lines += [f"final {' '.join(final)}", f"allowed {' '.join('0' for _ in final)}"]
        return parse("\n".join(lines))[0]

    def with_core(self, core: str, text: list[str]) -> Program:
        """The same with another program of a core; what it no longer loads is not looked at."""
        words = {word.rstrip(",") for line in text for word in line.split()}
        final = tuple(
            place
            for place in self.final
            if not place.startswith(f"{core}:a") or place.partition(":")[2] in words
        )
        return replace(self, cores=self.cores | {core: tuple(text)}, final=final)


class _Drawing:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.kinds: set[str] = set()
        third = self.rng.choice(THIRD)  # or second
        number = self.rng.choice((1, 1, 2, 2, 2, 2, 3))
        self.linked = number == 2 and self.rng.randrange(2) > 0
        cores = ("T0", "T1", third)
        self.cores = cores[:number] if self.rng.randrange(3) else (*cores[: number - 1], third)
        self.left = LINKED_OPERATIONS if self.linked else OPERATIONS[number]
        self.ready = self.rng.choice(READY) if self.rng.randrange(5) < 2 else None
        if not {"T0", "T1"} & set(self.cores):
            self.ready = None
        self.values = iter(range(1, 100))
        # Few places, so that cores meet.
        self.shared = self.rng.sample(SHARED, self.rng.randint(1, len(SHARED)))
        self.hot = self.rng.choice(HOT)
        self.lines: dict[str, list[str]] = {}

    def program(self) -> Program:
        rng = self.rng
        heading = [
            "init semaphore.max[0] = 15, 0xe80 = 0x55, B:CFG[190] = 0x33",
            f"init config.word[0,{SCRATCH_WORD}] = 0x15",
        ]
        final = ["X", "X+4", "Y", "0xe80", "T0:CFG[190]"]
        if self.ready:
            heading += [f"ready {self.ready.name}"] if self.ready.name else []
            heading += [f"init {text}" for text in self.ready.init]
            final += self.ready.final
            self.kinds.add(self.ready.name or "mover")
        for core in self.cores:
            final.append(f"{core}:LOCAL")
            if setting := rng.choice(SETTINGS):
                heading.append(f"init {core}:{setting}")
            if core in ("T0", "T1"):
                heading.append(f"init {core}:GPR[1] = {0x100 + 16 * int(core[1])}")
                heading.append(f"init {core}:GPR[8] = 0xe8")
                final += [f"{core}:GPR[1]", f"{core}:GPR[2]"]
        for place in range(len(self.cores)):
            self.accesses(place)
        if self.linked:
            self.link()
        for core, text in self.lines.items():
            loads = [line.split()[1].rstrip(",") for line in text if line.startswith("lw a")]
            final += [f"{core}:{register}" for register in dict.fromkeys(loads)]
        cores = {core: tuple(text) for core, text in self.lines.items()}
        name = f"random {self.seed}"
        return Program(name, tuple(heading), cores, tuple(final), frozenset(self.kinds))

    def accesses(self, place: int) -> None:
        """Statements of a core."""
        rng, core = self.rng, self.cores[place]
        others = len(self.cores) - 1 - place
        count = rng.randint(1, max(1, min(self.left - others, 4)))
        self.left -= count
        places = (
            *self.shared * 2,
            *OWN[core],
            *[place for place in self.hot if place in OWN[core]],
        )
        pushes = INSTRUCTIONS
        if self.ready:
            places = (*self.shared, *OWN[core][-2:], *self.ready.places * 3)
            if core not in ("T0", "T1"):
                places = tuple(text for text in places if text != "DST")
            pushes += self.ready.pushes * 5
        text: list[str] = []
        for number in range(count):
            if rng.randrange(3) == 0:
                text.append(rng.choice(BETWEEN))
            choices = "sssllppp" if self.linked else "sssllpppt"
            kind = rng.choice(choices if core in ("T0", "T1") else "ssll")
            if kind == "p":
                text.append(f"push {rng.choice(pushes).format(value=self.value())}")
                self.kinds.add(text[-1].split()[1])
            elif kind == "s":
                place = rng.choice(places)
                text.append(f"sw {self.value() * (0x10001 if place == 'DST' else 1)}, {place}")
            elif kind == "l":
                text.append(f"lw a{number}, {rng.choice(places)}")
            else:
                text += TTSYNC
                self.kinds.add("TTSYNC")
        self.lines[core] = text

    def value(self) -> int:
        """Another one each time."""
        return next(self.values)

    def link(self) -> None:
        """A message from one core to another."""
        rng = self.rng
        sender, receiver = rng.sample(self.cores, 2)
        threads = [core for core in (sender, receiver) if core in ("T0", "T1")]
        ways = ["mailbox", "flag"]
        if len(threads) == 2:
            ways += ["SEMWAIT", "SEMWAIT"]
        if sender in threads and receiver != "NC":
            ways += ["poll of a semaphore"] * 2
        if "NC" in (sender, receiver):
            ways.remove("mailbox")
        way = rng.choice(ways)
        self.kinds.add(way)
        send, receive = self.message(way, sender, receiver)
        send = self.before_message(sender, way) + send
        receive = receive + rng.choice(([], [], ["fence"]))
        for core, text in ((sender, send), (receiver, receive)):
            lines = self.lines[core]
            at = rng.choice([i for i in range(len(lines) + 1) if not self.splits(lines, i)])
            lines[at:at] = text

    @staticmethod
    def splits(lines: list[str], at: int) -> bool:
        """True if `at` is inside a check of the coprocessor."""
        return 0 < at < len(lines) and lines[at] in TTSYNC[1:]

    def message(self, way: str, sender: str, receiver: str) -> tuple[list[str], list[str]]:
        """Return the lines that send a message, and those that wait for it."""
        wait = "STALLWAIT block=B1, wait="
        match way:
            case "mailbox":
                used = self.rng.choice((["use a6"], []))
                return [f"sw 1, MAILBOX_{receiver}"], [f"lw a6, MAILBOX_{sender}", *used]
            case "flag":
                return ["sw 1, F"], ["wait: lw a6, F", "beqz a6, wait"]
            case "SEMWAIT":
                block = self.rng.choice(("B5", "B7", "0x1ff"))
                receive = [f"push SEMWAIT block={block}, sem=1, condition_mask=1"]
            case _:
                receive = ["wait: lw a6, SEM[0]", "beqz a6, wait"]
        waits = ["C0", "C12"]
        if self.ready and self.ready.waits:
            waits.append(self.ready.waits)
        send = [f"push {wait}{self.rng.choice(waits)}"] if self.rng.randrange(2) else []
        return [*send, "push SEMPOST sem=1"], receive

    def before_message(self, sender: str, way: str) -> list[str]:
        """Return what a sender may do first, so that its stores are there."""
        stores = [
            line for line in self.lines[sender] if line.startswith("sw") and line[-4:] != "SYNC"
        ]
        choice = self.rng.randrange(4)
        if choice == 0:
            return ["fence"]
        if choice == 1 and stores:
            place = stores[-1].split(", ")[1]
            return [f"lw a5, {place}", "use a5"]
        return []


def draw(seed: int) -> Program:
    """The program of a seed."""
    return _Drawing(seed).program()
