"""Whatever the game: a phone lists everything that can be set right, each thing as it stands, and each can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from companion.app.kit.evening import evening
from companion.app.kit.kit import Kit
from companion.core import TABLE, SeatId, allowed, argument_kinds, standing_now
from companion.phones import Preview, corrections, preview
from companion.table import Snapshot

STEPS = 60
ACTORS = (TABLE, SeatId(0))


def moments(kit: Kit) -> list[Snapshot]:
    """Five or six moments of an evening, including the last."""
    if not kit.game.corrections:
        pytest.skip("nothing can be set right in this game")
    shown = evening(kit, kit.seats()[0], 3, STEPS)[1]
    return shown[:: -max(1, len(shown) // 5)]


def shown(kit: Kit) -> Iterator[tuple[Snapshot, SeatId, corrections.Setting, Preview | None]]:
    """Every setting that a phone could choose, with the words its button would have."""
    for at in moments(kit):
        for actor in ACTORS:
            for kind in corrections.kinds(at.seen_by(actor)):
                for setting in (setting for thing in kind.things for setting in thing.settings):
                    yield at, actor, setting, preview(at.seen_by(actor), setting.json.encode())


def prefilled_wrongly(kit: Kit) -> list[corrections.Setting]:
    """Numbers prefilled in a field although the table has another that the field could have."""
    wrong = []
    for at, actor, setting, words in shown(kit):
        now, span = standing_now(kit.game, at.view(actor), setting.intent), words and words.span
        if span and isinstance(now, int) and span.low <= now <= span.high and not (words and words.is_idle):
            wrong.append(setting)
    return wrong


def test_phones_list_each_correction_once(kit: Kit) -> None:
    for at in moments(kit):
        for actor in ACTORS:
            kinds = corrections.kinds(at.seen_by(actor))
            listed = Counter(type(s.intent) for kind in kinds for thing in kind.things for s in thing.settings)
            typed = [v for v in kit.game.corrections if any(kind == "text" for _, kind in argument_kinds(v.intent))]
            verbs = [verb for verb in kit.game.corrections if verb not in typed]
            offered = Counter(type(i) for verb in verbs for i in allowed(verb, at.view(actor), actor))
            assert listed == offered


def test_each_of_them_has_words_and_can_be_done(kit: Kit) -> None:
    found = [words for _, _, _, words in shown(kit)]
    assert found
    assert all(words is not None and words.refusal is None for words in found)


def test_numbers_are_prefilled_with_what_stands_on_the_table(kit: Kit) -> None:
    assert prefilled_wrongly(kit) == []


def test_a_field_that_begins_at_the_lowest_number_would_be_noticed(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: an early phone, on which one tap set somebody's Gold to nothing."""
    if not any(verb.span for verb in kit.game.corrections):
        pytest.skip("no number can be set right in this game")
    monkeypatch.setattr(corrections, "as_it_stands", lambda _seen, intent: intent)
    assert prefilled_wrongly(kit)
