# SPDX-License-Identifier: Apache-2.0
"""`dataclass` as that of the standard library, but methods are made when one of them is wanted.

The library compiles the text of six methods for each class. A command declares hundreds of classes
and makes instances of some dozens, so that was a sixth of the time of a start. Here a class with
slots has a `Later` for each thing that the library adds. When one of them is asked for, the library
decorates the class as it was written, and what it adds replaces the `Later`s. From then on the
class does not differ from one that the library has made. Most classes in use need no more than
`__init__`: it is made alone where no base has fields, and no field is other than a parameter.
"""

from __future__ import annotations

import dataclasses
import sys
from _thread import RLock
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field
from typing import TYPE_CHECKING, Any

_OPTIONS = {"frozen", "slots", "eq", "repr", "order"}  # all others are left to the library
_ALWAYS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__init__")
_REPLACE = ("__replace__",) if sys.version_info >= (3, 13) else ()
_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_FROZEN = ("__setattr__", "__delattr__")
_STATE = ("__getstate__", "__setstate__")
_PSEUDO = ("ClassVar", "InitVar", "KW_ONLY")  # in annotations of what may not be a field
_LOCK = RLock()  # finishing a class finishes its bases


class _Made:
    """The default of a parameter if a factory makes its argument."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Made()


class Later:
    """An attribute that the library adds to a class, before it is there."""

    __slots__ = ("complete", "made", "name")
    made: type
    name: str

    def __init__(self, complete: Callable[[str], dict[str, Any]]) -> None:
        self.complete = complete

    def __set_name__(self, made: type, name: str) -> None:
        self.made, self.name = made, name

    def __get__(self, instance: object, owner: type) -> Any:
        with _LOCK:
            if vars(self.made)[self.name] is self:
                _replace(self.made, self.complete(self.name))
        found = vars(self.made)[self.name]
        return found.__get__(instance, owner) if hasattr(found, "__get__") else found


def _replace(made: type, by: dict[str, Any]) -> None:
    """Put what there is now in the place of each `Later`."""
    for name, value in list(vars(made).items()):
        if isinstance(value, Later) and name in by:
            setattr(made, name, by[name])


def _is_plain(written: type, options: dict[str, bool]) -> bool:
    """True if the class has slots, and if annotations alone say which."""
    return (
        bool(options.get("slots"))
        and options.keys() <= _OPTIONS
        and "__slots__" not in vars(written)
        and not any(
            word in str(kind) for kind in _annotations(written).values() for word in _PSEUDO
        )
        # Its fields would get slots here.
        and not any(
            "__dataclass_fields__" in vars(base) and "__slots__" not in vars(base)
            for base in written.__mro__
        )
        # What the library refuses, it refuses at once.
        and not any(name in vars(written) for name in (*_FROZEN, *_ORDER))
    )


def _annotations(written: type) -> dict[str, Any]:
    """Return the annotations of the class itself."""
    found: dict[str, Any] = vars(written).get("__annotations__", {})
    return found


def _declare(written: type, options: dict[str, bool]) -> type:
    """Return the class with slots and `Later`s."""
    fields = _annotations(written)
    content = {name: value for name, value in vars(written).items() if name not in fields}
    content.pop("__dict__", None)
    content.pop("__weakref__", None)
    inherited = {name for base in written.__mro__[1:] for name in _slots(base)}
    content["__slots__"] = tuple(name for name in fields if name not in inherited)
    content["__qualname__"] = written.__qualname__

    def complete(wanted: str) -> dict[str, Any]:
        if wanted == "__init__" and (init := _init(written, options.get("frozen", False))):
            return {wanted: init}
        decorate: Callable[[type], type] = dataclasses.dataclass(**options)
        return dict(vars(decorate(written)))

    for name in _added(content, options):
        content[name] = Later(complete)
    made = type(written)(written.__name__, written.__bases__, content)
    if options.get("frozen"):
        _freeze(made)
    return made


def _slots(base: type) -> tuple[str, ...]:
    """Return the slots of a base itself."""
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _added(content: dict[str, Any], options: dict[str, bool]) -> Iterator[str]:
    """Yield the names of what the library will add. A class that is equal by its fields and not
    frozen has no hash, which is written down at once."""
    equal, frozen = options.get("eq", True), options.get("frozen", False)
    names = [*_ALWAYS, *_REPLACE]
    names += ["__repr__"] if options.get("repr", True) else []
    names += ["__eq__"] if equal else []
    names += _ORDER if options.get("order") else ()
    names += _STATE if frozen else ()
    yield from (name for name in names if name not in content)
    if not content.get("__doc__"):
        yield "__doc__"
    if (
        equal
        and content.get("__hash__") is None
        and ("__eq__" in content or "__hash__" not in content)
    ):
        if frozen:
            yield "__hash__"
        else:
            content["__hash__"] = None


def _init(written: type, frozen: bool) -> Callable[..., None] | None:
    """Return `__init__` as the library would make it; None if that takes more than is here."""
    fields = _annotations(written)
    content: dict[str, Any] = {"_set": object.__setattr__, "_made": _MADE, "self": None}
    if fields.keys() & content or any("__dataclass_fields__" in vars(b) for b in written.__mro__):
        return None
    parameters, lines = ["self"], []
    for name in fields:
        default = vars(written).get(name, MISSING)
        value = name
        if isinstance(default, Field):
            if not default.init or default.kw_only is True:
                return None
            if default.default_factory is not MISSING:
                content[f"_new_{name}"] = default.default_factory
                value = f"_new_{name}() if {name} is _made else {name}"
                default = _MADE
            else:
                default = default.default
        content[f"_default_{name}"] = default
        parameters.append(name if default is MISSING else f"{name}=_default_{name}")
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(written, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), content)
    init: Callable[..., None] = content["__init__"]
    init.__annotations__ = {**fields, "return": None}
    init.__qualname__ = f"{written.__qualname__}.__init__"
    init.__module__ = written.__module__
    return init


def _freeze(made: type) -> None:
    """Refuse assignments, as the library does; its two functions know the class by name."""

    def __setattr__(self: object, name: str, value: object) -> None:
        if type(self) is made or name in made.__dataclass_fields__:  # type: ignore[attr-defined]
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)  # type: ignore[arg-type]

    def __delattr__(self: object, name: str) -> None:
        if type(self) is made or name in made.__dataclass_fields__:  # type: ignore[attr-defined]
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)  # type: ignore[arg-type]

    for function in (__setattr__, __delattr__):
        function.__qualname__ = f"{made.__qualname__}.{function.__name__}"
        setattr(made, function.__name__, function)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(written: type | None = None, /, **options: bool) -> Any:
        """Decorate a class as `dataclasses.dataclass` does."""

        def decorate(written: type) -> type:
            if _is_plain(written, options):
                return _declare(written, options)
            return dataclasses.dataclass(**options)(written)

        return decorate if written is None else decorate(written)
