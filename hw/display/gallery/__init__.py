"""Every page of the display as a picture: `python -m hw.display.gallery docs/pictures` writes oled.png."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from companion.core import (
    CODE_LENGTH,
    CODE_SIGNS,
    AcceptedPage,
    AdmitPage,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    Duel,
    DuelPage,
    EnrolPage,
    Glance,
    GlancePage,
    IdlePage,
    JoinPage,
    Name,
    NumberPage,
    Page,
    PiecePage,
    Refusal,
    RefusedPage,
    RuleId,
    Said,
    SeatId,
    Seq,
    Side,
    SpellPage,
    StartingPage,
    StepPage,
    TroublePage,
    TurnPage,
    UnplugPage,
    Waits,
    WifiPage,
    say,
)
from companion.library import LANGS, Lang, Names, Speaker, Texts
from hw.display.draw import Around, draw
from hw.display.faces import faces
from hw.display.sheet import HEIGHT, WIDTH

HERE: Final = Path(__file__).parent
FOLDERS: Final = (HERE.parents[1] / "texts", HERE / "texts")
AROUND: Final = Around(address="HTTP://10.42.0.1/J", drift=1)

_ADA: Final = say("sample.who", who=Name("Ada"))
_BERENICE: Final = say("sample.who", who=Name("Bérénice-Éléonore"))
_ROUND: Final = say("sample.round", n=9)
_CHOICES: Final = tuple(
    say(key) for key in ("sample.gold", "sample.move", "sample.research", "sample.manoeuvre", "sample.pass")
)


_WAITING: Final = (Waits(_ADA, "KQX"), Waits(_BERENICE, "BTL"), Waits(_ADA, "RRW"), Waits(_ADA, "ZZD"))


def _turn(who: Said, what: str, hint: str) -> TurnPage:
    return TurnPage(say("sample.title"), _ROUND, who, say(what), say(hint))


_STANDS: Final = (
    Glance(say("sample.market")),
    Glance(say("sample.power", n=18)),
    Glance(say("sample.umbrella"), "kept"),
    Glance(say("sample.harpoon"), "missing"),
)
_BOUGHT: Final = say("sample.bought")
_MORE: Final = (say("sample.cost"), say("sample.power", n=18))
_DUEL: Final = Duel(
    (say("sample.miss"),),
    (Side(SeatId(0), say("sample.sum", n=9), _ADA), Side(SeatId(1), say("sample.sum", n=11), _ADA)),
    say("sample.miss"),
    outcome=say("sample.miss"),
)
PAGES: Final[tuple[tuple[str, Page], ...]] = (
    ("starting", StartingPage()),
    ("unplug", UnplugPage()),
    ("join", JoinPage()),
    ("wifi", WifiPage("TABLE", "K7QX2M9PAB", "WIFI:T:WPA;S:TABLE;P:K7QX2M9PAB;;")),
    ("admit", AdmitPage((Waits(_ADA, "KQX"),))),
    ("admit-several", AdmitPage(_WAITING)),
    ("admit-marked", AdmitPage(_WAITING, 3)),
    ("turn", _turn(_ADA, "sample.act", "sample.next")),
    ("turn-long", _turn(_BERENICE, "sample.long-act", "")),
    ("turn-away", _turn(_ADA, "sample.act", "sample.away")),
    ("choose", ChoosePage(_ROUND, _CHOICES[:2], 1, _ADA)),
    ("choose-long", ChoosePage(_ROUND, _CHOICES, 4)),
    ("choose-other", ChoosePage(_ROUND, _CHOICES, 1, _BERENICE, other=True)),
    ("number", NumberPage(say("sample.die"), 1, 6, 4, (), _ADA, _ROUND)),
    ("number-long", NumberPage(say("sample.bid"), 0, 1200, 1200, (say("sample.cost"),), _BERENICE, _ROUND)),
    ("number-bare", NumberPage(say("sample.seats"), 2, 6, 3)),
    ("spell", SpellPage(say("sample.code"), "K7MP", tuple(CODE_SIGNS), 14, CODE_LENGTH)),
    ("spell-end", SpellPage(say("sample.address"), "192.168.100.200:8090", ("", *"0123456789.:"), 0)),
    ("confirm", ConfirmPage(say("sample.buy"), (say("sample.cost"),), _ADA)),
    ("confirm-long", ConfirmPage(say("sample.buy"), (say("sample.cost"), say("sample.power", n=18)), _ADA)),
    (
        "confirm-other",
        ConfirmPage(say("sample.buy"), (say("sample.cost"), say("sample.power", n=18)), _BERENICE, other=True),
    ),
    ("confirm-held", ConfirmPage(say("sample.buy"), (say("sample.cost"),), _BERENICE, True, "hold")),
    ("confirm-stand", ConfirmPage(say("sample.buy"), (say("sample.cost"),), _ADA, takes="stand")),
    ("confirm-short", ConfirmPage(say("sample.gold"), ())),
    ("accepted", AcceptedPage(Seq(120), (say("sample.bought"), say("sample.umbrella"), say("sample.power", n=18)))),
    ("accepted-one", AcceptedPage(Seq(121), (say("sample.drew", who=Name("Ada")),))),
    ("duel", DuelPage(_DUEL, AcceptedPage(Seq(122), ()))),
    ("refused", RefusedPage(Refusal(RuleId("P22"), "sample.gold", (("have", 6), ("need", 8))))),
    ("refused-other", RefusedPage(Refusal(RuleId("P22"), "sample.gold", (("have", 6), ("need", 8))), _BERENICE)),
    ("refused-long", RefusedPage(Refusal(RuleId("P3"), "sample.turn", (("who", Name("Bérénice")),)))),
    ("refused-bare", RefusedPage(Refusal(RuleId("C4"), "sample.bare"))),
    ("check", CheckPage(say("sample.check-power", who=Name("Ada"), n=13), 1, 4, is_problem=False)),
    ("check-problem", CheckPage(say("sample.check-hand", who=Name("Dov")), 3, 4, is_problem=True)),
    ("check-fine", CheckPage(say("sample.fine"), 1, 5, False, _ADA, say("sample.act"))),
    ("check-first", CheckPage(say("sample.check-hand", who=Name("Dov")), 1, 5, True, _BERENICE, say("sample.act"))),
    ("glance", GlancePage(_ADA, _STANDS, say("sample.points"), "29", 2, 5)),
    (
        "glance-long",
        GlancePage(_BERENICE, (Glance(say("sample.long-act"), "alarm"), *_STANDS), say("sample.points"), "29"),
    ),
    ("piece", PiecePage(say("sample.harpoon"), say("sample.market"))),
    (
        "piece-more",
        PiecePage(say("sample.harpoon"), say("sample.market"), (say("sample.cost"), say("sample.power", n=18))),
    ),
    ("enrol", EnrolPage(say("sample.umbrella"), say("sample.enrolled"), 12, 56, say("sample.lay"))),
    ("enrol-first", EnrolPage(say("sample.umbrella"), Said(""), 1, 56, say("sample.lay"))),
    ("enrol-used", EnrolPage(say("sample.umbrella"), say("sample.used"), 13, 56, say("sample.lay"), used=True)),
    ("step", StepPage(say("sample.by-hand"), say("sample.carry"), 1, 3)),
    ("step-wrong", StepPage(say("sample.astray"), say("sample.carry"), 2, 2, is_wrong=True)),
    ("trouble", TroublePage(say("sample.reader"))),
    ("idle", IdlePage(say("sample.title"), say("sample.to-play", who=Name("Ada")))),
)
"""A name and a page for everything the display can show."""

LOOKS: Final[tuple[tuple[str, Page, AcceptedPage | None], ...]] = (
    *((name, page, None) for name, page in PAGES),
    ("turn-accepted", _turn(_ADA, "sample.act", "sample.next"), AcceptedPage(Seq(1), (say("sample.bought"),))),
    (
        "choose-accepted",
        ChoosePage(_ROUND, _CHOICES[:2], 1, _ADA),
        AcceptedPage(Seq(2), (say("sample.drew", who=Name("Ada")), say("sample.power", n=18))),
    ),
    (
        "turn-accepted-long",
        _turn(_ADA, "sample.act", "sample.next"),
        AcceptedPage(Seq(3), (say("sample.check-hand", who=Name("Dov")),)),
    ),
    (
        "turn-accepted-other",
        _turn(_ADA, "sample.act", "sample.next"),
        AcceptedPage(Seq(4), (say("sample.bought"),), say("sample.who", who=Name("Ben"))),
    ),
    *(
        (f"turn-accepted-leaf-{leaf.at}", _turn(_ADA, "sample.act", "sample.next"), leaf)
        for leaf in AcceptedPage(Seq(5), (_BOUGHT, *_MORE, _BOUGHT, _MORE[1]), _BERENICE).leaves
    ),
)
"""The pages, and some of them with an accepted act at their foot."""


def speaker(lang: Lang) -> Speaker:
    """Speaks the pages' labels and the sample sentences; needs the compiled texts."""
    return Speaker(Texts.load(*FOLDERS), lang, Names(("Ada", "Bérénice-Éléonore"), lambda _piece: Said(""), Said))


def picture(lang: Lang, page: Page, over: AcceptedPage | None = None) -> Image.Image:
    return draw(page, speaker(lang), AROUND, over)


def gallery_sheet(scale: int = 3) -> Image.Image:
    """All pages, enlarged, English beside French."""
    gap, label = 14, 20
    wide, high = WIDTH * scale, HEIGHT * scale
    rows = (len(LOOKS) + 1) // 2
    sheet = Image.new("L", (4 * (wide + gap) + gap, rows * (high + label + gap) + gap), 70)
    pen = ImageDraw.Draw(sheet)
    pen.fontmode = "1"
    for n, (name, page, over) in enumerate(LOOKS):
        for column, lang in enumerate(LANGS):
            x = gap + ((n % 2) * 2 + column) * (wide + gap)
            y = gap + (n // 2) * (high + label + gap)
            image = picture(lang, page, over).convert("L").resize((wide, high), Image.Resampling.NEAREST)
            sheet.paste(image, (x, y))
            pen.text((x, y + high + 3), f"{name}  {lang}", font=faces()[16].font, fill=235)
    return sheet
