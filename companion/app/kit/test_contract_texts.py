"""Whatever the game says, it says in both languages, in full, and short enough for the box."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import msgspec
import pytest
from msgspec import Struct

from companion.app.kit.evening import evening
from companion.app.kit.kit import PEOPLE, Kit, kit_of
from companion.app.kit.sent import Outlet, probes
from companion.app.kit.words import HANDS, SHORT, facts_in_code, facts_told, has_own, keys, names_in, refusals
from companion.app.printing.sheets import prints_of
from companion.box import check
from companion.box.choosing import Choosing
from companion.box.dialog import turn_page
from companion.core import (
    PUBLIC,
    TABLE,
    AcceptedPage,
    Checked,
    Page,
    Refusal,
    RefusedPage,
    Said,
    Seat,
    SeatId,
    Token,
    label,
    legal,
    mentions,
    say,
    told,
    usual,
    worth_telling,
)
from companion.library import LANGS, Lang
from companion.table import Snapshot
from hw.display import sheet
from hw.display.draw import draw
from hw.display.faces import faces, spleen

STEPS = 150
MOST_RULE = 240
LONGEST_NAME = say("box.who", seat=Seat(SeatId(PEOPLE.index(max(PEOPLE, key=len)))))


BATCHES = [0, pytest.param(1, marks=pytest.mark.slow)]
"""Evenings to look at: one with the most people, and then one with the fewest."""


@cache
def evenings(game_id: str, batch: int) -> tuple[Snapshot, ...]:
    """The moments of some evenings."""
    kit = kit_of(game_id)
    sizes = kit.seats()[:1] if batch else kit.seats()[-1:]
    return tuple(at for seats in sizes for at in evening(kit, seats, 50 + batch, STEPS)[1])


def said_in(thing: Any) -> Iterator[Said]:
    """Every Said in a struct, at any depth; refusals and checklist lines become what is said of them."""
    match thing:
        case Said():
            yield thing
        case Refusal(key=key, facts=facts):
            yield Said(f"no.{key}", facts)
        case Checked(key=key, broken=broken):
            yield Said(f"no.{key}", broken) if broken is not None else Said(f"ok.{key}")
        case Struct():
            for name in thing.__struct_fields__:
                yield from said_in(getattr(thing, name))
        case tuple() | list():
            for item in thing:
                yield from said_in(item)


@cache
def everything_said(game_id: str, batch: int) -> frozenset[Said]:
    """What phones were told in those evenings."""
    kit = kit_of(game_id)
    outlet, found = Outlet(kit), set[Said]()
    for number, at in enumerate(evenings(game_id, batch)):
        seat = SeatId(number % at.state.setup.seats)
        things: list[Any] = [outlet.words(at, seat), outlet.choices(at, seat)]
        things += [outlet.refusals(at, seat, probes(kit, at, seat, number))]
        if number % 3 == 0:  # most of a picture stays the same
            things += [outlet.picture(at, seat), outlet.landscape(at, PUBLIC)]
        if number % 10 == 9:
            things += [outlet.history(at, seat), outlet.put_back(at, seat), outlet.corrections(at, seat)]
        found.update(said for said in said_in(things) if said.key)
    return frozenset(found)


@pytest.mark.parametrize("lang", LANGS)
def test_every_rule_verb_event_and_refusal_has_words(kit: Kit, lang: Lang) -> None:
    missing = [(surface, key) for surface, key in keys(kit) if not has_own(kit, lang, surface, key)]
    assert not missing, f"texts/{lang}.po lacks {missing}; a text of at most 40 letters needs no short form (oled)"


@pytest.mark.parametrize("lang", LANGS)
def test_rules_are_short_and_in_our_own_words(kit: Kit, lang: Lang) -> None:
    texts = {rule: kit.texts.find(lang, f"rule.{rule}", "", None) or "" for rule in kit.game.rules}
    assert {rule: text for rule, text in texts.items() if not 8 <= len(text) <= MOST_RULE} == {}


def test_every_refusal_cites_a_rule_of_the_game(kit: Kit) -> None:
    verbs = (*kit.game.verbs, *kit.game.corrections)
    cited = {rule.id for verb in verbs for rule in (*verb.guards, *verb.rules)}
    assert cited <= set(kit.game.rules)
    assert len(kit.game.rules) == len(set(kit.game.rules))


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("batch", BATCHES)
def test_whatever_was_said_was_said_in_full(kit: Kit, batch: int, lang: Lang) -> None:
    speaker, gaps = kit.speaker(lang), list[str]()
    for said, surface in product(everything_said(kit.game.id, batch), SHORT):
        text = speaker.say(said, surface)
        if not text or "{" in text or said.key in text:
            gaps.append(f"{said} → {text!r}")
    assert gaps == []
    assert len(everything_said(kit.game.id, batch)) > min(100, len(evenings(kit.game.id, batch)) // 4)


@pytest.mark.parametrize("lang", LANGS)
def test_no_text_asks_for_a_fact_that_its_event_does_not_have(kit: Kit, lang: Lang) -> None:
    for event in get_args(kit.game.event):
        facts = {field.name for field in msgspec.structs.fields(event)}
        for surface in SHORT:
            text = kit.texts.find(lang, f"event.{event.__struct_config__.tag}", surface, 2)
            assert names_in(text) <= facts, event


@cache
def facts_given(game_id: str) -> tuple[dict[str, set[str]], set[str]]:
    """The facts of each refusal met in play, and all that the code's rules can be seen to give."""
    kit, core = kit_of(game_id), Path(usual.__file__).parent
    return facts_told(kit, STEPS), facts_in_code(kit.folder) | facts_in_code(core)


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
def test_no_refusal_asks_for_a_fact_that_no_rule_gives(kit: Kit, lang: Lang) -> None:
    met, written = facts_given(kit.game.id)
    for key, surface in product(refusals(kit), (*SHORT, HANDS)):
        gaps = names_in(kit.texts.find(lang, f"no.{key}", surface, 2)) - met.get(key, set()) - written
        assert not gaps, (
            f"no.{key} ({lang}) asks for {', '.join(sorted(gaps))}, which no refusal told in play. Give it where the "
            f"rule is broken, by keyword so that it can be found: unless(…, {min(gaps)}=…)"
        )


