"""TOML that people write, checked against a Struct: every problem at once, with what was expected and a guess."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

from companion.core import CompanionError, Misfit, Name, Said, say

from .form_words import bare, cut, expectation, shown, wanted

T = TypeVar("T", bound=Struct)

LONGEST_KEY: Final = 200
_QUOTED: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_CHAIN: Final = re.compile(r"(?<![\w.-])(?:[\w-]+[ \t]*\.[ \t]*){50}")
"""a.b.c. and so on: the TOML parser takes minutes for a key of a hundred thousand names."""
MOST: Final = 4 * 2**20
"""Bytes of a form; nobody writes a hundredth of that."""


class Problem(Struct, frozen=True):
    """One thing that is wrong: where, the value found ("" for none), what was expected, and a guess at what was
    meant."""

    file: str
    key: str
    value: str
    expected: str
    guess: str = ""
    fault: Said = Said("")
    """What is wrong, for people who do not read English."""
    cure: Said = Said("")
    """What to do about it, likewise."""

    @property
    def told(self) -> tuple[Said, ...]:
        """What is wrong and what to do, as texts; () if only the English line says it."""
        meant = say("form.meant", guess=Name(self.guess)) if self.guess else self.cure
        return (self.fault, *((meant,) if meant.key else ())) if self.fault.key else ()

    def line(self) -> str:
        found = f"{self.key} = {self.value}" if self.value else self.key
        meant = f"; did you mean {self.guess}?" if self.guess else ""
        return ": ".join(part for part in (self.file, found, self.expected) if part) + meant


class FormError(CompanionError, ValueError):
    """A form filled in wrongly; `problems` has everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem], then: str) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join([*(problem.line() for problem in self.problems), then]))


