"""Owners enter their cards on a phone: copy, change, count, import, export; mistakes appear beside their field."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser

from companion.app.opening import load_texts
from companion.core import Game
from companion.library import InBoth, OwnPacks, Speaker, Texts, shelf
from companion.library.card_forms import typed
from companion.table import Table
from tests.chromium import give_cookies, new_phone
from tests.library.test_packs_card_forms import GOOSE, KIND
from tests.pick import GAME
from tests.web.conftest import Box, Phone
from tests.web.draw.test_web_look import TWICE
from web import create_app
from web.live.server import WebServer
from web.screens.card import CardAt, card_screen

HOST = "box.test"
AW: Game[Any, Any] = shelf.open("actionworks")
CARD = {"game": "actionworks", "pack": "ours", "kind": "part"}


@pytest.fixture
def own(tmp_path: Path) -> OwnPacks:
    return OwnPacks(tmp_path)


@pytest.fixture
def app(table: Table, texts: Texts, own: OwnPacks, box: Box) -> Flask:
    def texts_of(game: Game[Any, Any]) -> Texts:
        return texts if game.id == GAME.id else load_texts(game)

    return create_app(table, texts_of, box, (HOST, "localhost", "127.0.0.1"), packs=own)


@pytest.fixture
def chloe(ada: Phone) -> Phone:
    """A phone whose owner has just made a copy called Ours."""
    answer = ada.post("/pack/copy", game="actionworks", pack="", called="  Ours\u202e ")
    assert answer.get_json() == {"go": "/pack?game=actionworks&pack=ours"}
    return ada


def lots(own: OwnPacks) -> list[tuple[str, int, int]]:
    return [(lot.type, lot.value, lot.count) for lot in own.load(AW, "ours").parts]


def write(phone: Phone, own: OwnPacks, at: int | None, values: dict[str, str], **more: Any) -> Any:
    where = {} if at is None else {"at": at}
    return phone.post("/pack/card", **{**CARD, "mark": own.mark(AW, "ours"), **where, "values": values, **more})


def test_the_cards_of_a_game_are_listed_with_what_is_known(phone: Callable[[], Phone]) -> None:
    html = phone().html("/pack?game=actionworks")
    assert "Our Parts" in html
    assert "Type: Borrow · Value: 8" in html
    assert html.count("× 2") == 17
    assert "/card?" not in html, "what comes with the game is not changed"


def test_a_copy_is_changed_card_by_card(chloe: Phone, own: OwnPacks) -> None:
    html = chloe.html("/pack?game=actionworks&pack=ours")
    assert "by Ada" in html
    assert "Entered at the table" in html
    form = chloe.html("/card?game=actionworks&pack=ours&kind=part&at=0")
    assert 'name="values.value" min="0" max="99" value="1"' in re.sub(r'id="[^"]*" ', "", form)
    answer = write(chloe, own, 0, {"type": "make", "value": "9", "count": "3"})
    assert answer.get_json() == {"go": "/pack?game=actionworks&pack=ours"}
    assert ("make", 9, 3) in lots(own)
    assert ("make", 1, 2) not in lots(own)
    write(chloe, own, None, {"type": "copy", "value": "12", "count": "1"})
    assert lots(own)[-1] == ("copy", 12, 1)


def test_mistakes_are_told_beside_their_field_in_the_readers_language(chloe: Phone, own: OwnPacks) -> None:
    before = lots(own)
    for lang, words in (("en", "A whole number from 0 to 99."), ("fr", "Un nombre entier de 0 à 99.")):
        chloe.post("/settings", lang=lang, theme="auto")
        answer = write(chloe, own, 0, {"type": "nail", "value": "1000", "count": "2"})
        assert answer.status_code == 422
        html = answer.get_data(as_text=True)
        assert html.startswith('<form id="card-form"')
        assert html.count("aria-invalid") == 2
        assert 'aria-describedby="w-value"' in html
        assert f'<em class="wrong" id="w-value">{words}</em>' in html
        assert 'value="1000"' in html, "what was typed is still there"
    twice = write(chloe, own, 0, {"type": "make", "value": "2", "count": "1"})
    assert "sont déjà dans la liste" in twice.get_data(as_text=True)
    assert lots(own) == before


def test_a_deck_is_counted_in_one_list(chloe: Phone, own: OwnPacks) -> None:
    before = lots(own)
    counts = [0, 5, *(count for _, _, count in before[2:])]
    answer = chloe.post("/pack/count", **CARD, mark=own.mark(AW, "ours"), counts=counts)
    assert answer.status_code == 200
    assert lots(own) == [("make", 2, 5), *before[2:]]
    for wrong in ([1], [*counts[1:-1], 27], [-1] * len(lots(own))):
        assert chloe.post("/pack/count", **CARD, mark=own.mark(AW, "ours"), counts=wrong).status_code == 400


def test_two_phones_do_not_overwrite_each_other(chloe: Phone, ben: Phone, own: OwnPacks) -> None:
    seen = own.mark(AW, "ours")
    assert chloe.post("/pack/remove", **CARD, mark=seen, at=0).status_code == 200
    after = lots(own)
    late = ben.post("/pack/remove", **CARD, mark=seen, at=0)
    assert late.status_code == 409
    assert "C1" in late.get_data(as_text=True)
    assert lots(own) == after


def test_a_pack_goes_out_as_a_file_and_comes_in_again(chloe: Phone, ben: Phone, own: OwnPacks) -> None:
    saved = chloe.get("/pack.toml?game=actionworks&pack=ours")
    assert saved.headers["Content-Disposition"] == 'attachment; filename="actionworks-ours.toml"'
    text = saved.get_data(as_text=True)
    answer = ben.post("/pack/take-in", game="actionworks", text=text)
    assert answer.get_json() == {"go": "/pack?game=actionworks&pack=ours-2"}
    assert own.load(AW, "ours-2").parts == own.load(AW, "ours").parts
    bad = ben.post("/pack/take-in", game="actionworks", text=text.replace('"take"', '"tkae"'))
    assert bad.status_code == 422
    html = bad.get_data(as_text=True)
    assert html.startswith('<form id="take-in"')
    assert "7 things in it are wrong" in html
    assert "Did you mean" in html
    assert "&#34;take&#34;" in html


def test_only_the_file_of_a_pack_may_be_large(chloe: Phone, phone: Callable[[], Phone], own: OwnPacks) -> None:
    text = own.text(AW, "ours") + "# " + "x" * 50_000
    assert chloe.post("/pack/take-in", game="actionworks", text=text).status_code == 200
    assert chloe.post("/pack/take-in", game="actionworks", text="x" * 3_000_000).status_code == 413
    assert chloe.post("/pack/copy", game="actionworks", called="x" * 20_000).status_code == 413
    assert phone().post("/pack/take-in", game="actionworks", text=text).status_code == 403


def test_a_spectator_looks_and_changes_nothing(chloe: Phone, phone: Callable[[], Phone], own: OwnPacks) -> None:
    stranger, mark, before = phone(), own.mark(AW, "ours"), lots(own)
    assert "Take a seat" in stranger.html("/packs?game=actionworks")
    assert "/card?" not in stranger.html("/pack?game=actionworks&pack=ours")
    for path, body in (
        ("/pack/copy", {"game": "actionworks", "called": "Mine"}),
        ("/pack/throw-away", {"game": "actionworks", "pack": "ours"}),
        ("/pack/remove", {**CARD, "mark": mark, "at": 0}),
        ("/pack/count", {**CARD, "mark": mark, "counts": []}),
        ("/pack/card", {**CARD, "mark": mark, "values": {}}),
    ):
        assert stranger.post(path, **body).status_code == 403
    assert (lots(own), own.names(AW.id)) == (before, ("ours",))


@pytest.mark.parametrize(
    "path",
    [
        "/pack?game=chess",
        "/pack?game=actionworks&pack=nothing",
        "/pack?game=actionworks&pack=../../etc",
        "/pack.toml?game=actionworks&pack=..",
        "/card?game=actionworks&pack=ours&kind=part&at=999",
        "/card?game=actionworks&pack=ours&kind=hat",
        "/card?game=actionworks&pack=nothing&kind=part",
    ],
)
def test_what_is_not_there_is_not_found(chloe: Phone, path: str) -> None:
    assert chloe.get(path).status_code == 404


def test_the_shipped_pack_is_never_written(chloe: Phone, own: OwnPacks) -> None:
    shipped = {**CARD, "pack": ""}
    assert chloe.post("/pack/remove", **shipped, mark=own.mark(AW, ""), at=0).status_code == 403
    assert chloe.post("/pack/throw-away", game="actionworks", pack="").status_code == 404


def test_thrown_away_after_asking_once_more(chloe: Phone, own: OwnPacks) -> None:
    assert "data-confirm" in chloe.html("/pack?game=actionworks&pack=ours")
    assert chloe.post("/pack/throw-away", game="actionworks", pack="ours").status_code == 200
    assert own.names(AW.id) == ()


def test_the_next_game_can_be_set_up_with_ones_own_cards(chloe: Phone, referee: Phone) -> None:
    assert 'id="pack-ours"' in referee.html("/setup?game=actionworks")
    assert "<li>Ours</li>" in chloe.html("/setup?game=actionworks"), "who cannot begin yet may read it"
    chloe.post("/pack/throw-away", game="actionworks", pack="ours")
    assert 'name="pack"' not in referee.html("/setup?game=actionworks"), "no choice, no question"


def test_a_pack_that_cannot_be_played_says_why_in_the_list_and_on_its_page(
    chloe: Phone, referee: Phone, own: OwnPacks
) -> None:
    game = shelf.open("us-patent")
    name = own.copy(game, "blank", "Ours", "Ada", InBoth("Ours.", "À nous."))
    assert "disabled" not in referee.html("/setup?game=us-patent")
    spaces = next(kind for kind in game.cards if kind.name == "space")
    pack = own.load(game, name)
    rest = tuple(space for space in spaces.read(pack) if space.kind != "office")
    own.change(game, name, spaces.write(pack, rest), own.mark(game, name))
    told = "There is no Patent Office on the map, so nobody can win."
    assert told in chloe.html(f"/pack?game=us-patent&pack={name}")
    assert told in chloe.html("/setup?game=us-patent")
    setup = referee.html("/setup?game=us-patent")
    assert told in setup
    assert f'id="pack-{name}" value="{name}" disabled' in setup


def test_an_effect_is_chosen_and_then_asks_for_its_own_fields() -> None:
    speaker = Speaker(load_texts(AW), "en")
    of = CardAt(AW, "ours", KIND, GOOSE, 0, "")
    rows = [row for group in card_screen(speaker, of).model.groups for row in group.rows]
    paths = [row.path for row in rows if row.path.startswith("effects")]
    assert paths == ["effects.0.is", "effects.0.dice", "effects.1.is", "effects.1.to", "effects.2.is"]
    chosen = {**typed(KIND, GOOSE), "effects.0.is": "", "effects.2.is": "drive"}
    rows = [row for group in card_screen(speaker, of, chosen).model.groups for row in group.rows]
    found = {row.path: row.value for row in rows if row.path.startswith("effects")}
    assert found == {
        "effects.0.is": "leap",
        "effects.0.to": "lab",
        "effects.1.is": "drive",
        "effects.1.dice": "1",
        "effects.2.is": "",
    }


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


@pytest.mark.browser
def test_an_owner_counts_and_corrects_a_deck_in_a_browser(
    chromium: Browser, server: WebServer, ada: Phone, own: OwnPacks, tmp_path: Path
) -> None:
    base = f"http://127.0.0.1:{server.port}"
    context = new_phone(chromium)
    give_cookies(context, base, seat=ada.secret)
    page = context.new_page()
    page.goto(f"{base}/packs?game=actionworks")
    page.fill("#called", "Ours")
    page.click("#copy")
    page.wait_for_url("**pack=ours")
    page.click("#count-part summary")
    page.fill("#n-part-0", "4")
    page.click("#save-part")
    page.wait_for_selector("text=× 4")
    page.click(".cards a >> nth=0")
    page.fill("[id='f-value']", "500")
    page.click("#save-card")
    page.wait_for_selector("em.wrong")
    assert page.evaluate("document.activeElement.id") == "f-value"
    assert "needs another look" in page.inner_text("#assertive")
    page.fill("[id='f-value']", "50")
    page.click("#save-card")
    page.wait_for_url("**/pack?**")
    assert ("make", 50, 4) in lots(own)
    file = tmp_path / "given.toml"
    file.write_text(own.text(AW, "ours"), encoding="utf-8")
    page.goto(f"{base}/packs?game=actionworks")
    page.set_input_files("#file", file)
    page.wait_for_function("document.getElementById('text').value.length > 100")
    page.click("#take-in-do")
    page.wait_for_url("**pack=ours-2")
    context.close()
    assert json.dumps(own.names(AW.id)) == '["ours", "ours-2"]'


@pytest.mark.browser
@pytest.mark.slow
def test_the_editor_fits_a_small_phone_and_large_letters(chromium: Browser, server: WebServer, chloe: Phone) -> None:
    base = f"http://127.0.0.1:{server.port}"
    for width, larger in ((320, False), (390, True)):
        context = new_phone(chromium, width, bypass_csp=True)
        give_cookies(context, base, seat=chloe.secret)
        page = context.new_page()
        for path in ("/packs?", "/pack?pack=ours&", "/card?pack=ours&kind=part&at=0&"):
            page.goto(f"{base}{path}game=actionworks")
            for summary in page.locator("summary").all():
                summary.click()
            if larger:
                page.evaluate(TWICE)
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width, path
        context.close()
