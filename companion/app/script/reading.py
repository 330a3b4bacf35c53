"""From text to a script: every line checked against its game before anything is played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast, get_args

from companion.app.opening import make_setup
from companion.core import (
    Button,
    CompanionError,
    Lifted,
    Pressed,
    ReaderBack,
    ReaderId,
    ReaderLost,
    Seq,
    Tapped,
    Token,
    Turned,
    Uid,
)
from companion.library import LANGS, Lang, NumberTag, PieceTag, PlaceTag, SeatTag, pretend_uid, shelf, uid_of
from companion.table import Mode

from .expecting import expectation
from .lines import (
    BotActs,
    ChanceBy,
    Deed,
    Falls,
    HandsRest,
    Header,
    Line,
    PhoneActs,
    PhoneLetsBot,
    PhoneTakesBack,
    Script,
)
from .names import Named, number
from .words import ScriptError, ScriptProblem, Unreadable, bare, listed, unknown, words_of

T = TypeVar("T", bound=str)

HEADERS: Final = ("game", "seats", "option", "chance", "mode", "lang", "mat")
BUTTONS: Final[tuple[Button, ...]] = get_args(Button)


def read_file(path: Path) -> Script:
    """The script in a file; ScriptError with every problem, each with its line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ScriptError([ScriptProblem(str(path), 0, f"cannot be read: {why}; give a text file")]) from error
    return read(text, str(path))


def read(text: str, file: str = "script") -> Script:
    """The script in a text; ScriptError with every problem, each with its line."""
    numbered = [(at, bare(line)) for at, line in enumerate(text.splitlines(), start=1)]
    said = [(at, line) for at, line in numbered if line]
    first = next((n for n, (_, line) in enumerate(said) if line.split()[0] not in HEADERS), len(said))
    problems: list[ScriptProblem] = []

    def tried(at: int, what: Callable[[], Any]) -> Any:
        try:
            return what()
        except (Unreadable, CompanionError) as error:
            problems.append(ScriptProblem(file, at, str(error)))

    top = said[0][0] if said else 1
    header = tried(top, lambda: _header(said[:first], tried))
    if not isinstance(header, Header) or problems:
        raise ScriptError(problems)
    reader = _Reader(header)
    lines = [(at, line, tried(at, partial(reader.deeds, line))) for at, line in said[first:]]
    if problems:
        raise ScriptError(problems)
    return Script(file, header, tuple(Line(at, line, deed) for at, line, deeds in lines for deed in deeds))


def _header(said: list[tuple[int, str]], tried: Callable[[int, Callable[[], Any]], Any]) -> Header:
    given: dict[str, tuple[int, str]] = {}
    options: list[tuple[int, str]] = []
    for at, line in said:
        word, _, rest = line.partition(" ")
        if word == "option":
            options.append((at, rest.strip()))
        else:
            given[word] = at, rest.strip()
    for needed in ("game", "seats"):
        if needed not in given:
            raise Unreadable(f"the line {needed!r} is missing; a script begins with: game actionworks, seats Ada, Ben")
    game = shelf.open(given["game"][1])
    names = listed(given["seats"][1])
    chosen = tuple(c for at, rest in options if (c := tried(at, partial(_option, game.options, rest))))
    chance: ChanceBy = _one_of(given, "chance", get_args(ChanceBy), tried)
    mode: Mode = _one_of(given, "mode", get_args(Mode), tried)
    lang: Lang = _one_of(given, "lang", LANGS, tried)
    mats = {mat.name: mat for mat in game.mats(len(names))}
    mat = _one_of(given, "mat", tuple(mats), tried)
    return Header(game, make_setup(game, len(names), chosen), names, chance, mode, lang, mats.get(mat))


def _one_of(given: dict[str, tuple[int, str]], what: str, choices: tuple[T, ...], tried: Callable[..., Any]) -> T:
    """The choice on a header line; by default the first."""
    at, word = given.get(what, (0, choices[0]))

    def choose() -> str:
        if word not in choices:
            raise unknown(what, word, choices)
        return word

    return cast(T, tried(at, choose))


def _option(options: tuple[Any, ...], rest: str) -> tuple[str, str]:
    name, _, choice = rest.partition(" ")
    there = {option.name: option.choices for option in options}
    if name not in there:
        raise unknown("option", name, there)
    if choice.strip() not in there[name]:
        raise unknown(f"choice of {name}", choice.strip(), there[name])
    return name, choice.strip()


