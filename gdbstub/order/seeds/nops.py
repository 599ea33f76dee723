# SPDX-License-Identifier: Apache-2.0
"""TT-NOP's campaigns, run here: `--nop unpack:3:tti_nop:54` and its `failures.jsonl`.

Tenstorrent's injector (tt-metal, tt_metal/tt-llk/tests/python_tests/ttnop) puts a number of NOPs
before one instruction of a kernel: a jump leads to a cave, unused L1 after the code of the thread,
where the NOPs are, then the instruction that the jump has replaced, and a jump back. Here the same
words are written into L1 before the run, so that the NOPs take what they take on the card.

A site is an instruction of run_kernel by which threads meet (SEMWAIT, SEMGET, SEMPOST, STALLWAIT,
ATGETM, ATRELM, SETDVALID, CLEARDVALID), numbered by address from 0 on, as the injector does. What a
replay buffer records is none.

    THREAD:SITE:FILLER:COUNTS    unpack, math or pack; a number or *; a filler or `auto`; 1-100,150
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.report.located import chain_at
from tensix_gdb.gdbstub.order.seeds.case import Outcome, Setting
from tensix_gdb.gdbstub.order.seeds.program import Program
from tensix_gdb.gdbstub.usage import UsageError

THREADS = ("unpack", "math", "pack")
_SYNCHRONISE = (
    *("SEMWAIT", "SEMGET", "SEMPOST", "STALLWAIT", "ATGETM", "ATRELM", "SETDVALID", "CLEARDVALID"),
)
SYNC = {opcode(mnemonic): mnemonic for mnemonic in _SYNCHRONISE}
REPLAY, STALLWAIT, SETADCXX = opcode("REPLAY"), opcode("STALLWAIT"), opcode("SETADCXX")
# Words in a program: a Tensix instruction is rotated left by two bits there.
FILLERS = {
    "tti_nop": 0x08000000,
    "risc_nop": 0x00000013,
    "sfpnop": 0x3C000002,
    "unpacr0": 0x0C000009,
    "unpacr1": 0x0E000009,
}
AUTO = "auto"
MOST = 100  # NOPs: what the cave has room for
CAVE_BYTES = 4 * (MOST + 2)
JAL, REACH = 0x6F, 1 << 20
SFPU_STALL, SFPU_WAIT = 0x100, 0x800  # in the masks of a STALLWAIT of Blackhole
SFPU = range(0x70, 0x96)
NEAR_SFPU = 4  # instructions after one of the Vector Unit


@dataclass(frozen=True, slots=True)
class Site:
    """One of them."""

    thread: int
    index: int
    addr: int
    word: int
    op: str
    is_sfpu: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """The sites of a thread's program, the cave, and which unpackers read L1."""

    image: Image
    sites: tuple[Site, ...]
    cave: int | None
    unpackers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spec:
    """The parsed option --nop."""

    text: str
    thread: int
    site: int | None
    filler: str
    counts: tuple[int, ...]
    addr: int | None = None  # where a file says that the site is
    op: str = ""


def campaign(
    program: Program, texts: Sequence[str], file: str | None, cave: int | None
) -> list[Setting]:
    """Return the settings of `--nop` and `--nop-from`. UsageError with a sentence."""
    scans: dict[int, Scan] = {}
    for each in program.files:
        if each.hart is not None and T0 <= each.hart < T0 + len(THREADS):
            scans[each.hart - T0] = scan(each.image())
    specs = [parse(text) for text in texts] + (read_failures(file) if file else [])
    found: dict[str, Setting] = {}
    for spec in specs:
        for setting in _settings(program, scans, spec, cave):
            found.setdefault(setting.name, setting)
    return list(found.values())


def parse(text: str) -> Spec:
    """Parse `unpack:3:tti_nop:54`. UsageError with the right form."""
    parts = text.split(":")
    if len(parts) != 4 or parts[0] not in THREADS:
        raise UsageError(
            f"--nop {text}: type THREAD:SITE:FILLER:COUNTS, as in unpack:3:tti_nop:54 or "
            "math:*:auto:1-100; threads are unpack, math and pack"
        )
    thread, site, filler, counts = parts
    if site != "*" and not site.isdecimal():
        raise UsageError(f"--nop {text}: {site!r} is not the number of a site, nor *")
    if filler not in (*FILLERS, AUTO):
        raise UsageError(
            f"--nop {text}: {filler!r} is no NOP; there are {', '.join(FILLERS)}, auto"
        )
    number = None if site == "*" else int(site)
    return Spec(text, THREADS.index(thread), number, filler, _counts(text, counts))


