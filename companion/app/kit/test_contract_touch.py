"""Whatever the game: what is lit on the drawn table is what may be done with it, no more and no less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.kit.evening import evening
from companion.app.kit.kit import Kit
from companion.core import PUBLIC, TABLE, Token, judge, legal, mentions_it, verb_of
from companion.core.legality import Accepted
from companion.phones import Lit, offers, touching
from companion.table import Seen

STEPS = 90
Lights = Callable[[Seen, tuple[offers.Group, ...], Any], tuple[Lit, ...]]


def moments(kit: Kit) -> Iterator[Seen]:
    """What every awaited seat sees, at moments of an evening."""
    for at in islice(evening(kit, kit.seats()[-1], 5, STEPS)[1], 0, None, 3):
        yield from (at.seen_by(seat) for seat in at.awaited if seat not in (TABLE, PUBLIC))


def means(seen: Seen, intent: Any, token: Token) -> bool:
    """The same again in terms of a tap: the intent names the thing, or its tag stands for it."""
    verb = verb_of(seen.game, intent)
    return mentions_it(intent, token) or verb.stands_for(seen.view, intent, token)


def wrong(kit: Kit, light: Lights) -> list[str]:
    """Each thing that is lit without reason, or unlit although it is the only way to touch an act."""
    found = []
    for seen in moments(kit):
        may, picture = legal(seen.game, seen.view, seen.actor), seen.game.picture(seen.view)
        drawn = {token for shape in picture.shapes if (token := getattr(shape, "token", None)) is not None}
        lights = light(seen, offers.may(seen), picture)
        for each in lights:
            extra = [o for o in each.offers if o.intent not in may or not means(seen, o.intent, each.token)]
            found += [f"lit without reason: {each.token}, {offer.json}" for offer in extra]
            found += [f"not drawn: {each.token}"] if each.token not in drawn else []
        touched = {offer.intent for each in lights for offer in each.offers}
        dark = (i for i in may if i not in touched and any(means(seen, i, token) for token in drawn))
        found += [f"not lit: {intent}" for intent in dark]
    return found


def test_what_is_lit_is_what_may_be_done(kit: Kit) -> None:
    assert wrong(kit, touching.lit) == []


def test_the_control_a_light_too_many_or_too_few_is_noticed(kit: Kit) -> None:
    if not any(touching.lit(seen, offers.may(seen), seen.game.picture(seen.view)) for seen in moments(kit)):
        pytest.skip("nothing on the drawn table of this game can be touched")
    assert wrong(kit, one_too_few), "one too few"
    assert wrong(kit, one_too_many), "one too many"


def one_too_few(seen: Seen, groups: tuple[offers.Group, ...], picture: Any) -> tuple[Lit, ...]:
    """The first lit thing stays dark, and so does everything else that means the same."""
    lights = touching.lit(seen, groups, picture)
    gone = {offer.json for each in lights[:1] for offer in each.offers}
    return tuple(each for each in lights if not gone & {offer.json for offer in each.offers})


def one_too_many(seen: Seen, groups: tuple[offers.Group, ...], picture: Any) -> tuple[Lit, ...]:
    """Something is lit that means nothing now."""
    lights = touching.lit(seen, groups, picture)
    return (*lights, *(Lit(Token("place", "nowhere"), each.offers) for each in lights[:1]))


def test_what_a_touch_does_at_once_spends_rolls_and_shows_nothing(kit: Kit) -> None:
    for seen in moments(kit):
        lights = touching.lit(seen, offers.may(seen), seen.game.picture(seen.view))
        for each in (each for each in lights if each.at_once):
            [offer] = each.offers
            verb = verb_of(seen.game, offer.intent)
            assert not verb.asks
            assert verb.span is None or verb.span(seen.view, offer.intent)[0] >= verb.span(seen.view, offer.intent)[1]


def test_an_unlit_thing_says_why_not(kit: Kit) -> None:
    """And it is true: the act that it names is refused, for a reason that the seat may know."""
    told = 0
    for seen in islice(moments(kit), 0, None, 4):
        picture = seen.game.picture(seen.view)
        lit = {each.token for each in touching.lit(seen, offers.may(seen), picture)}
        drawn = dict.fromkeys(token for shape in picture.shapes if (token := getattr(shape, "token", None)) is not None)
        for token in islice((token for token in drawn if token not in lit), 0, None, 5):
            reason = touching.why_not(seen, token)
            if reason is not None:
                told += 1
                assert not isinstance(judge(seen.game, seen.view, reason.intent), Accepted)
                assert means(seen, reason.intent, token)
    if not told:
        pytest.skip("everything that is drawn in this game can be touched at any time, or means nothing")


def unsaid(kit: Kit, game: Any) -> list[str]:
    """Each thing that means an intent by `also` but is of a kind that `also_by` does not name."""
    found = []
    for step in kit.playout(kit.seats()[-1], 5, STEPS):
        for intent in legal(game, step.before, step.intent.actor):
            verb = verb_of(game, intent)
            kinds = {token.kind for token in verb.also(step.before, intent)} if verb.also is not None else set()
            found += [f"{verb.name}: {kind}" for kind in kinds if verb.also_by and kind not in verb.also_by]
    return found


def test_whatever_means_an_intent_is_of_a_kind_that_its_verb_names(kit: Kit) -> None:
    assert unsaid(kit, kit.game) == []
    if any(verb.also_by for verb in kit.game.verbs):
        wrong = tuple(replace(verb, also_by=("text",)) for verb in kit.game.verbs)
        assert unsaid(kit, replace(kit.game, verbs=wrong)), "the control: kinds that are not named are noticed"
