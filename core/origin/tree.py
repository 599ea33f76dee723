# SPDX-License-Identifier: Apache-2.0
"""The tree of an answer: which elements are one write, and what is between two of them.

What one instruction has written of one row is one `Origin`: a datum of Dst that MVMUL has made of
sixteen products has two rows of parts, SrcA and SrcB, and not thirty-two. Queues and registers of
pipelines between two visible elements are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.elements import BY_BYTE, element_at
from tensix_gdb.core.origin.instrumented.scopes import CABLE, NOC, Scope
from tensix_gdb.core.origin.nodes import Answer, Node
from tensix_gdb.core.origin.shown import Left, Origin, Setting
from tensix_gdb.core.origin.words import described, field_values, name_of
from tensix_gdb.core.origin.writers import Writers

LANE_FLAGS = "vector.flags", "vector.use_flags"


class Trees:
    """Makes the trees of an answer."""

    def __init__(
        self,
        machines: Sequence[Machine],
        names: Sequence[str],
        memories: Sequence[str],
        answer: Answer,
        programs_at: Callable[[int], None] = lambda cycle: None,
    ) -> None:
        self._programs_at = programs_at
        self._machines, self._names, self._answer = machines, names, answer
        self._memories = memories
        self._by = Writers(machines, names)
        self._made: dict[tuple[int, ...], Origin] = {}
        # Those with callers that are wanted, the tile, and the cycle.
        self.chains: list[tuple[Origin, int, int]] = []

    def roots(self) -> list[Origin]:
        """Return the trees."""
        roots = self._group([one for root in self._answer.roots for one in _committed(root)])
        return [self._origin(nodes, 0) for nodes in roots]

    # -- groups
    def _group(self, nodes: Iterable[Node]) -> list[list[Node]]:
        groups: dict[Any, list[Node]] = {}
        for node in nodes:
            scope = self._maker(node)
            who: Any = (
                (scope.kind, scope.tile, scope.hart, scope.pc, scope.thread, scope.word)
                if scope
                else None
            )
            if node.change is not None:
                who = ("outside", node.change.cycle)
            bank = 0
            if node.key[0] in ("src", "vector"):
                bank = (*element_at(node.place[0]).index, 0)[0]
            key = node.tile, node.key, who, bank, node.is_followed
            groups.setdefault(key, []).append(node)
        return list(groups.values())

    def _origin(self, nodes: list[Node], level: int) -> Origin:
        key = tuple(sorted(map(id, nodes)))
        known = self._made.get(key)
        if known is not None:
            return known
        first = nodes[0]
        owner = self._memories[-1 - first.tile] if first.tile < 0 else self._names[first.tile]
        what, values = described(nodes, self._machines[max(first.tile, 0)])
        what = f"{owner} {what}".lstrip()
        origin = self._made[key] = Origin(what, values)
        if any(member.passed_over for node in nodes for member in self._chain(node)):
            origin.left = self._by_lane(nodes, "passed_over")
        for node in nodes:
            if node.later is not None and not origin.later:
                scope = self._maker(node.later)
                self._programs_at(self._made_in(node.later))
                by = self._by.text(scope, node.tile) if scope is not None else "no instruction"
                origin.later = f"{by}, in cycle {node.later.cycle}"
        cycles = [node.cycle for node in nodes if node.cycle is not None]
        if cycles:
            origin.cycles = min(cycles), max(cycles)
        if first.change is not None:
            at = "before the first cycle" if first.change.since_power_up else ""
            at = at or f"while the tile was stopped in cycle {first.change.cycle}"
            origin.note = f"put there from outside {at}: a program's file, the host or a debugger"
            if first.change.since_power_up and first.key[0] not in ("l1", "local", "outside"):
                origin.note = "as the reset has left it, or put there before the first cycle"
            return origin
        if not first.is_followed:
            origin.note = (
                "not followed further: there is more, ask for this one, or with --cycles N"
            )
            return origin
        if first.cycle is None:
            origin.note = self._never(nodes)
            return origin
        scope = self._maker(first)
        self._programs_at(self._made_in(first))
        if scope is not None:
            tile = first.tile if scope.tile is None else scope.tile
            origin.by, origin.tile = self._by.text(scope, first.tile), self._names[tile]
            origin.brief = self._by.text(scope, first.tile, short=True)
            if scope.hart >= 0:
                origin.hart, origin.pc = scope.hart, scope.pc
                if scope.pc:
                    when = scope.pushed if scope.pushed is not None else self._made_in(first)
                    self.chains.append((origin, tile, when))
        else:
            origin.by = "the tile itself, for no instruction"
        members = [member for node in nodes for member in self._chain(node)]
        if any(member.in_lane for member in members):
            origin.in_lanes = self._by_lane(nodes, "in_lane")
        origin.addressed = self._settings(_each(members, "addressed"), through=True)
        said = {setting.what for setting in origin.addressed}
        asked, guards = _each(members, "settings"), self._guards(_each(members, "addressed"))
        # A constant: what was asked about where it was made, before other fields.
        ends = [one for one in members if one.is_decided or not (one.parents or one.is_setting)]
        if ends and first.key[0] not in ("config", "hart"):
            own = self._settings(_each(ends, "settings"), through=True)
            origin.asked = [one for one in own if one.is_config and one.by and one.what not in said]
            said |= {setting.what for setting in origin.asked}
        rest = self._settings([*asked, *guards], through=False)
        origin.settings = [setting for setting in rest if setting.what not in said]
        parents = [parent for node in nodes for parent in self._visible(node)]
        for group in self._group(dict.fromkeys(parents)):
            origin.made_of.append(self._origin(group, level + 1))
        if any(member.is_decided for member in members):
            origin.note = "a constant, chosen because of what follows"
        if (
            not origin.made_of
            and not origin.note
            and scope is not None
            and scope.kind in (NOC, CABLE)
        ):
            origin.note = "from a register of a tile, or what is not followed"
        if not origin.made_of and not origin.note:
            origin.note = self._constant(nodes)
        return origin

    def _by_lane(self, nodes: Sequence[Node], which: str) -> list[Left]:
        """Return what has left these elements as they were, as their lanes were off; with `in_lane`
        what has written them where a comparison had left their lanes on."""
        found: dict[tuple[str, str], Left] = {}
        members = {id(one): one for node in nodes for one in self._chain(node)}
        for one in (each for member in members.values() for each in getattr(member, which)):
            made = self._settings(_each(self._chain(one), "addressed"), through=True)
            flags, use = (next((s for s in made if s.what == what), None) for what in LANE_FLAGS)
            is_on = which == "in_lane"
            scope = self._maker(nodes[0] if is_on else one)
            lane = one.bits.bit_length() - 1
            if scope is None or scope.carrier or flags is None or use is None:
                continue
            if is_on and (not flags.by or flags.by.startswith("SFPENCC ")):
                continue  # no comparison
            self._programs_at(self._made_in(one))
            if use.value & (flags.value if is_on else ~flags.value) & 1 << lane:
                by, brief = (self._by.text(scope, one.tile, short=short) for short in (False, True))
                new = Left(by, brief, self._made_in(one), flags, use)
                found.setdefault((by, f"{new.cycle} {new.why}"), new).lanes.add(lane)
        return list(found.values())

    def _never(self, nodes: list[Node]) -> str:
        since = "the reset" if self._answer.from_reset else "the history begins"
        note = f"nothing has written it since {since}"
        if nodes[0].key[0] in ("l1", "local", "outside") and not any(node.value for node in nodes):
            note += ", unless a zero was put there from outside, which cannot be seen"
        return note

    def _constant(self, nodes: list[Node]) -> str:
        for node in nodes:
            chain = self._chain(node)
            nodes = [*_each(chain, "settings"), *_each(chain, "addressed")]
            for setting in self._flat(nodes, through=False):
                if setting.key == ("dst", "undefined") and setting.value & setting.bits:
                    return "undefined since ZEROACC, or never written: read as 0"
        return "a constant: of the instruction, or what the unit makes there"

    # -- chains of what is not visible
    def _chain(self, node: Node) -> list[Node]:
        """Return the node, and what is not visible that it was made of, up to what is."""
        chain, at = [node], 0
        while at < len(chain):
            for parent in chain[at].parents:
                if not parent.is_visible and parent not in chain:
                    chain.append(parent)
            at += 1
        return chain

    def _visible(self, node: Node) -> list[Node]:
        """Return the visible elements that it was made of; what is not visible, where it ends
        there."""
        found: list[Node] = []
        for member in self._chain(node):
            for parent in member.parents:
                if parent.is_visible:
                    found += _committed(parent)
                elif (
                    parent.cycle is None and not parent.parents and parent.change is not None
                ) or not parent.is_followed:
                    found.append(parent)
        return found

    def _maker(self, node: Node) -> Scope | None:
        """Return the instruction that has made the value."""
        for member in self._chain(node):
            if member.scope is not None and not member.scope.carrier:
                return member.scope
        return node.scope

    def _made_in(self, node: Node) -> int:
        for member in self._chain(node):
            if member.scope is not None and not member.scope.carrier and member.cycle is not None:
                return member.cycle
        return node.cycle or 0

    # -- settings
    def _guards(self, nodes: Iterable[Node]) -> list[Node]:
        found, left, seen = [], list(nodes), set[int]()
        while left:
            node = left.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            found += node.settings
            if not node.steers:
                left += [*node.parents, *node.addressed]
        return found

    def _flat(self, nodes: Iterable[Node], *, through: bool) -> list[Node]:
        """Return the settings themselves, also those that an instruction has sampled."""
        found: dict[int, Node] = {}
        left, seen = list(nodes), set[int]()
        while left:
            node = left.pop(0)
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.steers:
                found[id(node)] = node
                continue
            left += [*node.parents, *node.addressed]
            if not through:
                left += node.settings
        return list(found.values())

    def _settings(self, nodes: Iterable[Node], *, through: bool) -> list[Setting]:
        made: dict[str, Setting] = {}
        for node in self._flat(nodes, through=through):
            element, machine = element_at(node.place[0]), self._machines[node.tile]
            value = node.value
            if element.key == ("dst", "undefined"):
                if not value & node.bits:
                    continue
                value &= node.bits
            scope = self._maker(node)
            self._programs_at(self._made_in(node))
            by = self._by.text(scope, node.tile, short=True) if scope is not None else ""
            if node.change is not None:
                by = "from outside"
            if element.key[0] == "config":
                divided = node.is_divided
                for what, own in field_values(machine, element, node.bits, value, divided=divided):
                    made.setdefault(what, Setting(what, own, by, node.cycle))
                continue
            what = name_of(machine, element, node.bits)
            if element.key in BY_BYTE:
                value <<= 8 * element.byte
                if what in made:
                    made[what].value |= value
            if what not in made:
                made[what] = Setting(what, value, by, node.cycle, is_config=False)
        return list(made.values())


def _committed(node: Node) -> list[Node]:
    """Return of an LReg that has got the result of an instruction's second cycle that result, which
    keeps by what its lane was on; of any other node the node."""
    if node.key[0] not in ("vector", "vector_late") or node.scope is None or not node.scope.carrier:
        return [node]
    results = [one for one in node.parents if one.key == ("vector_late", "value")]
    for result in results:
        known = set(map(id, result.in_lane))
        result.in_lane += [one for one in node.in_lane if id(one) not in known]
    return [one for result in results for one in _committed(result)] or [node]


def _each(nodes: Iterable[Node], which: str) -> list[Node]:
    found: dict[int, Node] = {}
    for node in nodes:
        for one in getattr(node, which):
            found[id(one)] = one
    return list(found.values())
