"""A test doesn't wait for what can't come: it stops if the page or the box has failed."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Page
from playwright.sync_api import TimeoutError as WaitedInVain

from tests.chromium import new_phone

SOON = 200
"""Milliseconds for what never comes."""


@pytest.fixture
def page(chromium: Browser) -> Page:
    return new_phone(chromium).new_page()


@pytest.mark.browser
def test_a_script_that_fails_ends_the_wait(page: Page) -> None:
    page.evaluate("setTimeout(() => { throw new Error('no such card'); }, 50)")
    with pytest.raises(Error, match="the page failed: no such card"):
        page.wait_for_selector("#never")


@pytest.mark.browser
def test_a_box_that_fails_ends_the_wait(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    page.route("**/seat", lambda route: route.fulfill(status=500, body="oh"))
    with suppress(Error):  # it may be there before it is closed
        page.goto("http://box.test/seat")
    with pytest.raises(Error):
        page.wait_for_selector("#never")
    assert "500 at http://box.test/seat" in capsys.readouterr().err


@pytest.mark.browser
def test_otherwise_it_waits(page: Page) -> None:
    """The control."""
    page.route("**/seat", lambda route: route.fulfill(status=503, body="busy"))
    page.goto("http://box.test/seat")
    with pytest.raises(WaitedInVain):
        page.wait_for_selector("#never", timeout=SOON)
