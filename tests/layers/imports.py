# SPDX-License-Identifier: Apache-2.0
"""Which module imports what, and the direction imports have to have.

    cli -> server -> session -> commands -> rsp        gdbstub.tensix -> core
    core.firmware -> machine -> entries -> clock -> riscv, devices, memory -> isa, state, arch

A rule is one row: modules under `where` must not import anything under `what`, except where the
module is under one of `but` (an exception of the importer) or the import under one of `allowed`
(an exception of the imported).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVERYWHERE = ("core", "gdbstub")


@dataclass(frozen=True, slots=True)
class Rule:
    """Modules under `where` do not import `what`."""

    where: tuple[str, ...]
    what: str
    but: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()

    def forbids(self, module: str, imported: str) -> bool:
        """Does this rule forbid that `module` imports `imported`?"""
        return (
            any(is_under(module, place) for place in self.where)
            and not any(is_under(module, place) for place in self.but)
            and is_under(imported, self.what)
            and not any(is_under(imported, place) for place in self.allowed)
        )


# fmt: off
RULES = (
    # The machine knows no debugger and waits for nobody.
    Rule(("core",),             "gdbstub"),
    Rule(("core",),             "trio"),
    # Libraries that shape the code around them stay behind one door each.
    Rule(EVERYWHERE,            "construct", but=("core.isa.schema", "core.isa.by_construct")),
    Rule(EVERYWHERE,            "elftools",  but=("core.loader", "core.elf_tables", "core.dwarf")),
    Rule(EVERYWHERE,            "llvmlite",  but=("core.engine",)),
    Rule(EVERYWHERE,            "unicorn"),
    Rule(EVERYWHERE,            "random"),
    Rule(EVERYWHERE,            "tests"),
    # Only the outermost layer does I/O.
    Rule(("gdbstub",),          "trio",
         but=("gdbstub.server", "gdbstub.connection", "gdbstub.serve", "gdbstub.gdb",
              "gdbstub.event_loop", "gdbstub.bridge", "gdbstub.testing.asynchronous",
              "gdbstub.testing.serving")),
    # One door to the machine; tests of programs and the simulator of a host have their own.
    Rule(("gdbstub",),          "core",
         but=("gdbstub.tensix", "gdbstub.testing", "gdbstub.bridge"),
         allowed=("core.explanation.block",)),  # pages, not the machine
    Rule(("gdbstub",),          "gdbstub.testing",
         but=("gdbstub.testing", "gdbstub.pytest_plugin")),
    Rule(("gdbstub",),          "pytest",    but=("gdbstub.pytest_plugin",)),
    # The debugger side, from the inside out.
    Rule(("gdbstub.rsp",),      "gdbstub",   allowed=("gdbstub.rsp",)),
    Rule(("gdbstub.agent",),    "gdbstub",   allowed=("gdbstub.agent",)),
    Rule(("gdbstub.capabilities",), "gdbstub", allowed=("gdbstub.capabilities",)),
    Rule(("gdbstub.target",),   "gdbstub",
         allowed=("gdbstub.target", "gdbstub.capabilities", "gdbstub.rsp")),
    Rule(("gdbstub.trace", "gdbstub.trace_file", "gdbstub.trace_view"), "gdbstub",
         allowed=("gdbstub.trace", "gdbstub.target", "gdbstub.agent")),
    Rule(("gdbstub.commands",), "gdbstub",
         allowed=("gdbstub.commands", "gdbstub.target", "gdbstub.rsp", "gdbstub.trace",
                  "gdbstub.trace_file")),
    Rule(("gdbstub.session",),  "gdbstub",
         allowed=("gdbstub.session", "gdbstub.commands", "gdbstub.target",
                  "gdbstub.capabilities", "gdbstub.rsp", "gdbstub.trace",
                  "gdbstub.trace_view", "gdbstub.packet_log")),
    Rule(("gdbstub.tensix",),   "gdbstub",
         allowed=("gdbstub.tensix", "gdbstub.target", "gdbstub.capabilities", "gdbstub.rsp",
                  "gdbstub.agent", "gdbstub.usage")),
    Rule(("gdbstub.server",),   "gdbstub.cli"),
    # The machine, from the inside out.
    Rule(("core",),             "core.machine",
         but=("core.machine", "core.litmus", "core.firmware", "core.history",
              "core.recording")),
    Rule(("core",),             "core.clock",
         but=("core.machine", "core.entries", "core.state", "core.litmus", "core.trace")),
    Rule(("core",),             "core.litmus",  but=("core.litmus",)),
    Rule(("core.arch",),        "core",      allowed=("core.arch",)),
    Rule(("core.isa",),         "core",
         allowed=("core.isa", "core.arch", "core.riscv.table", "core.tensix")),
    Rule(("core.engine",),      "core",      allowed=("core.engine", "core.layout", "core.state")),
)
# fmt: on


def is_under(name: str, place: str) -> bool:
    """Is the dotted `name` the module `place`, or in it?"""
    return name == place or name.startswith(place + ".")


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the two packages, by dotted name."""
    for package in EVERYWHERE:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(source: str) -> Iterator[tuple[int, str, bool]]:
    """(line, what is imported, absolutely?) for every import, also those inside functions.

    What stands under `if TYPE_CHECKING:` is not imported when the program runs, and is left out.
    """
    tree = ast.parse(source)
    for block in [node for node in ast.walk(tree) if isinstance(node, ast.If)]:
        if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING":
            block.body = [ast.Pass()]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, True
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, f"{node.module or ''}.{alias.name}", node.level == 0


def violations(module: str, source: str) -> list[str]:
    """What `module`, whose text is `source`, imports against the rules."""
    found = []
    for line, imported, absolute in imports(source):
        if not absolute:
            found.append(f"{module}:{line}: a relative import; write the whole name")
        found += [
            f"{module}:{line}: imports {imported}; not for {' and '.join(rule.where)}"
            for rule in RULES
            if rule.forbids(module, imported)
        ]
    return found
