"""Reads drivetrain files: YAML with comments kept, included files, overrides, values changed in the text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gearwright.errors import NOTHING, DrivetrainError, Problem, listed, nearest
from gearwright.units import odd_numbers

from .case_paths import in_file, win_over_cases
from .complaints import problems_of
from .file import Drivetrain
from .paths import item_name, merged, set_value, step
from .places import JSON, Place, Values, WrittenMap, place_of, with_paths_of, written

FOLDER = Path(__file__).parent.parent / "examples"
#: bounds of a file: no drivetrain has more, and a reader of YAML needs 200 times the size in memory
LARGEST, VALUES, DEEPEST = 2**22, 200_000, 60
#: bits of the largest whole number of a file
_LONGEST_WHOLE = 128


def examples() -> list[str]:
    """Names of the shipped examples."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def example_path(name: str) -> Path:
    """File of a shipped example; :class:`DrivetrainError` with the nearest name if there is none."""
    path = FOLDER / f"{name}.yaml"
    if not path.is_file() or name not in examples():
        known = examples()
        raise DrivetrainError.of([Problem("no such example", "", name, listed(known, 40), nearest(name, known))])
    return path


def find(source: str | Path, near: Path | None = None) -> Path:
    """The file that a name means: a path, a path beside ``near``, or a shipped example."""
    try:
        path = Path(source).expanduser()
        for candidate in ([near / path] if near is not None else []) + [path]:
            if candidate.is_file():
                return candidate
    except (OSError, ValueError, RuntimeError):  # a zero byte, a name too long, the home of nobody
        raise DrivetrainError.of(
            [Problem("no name of a file", "", str(source), "a drivetrain file, or an example")]
        ) from None
    name = str(source)
    if path.suffix.lower() in (".yaml", ".yml") or path.parent != Path(".") or (name and path.is_dir()):
        asked = near / path if near is not None else path
        folder = asked.parent if asked.parent.is_dir() else Path(".")
        beside = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in (".yaml", ".yml"))
        what = "is a folder, not a file" if path.is_dir() else "no such file"
        beside = sorted(p.name for p in path.glob("*.y*ml")) if path.is_dir() else beside
        meant = nearest(path.name, beside) or ("" if path.is_dir() else nearest(path.stem, examples()))
        raise DrivetrainError.of([Problem(what, "", name, "a drivetrain file, or the name of an example", meant)])
    if name in examples():
        return example_path(name)
    known = examples()
    ended = next((f"{name}{end}" for end in (".yaml", ".yml") if name and Path(f"{name}{end}").is_file()), "")
    what, allowed = "neither a file nor an example", "a file, or " + listed(known, 40)
    raise DrivetrainError.of([Problem(what, "", name, allowed, ended or nearest(name, known))])


def read_drivetrain(
    source: str | Path | Values | Drivetrain,
    overrides: Iterable[str] | Values = (),
    case: str | None = None,
) -> Drivetrain:
    """What :func:`gearwright.load` reads; references are not checked here."""
    if isinstance(source, Drivetrain):
        raw, file, text, old = _plain(source.raw), source.file, source.text, source.overrides
    elif isinstance(source, Mapping):
        raw, file, text, old = _plain(source), None, "", ()
    else:
        file = find(source)
        text = _text(file)
        raw, old = _with_includes(_parse(text, file), file, ()), ()
    applied = list(old)
    for path, value in pairs(overrides):
        place = in_file(raw, path, case)
        set_value(raw, place, value)
        win_over_cases(raw, place, value)
        applied.append(f"{path}={value}")
    return from_mapping(raw, file, text, tuple(applied))


def from_mapping(raw: Values, file: Path | None = None, text: str = "", overrides: tuple[str, ...] = ()) -> Drivetrain:
    """Validate a mapping; lines are reported where it came from a file. References are not checked here."""
    odd_numbers()
    try:
        drivetrain = Drivetrain.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, Drivetrain), _shown(file)) from None
    drivetrain._file = file
    drivetrain._text = text
    drivetrain._written = raw
    drivetrain._raw = _plain(raw)
    drivetrain._overrides = overrides
    drivetrain._odd = _odd_places(raw, dict(odd_numbers()))
    return drivetrain


