#!/usr/bin/env bash
# Counts the streams of streams.h in Ramulator 2, with refresh off, and writes ramulator.txt.
#   compare.sh RAMULATOR        RAMULATOR: its source folder, built (libramulator.so in it; no Python bindings needed)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ramulator=$(cd "$1" && pwd)
work=$(mktemp -d)
g++ -O2 -std=c++20 -I"$ramulator/src" -I"$here" -o "$work/ramulator" "$here/ramulator.cpp" -L"$ramulator" \
    -Wl,-rpath,"$ramulator" -lramulator -lfmt
streams=$(sed -n 's/.*STREAM_COUNT = \([0-9]*\).*/\1/p' "$here/streams.h")
{
    echo "# Ramulator 2 $(git -C "$ramulator" log -1 --format='%h of %cs'), refresh off, open rows, FRFCFS"
    echo "# preset mapping queue stream : row hits, misses, conflicts"
    for preset in gddr6 hbm2 hbm3; do
        for mapping in RoBaRaCoCh ChRaBaRoCo; do
            for queue in 1 32; do
                PRESET=$preset MAPPING=$mapping QUEUE=$queue PYTHONPATH=$ramulator/python \
                    python3 -m ramulator export "$here/config.py" -o "$work/config.yaml" >/dev/null
                for stream in $(seq 0 $((streams - 1))); do
                    echo "$preset $mapping $queue $stream : $("$work/ramulator" "$work/config.yaml" "$stream" 2>/dev/null)"
                done
            done
        done
    done
} >"$here/ramulator.txt"
rm -r "$work"
