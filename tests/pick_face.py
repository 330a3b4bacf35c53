"""How pick-a-card is shown: every panel and every shape that a page can draw, and its texts in both languages."""

from __future__ import annotations

from companion.core import (
    Bar,
    Card,
    Cell,
    Check,
    Checks,
    Disc,
    Ledger,
    Meter,
    Noted,
    Part,
    Picture,
    Piece,
    PieceId,
    Row,
    RuleId,
    Said,
    Seat,
    SeatId,
    Shape,
    Shown,
    Slots,
    Standing,
    Stroke,
    Token,
    Track,
    Zone,
    say,
)

ICONS = {"lab": '<path d="M9 3h6v6l5 12H4l5-12z"/>'}


def chips(number: int) -> Said:
    return say("pick.chips", n=number)


def panels(number: int) -> tuple[Shown, ...]:
    """One of each, for this number of chips."""
    said = chips(number)
    bar, check, row = (
        Bar(said, (Part(said, number, "used"), Part(said, 1, "left"))),
        Check(said, False, RuleId("X3")),
        Row(said, said, "1"),
    )
    return (
        Standing((said,), SeatId(0), say("pick.stands"), say("pick.word"), str(number), bar, (check,), said, (said,)),
        Slots((), (Cell(said, "lab", said, 1, down=True), Cell(said, "lab"))),
        Meter((), (bar,), said),
        Track((), said, ("1", "2", "!"), 1, said),
        Checks((), said, (check,)),
        Noted(said, "lab"),
        Ledger((), said, said, (row,)),
        Ledger((), said, said, (row,), folded=True),
    )


def picture(hands: tuple[tuple[PieceId, ...], ...], turn: SeatId) -> Picture:
    held = [
        Card(10 + 70 * i, 10 + 110 * s, 60, 90, say("pick.card", card=Piece(c)), down=True)
        for s, hand in enumerate(hands)
        for i, c in enumerate(hand)
    ]
    shapes: tuple[Shape, ...] = (
        Zone(0, 0, 360, 110, say("pick.zone"), SeatId(0), Token("place", "hand-0")),
        *held,
        Stroke(((0, 215), (360, 235)), "brass", "double", say("pick.zone")),
        Stroke(((0, 225), (360, 225)), "brass", "double"),
    )
    disc = Disc(330, 260, 14, say("pick.pawn", who=Seat(turn)), turn, "seal")
    said = say("pick.pawn", who=Seat(SeatId(0)))
    walker = Disc(30 + 60 * turn, 285, 9, said, SeatId(0), "seal", Token("seat", 0))
    return Picture(360, 300, (*shapes, disc, walker), tuple(card.said for card in held))


TEXTS = {
    "game.title": ("Pick & Co", "Pioche & Cie"),
    "game.short": ("PICK", "PIOCHE"),
    "pick.stands": ("stands well", "est bien"),
    "pick.word": ("chips", "jetons"),
    "verb.lay": ("Lay a card", "Poser une carte"),
    "verb.seal": ("Seal a card", "Sceller une carte"),
    "verb.bet": ("Bet", "Miser"),
    "verb.pass": ("Pass", "Passer"),
    "verb.drew": ("Draw a card", "Tirer une carte"),
    "verb.set-chips": ("Set chips", "Fixer les jetons"),
    "intent.lay": ("Lay {card}", "Poser {card}"),
    "intent.seal": ("Seal {card}", "Sceller {card}"),
    "intent.bet": ("Bet {number}", "Miser {number}"),
    "intent.pass": ("Pass", "Passer"),
    "intent.drew": ("{card} was drawn", "{card} a été tirée"),
    "intent.set-chips": ("{seat} has {number} chips", "{seat} a {number} jetons"),
    "event.laid": ("{seat} laid {card}", "{seat} a posé {card}"),
    "event.was-sealed": ("{seat} sealed a card", "{seat} a scellé une carte"),
    "event.was-bet": ("{seat} bet {number}", "{seat} a misé {number}"),
    "event.was-drawn": ("{seat} drew a card", "{seat} a tiré une carte"),
    "event.passed": ("{seat} passed", "{seat} a passé"),
    "event.chips-set": ("Chips of {seat} set to {number}", "Jetons de {seat} fixés à {number}"),
    "decide.turn": ("Lay, seal, bet or pass.", "Posez, scellez, misez ou passez."),
    "decide.draw": ("A card is drawn.", "Une carte est tirée."),
    "no.your-turn": ("It is the turn of {who}.", "C’est le tour de {who}."),
    "ok.your-turn": ("It is your turn", "C’est votre tour"),
    "no.in-hand": ("{card} is not in your hand.", "{card} n’est pas dans votre main."),
    "ok.in-hand": ("The card is in your hand", "La carte est dans votre main"),
    "no.afford": ("{number} is more than your {have} chips.", "{number}, c’est plus que vos {have} jetons."),
    "ok.afford": ("You can pay it", "Vous pouvez payer"),
    "no.drawing": ("No card is to be drawn.", "Il n’y a pas de carte à tirer."),
    "no.recheck": ("Look again at the top card.", "Regardez encore la carte du dessus."),
    "no.no-more": ("There are 9 chips.", "Il y a 9 jetons."),
    "rule.X1": ("Only the seat whose turn it is acts.", "Seul celui dont c’est le tour agit."),
    "rule.X2": ("A card is laid from the own hand.", "Une carte se pose de sa propre main."),
    "rule.X3": ("Nobody bets more than they own.", "Nul ne mise plus qu’il n’a."),
    "rule.X4": ("After a card is laid, one is drawn.", "Quand une carte est posée, on en tire une."),
    "rule.X5": ("The top card is drawn.", "On tire la carte du dessus."),
    "rule.X6": ("Nobody has more than 9 chips.", "Nul n’a plus de 9 jetons."),
    "place.hand-0": ("Hand of the first seat", "Main de la première place"),
    "place.hand-1": ("Hand of the second seat", "Main de la deuxième place"),
    "place.hand-2": ("Hand of the third seat", "Main de la troisième place"),
    "place.open": ("The middle", "Le milieu"),
    "pick.zone": ("First hand", "Première main"),
    "pick.card": ("{card}", "{card}"),
    "pick.pawn": ("Pawn of {who}", "Pion de {who}"),
    "pick.piece": ("Card {name}", "Carte {name}"),
    "pick.headline": ("{n} laid", "{n} posées"),
    "pick.chips": ("{n} chips", "{n} jetons"),
    "pick.poor": ("The first seat is out of chips.", "La première place n’a plus de jetons."),
    "pick.over": ("All cards are laid.", "Toutes les cartes sont posées."),
    "pick.chips-line": ("Chips over time", "Les jetons au fil du temps"),
    "pick.open-line": ("Cards over time", "Les cartes au fil du temps"),
    "pick.foreseen": ("then one card less", "puis une carte de moins"),
}
