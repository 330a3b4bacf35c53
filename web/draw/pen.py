"""What draws for one phone: the words, names and addresses that all its pages share, bound together once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any, Final

from markupsafe import Markup

from companion.core import Icon, Name, Said, Seat
from companion.library import LANGS, Speaker, tell
from web.door import THEMES, Phone

from .assets import Assets
from .templates import templates

TABS: Final = ("seat", "table", "history", "more")


class Pen:
    """Draws for one phone at one table. A part whose value hasn't changed is not drawn again.

    Between two acts most of a screen stays the same, and people wait for whatever is drawn after a tap.
    """

    def __init__(
        self,
        assets: Assets,
        speaker: Speaker,
        phone: Phone,
        table: str,
        icons: Mapping[Icon, str],
    ) -> None:
        self._env = templates()
        self._kept: dict[str, tuple[Any, Markup]] = {}
        self._shared: dict[str, Any] = {
            "phone": phone,
            "table": table,
            "icons": {name: Markup(lines) for name, lines in icons.items()},  # noqa: S704 - a game is part of the program
            "t": speaker.key,
            "say": speaker.say,
            "tell": partial(tell, speaker),
            "refuse": speaker.refuse,
            "name": Name,
            "seat": Seat,
            "said_no": lambda key, facts: speaker.say(Said("no." + key, facts)),
            "at": lambda path: phone.prefix + path,
            "asset": assets.url,
            "plain": assets.plain,
            "version": assets.version,
            "tabs": TABS,
            "langs": LANGS,
            "themes": THEMES,
            "part": self._part,
        }
        self._shared["bits"] = bits = self._env.get_template("bits.html").make_module(self._shared)
        for always_the_same in ("icon", "die", "badge"):
            setattr(bits, always_the_same, lru_cache(maxsize=128)(getattr(bits, always_the_same)))
        drawn = self._env.get_template("drawn.html").make_module(self._shared)
        self._shared["defs"] = lru_cache(maxsize=8)(drawn.defs)  # type: ignore[attr-defined]
        panels = self._env.get_template("panels.html").make_module(self._shared | {"drawn": self._drawn})
        self._shared["panels"] = panels

    def draw(self, template: str, **more: Any) -> str:
        return self._env.get_template(template).render(self._shared, **more)

    @cached_property
    def _drawn(self) -> Callable[[str, Hashable], Markup]:
        """For panels: draws a value with the macro of that name; cached, since most are unchanged after a tap."""
        return lru_cache(maxsize=256)(lambda macro, value: getattr(self._shared["panels"], macro)(value))

    def _part(self, name: str, value: Any) -> Markup:
        """For templates: `parts/<name>.html` with `value` as `m`. It must not depend on anything else that changes."""
        before = self._kept.get(name)
        if before is not None and before[0] == value:
            return before[1]
        drawn = Markup(self.draw(f"parts/{name}.html", m=value))  # noqa: S704 - our own template has escaped it
        self._kept[name] = (value, drawn)
        return drawn
