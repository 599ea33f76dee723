# SPDX-License-Identifier: Apache-2.0
"""Classes of `core.dataclass` are those of the standard library, made later."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import pickle
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError, InitVar, field
from typing import ClassVar

import pytest

from tensix_gdb.core.dataclass import Later, dataclass
from tests.layers.style import ROOT

# Both decorators over all classes of the package: a line of JSON for each.
DESCRIBE = """
import dataclasses, importlib, inspect, json, re, sys
import tensix_gdb.core.dataclass as ours
if sys.argv[1] == "library":
    ours.dataclass = dataclasses.dataclass
for name in sys.argv[2:]:
    module = importlib.import_module(name)
    for cls in list(vars(module).values()):
        if not isinstance(cls, type) or cls.__module__ != name:
            continue
        if "__dataclass_fields__" not in vars(cls):
            continue
        cls.__init__  # first, because it may be made without the rest
        print(json.dumps({
            "class": f"{name}.{cls.__qualname__}",
            "doc": re.sub(" at 0x[0-9a-f]+", "", cls.__doc__),
            "signature": re.sub(" at 0x[0-9a-f]+", "", str(inspect.signature(cls))),
            "fields": [
                re.sub(" at 0x[0-9a-f]+", "", str(each)) for each in dataclasses.fields(cls)
            ],
            "parameters": str(cls.__dataclass_params__),
            "slots": cls.__dict__.get("__slots__"),
            "match": cls.__match_args__,
            "has no hash": cls.__hash__ is None,
            "names": sorted(set(vars(cls)) - {"__annotations__", "__weakref__"}),
            "methods": sorted(
                [each, value.__qualname__]
                for each, value in vars(cls).items()
                if inspect.isfunction(value)
            ),
        }))
