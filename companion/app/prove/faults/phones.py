"""What happens to phones, and who else is in the Wi-Fi."""

from __future__ import annotations

import json
import socket

from companion.app.prove.evening import Command, Evening
from companion.app.prove.phones import Answer, Phone, ours
from companion.core import SeatId

from .registry import NotNow, fault

_NOTHING = "it is refused, and the record has nothing of it"


class Granted(AssertionError):
    """Somebody was let do what nobody may."""


def _someone(evening: Evening) -> tuple[SeatId, Phone]:
    seat = evening.dice.choice(evening.plan.people)
    return seat, evening.phones[seat]


def next_command(evening: Evening) -> Command:
    """What somebody is about to send; raises NotNow where the game is over."""
    now, seats = evening.awaited()
    if not seats:
        raise NotNow("the game is over")
    seat = evening.dice.choice(seats)
    return evening.command(now, seat, evening.choose(now, seat))


def _refused(answer: Answer, what: str) -> None:
    if answer.status < 400:
        raise Granted(f"{what} was answered with {answer.status}")


@fault("phone-sleeps", "a phone sleeps while others play, and wakes", "it is told again what is so")
def _sleeps(evening: Evening) -> None:
    seat, phone = _someone(evening)
    phone.sleep()
    evening.act()
    before = len(phone.got)
    phone.listen(evening.box.port, evening.screen())
    evening.until(lambda: len(phone.got) > before, f"the phone of seat {seat} is told what is so")


@fault("phone-reloads", "a page is loaded again", "it is shown")
def _reloads(evening: Evening) -> None:
    _, phone = _someone(evening)
    if phone.get(evening.box.port, "/seat", evening.newest).status >= 500:
        raise Granted("a page could not be made")
    phone.listen(evening.box.port, evening.screen())


@fault("command-repeated", "a phone sends the same command three times", "it is answered alike, and done once")
def _repeated(evening: Evening) -> None:
    command = next_command(evening)
    answers = {evening.send(command).seq for _ in range(3)}
    if len(answers) > 1:
        raise Granted(f"one command was answered with entries {sorted(answers)}")


@fault("command-stale", "a phone answers a question that is over", _NOTHING)
def _stale(evening: Evening) -> None:
    now, (seat, phone) = evening.record.now(), _someone(evening)
    sent, body = evening.command(now, seat, evening.wild(now, seat))
    body["asked"] += 1000
    _refused(phone.post(evening.box.port, "/command", body, evening.newest), "a stale command")
    sent.seq = 0


@fault("command-of-another-game", "a phone answers a question of a game that is not played", _NOTHING)
def _other_game(evening: Evening) -> None:
    now, (seat, phone) = evening.record.now(), _someone(evening)
    sent, body = evening.command(now, seat, evening.wild(now, seat))
    body["table"] = "zzzz"
    _refused(phone.post(evening.box.port, "/command", body, evening.newest), "a command of another game")
    sent.seq = 0


@fault("two-phones-for-a-seat", "two phones of one seat send different commands at once", "one counts")
def _two_phones(evening: Evening) -> None:
    first, second = next_command(evening), next_command(evening)
    if first[0].seat != second[0].seat:
        raise NotNow("the game waits for several seats")
    twin = Phone(8 * evening.plan.seed % 30_000 + 6)
    twin.cookies = dict(evening.phones[first[0].seat].cookies)
    evening.send(first)
    second[1]["asked"] = first[1]["asked"]
    answer = twin.post(evening.box.port, "/command", second[1], evening.newest)
    second[0].seq = answer.seq if answer.status in (200, 409) else None
    evening.phones[first[0].seat].got += twin.got
    twin.close()


@fault("intent-of-another-seat", "a phone acts for somebody else", _NOTHING)
def _other_seat(evening: Evening) -> None:
    command = next_command(evening)
    others = [seat for seat in evening.plan.people if seat != command[0].seat]
    if not others:
        raise NotNow("nobody else has a phone")
    thief = evening.phones[evening.dice.choice(others)]
    # What it is answered may name the card that it named itself, so that is no part of what it was sent.
    answer = thief.ask(evening.box.port, "POST", "/command", json.dumps(command[1]).encode(), ours(evening.box.port))
    _refused(answer, "an act for another seat")


@fault("cookie-forged", "a stranger brings a cookie that nobody gave it", _NOTHING)
def _forged(evening: Evening) -> None:
    command = next_command(evening)
    evening.stranger.cookies["companion-seat"] = f"{evening.dice.getrandbits(128):032x}"
    answer = evening.stranger.post(evening.box.port, "/command", command[1], evening.newest)
    del evening.stranger.cookies["companion-seat"]
    _refused(answer, "a forged cookie")


@fault("page-of-another-site", "the page of another site sends a command with a phone's own cookie", _NOTHING)
def _cross(evening: Evening) -> None:
    command = next_command(evening)
    headers = {"Origin": "http://evil.example", "Content-Type": "application/json", "X-Companion": "1"}
    phone, body = evening.phones[command[0].seat], json.dumps(command[1]).encode()
    _refused(phone.ask(evening.box.port, "POST", "/command", body, headers), "the page of another site")


@fault("name-of-another-host", "a request comes under a name that is not ours", _NOTHING)
def _host(evening: Evening) -> None:
    _, phone = _someone(evening)
    _refused(phone.ask(evening.box.port, "GET", "/seat", None, {"Host": "evil.example"}), "another host")


@fault("body-malformed", "a phone sends what is no command", _NOTHING)
def _malformed(evening: Evening) -> None:
    _, phone = _someone(evening)
    port, dice = evening.box.port, evening.dice
    body = dice.choice((dice.randbytes(40), b"[" * 3000, b'{"command":"12345678"}', b"\xff\xfe", b'{"asked":1e999}'))
    _refused(phone.ask(port, "POST", dice.choice(("/command", "/join")), body, ours(port)), "a malformed body")


@fault("body-too-large", "a phone sends far too much", _NOTHING)
def _large(evening: Evening) -> None:
    _, phone = _someone(evening)
    port = evening.box.port
    try:
        _refused(phone.ask(port, "POST", "/command", b" " * 40_000, ours(port)), "a body of 40 kB")
    except OSError:
        phone.hang_up()


@fault("request-cut", "a phone goes away in the middle of a command", _NOTHING)
def _cut(evening: Evening) -> None:
    with socket.create_connection(("127.0.0.1", evening.box.port)) as line:
        line.sendall(b'POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 400\r\n\r\n{"command":')


@fault("slow-reader", "a phone opens its stream and takes nothing of it", "others are told all along")
def _slow(evening: Evening) -> None:
    with socket.create_connection(("127.0.0.1", evening.box.port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        line.sendall(f"GET /stream?screen=table HTTP/1.1\r\nHost: 127.0.0.1:{evening.box.port}\r\n\r\n".encode())
        evening.act()


@fault("photo-of-nothing", "a phone sends a photo that is none", _NOTHING)
def _photo(evening: Evening) -> None:
    _, phone = _someone(evening)
    port = evening.box.port
    headers = ours(port) | {"Content-Type": "image/jpeg"}
    body = b"\xff\xd8\xff\xe0" + evening.dice.randbytes(2000)
    answer = phone.ask(port, "POST", f"/photo?command={evening.new_id()}", body, headers)
    if answer.status >= 500 and answer.status != 503:
        raise Granted(f"a photo of nothing was answered with {answer.status}")
