"""Make the picture of a club's wall: python docs/pictures_club.py (needs Chromium and the dev group).

Nine tables of the four games as they would tell of themselves, one of them away; nobody needs a broker for it.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path

import uvicorn
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.pictures import FLAGS, OUT
from tests.web.hub.club import Club, full_house
from web.hub.asgi import HubAsgi

TABLES = 9
PEOPLE = ["Ada", "Ben", "Chloé", "Dan"]


def club_night(folder: Path) -> Club:
    club = Club(folder)
    full_house(club, TABLES)
    club.goes("t-00005")
    for n in range(12):
        at = n % len(PEOPLE)
        club.ends("t-00003", *PEOPLE[at:], *PEOPLE[:at], days_ago=n * 3, number=n)
    return club


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = uvicorn.Server(uvicorn.Config(HubAsgi(club_night(Path(folder)).app), port=0, log_level="warning"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en")
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(".tile svg.picture").nth(TABLES - 1).wait_for()
        page.screenshot(path=OUT / "club-wall.png")
        browser.close()
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
