# SPDX-License-Identifier: Apache-2.0
"""Hits in the words of LLK's contract: an INIT writes what EXECUTE reads, and an UNINIT restores
what the INIT has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.pollution.verdict import Hit, Verdict, Way
from tensix_gdb.gdbstub.pollution.where import INIT, UNINIT

NAMED = 4  # pairs of kernels that a group names
_WIDE = 8  # bytes of an element of which a value is shown
_HOW = {
    Verdict.RESULT: "changes the result",
    Verdict.STATE: "a read that matters: the state at the end differs, and the result does not",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Hits that one sentence says: the same element, left by one function, read by another."""

    hits: tuple[Hit, ...]

    @property
    def verdict(self) -> Verdict:
        return max(hit.effect.verdict for hit in self.hits)

    @property
    def sentence(self) -> str:
        """`_llk_unpack_tilize_uninit_ (FILE:LINE) leaves FIELD 1, which _llk_unpack_AB_init_ does
        not write and _llk_unpack_AB_ (FILE:LINE) reads`."""
        hit = self.hits[0]
        if hit.element is None:
            return f"{hit.first} leaves what together matters to {hit.second}: {_list(hit.kinds)}"
        writer = hit.writer.text if hit.writer is not None else f"kernel {hit.first}"
        values = list(dict.fromkeys(each.left for each in self.hits))
        value = ""
        if hit.element.size <= _WIDE:
            value = f" {'/'.join(f'{each:#x}' for each in sorted(values)[:NAMED])}"
        return f"{writer} leaves {hit.element.name}{value}, {_which(hit)}"

    @property
    def rule(self) -> str:
        """The part of the contract that nothing has done."""
        hit = self.hits[0]
        if hit.writer is None:
            return ""
        if hit.writer.section == UNINIT:
            return "its UNINIT leaves it"
        if hit.uninit:
            return f"{hit.uninit} does not restore it"
        return "no UNINIT restores it"

    @property
    def pairs(self) -> str:
        """`after wide: narrow, and 3 more pairs`."""
        named = [f"{hit.first} then {hit.second}" for hit in _by_verdict(self.hits)]
        more = f", and {len(named) - NAMED} more" if len(named) > NAMED else ""
        return f"{', '.join(named[:NAMED])}{more}"

    @property
    def effect(self) -> str:
        """The difference that a run has shown."""
        worst = _by_verdict(self.hits)[0].effect
        if worst.why:
            return f"it does not end: {worst.why}"
        if worst.bytes_wrong:
            verb = "differs" if worst.bytes_wrong == 1 else "differ"
            return f"{counted(worst.bytes_wrong, 'byte')} of the result {verb}"
        return _HOW[worst.verdict]


def counted(number: int, noun: str) -> str:
    """`1 kernel`, `2 kernels`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def groups(hits: Iterable[Hit], way: Way) -> list[Group]:
    """Return the groups of one way, those that change results first."""
    found: dict[tuple[object, ...], list[Hit]] = {}
    for hit in hits:
        if hit.way is way:
            found.setdefault(_key(hit), []).append(hit)
    made = [Group(tuple(each)) for each in found.values()]
    return sorted(made, key=lambda one: (-one.verdict, one.sentence))


def lines_of(hits: Sequence[Hit], *, everything: bool) -> Iterator[str]:
    """Yield the report; without `everything` what changes results only."""
    for way in Way:
        found = groups(hits, way)
        shown = [one for one in found if everything or one.verdict is Verdict.RESULT]
        if shown:
            yield ""
            yield f"{way.value}:"
        for group in shown:
            yield f"  {group.sentence}"
            if group.rule:
                yield f"      {group.rule}"
            yield f"      {group.effect}: {group.pairs}"
        if hidden := len(found) - len(shown):
            yield ""
            yield (
                f"{way.value}: {hidden} more kinds of reads that change no result here; --all "
                "shows them"
            )


def _which(hit: Hit) -> str:
    if hit.reader is None:
        return f"and {hit.second} ends otherwise"
    if hit.reader.section == INIT:
        return f"which {hit.reader.text} reads before anything writes it"
    init = hit.init or "no INIT of the kernel"
    verb = "does not write" if hit.init else "writes"
    return f"which {init} {verb} and {hit.reader.text} reads"


def _key(hit: Hit) -> tuple[object, ...]:
    if hit.element is None:
        return (hit.kinds, hit.first, hit.second)
    return (
        hit.element.name,
        hit.writer.function if hit.writer else hit.first,
        hit.reader.function if hit.reader else hit.second,
        hit.effect.verdict is Verdict.RESULT,
    )


def _by_verdict(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.effect.verdict, not hit.effect.why))


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no kind by itself"
