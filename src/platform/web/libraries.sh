#!/usr/bin/env bash
# Usage: libraries.sh FOLDER. Puts the sources of the libraries that the browser build compiles into FOLDER, from Debian.
# A library that is there already is kept, so that any source of the same library will do.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$folder"
# Each library with the release whose source is taken: that of libcyaml is the first one with its tarball on the mirror.
libraries=(jansson/bookworm libyaml/bookworm libcyaml/trixie md4c/bookworm muparser/bookworm libzstd/bookworm xxhash/bookworm)
missing=()
for library in "${libraries[@]}"; do [[ -d ${library%/*} ]] || missing+=("$library"); done
((${#missing[@]})) || exit 0
command -v apt-get >/dev/null || {
    echo "libraries.sh: there is no apt-get: put the sources of these libraries into $folder/NAME: ${missing[*]%/*}" >&2
    exit 3
}
# Lists of their own: the machine's settings stay as they are, and nobody need be root.
mkdir -p apt/lists/partial apt/cache/archives/partial
keys=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' | grep -m 1 -v security || true)
for release in bookworm trixie; do # from where this machine has its packages
    echo "deb-src [signed-by=$keys] ${mirror% *} $release main"
done >apt/sources.list
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/apt/lists"
    -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=)
"${apt[@]}" update
(cd apt && "${apt[@]}" source --download-only --tar-only "${missing[@]}")
for library in "${missing[@]}"; do
    name=${library%/*}
    mkdir "$name.part"
    tar -xf apt/"$name"_*.orig.tar.* -C "$name.part" --strip-components=1 || { rm -rf "$name.part"; exit 1; }
    mv "$name.part" "$name"
done
