"""How the display's pages are read aloud, in whole sentences. Pure."""

from __future__ import annotations

from companion.core import (
    AcceptedPage,
    AdmitPage,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    DuelPage,
    EnrolPage,
    GlancePage,
    IdlePage,
    JoinPage,
    Name,
    NumberPage,
    Page,
    PiecePage,
    RefusedPage,
    Said,
    SpellPage,
    StartingPage,
    StepPage,
    TroublePage,
    TurnPage,
    UnplugPage,
    WifiPage,
)
from companion.library import Speaker


def spoken(page: Page, speaker: Speaker) -> str:
    """A page of the display as speech; "" if there is nothing to say."""
    return sentences(_words(page, speaker))


def sentences(words: list[str]) -> str:
    """One at a time, so that the voice pauses between them."""
    return " ".join(each if each[-1] in ".!?…" else each + "." for each in words if each)


def _words(page: Page, speaker: Speaker) -> list[str]:
    match page:
        case TurnPage(who=who, what=what):
            return _whose(speaker, who, what)
        case RefusedPage(refusal=refusal):
            hands = speaker.refuse(refusal, "hands")
            reason = speaker.refuse(refusal, "say")
            return [speaker.key("voice.no"), reason, *(() if hands == reason else (hands,))]
        case AcceptedPage(lines=lines):
            return _all(speaker, *lines)
        case DuelPage(duel=duel, done=done):
            return _all(speaker, *dict.fromkeys((*duel.words, *done.lines)))
        case TroublePage(said=said):
            cure = speaker.say(said, "hands")
            return [speaker.say(said, "say"), *(() if cure in (said.key, speaker.say(said)) else (cure,))]
        case CheckPage(said=said, who=who, what=what):
            return [*_all(speaker, said), *_whose(speaker, who, what)]
        case GlancePage(title=title, label=label, value=value, lines=lines):
            return [*_all(speaker, title, label), value, *_all(speaker, *(line.said for line in lines))]
        case _:
            return _asked(page, speaker)


def _asked(page: Page, speaker: Speaker) -> list[str]:
    """The pages that ask for a button."""
    match page:
        case ChoosePage(items=items, at=at, who=who):
            return _all(speaker, who, *items[at : at + 1])
        case NumberPage() | SpellPage():
            return _set(page, speaker)
        case ConfirmPage(said=said, foreseen=foreseen):
            return [*_all(speaker, said, *foreseen), speaker.key("voice.confirm")]
        case AdmitPage(waiting=waiting):
            names = speaker.key("voice.admit", n=len(waiting))
            return [names, *(each for phone in waiting for each in (*_all(speaker, phone.who), _spelt(phone.code)))]
        case PiecePage(said=said, where=where, more=more):
            return _all(speaker, said, where, *more)
        case EnrolPage(said=said, note=note, asks=asks):
            return _all(speaker, note, asks, said)
        case StepPage(said=said):
            return _all(speaker, said)
        case WifiPage(name=name):
            return [speaker.key("voice.wifi", name=Name(name))]
        case JoinPage():
            return [speaker.key("voice.join")]
        case _:
            return _resting(page)


def _set(page: NumberPage | SpellPage, speaker: Speaker) -> list[str]:
    """What the dial sets."""
    if isinstance(page, SpellPage):
        return [*_all(speaker, page.title), page.sign or speaker.key("voice.end-typing")]
    return [*_all(speaker, page.title), str(page.at), *_all(speaker, *page.foreseen)]


def _resting(page: Page) -> list[str]:
    """What needs no words: nobody is waiting for it, or the program isn't running."""
    assert isinstance(page, StartingPage | UnplugPage | IdlePage), f"no words for {type(page).__name__}"
    return []


def _whose(speaker: Speaker, who: Said, what: Said) -> list[str]:
    """Who is awaited and for what; nobody is named twice in a row."""
    named, asked = _all(speaker, who), _all(speaker, what)
    return asked if named and asked and named[0] in asked[0] else named + asked


def _all(speaker: Speaker, *said: Said) -> list[str]:
    return [speaker.say(each, "say") for each in said if each.key]


def _spelt(code: str) -> str:
    """A code, letter by letter."""
    return ", ".join(code)
