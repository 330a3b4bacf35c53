"""One visit of one phone: everything that a screen is made from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

from flask import g, request

from companion.core import PUBLIC
from companion.library import Speaker
from companion.table.outside import Moment, Seen
from web.door import Phone, cookies_of

from .dashboard import Dashboard

Query: TypeAlias = Mapping[str, str]


class Visit:
    """Who is looking, what they may see, in which language; and what the address asks for."""

    def __init__(self, dash: Dashboard, phone: Phone, moment: Moment, query: Query | None = None) -> None:
        self.dash, self.phone, self.moment = dash, phone, moment
        self.query: Query = {} if query is None else query

    @property
    def public(self) -> Seen:
        """What everybody may see."""
        return self.moment.public

    @cached_property
    def seen(self) -> Seen:
        """What this phone may see."""
        audience = self.phone.audience
        return self.public if audience == PUBLIC else self.moment.seen_by(audience)

    @cached_property
    def words(self) -> Speaker:
        return self.dash.speaker(self.seen, self.phone.lang)

    def afresh(self) -> Visit:
        """The same phone's visit as of now."""
        return Visit(self.dash, self.phone, self.dash.table.moment, self.query)

    def asking(self, query: Query) -> Visit:
        """The same visit, for another address."""
        return Visit(self.dash, self.phone, self.moment, query)


def visit_of(dash: Dashboard) -> Visit:
    """The visit that this request makes; one for the whole of it."""
    if "visit" not in g:
        moment, cookies = dash.table.moment, cookies_of(request.headers.get("Cookie", ""))
        phone = dash.phone(cookies, request.script_root, request.headers.get("Accept-Language", ""), moment.public)
        g.visit = Visit(dash, phone, moment, request.args)
    visit: Visit = g.visit
    return visit
