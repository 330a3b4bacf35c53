"""The box's own Wi-Fi from a phone's side.

Two network namespaces with a cable between them instead of radio, the DNS and DHCP server as NetworkManager starts
it, the real program, and a browser that knows nothing but the network.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from companion.app import hotspot
from companion.app.hotspot import ADDRESS, Hotspot
from tests.chromium import CHROMIUM, FLAGS
from tests.chromium import PATIENCE as MILLISECONDS
from tests.patience import PATIENCE

SYSTEMD = Path(__file__).parents[2] / "systemd"
DNSMASQ = shutil.which("dnsmasq", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
PROBES = """
import json, sys, urllib.request
class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_): return None
opener = urllib.request.build_opener(Stays)
found = {}
for url in sys.argv[1:]:
    try:
        with opener.open(url, timeout=180) as answer: found[url] = [answer.status, answer.read().decode(), ""]
    except urllib.error.HTTPError as error: found[url] = [error.code, "", error.headers.get("Location", "")]
print(json.dumps(found))
"""
URLS = {
    "http://captive.apple.com/hotspot-detect.html": "Success",
    "http://connectivitycheck.gstatic.com/generate_204": "",
    "http://www.msftconnecttest.com/connecttest.txt": "Microsoft Connect Test",
    "http://detectportal.firefox.com/success.txt": "success\n",
}

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def can_make_namespaces() -> bool:
    if DNSMASQ is None or shutil.which("ip") is None or os.geteuid() != 0:
        return False
    return subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode == 0


needs = pytest.mark.skipif(not can_make_namespaces(), reason="needs root, network namespaces and dnsmasq")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=PATIENCE)


def within(space: str, *words: str | Path) -> list[str]:
    return ["ip", "netns", "exec", space, *map(str, words)]


@contextmanager
def started(command: list[str], word: str, **surroundings: str) -> Iterator[None]:
    """A program that runs until the end of the block; the block starts once the program has printed `word`."""
    said: list[str] = []
    ready = threading.Event()
    told = {**os.environ, **surroundings}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=told) as process:

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                said.append(line)
                if word in line:
                    ready.set()
            ready.set()

        listening = threading.Thread(target=listen, daemon=True)
        listening.start()
        try:
            assert ready.wait(PATIENCE), said
            assert any(word in line for line in said), said
            yield
        finally:
            process.terminate()
            listening.join(PATIENCE)


@pytest.fixture(scope="module")
def air(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The namespace of a phone that has joined the Wi-Fi of a running box."""
    box, phone = f"box{os.getpid()}", f"phone{os.getpid()}"
    room = tmp_path_factory.mktemp("own-wifi")
    names = Path("/etc/netns") / phone
    with ExitStack() as stack:
        for space in (box, phone):
            ip("netns", "add", space)
            stack.callback(ip, "netns", "del", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("link", "add", "wlan0", "netns", box, "type", "veth", "peer", "name", "wlan0", "netns", phone)
        ip("-n", box, "addr", "add", f"{ADDRESS}/24", "dev", "wlan0")
        ip("-n", phone, "addr", "add", "10.42.0.23/24", "dev", "wlan0")
        for space in (box, phone):
            ip("-n", space, "link", "set", "wlan0", "up")
        names.mkdir(parents=True)
        stack.callback(shutil.rmtree, names)
        (names / "resolv.conf").write_text(f"nameserver {ADDRESS}\n")
        stack.enter_context(_dns(box, room))
        stack.enter_context(_companion(box, room))
        yield phone


def _dns(box: str, room: Path) -> AbstractContextManager[None]:
    """Started as NetworkManager does for a shared connection, with our line in its folder."""
    folder = room / "dnsmasq-shared.d"
    folder.mkdir()
    shutil.copy(SYSTEMD / "dnsmasq-shared.conf", folder / "table-companion.conf")
    words = ["--conf-file=/dev/null", "--no-hosts", "--keep-in-foreground", "--bind-interfaces", "--log-facility=-"]
    words += ["--except-interface=lo", "--clear-on-reload", "--strict-order", f"--listen-address={ADDRESS}"]
    words += ["--dhcp-range=10.42.0.10,10.42.0.254,60m", f"--dhcp-leasefile={room / 'leases'}", "--no-resolv"]
    words += [f"--conf-dir={folder}", "--user=root", f"--pid-file={room / 'pid'}"]
    return started(within(box, str(DNSMASQ), *words), "started")


def _companion(box: str, room: Path) -> AbstractContextManager[None]:
    data, run = room / "data", room / "run"
    data.mkdir()
    run.mkdir()
    hotspot.save(data, Hotspot("TABLE", "K7QX2M9PAB"))
    words = ["-m", "companion.app.cli", "run", "--data", data, "--port", 8080, "--pretend", "--seats", "Ada,Ben,Chloé"]
    command = within(box, sys.executable, *map(str, words))
    return started(command, "http://", RUNTIME_DIRECTORY=str(run), PYTHONUNBUFFERED="1")


def probes(phone: str) -> dict[str, tuple[int, str, str]]:
    """The answers to the makers' own checks, asked by name from the phone."""
    done = subprocess.run(
        within(phone, sys.executable, "-c", PROBES, *URLS), capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return {url: tuple(answer) for url, answer in json.loads(done.stdout).items()}


@contextmanager
def browser(phone: str, folder: Path) -> Iterator[Page]:
    wrapper = folder / "chromium"
    wrapper.write_text(f'#!/bin/sh\nexec ip netns exec {phone} {CHROMIUM} "$@"\n')
    wrapper.chmod(0o755)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=wrapper, args=list(FLAGS))
        page = started.new_page(locale="en-GB", viewport={"width": 390, "height": 780})
        page.set_default_timeout(MILLISECONDS)
        yield page
        started.close()


@needs
@pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium")
def test_a_phone_that_knows_only_the_network_gets_to_the_join_page_and_stays(air: str, tmp_path: Path) -> None:
    home = f"http://{ADDRESS}/?portal=1"
    assert probes(air) == dict.fromkeys(URLS, (302, "", home))
    with ThreadPoolExecutor(1) as own_thread:  # another test in this process may still have a browser open
        own_thread.submit(walk, air, tmp_path).result()
    answers = probes(air)
    for url, words in URLS.items():
        assert answers[url][0] in (200, 204)
        assert words in answers[url][1]


def walk(air: str, tmp_path: Path) -> None:
    """From any address to the join page, and onward over the box's own Wi-Fi."""
    with browser(air, tmp_path) as page:
        for anywhere in ("http://example.org/", "http://news.example/today?x=1", f"http://{ADDRESS}/"):
            page.goto(anywhere)
            assert page.url.split("?")[0] == f"http://{ADDRESS}/"
            assert page.locator("#seat-0").count() == 1, "the seats to choose from"
        page.goto("http://connectivitycheck.gstatic.com/generate_204")
        page.click("#stay")
        page.wait_for_selector("#stays")
        assert f"open http://{ADDRESS} in your browser" in page.inner_text("#stays")
        if shots := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=Path(shots) / "portal.png", full_page=True)
