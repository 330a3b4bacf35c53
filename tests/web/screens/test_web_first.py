"""The first run on a phone, through the accessibility tree and the keyboard alone; axe looks at every question."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.app.main import Options, companion
from companion.app.opening import load_texts
from companion.box import BUTTONS
from companion.core import Name, Pressed
from companion.library import Lang, Speaker
from tests.chromium import new_phone
from tests.web.conftest import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(("lang", "width"), [("en", 320), ("fr", 390)])
def test_a_box_is_set_up_by_roles_and_names(
    chromium: Browser, axe: str, tmp_path: Path, lang: Lang, width: int
) -> None:
    with companion(Options(tmp_path, port=0, pretend=True, first_run=True), tell=lambda _: None) as box:
        context = new_phone(chromium, width, 640, lang, bypass_csp=True)
        page = context.new_page()
        page.add_init_script(axe)
        page.goto(f"http://127.0.0.1:{box.port}/")
        key = Speaker(load_texts(box.table.snapshot.game), lang).key

        def hears(question: str) -> None:
            page.get_by_role("heading", name=key(question), exact=True).wait_for()
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width

        def press(name: str) -> None:
            page.get_by_role("button", name=name).first.focus()
            page.keyboard.press("Enter")

        hears("web.first.language")
        page.get_by_role("textbox", name=key("web.join.name")).focus()
        page.keyboard.type("Zoé")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name=key("web.waiting.asked")).wait_for()
        box.table.put(Pressed("ok", held=True))
        page.get_by_role("button", name="English").wait_for()
        press("Français")
        hears("web.first.buttons")
        for button in BUTTONS:
            page.get_by_role("main").get_by_text(key("first.press", button=Name(button.upper()))).wait_for()
            box.table.put(Pressed(button))
        hears("web.first.seats")
        press(key("web.first.people", n=2))
        hears("web.first.game")
        press("TimeLine")
        hears("web.first.tags")
        press(key("tags.readers"))
        hears("web.enrol")
        press(key("web.enrol.end"))
        hears("web.first.tags")
        press(key("first.play"))
        page.wait_for_url("**/seat")
        page.get_by_role("heading", name=key("web.may")).wait_for()
        context.close()