@pytest.mark.slow
def test_a_text_that_is_missing_would_be_noticed(kit: Kit) -> None:
    """The control: a key without words is found, and so is a fact without a value."""
    speaker = kit.speaker("en")
    assert speaker.say(Said("event.never-heard-of")) == "event.never-heard-of"
    told = sorted({s.key for s in everything_said(kit.game.id, 0) if s.facts and "n" not in dict(s.facts)})
    some = next(key for key in told if "{" in (kit.texts.find("en", key, "", 2) or ""))
    assert "{" in speaker.say(Said(some))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("batch", BATCHES)
def test_no_two_things_that_a_seat_may_do_are_called_the_same(kit: Kit, batch: int, lang: Lang) -> None:
    speaker = kit.speaker(lang)
    for at in evenings(kit.game.id, batch)[::3]:
        for seat in at.awaited:
            if seat == TABLE:
                continue
            known = at.known(seat)
            view = at.view(seat)
            names = [speaker.say(label(kit.game, view, intent, known)) for intent in legal(kit.game, view, seat)]
            assert len(set(names)) == len(names), sorted(names)


# The box


@cache
def pages(game_id: str, batch: int) -> tuple[Page, ...]:
    """What the box shows during those evenings, each page once."""
    kit, chance, found = kit_of(game_id), random.Random(1), dict[bytes, Page]()
    for at in evenings(game_id, batch):
        for page in pages_of(kit, at, chance):
            found.setdefault(msgspec.json.encode([type(page).__name__, page]), page)
    return tuple(found.values())


