"""People who unpack a box: hands at its display and buttons, and a phone. They know only what they are shown."""

from __future__ import annotations

import io
import itertools
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from html import unescape
from http.cookiejar import CookieJar
from typing import Any, Final

import zxingcpp
from PIL import Image, ImageOps

from tests.app.test_beginning_phone import FORM
from tests.appliance.air import network_of
from tests.appliance.rooms import until

HERE: Final = "http://127.0.0.1:8080"
PATIENCE: Final = 90.0
"""Seconds until people give up."""
SHOWN: Final = re.compile(r'id="shown"[^>]*>(.*?)</span>', flags=re.DOTALL)
FOLLOW: Final = re.compile(r'href="http://[^/"]+(/move\?token=[0-9a-f]+)"')
SEAT: Final = re.compile(r'name="seat"[^>]*value="(\d+)"([^>]*)>')
WRITTEN: Final = re.compile(r"Écrit sur la carte[^<]*")
NUMBER: Final = itertools.count(1)
DIRECT: Final = urllib.request.ProxyHandler({})


class Visitor:
    """Reads pages and sends forms, from the network of a process."""

    def __init__(self, network: Callable[[], str], lang: str) -> None:
        self._network, self._lang = network, lang
        self._opener = urllib.request.build_opener(DIRECT, urllib.request.HTTPCookieProcessor(CookieJar()))

    def see(self, url: str, host: str = "") -> tuple[str, str]:
        """Where it led, and the page; with `host`, requested under that name."""
        request = urllib.request.Request(url, headers={"Accept-Language": self._lang})
        if host:
            request.add_unredirected_header("Host", host)
        return self._ask(request)

    def post(self, base: str, path: str, **content: Any) -> dict[str, Any]:
        content.setdefault("command", f"newcomers-{next(NUMBER)}")
        headers = {"X-Companion": "1", "Origin": base, "Content-Type": "application/json"}
        request = urllib.request.Request(base + path, json.dumps(content).encode(), headers)
        answer: dict[str, Any] = json.loads(self._ask(request)[1])
        return answer

    def picture(self, url: str) -> bytes:
        with network_of(self._network()), self._opener.open(url, timeout=20) as answer:
            drawn: bytes = answer.read()
            return drawn

    def _ask(self, request: urllib.request.Request) -> tuple[str, str]:
        try:
            with network_of(self._network()), self._opener.open(request, timeout=20) as answer:
                return answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{request.full_url}: {error.code} {error.read().decode()[:400]}") from error


class Hands:
    """At the box: its display, as read aloud, its buttons, and its readers."""

    def __init__(self, network: Callable[[], str]) -> None:
        self._at = Visitor(network, "en")

    @property
    def says(self) -> str:
        found = SHOWN.search(self._at.see(f"{HERE}/pretend")[1])
        assert found is not None, "no display"
        return " ".join(unescape(re.sub("<[^>]+>", "", found.group(1))).split())

    def wait(self, words: str) -> str:
        until(lambda: re.search(words, self.says) is not None, PATIENCE, lambda: f"{words!r}; it says: {self.says}")
        return self.says

    def press(self, button: str, *, held: bool = False) -> None:
        self._at.post(HERE, "/pretend/press", button=button, held=held)

    @property
    def code(self) -> str:
        """What a phone's camera reads on the display; "" if there is no code."""
        glass = Image.open(io.BytesIO(self._at.picture(f"{HERE}/pretend/screen.png"))).convert("L")
        large = glass.resize((glass.width * 4, glass.height * 4), Image.Resampling.NEAREST)
        found = zxingcpp.read_barcodes(ImageOps.expand(large, 32))
        return found[0].text.replace("HTTP://", "http://") if found else ""

    def lays(self, uid: str, reader: str) -> None:
        """Lay a tag on a reader, and see that something happens."""
        before = self.says
        self._at.post(HERE, "/pretend/lay", uid=uid, reader=reader)
        until(lambda: self.says != before, PATIENCE, f"a tag at {reader} does nothing; it says: {before}")


class Phone:
    """In somebody's hand, with a clock and a time zone. `base` is the address that it has open."""

    def __init__(self, network: Callable[[], str], ahead: float, zone: str) -> None:
        self._at, self._ahead, self._zone = Visitor(network, "fr"), ahead, zone
        self.base = ""

    def arrives(self, gateway: str) -> str:
        """It has just joined a Wi-Fi: it asks its maker's page whether there is internet, and shows what it finds."""
        led, page = self._at.see(f"{gateway}/generate_204", "connectivitycheck.gstatic.com")
        assert 'data-post="/join"' in page, f"no way to sit down at {led}"
        self.base = gateway
        return led

    def page(self, path: str) -> str:
        return self._at.see(self.base + path)[1]

    def title(self, path: str = "/first") -> str:
        found = re.search("<h1[^>]*>(.*?)</h1>", self.page(path), flags=re.DOTALL)
        return "" if found is None else unescape(re.sub("<[^>]+>", "", found.group(1))).strip()

    def sits(self, hands: Hands, name: str, at: str = "") -> str:
        """Ask for the seat that the page offers, and hold OK at the box, which names who is asking."""
        offered = SEAT.findall(self.page(at))
        assert offered, "no seat is offered"
        seat = next((number for number, rest in offered if "checked" in rest), offered[0][0])
        self._at.post(self.base, "/join", seat=int(seat), name=name)
        letters = re.search(r'class="letters[^>]*>([^<]+)<', self.page("/waiting"))
        assert letters is not None, "no letters to compare"
        hands.wait(name)
        hands.press("ok", held=True)
        until(lambda: "data-now" in self.page("/waiting"), PATIENCE, "nobody lets the phone in")
        self._at.post(self.base, "/claim", now=time.time() + self._ahead, zone=self._zone)
        return letters.group(1)

    def asks_for_wifi(self, name: str, password: str) -> str:
        """What the page then links to, for phones that follow the box there."""
        assert 'id="wifi-password"' in self.page("/wifi"), "nowhere to type a password"
        went = self._at.post(self.base, "/wifi", to="house", name=name, password=password)["go"]
        assert went.endswith("going=house"), went
        link = FOLLOW.search(self.page(went))
        assert link is not None, "no link by which to follow"
        return link.group(1)

    def follows(self, address: str, link: str) -> str:
        """On the other Wi-Fi, where the old one's cookies don't apply, the link brings the seat along."""
        before, self.base = self.base, address
        assert before != address
        assert "data-auto" in self.page(link), "the page does not go on by itself"
        go: str = self._at.post(address, "/moved", token=link.rpartition("=")[2])["go"]
        return go

    def asks_the_doctor(self) -> str:
        """What it then says of the card."""
        self._at.post(self.base, "/doctor")
        until(lambda: WRITTEN.search(self.page("/doctor")) is not None, PATIENCE, "the doctor says nothing of the card")
        found = WRITTEN.search(self.page("/doctor"))
        assert found is not None
        return unescape(found.group(0))

    def has_answers(self, path: str) -> bool:
        return FORM.search(self.page(path)) is not None

    def takes(self, line: int, path: str = "/first") -> None:
        """Press the page's button at this position."""
        found = FORM.findall(self.page(path))
        assert found, f"{path} has no answer: {self.title(path)}"
        _, wish, asked, table = found[line]
        self._at.post(self.base, "/command", wish=json.loads(unescape(wish)), asked=int(asked), table=table)

    def answers(self, line: int) -> str:
        """Take a line of the open question; then another is asked."""
        before = self.title()
        self.takes(line)
        until(lambda: self.title() != before, PATIENCE, f"still asked: {before}")
        return before
