"""The wire: checked ASCII lines, and the two halves of a session that make each message arrive exactly once.

The same file runs on the host and on the Pico, so it uses only what MicroPython has. PROTOCOL.md explains every byte.
Nothing here reads a port or a clock: bytes and times (whole milliseconds that only grow) are passed in.
"""

import binascii

VERSION = 1
MAX_PAYLOAD = 1000
MAX_TAGS = 40
"""This many tags on one reader still fit in one level report."""
MAX_BOOT = 32
MAX_TEXT = 200

WINDOW = 8
MAX_UNHEARD = 64
HELLO_EVERY = 200
RESEND_EVERY = 50
LEVELS_EVERY = 1000
HEALTH_EVERY = 10000
HELLOS_IN_EARNEST = 3

NUMBERED = ("ARRIVE", "LEAVE", "LIES", "LOST", "BACK", "WROTE")
WISHES = ("RESET", "STOP")
NOTHING = "-"

_DIGITS = "0123456789"
_HEX = "0123456789ABCDEF"
_NAME = "abcdefghijklmnopqrstuvwxyz0123456789-"
# All that is printable except $ and *, the most frequent first, because searching starts there.
_TEXT = b"0123456789ABCDEF GHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-,.=!\"#%&'()+/:;<>?@[\\]^_`{|}~"
_LONGEST_LINE = MAX_PAYLOAD + 10
_MAX_NUMBER = 999999999


def _is_made_of(text, letters) -> bool:  # no annotation: both str, or both bytes
    # Stripping scans much faster than a loop of our own, and every tap comes through here.
    return not text.strip(letters)


def is_uid(text: str) -> bool:
    """Whether `text` is a full UID: 4 to 10 bytes in upper-case hex."""
    return 8 <= len(text) <= 20 and len(text) % 2 == 0 and _is_made_of(text, _HEX)


def is_reader(text: str) -> bool:
    """Whether `text` can name a reader: 1 to 16 of a-z, 0-9 and `-`, and more than a `-` alone."""
    return 1 <= len(text) <= 16 and text != NOTHING and _is_made_of(text, _NAME)


def number(text: str) -> int:
    """The whole number that `text` writes in digits, or -1 (int() would also take signs, blanks and underscores)."""
    if not 1 <= len(text) <= 9 or not _is_made_of(text, _DIGITS):
        return -1
    return int(text)


def _checksum(body: bytes) -> bytes:
    return ("%08X" % (binascii.crc32(body) & 0xFFFFFFFF)).encode()


def encode(*words: str) -> bytes:
    """One frame that carries `words`; ValueError for words that no frame can carry."""
    body = " ".join(words).encode()
    is_words = "" not in words and body.count(b" ") + 1 == len(words)
    if not is_words or not _is_made_of(body, _TEXT) or len(body) > MAX_PAYLOAD:
        raise ValueError(
            "no frame can carry %r: send 1 to %d characters of printable ASCII in words, without $ or *"
            % (words, MAX_PAYLOAD)
        )
    return b"$" + body + b"*" + _checksum(body) + b"\n"


class Decoder:
    """Finds frames in whatever bytes arrive, however they are cut into chunks; never raises or grows without limit."""

    def __init__(self) -> None:
        self.accepted = 0
        self.rejected = 0
        self._kept = b""

    def feed(self, chunk: bytes) -> list[list[str]]:
        """The messages, as lists of words, that `chunk` completes."""
        messages = []
        lines = (self._kept + chunk).split(b"\n")
        self._kept = self._worth_keeping(lines.pop())
        for line in lines:
            words = self._read(line)
            if words:
                self.accepted += 1
                messages.append(words)
            else:
                self.rejected += 1
        return messages

    def _worth_keeping(self, rest: bytes) -> bytes:
        """Only what follows the last `$` can still become a frame, and only if it is not too long already."""
        start = rest.rfind(b"$")
        if start < 0 or len(rest) - start > _LONGEST_LINE:
            return b""
        return rest[start:]

    def _read(self, line: bytes) -> list[str]:
        start = line.rfind(b"$")
        body = line[start + 1 : -9]
        if start < 0 or not body or len(body) > MAX_PAYLOAD or line[-9:-8] != b"*":
            return []
        if line[-8:] != _checksum(body) or not _is_made_of(body, _TEXT):
            return []
        words = body.decode().split(" ")
        return [] if "" in words else words