def _counts(text: str, counts: str) -> tuple[int, ...]:
    found: list[int] = []
    for piece in counts.split(","):
        first, dash, last = piece.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise UsageError(f"--nop {text}: {piece!r} is not how many NOPs, as in 54 or 1-100")
        found += range(int(first), int(last or first) + 1)
    if not found or max(found) > MOST:
        raise UsageError(f"--nop {text}: a site has room for 0 to {MOST} NOPs")
    return tuple(dict.fromkeys(found))


def read_failures(file: str) -> list[Spec]:
    """Return the runs of a file of the injector. UsageError if it is none."""
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
        return [_of_row(json.loads(line)) for line in lines if line.strip()]
    except OSError as problem:
        raise UsageError(f"--nop-from {file}: cannot be read: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"--nop-from {file}: is no failures.jsonl of TT-NOP") from None


def _of_row(row: dict[str, object]) -> Spec:
    if row.get("site_mode", "sync") != "sync":
        raise UsageError("--nop-from: numbers of sites of the mode `all` are not known here")
    thread, filler = str(row["thread"]), str(row["filler"])
    if thread not in THREADS or filler not in FILLERS:
        raise ValueError
    text = f"{thread}:{row['site_index']}:{filler}:{row['delay']}"
    spec = parse(text)
    addr = row["addr"]
    assert isinstance(addr, int)
    return Spec(text, spec.thread, spec.site, filler, spec.counts, addr, str(row["op"]))


def scan(image: Image) -> Scan:
    """Return the sites of a program; none without a function run_kernel."""
    bodies = [
        symbol for name, symbol in image.symbols.items() if "run_kernel" in name and symbol.size > 0
    ]
    cave = _cave(image)
    if not bodies:
        return Scan(image, (), cave, ())
    body = max(bodies, key=lambda symbol: symbol.size)
    start = body.addr
    segment = next((one for one in image.segments if one.addr <= start < one.end), None)
    if segment is None:
        return Scan(image, (), cave, ())
    thread = (image.hart or T0) - T0
    sites, mask = _sites(segment, start, start + body.size, thread)
    return Scan(image, sites, cave, tuple(unit for unit in (0, 1) if mask >> unit & 1))


def _sites(segment: Segment, low: int, high: int, thread: int) -> tuple[tuple[Site, ...], int]:
    """Return the sites in [low, high), and the unpackers for which a count of datums is set
    anywhere."""
    found: list[Site] = []
    recorded = mask = 0
    since_sfpu = 1 << 20
    data = segment.data
    for at in range(0, len(data) - 3, 4):
        word = int.from_bytes(data[at : at + 4], "little")
        if word & 3 == 3:
            continue
        if recorded:
            recorded -= 1
            continue
        addr = segment.addr + at
        op = (word >> 2) | (word & 3) << 30
        opcode = op >> 24
        if opcode == REPLAY and op & 1:
            recorded = op >> 4 & 0x3FF
            continue
        if opcode == SETADCXX:
            mask |= op >> 21 & 3
        since_sfpu = 0 if opcode in SFPU else since_sfpu + 1
        if low <= addr < high and opcode in SYNC:
            touches = op >> 15 & SFPU_STALL or op & SFPU_WAIT
            is_sfpu = opcode == STALLWAIT and bool(touches) and since_sfpu <= NEAR_SFPU
            found.append(Site(thread, len(found), addr, word, SYNC[opcode], is_sfpu))
    return tuple(found), mask


def _cave(image: Image) -> int | None:
    """Unused L1 after the code: the linker script of the LLK tests leaves it."""
    end, limit = image.symbol("_etext"), image.symbol("__loader_init_start")
    if end is None or limit is None:
        return None
    start = end + 15 & ~15
    return start if start + CAVE_BYTES <= limit else None


def _settings(
    program: Program, scans: dict[int, Scan], spec: Spec, cave: int | None
) -> Iterator[Setting]:
    name = THREADS[spec.thread]
    if spec.thread not in scans:
        raise UsageError(f"--nop {spec.text}: {program.name} has no program of {name}")
    found = scans[spec.thread]
    if not found.sites:
        raise UsageError(
            f"--nop {spec.text}: {found.image.path} has no function run_kernel with such a site"
        )
    sites = [one for one in found.sites if spec.site in (None, one.index)]
    if not sites:
        raise UsageError(f"--nop {spec.text}: {name} has sites 0 to {len(found.sites) - 1}")
    for site in sites:
        if spec.addr is not None and (site.addr, site.op) != (spec.addr, spec.op):
            raise UsageError(
                f"--nop-from: site {site.index} of {name} is {site.op} at {site.addr:#x} here, and "
                f"{spec.op} at {spec.addr:#x} in the file: it is of another build"
            )
        start = cave if cave is not None else found.cave
        if start is None or not 0 <= start <= L1_BYTES - CAVE_BYTES or start % 4:
            raise UsageError(
                f"--nop {spec.text}: {found.image.path} has no room after its code; name "
                f"{CAVE_BYTES} bytes of L1 that nothing uses, as in --nop-cave 0x160000"
            )
        for filler in _fillers(spec, site, found):
            for count in spec.counts:
                text = f"{name}:{site.index}:{filler}:{count}"
                yield Setting(text, (), detour(site, start, FILLERS[filler], count))


def _fillers(spec: Spec, site: Site, found: Scan) -> tuple[str, ...]:
    """Return those that the injector tries at a site by itself."""
    if spec.filler != AUTO:
        return (spec.filler,)
    names = ["tti_nop"]
    if THREADS[site.thread] == "unpack":
        names += [f"unpacr{unit}" for unit in found.unpackers or (0, 1)]
    elif site.is_sfpu:
        names.append("sfpnop")
    return (*names, "risc_nop")


def detour(site: Site, cave: int, filler: int, count: int) -> tuple[tuple[int, bytes], ...]:
    """Return the words that put NOPs before a site."""
    back = cave + 4 * (count + 1)
    words = [*[filler] * count, site.word, jump(back, site.addr + 4)]
    code = b"".join(word.to_bytes(4, "little") for word in words)
    return (cave, code), (site.addr, jump(site.addr, cave).to_bytes(4, "little"))


def jump(addr: int, to: int) -> int:
    """`jal x0, to` at an address. UsageError if it does not reach."""
    offset = to - addr
    if not -REACH <= offset < REACH:
        raise UsageError(f"--nop-cave: {to:#x} is too far from {addr:#x} for a jump")
    value = offset & 0x1FFFFF
    return (
        (value >> 20 & 1) << 31
        | (value >> 1 & 0x3FF) << 21
        | (value >> 11 & 1) << 20
        | (value >> 12 & 0xFF) << 12
        | JAL
    )


TAGS = {"result": "mismatch", "check": "mismatch", "no end": "hang", "deadlock": "hang"}


def failure_rows(programs: Sequence[Program], outcomes: Sequence[Outcome]) -> list[str]:
    """Return lines of a failures.jsonl: the wrong runs with NOPs."""
    scans: dict[tuple[int, int], Scan] = {}
    rows = []
    for seq, one in enumerate(outcomes):
        if not one.wrong or one.setting.count(":") != 3:
            continue
        spec = parse(one.setting)
        key = one.program, spec.thread
        if key not in scans:
            files = programs[one.program].files
            file = next(each for each in files if each.hart == T0 + spec.thread)
            scans[key] = scan(file.image())
        assert spec.site is not None
        site = scans[key].sites[spec.site]
        row = {
            "case": f"{programs[one.program].name} {one.execution}",
            "arch": programs[one.program].arch.lower(),
            "site_mode": "sync",
            "thread": THREADS[spec.thread],
            "site_index": site.index,
            "addr": site.addr,
            "op": site.op,
            "filler": spec.filler,
            "filler_word": FILLERS[spec.filler],
            "delay": spec.counts[0],
            "seq": seq,
            "runs": 1,
            "fails": 1,
            "tag": TAGS.get(one.end, "error"),
            "error": one.text.partition("\n")[0][:200],
            "chain": _chain(scans[key].image, site),
        }
        rows.append(json.dumps(row, separators=(",", ":")))
    return rows


def _chain(image: Image, site: Site) -> list[str]:
    from tensix_gdb.core.explain.stop import Places

    steps = chain_at(Places([image]), T0 + site.thread, site.addr)
    return [f"{step.function}  {step.file}:{step.line}" for step in steps]
