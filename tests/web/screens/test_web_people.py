"""People come and go on phones: referee, another phone, bots, skipping, phones that are away, the next game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from companion.core import SeatId, Tapped, say
from companion.table import Chair, Table
from tests.web.conftest import Phone
from web.door import PATIENCE, Limits, Moves
from web.door.limits import Pace
from web.door.moving import MOST
from web.draw import code_of
from web.live.presence import AWAY, Presence

END: dict[str, Any] = {"verb": "pass", "actor": 0}


def finish(ada: Phone, ben: Phone) -> None:
    for card in ("Ace", "Cog"):
        ada.act({"verb": "lay", "actor": 0, "card": card})
    ada.act(END)
    for card in ("Bat", "Dam"):
        ben.act({"verb": "lay", "actor": 1, "card": card})


def test_who_reads_the_code_again_is_back_at_the_seat(ada: Phone, phone: Callable[[], Phone]) -> None:
    for typed in ("/J", "/j", "/j/", "/"):
        assert ada.get(typed).headers["Location"] == "/seat"
    assert phone().get("/J").headers["Location"] == "/"
    assert "Back to Ada’s seat" in ada.html("/?seat=1"), "who asks for another seat can still think better of it"


def test_who_mistypes_an_address_finds_back_to_the_own_seat_in_the_own_language(
    ada: Phone, referee: Phone, phone: Callable[[], Phone]
) -> None:
    ada.post("/settings", lang="fr", theme="auto")
    for typed in ("/sead", "/seat/9", "/phone/77/seat", "/%C3%A9", "/static/none.js"):
        response = ada.get(typed)
        html = response.get_data(as_text=True)
        assert response.status_code == 404
        assert '<html lang="fr"' in html
        assert "Page introuvable" in html
        assert re.search('id="home" href="/seat"', html)
    assert 'id="home" href="/watch"' in referee.get("/sead").get_data(as_text=True)
    assert 'id="home" href="/"' in phone().get("/sead").get_data(as_text=True)
    assert ada.get("/seat/").status_code == 200, "a slash more is no other address"


def test_a_page_left_open_while_it_waited_leads_to_the_seat_that_it_got(ada: Phone, phone: Callable[[], Phone]) -> None:
    assert ada.get("/waiting").headers["Location"] == "/seat"
    assert "Choose a seat" in phone().html("/waiting")


def test_a_seat_moves_to_another_phone(ada: Phone, phone: Callable[[], Phone], table: Table) -> None:
    sheet = ada.post("/move").get_data(as_text=True)
    token = re.findall(r"http://box\.test/move\?token=([0-9a-f]{32})", sheet)[0]
    other, thief = phone(), phone()
    assert "Take Ada’s seat" in other.html(f"/move?token={token}")
    first = other.post("/moved", token=token, name="Adele", command="move-once")
    assert first.status_code == 200
    assert "Your turn, Adele" in other.html("/seat")
    assert ada.get("/seat").headers["Location"] == "/", "the first phone no longer has it"
    assert thief.post("/moved", token=token, name="Eve").status_code == 403, "a code counts once"
    assert other.post("/moved", token=token, name="Adele", command="move-once").status_code == 200
    assert "This code has expired" in thief.html(f"/move?token={token}")
    assert table.snapshot.chairs[0].name == "Adele"


def test_a_code_counts_only_while_its_phone_has_the_seat(ada: Phone, phone: Callable[[], Phone]) -> None:
    token = re.findall(r"token=([0-9a-f]{32})", ada.post("/move").get_data(as_text=True))[0]
    phone().sit(0, "Eve")
    late = phone()
    assert "This code has expired" in late.html(f"/move?token={token}")
    assert late.post("/moved", token=token, name="").status_code == 403
    assert phone().post("/move").status_code == 403, "who has no seat has none to give"


def test_codes_run_out_and_the_newest_counts() -> None:
    now = [0.0]
    moves = Moves(lambda: now[0])
    old = moves.offer(SeatId(0), "k")
    new = moves.offer(SeatId(0), "k")
    assert moves.find(old) is None
    assert moves.find(new) is not None
    assert moves.find("") is None
    now[0] = PATIENCE + 1
    assert moves.find(new) is None
    assert moves.take(new, "c") is None
    for seat in range(MOST + 5):
        moves.offer(SeatId(seat), "k")


def test_the_referee_sees_what_all_see_and_may_set_things_right(referee: Phone, ada: Phone, table: Table) -> None:
    page = referee.html("/watch")
    assert "You’re the referee" in page
    assert "Card Ace" not in page
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    question = referee.html(f"/take-back?entry={table.snapshot.seq}")
    assert "data-wish" in question
    assert "Set chips" in referee.html("/corrections")
    asked = max(table.snapshot.asked)
    wish = {"type": "act", "intent": {"verb": "lay", "actor": 0, "card": "Cog"}}
    assert referee.post("/command", asked=asked, wish=wish).status_code == 409
    assert referee.post("/command", asked=0, wish={"type": "leave", "seat": 0}).status_code == 200
    assert table.snapshot.chairs[0].key == ""
    assert "free-1" not in referee.html("/more")
    assert referee.get("/seat").headers["Location"] == "/"
    assert referee.get("/why?intent={}").status_code == 403


def test_a_bot_plays_for_who_must_leave_and_gives_back(ada: Phone, ben: Phone) -> None:
    assert ada.post("/command", asked=0, wish={"type": "let-bot", "on": True}).status_code == 200
    assert "A bot is playing for you" in ada.html("/seat")
    assert "A bot is playing for Ada" in ben.html("/seat")
    assert "A bot is playing here" in ben.html("/?seat=0")
    ada.post("/command", asked=0, wish={"type": "let-bot", "on": False})
    assert "A bot plays" not in ada.html("/seat") + ben.html("/seat")


def test_a_phone_that_is_away_is_named_and_need_not_be_waited_for(ada: Phone, ben: Phone, table: Table) -> None:
    skip = {"type": "skip", "seat": 0}
    assert ben.post("/command", asked=0, wish=skip).status_code == 409
    table.away((SeatId(0),))
    before = table.snapshot.seq
    assert ben.post("/command", asked=0, wish=skip).status_code == 200
    assert table.snapshot.seq == before + 1
    if table.snapshot.awaited == (0,):
        assert "Ada’s phone is offline" in ben.html("/seat")
    assert "Its phone is offline" in ben.html("/?seat=0")


def test_presence_waits_a_while_and_is_told_once() -> None:
    told: list[Any] = []
    later: list[tuple[float, Callable[[], None]]] = []
    now = [100.0]
    presence = Presence(told.append, lambda: now[0], lambda s, fn: later.append((s, fn)))
    chairs = (Chair("Ada", "a"), Chair("Ben", "b"), Chair("Chloé"))
    presence.sits(chairs)
    presence.comes(SeatId(0))
    presence.comes(None)
    assert told == [], "a phone that just got its seat has time to come"
    now[0] += AWAY + 1
    later[-1][1]()
    assert told == [(1,)], "Chloé has no phone, so it is not away"
    presence.goes(SeatId(0))
    presence.comes(SeatId(0))
    now[0] += AWAY + 1
    later[-1][1]()
    assert told == [(1,)], "turning a page is not leaving"
    presence.comes(SeatId(1))
    assert told[-1] == ()
    presence.goes(SeatId(1))
    presence.goes(SeatId(0))
    now[0] += AWAY + 1
    later[-1][1]()
    assert told[-1] == (0, 1)
    presence.sits((Chair("Ada"), Chair("Ben", "b"), Chair("Chloé")))
    assert told[-1] == (1,)


def test_the_next_game_begins_on_a_phone(ada: Phone, ben: Phone, table: Table) -> None:
    wanted = {"game": "pick", "names": ["Ada", " Bea\u202e ", ""], "options": {}, "mode": "advise"}
    assert ada.post("/open", **wanted).status_code == 409, "this one is not over"
    assert "Once this game is over" in ada.html("/shelf")
    finish(ada, ben)
    assert 'href="/shelf"' in ada.html("/seat")
    assert "Choose what to play next" in ada.html("/shelf")
    assert ada.post("/open", **{**wanted, "game": "chess"}).status_code == 409
    assert ada.post("/open", **{**wanted, "names": ["Ada"]}).status_code == 409
    old = table.snapshot.table
    assert ada.post("/open", **wanted).get_json() == {"go": "/seat"}
    now = table.snapshot
    assert now.table != old
    assert [chair.name for chair in now.chairs] == ["Ada", "Bea"]
    assert now.mode == "advise"
    assert "Lay Card Ace" in ada.html("/seat")
    assert "Bea" in ben.html("/seat")
    late = ada.post("/command", asked=now.asked[0], table=old, wish={"type": "act", "intent": END})
    assert late.status_code == 409
    assert "C1" in late.get_data(as_text=True)


def begin(phone: Phone, *names: str) -> Any:
    return phone.post("/open", game="pick", names=list(names))


def test_who_let_a_bot_play_plays_again_in_the_next_game(ada: Phone, ben: Phone, table: Table) -> None:
    ben.post("/command", asked=0, wish={"type": "let-bot", "on": True})
    finish(ada, ben)
    assert begin(ada, "Ada", "Ben").status_code == 200
    assert [chair.bot for chair in table.snapshot.chairs] == [False, False]
    assert "A bot plays" not in ada.html("/seat") + ben.html("/seat")


def test_a_bot_that_has_a_seat_to_itself_goes_on_and_is_named_beforehand(ada: Phone, ben: Phone, table: Table) -> None:
    finish(ada, ben)
    ben.post("/command", asked=0, wish={"type": "let-bot", "on": True})
    ben.post("/command", asked=0, wish={"type": "leave"})
    setup = ada.html("/setup?game=actionworks")
    assert "Seat 2 · Bot" in setup
    assert "Seat 1 · Bot" not in setup
    begin(ada, "Ada", "Ben")
    assert [chair.bot for chair in table.snapshot.chairs] == [False, True]


def test_a_phone_keeps_its_person_when_somebody_in_between_goes_home(
    ada: Phone, ben: Phone, phone: Callable[[], Phone], table: Table
) -> None:
    finish(ada, ben)
    begin(ada, "Ada", "Ben", "Chloé")
    chloe = phone().sit(2)
    for seat, card in ((0, "Ace"), (0, "Cog"), (1, "Bat"), (1, "Dam"), (2, "Elk"), (2, "Fox")):
        while table.snapshot.state.turn != seat:
            turn = table.snapshot.state.turn
            (ada, ben, chloe)[turn].act({"verb": "pass", "actor": turn})
        (ada, ben, chloe)[seat].act({"verb": "lay", "actor": seat, "card": card})
    assert begin(ada, "Ada", "", "Chloé").status_code == 200
    assert [chair.name for chair in table.snapshot.chairs] == ["Ada", "Chloé"]
    assert "Chloé · #" in chloe.html("/seat")
    assert ben.get("/seat").status_code == 302, "Ben went home"


def test_a_phone_that_was_away_is_still_away_in_the_next_game(ada: Phone, ben: Phone, table: Table) -> None:
    finish(ada, ben)
    table.away((SeatId(1),))
    begin(ada, "Ada", "Ben")
    assert table.snapshot.away == (1,)


def test_nothing_can_be_filled_in_that_could_not_be_sent(ada: Phone, ben: Phone, phone: Callable[[], Phone]) -> None:
    for who, way_on in ((ada, 'href="/seat"'), (phone(), 'href="/"')):
        html = who.html("/setup?game=actionworks").split('id="screen"')[1].split("</main>")[0]
        assert "<form" not in html
        assert "A.n" in html, "what may be chosen can be read"
        assert way_on in html
        assert 'href="/shelf"' in html
    finish(ada, ben)
    html = ada.html("/setup?game=actionworks")
    assert 'id="open-game"' in html
    assert 'href="/shelf"' in html


def test_how_many_play_is_asked_before_a_game_begins(ada: Phone, ben: Phone, table: Table) -> None:
    finish(ada, ben)
    before = table.snapshot.table
    answer = ada.post("/open", game="us-patent", names=["Ada", "", "Ben"])
    assert answer.status_code == 409
    assert "2 players are named; this game is for 3 to 8." in answer.get_data(as_text=True)
    assert table.snapshot.table == before


def test_who_only_watches_opens_nothing(phone: Callable[[], Phone], table: Table) -> None:
    before = table.snapshot.table
    assert phone().post("/open", game="pick", names=["A", "B"]).status_code == 403
    assert table.snapshot.table == before


def test_setting_up_explains_every_option(referee: Phone) -> None:
    html = referee.html("/setup?game=actionworks")
    assert "A.n" in html
    assert 'name="options.new_type"' in html
    assert "Start this game" in html
    for wrong in ("", "chess", "../actionworks"):
        assert referee.get(f"/setup?game={wrong}").status_code == 404


def enrol(phone: Phone, **wish: Any) -> Any:
    return phone.post("/command", asked=0, wish={"type": "enrol", **wish})


def test_a_strange_tag_is_given_to_a_piece(ada: Phone, phone: Callable[[], Phone], table: Table) -> None:
    strange = {"do": "begin", "row": "piece", "uid": "04A5A5A5A5A5A5"}
    assert enrol(ada, piece="Ace", **strange).status_code == 409, "no such tag lies there"
    table.put(Tapped("04A5A5A5A5A5A5", "left"))  # type: ignore[arg-type]
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    assert "04A5A5A5A5A5A5" in ada.html("/enrol")
    assert enrol(phone(), piece="Ace", **strange).status_code == 403
    assert enrol(ada, piece="Ace", **strange).status_code == 200
    assert enrol(ada, piece="Cog", **strange).status_code == 409, "it is given already"
    assert "Done: Card Ace." in ada.html("/enrol")
    assert enrol(ada, do="end").status_code == 200
    html = ada.html("/enrol")
    assert "1 of 4 pieces has a tag" in html
    assert "04A5A5A5A5A5A5" not in html
    assert "Card Ace" not in ada.html("/enrol?q=cog")


def test_a_whole_deck_is_enrolled_with_a_phone(ada: Phone, phone: Callable[[], Phone], table: Table) -> None:
    enrol(ada, do="begin", row="deck")
    html = ada.html("/enrol")
    assert "1 of 4" in html
    assert "Card Ace" in html
    assert "Skip this one" in phone().html("/enrol") or "Take a seat first" in phone().html("/enrol")
    assert enrol(ada, do="skip", at=0).status_code == 200
    assert enrol(ada, do="skip", at=0).status_code == 409, "two who press at once skip one"
    table.put(Tapped("04A5A5A5A5A5A5", "left"))  # type: ignore[arg-type]
    enrol(ada, do="look")
    table.put(Tapped("04A5A5A5A5A5A5", "left"))  # type: ignore[arg-type]
    enrol(ada, do="end")
    assert "1 of 4 pieces has a tag" in ada.html("/enrol")


def test_the_tagbook_goes_from_box_to_box(ada: Phone, phone: Callable[[], Phone]) -> None:
    assert phone().get("/tags.toml").status_code == 403
    assert phone().post("/enrol", tags="").status_code == 403
    sent = ada.post("/enrol", tags='[tags]\n"04A5A5A5" = { seat = 1 }\n').get_json()
    assert (sent["added"], sent["differ"]) == (1, 0)
    saved = ada.get("/tags.toml").get_data(as_text=True)
    assert '"04A5A5A5" = { seat = 1 }' in saved
    assert ada.post("/enrol", tags=saved).get_json()["added"] == 0
    assert 'id="export"' in ada.html("/enrol")
    assert ada.post("/enrol", tags="nonsense").status_code == 400
    assert ada.post("/enrol", tags='[tags]\n"04A5A5A5" = { sate = 1 }\n').status_code == 400


def test_while_people_play_only_the_referee_reads_which_tag_is_which_card(ada: Phone, referee: Phone) -> None:
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    assert ada.get("/tags.toml").status_code == 403
    assert 'id="export"' not in ada.html("/enrol")
    assert "save the tags before the first move" in ada.html("/enrol")
    assert referee.get("/tags.toml").status_code == 200


def test_nobody_can_ask_too_often() -> None:
    now = [0.0]
    limits = Limits({"join": Pace(2, 1), "post": Pace(1, 1), "get": Pace(1, 1), "seated": Pace(1, 1)}, lambda: now[0])
    assert [limits.allows("join", "a") for _ in range(3)] == [True, True, False]
    assert limits.allows("join", "b"), "each address for itself"
    assert limits.allows("post", "a"), "each kind for itself"
    now[0] += 1
    assert [limits.allows("join", "a") for _ in range(2)] == [True, False]
    for n in range(5000):
        limits.allows("get", str(n))


def test_a_flood_of_joins_is_stopped_and_a_seated_phone_still_plays(ada: Phone, phone: Callable[[], Phone]) -> None:
    flood = phone()
    codes = [flood.post("/join", seat=1, name="x").status_code for _ in range(20)]
    assert codes[0] == 200
    assert codes[-1] == 429
    assert "Too many tries" in flood.post("/join", seat=1, name="x").get_data(as_text=True)
    assert ada.act({"verb": "lay", "actor": 0, "card": "Ace"}).status_code == 200


def test_confirming_is_a_choice_of_the_phone(ada: Phone, ben: Phone) -> None:
    assert "data-confirm" not in ada.html("/seat")
    ada.post("/settings", lang="en", theme="auto", confirm="yes")
    assert "data-confirm" in ada.html("/seat")
    assert "data-confirm" not in ben.html("/seat")


def test_an_address_becomes_a_code() -> None:
    code = code_of("http://10.0.0.7/J")
    assert code is not None
    assert code.size == 25 + 4
    assert code.path.startswith("M2 2h1")
    assert code_of("") is None


def test_what_the_box_finds_wrong_with_itself_is_told_with_its_cure(ada: Phone, table: Table) -> None:
    assert "All good" in ada.html("/more")
    table.trouble("link", say("trouble.cable"))
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    html = ada.html("/more")
    assert "All good" not in html
    test = html[html.index('id="self-test"') :]
    assert "The reader box does not answer." in test
    assert "Plug in its USB cable" in test


def test_a_phone_says_that_its_person_is_elsewhere_and_comes_back(ada: Phone, table: Table) -> None:
    for on, then in ((True, "I’m back at the table"), (False, "I’m playing from somewhere else")):
        assert ada.post("/command", asked=0, wish={"type": "sit-elsewhere", "on": on}).status_code == 200
        assert table.snapshot.chairs[0].elsewhere is on
        assert then in ada.html("/more")
