# SPDX-License-Identifier: Apache-2.0
"""Machines whose translations are made in this process, when a test asks for them."""

from __future__ import annotations

import json

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.translate import child
from tensix_gdb.core.translate.blocks import Blocks
from tensix_gdb.core.translate.translations import Translations
from tensix_gdb.core.translate.translator import Translator, request
from tests.machines import machine_on

NEVER = 1 << 62  # instructions before a hart is looked at: only what a test asks for is translated


class Local(Translator):
    """Translates at once."""

    def ask(self, key: str, hart: int, blocks: Blocks) -> bool:
        told = json.loads(json.dumps(request(key, hart, blocks)))
        self._made[key] = child.translate(told)
        return True


def translating(kind: str = "compiled") -> Machine:
    """A machine that translates what `machine.runner.translations.translate` is asked for."""
    machine = machine_on(kind)
    machine.runner.translations = Translations(machine.record, Local(), before=NEVER)
    return machine


def translations_of(machine: Machine) -> Translations:
    """Those of a machine that has some."""
    assert machine.runner.translations is not None
    return machine.runner.translations


def interpreting() -> Machine:
    """The same machine without any."""
    machine = machine_on("compiled")
    machine.runner.translations = None
    return machine
