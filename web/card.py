"""The card that lies on the table: two codes to scan, first the Wi-Fi, then the companion, in both languages."""

from __future__ import annotations

from pathlib import Path

import jinja2

from companion.library import LANGS, Speaker, Texts

from . import TEXTS
from .draw import code_of


def card_page(name: str, password: str, wifi: str, address: str) -> str:
    """One self-contained page of HTML, made to be printed."""
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)
    texts = Texts.load(TEXTS)
    return env.get_template("card.html").render(
        speakers=[Speaker(texts, lang) for lang in LANGS],
        codes=[(code_of(wifi), "wifi"), (code_of(address), "page")],
        name=name,
        password=password,
        address=address,
    )
