# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb pollution`: footprints of kernels, all ordered pairs, and what real runs say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic

from tensix_gdb.core.firmware.folder import programs_in
from tensix_gdb.core.program.elf import LoadError
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.pollution.confirm import Confirming, leaks_within
from tensix_gdb.gdbstub.pollution.contents import lines_of as lines_of_contents
from tensix_gdb.gdbstub.pollution.contents import tried_contents
from tensix_gdb.gdbstub.pollution.document import document
from tensix_gdb.gdbstub.pollution.footprint import Footprint, footprint
from tensix_gdb.gdbstub.pollution.kernel import Kernel
from tensix_gdb.gdbstub.pollution.options import PollutionOptions
from tensix_gdb.gdbstub.pollution.verdict import Hit, Verdict, Way
from tensix_gdb.gdbstub.pollution.words import counted, lines_of
from tensix_gdb.gdbstub.tensix.output.progress import working
from tensix_gdb.gdbstub.usage import UsageError

NOTHING_CHANGED, CHANGED = 0, 1
CONFIRMS = "running pairs of kernels"


def pollution(options: PollutionOptions) -> int:
    """Print the report; return 1 if a result changes."""
    named = named_kernels(options.kernels)
    with working("looking at what each kernel reads and leaves"):
        begin = monotonic()
        made = [_footprint(path, name, options) for name, path in named.items()]
        seconds = monotonic() - begin
    good = [one for one in made if not one.end.why]
    lines = [f"{counted(len(good), 'kernel')}, footprints in {seconds:.1f} s"]
    lines += [f"left out: {one.name}: {one.end.why}" for one in made if one.end.why]
    say(lines, flush=True)
    if options.contents:
        return _contents(named, good, options)
    return _pairs(named, good, options)


def _contents(named: dict[str, str], good: Sequence[Footprint], options: PollutionOptions) -> int:
    begin = monotonic()
    found = []
    with working("running kernels with other contents"):
        for own in good:
            with closing(_kernel(named[own.name], own.name, options)) as kernel:
                found += tried_contents(kernel, own)
    say(lines_of_contents(found, len(good), monotonic() - begin))
    if options.json is not None:
        _write(options.json, {"contents": [one.to_json() for one in found]})
    return CHANGED if found else NOTHING_CHANGED


def _pairs(named: dict[str, str], good: Sequence[Footprint], options: PollutionOptions) -> int:
    begin = monotonic()
    wanted, elements = candidates(good)
    seconds = monotonic() - begin
    say(
        [
            f"{counted(len(good) ** 2, 'ordered pair')} from the footprints in {seconds:.2f} s: in "
            f"{wanted:,} the second reads before it writes what the first has left, "
            f"{counted(elements, 'element')}"
        ],
        flush=True,
    )
    begin = monotonic()
    hits: list[Hit] = []
    verdicts: Counter[tuple[Way, Verdict]] = Counter()
    runs = 0
    with working(CONFIRMS):
        for own in good:
            with closing(_kernel(named[own.name], own.name, options)) as kernel:
                confirming = Confirming(kernel, own)
                for first in good:
                    confirming.after(first)
                    confirming.within(first)
            hits += confirming.pairs.hits
            runs += confirming.pairs.runs
            verdicts.update((way, one) for (way, _), one in confirming.pairs.verdicts.items())
    seconds = monotonic() - begin
    say([f"{counted(runs, 'run')} of the second kernel in {seconds:.1f} s:", *_counted(verdicts)])
    say(lines_of(hits, everything=options.everything))
    if options.json is not None:
        _write(options.json, document(good, hits, verdicts, runs))
    return CHANGED if any(hit.effect.verdict is Verdict.RESULT for hit in hits) else NOTHING_CHANGED


def _counted(verdicts: Counter[tuple[Way, Verdict]]) -> list[str]:
    return [
        f"  {way.value}: another result in {counted(verdicts[way, Verdict.RESULT], 'pair')}, a "
        f"read that matters in {verdicts[way, Verdict.STATE]:,}, "
        f"nothing in {verdicts[way, Verdict.NOTHING]:,}"
        for way in Way
    ]


def candidates(kernels: Sequence[Footprint]) -> tuple[int, int]:
    """Return in how many ordered pairs the second kernel reads before it writes what the first has
    left changed, and how many elements that are; of the kinds of which reads are observed."""
    pairs = elements = 0
    for second in kernels:
        known: dict[object, bool] = {}
        for first in kernels:
            count = 0
            for within, left in ((False, first.left), (True, leaks_within(first))):
                for element in left:
                    key = element, within
                    if key not in known:
                        known[key] = second.read_of(element, within=within) is not None
                    count += known[key]
            pairs += bool(count)
            elements += count
    return pairs, elements


def _footprint(path: str, name: str, options: PollutionOptions) -> Footprint:
    with closing(_kernel(path, name, options)) as kernel:
        return footprint(kernel, with_writers=not options.contents)


def _kernel(path: str, name: str, options: PollutionOptions) -> Kernel:
    engine = "compiled" if options.engine == "auto" else options.engine
    return Kernel(path, name, engine, options.max_cycles)


def named_kernels(paths: Sequence[str]) -> dict[str, str]:
    """Return the kernels that the command line names, by short names. UsageError if there are
    none."""
    found: list[str] = []
    for path in paths:
        folder = Path(path)
        if folder.is_dir() and not _has_programs(folder):
            inside = sorted(map(str, folder.rglob("*.core")))
            inside += sorted(str(each) for each in folder.rglob("*/") if _has_programs(each))
            if not inside:
                raise UsageError(f"{path}: has neither kept runs (*.core) nor programs in it")
            found += inside
        else:
            found.append(path)
    found = list(dict.fromkeys(found))
    return dict(zip(_short(found), found, strict=True))


def _has_programs(folder: Path) -> bool:
    try:
        return bool(programs_in(str(folder)))
    except LoadError:
        return False


def _short(paths: Sequence[str]) -> list[str]:
    """`unpack_A` of .../test_unpack_A.py/run-1.core: what tells paths apart, without what all
    have."""
    parts = [Path(path).parts for path in paths]
    least = min(map(len, parts))
    common = 0
    while common < least - 1 and len({each[common] for each in parts}) == 1:
        common += 1
    names = []
    for each in parts:
        words = [word.removesuffix(".core") for word in each[common:]]
        words = [word.removeprefix("test_").removesuffix(".py") for word in words]
        names.append("/".join(word for word in words if word != "run-1") or each[-1])
    return names if len(set(names)) == len(names) else list(paths)


def _write(path: str, content: dict[str, object]) -> None:
    try:
        Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None
