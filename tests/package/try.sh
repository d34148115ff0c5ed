#!/usr/bin/env bash
# try.sh FOLDER   tries the packages of `./run package` on a bare Debian 12 in FOLDER: makes it there if it is not one
# (debootstrap), installs, runs and removes the package, unpacks and runs the archive. As root, with the network.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
root=$1
[[ -d $root/etc ]] || debootstrap --variant=minbase bookworm "$root" \
    "$(apt-get indextargets --format '$(SITE)' | grep -m1 '/debian$')" >/dev/null
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
inside() { chroot "$root" env LANG=C.UTF-8 "$@"; }
tries() { # the program
    inside "$1" --version
    inside "$1" run banks --set stride=8 --json | grep '"smsp__sass_inst_executed_op_shared_ld.sum"' >/dev/null
    rm -f "$root/tmp/banks.png"
    inside "$1" render banks --lang ko -o /tmp/banks.png 2>/dev/null
    [[ $(head -c 4 "$root/tmp/banks.png" | tail -c 3) == PNG ]]
    { inside "$1" doctor || true; } | grep '^ok  *lessons  *[0-9]' >/dev/null # its status tells of fonts and compilers, too
}

rm -rf "$root/opt"/*
tar xf build/archive/package/*.tar.xz -C "$root/opt"
tries "/opt/$(ls "$root/opt")/bin/lanescope"
echo "the archive runs"

cp build/deb/package/*.deb "$root/tmp/lanescope.deb"
inside apt-get update -qq
inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /tmp/lanescope.deb >/dev/null 2>&1
tries lanescope
inside apt-get purge -y -qq lanescope >/dev/null
[[ -z $(find "$root/usr" -path '*lanescope*' -print -quit) ]] || { find "$root/usr" -path '*lanescope*'; exit 1; }
echo "the package is installed, runs, and leaves nothing behind"
