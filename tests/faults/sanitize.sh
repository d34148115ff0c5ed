#!/bin/bash
# Runs every case of this folder under compute-sanitizer, on a machine with an NVIDIA GPU and the CUDA Toolkit. The logs
# go into the folder OUT, as CASE.TOOL:   sanitize.sh OUT [CASE...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
nvcc -O1 -std=c++17 -o "$out/launch" "$here/launch.cu" || exit 1
one() {
    IFS=: read -r case tool <<<"$1"
    limit=15
    if [ "$tool" = alone ]; then
        timeout -k 2 5 "$out/launch" "$here/$case" >"$out/$case.$tool" 2>&1
    else
        timeout -k 2 $limit compute-sanitizer --tool "$tool" --print-limit 3 --show-backtrace no $(
            [ "$tool" = racecheck ] && echo --racecheck-report all
        ) "$out/launch" "$here/$case" >"$out/$case.$tool" 2>&1
    fi
    echo "EXIT $?" >>"$out/$case.$tool"
}
export -f one
export here out
cases=${*:-$(cd "$here" && ls *.txt | sed 's/\.txt$//')}
slow='null_call|endless|deadlock|barrier_n|wait_for|shuffle|syncwarp'
for group in quick slow; do
    for case in $cases; do
        [[ $case =~ $slow ]] && is=slow || is=quick
        [ $is = $group ] || continue
        for tool in alone memcheck racecheck initcheck synccheck; do
            echo "$case:$tool"
        done
    done | xargs -P 14 -I{} bash -c 'one {}'
done
rm -f "$out/launch"
