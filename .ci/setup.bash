# What ./run and ./test share: a Python environment in .venv with the project in it. Meant to be sourced.
# Quiet and quick when nothing has changed since the last time.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

tell() { printf '%s\n' "$*" >&2; }
fail() { tell "$*"; exit 1; }

on_a_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }

# Debian packages: installed when we may, else named; the program goes on where it can.
need_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if [[ $EUID -ne 0 ]]; then
    tell "Missing: ${missing[*]}. To install: sudo apt-get install ${missing[*]}"
    return 0
  fi
  tell "Installing ${missing[*]} ..."
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >/dev/null || tell "Could not install ${missing[*]}; going on without."
}

find_python() {
  local candidate
  for candidate in python3 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

make_venv() {
  [[ -x $venv/bin/python ]] && "$venv/bin/python" -c '' 2>/dev/null && return
  local python options=()
  [[ $EUID -eq 0 ]] && { find_python >/dev/null || need_packages python3; }
  python=$(find_python) || fail "Python 3.11 or newer is needed. To install: sudo apt-get install python3 python3-venv"
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    [[ $EUID -eq 0 ]] && need_packages python3-venv
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
      fail "Python's venv module is missing. To install: sudo apt-get install python3-venv"
  fi
  tell "Making a Python environment in .venv ..."
  # Debian's lgpio is seen only with the system's packages.
  on_a_pi && options+=(--system-site-packages)
  "$python" -m venv --clear "${options[@]}" "$venv" || fail "Could not make $venv; is the folder writable, is the disk full?"
}

wanted() {
  { printf '%s\n' "$@" "$root" && cd "$root" &&
    find companion firmware_bridge hw web -name '*.po' -print | LC_ALL=C sort |
    xargs -d '\n' cat -- pyproject.toml hatch_build.py companion/__init__.py; } | sha256sum
}

# install NAME [PIP-OPTION ...]: the project with what else is named, unless it is there already.
install() {
  local name=$1 stamp=$venv/.installed-$1 wanted
  shift
  make_venv
  wanted=$(wanted "$@")
  [[ -f $stamp && $(<"$stamp") == "$wanted" ]] && return
  rm -f "$stamp"
  local pip=("$venv/bin/python" -m pip -qq --disable-pip-version-check)
  if ! "$venv/bin/python" -c 'import sys, pip; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (25, 1))'; then
    tell "Bringing pip up to date ..."
    "${pip[@]}" install --upgrade 'pip>=25.1' || fail "Could not update pip; is the network there?"
  fi
  tell "Installing the companion and what it needs ..."
  # Some processors have no wheel of what draws and reads printed codes; everything else works without.
  (cd "$root" && { "${pip[@]}" install --editable '.[club,photo,print]' "$@" || "${pip[@]}" install --editable '.[club]' "$@"; }) ||
    fail "Installing failed; the lines above say why. Without network the first start cannot work."
  printf '%s\n' "$wanted" >"$stamp"
}
