#!/usr/bin/env python3
"""Writes the profiler's counts as small text files: one launch a line.

results.py COUNTS.csv FOLDER FAMILY.in...          FOLDER/FAMILY.txt from ncu's output for these launches, in order
results.py --machine-code FOLDER NAME.sass...      FOLDER/machine_code.txt: memory instructions of each kernel"""
import collections
import csv
import os
import re
import subprocess
import sys

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_%s.sum"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum"
ISSUED = "smsp__sass_inst_executed_op_shared_%s.sum"
# Counters of a whole kernel: those of the command line in their order, then those of atomics.
KERNEL = ([name % operation for operation in ("ld", "st") for name in (REQUESTS, SECTORS)] +
          [name % operation for name in (ISSUED, WAVEFRONTS, CONFLICTS) for operation in ("ld", "st")] +
          [name % "atom" for name in (ISSUED, WAVEFRONTS, CONFLICTS)] +
          [name % operation for operation in ("atom", "red") for name in (REQUESTS, SECTORS)])


# Requests to the constant cache, and those of them beyond the first of each instruction.
CONSTANT = ["idc__requests.sum", "sm__idc_divergent_instruction_replays.sum"]
LDC = "smsp__inst_executed_op_ldc.sum"


# Where sectors came from. The DRAM also delivers code and parameters.
HIT = "_lookup_hit.sum"
CACHES = ([name % operation + end for operation in ("ld", "st")
           for name, end in ((SECTORS, ""), (SECTORS[:-len(".sum")], HIT))] +
          ["l1tex__t_sectors_pipe_lsu_mem_local_op_%s%s" % (operation, end) for operation in ("ld", "st")
           for end in (".sum", HIT)] +
          ["lts__t_sectors_srcunit_tex_op_" + end for end in ("read.sum", "read" + HIT, "write.sum")] +
          ["dram__sectors_read.sum", "launch__shared_mem_config_size"])


def columns(family, line):
    """Returns the counters for a launch. A reduction in shared memory is an atomic that drops its result."""
    operation, _, space = line.split()[0].partition(".")
    if os.path.basename(family).startswith("caches_share."):
        return CACHES[-1:]
    if os.path.basename(family).startswith("caches"):
        return CACHES
    if os.path.basename(family).startswith("constant"):
        return CONSTANT + [LDC, REQUESTS % "ld", SECTORS % "ld"] if operation == "run" else CONSTANT
    if operation == "run":
        return KERNEL
    if space.startswith("shared"):
        operation = "atom" if operation == "red" else operation
        return [WAVEFRONTS % operation, CONFLICTS % operation]
    return [REQUESTS % operation, SECTORS % operation]


def title(family):
    if family.endswith("kernels") or family.startswith("caches"):
        return "\n# ".join(["run SOURCE[:DEFINE] KERNEL GRID BLOCK SHARED ARGUMENT... : then"] +
                           columns(family + ".in", "run"))
    names = {"shared": "wavefronts conflicts", "global": "requests sectors",
             "constant": " ".join(CONSTANT)}[family.split("_")[0]]
    return "operation.space bytes mask elements... : " + names


def origin():
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], text=True,
                         capture_output=True, check=True).stdout.strip().splitlines()[0]
    version = subprocess.run(["ncu", "--version"], text=True, capture_output=True, check=True).stdout
    return "%s, ncu %s" % (gpu.replace(", ", ", driver "), re.search(r"Version ([0-9.]+)", version)[1])


def number(text):
    return int(text.replace(",", ""))


def counts(path, folder, families):
    rows = list(csv.reader(line for line in open(path) if line.startswith('"')))
    launches = [dict(zip(rows[0], row)) for row in rows[2:]]  # rows[1] has the units
    lines = [(family, line) for family in families for line in open(family).read().splitlines()]
    if len(launches) != len(lines):
        sys.exit("%s: %d launches for %d lines" % (path, len(launches), len(lines)))
    texts = collections.defaultdict(list)
    for (family, line), launch in zip(lines, launches):
        mine = columns(family, line)
        for name, value in launch.items():  # no counter may move beyond those of the test
            if mine[0] != CONSTANT[0] and "lookup" not in name and not family.startswith("caches") and re.match("l1tex__.*_op_(ld|st|atom|red)[.]sum$", name) and name not in mine and number(value):
                sys.exit("%s: %s is %s" % (line, name, value))
        texts[family].append("%s : %s" % (line, " ".join(str(number(launch[name])) for name in mine)))
    for family, text in texts.items():
        name = os.path.splitext(os.path.basename(family))[0]
        with open(os.path.join(folder, name + ".txt"), "w") as file:
            file.write("# %s\n# %s\n%s\n" % (origin(), title(name), "\n".join(text)))
        print("%s: %d launches" % (name, len(text)))


def machine_code(folder, listings):
    with open(os.path.join(folder, "machine_code.txt"), "w") as file:
        file.write("# SOURCE[:DEFINE] KERNEL : memory instructions in the machine code (cuobjdump -sass), how many\n")
        for listing in sorted(listings):
            for part in re.split(r"Function : ", open(listing).read())[1:]:
                found = collections.Counter(re.findall(r"\b((?:LDS|STS|ATOMS|LDG|STG|ATOMG|REDG)\b[A-Z0-9._]*) ", part))
                for name, index in re.findall(r"\b(U?LDC[A-Z0-9._]*) [^;]*c\[[^]]*\]\[(R[0-9])?", part):
                    found[name + ("[R]" if index else "")] += 1  # LDC[R]: each lane has its own address
                file.write("%s %s : %s\n" % (listing[:-len(".sass")], part.split()[0],
                                             " ".join("%s %d" % pair for pair in sorted(found.items()))))


if __name__ == "__main__":
    if sys.argv[1] == "--machine-code":
        machine_code(sys.argv[2], sys.argv[3:])
    else:
        counts(sys.argv[1], sys.argv[2], sys.argv[3:])
