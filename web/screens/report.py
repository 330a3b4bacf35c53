"""The report of the evening: charts, refusals by rule, what stands against a rule, time per seat. All of it is
public.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

from flask import Blueprint, Response, g
from msgspec import Struct

from companion.core import Mode, Said, say
from companion.library import Speaker
from companion.table.outside import Seen, Told
from web.draw import Bar, Chart, bars, chart
from web.screen import Dashboard, Page, Screen, Visit, as_time, render_report

from .ending import Ending, ending


class Titled(Struct, frozen=True):
    said: Said
    chart: Chart


class Stands(Struct, frozen=True):
    """Something that stands against a rule, and the wall-clock time."""

    told: Told
    clock: str


class ReportScreen(Struct, frozen=True):
    """`refused` are refusals made on the box: those on a phone are their owner's business."""

    table: str
    opened: float
    minutes: int
    acts: int
    ending: Ending | None
    charts: tuple[Titled, ...]
    refused: tuple[Bar, ...]
    times: tuple[Bar, ...]
    late: tuple[Bar, ...] | None
    """Turns that exceeded the turn clock; None without a clock."""
    limit: str
    entries: tuple[Told, ...]
    stands: tuple[Stands, ...]
    mode: Mode
    """How acts against a rule came to stand: a strict table had to be asked."""


def report_screen(visit: Visit) -> Screen:
    seen = visit.public
    history = seen.past.told()
    model = ReportScreen(
        table=seen.table,
        opened=history[0].at,
        minutes=round((history[-1].at - history[0].at) / 60),
        acts=len(seen.line) - 1,
        ending=ending(seen),
        charts=tuple(charts(seen)),
        refused=_refused(history),
        times=_times(seen, visit.words),
        late=_late(seen),
        limit=as_time(seen.clock.wanted.seconds) if seen.clock is not None else "",
        stands=tuple(Stands(e, _clock(e.at)) for e in history if e.stands_against_rules),
        mode=seen.mode,
        entries=tuple(e for e in history if e.kind in ("opened", "did", "correction")),
    )
    return Screen("report", say("web.title.report"), "more", model)


def _clock(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))


def charts(seen: Seen) -> Iterator[Titled]:
    """A chart for each of the game's numbers, from what everybody could see after each entry that counts."""
    names, told = tuple(chair.name for chair in seen.chairs), seen.past.series()
    for n, line in enumerate(told[-1]):
        values = tuple(row[n].values for row in told)
        if any(values) and all(len(row) == len(line.values) for row in values):
            who = names if len(line.values) == len(names) else tuple("" for _ in line.values)
            yield Titled(Said(line.key), chart(tuple(int(seq) for seq in seen.line), values, who))


def _refused(history: tuple[Told, ...]) -> tuple[Bar, ...]:
    counted = Counter(mark for entry in history if entry.kind == "refused" for mark in entry.marks)
    return bars(tuple((rule, n, str(n), -1) for rule, n in counted.most_common(12)))


def _times(seen: Seen, speaker: Speaker) -> tuple[Bar, ...]:
    waited = seen.past.waited()
    text = [speaker.key("web.report.duration", m=seconds // 60, s=seconds % 60) for seconds in waited]
    return bars(tuple((chair.name, waited[n], text[n], n) for n, chair in enumerate(seen.chairs)))


def _late(seen: Seen) -> tuple[Bar, ...] | None:
    if seen.clock is None:
        return None
    late = seen.past.overtimes(seen.clock.wanted.seconds)
    return bars(tuple((chair.name, late[n], str(late[n]), n) for n, chair in enumerate(seen.chairs) if late[n]))


PAGES: Final = (Page("report", report_screen),)


def blueprint(_dash: Dashboard) -> Blueprint:
    ways = Blueprint("report", __name__)

    @ways.get("/report.html")
    def saved() -> Response:
        screen, seen = report_screen(g.visit), g.visit.seen
        response = Response(render_report(g.visit, screen), mimetype="text/html")
        day = time.strftime("%Y-%m-%d", time.localtime(screen.model.opened))
        name = f"{seen.game.id}-{day}-{seen.table}.html"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return ways
