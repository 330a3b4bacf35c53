"""The pages of a hub: the wall, what is beside it, the host's page, and the one for the internet."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core import Seq
from companion.library import Speaker
from tests.web.club.evening import GAMES, seen_after
from tests.web.hub.club import GOOD, HOST, NOW, Club, evenings, full_house
from web.club import SETUP, VIEW, Guests, TableId, Unreadable, encode, setup_of, view_of
from web.draw import draw
from web.hub.floor import DOUBT, GONE
from web.hub.hub import Look, texts_of
from web.hub.stream import Streams, Watching
from web.hub.wall import nearest

PAGES = ("/", "/wall", "/evening", "/league", "/plays.csv", "/plays.bgsplay", "/table/t-00001", "/mini/t-00001")
HOSTS_ONLY = ("/host", "/host/x", "/join")
POSTS = ("/settings", "/pair", "/host/revoke", "/host/leave-out")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with closing(Club(tmp_path, seasons="2026-09-01 Autumn")) as club:
        yield club


@pytest.fixture
def public_club(tmp_path: Path) -> Iterator[Club]:
    """A hub for the internet, five minutes late."""
    with closing(Club(tmp_path, is_public=True, delay=300.0)) as club:
        yield club


def test_before_the_first_table_the_wall_says_how_one_comes(club: Club) -> None:
    assert "No table yet" in club.html("/")
    assert "More → Club" in club.html("/")
    assert "Aucune table" in club.html("/", lang="fr")
    for page, words in (("/league", "opens the league"), ("/evening", "No game was played to its end")):
        assert words in club.html(page)


def test_every_table_says_whose_turn_it_is(club: Club, tmp_path: Path) -> None:
    full_house(club, 4)
    html = club.html("/")
    for words in ("U.S. Patent", "TimeLine", "One False Step", "ActionWorks", "Oak 4", 'data-mini="/mini/t-00001?v='):
        assert words in html
    for n in range(4):
        assert "<svg" in club.html(f"/mini/t-0000{n}")
        assert "Oak" in club.html(f"/table/t-0000{n}")
    assert "Brevet américain" in club.html("/", lang="fr")


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in (3, 5)])
def test_a_small_table_is_nearly_square_so_that_it_can_be_read_small(tmp_path: Path, game: str, seats: int) -> None:
    """TimeLine's board is three times as high as wide, and U.S. Patent's has a row for every machine."""
    seen = seen_after(tmp_path, game, 20, seats)
    drawing = draw(seen.game.picture(seen.view), Speaker(texts_of(seen.game), "en", seen.names()))
    top, end = nearest(drawing)
    assert 0.3 < (end - top) / drawing.width <= 1.2


def test_the_wall_says_what_is_counted_and_where_one_can_sit_down(club: Club, tmp_path: Path) -> None:
    full_house(club, 4)
    fresh = seen_after(tmp_path, "actionworks", 0)
    club.comes("t-00008", "Oak 9")
    club.shows("t-00008", replace(fresh, chairs=tuple(replace(chair, key="") for chair in fresh.chairs)))
    html = club.html("/")
    for words in ("points</small>", "Free chairs at Oak 9", "5 tables · 15 players", 'class="qr"'):
        assert words in html
    assert "5 tables · 15 joueurs" in club.html("/", lang="fr")
    assert 'class="quiet">number' in html, "nobody counts what is not there"


def test_a_game_that_is_over_one_that_is_away_and_one_with_free_chairs(club: Club, tmp_path: Path) -> None:
    done = seen_after(tmp_path / "over", "actionworks", 5000)
    fresh = seen_after(tmp_path / "fresh", "actionworks", 0)
    fresh = replace(fresh, chairs=tuple(replace(chair, key="") for chair in fresh.chairs))
    for n, seen in enumerate((done, fresh, fresh)):
        club.comes(f"t-0000{n}", f"Oak {n}")
        club.shows(f"t-0000{n}", seen)
    club.goes("t-00002")
    html = club.html("/")
    for words in ("Finished", " won", "3 chairs free", "Away", "as it was at"):
        assert words in html
    assert "out of reach" in club.html("/table/t-00002")


def test_who_does_not_want_to_be_shown_is_not(club: Club, tmp_path: Path) -> None:
    full_house(club, 2)
    club.comes("t-00001", "Secret room", shown=False)
    html = club.html("/")
    assert "Secret room" not in html
    assert "One more table plays and is not shown" in html
    for page in ("/table/t-00001", "/mini/t-00001"):
        assert club.browser().get(page, headers={"Host": HOST}).status_code == 404
    club.shows("t-00000", evenings()[0], Guests(left_out=("Ben",)))
    assert "Ben" not in club.html("/")
    assert "Seat 2" in club.html("/")


def test_what_cannot_be_read_is_said_and_the_others_are_shown(club: Club, tmp_path: Path) -> None:
    full_house(club, 2)
    seen = evenings()[0]
    club.floor.heard(TableId("t-00000"), SETUP, encode(replace(setup_of(seen), rules=99)))
    club.floor.heard(TableId("t-00000"), VIEW, encode(view_of(seen, Guests())))
    html = club.html("/")
    assert "Plays another version" in html
    assert "TimeLine" in html
    with pytest.raises(Unreadable):
        club.floor.heard(TableId("t-00000"), "here", b"{}")
    assert club.html("/") == html


def states(club: Club) -> list[str]:
    return re.findall(r'class="tile (\w+)"', club.html("/"))


def test_a_table_that_only_the_broker_remembers_is_away(club: Club) -> None:
    """Both were switched off together, so no last will was delivered; a table that is there announces itself."""
    for n in range(2):
        club.comes(f"t-0000{n}", f"Oak {n}", retained=True)
        club.shows(f"t-0000{n}", evenings()[0])
    assert states(club) == ["plays", "plays"]
    club.comes("t-00001", "Oak 1")
    club.now += DOUBT
    club.floor.catch_up()
    assert states(club) == ["away", "plays"]
    club.comes("t-00000", "Oak 0")
    assert states(club) == ["plays", "plays"]


def test_a_table_of_another_evening_is_no_longer_on_the_wall(club: Club) -> None:
    full_house(club, 2)
    club.goes("t-00000")
    assert states(club) == ["away", "over"]
    club.now += GONE + 60
    assert states(club) == ["over"], "one that is here stays, however long nobody has played"
    club.comes("t-00000", "Oak 1")
    assert states(club) == ["plays", "over"]
    club.goes("t-00000", retained=True)
    assert states(club) == ["over"], "a hub that was started again goes by what the table did last"


def test_nobody_tells_how_the_game_of_another_table_ended(club: Club) -> None:
    club.comes("t-00001", "Oak 4")
    told = club.ends("t-00001", "Ada", "Ben")
    forged = replace(told, seq=Seq(9999), stands=False)
    for table in ("t-00002", "hub"):
        with pytest.raises(Unreadable, match="no game of table"):
            club.floor.heard(TableId(table), "result", encode(forged))
    assert [kept.finished for kept in club.store.results()] == [told]


def watching(club: Club) -> tuple[Streams, Watching]:
    return Streams(club.hub), Watching(Look(club.hub, club.hub.phone("", "")), "wall", "", "")


def test_only_the_tables_that_changed_are_sent(club: Club, tmp_path: Path) -> None:
    full_house(club, 4)
    streams, who = watching(club)
    first = dict(streams.changed(who))
    assert list(first) == ["tables", "tonight", "aside"]
    assert "4 tables · 12 players" in first["tonight"]
    assert list(streams.changed(who)) == []
    club.shows("t-00002", seen_after(tmp_path / "later", "one-false-step", 70))
    ((name, html),) = streams.changed(who)
    assert name == "t-00002"
    assert html.startswith('<article id="t-00002"')
    club.ends("t-00002", "Ada", "Ben")
    assert [name for name, _ in streams.changed(who)] == ["aside"]
    club.comes("t-00009", "Oak 9")
    assert next(name for name, _ in streams.changed(who)) == "tables"


def test_results_the_league_and_a_player(club: Club) -> None:
    club.comes("t-00001", "Oak 4")
    club.ends("t-00001", "Ada", "Ben", "Chloé")
    club.ends("t-00001", "Ben", "Ada", days_ago=7)
    html = club.html("/")
    assert "ActionWorks · Oak 4" in html
    assert html.count("/player/Ada") == 1
    assert "after 2 evenings" in club.html("/league")
    page = club.html("/player/ada")
    assert "Autumn" in page
    assert page.count('class="card"') == 2
    assert club.html("/plays.csv").count("Ada") == 2
    assert club.html("/plays.csv?evening=" + club.hub.results.tonight().isoformat()).count("Ada") == 1
    assert club.browser().get("/player/nobody", headers={"Host": HOST}).status_code == 404
    assert club.browser().get("/evening/soon", headers={"Host": HOST}).status_code == 404


def test_who_is_left_out_has_no_name_anywhere(club: Club) -> None:
    club.comes("t-00001", "Oak 4")
    club.ends("t-00001", "Ada", "Zoë", "Ben")
    host = club.browser(host="the-key")
    body = '{"command":"12345678","name":"zoë ","on":"yes"}'
    assert host.post("/host/leave-out", data=body, headers={**GOOD, "Host": HOST}).status_code == 200
    for page in ("/", "/league", "/evening", "/plays.csv", "/plays.bgsplay"):
        assert "Zoë" not in club.html(page)
    assert "zoë" in club.html("/host", host="the-key")


def test_a_table_joins_by_a_code_that_is_good_once(club: Club) -> None:
    code, _ = club.host.code()
    browser, headers = club.browser(), {**GOOD, "Host": HOST}
    wrong = browser.post("/pair", data='{"code":"AAAAAAAA","name":"Oak 4"}', headers=headers)
    assert (wrong.status_code, wrong.get_json()) == (403, {"why": "wrong"})
    body = f'{{"code":"{code}","name":"Oak 4"}}'
    paired = browser.post("/pair", data=body, headers=headers)
    assert paired.status_code == 200
    assert paired.get_json()["host"] == HOST
    assert browser.post("/pair", data=body, headers=headers).get_json() == {"why": "used"}
    assert browser.post("/pair", data="[", headers=headers).status_code == 400
    assert club.host.code()[0] != code
    answers = [browser.post("/pair", data=body, headers=headers).status_code for _ in range(20)]
    assert answers[-1] == 429, "nobody tries them all"


def test_the_code_of_the_host_leads_to_the_box_with_all_that_it_asks_for(club: Club) -> None:
    page = club.html("/host", host="the-key")
    code, _ = club.host.code()
    assert f"http://{HOST}/join?code={code}" in page
    assert code not in club.html("/host")
    join = club.html(f"/join?code={code}")
    assert f'data-hub="http://{HOST}" data-code="{code}"' in join
    assert "at-box" not in club.html("/join"), "without a code there is nothing to bring"
    assert "<script>" not in club.html("/join?code=%3Cscript%3E")


def test_only_the_host_sees_the_code_and_sends_tables_away(club: Club) -> None:
    club.comes("t-00001", "Oak 4")
    code, _ = club.host.code()
    assert code[:4] not in club.html("/host")
    assert code[:4] in club.html("/host", host="the-key")
    body, headers = '{"command":"12345678","table":"t-00001"}', {**GOOD, "Host": HOST}
    assert club.browser().post("/host/revoke", data=body, headers=headers).status_code == 403
    assert club.host.revoked == []
    assert club.browser(host="the-key").post("/host/revoke", data=body, headers=headers).status_code == 200
    assert club.host.revoked == ["t-00001"]


def test_for_the_internet_it_can_only_be_read_and_later(public_club: Club) -> None:
    club = public_club
    full_house(club, 2)
    club.ends("t-00001", "Ada", "Ben")
    assert "No table yet" in club.html("/")
    assert "Ada" not in club.html("/evening")
    club.now = NOW + 301
    club.floor.catch_up()
    club.comes("t-00001", "Oak 2")
    club.store.note(TableId("t-00001"), "Oak 2", True)
    assert "Oak 2" in club.html("/")
    assert "5 minutes later" in club.html("/")
    assert "Ada" in club.html("/evening")
    for page in HOSTS_ONLY:
        assert club.browser(host="the-key").get(page, headers={"Host": HOST}).status_code == 404
    for page in POSTS[1:]:
        assert club.browser().post(page, data="{}", headers={**GOOD, "Host": HOST}).status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Host": "evil.test"}, 421), ({"X-Companion": ""}, 403), ({"Origin": "http://evil.test"}, 403)],
)
@pytest.mark.parametrize("path", POSTS)
def test_what_another_site_sends_is_refused(club: Club, path: str, headers: dict[str, str], status: int) -> None:
    response = club.browser(host="the-key").post(path, data="{}", headers={**GOOD, "Host": HOST, **headers})
    assert response.status_code == status
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", [*PAGES, *HOSTS_ONLY])
def test_pages_are_sealed_and_for_our_hosts(club: Club, tmp_path: Path, path: str) -> None:
    full_house(club, 2)
    response = club.browser().get(path, headers={"Host": HOST})
    assert response.status_code in (200, 302)
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert club.browser().get(path, headers={"Host": "evil.test"}).status_code == 421
    assert "style=" not in response.text


@pytest.mark.slow
def test_a_wall_of_five_hundred_is_drawn_in_less_than_a_second_and_only_once(club: Club, tmp_path: Path) -> None:
    full_house(club, 500)
    before = time.process_time()
    html = club.html("/")
    took = time.process_time() - before
    assert html.count("<article") == 500
    assert took < 1.0 * 3, f"{took:.2f} s of CPU; the campaign measures it more exactly"
    before = time.process_time()
    club.html("/")
    assert time.process_time() - before < took / 2
