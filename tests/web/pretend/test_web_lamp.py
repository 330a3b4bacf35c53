"""The text beside the pretend lamp names the colour that it shows."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.core import Signal
from companion.library import LANGS, Lang, Speaker, Texts
from hw.signals.patterns import Shine, light_at_rest, lights
from web import TEXTS

WORDS = {
    "red": ("red", "rouge"),
    "green": ("green", "vert"),
    "blue": ("blue", "bleu"),
    "amber": ("amber", "ambre"),
    "gold": ("gold", "doré"),
    "violet": ("violet", "violet"),
}


def colour(shine: Shine) -> str:
    """What people would call this light."""
    red, green, blue = (part / max(shine.red, shine.green, shine.blue) for part in (shine.red, shine.green, shine.blue))
    if green == 1:
        return "green"
    if blue == 1:
        return "violet" if red > 0.4 else "blue"
    return "red" if green < 0.2 else "amber" if green < 0.6 else "gold"


def named(words: str, lang: Lang) -> set[str]:
    """The colours that a caption mentions."""
    return {name for name, word in WORDS.items() if word[LANGS.index(lang)] in words.lower()}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("signal", get_args(Signal))
def test_the_caption_names_the_colour_of_the_lamp(signal: Signal, lang: Lang) -> None:
    caption = Speaker(Texts.load(TEXTS), lang).key(f"web.lamp.{signal}")
    score = [*lights(signal), *(light_at_rest(in_trouble=True) if signal == "trouble" else ())]
    seen = [colour(shine) for shine in score if (shine.red, shine.green, shine.blue) != (0, 0, 0)]
    assert named(caption, lang) <= set(seen), f"no such colour is to be seen: {caption}"
    assert not seen or seen[0] in named(caption, lang), f"it shines {seen[0]}: {caption}"


def test_a_caption_of_another_colour_would_be_noticed() -> None:
    """The control: green is written and blue is seen."""
    assert colour(lights("check-fine")[0]) == "blue"
    assert named("Green: in order", "en") == {"green"}