def pages_of(kit: Kit, at: Snapshot, chance: random.Random) -> Iterator[Page]:
    yield from Outlet(kit).box(at)
    at_page = chance.randrange(len(check.pages(at)))
    yield check.Check(at_page).page(at)
    if behind := check.behind(at, at_page):
        yield check.Check(at_page, chance.randrange(len(behind))).page(at)
    intents = [i for seat in at.awaited for i in legal(kit.game, at.state, seat)]
    for intent in islice(intents, 0, None, 4):
        tokens: tuple[Token, ...] = ()
        for token in mentions(intent):
            tokens = (*tokens, token)
            yield Choosing(tokens, listed=True).page(at)
    wish = kit.wild(at.state, at.state.setup.seats, chance)
    refusal = Outlet(kit).refusal(at, PUBLIC, wish)
    if refusal is not None:
        yield RefusedPage(refusal, LONGEST_NAME)
    if at.seq in at.deeds:
        view, events = at.view(PUBLIC), worth_telling(at.deeds[at.seq].events)
        lines = tuple(told(kit.game, view, event, PUBLIC) for event in events)
        yield from AcceptedPage(at.seq, lines, LONGEST_NAME).leaves


@pytest.mark.slow
@pytest.mark.skipif(spleen() is None, reason="the package fonts-spleen is not installed")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("batch", BATCHES)
def test_every_page_of_the_box_fits_and_has_its_letters(
    kit: Kit, batch: int, lang: Lang, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaker, cut = kit.speaker(lang), set[str]()
    real = sheet.fit

    def watched(letters: Any, words: str, box: Any, sizes: Any) -> sheet.Fitted:
        fitted = real(letters, words, box, sizes)
        unknown = "?" in letters[fitted.size].clean(words.replace("?", ""))
        if fitted.cut or unknown:
            cut.add(f"{words!r} in {box.w}×{box.h}")
        return fitted

    monkeypatch.setattr(sheet, "fit", watched)
    for page in pages(kit.game.id, batch):
        drawn = [draw(page, speaker)]
        if isinstance(page, AcceptedPage):
            drawn += [draw(turn_page(evenings(kit.game.id, batch)[-1]), speaker, over=page)]
        assert {each.size for each in drawn} == {(sheet.WIDTH, sheet.HEIGHT)}
    assert sorted(cut) == []
    assert len(pages(kit.game.id, batch)) > min(100, len(evenings(kit.game.id, batch)) // 4)


def test_a_page_that_is_too_long_would_be_noticed() -> None:
    """The control."""
    words = "these words are far too many for a little box of the display"
    assert sheet.fit(faces(), words, sheet.Box(0, 0, 60, 12), (12, 8)).cut
    assert "?" in faces()[12].clean("漢")


def test_history_tells_each_reader_in_words(kit: Kit) -> None:
    """Every line of the record has words for spectators, too."""
    speaker, last = kit.speaker("fr"), evenings(kit.game.id, 0)[-1]
    lines = [said for entry in last.seen_by(PUBLIC).past.told() for said in entry.lines]
    assert all("{" not in speaker.say(said) and speaker.say(said) != said.key for said in lines)


# Small drawings

SHAPES = {"path", "circle", "ellipse", "rect", "line", "g"}


def icons_in(thing: Any) -> Iterator[str]:
    """The names of the icons in a picture or in panels, at any depth."""
    match thing:
        case Struct():
            if isinstance(name := getattr(thing, "icon", None), str):
                yield name
            yield from (name for field in thing.__struct_fields__ for name in icons_in(getattr(thing, field)))
        case tuple() | list():
            yield from (name for item in thing for name in icons_in(item))


def icons_shown(kit: Kit) -> set[str]:
    outlet = Outlet(kit)
    moments = evenings(kit.game.id, 0)[::10]
    shown = {name for at in moments for name in icons_in([outlet.picture(at, SeatId(0)), outlet.words(at, SeatId(0))])}
    return shown | set(icons_in(prints_of(kit.game, kit.setup(kit.game.seats[1]))))


def test_every_icon_that_is_shown_comes_with_the_game(kit: Kit) -> None:
    lacks = icons_shown(kit) - kit.game.icons.keys()
    assert not lacks, f"Game.icons has no lines for {', '.join(sorted(lacks))}"
    for name, lines in kit.game.icons.items():
        drawn = ET.fromstring(f"<svg>{lines}</svg>")
        assert {each.tag for each in drawn.iter()} - {"svg"} <= SHAPES, f"{name} is more than lines"


def test_an_icon_without_lines_would_be_noticed(kit: Kit) -> None:
    """The control: finds icons exactly if the game has any."""
    assert bool(icons_shown(kit)) == bool(kit.game.icons)
