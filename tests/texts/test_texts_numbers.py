"""Nobody reads “1 cards”: every text, in both languages and on every surface, with 0, 1 and 2 of whatever it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any, Final

import pytest

from companion.core import Name
from companion.library import LANGS, Lang, Speaker, Texts
from tests.texts.test_texts_complete import FOLDERS, called, facts_in, texts_of
from tests.texts.test_texts_speaking import written


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NAMES: Final = words(
    "address button by card choices city claim code colour colours day deed defender file first game good guess heir "
    "holder item kind lender letter like loser mark name names node nth path pattern piece place prices reader result "
    "rule scope seat second slot source space system table target text third to town type uid what who why winner"
)
"""Facts that name something; every other one may be a number."""
COUNTED: Final = re.compile(
    r"(\bof |\bsur )?(?<![\w+−#/.,-])(?<![+−] )(\d) (?:(?:more|other|new|Python|autres?) )?([^\W\d_]+)(?: ([^\W\d_]+))?"
)
"""A number that is no term of a sum, whether out of so many, what is counted, and the word after it."""
NOT_MANY: Final[dict[Lang, frozenset[str]]] = {
    "en": words("is was has less its this does wins works lies leads begins opens des"),
    "fr": words("fois cas pas plus moins sans dans mais vous vos ces des les dès promis est a bas"),
}
"""Words that go with one, most of them with an s at their end."""
MANY: Final[dict[Lang, frozenset[str]]] = {
    "en": words("are have were lie work people dice"),
    "fr": words("ont sont servent marchent restent manquent"),
}
"""Words that go with many, without an s at their end."""


def said_with(speaker: Speaker, folder: Path, number: int) -> Iterator[tuple[str, str, str]]:
    """(where, counted fact, what is said) of every text of a folder, once for each fact that may be a number."""
    for (surface, key), forms in texts_of(folder / f"{speaker.lang}.po").items():
        for counted in sorted(facts_in(forms) - NAMES):
            facts: dict[str, Any] = {name: Name("·") for name in facts_in(forms)}
            said = speaker.key(key, surface, **facts | {counted: number})  # type: ignore[arg-type]
            yield f"{surface} {key}", counted, said


def nouns(speaker: Speaker, folder: Path) -> frozenset[str]:
    """What is counted with a word of its own for one."""
    one, two = (list(said_with(speaker, folder, number)) for number in (1, 2))
    pairs = ((COUNTED.search(a[2]), COUNTED.search(b[2])) for a, b in zip(one, two, strict=True))
    return frozenset(a[3] for a, b in pairs if a and b and a[3] != b[3]) - NOT_MANY[speaker.lang]


def wrong(speaker: Speaker, folder: Path) -> list[str]:
    """Texts in which a number and its word do not go together."""
    singular, lang, found = nouns(speaker, folder), speaker.lang, list[str]()
    for number in (0, 1, 2):
        is_one = number == 1 or (number == 0 and lang == "fr")
        for where, _, said in said_with(speaker, folder, number):
            for total, counted, word, after in COUNTED.findall(said):
                both = (word, after) if lang == "fr" and not total else (word,)
                many = any(is_many(each, lang) and not (total and each in MANY[lang]) for each in both)
                if int(counted) == number and (many if is_one else word in singular):
                    found.append(f"{where}: {said}")
    return found


def is_many(word: str, lang: Lang) -> bool:
    ends = word.endswith(("s", "x") if lang == "fr" else "s") and word not in NOT_MANY[lang]
    return len(word) > 1 and (ends or word in MANY[lang])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_numbers_and_their_words_go_together(folder: Path, lang: Lang) -> None:
    assert wrong(Speaker(Texts.load(folder), lang), folder) == []


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "{deck} cards in the deck"),
        ("en", "Go {reach} spaces"),
        ("en", "{n} {n:card|cards} and {gold} coins"),
        ("en", "{n} are in use"),
        ("en", "{n} {n:card|cards}, {deck} card left"),
        ("fr", "{deck} cartes"),
        ("fr", "{n} {n:carte|cartes} posées"),
        ("fr", "{n} {n:carte|cartes} sur {deck} carte"),
    ],
)
def test_a_number_with_the_wrong_word_is_caught(tmp_path: Path, lang: Lang, text: str) -> None:
    folder = written(tmp_path, *(f'msgid "a"\nmsgstr "{text}"\n',) * 2)
    assert wrong(Speaker(Texts.load(folder), lang), folder) != []


def wordless(form: str) -> set[str]:
    """The facts whose word is chosen by their number while the number itself is not said."""
    fields = [(name, "|" in (spec or "")) for _, name, spec, _ in Formatter().parse(form) if name is not None]
    return {name for name, is_word in fields if is_word} - {name for name, is_word in fields if not is_word}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_a_word_that_goes_with_a_number_stands_beside_the_number(folder: Path, lang: Lang) -> None:
    texts = texts_of(folder / f"{lang}.po")
    assert [(key, form) for key, forms in texts.items() for form in forms if wordless(form)] == []


def test_a_word_without_its_number_is_caught() -> None:
    """The control: the name of the fact stands where its number belongs."""
    assert wordless("{seat} a reçu food {food:Vivre|Vivres} et {gold} Or.") == {"food"}
    assert wordless("{n} {n:card|cards}") == set()
