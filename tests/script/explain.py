"""`--explain`: each lesson's bad variant is explained by its own cause and leads to its lesson, and no good variant is
blamed; a whole program is explained launch by launch and together."""
import json
import os
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
cache = tempfile.TemporaryDirectory()

# The words of `run`, and the kind and the lesson of the most wasteful explanation.
BLAMED = [
    ("start --set stride=4", "strided", "coalescing"),
    ("warps --set x=25 --set y=4", "partial warp", "warps"),
    ("warps --variant invert --set x=4 --set y=4 --set z=2", "narrow rows of threads", "warps"),
    ("coalescing --set stride=8", "strided", "coalescing"),
    ("coalescing --set offset=1", "misaligned", "coalescing"),
    ("coalescing --variant store --set stride=32", "strided", "coalescing"),
    ("coalescing --variant gather", "scattered", "coalescing"),
    ("coalescing --variant structs --set stride=4", "strided", "coalescing"),
    ("dram-rows --variant columns", "down a column, block by block", "dram-rows"),
    ("pitch", "misaligned rows", "pitch"),
    ("memory-spaces --variant rotated", "local memory", "memory-spaces"),
    ("memory-spaces --variant indexed", "local memory", "memory-spaces"),
    ("memory-spaces --variant constant --set groups=32", "different constants", "memory-spaces"),
    ("banks --set stride=32", "bank conflict down a column", "banks"),
    ("banks --set stride=2", "bank conflict by a stride", "banks"),
    ("banks --variant store --set stride=32", "bank conflict down a column", "banks"),
    ("transpose --variant naive", "down a column", "transpose"),
    ("transpose --variant naive --set tile=16", "down a column", "transpose"),
    ("transpose --variant tile", "bank conflict down a tile", "transpose"),
    ("stencil --variant global --set window=5", "windows that overlap", "stencil"),
    ("stencil --variant global --set window=3 --set across=16", "windows that overlap", "stencil"),
    ("matmul --variant direct", "loaded again and again", "matmul"),
    ("divergence --variant parity", "divergent branch", "divergence"),
    ("divergence --variant nested", "divergent branch", "divergence"),
    ("divergence --variant many --set ways=8", "divergent branch", "divergence"),
    ("divergence --variant loops", "divergent branch", "divergence"),
    ("reduction --variant divergent --set block=256", "divergent tree", "reduction"),
    ("reduction --variant strided --set block=256", "bank conflict in a tree", "reduction"),
    ("occupancy --set kib=113", "few resident warps", "occupancy"),
    ("histogram --variant global --set same=90", "atomics on one address", "histogram"),
    ("histogram --variant sums --set same=90", "atomics on one address", "histogram"),
    ("scan --variant blelloch --set size=256", "bank conflict in a scan", "scan"),
    ("caches --variant threads --set size=64", "each lane walks its own part", "coalescing"),
    ("fragments --variant straight", "bank conflict of matrix rows", "fragments"),
]
# Nothing may be blamed.
GOOD = """start
warps
coalescing
coalescing --variant reversed
coalescing --variant shuffled
coalescing --variant arrays
dram-rows --variant rows
dram-rows --variant strips
pitch --set align=128
memory-spaces --variant plain
memory-spaces --variant unrolled
memory-spaces --variant constant
adjdiff --variant global
adjdiff --variant shared
barrier --variant right
banks
banks --set stride=32 --set padding=1
banks --set stride=3
transpose --variant padded
transpose --variant swizzled
stencil --variant tile --set window=5
stencil --variant tile --set window=3
matmul --variant tiled
matmul --variant four
divergence --variant warps
divergence --variant edge
divergence --variant select
divergence --variant unguarded
reduction --variant sequential --set block=256
reduction --variant shuffle --set block=256
reduction --variant two --set block=256
occupancy
histogram --variant shared --set same=90
scan --variant padded --set size=256
scan --variant hillis --set size=256
fragments --variant padded
fragments --variant swizzled
fragments --variant fma
pipeline --variant plain
pipeline --variant two""".splitlines()
# Findings that a lesson teaches.
FOUND = [("barrier --variant early", "barrier"), ("adjdiff --variant unguarded --set length=1000", "adjdiff"),
         ("pipeline --variant hasty", "pipeline"), ("histogram --variant plain", "barrier")]


def run(words):
    environment = {"XDG_CACHE_HOME": cache.name, **os.environ, "LANGUAGE": "en"}
    return subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True, env=environment, timeout=HANG)


def explained(words):
    done = run([*words.split(), "--on", "emulator", "--explain", "--json"])
    return [row for row in json.loads(done.stdout)["explain"] if row["blamed"]]


