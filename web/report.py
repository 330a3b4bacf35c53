"""The report of the evening: numbers over time, refusals by rule, time per seat. Everything in it is public."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from companion.core.facts import Said, say
from companion.core.ids import PUBLIC, SeatId
from companion.core.secrets import mask
from companion.journal import TookBack, WasRefused
from companion.library.texts import Speaker
from companion.phones import offers
from companion.phones.offers import Told
from companion.table.snapshot import Snapshot

from .charts import Bar, Chart, bars, chart
from .dashboard import Dashboard
from .screen import Query, Screen
from .session import Phone


class Titled(Struct, frozen=True):
    said: Said
    chart: Chart


class Winner(Struct, frozen=True):
    seat: SeatId
    name: str


class ReportScreen(Struct, frozen=True):
    """`refused` are refusals made on the box: those of a phone are its owner's affair."""

    table: str
    opened: float
    minutes: int
    acts: int
    is_over: bool
    ended: Said | None
    winners: tuple[Winner, ...]
    charts: tuple[Titled, ...]
    refused: tuple[Bar, ...]
    times: tuple[Bar, ...]
    entries: tuple[Told, ...]


def report_screen(dash: Dashboard, snapshot: Snapshot, phone: Phone, _query: Query) -> Screen:
    speaker = dash.speaker(snapshot, phone.lang)
    history = snapshot.history
    result = snapshot.result
    model = ReportScreen(
        table=snapshot.table,
        opened=history[0].at,
        minutes=round((history[-1].at - history[0].at) / 60),
        acts=len(snapshot.at.line) - 1,
        is_over=result is not None,
        ended=result.said if result else None,
        winners=tuple(Winner(seat, snapshot.chairs[seat].name) for seat in result.winners) if result else (),
        charts=tuple(_charts(snapshot)),
        refused=_refused(snapshot),
        times=_times(snapshot, speaker),
        entries=tuple(e for e in offers.history(snapshot, PUBLIC) if e.kind in ("opened", "did", "correction")),
    )
    return Screen("report", say("web.title.report"), "more", model)


def _charts(snapshot: Snapshot) -> Iterator[Titled]:
    """A chart for each number of the game, from what everybody could see after every entry that counts."""
    seqs = tuple(snapshot.at.line)
    names = tuple(chair.name for chair in snapshot.chairs)
    told = [snapshot.game.series(mask(snapshot.states[seq], PUBLIC)) for seq in seqs]
    for n, line in enumerate(told[-1]):
        values = tuple(row[n].values for row in told)
        if any(values) and all(len(row) == len(line.values) for row in values):
            who = names if len(line.values) == len(names) else tuple("" for _ in line.values)
            yield Titled(Said(line.key), chart(tuple(int(s) for s in seqs), values, who))


def _refused(snapshot: Snapshot) -> tuple[Bar, ...]:
    bodies = (entry.body for entry in snapshot.history)
    counted = Counter(body.refusal.rule for body in bodies if isinstance(body, WasRefused) and body.public)
    return bars(tuple((rule, n, str(n), -1) for rule, n in counted.most_common(12)))


def _times(snapshot: Snapshot, speaker: Speaker) -> tuple[Bar, ...]:
    """How long the game waited for each seat; where it waited for several, for each of them."""
    spent: Counter[SeatId] = Counter()
    before = snapshot.history[0]
    state = snapshot.states[before.seq]
    for entry in snapshot.history[1:]:
        decisions = snapshot.game.decisions(state)
        for seat in decisions[-1].seats if decisions else ():
            spent[seat] += max(0, round(entry.at - before.at))
        back = entry.body.to if isinstance(entry.body, TookBack) else entry.seq
        state = snapshot.states.get(back, state)
        before = entry
    rows = [(chair.name, spent[SeatId(n)], n) for n, chair in enumerate(snapshot.chairs)]
    text = [speaker.key("web.report.duration", m=seconds // 60, s=seconds % 60) for _, seconds, _ in rows]
    return bars(tuple((name, seconds, text[n], n) for name, seconds, n in rows))
