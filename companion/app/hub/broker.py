"""Debian's Mosquitto as a club needs it: TLS with its own certificate, passwords for everybody, and an access list that
lets a table write only below its own name. Everything is in one folder."""

from __future__ import annotations

import contextlib
import getpass
import ipaddress
import os
import random
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path
from typing import Final

from companion.core import CompanionError
from companion.library import write_whole
from web.club import Paired, TableId

PROGRAMS: Final = ("mosquitto", "mosquitto_passwd", "openssl")
PATIENCE: Final = 20.0
YEARS: Final = 20
OWN_USERS: Final = ("hub", "home")
"""The hub itself, and a Home Assistant that only reads; each has its password in its own file."""
_ACCESS: Final = """user hub
topic read companion/v1/#
topic write companion/v1/hub
topic write companion/v1/+/kept
topic write companion/v1/+/here
topic write companion/v1/+/setup
topic write companion/v1/+/view
topic write companion/v1/+/device
topic write homeassistant/device/+/config

user home
topic read companion/v1/#
topic read homeassistant/#
topic write homeassistant/status

pattern readwrite companion/v1/%u/#
pattern read companion/v1/hub
pattern write homeassistant/device/%u/config
"""
_CONFIG: Final = """per_listener_settings false
listener {port}
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/access
cafile {folder}/ca.pem
certfile {folder}/broker.pem
keyfile {folder}/broker.key
pid_file {folder}/mosquitto.pid
persistence true
persistence_location {folder}/
autosave_interval 30
max_inflight_messages 100
max_queued_messages 10000
max_packet_size 4194304
user {user}
log_dest stderr
log_type warning
log_type error
"""


class NoBroker(CompanionError, OSError):
    """There is no Mosquitto, or it does not start."""


def found(name: str) -> str:
    """Where a program is; Debian has some where only root looks."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if path is None:
        package = "openssl" if name == "openssl" else "mosquitto"
        raise NoBroker(f"{name} is not installed on this machine; install it with: sudo apt install {package}")
    return path


class Broker:
    """One Mosquitto, from `start` to `close`; restarted if it ends by itself."""

    def __init__(self, folder: Path, port: int, hosts: tuple[str, ...]) -> None:
        self.folder, self.port = folder, port
        self._hosts = hosts
        self._closing = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._watch = threading.Thread(target=self._keep, name="broker", daemon=True)

    def start(self) -> None:
        for program in PROGRAMS:
            found(program)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        self._end_the_one_before()
        self._certify()
        write_whole(self.folder / "access", _ACCESS, 0o600)
        (self.folder / "passwords").touch(0o600)
        for user in OWN_USERS:
            if not (self.folder / f"{user}.key").exists():
                write_whole(self.folder / f"{user}.key", secrets.token_urlsafe(24), 0o600)
            self.add(TableId(user), (self.folder / f"{user}.key").read_text())
        self.port = self.port or _free_port()
        config = _CONFIG.format(port=self.port, folder=self.folder, user=getpass.getuser())
        write_whole(self.folder / "mosquitto.conf", config, 0o600)
        if _answers(self.port):
            other = "stop it, or choose another with --broker-port"
            raise NoBroker(f"another program uses port {self.port}, which Mosquitto needs; {other}")
        self._run()
        self._watch.start()

    def close(self) -> None:
        self._closing.set()
        if self._process is not None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
        self._watch.join(5)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def ca(self) -> str:
        return (self.folder / "ca.pem").read_text()

    def own(self, club: str) -> Paired:
        """How the hub itself gets in."""
        return Paired(TableId("hub"), (self.folder / "hub.key").read_text(), "127.0.0.1", self.port, self.ca, club)

    def add(self, user: TableId, password: str) -> None:
        """Let this user in with this password from now on."""
        self._passwords("-b", str(self.folder / "passwords"), user, password)

    def remove(self, user: TableId) -> None:
        with contextlib.suppress(NoBroker):  # if it is not listed, it is removed already
            self._passwords("-D", str(self.folder / "passwords"), user)

    def _passwords(self, *words: str) -> None:
        """Have the program hash each password (PBKDF2) before it is written."""
        with self._lock:
            _call(found("mosquitto_passwd"), *words)
            if self._process is not None and self._process.poll() is None:
                self._process.send_signal(signal.SIGHUP)

    def _certify(self) -> None:
        """Make our own certificate, for every name that tables may use for this machine."""
        ca, key, request = (self.folder / name for name in ("ca.pem", "ca.key", "request.pem"))
        days = str(YEARS * 365)
        if not ca.exists():
            subject = ("-subj", "/CN=table companion club", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
            new = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
            _call(found("openssl"), *new, "-days", days, "-keyout", str(key), "-out", str(ca), *subject)
            key.chmod(0o600)
        hosts = sorted({*self._hosts, "127.0.0.1"})
        names = ",".join(f"{'IP' if _is_address(name) else 'DNS'}:{name}" for name in hosts)
        own = self.folder / "broker.key"
        asked = ("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        _call(found("openssl"), *asked, "-keyout", str(own), "-out", str(request), "-subj", "/CN=broker")
        own.chmod(0o600)
        write_whole(self.folder / "names.cnf", f"subjectAltName={names}\n", 0o600)
        signed = (
            "x509",
            "-req",
            "-in",
            str(request),
            "-CA",
            str(ca),
            "-CAkey",
            str(key),
            "-set_serial",
            str(time.time_ns()),
        )
        out = ("-days", days, "-extfile", str(self.folder / "names.cnf"), "-out", str(self.folder / "broker.pem"))
        _call(found("openssl"), *signed, *out)

    def _run(self) -> None:
        config = str(self.folder / "mosquitto.conf")
        said = (self.folder / "mosquitto.log").open("ab")
        with said:
            self._process = subprocess.Popen([found("mosquitto"), "-c", config], stdout=said, stderr=said)
        until = time.monotonic() + PATIENCE
        while (ended := self._process.poll() is not None) or not _speaks(self.port):
            if ended or time.monotonic() > until:
                told = (self.folder / "mosquitto.log").read_text(errors="replace").splitlines()[-3:]
                raise NoBroker(f"Mosquitto does not start on port {self.port}: {' '.join(told)}. See {config}")
            self._closing.wait(0.05)

    def _end_the_one_before(self) -> None:
        """A hub that was killed may have left its broker running: it would keep the port, and use outdated keys."""
        with contextlib.suppress(OSError, ValueError):
            pid = int((self.folder / "mosquitto.pid").read_text())
            if str(self.folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGTERM)
                until = time.monotonic() + PATIENCE
                while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
                    self._closing.wait(0.05)

    def _keep(self) -> None:
        """Restart it whenever it has ended."""
        while not self._closing.is_set():
            process = self._process
            assert process is not None
            process.wait()
            if not self._closing.wait(0.2):
                with contextlib.suppress(NoBroker):
                    self._run()


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


def _speaks(port: int) -> bool:
    """Whether it is really up: it listens before it has read its keys, and still while it shuts down."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as line, context.wrap_socket(line):
            return True
    except OSError:
        return False


def _free_port() -> int:
    """A port outside the kernel's range for connections, so that none takes it before the broker does."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise NoBroker("no port is free for Mosquitto; choose one with --broker-port")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _call(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        raise NoBroker(f"{Path(words[0]).name} failed: {done.stderr.strip()[-400:]}")
