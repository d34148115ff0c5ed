#!/usr/bin/env bash
# Counts the launches of patterns.py with Nsight Compute on this machine's GPU: see README.md in this folder.
#   collect.sh OUT [FAMILY...]     writes OUT/FAMILY.txt; all families when none is named
set -euo pipefail
shopt -s nullglob
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
work=$(mktemp -d)
cd "$work"
nvcc -O2 -arch=sm_90 -o probe "$here/probe.cu"
python3 "$here/patterns.py" . "$@"

# Whole kernels run as the machine code that ptxas makes of the same PTX that the emulator runs.
mkdir faults emulator
for ptx in "$root"/assets/ptx/*.ptx "$here"/ptx/*.ptx \
    "$here"/../{faults/ok_recursion,faults/ok_shared_arrays,emulator/programs}.ptx; do
    name=$(sed -n 's,^// source \([^ ]*\) .*,\1,p; s,^// define ,:,p' "$ptx" | tr -d '\n')
    folder=$(basename "$(dirname "$ptx")")
    name=${name:-${folder#ptx}/$(basename "$ptx" .ptx)} # "scan", "faults/ok_recursion"
    name=${name#/}
    ptxas -arch=sm_90 -o "$name" "$ptx"
    cuobjdump -sass "$name" >"$name.sass"
done

# metrics PREFIX OPERATION... of a unit
metrics() { local prefix=$1 && shift && printf "${prefix/ADDRESS/%s}.sum," "$@"; }
shared() {
    metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ADDRESS "$@"
    metrics l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ADDRESS "$@"
}
global() {
    metrics l1tex__t_requests_pipe_lsu_mem_global_op_ADDRESS "$@"
    metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ADDRESS "$@"
}

# Starts the profiler once for all families of a kind, because a start takes seconds.
count() {
    local kind=$1 names=${2%,} families=() family
    for family in "${@:3}"; do [[ -e $family ]] && families+=("$family"); done
    ((${#families[@]})) || return 0
    cat "${families[@]}" >"$kind.lines"
    ncu --csv --page raw --print-units base --clock-control none --cache-control "$control" --metrics "$names" \
        ./probe "$kind.lines" >"$kind.csv" 2>"$kind.log" || { tail -n 5 "$kind.csv" >&2; exit 1; }
    python3 "$here/results.py" "$kind.csv" "$out" "${families[@]}"
}
control=none
count shared_atomics "$(shared atom)" shared_atomics.in shared_cas8.in
count global_atomics "$(global atom red)" global_{atomics,scattered,ways,fresh,cas8}.in
constant=idc__requests.sum,sm__idc_divergent_instruction_replays.sum,
count constant_kernels "${constant}smsp__inst_executed_op_ldc.sum,$(global ld)" constant_kernels.in
rm -f constant_kernels.in
count constant "$constant" constant_*.in
issued=$(metrics smsp__sass_inst_executed_op_shared_ADDRESS ld st atom)
count kernels "$(shared ld st atom)$(global ld st atom red)$issued" kernels.in
rm -f shared_atomics.in shared_cas8.in global_{atomics,scattered,ways,fresh,cas8}.in
count shared "$(shared ld st)" shared_*.in
count global "$(global ld st)" global_*.in
# The caches are emptied before each launch.
control=all
hits() { printf '%s.sum,%s_lookup_hit.sum,' "$1" "$1"; }
caches=
for memory in global local; do
    for operation in ld st; do caches+=$(hits l1tex__t_sectors_pipe_lsu_mem_${memory}_op_$operation); done
done
caches+=$(hits lts__t_sectors_srcunit_tex_op_read)lts__t_sectors_srcunit_tex_op_write.sum,dram__sectors_read.sum,
count caches_share launch__shared_mem_config_size, caches_share.in
rm -f caches_share.in
count caches "${caches}launch__shared_mem_config_size," caches_*.in
python3 "$here/results.py" --machine-code "$out" *.sass */*.sass
