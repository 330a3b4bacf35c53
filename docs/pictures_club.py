"""Make the picture of a club's wall: python docs/pictures_club.py (needs Chromium and the dev group).

Nine tables of the four games as they would report themselves, one over, one away, one with free chairs; no broker
needed.
"""

from __future__ import annotations

import random
import tempfile
import threading
from pathlib import Path

import uvicorn
from msgspec.structs import replace
from pictures import OUT
from playwright.sync_api import sync_playwright

from companion.table.outside import Seen
from tests.chromium import CHROMIUM, FLAGS
from tests.web.club.evening import seen_after
from tests.web.hub.club import Club
from web.hub.asgi import HubAsgi

NIGHT = (
    ("us-patent", 200, "Ada Ben Chloé Dov"),
    ("timeline", 24, "Emil Fay Gus Hana"),
    ("one-false-step", 90, "Ivo Jun Kaja"),
    ("actionworks", 60, "Lou Mia Noor"),
    ("us-patent", 5000, "Olga Piet Quin"),
    ("one-false-step", 40, "Rosa Sven Tal Uma"),
    ("timeline", 16, "Vera Wim Xia"),
    ("us-patent", 150, "Yara Zoë Abel Bo Cem"),
    ("actionworks", 0, "Dita Ed"),
)
"""Game, acts and people of each table."""
AWAY, FREE = 6, 8
PEOPLE = ["Olga", "Ben", "Noor", "Hana", "Ivo", "Chloé", "Piet", "Kaja", "Ada", "Lou"]


def evening(folder: Path, game: str, acts: int, names: list[str]) -> Seen:
    seen = seen_after(folder, game, acts, len(names))
    return replace(seen, chairs=tuple(replace(chair, name=who) for chair, who in zip(seen.chairs, names, strict=True)))


def club_night(folder: Path) -> Club:
    club = Club(folder, seasons="2026-09-01 Autumn")
    now = club.now
    for n, (game, acts, people) in enumerate(NIGHT):
        seen = evening(folder / str(n), game, acts, people.split())
        if n == FREE:
            seen = replace(
                seen, chairs=tuple(replace(chair, key="" if seat else "x") for seat, chair in enumerate(seen.chairs))
            )
        club.now = now - n * 31 % 200
        club.comes(f"t-0000{n}", str(n + 1))
        club.shows(f"t-0000{n}", seen)
    club.goes(f"t-0000{AWAY}")
    dice = random.Random(6)
    for n in range(38):
        club.now = now - 420 - n % 7 * 1300
        club.ends(f"t-0000{n % 5}", *dice.sample(PEOPLE, 3 + n % 3), days_ago=n // 7 * 7, number=n)
    club.now = now
    return club


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        club = club_night(Path(folder))
        server = uvicorn.Server(uvicorn.Config(HubAsgi(club.app), port=0, log_level="warning"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en")
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(".tile svg.picture").nth(len(NIGHT) - 1).wait_for()
        page.screenshot(path=OUT / "club-wall.png")
        browser.close()
        server.should_exit = True
        thread.join()
        club.close()


if __name__ == "__main__":
    main()
