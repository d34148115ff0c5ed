#!/usr/bin/env python3
"""Compares the cycles of the model clock with recorded times, for docs/model.md: run `tests/silicon/clock.py LANESCOPE`."""
import json, subprocess, sys

RECORDED = "assets/recordings/nvidia-h200/"
MULTIPROCESSORS, MHZ = 132, 1980  # assets/gpus/nvidia-h200.yaml


def model(*words):
    output = subprocess.run([sys.argv[1], "run", *words, "--on", "emulator", "--blocks", "0", "--json"],
                            check=True, stdout=subprocess.PIPE).stdout
    return json.loads(output)["model_clock"]["cycles"]


def recorded(lesson, **setting):
    table = json.load(open(RECORDED + lesson + ".json"))
    rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
    [row] = [row for row in rows if all(row[name] == value for name, value in setting.items())]
    return row["median"]


def line(setting, cycles, measured):
    print(f"| {setting} | {cycles:,} | {measured:,.0f} | {cycles / measured:.2f} |")


print("| kernel | model | H200 | ratio |\n|---|---|---|---|")
for kib, work in [(0, 1), (226, 1), (113, 4), (226, 8), (113, 8), (0, 8)]:
    resident = 8 if kib == 0 else 228 // (kib + 1)  # blocks of 256 threads
    blocks = 67108864 / 256 / work
    time = recorded("occupancy", block=256, kib=kib, work=work)
    line(f"`occupancy`, {kib} KB, {work} float{'s' * (work > 1)}: a block, {resident} resident",
         model("occupancy", "--set", "block=256", "--set", f"kib={kib}", "--set", f"work={work}"),
         time * MHZ * MULTIPROCESSORS * resident / blocks)
for variant, buffers in [("plain", 1), ("single", 1), ("strict", 2), ("two", 2), ("four", 4)]:
    for work in [1, 48]:
        line(f"`pipeline` {variant}, {work} round{'s' * (work > 1)}: a block of 256 threads, 256 tiles",
             model("kernels/pipeline.cu", "--compiler", "shipped", "--kernel", f"pipeline_{variant}", "--block", "256",
                   "--shared", str(buffers * 4096), "--arg", "f32[256]=zero", "--arg", "f32[262144]=iota",
                   "--arg", "i32=256", "--arg", f"i32={work}", "--arg", "f32=1"),
             recorded("pipeline", variant=variant, work=work, crowd=1) * MHZ)
