"""A form is made from a card's type; what is typed becomes a card, or each field says what is wrong."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from companion.core import CardKind, Name, say
from companion.library.card_forms import Field, NoForm, fields_of, read, typed


class Words(Struct, frozen=True):
    en: str
    fr: str


class Drive(Struct, frozen=True, tag_field="does", tag="drive"):
    dice: Annotated[int, Meta(ge=0, le=3)] = 1


class Leap(Struct, frozen=True, tag_field="does", tag="leap"):
    to: Literal["lab", "market"]


class Machine(Struct, frozen=True):
    id: str
    name: Words
    slot: Literal["weapon", "shield"]
    rank: Annotated[int, Meta(ge=1, le=12)]
    gold: int | None = None
    rare: bool = False
    effects: tuple[Drive | Leap, ...] = ()
    letters: Annotated[str, Meta(pattern="^[BYRG]{4}$", max_length=8)] = ""
    text: Annotated[str, Meta(max_length=20)] = ""

    def __post_init__(self) -> None:
        if self.rare and self.rank == 1:
            raise ValueError("a rare card is no first one")


class Pack(Struct, frozen=True):
    machines: tuple[Machine, ...]


KIND: CardKind[Pack, Machine] = CardKind(
    name="machine",
    card=Machine,
    read=lambda pack: pack.machines,
    write=lambda _pack, machines: Pack(machines),
    said=lambda card: say("machine", id=Name(card.id)),
    kept=("id",),
)
GOOSE = Machine("goose", Words("Goose", "Oie"), "weapon", 2, effects=(Drive(2), Leap("lab")))


def fields() -> dict[str, Field]:
    return {field.name: field for field in fields_of(KIND)}


def test_the_form_says_what_is_printed_on_a_card_and_hides_what_people_do_not_see() -> None:
    form = fields()
    assert list(form) == ["name", "slot", "rank", "gold", "rare", "effects", "letters", "text"]
    assert (form["rank"].low, form["rank"].high, form["rank"].needed) == (1, 12, True)
    assert not form["gold"].needed
    assert form["slot"].choice_key("weapon") == "slot.weapon"
    assert form["rare"].choice_key("yes") == "card.yes"
    assert [effect.label for effect in form["effects"].effects] == ["does.drive", "does.leap"]
    assert form["effects"].effects[1].fields[0].label == "field.leap.to"


def test_a_card_goes_into_the_form_and_comes_back() -> None:
    form = typed(KIND, GOOSE)
    assert form["name.fr"] == "Oie"
    assert (form["effects.0.is"], form["effects.0.dice"], form["effects.1.to"]) == ("drive", "2", "lab")
    assert (form["rare"], "gold" in form, "id" in form) == ("no", False, False)
    assert read(KIND, form, GOOSE) == (GOOSE, ())


@pytest.mark.parametrize(
    ("change", "field", "key"),
    [
        ({"rank": "13"}, "rank", "card.wrong.number"),
        ({"rank": ""}, "rank", "card.wrong.number"),
        ({"rank": "9" * 20}, "rank", "card.wrong.number"),
        ({"rank": "²"}, "rank", "card.wrong.number"),
        ({"gold": "many"}, "gold", "card.wrong.number"),
        ({"slot": "hat"}, "slot", "card.wrong.choice"),
        ({"rare": "perhaps"}, "rare", "card.wrong.choice"),
        ({"name.fr": "  "}, "name.fr", "card.wrong.empty"),
        ({"text": "x" * 21}, "text", "card.wrong.long"),
        ({"letters": "BYRX"}, "letters", "field.machine.letters.must"),
        ({"effects.0.is": "sing"}, "effects.0.is", "card.wrong.choice"),
        ({"effects.0.dice": "4"}, "effects.0.dice", "card.wrong.number"),
        ({"rare": "yes", "rank": "1"}, "", "card.wrong.whole"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(change: dict[str, str], field: str, key: str) -> None:
    card, wrongs = read(KIND, typed(KIND, GOOSE) | change, GOOSE)
    assert card is None
    assert [(wrong.field, wrong.said.key) for wrong in wrongs] == [(field, key)]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    _, wrongs = read(KIND, {}, None)
    assert [wrong.field for wrong in wrongs] == ["name.en", "name.fr", "slot", "rank", "rare"]


def test_an_effect_can_be_taken_away_and_another_one_added() -> None:
    form = typed(KIND, GOOSE)
    card, _ = read(KIND, {**form, "effects.0.is": "", "effects.2.is": "drive", "effects.2.dice": "0"}, GOOSE)
    assert card.effects == (Leap("lab"), Drive(0))


def test_a_type_that_no_form_can_ask_for_is_named() -> None:
    class Odd(Struct, frozen=True):
        where: dict[str, int]

    kind: CardKind[Any, Any] = CardKind(
        name="odd", card=Odd, read=lambda pack: (), write=lambda pack, cards: pack, said=lambda card: say("odd")
    )
    with pytest.raises(NoForm, match=r"odd\.where"):
        fields_of(kind)
