#!/usr/bin/env python3
"""Which loads become one request on their way to the L2: the launches of l2_merges.cu, and what their counts say.

l2_merges.py                        prints the figures of docs/model.md from l2_merges.txt
l2_merges.py measure OUT            on a machine with a GPU and ncu, beside ./l2_merges: writes OUT/l2_merges.txt
"""
import csv
import itertools
import os
import random
import subprocess
import sys

LINES, PERIOD = 200, 4000
READS = 8  # the place of the L2's reads in a line of caches_*.txt
METRICS = ["lts__t_sectors_srcunit_tex_op_%s.sum" % operation for operation in ("read", "write")]
PROCESSORS = 132


def launch(kind, roles, before=0, lines=LINES, period=PERIOD):
    return "%s %d %d %d %s" % (kind, lines, period, before, " ".join("%d:%d:%s" % role for role in roles))


def pair(first, second, delay=0, kind="ca", before=0, sectors=("f", "f")):
    return launch(kind, [(first, 0, sectors[0]), (second, delay, sectors[1])], before)


def launches(group):
    """group: the multiprocessors of one GPC."""
    first, second = group[0], group[1]
    yield launch("ca", [(first, 0, "f")])
    for other in range(PROCESSORS):
        if other != first:
            yield pair(first, other)
    for kind, before in itertools.product(("ca", "cg"), (0, 1)):
        for delay in [*range(0, 400, 25), *range(400, 1300, 100)]:
            yield pair(first, group[-1], delay, kind, before)
    for before in (0, 1):
        for count in range(2, len(group) + 1):
            yield launch("ca", [(number, 0, "f") for number in group[:count]], before)
    for sectors in itertools.product("f137c", repeat=2):
        yield pair(first, second, 60, sectors=sectors)
    for delay in range(0, 300, 50):
        yield pair(first, second, delay, "st")
    generator = random.Random(1)
    for _ in range(200):
        chosen = generator.sample(range(PROCESSORS), generator.choice([2, 3, 4, 6, 8, 12, 16, 24, 40, 66, 132]))
        latest = generator.choice([0, 100, 300, 600, 1200, 3000])
        yield launch(generator.choice(["ca", "cg"]), [(number, generator.randrange(latest + 1), "f") for number in chosen],
                     generator.choice([0, 1]), 100, 6000)


def measure(folder):
    gpcs = subprocess.run(["./l2_merges", "gpcs"], capture_output=True, text=True, check=True).stdout
    groups = [[int(word) for word in line.split()[2:]] for line in gpcs.splitlines()]
    # Multiprocessors that take part in no cluster are of the GPC that has the fewest others.
    fewest = min((group for group in groups if len(group) > 1), key=len)
    lines = list(launches(fewest + [group[0] for group in groups if len(group) == 1]))
    with open("l2_merges.lines", "w") as file:
        file.write("\n".join(lines) + "\n")
    ncu = subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                          "--cache-control", "all", "--metrics", ",".join(METRICS), "./l2_merges", "l2_merges.lines"],
                         capture_output=True, text=True, check=True).stdout
    rows = list(csv.reader(line for line in ncu.splitlines() if line.startswith('"')))
    places = [rows[0].index(name) for name in METRICS]
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                         text=True, check=True).stdout.splitlines()[0]
    if len(rows) - 2 != len(lines):
        sys.exit("%d launches for %d lines" % (len(rows) - 2, len(lines)))
    with open(os.path.join(folder, "l2_merges.txt"), "w") as file:
        file.write("# %s\n# operation lines ns before multiprocessor:delay:sectors... : %s\n%s" %
                   (gpu.replace(", ", ", driver "), " ".join(METRICS), gpcs))
        for line, row in zip(lines, rows[2:]):
            file.write("%s : %s\n" % (line, " ".join(row[place].replace(",", "") for place in places)))


def read():
    groups, rows = [], []
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "l2_merges.txt")
    for line in open(path):
        if line.startswith("# together:"):
            groups.append([int(word) for word in line.split()[2:]])
        elif not line.startswith("#"):
            words, counts = line.split(" : ")
            kind, lines, _, before, *roles = words.split()
            roles = [(int(number), int(delay), int(sectors, 16)) for number, delay, sectors in
                     (role.split(":") for role in roles)]
            reads, writes = (int(word) for word in counts.split())
            rows.append({"kind": kind, "lines": int(lines), "before": int(before), "roles": roles, "writes": writes,
                         "reads": reads - 4 * int(lines) * int(before)})
    return groups, rows


