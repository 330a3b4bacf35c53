"""The referee check on the box: what is wrong and whose move it is, then a page per seat, then the rest. Pure.

Each page can be read at a glance; OK opens what is behind it, to be walked line by line.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    CheckPage,
    Glance,
    GlancePage,
    Name,
    Page,
    Said,
    Seat,
    Shown,
    Standing,
    Token,
    Words,
    say,
    words_of,
)
from companion.table import Show, Snapshot, Told, past_of

from .about import about
from .dialog import REST, Dialog, Then, whose_move


class Check(Dialog, frozen=True):
    """Page `at` is shown, or `line` of what is behind it if that is open. A tap tells about that piece."""

    at: int = 0
    line: int | None = None

    def page(self, scene: Snapshot) -> Page:
        if self.line is None:
            shown = pages(scene)
            return shown[self.at % len(shown)]
        lines = behind(scene, self.at)
        at = self.line % len(lines)
        return CheckPage(lines[at], at + 1, len(lines), is_problem=False)

    def tap(self, scene: Snapshot, token: Token) -> Then:
        return self, Show(about(scene, token))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        """Open what is behind a page, or close it; on the first page, with nothing behind it, leave."""
        if self.line is not None:
            return replace(self, line=None), None
        return (replace(self, line=0), None) if behind(scene, self.at) else REST

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        return super().back(scene, held) if held or self.line is None else (replace(self, line=None), None)

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        size = self._size(scene)
        if not size:
            return self
        if self.line is not None:
            return replace(self, line=(self.line + steps) % size)
        return replace(self, at=(self.at + steps) % size)

    def walks(self, scene: Snapshot) -> bool:
        return self._size(scene) > 1

    def _size(self, scene: Snapshot) -> int:
        return len(pages(scene) if self.line is None else behind(scene, self.at))


def pages(scene: Snapshot) -> tuple[CheckPage | GlancePage, ...]:
    """All pages, as everybody may know them; the first says that all is fine, or what is wrong."""
    status = scene.game.status(scene.view(PUBLIC))
    wrong = [*scene.lies_wrong, *(finding.said for finding in status.findings)]
    glances = [page for page, _ in _glances(scene, status.facts)]
    first, of = max(len(wrong), 1), max(len(wrong), 1) + len(glances)
    who, what = whose_move(scene)
    return (
        *(CheckPage(said, at, of, bool(wrong), who, what) for at, said in enumerate(wrong or [say("check.fine")], 1)),
        *(replace(page, at=at, of=of) for at, page in enumerate(glances, first + 1)),
    )


def behind(scene: Snapshot, at: int) -> Words:
    """Everything behind page `at`, line by line; nothing if the page has said it all."""
    told = [words for _, words in _glances(scene, scene.game.status(scene.view(PUBLIC)).facts)]
    place = at - (len(pages(scene)) - len(told))
    return told[place] if place >= 0 else ()


def _glances(scene: Snapshot, facts: tuple[Shown, ...]) -> Iterator[tuple[GlancePage, Words]]:
    """The pages after the first, each with all that is behind it."""
    yield from ((_seat(standing), words_of((standing,))) for standing in _seats(facts))
    if rest := words_of(_rest(facts)):
        yield GlancePage(say("check.table"), tuple(Glance(said) for said in rest)), rest
    if stands := past_of(scene, PUBLIC).against_rules():
        lines = tuple(_mark(told) for told in reversed(stands))
        words = tuple(said for told in reversed(stands) for said in (_mark(told), *told.lines))
        yield GlancePage(say("check.against"), tuple(Glance(line) for line in lines), value=str(len(stands))), words
    if scene.club:
        shown = say("check.club.shown", club=Name(scene.club))
        yield GlancePage(say("check.club"), (Glance(shown),)), (shown,)


def _mark(told: Told) -> Said:
    return say("check.mark", n=told.seq, who=Seat(told.who), rule=Name(told.marks[0]))


def _seats(facts: tuple[Shown, ...]) -> list[Standing]:
    return [each for each in facts if isinstance(each, Standing)]


def _rest(facts: tuple[Shown, ...]) -> tuple[Shown, ...]:
    return tuple(each for each in facts if not isinstance(each, Standing))


def _seat(stands: Standing) -> GlancePage:
    """Most important first: what does not fit is behind the page."""
    lines = [Glance(stands.alarm, "alarm")] if stands.alarm else []
    lines.append(Glance(stands.said))
    lines += [Glance(check.said, "kept" if check.kept else "missing") for check in stands.checks]
    lines += [Glance(note) for note in stands.notes]
    who = say("box.who", seat=Seat(stands.seat))
    return GlancePage(who, tuple(lines), stands.label, stands.value)