class _Reader:
    """Reads the lines of one table."""

    def __init__(self, header: Header) -> None:
        self._named = Named(header.game, header.setup, header.names)
        self._readers = header.readers
        self._kinds: dict[str, Callable[[tuple[str, ...]], tuple[Deed, ...]]] = {
            "tap": lambda w: (Tapped(*self._lying(w)),),
            "lift": lambda w: (Lifted(*self._lying(w)),),
            "press": lambda w: (Pressed(self._button(w)),),
            "hold": lambda w: (Pressed(self._button(w), held=True),),
            "turn": lambda w: (Turned(number(_only(w, "turn 3"))),),
            "reader": self._reader,
            "rest": self._rest,
            "phone": self._phone,
            "bot": self._bot,
            "draw": self._draw,
            "roll": lambda w: tuple(Falls(Token("number", number(each))) for each in _some(w, "roll 7")),
            "table": self._table,
            "expect": lambda w: (expectation(self._named, w),),
        }

    def deeds(self, line: str) -> tuple[Deed, ...]:
        kind, *words = words_of(line)
        if kind in HEADERS:
            raise Unreadable(f"{kind!r} belongs at the top, before the first tap, press or phone")
        if kind not in self._kinds:
            raise unknown("kind of line", kind, self._kinds)
        return self._kinds[kind](tuple(words))

    def _lying(self, words: tuple[str, ...]) -> tuple[Uid, ReaderId]:
        """A tag and the reader it is laid on: a piece, `place PLACE`, `seat NAME`, `number N` or `uid HEX`."""
        form = "tap make-3a, tap seat Ben, tap number 7, with a reader after it if need be"
        match words:
            case ("seat", name, *rest):
                uid = pretend_uid(SeatTag(self._named.seat(name)))
            case ("place", word, *rest):
                uid = pretend_uid(PlaceTag(self._named.game.id, self._named.tagged_place(word)))
            case ("number", word, *rest):
                uid = pretend_uid(NumberTag(number(word)))
            case ("uid", word, *rest):
                uid = uid_of(word)
            case (word, *rest):
                uid = pretend_uid(PieceTag(self._named.game.id, self._named.piece(word)))
            case _:
                raise Unreadable(f"what is tapped? Write: {form}")
        match rest:
            case []:
                return uid, self._readers[0]
            case [reader]:
                return uid, self._known_reader(reader)
            case _:
                raise Unreadable(f"{rest[1]!r} is one word too many; write: {form}")

    def _known_reader(self, word: str) -> ReaderId:
        if word not in self._readers:
            raise unknown("reader", word, self._readers)
        return ReaderId(word)

    def _button(self, words: tuple[str, ...]) -> Button:
        word = _only(words, "press ok")
        for button in BUTTONS:
            if button == word.lower():
                return button
        raise unknown("button", word, BUTTONS)

    def _rest(self, words: tuple[str, ...]) -> tuple[Deed, ...]:
        if words:
            raise Unreadable("hands rest, and that is all; write: rest")
        return (HandsRest(),)

    def _reader(self, words: tuple[str, ...]) -> tuple[Deed, ...]:
        match words:
            case (reader, "lost"):
                return (ReaderLost(self._known_reader(reader)),)
            case (reader, "back"):
                return (ReaderBack(self._known_reader(reader)),)
            case _:
                raise Unreadable("a reader is lost or back; write: reader left lost")

    def _phone(self, words: tuple[str, ...]) -> tuple[Deed, ...]:
        match words:
            case (name, "does", *rest):
                return (PhoneActs(self._named.intent(self._named.seat(name), tuple(rest))),)
            case (name, "appeals", *rest):
                return (PhoneActs(self._named.intent(self._named.seat(name), tuple(rest)), appeals=True),)
            case (name, "takes", "back"):
                return (PhoneTakesBack(self._named.seat(name), None),)
            case (name, "takes", "back", "to", entry) if entry.removeprefix("#").isdecimal():
                return (PhoneTakesBack(self._named.seat(name), Seq(int(entry.removeprefix("#")))),)
            case (name, "lets", "the", "bot", "play"):
                return (PhoneLetsBot(self._named.seat(name), True),)
            case (name, "plays", "again"):
                return (PhoneLetsBot(self._named.seat(name), False),)
            case _:
                raise Unreadable(
                    "what does the phone do? Write: phone Ada does play make-3a, phone Ada appeals play make-3a, "
                    "phone Ada takes back, phone Ada takes back to #12, phone Ada lets the bot play, "
                    "or phone Ada plays again"
                )

    def _bot(self, words: tuple[str, ...]) -> tuple[Deed, ...]:
        match words:
            case (name, "acts"):
                return (BotActs(self._named.seat(name)),)
            case _:
                raise Unreadable("a bot only acts; write: bot Ben acts")

    def _draw(self, words: tuple[str, ...]) -> tuple[Deed, ...]:
        return tuple(Falls(Token("piece", self._named.piece(word))) for word in _some(words, "draw make-3a"))

    def _table(self, words: tuple[str, ...]) -> tuple[Deed, ...]:
        match words:
            case ("does", *rest):
                return (Falls(self._named.intent(self._named.actor("table"), tuple(rest))),)
            case _:
                raise Unreadable("what does the table do? Write: table does name-first Ada")


def _only(words: tuple[str, ...], like: str) -> str:
    if len(words) != 1:
        raise Unreadable(f"one word is wanted here, not {len(words)}; write: {like}")
    return words[0]


def _some(words: tuple[str, ...], like: str) -> tuple[str, ...]:
    if not words:
        raise Unreadable(f"a word is missing here; write: {like}")
    return words