def requests(row, group_of, window, dram):
    """The requests of a line by the rule: equal sectors, one GPC, up to four, while the first is under way."""
    count, first, entries = 0, min(delay for _, delay, _ in row["roles"]), {}
    for number, delay, sectors in sorted(row["roles"], key=lambda role: role[1]):
        entry = entries.get((group_of[number], sectors))
        if entry and entry[1] < 4 and delay <= entry[0]:
            entry[1] += 1
            continue
        arrives = delay + window if row["before"] else max(delay + window, first + dram)
        entries[group_of[number], sectors] = [arrives, 1]
        count += 1
    return count


def print_again():
    """Prints how many launches had the same reads, give or take 3 %, on the GPU of their family and on another."""
    folder, texts, sums = os.path.dirname(os.path.abspath(__file__)), {}, {}
    for line in open(os.path.join(folder, "l2_again.txt")):
        if line.startswith("#"):
            continue
        words, counts = line.split(" : ")
        family, number = words.split()
        if family not in texts:
            texts[family] = [row for row in open(os.path.join(folder, family + ".txt")) if not row.startswith("#")]
        again = [int(word) for word in counts.split()]
        before = int(texts[family][int(number)].split(" : ")[1].split()[READS])
        row = sums.setdefault(family, [0, 0, 0])
        row[0] += 1
        row[1] += max(again) - min(again) <= .03 * min(again)
        row[2] += abs(again[0] - before) <= .03 * before
    print("family: launches, three times the same on one GPU, on two GPUs the same")
    for family, row in sums.items():
        print("  %s: %d, %d, %d" % (family, *row))


def main():
    groups, rows = read()
    loads = [row for row in rows if row["kind"] != "st"]
    pairs = [row for row in loads if len(row["roles"]) == 2 and row["lines"] == LINES]
    first = rows[0]["roles"][0][0]
    alone = rows[0]["reads"]
    last = max((row["roles"] for row in loads if row["lines"] == LINES), key=len)[-1][0]
    same = [row["roles"][1][0] for row in pairs[:PROCESSORS - 1] if row["reads"] < 1.5 * alone]
    print("multiprocessors whose loads merge with those of %d:" % first, *same)
    print("clusters of eight ran on:", *("[%s]" % " ".join(map(str, group)) for group in groups))
    for before in (0, 1):
        print("two of a GPC, lines %s: requests a line, by delay in cycles" % ("in the L2" if before else "in the DRAM"))
        print(" ", *("%d:%.2f" % (row["roles"][1][1], row["reads"] / alone) for row in pairs[PROCESSORS - 1:]
                     if row["before"] == before and row["kind"] == "ca" and row["roles"][1][0] == last))
        print("several of a GPC at once: requests a line, by multiprocessors")
        print(" ", *("%d:%.2f" % (len(row["roles"]), row["reads"] / alone) for row in loads
                     if len(row["roles"]) > 2 and row["lines"] == LINES and row["before"] == before))
    mixed = [row for row in pairs if row["roles"][1][1] == 60]
    print("sectors of two loads, and the sectors that were asked for, of a line:")
    print(" ", *("%x,%x:%g" % (row["roles"][0][2], row["roles"][1][2], row["reads"] / row["lines"]) for row in mixed))
    print("stores of two:", *("%g" % (row["writes"] / row["lines"]) for row in rows if row["kind"] == "st"))
    tried = [row for row in loads if row["lines"] != LINES]
    group_of = {number: index for index, group in enumerate(groups) for number in group}
    home = group_of[first]
    for number in same:
        group_of[number] = home
    for window, dram in ((65, 450),):
        apart = [abs(requests(row, group_of, window, dram) * 4 * row["lines"] / row["reads"] - 1) for row in tried]
        print("%d launches at random, a window of %d cycles, of %d from the DRAM: within 3 %% %d, within 10 %% %d, on average "
              "%.1f %% apart" % (len(tried), window, dram, sum(x <= .03 for x in apart), sum(x <= .1 for x in apart),
                                 100 * sum(apart) / len(apart)))
    print_again()


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2])
    else:
        main()
