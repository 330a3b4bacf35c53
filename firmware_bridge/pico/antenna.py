"""One antenna: from polls with three answers (here, garbled, silent) to what lies there.

Only silence counts towards leaving, and it takes a lot of it. Garbled answers neither count nor reset the count:
something is there. A reader that does not work is lost, which removes nothing; it is retried until it works.
"""

import binascii

import ntag

SILENT_POLLS = 10
SILENT_MS = 600
"""A tag has left after this much silence, and no sooner."""

HURRIED_POLLS = 3
"""The same for a tag that another antenna sees: it was most likely moved."""

SETTLE_POLLS = 5
SETTLE_AT_MOST = 40
"""What the first polls find was there already. Garbled polls do not count, up to this many in all."""

FAILURES = 3
PROBE_EVERY = 500
MAX_TAGS = 40


class _Lying:
    def __init__(self, uid, now):
        self.uid = uid
        self.silent = 0
        self.heard_at = now
        self.is_hurried = False


class Antenna:
    """`shares` is for neighbours: such an antenna has its field on only while it is polled."""

    def __init__(self, name, driver, shares=False):
        self.name = name
        self.polls = self.garbled = self.silent = self.losses = 0
        self.is_lost = False
        self._driver = driver
        self._shares = shares
        self._lying = []
        self._failures = 0
        self._is_begun = False
        self._probe_at = 0
        self._unsettle()

    def _unsettle(self):
        self._settling = SETTLE_POLLS
        self._unsettled = SETTLE_AT_MOST

    @property
    def restarts(self):
        return self._driver.restarts

    @property
    def crowds(self):
        return self._driver.crowds

    @property
    def is_settled(self):
        """Whether its level can be reported."""
        return self.is_lost or self._settling == 0

    def level(self):
        """The UIDs of all tags there, in hex; None while the reader is lost."""
        return None if self.is_lost else [_hex(each.uid) for each in self._lying]

    def hurry(self, uid):
        """Another antenna sees this tag."""
        for each in self._lying:
            if _hex(each.uid) == uid:
                each.is_hurried = True
                each.silent = 0

    def write(self, uid, text):
        """Write a link on a tag that lies here; returns what came of it, in a word of ntag."""
        lying = [each.uid for each in self._lying if _hex(each.uid) == uid]
        if self.is_lost or not self._is_begun or not lying:
            return ntag.GONE
        try:
            self._light(True)
            try:
                return ntag.write(self._driver, lying[0], text) if self._driver.meet(lying[0]) else ntag.GONE
            finally:
                self._light(False)
        except OSError:
            return ntag.AGAIN  # the next poll will tell whether the reader works

    def poll(self, now):
        """Poll once; returns the messages that follow from the answer, each a tuple of words."""
        if not self._is_begun and now < self._probe_at:
            return []
        try:
            seen, is_garbled = self._ask()
        except OSError:
            return self._failed(now)
        self._failures = 0
        self.polls += 1
        if is_garbled:
            self.garbled += 1
        news = self._arrived(seen, now)
        if not is_garbled:
            news += self._silence(seen, now)
        return self._settle(news, is_garbled)

    def _ask(self):
        if not self._is_begun:
            self._driver.begin()
            self._is_begun = True
        self._light(True)
        try:
            return self._driver.poll([each.uid for each in self._lying])
        finally:
            self._light(False)

    def _light(self, on):
        if self._shares:
            self._driver.field(on)

    def _failed(self, now):
        """A reader that failed is set up again, at once and then at intervals; only then is it lost."""
        self._is_begun = False
        self._failures += 1
        if self._failures < FAILURES:
            return []
        self._probe_at = now + PROBE_EVERY
        if self.is_lost:
            return []
        self.is_lost = True
        self.losses += 1
        self._unsettle()
        return [("LOST", self.name)]

    def _arrived(self, seen, now):
        news = []
        for uid in seen:
            for each in self._lying:
                if each.uid == uid:
                    each.silent, each.heard_at, each.is_hurried = 0, now, False
                    break
            else:
                if len(self._lying) < MAX_TAGS:
                    self._lying.append(_Lying(uid, now))
                    news.append(("ARRIVE", _hex(uid), self.name))
        return news

    def _silence(self, seen, now):
        news, staying = [], []
        for each in self._lying:
            if each.uid not in seen:
                each.silent += 1
                self.silent += 1
            if self._has_left(each, now):
                news.append(("LEAVE", _hex(each.uid), self.name))
            else:
                staying.append(each)
        self._lying = staying
        return news

    def _has_left(self, each, now):
        if each.is_hurried:
            return each.silent >= HURRIED_POLLS
        return each.silent >= SILENT_POLLS and now - each.heard_at >= SILENT_MS

    def _settle(self, news, is_garbled):
        """What is found while settling is layout, not news; once settled, the level is reported."""
        if self._settling == 0:
            return news
        self._unsettled -= 1
        if not is_garbled or self._unsettled == 0:
            self._settling = 0 if self._unsettled == 0 else self._settling - 1
        if self._settling or not self.is_lost:
            return []
        self.is_lost = False
        return [("BACK", self.name), ("LIES", self.name, ",".join(self.level()) or "-")]


def _hex(uid):
    return binascii.hexlify(uid).decode().upper()
