"""Owners of a game can describe its cards: each kind has a form with words in both languages, and loses nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.kit.kit import Kit
from companion.library import LANGS, Lang
from companion.library.card_forms import Field, fields_of, read, typed


def keys_of(fields: tuple[Field, ...]) -> Iterator[str]:
    for field in fields:
        yield field.label
        yield from (field.choice_key(choice) for choice in field.choices)
        if field.pattern:
            yield f"{field.label}.must"
        for effect in field.effects:
            yield effect.label
            yield from keys_of(effect.fields)


def test_every_card_is_described_by_its_form_and_comes_back_whole(kit: Kit) -> None:
    for kind in kit.game.cards:
        cards = kind.read(kit.pack)
        assert cards, f"the shipped pack has no {kind.name}"
        assert kind.write(kit.pack, cards) == kit.pack
        for card in cards:
            assert read(kind, typed(kind, card), card) == (card, ())


def test_every_card_agrees_with_the_others_of_its_pack(kit: Kit) -> None:
    for kind in kit.game.cards:
        cards = kind.read(kit.pack)
        for at, card in enumerate(cards):
            others = kind.write(kit.pack, (*cards[:at], *cards[at + 1 :])) if kind.blank is not None else kit.pack
            assert kind.wrong(others, card) == (), card


@pytest.mark.parametrize("lang", LANGS)
def test_every_form_has_words(kit: Kit, lang: Lang) -> None:
    speaker = kit.speaker(lang)
    for kind in kit.game.cards:
        for key in (f"kind.{kind.name}", *keys_of(fields_of(kind))):
            assert speaker.key(key) != key, f"no text for {key} in {lang}"
        for card in kind.read(kit.pack):
            assert "{" not in speaker.say(kind.said(card))


def test_what_is_counted_is_a_number_and_a_new_card_is_fine_by_itself(kit: Kit) -> None:
    for kind in kit.game.cards:
        fields = {field.name: field for field in fields_of(kind)}
        assert not kind.count or fields[kind.count].kind == "number"
        if kind.blank is not None:
            assert read(kind, typed(kind, kind.blank), kind.blank)[0] == kind.blank
