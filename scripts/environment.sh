# SPDX-License-Identifier: Apache-2.0
# What scripts/* need before they can start: a virtual environment in .venv with the project in
# it, and Debian packages. Sourced, not run. A second call costs nothing: a stamp in .venv holds
# the hash of what was installed.
#
#   want_tools COMMAND:PACKAGE ...   install the packages whose command is missing; those that
#                                    cannot be had are in $missing afterwards
#   want_environment EXTRA           .venv with the project installed; EXTRA is "run" or "dev"
#   $root $python                    the checkout, and the environment's python
#
# `--help` prints the comment at the top of the script, before anything is installed or begun. A
# script whose command has a help of its own sets own_help before it sources this.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
python=$venv/bin/python

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$(basename "$0"): $*"
    exit 1
}

show_help() {
    local line
    while IFS= read -r line; do
        case $line in
            "#!"* | "# SPDX"*) ;;
            "#"*) line=${line#\#}; printf '%s\n' "${line# }" ;;
            *) return ;;
        esac
    done <"$0"
}

case ${1:-} in
    --help | -h)
        if [ -z "${own_help:-}" ]; then
            show_help
            exit 0
        fi
        ;;
esac

apt_updated=
# Their output is long and seldom wanted: the last lines of it when something went wrong.
install_packages() {
    command -v apt-get >/dev/null || return 1
    local as_root=() log
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || return 1
        as_root=(sudo)
        # Ask for a password only where a person can give one.
        [ -t 0 ] || as_root=(sudo -n)
    fi
    log=$(mktemp)
    say "Installing Debian packages: $*"
    if [ -z "$apt_updated" ]; then
        "${as_root[@]}" apt-get update -qq >"$log" 2>&1 || tail -n 2 "$log" >&2
        apt_updated=1
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 </dev/null ||
        { tail -n 2 "$log" >&2; rm -f "$log"; return 1; }
    rm -f "$log"
}

# Sets `missing` to the packages that could not be had, and says so in one sentence.
want_tools() {
    local pair packages
    missing_packages "$@"
    [ ${#missing[@]} = 0 ] && return
    packages=("${missing[@]}")
    if ! install_packages "${packages[@]}" && [ ${#packages[@]} -gt 1 ]; then
        # One that this release of Debian does not have keeps apt-get from installing the others.
        for pair in "${packages[@]}"; do install_packages "$pair" || true; done
    fi
    hash -r
    missing_packages "$@"
    [ ${#missing[@]} = 0 ] && return
    say "$(basename "$0"): cannot install ${missing[*]}: run 'apt-get install ${missing[*]}' as" \
        "root (or your system's packages for the same tools) and start again."
}

# The packages, each once, of those COMMAND:PACKAGE whose command, or file, is not there.
missing_packages() {
    local pair
    missing=()
    for pair in "$@"; do
        if ! command -v "${pair%%:*}" >/dev/null && [ ! -e "${pair%%:*}" ] &&
            [[ " ${missing[*]} " != *" ${pair#*:} "* ]]; then
            missing+=("${pair#*:}")
        fi
    done
}

# True if this Python runs this. Ctrl-C ends the script: a Python that it finds starting ends as one
# that does not work, and the environment would be made anew.
python_can() {
    local status=0
    trap 'trap - INT; kill -INT $BASHPID' INT
    "$1" -c "$2" 2>/dev/null || status=$?
    trap - INT
    return $status
}

find_python() {
    local candidate
    for candidate in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if python_can "$candidate" 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

make_venv() {
    local base version
    if ! base=$(find_python); then
        install_packages python3 python3-venv || true
        base=$(find_python) || die "no Python 3.11 or newer here: install one and start again."
    fi
    # Debian's python3 comes without the module that puts pip into a new environment.
    if ! python_can "$base" 'import ensurepip, venv'; then
        version=$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        install_packages "python$version-venv" || install_packages python3-venv || true
        python_can "$base" 'import ensurepip, venv' ||
            die "'$base -m venv' does not work: run 'apt-get install python3-venv' as root" \
                "and start again."
    fi
    rm -rf "$venv"
    "$base" -m venv "$venv" || die "cannot make a virtual environment in $venv (is it writable?)."
}

# The environment knows its own path, so a moved checkout needs a new one.
stamp_for() {
    printf '%s %s %s\n' "$1" "$root" \
        "$(cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum)"
}

want_environment() {
    local extra=$1 target=$root exact=()
    if [ -x "$python" ] && python_can "$python" ''; then
        # What tests need includes what running needs.
        [ -e "$venv/stamp-dev" ] && [ "$(cat "$venv/stamp-dev")" = "$(stamp_for dev)" ] && return
        [ -e "$venv/stamp-$extra" ] &&
            [ "$(cat "$venv/stamp-$extra")" = "$(stamp_for "$extra")" ] && return
        [ -e "$venv/root" ] && [ "$(cat "$venv/root")" = "$root" ] || make_venv
    else
        make_venv
    fi
    printf '%s\n' "$root" >"$venv/root"
    if [ "$extra" = dev ]; then
        target="$root[dev]"
        exact=(--constraint "$root/scripts/constraints.txt")
    fi
    say "Installing the project into $venv (first time, or pyproject.toml changed) ..."
    # Most modules are never imported: to compile them all takes a quarter of the time.
    "$python" -m pip --disable-pip-version-check install --quiet --no-compile "${exact[@]}" \
        --editable "$target" >&2 ||
        die "pip could not install the project: is there a network (or a package mirror in" \
            "pip's configuration)?"
    stamp_for "$extra" >"$venv/stamp-$extra"
}