def _odd_places(raw: Any, odd: Mapping[float, str]) -> list[tuple[str, str]]:
    """Where plain numbers stand that are odd as SI, and what to say of them."""
    found: list[tuple[str, str]] = []

    def look(node: Any, path: str, section: str) -> None:
        if isinstance(node, (dict, list)):
            for key, item in node.items() if isinstance(node, dict) else enumerate(node):
                name = str(key) if isinstance(node, dict) else item_name(section, item, key)
                look(item, f"{path}.{name}".lstrip("."), str(key))
        elif isinstance(node, (int, float)) and not isinstance(node, bool) and float(node) in odd:
            meant = odd[float(node)]
            found.append(
                (path, f"the plain number {node:g} is read in SI" + (f"; '{meant}' was perhaps meant" if meant else ""))
            )

    if odd:
        look(raw, "", "")
    return found


def with_changes(path: str | Path, changes: Values) -> tuple[Path, str, Drivetrain]:
    """The file that a name means, its text with values changed by path (comments and order are kept), and what that reads as."""
    file = find(path)
    yaml = _yaml()
    data = _parse(_text(file), file)
    for place, value in changes.items():
        set_value(data, place, _scalar(value) if isinstance(value, str) else value, "edit")
    buffer = io.StringIO()
    yaml.dump(data, buffer)
    new = buffer.getvalue()
    return file, new, from_mapping(_with_includes(_parse(new, file), file, ()), file, new)


# --- parts -------------------------------------------------------------------------------------------------


@cache
def _constructor() -> Any:
    """Makes values of YAML; what cannot be made has a place in the file."""
    from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor

    class Constructor(RoundTripConstructor):
        def construct_object(self, node: Any, deep: bool = False) -> Any:
            try:
                made = super().construct_object(node, deep=deep)
                if isinstance(made, int) and made.bit_length() > _LONGEST_WHOLE:
                    raise OverflowError
                return made
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError, IndexError):
                what = "a value that cannot be read" if isinstance(node.value, str) else "a group that cannot be read"
                raise ConstructorError(None, None, what, node.start_mark) from None

    return Constructor


def _yaml() -> Any:
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt")
    yaml.Constructor = _constructor()
    yaml.preserve_quotes = True
    yaml.width = 4096
    return yaml


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            what = f"{file.stat().st_size / 1e6:.0f} MB are too large for a drivetrain file"
            raise DrivetrainError.of(
                [Problem(what, allowed="series and tables in files of their own: {file: ...}")], _shown(file)
            )
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DrivetrainError.of([_undecoded(file.read_bytes(), error.start)], _shown(file)) from None
    except OSError as error:
        raise DrivetrainError.of([Problem(f"cannot be read: {error.strerror}")], _shown(file)) from None


