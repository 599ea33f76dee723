# SPDX-License-Identifier: Apache-2.0
"""The tools of the server and their arguments: schema and check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.mcp.session import Call

MAX_TEXT = 100_000  # characters of an argument


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a tool. Without a default it has to be there."""

    name: str
    about: str
    default: Any = None
    least: int = 0
    most: int = 0
    one_of: tuple[str, ...] = ()
    required: bool = False

    @property
    def kind(self) -> str:
        """The type's name in JSON."""
        if isinstance(self.default, int):
            return "integer"
        return "array" if isinstance(self.default, tuple) else "string"

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema."""
        schema: dict[str, Any] = {"type": self.kind, "description": self.about}
        if self.kind == "integer":
            schema |= {"minimum": self.least, "maximum": self.most}
        if self.kind == "array":
            schema["items"] = {"type": "string"}
        if self.one_of:
            schema["enum"] = list(self.one_of)
        if self.default not in (None, ()):
            schema["default"] = self.default
        return schema

    def check(self, value: Any) -> Any:
        """Return the value. UsageError with one sentence if it cannot be taken."""
        match self.kind:
            case "integer" if isinstance(value, int) and not isinstance(value, bool):
                if self.least <= value <= self.most:
                    return value
                raise UsageError(f"{self.name} is a number from {self.least} to {self.most}")
            case "string" if isinstance(value, str) and len(value) <= MAX_TEXT:
                if not self.one_of or value in self.one_of:
                    return value
                raise UsageError(f"{self.name} is one of {', '.join(self.one_of)}")
            case "array" if isinstance(value, list):
                if all(isinstance(one, str) and len(one) <= MAX_TEXT for one in value):
                    return tuple(value)
        what = {"integer": "a number", "string": "a text", "array": "a list of texts"}[self.kind]
        length = "" if self.kind == "integer" else f" of at most {MAX_TEXT} characters"
        raise UsageError(f"{self.name} is {what}{length}")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what an assistant reads of it, its arguments, and the function."""

    name: str
    about: str
    run: Callable[[Call], str]
    arguments: tuple[Argument, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.arguments},
            "required": [one.name for one in self.arguments if one.required],
            "additionalProperties": False,
        }

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return every argument by name. UsageError with one sentence."""
        known = {one.name for one in self.arguments}
        for name in given:
            if name not in known:
                has = f"; it has {', '.join(sorted(known))}" if known else ""
                raise UsageError(f"{self.name} has no argument {name}{has}")
        values = {}
        for one in self.arguments:
            if one.name in given:
                values[one.name] = one.check(given[one.name])
            elif one.required:
                raise UsageError(f"{self.name} needs {one.name}: {one.about}")
            else:
                values[one.name] = one.default
        return values