def is_missing(path: Path) -> bool:
    """Whether nothing at all is there. A dangling link, or a folder that we may not look into, counts as something."""
    try:
        path.lstat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def read_toml(path: Path, called: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The tables of one file, named `called` in problems."""
    try:
        # Opening a pipe waits for its other end, perhaps for ever.
        if not stat.S_ISREG(path.stat().st_mode):
            return {}, (Problem(called, "is not a file", "", f"expected a file of text at {path}"),)
        with path.open("rb") as file:
            content = file.read(MOST + 1)
        if len(content) > MOST:
            return {}, (Problem(called, "is too long", "", f"expected at most {MOST // 2**20} MB at {path}"),)
        return parse_toml(content.decode("utf-8-sig"), called)
    except UnicodeDecodeError as error:
        return {}, (Problem(called, f"byte {error.start}", "", "expected UTF-8 text; save the file as UTF-8"),)
    except OSError as error:
        why = error.strerror or str(error)
        return {}, (Problem(called, "cannot be read", "", f"{why}; expected a readable file at {path}"),)


def parse_toml(text: str, called: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The tables of a text, named `called` in problems."""
    if _CHAIN.search(_QUOTED.sub("q", text)):
        fault, expected = say("form.unreadable", line=1, column=1), "expected at most 50 names joined by dots"
        return {}, (Problem(called, "an endless dotted name", "", expected, "", fault, say("form.toml")),)
    try:
        return tomllib.loads(text), ()
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits are a ValueError of Python's own
        where = re.search(r"at line (\d+), column (\d+)", str(error))
        line, column = map(int, where.groups()) if where else (text.count("\n") + 1, 1)
        fault = say("form.unreadable", line=line, column=column)
        told = (
            Problem(called, cut(str(error), 200), "", "expected TOML, such as: name = 1", "", fault, say("form.toml")),
        )
        return {}, told


def fill(cls: type[T], tables: Mapping[str, Any], file: str) -> tuple[T | None, tuple[Problem, ...]]:
    """A `cls` made from `tables`, or None and everything that is wrong with them.

    Fields may be numbers, texts, booleans, Literals, lists, tables of one type, other structs and unions of tagged
    structs. `Meta(description=...)` on a field says what is expected there.
    """
    walk = _Walk(file)
    made = walk.struct(tables, cls, "")
    return (None if walk.problems else made), tuple(walk.problems)


def as_toml(value: Any) -> str:
    """A value as TOML writes it on one line; None inside tables is left out."""
    match value:
        case dict():
            pairs = (f"{_join('', name)} = {as_toml(one)}" for name, one in value.items() if one is not None)
            return "{ " + ", ".join(pairs) + " }"
        case list() | tuple():
            return "[" + ", ".join(as_toml(one) for one in value) + "]"
        case _:
            # TOML wants DEL escaped, JSON does not care.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of `words` that `word` was probably meant to be, or ""."""
    from difflib import get_close_matches  # only after a mistake, and every start would wait for it

    return next(iter(get_close_matches(word, list(words), 1)), "")


_BROKEN: Final[Any] = object()


class _Walk:
    """One pass through a form; collects problems instead of stopping at the first."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def wrong(self, key: str, value: Any, expected: str, cure: Said, guess: str = "") -> Any:
        """A value that does not belong there."""
        found = shown(value)
        fault = say("form.wrong", at=Name(key), value=Name(found))
        self.problems.append(Problem(self.file, key, found, expected, guess, fault, cure))
        return _BROKEN

    def lacking(self, key: str, expected: str, fault: Said, cure: Said, guess: str = "") -> Any:
        """Something missing, so that there is no value to blame."""
        self.problems.append(Problem(self.file, key, "", expected, guess, fault, cure))
        return _BROKEN

    def value(self, value: Any, hint: Any, key: str) -> Any:
        plain, _ = bare(hint)
        origin = get_origin(plain)
        if origin in (Union, UnionType):
            return self.union(value, get_args(plain), hint, key)
        if isinstance(plain, type) and issubclass(plain, Struct):
            return self.struct(value, plain, key)
        if isinstance(value, list) and origin in (list, tuple):
            return self.items(value, plain, hint, key)
        if isinstance(value, dict) and origin is dict:
            item = get_args(plain)[1]
            made = {name: self.value(one, item, _join(key, name)) for name, one in value.items()}
            return _BROKEN if _BROKEN in made.values() else made
        return self.leaf(value, hint, key)

    def leaf(self, value: Any, hint: Any, key: str) -> Any:
        try:
            return msgspec.convert(value, hint)
        except msgspec.ValidationError:
            plain, _ = bare(hint)
            choices = [str(c) for c in get_args(plain)] if get_origin(plain) is Literal else []
            guess = nearest(value, choices) if isinstance(value, str) else ""
            return self.wrong(key, value, "expected " + expectation(hint), wanted(hint), shown(guess) if guess else "")

    def items(self, value: list[Any], plain: Any, hint: Any, key: str) -> Any:
        args = get_args(plain)
        fixed = get_origin(plain) is tuple and args[-1] is not Ellipsis
        if fixed and len(args) != len(value):
            return self.wrong(key, value, f"expected a list of {len(args)}", say("form.list-of", n=len(args)))
        hints = args if fixed else (args[0],) * len(value)
        made = [self.value(one, hints[at], f"{key}[{at}]") for at, one in enumerate(value)]
        if any(one is _BROKEN for one in made):
            return _BROKEN
        try:
            return msgspec.convert(made, hint) if _is_plain(made) else get_origin(plain)(made)
        except msgspec.ValidationError as error:
            return self.wrong(key, value, str(error), wanted(hint))

    def union(self, value: Any, arms: tuple[Any, ...], hint: Any, key: str) -> Any:
        structs = [arm for arm in arms if isinstance(arm, type) and issubclass(arm, Struct)]
        if not isinstance(value, dict) or not structs:
            return self.leaf(value, hint, key)
        if len(structs) == 1:
            return self.struct(value, structs[0], key)
        config = structs[0].__struct_config__
        tags = {str(arm.__struct_config__.tag): arm for arm in structs}
        tag = value.get(str(config.tag_field), _BROKEN)
        if isinstance(tag, str) and tag in tags:
            return self.struct(value, tags[tag], key)
        choices = ", ".join(shown(name) for name in tags)
        guess = nearest(tag, tags) if isinstance(tag, str) else ""
        where, cure = _join(key, str(config.tag_field)), say("form.one-of", choices=Name(choices))
        if tag is _BROKEN:
            return self.lacking(where, f"expected one of {choices}", say("form.missing", at=Name(where)), cure)
        return self.wrong(where, tag, f"expected one of {choices}", cure, guess)

    def struct(self, value: Any, cls: type[Struct], key: str) -> Any:
        if not isinstance(value, Mapping):
            return self.wrong(key, value, "expected a table", say("form.table"))
        hints = get_type_hints(cls, include_extras=True)
        fields = msgspec.structs.fields(cls)
        before = len(self.problems)
        self.strangers(value, cls, [field.encode_name for field in fields], key)
        made: dict[str, Any] = {}
        for field in fields:
            inner = _join(key, field.encode_name)
            if field.encode_name in value:
                made[field.name] = self.value(value[field.encode_name], hints[field.name], inner)
            elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
                expected, fault = expectation(hints[field.name]), say("form.missing", at=Name(inner))
                self.lacking(inner, f"is missing; expected {expected}", fault, wanted(hints[field.name]))
        if len(self.problems) > before:
            return _BROKEN
        try:
            return cls(**made)
        except ValueError as error:  # a struct's own check across its fields
            unnamed = ((str(error), say("form.misfit", at=Name(key))),)
            for text, said in error.found if isinstance(error, Misfit) else unnamed:
                self.lacking(key, text, said, Said(""))
            return _BROKEN

    def strangers(self, value: Mapping[str, Any], cls: type[Struct], names: list[str], key: str) -> None:
        tag_field = cls.__struct_config__.tag_field
        for name in value:
            if name not in names and name != tag_field:
                guess = nearest(name, [other for other in names if other not in value])
                fault, meant = say("form.stranger", at=Name(_join(key, name))), _join(key, guess) if guess else ""
                self.lacking(_join(key, name), "is not known here", fault, say("form.take-out"), meant)


def _is_plain(made: list[Any]) -> bool:
    return not any(isinstance(one, Struct | dict | list | tuple) for one in made)


def _join(key: str, name: str) -> str:
    shown = name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else json.dumps(name)
    return cut(f"{key}.{shown}" if key else shown, LONGEST_KEY)