def explained_text(text, words):
    """The same of a kernel with this text."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "own.cu")
        with open(source, "w") as file:
            file.write(text)
        return explained(f"{source} {words}")


class Lessons(unittest.TestCase):
    def test_each_bad_variant_is_explained_by_its_cause_and_leads_to_its_lesson(self):
        for words, kind, lesson in BLAMED:
            with self.subTest(words):
                first = (explained(words) or [{}])[0]
                self.assertEqual((first.get("kind"), first.get("lesson")), (kind, lesson))
                self.assertGreater(len(first["message"]), 20)
                self.assertGreater(len(first["remedy"]), 20)

    def test_no_good_variant_is_blamed(self):
        for words in GOOD:
            for caches in "none", "model":
                with self.subTest(words, caches=caches):
                    rows = explained(f"{words} --caches {caches}")
                    self.assertEqual([(row["kind"], row["line"]) for row in rows], [])

    def test_a_finding_leads_to_its_lesson(self):
        for words, lesson in FOUND:
            with self.subTest(words):
                self.assertIn(f"lanescope {lesson}\n", run([*words.split(), "--on", "emulator", "--explain"]).stdout)

    def test_arguments_of_printf_are_not_blamed_and_a_comment_is_no_printf(self):
        rows = explained_text("__global__ void k(float *out, int n)\n{\n    float own[16];\n"
                              "    for (int i = 0; i < 16; i++)\n        own[(i * n) % 16] = i; // no printf(\"%d\")\n"
                              "    out[threadIdx.x] = own[n % 16];\n    printf(\"%d\"\n           \" %d\\n\",\n"
                              "           n,\n           n + 1);\n}\n",
                              "--block 32 --arg f32[32]=zero --arg i32=3")
        self.assertEqual({row["line"] for row in rows if row["kind"] == "local memory"}, {5, 6})

    def test_the_lanes_to_blame_are_those_of_the_fullest_bank(self):
        worst = explained("banks --set stride=16")[0]["worst"]
        self.assertEqual(worst["lanes"], list(range(0, 32, 2)))
        self.assertEqual((worst["stride"], worst["units"], worst["units_ideal"]), (64, 16, 1))

    def test_padding_is_advised_with_the_passes_it_leaves(self):
        self.assertIn("this access would take 1 pass.", explained("transpose --variant tile")[0]["remedy"])

    def test_loads_say_how_many_of_their_sectors_the_l1_holds_when_asked(self):
        words = ["adjdiff", "--variant", "global", "--on", "emulator", "--explain", "--json"]
        without, told = (json.loads(run([*words, *more]).stdout) for more in ([], ["--caches", "model"]))
        hits = {site["line"]: site["l1_hits"] for site in told["sites"] if site["operation"] == "ld"}
        rows = [row for row in told["explain"] if row["space"] == "global"]
        self.assertEqual({row["l1_hits"] for row in without["explain"]}, {None})
        self.assertEqual({row["line"]: row["l1_hits"] for row in rows if row["operation"] == "ld"}, hits)
        self.assertTrue(all(hits.values()) and len(hits) == 2)
        self.assertEqual({row["l1_hits"] for row in rows if row["operation"] == "st"}, {None})
        walk = explained("caches --variant threads --set size=64")[0]
        self.assertGreater(2 * walk["l1_hits"], walk["l1_sectors"])
        self.assertIn(f"finds {walk['l1_hits']:,} of its {walk['l1_sectors']:,} sectors in the L1. ", walk["message"])

    def test_a_stride_whose_sectors_the_l1_holds_comes_behind_one_that_goes_beyond(self):
        text = ("__global__ void k(float *out, const float *near, const float *far)\n{\n"
                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = 0;\n"
                "    for (int k = 0; k < 32; k++)\n        sum += near[i * 32 + k];\n"
                "    sum += far[i * 32];\n    out[i] = sum;\n}\n")
        words = "--grid 4 --block 64 --arg f32[256]=zero --arg f32[8192]=iota --arg f32[8192]=iota"
        plain, (far, near) = explained_text(text, words), explained_text(text, words + " --caches model")
        self.assertEqual([row["line"] for row in plain], [6])
        self.assertNotIn("wasted_beyond_l1_bytes", plain[0])
        self.assertEqual((far["line"], near["line"]), (7, 6))
        self.assertEqual((far["wasted_bytes"], far["wasted_beyond_l1_bytes"]), (32 * 28 * 8,) * 2)
        self.assertEqual((near["wasted_bytes"], near["wasted_beyond_l1_bytes"]), (32 * 28 * 8 * 32, 0))
        # 32 sectors of each row of `near`, of which the L1 misses each once, those of `far` and the least of `out`
        self.assertAlmostEqual(far["part_beyond_l1"], 28 * 8 / (1024 + 256 + 32))
        self.assertIn("no bandwidth of the L2 and the DRAM", near["message"])
        self.assertNotIn("bandwidth", far["message"])
        self.assertEqual((near["part_beyond_l1"], near["wasted_bytes"]), (0, plain[0]["wasted_bytes"]))

    def test_local_memory_that_the_l1_holds_costs_its_stores(self):
        words = ["memory-spaces", "--variant", "rotated", "--on", "emulator", "--explain", "--caches", "model"]
        text = run(words).stdout
        self.assertRegex(text, r"st\.local .* beyond it 16,384 bytes, 94 % of the traffic there(.|\n)*"
                               r"ld\.local .* nothing of it beyond the L1\n")
        self.assertIn("Of the sectors of all local loads, the model of the caches finds 4,096 of 4,096 in the L1. So", text)

    def test_what_is_wasted_costs_the_same_bytes_where_the_caches_are_not_asked(self):
        for words in ("transpose --variant naive", "banks --set stride=32", "matmul --variant direct"):
            rows, weighed = explained(words), explained(words + " --caches model")
            self.assertEqual({row["line"]: row["wasted_bytes"] for row in rows}.items() -
                             {row["line"]: row["wasted_bytes"] for row in weighed}.items(), set())

    def test_a_load_that_waits_is_not_blamed_for_asking_again(self):
        rows = explained_text("__global__ void k(int *flag)\n{\n    if (blockIdx.x == 0)\n"
                              "        while (*(volatile int *)flag == 0)\n            ;\n"
                              "    else if (threadIdx.x == 0)\n        *flag = 1;\n}\n",
                              "--grid 2 --block 32 --arg i32[1]=zero")
        self.assertEqual(rows, [])

    def test_the_explanation_is_there_only_when_asked_for(self):
        self.assertNotIn("explain", json.loads(run(["transpose", "--on", "emulator", "--json"]).stdout))

    def test_korean_says_the_same_figures(self):
        words = ["transpose", "--variant", "naive", "--on", "emulator", "--explain"]
        english, korean = run(words).stdout, run([*words, "--lang", "ko"]).stdout
        for part in ("11:5 · st.global 4 B · out", "114,688", "78 %", "lanescope transpose"):
            self.assertIn(part, english)
            self.assertIn(part, korean)
        self.assertIn("이웃한 레인", korean)


class Programs(unittest.TestCase):
    def test_each_launch_of_a_program_and_all_together_are_explained(self):
        found = json.loads(run(["tests/programs/waste.cu", "--explain", "--json"]).stdout)
        causes = [(launch["kernel"], [row["kind"] for row in launch["explain"] if row["blamed"]][:1])
                  for launch in found["launches"]]
        self.assertEqual(causes, [("move", ["strided"])] * 3 + [
            ("transpose", ["down a column"]), ("rows", ["each lane walks its own part"]),
            ("count", ["atomics on one address"]), ("add", [])])
        moves = [row for row in found["explain"] if row["kernel"] == "move"]
        self.assertEqual({row["launches"] for row in moves}, {3})
        apart = sum(row["wasted_bytes"] for launch in found["launches"] for row in launch["explain"] if row["blamed"])
        self.assertEqual(sum(row["wasted_bytes"] for row in found["explain"]), apart)
        wasted = [row["wasted_bytes"] for row in found["explain"]]
        self.assertEqual(wasted, sorted(wasted, reverse=True))

    def test_a_program_as_text_ends_with_the_sum_over_all_launches(self):
        text = run(["tests/programs/waste.cu", "--explain"]).stdout
        self.assertRegex(text, r"wasted by all launches(.|\n)*move · .* in 3 launches · lanescope coalescing\n")

    def test_a_program_keeps_no_explanation_unless_asked(self):
        found = json.loads(run(["tests/programs/waste.cu", "--json"]).stdout)
        self.assertNotIn("explain", found)
        self.assertNotIn("explain", found["launches"][0])


ADVICE = "tests/programs/advice"
SANITIZED = "LANESCOPE_SANITIZED" in os.environ  # a sample of what the same code does many times


def launch_of(name, defines):
    """The only launch of a program of that folder, with its explanation."""
    words = [word for define in defines.split() for word in ("--define", define)]
    launch, = json.loads(run([f"{ADVICE}/{name}", "--on", "emulator", "--explain", "--json", *words]).stdout)["launches"]
    return launch


class Advice(unittest.TestCase):
    def test_the_first_advice_on_a_program_is_the_cause_that_its_first_lines_name(self):
        cases = []
        for name in sorted(os.listdir(ADVICE)):
            with open(f"{ADVICE}/{name}") as file:
                found = re.findall(r"^// first advice(?: with (.*?))?: (.*)$", file.read(), re.M)
            self.assertTrue(found, name)
            cases += [(name, *case) for case in found]
        for name, defines, named in cases[::5 if SANITIZED else 1]:
            with self.subTest(f"{name} {defines}"):
                first = next((row for row in launch_of(name, defines)["explain"] if row["blamed"]), None)
                said = "none" if not first else first["kind"]
                self.assertEqual(f"{said}, array {first['array']}" if first and first["array"] else said, named)

    def test_exchanging_x_and_y_saves_as_many_sectors_as_the_advice_says(self):
        for side in (16,) if SANITIZED else (8, 16, 32):
            with self.subTest(side):
                exchanged, right = (launch_of("matmul.cu", f"X={side} Y={side}" + word) for word in (" EXCHANGED=1", ""))
                now, then = (sum(site["sectors"] for site in launch["sites"]) for launch in (exchanged, right))
                self.assertIn(f"would then need {then:,} sectors instead of {now:,}.", exchanged["explain"][0]["remedy"])


if __name__ == "__main__":
    unittest.main()
