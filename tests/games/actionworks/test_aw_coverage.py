"""The rules and verbs as lists: which exist, which ask for OK, which hands can break."""

from __future__ import annotations

from companion.games.actionworks import GAME


def test_the_list_is_complete() -> None:
    assert len(GAME.rules) == len(set(GAME.rules)) == 28 + 26 + 11
    assert (GAME.rules[0], GAME.rules[-1]) == ("A1", "A.ak")


def test_only_what_is_done_in_a_turn_is_listed_when_it_cannot_be_done() -> None:
    listed = {verb.name for verb in GAME.verbs if verb.listed and not verb.chance}
    assert listed == {"play", "ship", "end-turn"}


def test_what_reveals_rolls_or_spends_asks_for_ok() -> None:
    asks = {verb.name for verb in (*GAME.verbs, *GAME.corrections) if verb.asks}
    plays = {"play", "declare", "ship", "end-turn", "go", "borrow-from", "plan-hand"}
    assert asks == plays | {"new-type", "same-types", "set-total", "set-turn", "move-card", "set-demand"}


def test_hands_can_do_more_than_the_rules_allow() -> None:
    """What advise lets stand: acts that break no physical rule."""
    bends = {(verb.name, rule.key) for verb in GAME.verbs for rule in (*verb.guards, *verb.rules) if not rule.physical}
    moment = ("dealt", "cleared", "round-chosen", "your-turn", "flipped", "settled")
    in_turn = ("play", "declare", "ship", "take", "scrap-card", "clear-take")
    on_turn = {(verb, key) for verb in in_turn for key in moment} - {("clear-take", "cleared")}
    effects = {(verb, key) for verb in ("take", "scrap-card") for key in ("just-played", "played-with")}
    others = {
        ("declare", "something-joins"),
        ("add", "one-type"),
        ("add", "plans-only"),
        ("clear-take", "clear-turn"),
        ("act-as", "copy-one-type"),
        ("take", "take-due"),
        ("scrap-card", "scrap-due"),
        ("scrap-nothing", "bench-bare"),
        ("clear-take", "clear-due"),
    }
    answers = (
        "act-as",
        "add",
        "borrow",
        "borrow-from",
        "from-heap",
        "go",
        "plan-deck",
        "plan-hand",
        "put-back",
        "scrap-nothing",
        "seen",
    )
    while_asked = {(verb, key) for verb in answers for key in moment if key != "your-turn"}
    assert bends == on_turn | effects | others | while_asked


def test_chance_is_the_tables_alone() -> None:
    assert {verb.name for verb in GAME.verbs if verb.chance} == {"name-first", "dealt", "drew"}