class Sender:
    """The device's half: says HELLO until a session starts, then numbers its messages and repeats them until heard.

    Bounded: if the host does not listen for long, single arrivals are dropped and a level report tells the truth.
    """

    def __init__(self, firmware: str, board: str, boot: str, readers: list[str], version: int = VERSION) -> None:
        self._hello = encode("HELLO", str(version), firmware, board, boot, ",".join(readers))
        self._boot = boot
        self._hello_at = 0
        self._used: list[str] = []
        self.resent = 0
        self.wish = ""
        """What the host wants of the whole device: RESET or STOP."""
        self.job: tuple[str, str, str, str] | None = None
        """A link that the host wants written: its number, the reader, the uid, and the text."""
        self._begin("")

    def _begin(self, nonce: str) -> None:
        self.nonce = nonce
        self.job = None
        self._jobs = 0
        self._told = 0
        self._sent = 0
        self._unheard: list[tuple[int, bytes]] = []
        self._resend_at = 0
        self._levels_at = 0
        self._health_at = 0
        self._overflowed = False

    def hear(self, words: list[str]) -> None:
        """Take in one message from the host; anything but the six it may send is ignored."""
        if words[0] == "START" and len(words) == 3:
            # A START that comes late, or twice, must not end the session that followed it.
            if words[2] == self._boot and words[1] not in self._used:
                self._used = [words[1]] + self._used[:15]  # noqa: RUF005  MicroPython has no star here
                self._begin(words[1])
        elif words[0] == "ACK" and len(words) == 3:
            if words[1] == self.nonce:
                self._drop_heard(number(words[2]))
        elif words[0] == "AGAIN" and len(words) == 2:
            if words[1] == self.nonce:
                self._begin("")
                self._hello_at = 0
        elif words[0] == "LINK" and len(words) == 6:
            # Repeated until it is answered, done once.
            if (
                words[1] == self.nonce
                and number(words[2]) > self._jobs
                and is_uid(words[4])
                and len(words[5]) <= MAX_TEXT
            ):
                self._jobs = number(words[2])
                self.job = (words[2], words[3], words[4], words[5])
        elif words[0] in WISHES and len(words) == 2 and words[1] == self._boot:
            self.wish = words[0]

    def _drop_heard(self, last: int) -> None:
        while self._unheard and self._unheard[0][0] <= last:
            self._unheard.pop(0)
        if self._overflowed and not self._unheard:
            self._overflowed = False
            self._levels_at = 0

    def is_heard(self) -> bool:
        """Whether the host has everything that was reported, levels first."""
        return self.nonce != "" and self._levels_at != 0 and not self._unheard and not self._overflowed

    def tell(self, kind: str, *words: str) -> None:
        """Tell the host. Without a session, or before its first levels, this does nothing: the levels will say it."""
        if self.nonce == "" or self._levels_at == 0 or self._overflowed:
            return
        if len(self._unheard) >= MAX_UNHEARD:
            self._overflowed = True
            return
        self._put(kind, words)

    def _put(self, kind: str, words: tuple[str, ...]) -> None:
        self._told += 1
        self._unheard.append((self._told, encode(kind, self.nonce, str(self._told), *words)))

    def wants_levels(self, now: int) -> bool:
        """Whether `tell_levels` is due: first thing in a session, after an overflow, and at intervals."""
        return self.nonce != "" and not self._unheard and now >= self._levels_at

    def tell_levels(self, now: int, readers: list[tuple[str, list[str] | None]]) -> None:
        """Report what lies on every reader; None stands for a lost reader."""
        self._levels_at = now + LEVELS_EVERY
        for reader, uids in readers:
            if uids is None:
                self._put("LOST", (reader,))
            else:
                self._put("LIES", (reader, ",".join(uids) or NOTHING))

    def wants_health(self, now: int) -> bool:
        """Whether `tell_health` is due; not while anything waits that the table needs."""
        return self.is_heard() and now >= self._health_at

    def tell_health(self, now: int, counters: list[tuple[str, int]]) -> bytes:
        """The bytes that carry the counters. They are neither numbered nor repeated: the next ones replace them."""
        self._health_at = now + HEALTH_EVERY
        return encode("HEALTH", self.nonce, ",".join(["%s=%d" % each for each in counters]))

    def due(self, now: int) -> bytes:
        """The bytes to send now."""
        if self.nonce == "":
            if now < self._hello_at:
                return b""
            self._hello_at = now + HELLO_EVERY
            return self._hello
        again = now >= self._resend_at
        frames = [(n, frame) for n, frame in self._unheard[:WINDOW] if again or n > self._sent]
        if not frames:
            return b""
        self.resent += len([n for n, _ in frames if n <= self._sent])
        self._sent = max(self._sent, frames[-1][0])
        self._resend_at = now + RESEND_EVERY
        return b"".join([frame for _, frame in frames])

    def pause(self, now: int) -> int:
        """How long nothing will be due unless something is heard or told."""
        if self.nonce == "":
            at = self._hello_at
        elif self._unheard:
            at = self._resend_at
        else:
            at = self._levels_at
        return max(0, at - now)


