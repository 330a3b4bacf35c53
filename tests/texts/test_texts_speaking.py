"""Ada reads English, Boris reads French; both are told the same facts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.core import (
    TABLE,
    UNKNOWN,
    CompanionError,
    Name,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Refusal,
    RuleId,
    Said,
    Seat,
    SeatId,
    Word,
    phrase,
    say,
)
from companion.library import Lang, Names, Speaker, Texts
from companion.library.texts import Surface, TextsDamaged, TextsMissing
from hatch_build import compile_texts

NAMES = Names(
    seats=("Ada", "Boris"),
    describe=lambda piece: say("coil", n=int(piece.removeprefix("coil-"))),
    place=lambda place: Said(f"place.{place}"),
)

EN = """
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "coil"
msgstr "Coil {n}"

msgctxt "oled"
msgid "coil"
msgstr "C{n}"

msgid "took"
msgstr "{seat} took {piece} from {place}."

msgctxt "oled"
msgid "took"
msgstr "{seat}: {piece}"

msgid "left"
msgid_plural "left"
msgstr[0] "{n} card left"
msgstr[1] "{n} cards left"

msgctxt "oled"
msgid "left"
msgid_plural "left"
msgstr[0] "1 card"
msgstr[1] "{n} cards"

msgid "place.bench"
msgstr "the workbench"

msgid "piece.unknown"
msgstr "a card"

msgid "seat.table"
msgstr "the table"

msgid "seat.nobody"
msgstr "nobody"

msgid "seat.number"
msgstr "player {n}"

msgid "no.not-your-turn"
msgstr "It is {who}'s turn."

msgctxt "hands"
msgid "no.not-your-turn"
msgstr "Take it back."

msgid "score"
msgstr "{points:+d}"

msgid "gap"
msgstr "{nobody} knows"

msgid "dealt"
msgid_plural "dealt"
msgstr[0] "{number} card for {seat}"
msgstr[1] "{number} cards for {seat}"

msgid "moves"
msgstr "{cards} {cards:card|cards}, {far} {far:space|spaces}"

msgid "hand"
msgstr "the hand of {seat}, not that of {other}"

msgid "lies"
msgstr "{place} is empty, but for {name}."

msgid "goes"
msgstr "{seat} goes to {place}."

