"""How texts are written: sentences begin with a capital, a thing has one word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from companion.library import LANGS, Lang
from tests.texts.test_texts_complete import FOLDERS, Key, called, texts_of
from tests.texts.test_texts_speaking import written

SENTENCES: Final = re.compile(
    r"(about|back|decide|effect|event|finding|foresee(?!\.throw)|headline|history|intent|no|ok|option|own|power|put-back"
    r"|rule|status|trouble|verb|why)\.|web\..*\.(hint|text)$"
)
"""Keys of what stands by itself on a phone."""
COMMAND: Final = re.compile(r"sudo |companion ")
STRANGERS: Final[dict[Lang, re.Pattern[str]]] = {
    "en": re.compile(r"\b(RFID|chips? under)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(RFID|tags?|puces?|sièges?)\b", re.IGNORECASE),
}
"""Words that people are not told: there is another for the same thing."""
PLAIN: Final = re.compile(r"'")


def begins_small(texts: dict[Key, tuple[str, ...]]) -> list[str]:
    return [
        f"{key}: {form}"
        for (surface, key), forms in texts.items()
        for form in forms
        if surface != "oled" and (SENTENCES.match(key) or (" " in form and form.endswith((".", "!", "?"))))
        if form[:1].islower() and not COMMAND.match(form)
    ]


def written_with(pattern: re.Pattern[str], texts: dict[Key, tuple[str, ...]]) -> list[str]:
    """Texts with such words; the names of cards may have any."""
    return [
        f"{key}: {form}"
        for (_, key), forms in texts.items()
        for form in forms
        if pattern.search(form) and not key.startswith("card.")
    ]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_sentences_begin_with_a_capital(folder: Path, lang: Lang) -> None:
    assert begins_small(texts_of(folder / f"{lang}.po")) == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=called)
def test_a_thing_has_one_word_and_there_is_one_apostrophe(folder: Path, lang: Lang) -> None:
    texts = texts_of(folder / f"{lang}.po")
    assert written_with(STRANGERS[lang], texts) + written_with(PLAIN, texts) == []


@pytest.mark.parametrize("key", ["decide.x", "foresee.x", "web.x.text", "anything"])
def test_bad_style_is_caught(tmp_path: Path, key: str) -> None:
    text = f'msgid "{key}"\nmsgstr "posez ce tag."\n'
    texts = texts_of(written(tmp_path, text, text) / "fr.po")
    assert begins_small(texts) == [f"{key}: posez ce tag."]
    assert written_with(STRANGERS["fr"], texts) == [f"{key}: posez ce tag."]