class Receiver:
    """The host's half: starts a session when the device says HELLO, hands on every message once and acknowledges it.

    `new_nonce` returns a word it has never returned before; it names a session.
    """

    def __init__(self, new_nonce) -> None:  # no annotation: a Callable would need typing
        self.decoder = Decoder()
        self.duplicates = 0
        self.strays = 0
        self._new_nonce = new_nonce
        self._nonce = ""
        self._hello: list[str] = []
        self._next = 1
        self._early: dict[int, list[str]] = {}
        self._hellos = 0
        self._starts: list[bytes] = []
        self._heard: list[str] = []
        """The sessions with messages that have not been answered yet."""

    def feed(self, chunk: bytes) -> list[list[str]]:
        """What is new in `chunk`: ["HELLO", version, firmware, board, boot, readers] when a session begins, or a
        numbered message or HEALTH, both without nonce and number. A device with another version, or with too long a
        boot, gets no session, and its HELLO is new each time."""
        news = []
        for words in self.decoder.feed(chunk):
            if words[0] == "HELLO" and len(words) == 6:
                news.extend(self._greet(words))
            elif words[0] in NUMBERED and len(words) >= 3 and number(words[2]) >= 1:
                if words[1] not in self._heard:
                    self._heard.append(words[1])
                news.extend(self._take(words))
            elif words[0] == "HEALTH" and len(words) == 3 and words[1] == self._nonce:
                news.append([words[0], words[2]])
            else:
                self.strays += 1
        return news

    def link(self, job: int, reader: str, uid: str, text: str) -> bytes:
        """The bytes that ask for a link on a tag; none without a session. Jobs are numbered from 1 in each session."""
        return encode("LINK", self._nonce, str(job), reader, uid, text) if self._nonce else b""

    def answers(self) -> bytes:
        """The bytes to send back. Ask only after the news was handed on: what is acknowledged is never sent again."""
        out = self._starts + [self._acknowledgement(nonce) for nonce in self._heard]
        self._starts = []
        self._heard = []
        return b"".join(out)

    def _greet(self, words: list[str]) -> list[list[str]]:
        if number(words[1]) != VERSION or len(words[4]) > MAX_BOOT:
            self._nonce = ""
            return [words]
        # In mid-session the same HELLO is a late one, unless the device keeps saying it.
        self._hellos += 1
        is_late = self._next > 1 and self._hellos < HELLOS_IN_EARNEST
        if words == self._hello and self._nonce != "" and is_late:
            return []
        is_new = self._nonce == "" or self._next > 1 or words != self._hello
        if is_new:
            self._nonce = self._new_nonce()
            self._hello = words
            self._hellos = 0
            self._next = 1
            self._early = {}
        self._starts.append(encode("START", self._nonce, words[4]))
        return [words] if is_new else []

    def _take(self, words: list[str]) -> list[list[str]]:
        if words[1] != self._nonce:
            self.strays += 1
            return []
        self._hellos = 0
        count = number(words[2])
        if self._is_duplicate(count):
            self.duplicates += 1
            return []
        if count >= self._next + WINDOW:
            self.strays += 1
            return []
        self._early[count] = [words[0]] + words[3:]  # noqa: RUF005  MicroPython has no star here
        return self._in_order()

    def _is_duplicate(self, count: int) -> bool:
        return count < self._next or count in self._early

    def _in_order(self) -> list[list[str]]:
        """Everything that was only waiting for what came before it."""
        news = []
        while self._next in self._early:
            news.append(self._early.pop(self._next))
            self._next += 1
        return news

    def _acknowledgement(self, nonce: str) -> bytes:
        # The device is still talking to a host that is gone, in a session that is not ours: ask it to start over.
        if nonce != self._nonce:
            return encode("AGAIN", nonce)
        return encode("ACK", self._nonce, str(self._next - 1))
