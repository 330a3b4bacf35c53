"""Phones on the box's own Wi-Fi: whatever they ask for by http, they find the table.

A phone that joins a Wi-Fi asks its maker's server whether there is internet, and opens a window if it gets another
page. There is no internet here, so it gets the table. Once somebody wants to stay, we answer as the maker would;
otherwise the phone would leave for a Wi-Fi that has internet.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from msgspec import Struct

from .asgi import SEALS, Scope, Send, address_of, headers_of
from .guard import is_our_host

ARRIVED: Final = "portal"
"""In the address of the first page: this phone was sent here automatically."""
MOST: Final = 254
"""Phones that the box's Wi-Fi has addresses for."""
_HTML: Final = "text/html"
_TEXT: Final = "text/plain"
_APPLE: Final = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
_MOZILLA: Final = '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'


class Said(Struct, frozen=True):
    """A complete answer: its status, text and type, or where to go instead."""

    status: int
    words: str = ""
    kind: str = _TEXT
    to: str = ""


ONLINE: Final = {
    "/generate_204": Said(204),  # Android, ChromeOS, Chromium
    "/gen_204": Said(204),
    "/hotspot-detect.html": Said(200, _APPLE, _HTML),  # iOS, macOS
    "/library/test/success.html": Said(200, _APPLE, _HTML),
    "/connecttest.txt": Said(200, "Microsoft Connect Test"),  # Windows
    "/ncsi.txt": Said(200, "Microsoft NCSI"),
    "/success.txt": Said(200, "success\n"),  # Firefox
    "/canonical.html": Said(200, _MOZILLA, _HTML),
    "/check_network_status.txt": Said(200, "NetworkManager is online\n"),  # GNOME
}
"""What phone makers' servers answer when there is internet, by request path."""


class Portal:
    """Used on the server's loop, except for `welcome`, which any thread may call."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._stays: OrderedDict[str, None] = OrderedDict()

    def welcome(self, phone: str) -> None:
        """The phone at this address wants to stay."""
        self._stays[phone] = None
        while len(self._stays) > MOST:
            self._stays.popitem(last=False)

    def answer(self, scope: Scope, hosts: frozenset[str]) -> Said | None:
        """The answer to a phone that asks for anything but this box.

        None if the request is for us, or came over another network: there a name that isn't ours is refused.
        """
        at, port = scope.get("server") or ("", 0)
        if scope["type"] != "http" or at != self._address or scope["method"] not in ("GET", "HEAD"):
            return None
        if is_our_host(headers_of(scope).get("host", ""), hosts, at):
            return None
        online = ONLINE.get(scope["path"]) if address_of(scope) in self._stays else None
        return online or Said(302, to=f"http://{at}{'' if port == 80 else f':{port}'}/?{ARRIVED}=1")


async def tell(send: Send, said: Said, *, body: bool) -> None:
    words = said.words.encode()
    headers = [(b"cache-control", b"no-store"), *SEALS]
    if said.status != 204:
        headers += [(b"content-type", said.kind.encode()), (b"content-length", str(len(words)).encode())]
    if said.to:
        headers.append((b"location", said.to.encode()))
    await send({"type": "http.response.start", "status": said.status, "headers": headers})
    await send({"type": "http.response.body", "body": words if body else b""})