def _undecoded(content: bytes, at: int) -> Problem:
    """What is wrong with a file that is no UTF-8 text from byte ``at`` on."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Problem("text in UTF-16", allowed="text in UTF-8: save it so")
    if b"\0" in content:
        return Problem("not a text file: it holds zero bytes", allowed="a drivetrain file in YAML")
    line, sign = content.count(b"\n", 0, at) + 1, content[at : at + 1].decode("latin-1")
    return Problem(f"not UTF-8 text from '{sign}' on", allowed="text in UTF-8: save it so", line=line)


def parse_file(file: Path) -> dict[str, JSON]:
    """The mapping of a YAML file as plain data, for files beside a drivetrain. Raises DrivetrainError."""
    if not file.is_file():
        raise DrivetrainError.of([Problem("no such file", "", str(file))])
    return dict(_plain(_parse(_text(file), file)))


def parsed(file: Path) -> Any:
    """The mapping of a YAML file, comments and lines kept. Raises DrivetrainError."""
    return _parse(_text(file), file)


def parsed_text(text: str) -> Any:
    """The mapping of a YAML text. Raises DrivetrainError."""
    return _parse(text, None)


def _parse(text: str, file: Path | None) -> Any:
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        data = _yaml().load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(part) for part in (error.problem or error.context or "not YAML",)).splitlines()[0]
        what = "a line begins with a tab; indent with spaces" if "'\\t'" in what else what
        line = mark.line + 1 if mark is not None else None
        shown = text.splitlines()[mark.line].strip()[:60] if mark and mark.line < len(text.splitlines()) else ""
        message = f"not valid YAML: {what}" + (f", near '{shown}'" if shown else "")
        raise DrivetrainError.of([Problem(message, line=line)], _shown(file)) from None
    except YAMLError as error:
        what = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise DrivetrainError.of([Problem(f"not valid YAML: {what}")], _shown(file)) from None
    except RecursionError:
        raise DrivetrainError.of([Problem(f"groups within groups, more than {DEEPEST} deep")], _shown(file)) from None
    except (AssertionError, ValueError, TypeError, AttributeError, KeyError, IndexError, OverflowError) as error:
        # the reader of YAML stumbles over some texts that are none
        raise DrivetrainError.of([Problem(f"not valid YAML: {str(error)[:100]}")], _shown(file)) from None
    if data is None:
        raise DrivetrainError.of([Problem("the file is empty")], _shown(file))
    if not isinstance(data, dict):
        raise DrivetrainError.of(
            [
                Problem(
                    "no drivetrain file, which is a mapping: lines of 'key: value'",
                    allowed="such as name:, stages:, cases:",
                )
            ],
            _shown(file),
        )
    if (wrong := _beyond(data)) is not None:
        raise DrivetrainError.of([Problem(wrong)], _shown(file))
    return data


def _beyond(data: Any) -> str | None:
    """What is beyond all bounds: groups that hold themselves, too deep, too many values, counted as often as an alias
    (``*name``) repeats them."""
    sizes: dict[int, int] = {}

    def size(node: Any, depth: int) -> int:
        if not isinstance(node, (dict, list, tuple, set)):
            return 1
        if depth > DEEPEST:
            raise OverflowError(f"groups within groups, more than {DEEPEST} deep, or one that holds itself")
        if id(node) not in sizes:
            items = node.values() if isinstance(node, dict) else node
            sizes[id(node)] = 1 + sum(size(item, depth + 1) for item in items)
            if sizes[id(node)] > VALUES:
                raise OverflowError(
                    f"more than {VALUES} values; series and tables stand in files of their own ({{file: ...}})"
                )
        return sizes[id(node)]

    try:
        size(data, 0)
    except OverflowError as error:
        return str(error)
    return None


def written_at(written: Any, path: str) -> Place | None:
    """File and line where a path stands, or the deepest part of it that does."""
    node = written
    line: Place | None = None
    section, parts = "", path.split(".")
    while parts and isinstance(node, (dict, list)):
        found = step(node, section, parts)
        if found is None:
            break
        key, used = found
        line = place_of(node, key) or line
        section, node, parts = str(key), node[key], parts[used:]
    return line


def placed(problem: Problem, drivetrain: Drivetrain) -> Problem:
    """A problem with file and line where its path stands, or the deepest part of it that does."""
    place = written_at(drivetrain._written, problem.path) if problem.path and problem.line is None else None
    if place is None:
        return problem
    return replace(problem, line=place.line, file=None if place.file is None else str(place.file))


def _with_includes(parsed: Any, file: Path, above: tuple[Path, ...]) -> Any:
    """The mapping of a file joined over those it includes (which come first); it knows where its values stand. Names of files
    are relative to the file that says them."""
    data = written(parsed, file)
    if file.resolve() in above:
        raise DrivetrainError.of([Problem("files include each other in a circle", "include")], _shown(file))
    names = data.get("include") or []
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > 100:
        raise DrivetrainError.of(
            [
                Problem(
                    "include names files",
                    "include",
                    NOTHING,
                    "include: [base.yaml], the name of a file or a list of them",
                    line=at.line if (at := place_of(data, "include")) else None,
                )
            ],
            _shown(file),
        )
    base = WrittenMap()
    for name in names:
        try:
            other = find(str(name), file.parent)
        except DrivetrainError as error:
            first = error.problems[0]
            raise DrivetrainError.of(
                [Problem(first.message, "include", name, first.allowed, first.meant)], _shown(file)
            ) from None
        part = _with_includes(_parse(_text(other), other), other, (*above, file.resolve()))
        part.pop("include", None)
        if other.resolve().parent != file.resolve().parent:
            part = with_paths_of(part, other.resolve().parent)
        base = merged(base, part)
    return merged(base, data) if base else data


def pairs(overrides: Iterable[str] | Values) -> Iterable[tuple[str, JSON]]:
    """Paths and values of overrides, as :func:`load` takes them. Raises DrivetrainError for text without ``=``."""
    if isinstance(overrides, Mapping):
        yield from overrides.items()
        return
    for text in [overrides] if isinstance(overrides, str) else overrides:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise DrivetrainError.of([Problem("not an override", "", text, "path=value, stages.0.planets=5")])
        yield path.strip(), _scalar(value.strip())


def _scalar(text: str) -> Any:
    """A value as YAML would read it."""
    return _plain(_parse(f"v: {text}", None)["v"]) if text else None


def _plain(value: Any) -> Any:
    """Plain containers and numbers from what the YAML reader made."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return str(value) if isinstance(value, str) else value


def _shown(file: Path | None) -> str | None:
    return None if file is None else str(file)
