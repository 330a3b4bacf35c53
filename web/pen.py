"""What draws for one phone: the words, names and addresses that all of its pages share, bound together once."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from companion.core.facts import Name, Said, Seat
from companion.texts import Speaker

from .dashboard import Dashboard
from .screens import can_be_taken_back
from .session import LANGS, THEMES, Phone

TABS: Final = ("seat", "table", "history", "more")


class Pen:
    """Draws for one phone at one table. A part whose value is the one drawn last is not drawn again.

    Between two acts most of a screen stays as it is, and what is drawn on the path of a tap makes people wait.
    """

    def __init__(self, dash: Dashboard, speaker: Speaker, phone: Phone, table: str) -> None:
        self._env = dash.env
        self._kept: dict[str, tuple[Any, Markup]] = {}
        self._shared: dict[str, Any] = {
            "phone": phone,
            "table": table,
            "t": speaker.key,
            "say": speaker.say,
            "refuse": speaker.refuse,
            "name": Name,
            "seat": Seat,
            "said_no": lambda key, facts: speaker.say(Said("no." + key, facts)),
            "at": lambda path: phone.prefix + path,
            "asset": dash.assets.url,
            "plain": dash.assets.plain,
            "version": dash.assets.version,
            "can_be_taken_back": can_be_taken_back,
            "tabs": TABS,
            "langs": LANGS,
            "themes": THEMES,
            "part": self._part,
        }
        for name in ("bits", "panels"):
            self._shared[name] = self._env.get_template(f"{name}.html").make_module(self._shared)

    def draw(self, template: str, **more: Any) -> str:
        return self._env.get_template(template).render(self._shared, **more)

    def _part(self, name: str, value: Any) -> Markup:
        """For templates: `parts/<name>.html` with `value` as `m`. It may show nothing else that changes."""
        before = self._kept.get(name)
        if before is not None and before[0] == value:
            return before[1]
        drawn = Markup(self.draw(f"parts/{name}.html", m=value))  # noqa: S704 - our own template has escaped it
        self._kept[name] = (value, drawn)
        return drawn