msgid "shout"
msgstr "{word}, {name}!"
"""
FR = (
    EN.replace("(n != 1)", "(n > 1)")
    .replace("Coil", "Bobine")
    .replace("{seat} took {piece} from {place}.", "{seat} a pris {piece} de {place}.")
    .replace("{n} card left", "reste {n} carte")
    .replace("{n} cards left", "restent {n} cartes")
    .replace("{cards:card|cards}, {far} {far:space|spaces}", "{cards:carte|cartes}, {far} {far:case|cases}")
    .replace("is empty, but for", "est vide, sauf")
    .replace("{seat} goes to {place}.", "{seat} va à {place}.")
    .replace("the workbench", "l'établi")
    .replace("the hand of {seat}, not that of {other}", "la main de {seat}, pas celle de {other}")
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    root = tmp_path_factory.mktemp("root")
    return Texts.load(written(root, EN, FR))


def written(root: Path, en: str, fr: str, package: str = "web") -> Path:
    folder = root / package / "texts"
    folder.mkdir(parents=True)
    (folder / "en.po").write_text(en, encoding="utf-8")
    (folder / "fr.po").write_text(fr, encoding="utf-8")
    compile_texts(root)
    return folder


TOOK = say("took", seat=Seat(SeatId(0)), piece=Piece(PieceId("coil-7")), place=Place(PlaceId("bench")))


@pytest.mark.parametrize(
    ("lang", "surface", "sentence"),
    [
        ("en", "", "Ada took Coil 7 from the workbench."),
        ("fr", "", "Ada a pris Bobine 7 de l’établi."),
        ("en", "oled", "Ada: C7"),
        ("en", "say", "Ada took Coil 7 from the workbench."),
    ],
)
def test_the_same_facts_in_each_language_and_on_each_surface(
    texts: Texts, lang: Lang, surface: Surface, sentence: str
) -> None:
    assert Speaker(texts, lang, NAMES).say(TOOK, surface) == sentence


@pytest.mark.parametrize(
    ("lang", "n", "sentence"),
    [
        ("en", 0, "0 cards left"),
        ("en", 1, "1 card left"),
        ("en", 2, "2 cards left"),
        ("fr", 0, "reste 0 carte"),
        ("fr", 2, "restent 2 cartes"),
    ],
)
def test_plurals_follow_the_fact_n(texts: Texts, lang: Lang, n: int, sentence: str) -> None:
    assert Speaker(texts, lang, NAMES).key("left", n=n) == sentence


def test_plurals_follow_the_fact_number_where_there_is_no_n(texts: Texts) -> None:
    speaker = Speaker(texts, "en", NAMES)
    assert [speaker.key("dealt", number=number, seat=Seat(SeatId(0))) for number in (1, 2)] == [
        "1 card for Ada",
        "2 cards for Ada",
    ]


@pytest.mark.parametrize(
    ("lang", "seat", "other", "sentence"),
    [
        ("fr", 0, 1, "la main d’Ada, pas celle de Boris"),
        ("fr", 1, 0, "la main de Boris, pas celle d’Ada"),
        ("en", 0, 1, "the hand of Ada, not that of Boris"),
    ],
)
def test_french_drops_an_e_before_a_vowel(texts: Texts, lang: Lang, seat: int, other: int, sentence: str) -> None:
    assert Speaker(texts, lang, NAMES).key("hand", seat=Seat(SeatId(seat)), other=Seat(SeatId(other))) == sentence


@pytest.mark.parametrize(
    ("lang", "cards", "far", "sentence"),
    [
        ("en", 1, 2, "1 card, 2 spaces"),
        ("en", 0, 1, "0 cards, 1 space"),
        ("en", 3, -1, "3 cards, −1 space"),
        ("fr", 0, 1, "0 carte, 1 case"),
        ("fr", 2, -2, "2 cartes, −2 cases"),
    ],
)
def test_within_a_text_each_number_has_its_word(texts: Texts, lang: Lang, cards: int, far: int, sentence: str) -> None:
    assert Speaker(texts, lang, NAMES).key("moves", cards=cards, far=far) == sentence


@pytest.mark.parametrize(
    ("lang", "surface", "sentence"),
    [
        ("en", "", "The workbench is empty, but for iris."),
        ("fr", "", "L’établi est vide, sauf iris."),
        ("en", "oled", "the workbench is empty, but for iris."),
    ],
)
def test_what_stands_by_itself_begins_with_a_capital(texts: Texts, lang: Lang, surface: Surface, sentence: str) -> None:
    speaker = Speaker(texts, lang, NAMES)
    assert speaker.key("lies", surface, place=Place(PlaceId("bench")), name=Name("iris")) == sentence


def test_people_are_called_as_they_call_themselves(texts: Texts) -> None:
    iris = Speaker(texts, "en", Names(("iris",), NAMES.describe, NAMES.place))
    assert iris.key("goes", seat=Seat(SeatId(0)), place=Place(PlaceId("bench"))) == "iris goes to the workbench."
    assert iris.key("goes", seat=Seat(TABLE), place=Place(PlaceId("bench"))) == "The table goes to the workbench."
    assert iris.key("lies", place=Name("iris"), name=Name("iris")) == "iris is empty, but for iris."


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("le marché", "Ada va au marché."),
        ("les Labs", "Ada va aux Labs."),
        ("la pioche", "Ada va à la pioche."),
        ("l’établi", "Ada va à l’établi."),
        ("Le Mans {n}", "Ada va à Le Mans {n}."),
    ],
)
def test_french_joins_little_words(texts: Texts, place: str, sentence: str) -> None:
    assert Speaker(texts, "fr", NAMES).key("goes", seat=Seat(SeatId(0)), place=Name(place)) == sentence


def test_plurals_have_surfaces_too(texts: Texts) -> None:
    assert Speaker(texts, "en", NAMES).key("left", "oled", n=3) == "3 cards"


@pytest.mark.parametrize(("seat", "who"), [(2, "Player 3"), (99, "Player 100"), (-7, "Nobody")])
def test_a_seat_that_nobody_has_is_a_number_or_nobody(texts: Texts, seat: int, who: str) -> None:
    """A phone may ask about any number; the answer must not stop the table. An empty seat has a pawn, too."""
    said = say("took", seat=Seat(SeatId(seat)), piece=Piece(UNKNOWN), place=Place(PlaceId("bench")))
    assert Speaker(texts, "en", NAMES).say(said) == f"{who} took a card from the workbench."


@pytest.mark.parametrize(("surface", "words"), [("", "Ada took Coil 7 from the workbench."), ("oled", "Ada: C7")])
def test_words_within_a_sentence_have_facts_of_their_own(texts: Texts, surface: Surface, words: str) -> None:
    said = say("took", seat=Seat(SeatId(0)), piece=phrase("coil", n=7), place=phrase("place.bench"))
    assert Speaker(texts, "en", NAMES).say(said, surface) == words


def test_words_within_a_sentence_can_be_recorded() -> None:
    refusal = Refusal(RuleId("T8"), "own-column", (("card", phrase("lies", column=2, of=phrase("order", n=3))),))
    assert msgspec.json.decode(msgspec.json.encode(refusal), type=Refusal) == refusal


def test_a_secret_piece_is_a_card_and_chance_is_the_table(texts: Texts) -> None:
    said = say("took", seat=Seat(TABLE), piece=Piece(UNKNOWN), place=Place(PlaceId("bench")))
    assert Speaker(texts, "en", NAMES).say(said) == "The table took a card from the workbench."


def test_words_are_looked_up_and_names_are_not(texts: Texts) -> None:
    said = say("shout", word=Word("place.bench"), name=Name("{word} left"))
    assert Speaker(texts, "fr", NAMES).say(said) == "L’établi, {word} left!"


def test_a_refusal_says_why_and_what_hands_do(texts: Texts) -> None:
    speaker = Speaker(texts, "en", NAMES)
    refusal = Refusal(RuleId("A5"), "not-your-turn", (("who", Seat(SeatId(1))),))
    assert speaker.refuse(refusal) == "It is Boris’s turn."
    assert speaker.refuse(refusal, "hands") == "Take it back."


def test_numbers_keep_their_format(texts: Texts) -> None:
    assert Speaker(texts, "en", NAMES).key("score", points=4) == "+4"


def test_a_missing_text_shows_its_key_and_a_missing_fact_its_gap(texts: Texts) -> None:
    speaker = Speaker(texts, "en", NAMES)
    assert speaker.key("no.such-text", "oled") == "no.such-text"
    assert speaker.key("gap") == "{nobody} knows"
    assert speaker.key("") == ""


def test_earlier_folders_win_and_later_ones_fill_in(tmp_path: Path) -> None:
    one = written(tmp_path, 'msgid "a"\nmsgstr "first"\n', 'msgid "a"\nmsgstr "premier"\n', "web")
    two = written(
        tmp_path,
        'msgid "a"\nmsgstr "second"\n\nmsgid "b"\nmsgstr "B"\n',
        'msgid "a"\nmsgstr "deux"\n\nmsgid "b"\nmsgstr "Bé"\n',
        "hw",
    )
    speaker = Speaker(Texts.load(one, two), "fr")
    assert (speaker.key("a"), speaker.key("b")) == ("premier", "Bé")


def test_texts_that_were_not_compiled_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TextsMissing, match=r"en\.mo is not there.*\./run") as caught:
        Texts.load(tmp_path)
    assert isinstance(caught.value, CompanionError)
    assert isinstance(caught.value, FileNotFoundError)


def test_damaged_texts_say_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "en.mo").write_bytes(b"no catalog")
    with pytest.raises(TextsDamaged, match="delete it"):
        Texts.load(tmp_path)
