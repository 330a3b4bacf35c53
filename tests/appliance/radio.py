"""The box's own Wi-Fi and that of a house over radios: the profiles that we write, in the hands of real programs.

    sudo python tests/appliance/radio.py [--suite trixie] [--kept FOLDER]

A Debian kernel in qemu pretends three radios that hear each other (mac80211_hwsim). With one of them NetworkManager,
its wpa_supplicant and its dnsmasq open the box's own Wi-Fi and join that of the house, from the very profiles that the
companion writes; the second is a phone's, with a wpa_supplicant of its own; hostapd makes the house with the third. No
systemd and no companion run in there: an emulated machine is slow. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app.hotspot import ADDRESS, CONNECTION, Hotspot
from companion.app.house_wifi import HouseWifi
from tests.appliance.rooms import CLEAN, SOURCE, Showing, debian, need_tools, run, unpacked
from tests.appliance.show import unmount_below

MORE: Final = "linux-image-amd64,initramfs-tools,kmod,iproute2,wpasupplicant,iw,hostapd,wireless-regdb,udhcpc,busybox"
PATIENCE: Final = 1800
"""Seconds; an emulated machine is slow, and slower while others work."""
OWN: Final = Hotspot("companion-AB12", "K7QX2M9PAB")
HOME: Final = HouseWifi("Chez Ada", "correct horse")
GATE: Final = "192.168.77.1"
GUESTS: Final = "192.168.77.20,192.168.77.90"
MAKERS: Final = (
    "captive.apple.com", "connectivitycheck.gstatic.com", "www.msftconnecttest.com", "detectportal.firefox.com",
)  # fmt: skip
PROTECTED: Final = 0x00C0
"""The two bits with which a Wi-Fi says that it can, or must, protect management frames."""
INIT: Final = f"""#!/bin/sh
exec >/dev/ttyS0 2>&1 </dev/null
export PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8
echo AIR kernel $(uname -r)
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t tmpfs tmpfs /run; mount -t tmpfs tmpfs /tmp
mkdir -p /run/dbus /run/netns
ip link set lo up
/usr/lib/systemd/systemd-udevd --daemon
modprobe mac80211_hwsim radios=3
n=0
for who in phone house; do
  n=$((n + 1)); ip netns add $who; iw phy phy$n set netns name $who; ip -n $who link set lo up
done
udevadm trigger --subsystem-match=net --action=add; udevadm settle --timeout=60
dbus-uuidgen --ensure; dbus-daemon --system --fork
wpa_supplicant -u -s -B
NetworkManager
for n in $(seq 120); do nmcli -t -f RUNNING general | grep -q '^running' && break; sleep 1; done
nmcli radio wifi on
up() {{ nmcli --wait 90 connection up "$@"; }}
up {CONNECTION}; echo AIR own $?
P="ip netns exec phone"
$P ip link set wlan1 up
for n in $(seq 20); do
  $P iw dev wlan1 scan flush >/tmp/scan; grep -q "SSID: {OWN.name}" /tmp/scan && break; sleep 1
done
cat /tmp/scan
for key in wrong right; do
  $P wpa_supplicant -B -P /run/phone.pid -i wlan1 -c /air/$key.conf
  for n in $(seq 30); do
    $P wpa_cli -p /run/phone status >/tmp/state; grep -q COMPLETED /tmp/state && break; sleep 1
  done
  echo AIR phone-$key $(sed -n 's/^wpa_state=//p' /tmp/state)
  if [ $key = wrong ]; then kill $(cat /run/phone.pid); sleep 2; fi
done
$P udhcpc -i wlan1 -n -q -t 20 -s /air/given
for name in {" ".join(MAKERS)}; do
  echo AIR named $name $(busybox nslookup $name {ADDRESS} | sed -n '4,$s/^Address.*: *//p' | head -n 1)
done
ip -n house addr add {GATE}/24 dev wlan2
H="ip netns exec house"
$H hostapd -B -P /run/house.pid /air/house.conf; echo AIR hostapd $?
$H dnsmasq --conf-file=/dev/null --interface=wlan2 --bind-interfaces --port=0 --dhcp-range={GUESTS},60m \\
  --dhcp-leasefile=/run/leases --pid-file=/run/dns.pid
