"""Prints what Nsight Compute counted, a line with the kernel and its counts for each launch: python3 counters.py FILE.csv,
where
python3 counters.py --names prints the counters for
    ncu --csv --page raw --print-units base --clock-control none --metrics NAMES python3 launch.py FOLDER > FILE.csv"""
import csv
import sys

WAYS = ("ld", "st")
NAMES = [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{way}.sum" for way in WAYS for what in ("requests", "sectors")]
for name in ("smsp__sass_inst_executed_op_shared", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op"):
    NAMES += [f"{name}_{way}.sum" for way in WAYS]


def main(word):
    if word == "--names":
        print(",".join(NAMES))
        return
    with open(word, newline="") as file:
        rows = list(csv.DictReader(line for line in file if line.startswith('"')))
    print("kernel", *NAMES)
    for row in rows[1:]:  # the first holds the units
        print(row["Kernel Name"], *[row[name].replace(",", "") for name in NAMES])


main(sys.argv[1])