"""


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list, compare=False)

    def sum(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True)
class Named(Point):
    """A place with a name."""

    name: str = "here"

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("no name")


@dataclass(slots=True)
class Count:
    value: int = 0
    kept: int = field(default=7, init=False)
    hidden: int = field(default=1, repr=False)


@dataclass(eq=False, slots=True)
class Identity:
    value: int = 0


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Version:
    major: int
    minor: int = 0


def is_unfinished(cls: type) -> bool:
    return any(isinstance(value, Later) for value in vars(cls).values())


def test_declaring_makes_no_method_and_the_first_use_makes_all() -> None:
    @dataclass(frozen=True, slots=True)
    class One:
        x: int

    @dataclass(frozen=True, slots=True)
    class Two(One):
        y: int = 1

    assert is_unfinished(One)
    assert is_unfinished(Two)
    assert repr(Two(3)).endswith("Two(x=3, y=1)")
    assert not is_unfinished(Two)
    assert not is_unfinished(One)


def test_instances() -> None:
    assert Point(1) == Point(1, 2, ["not compared"])
    assert hash(Point(1)) == hash(Point(1, 2, ["not compared"]))
    assert Point(1) != Named(1)
    assert Named(1, name="a").sum() == 3
    assert repr(Named(1)).startswith("Named(x=1, y=2, tags=[], name='here'")
    with pytest.raises(ValueError, match="no name"):
        Named(1, name="")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    assert Point(1).tags is not Point(1).tags
    assert not hasattr(Point(1), "__dict__")
    assert repr(Count(3)) == "Count(value=3, kept=7)"
    assert Count.__hash__ is None
    assert Identity() != Identity()
    assert Version(1) < Version(1, 1) <= Version(2)
    assert "Version object at" in repr(Version(1))
    match Named(4, 5):
        case Named(x, y):
            assert (x, y) == (4, 5)
        case _:
            pytest.fail("no match")


@pytest.mark.parametrize("name", ["x", "tags", "other"])
def test_frozen(name: str) -> None:
    class Below(Named):
        pass

    for place in (Point(1), Named(1)):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(place, name, 3)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(place, name)
    below = Below(1)
    if name == "other":
        below.other = 3  # type: ignore[attr-defined]
        assert below.other == 3  # type: ignore[attr-defined]
    else:
        with pytest.raises(FrozenInstanceError):
            setattr(below, name, 3)


def test_functions_of_the_library() -> None:
    named = Named(1, 2, ["a"], "b")
    assert dataclasses.is_dataclass(Named)
    assert [each.name for each in dataclasses.fields(Named)] == ["x", "y", "tags", "name"]
    assert dataclasses.asdict(named) == {"x": 1, "y": 2, "tags": ["a"], "name": "b"}
    assert dataclasses.astuple(named) == (1, 2, ["a"], "b")
    assert dataclasses.replace(named, x=5) == Named(5, 2, ["a"], "b")
    assert pickle.loads(pickle.dumps(named)) == named
    assert copy.deepcopy(named) == named
    assert list(inspect.signature(Count).parameters) == ["value", "hidden"]


def test_bytes_of_pickle_are_read_by_a_class_that_is_not_finished() -> None:
    code = (
        "import pickle, sys; from tests.core import test_dataclass as t; "
        "assert t.is_unfinished(t.Named); "
        "print(pickle.loads(bytes.fromhex(sys.argv[1])).sum(), t.is_unfinished(t.Named))"
    )
    kept = pickle.dumps(Named(1, 2)).hex()
    done = subprocess.run(
        [sys.executable, "-c", code, kept], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[0] == "3"


def test_what_is_left_to_the_library() -> None:
    """The library decorates a class with what this one does not know, and refuses at once."""

    @dataclass(slots=True)
    class Odd:
        known: ClassVar[int] = 3
        value: InitVar[int]
        kept: int = 0

        def __post_init__(self, value: int) -> None:
            self.kept = value + self.known

    @dataclass
    class Open:
        x: int = field(default=1)

    @dataclass(slots=True, kw_only=True)
    class Words:
        x: int

    assert not any(is_unfinished(cls) for cls in (Odd, Open, Words))
    assert Odd(4).kept == 7
    assert Open.x == 1
    assert Words(x=1) == Words(x=1)
    with pytest.raises(TypeError, match="already specifies __slots__"):

        @dataclass(slots=True)
        class Twice:
            __slots__ = ()

    with pytest.raises(TypeError, match="Cannot overwrite attribute __setattr__"):

        @dataclass(frozen=True, slots=True)
        class Sets:
            x: int

            def __setattr__(self, name: str, value: object) -> None: ...


def test_methods_of_a_class_that_it_has_itself_stay() -> None:
    @dataclass(frozen=True, slots=True)
    class Own:
        x: int

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 3

        def __eq__(self, other: object) -> bool:
            return True

    assert (repr(Own(1)), hash(Own(1)), Own(1) == 4) == ("own", 3, True)


def test_a_base_that_is_asked_by_its_subclass() -> None:
    @dataclass(slots=True)
    class Upper:
        x: int

    class Lower(Upper):
        def __init__(self) -> None:
            super().__init__(5)

        def __repr__(self) -> str:
            return "lower " + super().__repr__()

    assert repr(Lower()).endswith("Lower(x=5)")


def test_init_alone() -> None:
    """An instance takes no more than `__init__`, and the rest comes when it is wanted."""

    @dataclass(frozen=True, slots=True)
    class Alone:
        x: int
        y: list[int] = field(default_factory=list)
        z: str = field(default="z", repr=False)

        def __post_init__(self) -> None:
            self.y.append(self.x)

    one = Alone(3)
    assert is_unfinished(Alone)
    assert (one.x, one.y, one.z) == (3, [3], "z")
    assert str(inspect.signature(Alone)) == (
        "(x: 'int', y: 'list[int]' = <factory>, z: 'str' = 'z') -> None"
    )
    assert one == Alone(3, [], "z")
    assert repr(one).endswith("Alone(x=3, y=[3])")
    assert dataclasses.replace(one, x=4, y=[]) == Alone(4)
    assert not is_unfinished(Alone)


def test_a_field_may_have_any_name() -> None:
    @dataclass(frozen=True, slots=True)
    class Names:
        self: int
        _set: int
        _made: list[int] = field(default_factory=list)

    assert (Names(1, 2).self, Names(1, 2)._set, Names(1, 2)._made) == (1, 2, [])


def test_threads_that_want_a_class_at_once() -> None:
    kinds = []
    for _ in range(50):

        @dataclass(frozen=True, slots=True)
        class Kind:
            x: int
            y: list[int] = field(default_factory=list)

        kinds.append(Kind)
    made: list[object] = []

    def use() -> None:
        made.extend(kind(1).y for kind in kinds)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [[]] * 200


def described(by: str, names: list[str]) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, "-c", DESCRIBE, by, *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_all_classes_of_the_package_are_as_the_library_makes_them() -> None:
    names = sorted(
        "tensix_gdb." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for room in ("core", "gdbstub")
        for path in (ROOT / room).rglob("*.py")
        if "from tensix_gdb.core.dataclass import" in path.read_text("utf-8")
        and path.name != "__init__.py"
    )
    ours, theirs = described("ours", names), described("library", names)
    assert len(ours) > 500
    for here, there in zip(ours, theirs, strict=True):
        assert here == there