up uuid {HOME.id[:-1]}0; echo AIR house-wrong $?
up {CONNECTION}; echo AIR own-again $?
up uuid {HOME.id}; echo AIR house-right $?
echo AIR guest $(cut -d ' ' -f 3 /run/leases)
echo AIR end
echo o >/proc/sysrq-trigger
sleep 60
"""
GIVEN: Final = (
    '#!/bin/sh\n[ "$1" != bound ] || { ip addr add $ip/$mask dev $interface; echo AIR given $ip $router $dns; }\n'
)
HOUSE: Final = f"""interface=wlan2
ssid={HOME.name}
hw_mode=g
channel=6
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={HOME.password}
"""


def put(path: Path, words: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words)
    path.chmod(mode)


def laid(root: Path) -> None:
    """What the companion would write, a phone with two passwords, a house; NetworkManager waits until told."""
    profiles = {
        CONNECTION: OWN.profile(),
        "house": HOME.profile(),
        "other-key": HouseWifi(HOME.name, "wrong horse").profile().replace(HOME.id, f"{HOME.id[:-1]}0"),
    }
    for name, words in profiles.items():
        told = words.replace("autoconnect=true", "autoconnect=false")
        put(root / f"etc/NetworkManager/system-connections/{name}.nmconnection", told, 0o600)
    dns = (SOURCE / "systemd/dnsmasq-shared.conf").read_text()
    put(root / "etc/NetworkManager/dnsmasq-shared.d/table-companion.conf", dns)
    for key, password in (("wrong", "not the one"), ("right", OWN.password)):
        network = f'network={{\n ssid="{OWN.name}"\n psk="{password}"\n key_mgmt=WPA-PSK\n}}\n'
        put(root / f"air/{key}.conf", f"ctrl_interface=/run/phone\n{network}")
    put(root / "air/house.conf", HOUSE)
    put(root / "air/given", GIVEN, 0o755)
    put(root / "air/init", INIT, 0o755)


def emulated(root: Path, room: Path) -> str:
    """What the machine wrote to its console until it switched itself off."""
    disk, console = room / "disk.img", room / "console"
    run("truncate", "-s", "3G", disk)
    run("mke2fs", "-q", "-t", "ext4", "-d", root, disk)
    words = ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1024", "-no-reboot"]
    words += ["-nodefaults", "-display", "none", "-serial", f"file:{console}", "-device", "virtio-rng-pci"]
    words += ["-kernel", str(root / "vmlinuz"), "-initrd", str(root / "initrd.img")]
    words += ["-append", "root=/dev/vda rw console=ttyS0 quiet mitigations=off net.ifnames=0 init=/air/init"]
    words += ["-drive", f"if=virtio,format=raw,cache=unsafe,file={disk}"]
    subprocess.run(words, stdin=subprocess.DEVNULL, env=CLEAN, timeout=PATIENCE, check=True)
    return console.read_text(errors="replace").replace("\r", "")


class Heard:
    """The results, step by step."""

    def __init__(self, console: str) -> None:
        self._console = console
        self._said = [line.split()[1:] for line in console.splitlines() if line.startswith("AIR ")]

    def of(self, what: str) -> list[list[str]]:
        found = [words[1:] for words in self._said if words[0] == what]
        assert found, f"it did not get to “{what}”: {self._console[-1500:]}"
        return found

    def is_said(self, what: str, words: str) -> str:
        assert self.of(what) == [[words]], f"{what}: {self.of(what)}: {self._console[-1500:]}"
        return words

    def in_the_air(self) -> str:
        """WPA2 with CCMP and a password, and no mention of protected management frames."""
        told = next((each for each in re.split(r"(?m)^BSS ", self._console) if f"\tSSID: {OWN.name}\n" in each), "")
        rsn = told[told.index("RSN:") :]
        able = re.search(r"Capabilities: .*\(0x([0-9a-f]{4})\)", rsn)
        assert able is not None, rsn
        assert not int(able.group(1), 16) & PROTECTED, able.group(0)
        for words in ("Pairwise ciphers: CCMP\n", "Authentication suites: PSK"):
            assert words in rsn, rsn
        assert "WPA:\t" not in told, "no WPA of the first kind"
        return f"WPA2, CCMP, {able.group(0)}"

    def lets_in(self) -> str:
        assert self.of("phone-wrong")[0] != ["COMPLETED"], "the control: anybody is let in"
        self.is_said("phone-right", "COMPLETED")
        ((address, router, dns),) = self.of("given")
        assert (router, dns) == (ADDRESS, ADDRESS)
        return f"{address}; with another password: {self.of('phone-wrong')[0]}"

    def names(self) -> str:
        assert self.of("named") == [[name, ADDRESS] for name in MAKERS], self.of("named")
        return f"{len(MAKERS)} names"

    def house(self) -> str:
        self.is_said("hostapd", "0")
        ((wrong,),) = self.of("house-wrong")
        assert wrong != "0", "the control: hostapd lets anybody in"
        self.is_said("own-again", "0")
        self.is_said("house-right", "0")
        ((guest,),) = self.of("guest")
        return f"at {guest}; with another password nmcli ends with {wrong}"


def show_all(suite: str, room: Path, kept: Path) -> bool:
    show, root, heard = Showing(), room / "root", list[Heard]()
    need_tools()
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "qemu-system-x86")
    unpacked(debian(suite, kept, "radio-", MORE), root)
    laid(root)
    if show.step(f"a machine with three radios ({suite})", lambda: heard.append(Heard(emulated(root, room)))):
        (air,) = heard
        steps: dict[str, Callable[[], str]] = {
            "it has a kernel of its own": lambda: " ".join(air.of("kernel")[0]),
            "the box opens its own Wi-Fi": lambda: air.is_said("own", "0"),
            "a phone hears it, with management frames as they must be for every chip": air.in_the_air,
            "the right password lets a phone in, and it is given an address": air.lets_in,
            "whatever the phone looks up leads to the box": air.names,
            "hostapd's Wi-Fi of the house: a wrong password, its own again, the right one": air.house,
            "it came to the end": lambda: str(air.of("end") and ""),
        }
        for text, step in steps.items():
            show.step(text, step)
    return not show.failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="trixie", help="the Debian whose programs and kernel are used")
    parser.add_argument("--kept", type=Path, help="a folder in which fresh roots stay for the next time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="radio-", ignore_cleanup_errors=True) as room:
        try:
            fine = show_all(options.suite, Path(room), options.kept or Path(room))
        finally:
            unmount_below(Path(room))
    print("NOT SHOWN  a chip of a Raspberry Pi and its driver: the kernel's own pretended radios stand in for them")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
