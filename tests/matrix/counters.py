"""python3 counters.py FORMS CSV > counters.txt: Nsight Compute's counts (--csv --page raw) of each form of form_access,
the counters in the order of COUNTERS; --names prints their names for --metrics."""

import csv
import re
import sys

L1 = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
SHARED = "l1tex__data_{}_lsu_mem_shared_op_{}.sum"
COUNTERS = [L1.format(what, op) for op in ("ld", "st") for what in ("requests", "sectors")]
COUNTERS += ["smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_shared_st.sum"]
COUNTERS += [SHARED.format(what, op) for what in ("pipe_lsu_wavefronts", "bank_conflicts_pipe") for op in ("ld", "st")]
COUNTERS = [name.replace("pipe_lsu_wavefronts_lsu", "pipe_lsu_wavefronts") for name in COUNTERS]

if sys.argv[1] == "--names":
    print(",".join(COUNTERS))
    sys.exit()
forms = [line.rstrip("\n") for line in open(sys.argv[1])]
table = list(csv.reader(line for line in open(sys.argv[2]) if line.startswith('"')))
for row in table[2:]:
    found = dict(zip(table[0], row))
    kernel = re.match(r"k(\d+)", found["Kernel Name"])
    if kernel:
        counts = [str(int(float(found[name].replace(",", "")))) for name in COUNTERS]
        print(" ".join(counts), "|", forms[int(kernel.group(1))])
