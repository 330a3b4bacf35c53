"""The referee check on the box: what is wrong and whose move it is, then a page for each seat, then the rest. Pure.

Each of these pages is read at a glance; what is behind one is opened with OK and walked line by line.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.facts import Said, Seat, say
from companion.core.ids import PUBLIC
from companion.core.pages import CheckPage, Glance, GlancePage
from companion.core.panels import Shown, Standing, Words, words_of
from companion.table.snapshot import Snapshot


def pages(scene: Snapshot) -> tuple[CheckPage | GlancePage, ...]:
    """All of them, as everybody may know them; the first says that all is fine, or what is wrong."""
    status = scene.game.status(scene.view(PUBLIC))
    wrong = [finding.said for finding in status.findings]
    glances = list(_glances(status.facts))
    first, of = max(len(wrong), 1), max(len(wrong), 1) + len(glances)
    who, what = whose_move(scene)
    return (
        *(CheckPage(said, at, of, bool(wrong), who, what) for at, said in enumerate(wrong or [say("check.fine")], 1)),
        *(replace(page, at=at, of=of) for at, page in enumerate(glances, first + 1)),
    )


def behind(scene: Snapshot, at: int) -> Words:
    """Everything behind page `at`, line by line; nothing where the page has told it all."""
    facts = scene.game.status(scene.view(PUBLIC)).facts
    shown = [(each,) for each in _seats(facts)] + [_rest(facts)]
    place = at - (len(pages(scene)) - len(list(_glances(facts))))
    return words_of(shown[place]) if place >= 0 else ()


def whose_move(scene: Snapshot) -> tuple[Said, Said]:
    """Who is awaited, and for what; after the end, how it ended."""
    if scene.result is not None:
        return scene.result.said, say("box.over-what")
    decision = scene.decisions[-1]
    one = len(decision.seats) == 1
    who = say("box.who", seat=Seat(decision.seats[0])) if one else say("box.several", n=len(decision.seats))
    return who, Said("decide." + decision.kind, decision.facts)


def _glances(facts: tuple[Shown, ...]) -> Iterator[GlancePage]:
    yield from (_seat(standing) for standing in _seats(facts))
    if rest := words_of(_rest(facts)):
        yield GlancePage(say("check.table"), tuple(Glance(said) for said in rest))


def _seats(facts: tuple[Shown, ...]) -> list[Standing]:
    return [each for each in facts if isinstance(each, Standing)]


def _rest(facts: tuple[Shown, ...]) -> tuple[Shown, ...]:
    return tuple(each for each in facts if not isinstance(each, Standing))


def _seat(stands: Standing) -> GlancePage:
    """What matters most comes first: what does not fit is behind the page."""
    lines = [Glance(stands.alarm, "alarm")] if stands.alarm else []
    lines.append(Glance(stands.said))
    lines += [Glance(check.said, "kept" if check.kept else "missing") for check in stands.checks]
    lines += [Glance(note) for note in stands.notes]
    who = say("box.who", seat=Seat(stands.seat))
    return GlancePage(who, tuple(lines), stands.label, stands.value)
