"""Records against dataclasses of the standard library, which are what they become."""

import copy
import dataclasses
import pickle
import threading

import pytest

from gearwright.records import dataclass


@dataclass(frozen=True)
class Wheel:
    """A record with a default and one made anew for every object."""

    name: str
    teeth: int = 20
    marks: list[int] = dataclasses.field(default_factory=list)


@dataclass(frozen=True)
class Planet(Wheel):
    """A record of a record."""

    pin: float = 0.5

    def __repr__(self) -> str:
        return f"planet {self.name}"


def fresh(**options):
    """A class like Wheel that nobody has used."""

    @dataclass(**options)
    class Fresh:
        """With a value."""

        value: int = 1

    return Fresh


def plain(**options):
    """The same made by the standard library."""

    @dataclasses.dataclass(**options)
    class Fresh:
        """With a value."""

        value: int = 1

    return Fresh


def test_methods_are_made_at_first_use_and_are_those_of_the_standard_library():
    late, now = fresh(frozen=True), plain(frozen=True)
    assert "__match_args__" not in vars(late)
    assert late(3).value == 3
    assert {k for k in vars(late) if "__" in k} == {k for k in vars(now) if "__" in k}


@pytest.mark.parametrize("use", [
    lambda kind: [f.name for f in dataclasses.fields(kind)],
    lambda kind: dataclasses.is_dataclass(kind),
    lambda kind: repr(kind(2)).rsplit(".", 1)[-1],
    lambda kind: kind(2) == kind(2) and kind(2) != kind(3),
    lambda kind: dataclasses.replace(kind(2), value=5).value,
    lambda kind: dataclasses.asdict(kind(value=4)),
    lambda kind: kind.value,
])  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"frozen": True}])
def test_any_first_use_answers_as_the_standard_library_does(use, options):
    assert use(fresh(**options)) == use(plain(**options))


def test_frozen_hashed_and_complaining():
    assert hash(fresh(frozen=True)(7)) == hash(plain(frozen=True)(7))
    with pytest.raises(TypeError, match="unhashable"):
        hash(fresh()(7))
    with pytest.raises(dataclasses.FrozenInstanceError):
        fresh(frozen=True)(7).value = 8
    with pytest.raises(TypeError, match=r"__init__\(\) takes from 1 to 2 positional arguments but 3 were given"):
        fresh()(1, 2)


def test_an_object_that_was_made_without_a_call_is_frozen_and_compares_too():
    """As unpickling does, in a process that made none itself."""
    kind = fresh(frozen=True)
    one, other = (object.__new__(kind) for _ in range(2))
    for thing in (one, other):
        thing.__dict__["value"] = 4
    assert one == other and hash(one) == hash(other)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.value = 5


def test_a_record_of_a_record_inherits_fields_and_keeps_its_own_methods():
    planet = Planet("p1", pin=0.3)
    assert repr(planet) == "planet p1"
    assert [f.name for f in dataclasses.fields(Planet)] == ["name", "teeth", "marks", "pin"]
    assert Wheel("a").marks is not Wheel("b").marks
    assert pickle.loads(pickle.dumps(planet)) == planet == copy.deepcopy(planet)


def test_threads_that_make_the_first_object_at_once():
    kind, together, made = fresh(frozen=True), threading.Barrier(8), []

    def make(value):
        together.wait()
        made.append(kind(value).value)

    threads = [threading.Thread(target=make, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == list(range(8))
