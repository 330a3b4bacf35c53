"""Keys and facts become sentences here, at the very edge, in the reader's language.

Texts live in `.po` files beside what they belong to: msgid is the key, msgctxt the surface, msgstr the text with
`{fact}` placeholders. A text with plural forms follows the fact named `n`, or else `number`; within a text,
`{cards} {cards:card|cards}` takes the word that goes with the number of any fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from typing import Final, Literal, assert_never
from weakref import WeakValueDictionary

from msgspec import Struct

from companion.core import (
    REFEREE,
    TABLE,
    UNKNOWN,
    Both,
    CompanionError,
    Fact,
    Facts,
    Name,
    Phrase,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Refusal,
    Said,
    Seat,
    SeatId,
    Word,
    say,
)

from . import po

Lang = Literal["en", "fr"]
Surface = Literal["", "oled", "hands", "why", "say"]

LANGS: Final[tuple[Lang, ...]] = ("en", "fr")


class TextsMissing(CompanionError, FileNotFoundError):
    """A folder of texts lacks the compiled file of a language."""


class TextsDamaged(CompanionError, ValueError):
    """A compiled file of texts cannot be read."""


class Names(Struct, frozen=True):
    """How to name the facts of one running game: its people, its pieces, its places."""

    seats: tuple[str, ...]
    describe: Callable[[PieceId], Said]
    place: Callable[[PlaceId], Said]


NOBODY: Final = Names((), lambda piece: Said("piece.unknown"), Said)
"""The names while no game is running."""


class Texts:
    """All texts of some folders, in every language; earlier folders win. Safe to share between threads."""

    def __init__(self, catalogs: Mapping[Lang, tuple[GNUTranslations, ...]]) -> None:
        self._catalogs = dict(catalogs)
        # Journal numbers (`n`) are mostly few but have no limit, so the cache needs one.
        self.find = lru_cache(maxsize=16384)(self._find)
        """(lang, key, surface, n) → the template, or None when there is no such text."""

    @classmethod
    def load(cls, *folders: Path) -> Texts:
        return cls({lang: tuple(_catalog(folder / f"{lang}.mo") for folder in folders) for lang in LANGS})

    def _find(self, lang: Lang, key: str, surface: Surface, n: int | None) -> str | None:
        for catalog in self._catalogs[lang]:
            for context in dict.fromkeys((surface, "")):
                text = _look_up(catalog, key, context, n)
                if text != key:
                    return text
        return None


MOST_KEPT: Final = 2000
"""Sentences that a speaker caches before it starts over."""


class Speaker:
    """Says things in one language with the names of one game."""

    def __init__(self, texts: Texts, lang: Lang, names: Names = NOBODY) -> None:
        self.lang: Final = lang
        self._texts = texts
        self._names = names
        self._kept: dict[tuple[str, Facts, Surface, bool], str] = {}

    def say(self, said: Said, surface: Surface = "") -> str:
        return self._said(said.key, said.facts, surface)

    def key(self, key: str, surface: Surface = "", **facts: Fact) -> str:
        return self._said(key, tuple(facts.items()), surface)

    def refuse(self, refusal: Refusal, surface: Surface = "") -> str:
        """The reason for a refusal; with surface "hands", what hands should do about it."""
        return self._said(f"no.{refusal.key}", refusal.facts, surface)

    def names(self, said: Said, fact: Fact, surface: Surface = "") -> bool:
        """Whether the text of `said` names this fact."""
        template = self._texts.find(self.lang, said.key, surface, _count(said.facts)) or ""
        named = {name for name, value in said.facts if value == fact}
        return any(gap in named for _, gap, _, _ in Formatter().parse(template))

    def after(self, said: Said, fact: Fact) -> str | None:
        """What follows after this fact: “goes home.” in “Ben goes home.”; None if the text does not begin with it."""
        first = _FIRST.match(self._texts.find(self.lang, said.key, "", _count(said.facts)) or "")
        if first is None or dict(said.facts).get(first[1]) != fact:
            return None
        name, words = f"{self._fact(fact, '')} ", self.say(said)
        return words.removeprefix(name) if words.startswith(name) else None

    def _said(self, key: str, facts: Facts, surface: Surface, *, within: bool = False) -> str:
        """Most of what is said was said a moment ago: each text is filled once by itself and once within a sentence."""
        asked = (key, facts, surface, within)
        words = self._kept.get(asked)
        if words is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            words = self._kept[asked] = (self._fill if within else self._begun)(key, facts, surface)
        return words

    def _begun(self, key: str, facts: Facts, surface: Surface) -> str:
        """A text on its own starts with a capital, even if the thing it starts with has none within a sentence.

        People's names stay as they are, and so does the display, which has small letters where it likes.
        """
        words = self._fill(key, facts, surface)
        if surface == "oled" or not words[:1].islower():
            return words
        first = _FIRST.match(self._texts.find(self.lang, key, surface, _count(facts)) or "")
        match dict(facts).get(first[1]) if first else None:
            case None | Name():
                return words
            case Seat(id) if 0 <= id < len(self._names.seats):
                return words
            case _:
                return words[0].upper() + words[1:]

    def _fill(self, key: str, facts: Facts, surface: Surface) -> str:
        if not key:
            return ""
        template = self._texts.find(self.lang, key, surface, _count(facts))
        if template is None:
            return key
        if "{" not in template:
            return template
        filled = _Filled((name, self._fact(fact, surface)) for name, fact in facts)
        template = _counted(template, filled, self.lang)
        return (_joined(template, filled) if self.lang == "fr" else template).format_map(filled)

    def _fact(self, fact: Fact, surface: Surface) -> str | int:
        match fact:
            case int():
                return fact if fact >= 0 else _BelowZero(fact)
            case Piece(id) if id == UNKNOWN:
                return self._within(Said("piece.unknown"), surface)
            case Piece(id):
                return self._within(self._names.describe(id), surface)
            case Place(id):
                return self._within(self._names.place(id), surface)
            case Seat(id):
                return self._seat(id, surface)
            case Word(key):
                return self._within(Said(key), surface)
            case Name(text):
                return text
            case Both(en, fr):
                return (fr or en) if self.lang == "fr" else (en or fr)
            case Phrase(key, facts):
                return self._within(Said(key, facts), surface)
            case _:
                assert_never(fact)

    def _within(self, said: Said, surface: Surface) -> str:
        return self._said(said.key, said.facts, surface, within=True)

    def _seat(self, seat: SeatId, surface: Surface) -> str:
        if 0 <= seat < len(self._names.seats):
            return self._names.seats[seat]
        if seat >= 0:
            return self._within(say("seat.number", n=seat + 1), surface)
        key = {TABLE: "seat.table", REFEREE: "seat.referee"}.get(seat, "seat.nobody")
        return self._within(Said(key), surface)


class _BelowZero(int):
    """Written with a minus sign, as wide as a plus; a hyphen is too short, and a line may break after it."""

    def __str__(self) -> str:
        return f"\N{MINUS SIGN}{-self}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class _Filled(dict[str, str | int]):
    """A text that asks for a fact it was not given shows the gap instead of failing."""

    def __missing__(self, name: str) -> str:
        return "{" + name + "}"


_FIRST: Final = re.compile(r"\{(\w+)\}")
_ONE_OR_MANY: Final = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")


def _counted(template: str, filled: _Filled, lang: Lang) -> str:
    """The words that go with the numbers: English says 0 cards and 1 card, French 0 carte and 1 carte."""

    def word(found: re.Match[str]) -> str:
        n = filled[found[1]]
        is_one = isinstance(n, int) and (abs(n) < 2 if lang == "fr" else abs(n) == 1)
        return found[2] if is_one else found[3]

    return _ONE_OR_MANY.sub(word, template) if "|" in template else template


_JOINED: Final = re.compile(r"\b([Dd]e|[Qq]ue|[Àà]) \{(\w+)\}")
_VOWELS: Final = frozenset("AEIOUÀÂÉÈÊËÎÏÔÖÙÛÜaeiouàâéèêëîïôöùûü")
_WITH_ARTICLE: Final = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}


def _joined(template: str, filled: _Filled) -> str:
    """French says la main d’Ada, la main de Ben, au marché: what follows is known only after filling in."""

    def join(found: re.Match[str]) -> str:
        little, words = found[1], str(filled[found[2]])
        article, _, rest = words.partition(" ")
        if with_article := _WITH_ARTICLE.get(f"{little.lower()} {article}"):
            joined = f"{with_article.capitalize() if little[0].isupper() else with_article} {rest}"
        elif words[:1] in _VOWELS and little[-1] == "e":
            joined = f"{little[:-1]}’{words}"
        else:
            joined = f"{little} {words}"
        return joined.replace("{", "{{").replace("}", "}}")

    return _JOINED.sub(join, template)


def _look_up(catalog: GNUTranslations, key: str, context: str, n: int | None) -> str:
    if n is not None:
        text = catalog.npgettext(context, key, key, n) if context else catalog.ngettext(key, key, n)
        if text != key:
            return text
    return catalog.pgettext(context, key) if context else catalog.gettext(key)


def _count(facts: Facts) -> int | None:
    counts = {name: fact for name, fact in facts if isinstance(fact, int)}
    return counts.get("n", counts.get("number"))


def _catalog(path: Path) -> GNUTranslations:
    """The compiled texts, or their source if a package was built without compiling them."""
    source = path.with_suffix(".po")
    there = source if source.exists() and not path.exists() else path
    try:
        return _read(there, there.stat().st_mtime_ns)
    except FileNotFoundError:
        raise TextsMissing(
            f"{path} is not there: texts are compiled from {source.name} when the project is "
            "installed; start with ./run, or run: python hatch_build.py"
        ) from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise TextsDamaged(f"{there} cannot be read ({error}); delete it and start with ./run") from error


_READ: Final = WeakValueDictionary[tuple[Path, int], GNUTranslations]()


def _read(path: Path, changed_at: int) -> GNUTranslations:
    """Read once for all games, because they share most folders, and cached as long as anybody uses them."""
    kept = _READ.get((path, changed_at))
    if kept is None:
        kept = _READ[path, changed_at] = _parsed(path)
    return kept


def _parsed(path: Path) -> GNUTranslations:
    if path.suffix == ".po":
        return po.read(path)
    with path.open("rb") as file:
        return GNUTranslations(file)
