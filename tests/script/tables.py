"""`export -o OUT.csv` and `OUT.json`: the accesses of a run for other programs, which must agree with the run's counts;
`run --csv`: these counts."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import read_trace  # noqa: E402

PROGRAM = os.environ["LANESCOPE"]


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=900,
                          env={**os.environ, "LANGUAGE": "en"})


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def table(self, *words):
        done = run("export", *words, "-o", self.path("x.csv"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.path("x.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def events(self, *words):
        done = run("export", *words, "-o", self.path("x.json"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(pathlib.Path(self.path("x.json")).read_text())

    def test_sums_over_the_table_are_the_runs_counters(self):
        words = ("banks", "--set", "stride=8", "--on", "emulator")
        counters = json.loads(run("run", *words, "--json").stdout)["counters"]
        accesses = {row["access"]: row for row in self.table(*words)}.values()
        for operation, space, column, counter in (
                ("ld", "shared", "passes", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
                ("st", "shared", "passes", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
                ("ld", "global", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
                ("st", "global", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")):
            rows = [row for row in accesses if (row["operation"], row["space"]) == (operation, space)]
            self.assertEqual(sum(int(row[column]) for row in rows), counters[counter], counter)

    def test_a_row_of_a_trace_has_the_address_and_the_element_of_its_lane(self):
        trace = self.path("run.trace")
        run("run", "adjdiff", "--variant", "global", "--on", "emulator", "--trace", trace)
        read = read_trace.read(trace)
        accesses = [event for event in read["events"] if event["kind"] == 0]
        rows = self.table(trace)
        lanes = [(str(number), str(lane), hex(address)) for number, event in enumerate(accesses, 1)
                 for lane, address in sorted(event["lanes"].items())]
        self.assertGreater(len(lanes), 1000)
        self.assertEqual([(row["access"], row["lane"], row["address"]) for row in rows], lanes)
        places = {buffer["name"]: buffer["address"] for buffer in read["buffers"]}
        for row in rows:
            if row["buffer"]:
                self.assertEqual(int(row["address"], 16), places[row["buffer"]] + 4 * int(row["element"]))

    def test_perfetto_gets_a_slice_for_each_access_and_pairs_of_barriers(self):
        words = ("adjdiff", "--variant", "shared", "--on", "emulator")
        accesses = {row["access"] for row in self.table(*words)}
        events = self.events(*words)["traceEvents"]
        self.assertEqual(len([e for e in events if e["ph"] == "X"]), len(accesses))
        self.assertTrue([e for e in events if e["ph"] == "M" and e["args"]["name"] == "warp 1"])
        open_waits = {}
        for event in events:
            if event["ph"] in "BE":
                warp = event["pid"], event["tid"]
                open_waits[warp] = open_waits.get(warp, 0) + (1 if event["ph"] == "B" else -1)
                self.assertIn(open_waits[warp], (0, 1))
        self.assertTrue(open_waits)
        self.assertEqual(set(open_waits.values()), {0})
        costs = [e["args"] for e in events if e["ph"] == "X" and "shared" in e["name"]]
        self.assertTrue(all(cost["passes"] >= cost["passes at least"] for cost in costs))

    def test_the_csv_of_counters_has_those_of_each_launch_as_json_has_them(self):
        program = self.path("p.cu")
        pathlib.Path(program).write_text("""__global__ void first(int *a) { a[threadIdx.x] = 1; }
__global__ void second(int *a) { a[threadIdx.x * 8] += 1; }
int main() { int *a; cudaMalloc(&a, 4096); first<<<1, 64>>>(a); second<<<dim3(2, 1), 64>>>(a); cudaFree(a); }
""")
        for words in ((program, "--on", "emulator", "--caches", "model"), ("banks", "--set", "stride=8", "--on", "emulator")):
            done, told = run("run", *words, "--csv"), json.loads(run("run", *words, "--json").stdout)
            self.assertEqual(done.stderr, "")
            rows = list(csv.DictReader(done.stdout.splitlines()))
            self.assertEqual(list(rows[0]), "launch kernel grid block counter value".split())
            for number, launch in enumerate(told.get("launches", [told]), 1):
                ours = [row for row in rows if row["launch"] == str(number)]
                counters = {**launch["counters"], **(launch.get("caches") or {}).get("counters", {})}
                self.assertEqual({row["counter"]: float(row["value"]) for row in ours},
                                 {name: value for name, value in counters.items() if value is not None})
                shape = launch["launch"]
                self.assertEqual({(row["kernel"], row["grid"], row["block"]) for row in ours},
                                 {(launch["kernel"], *("x".join(map(str, shape[part])) for part in ("grid", "block")))})
        both = run("run", "banks", "--csv", "--json")
        self.assertEqual((both.returncode, both.stdout), (2, ""))

    def test_what_cannot_be_a_table_is_refused_and_nothing_is_written(self):
        program = self.path("p.cu")
        pathlib.Path(program).write_text("__global__ void k() {}\nint main() { k<<<1, 32>>>(); }\n")
        for words in ((program,), ("nosuchlesson",), ("banks", "--beat", "2"), (self.path("none.trace"),)):
            done = run("export", *words, "-o", self.path("y.csv"))
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), words)
            self.assertFalse(os.path.exists(self.path("y.csv")))


if __name__ == "__main__":
    unittest.main()
