"""The command line is a contract: exit statuses, JSON fields and one-line errors that scripts rely on."""
import base64
import errno
import hashlib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import read_trace  # noqa: E402

PROGRAM = os.environ["LANESCOPE"]
SANITIZED = "LANESCOPE_SANITIZED" in os.environ  # ten times slower: a sample of what the same code does many times
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
COUNTERS = """l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
smsp__sass_inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_st.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
branches branches_divergent warp_instructions thread_instructions constant_requests constant_passes
sm__idc_divergent_instruction_replays.sum smsp__sass_inst_executed_op_shared_atom.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum""".split()


NOTHING = """.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing() { ret; }
"""


CONSTANTS = """.version 7.0
.target sm_70
.address_size 64
.const .align 16 .b8 table[128];
.visible .entry look(.param .u64 p) {
.reg .b32 %r<8>; .reg .b64 %rd<8>;
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
mov.u64 %rd4, table; add.s64 %rd5, %rd4, %rd2; ld.const.u32 %r2, [%rd5];
ld.const.u32 %r3, [table+4];
and.b32 %r1, %r1, 7; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd5, %rd4, %rd2;
ld.const.v4.u32 {%r4, %r5, %r6, %r7}, [%rd5];
add.s32 %r2, %r2, %r3; st.global.u32 [%rd3], %r2; ret; }
"""


def run(*words, **more):
    environment = {**os.environ, "LANGUAGE": "en", "LANESCOPE_PAGE": "", **more}  # reports without the page of build/web
    environment.pop("DISPLAY", None)
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=environment, timeout=HANG)


class Help(unittest.TestCase):
    SYNOPSIS = """lanescope [LESSON] [--set NAME=VALUE]...
lanescope view FILE.trace
lanescope list [--json]
lanescope run TARGET [options]
lanescope inspect TARGET [--json]
lanescope render TARGET [options] -o OUT.png
lanescope export TARGET [options] -o OUT.pdf|OUT.html|OUT.csv|OUT.json|FOLDER|FILM
lanescope record [LESSON...] -o DIR
lanescope build FILES... -o PROGRAM
lanescope exec PROGRAM
lanescope grade RUBRIC.yaml SUBMISSIONS... [-o FOLDER]
lanescope baseline [FILE.cu]... [--update]
lanescope compare A.trace B.trace
lanescope doctor
lanescope bench [emulator|programs|trace|""".splitlines()
    COMMON = "--variant --set --on --gpu --blocks --lang".split()
    LAUNCH = "--kernel --grid --block --shared --define --arg".split()
    OPTIONS = {
        "run": COMMON + LAUNCH + "--dump --trace --check --json --csv --budget --values --compiler".split(),
        "render": COMMON + LAUNCH + "--output --beat --access --show-block --answered --ptx --size --theme".split(),
        "export": COMMON + LAUNCH + "--output --theme --paper --sheet --no-source --launch --beat --access --size".split(),
        "view": "--show-block --access --theme --lang --grid --arg".split(),
        "build": ["--output", "--define"], "baseline": "--update --baseline --for --json --output".split(),
        "grade": "--jobs --trust --on --task --for --init --list --copy --json --output".split(),
        "exec": "--trace --check --json --csv --blocks --launch --cwd --seconds --print --budget".split(),
        "inspect": ["--json", "--define", "--compiler"], "list": ["--json"], "record": ["--output", "--counters"],
        "bench": ["--threads"], "compare": [], "doctor": [], "complete": [], "manual": [], "ship-ptx": [], "launch": ["--grid", "--arg"]}
    ALL = set(sum(OPTIONS.values(), []))

    def test_the_program_and_every_command_tell_how_they_are_called(self):
        whole = run("--help")
        self.assertEqual(whole.returncode, 0)
        for line in self.SYNOPSIS:
            self.assertIn("\n  " + line, whole.stdout)
            self.assertFalse([l for l in whole.stdout.splitlines() if l != l.rstrip()])
        self.assertEqual(run("-h").stdout, whole.stdout)
        self.assertRegex(run("--version").stdout, r"^lanescope \d+\.\d+")

    def test_a_commands_help_names_its_options_and_no_others(self):
        for command, options in self.OPTIONS.items():
            told = set(re.findall(r"^ .*?(--[a-z-]+)", run(command, "--help").stdout, re.M))
            self.assertLessEqual(set(options), told, command)
            for option in sorted(self.ALL - told)[:2 if SANITIZED else None]:
                refused = run(command, "banks", option, "x")
                self.assertEqual(refused.returncode, 2, (command, option))
                self.assertIn(option, refused.stderr)

    def test_help_is_help_wherever_it_stands(self):
        self.assertEqual(run("run", "banks", "--set", "stride=1", "--help").stdout, run("run", "-h").stdout)

    def test_every_command_has_help_with_an_example(self):
        for command in "view list run build exec grade baseline inspect render export record compare doctor bench complete manual ship-ptx launch".split():
            done = run(command, "--help")
            self.assertEqual(done.returncode, 0, command)
            self.assertRegex(done.stdout, rf"(?m)^example: .*lanescope.* ?{command}", command)


class WrongInput(unittest.TestCase):
    """Each exits with status 2 and one line on standard error that names the cause."""

    CASES = [
        (["run", "nosuchlesson"], "nosuchlesson"),
        (["run", "banks", "--set", "stride=65"], "stride"),
        (["run", "banks", "--set", "strode=1"], "strode"),
        (["run", "banks", "--set", "element=5"], "element"),
        (["run", "banks", "--set", "stride=x"], "stride"),
        (["run", "banks", "--variant", "sideways"], "sideways"),
        (["run", "banks", "--frobnicate"], "--frobnicate"),
        (["run", "banks", "--on", "toaster"], "toaster"),
        (["run", "banks", "--blocks", "3-1"], "3-1"),
        (["run", "missing.cu"], "missing.cu"),
        (["run", "missing.ptx"], "missing.ptx"),
        (["run"], "TARGET"),
        (["render", "banks"], "-o"),
        (["compare", "a.trace"], "compare"),
        (["compare", "a.trace", "b.trace"], "a.trace"),
        (["bench", "toast"], "toast"),
        (["bench", "emulator", "banks"], "bench ui banks"),
        (["bench", "ui", "nosuchlesson"], "nosuchlesson"),
        (["bench", "--threads", "0"], "--threads"),
        (["run", "banks", "adjdiff"], "one TARGET"),
        (["run", "--kernel"], "--kernel"),
        (["run", "banks", "--set", "stride"], "NAME=VALUE"),
        (["run", "banks", "--lang", "fr"], "--lang"),
        (["run", "banks", "--gpu", "voodoo"], "nvidia-h200"),
        (["run", "banks", "--gpu", "missing.yaml"], "missing.yaml"),
        (["run", "banks", "--blocks", "1"], "block 1"),
        (["run", "banks", "--blocks", "0-18446744073709551616"], "--blocks"),
        (["run", "banks", "--check", "memory,luck"], "--check"),
        (["run", "banks", "--on", "recording", "--blocks", "0"], "--blocks"),
        (["run", "banks", "--arg", "i32=5"], "--arg"),
        (["run", "banks", "--grid", "2"], "--grid"),
        (["run", "banks", "--shared", "16"], "--shared"),
        (["run", "banks", "--define", "A=1"], "--define"),
        (["run", "banks", "--dump", "0=x"], "--dump"),
        (["run", "banks", "--budget", "7"], "--budget"),
        (["run", "x.cu", "--set", "stride=1"], "--set"),
        (["run", "x.cu", "--grid", "0"], "--grid"),
        (["run", "x.cu", "--grid", "1,2,3,4"], "--grid"),
        (["run", "x.cu", "--grid", "4294967296"], "each from 1 to 2147483647, not '4294967296'"),
        (["run", "x.cu", "--block", "4294967296"], "each from 1 to 1024, not '4294967296'"),
        (["run", "x.cu", "--shared", "4294967296"], "0 to 4294967295 bytes, not '4294967296'"),
        (["run", "x.cu", "--block", "x"], "--block"),
        (["run", "x.cu", "--shared", "-1"], "--shared"),
        (["run", "x.cu", "--dump", "nowhere"], "--dump"),
        (["run", "x.cu", "--dump", "0=nowhere"], "argument 0"),
        (["run", "x.cu", "--on", "recording"], "recording"),
        (["render", "banks", "--beat", "99", "-o", "x.png"], "99"),
        (["render", "banks", "--beat", "0", "-o", "x.png"], "--beat"),
        (["render", "banks", "--size", "800x600x", "-o", "x.png"], "--size"),
        (["render", "banks", "--size", "10x10", "-o", "x.png"], "--size"),
        (["render", "banks", "--scale", "nan", "-o", "x.png"], "--scale"),
        (["render", "banks", "--text", "90", "-o", "x.png"], "--text"),
        (["render", "banks", "--text", "145", "-o", "x.png"], "--text"),
        (["render", "banks", "--theme", "pink", "-o", "x.png"], "--theme"),
        (["render", "banks", "--kernel", "k", "-o", "x.png"], "--kernel"),
        (["render", "nosuchlesson", "-o", "x.png"], "nosuchlesson"),
        (["render", "missing.trace", "-o", "x.png"], "missing.trace"),
        (["export", "banks"], "-o OUT.pdf"),
        (["export", "-o", "x.pdf"], "TARGET"),
        (["export", "nosuchlesson", "-o", "x.pdf"], "nosuchlesson"),
        (["export", "banks", "--beat", "3", "-o", "x.pdf"], "--beat"),
        (["export", "banks", "--paper", "a4", "-o", "x.mp4"], "x.mp4"),
        (["export", "banks", "--kernel", "k", "-o", "x.pdf"], "--kernel"),
        (["export", "missing.trace", "-o", "x.pdf"], "missing.trace"),
        (["export", "banks", "-o", "/dev/null/x.pdf"], "/dev/null/x.pdf"),
        (["export", "banks", "--paper", "a3", "-o", "x.pdf"], "a3"),
        (["export", "banks", "--sheet", "pupil", "-o", "x.pdf"], "pupil"),
        (["export", "banks", "--sheet", "student", "-o", "x.mp4"], "--sheet"),
        (["export", "mine.cu", "-o", "x.pdf"], "mine.cu"),
        (["render", "a.trace", "--set", "stride=1", "-o", "x.png"], "--set"),
        (["render", "banks", "-o", "/dev/null/x.png"], "/dev/null/x.png"),
        (["render", "banks", "-o", "x.jpg"], ".png, .gif, .svg, .pdf"),
        (["view"], "view"),
        (["view", "missing.trace"], "missing.trace"),
        (["inspect"], "TARGET"),
        (["inspect", "nosuchlesson"], "nosuchlesson"),
        (["inspect", "missing.cu"], "missing.cu"),
        (["inspect", "some.trace"], "lanescope view some.trace"),
        (["run", "some.trace"], "lanescope view some.trace"),
        (["run", "missing.cu", "--values"], "--trace PATH"),
        (["list", "banks"], "banks"),
        (["doctor", "please"], "please"),
        (["ship-ptx", "please"], "please"),
        (["record"], "-o"),
        (["record", "nosuchlesson", "-o", "x"], "nosuchlesson"),
        (["record", "banks", "--grid", "4", "-o", "x"], "--grid"),
        (["launch"], "TARGET"),
        (["nosuchlesson"], "nosuchlesson"),
        (["banks", "adjdiff"], "adjdiff"),
        (["--set", "stride=8"], "--set"),
        (["--frobnicate"], "--frobnicate"),
    ]

    def test_wrong_words_get_status_2_and_one_line_that_names_them(self):
        for words, culprit in self.CASES[::4 if SANITIZED else 1]:
            done = run(*words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertEqual(done.stderr.count("\n"), 1, (words, done.stderr))
            self.assertIn(culprit, done.stderr, words)
            self.assertEqual(done.stdout, "", words)

    def test_a_number_is_decimal_unless_it_says_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "nothing.ptx")
            path.write_text(NOTHING)
            for grid, blocks in (("010", 10), ("0x10", 16)):
                done = json.loads(run("run", str(path), "--grid", grid, "--on", "emulator", "--json").stdout)
                self.assertEqual(done["launch"]["grid"], [blocks, 1, 1])

    def test_output_that_cannot_be_written_is_an_error(self):
        for words in (["list"], ["list", "--json"], ["run", "banks", "--json"], ["doctor"], ["--help"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=HANG)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "closed.trace")
            closed = subprocess.run(f"'{PROGRAM}' run banks --on emulator --json --trace '{trace}' >&- 2>&-", shell=True)
            self.assertEqual(closed.returncode, 0)
            self.assertEqual(run("compare", str(trace), str(trace)).returncode, 0)  # nothing else was written into it
            kept, link = pathlib.Path(folder, "kept"), pathlib.Path(folder, "link.png")
            kept.write_text("kept")
            link.symlink_to(kept)
            through = run("render", "banks", "-o", str(link))
            self.assertEqual((through.returncode, kept.read_text()), (2, "kept"), through.stderr)
            self.assertIn("link.png", through.stderr)
            self.assertEqual(sorted(os.listdir(folder)), ["closed.trace", "kept", "link.png"])  # no part of a file
        unwritable = run("run", "banks", "--on", "emulator", "--trace", "/dev/null/x")
        self.assertEqual(unwritable.returncode, 2)
        self.assertIn("/dev/null/x", unwritable.stderr)

    def test_a_reader_that_goes_away_ends_it_without_a_word(self):
        done = subprocess.run(f"'{PROGRAM}' list --json | head -c 1", shell=True, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_terminal_gets_no_control_characters_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a\033[2Jb.cu")
            path.write_text("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n")
            seen = b""
            ours, theirs = pty.openpty()
            words = [PROGRAM, "inspect", str(path)]
            done = subprocess.run(words, stdout=theirs, stderr=theirs, env=dict(os.environ, LANGUAGE="en"), timeout=HANG)
            os.close(theirs)
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:  # nobody has the other end any more
                    break
                seen += part
                if not part:
                    break
            os.close(ours)
            self.assertEqual(done.returncode, 0, seen)
            self.assertIn(b"b.cu", seen)
            self.assertNotIn(b"\033", seen)

    def test_a_pipe_in_place_of_a_file_is_named_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("kernel.cu", "kernel.ptx", "run.trace"):
                pipe = pathlib.Path(folder, name)
                os.mkfifo(pipe)
                done = run("inspect" if name != "run.trace" else "view", str(pipe))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(name, done.stderr)

    def test_a_damaged_trace_is_named_not_crashed_on(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "damaged.trace")
            good = pathlib.Path(folder, "good.trace")
            self.assertEqual(run("run", "banks", "--on", "emulator", "--trace", str(good)).returncode, 0)
            whole = good.read_bytes()
            for content in (b"", b"not a trace", whole[: len(whole) // 2], whole[:40] + b"\xff" + whole[41:]):
                path.write_bytes(content)
                done = run("compare", str(path), str(good))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("damaged.trace", done.stderr)

    def test_the_first_screen_is_drawn_and_takes_no_option_of_a_lesson(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder, "home.png")
            self.assertEqual(run("render", "home", "-o", str(picture)).returncode, 0)
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            done = run("render", "home", "--set", "stride=8", "-o", str(picture))
            self.assertEqual(done.returncode, 2)
            self.assertIn("--set does not apply", done.stderr)


class Json(unittest.TestCase):
    def test_run_json_has_the_contracts_fields_and_counters_in_order(self):
        done = run("run", "banks", "--set", "stride=8", "--on", "emulator", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(list(result["counters"]), COUNTERS)
        self.assertEqual(list(result)[:10], "kernel executor device launch counters sites dram faults hazards "
                                            "time_us".split())
        self.assertEqual(list(result["dram"]), "model requests row_hits row_misses row_conflicts".split())
        self.assertEqual((result["faults"], result["hazards"]), ([], []))
        self.assertEqual(result["executor"], "emulator")
        self.assertIsNone(result["device"])
        self.assertEqual(set(result["launch"]), {"grid", "block", "shared_bytes"})
        for field in "kernel sites dram faults hazards time_us".split():
            self.assertIn(field, result)
        for site in result["sites"]:
            self.assertLessEqual({"line", "column", "operation", "space", "bytes", "requests", "sectors",
                                  "sectors_ideal", "wavefronts", "wavefronts_ideal", "constant_passes",
                                  "constant_passes_ideal"}, set(site))

    def test_outliers_are_listed_from_the_most_wasteful_on_and_only_when_asked_for(self):
        plain = json.loads(run("run", "transpose", "--on", "emulator", "--json").stdout)
        self.assertNotIn("outliers", plain)
        result = json.loads(run("run", "transpose", "--on", "emulator", "--json", "--outliers").stdout)
        outliers = result.pop("outliers")
        self.assertEqual(list(result), list(plain))
        for rows in outliers["sites"], outliers["warps"]:
            wasted = [row["wasted_bytes"] for row in rows]
            self.assertEqual(wasted, sorted(wasted, reverse=True))
        first = outliers["sites"][0]
        site = next(site for site in result["sites"] if site["operation"] == "st")
        self.assertEqual((first["operation"], first["line"]), ("st", site["line"]))
        self.assertEqual(first["wasted_bytes"], 32 * (site["sectors"] - site["sectors_ideal"]))
        self.assertEqual(outliers["sites_wasted_bytes"], outliers["warps_wasted_bytes"])
        self.assertEqual(outliers["warp_count"], 128)
        self.assertEqual(len(outliers["warps"]), 100)
        text = run("run", "transpose", "--on", "emulator", "--outliers").stdout
        self.assertIn("11:5  st.global 4 B", text)
        self.assertNotIn("wasted", run("run", "transpose", "--on", "emulator").stdout)
        file = run("run", "tests/kernels/matrix_add.cu", "--outliers", "--grid", "2,2", "--block", "32,4",
                   *sum((["--arg", f"f32[4096]={fill}"] for fill in ("zero", "iota", "iota")), []), "--arg", "i32=64").stdout
        self.assertIn("warps, in block 0:", file)  # a file's blocks are not recorded unless somebody asks
        self.assertIn("block 0, warp 3", file)

    def test_constants_count_a_pass_for_each_address(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "constants.ptx")
            pathlib.Path(path).write_text(CONSTANTS)
            words = ("--block", "32", "--arg", "u32[32]=zero")
            result = json.loads(run("run", path, *words, "--json").stdout)
            self.assertEqual([(site["space"], site["requests"], site["constant_passes"], site["constant_passes_ideal"],
                               site["sectors"], site["wavefronts"]) for site in result["sites"]],
                             [("const", 1, 32, 1, 0, 0), ("const", 1, 1, 1, 0, 0), ("const", 1, 16, 2, 0, 0),
                              ("global", 1, 0, 0, 4, 0)])
            self.assertEqual((result["counters"]["constant_requests"], result["counters"]["constant_passes"]), (3, 49))
            self.assertEqual(result["counters"]["sm__idc_divergent_instruction_replays.sum"], 31 + 0 + 14)
            self.assertEqual(result["dram"]["requests"], 4)
            self.assertRegex(run("run", path, *words).stdout, r"ld[.]const 16 B +1 +16 +2\n")
            self.assertEqual(json.loads(run("inspect", path, "--json").stdout)["constant_bytes"], 128)
            self.assertIn("constant memory of the module: 128 B", run("inspect", path).stdout)
            trace = os.path.join(folder, "constants.trace")
            run("run", path, *words, "--trace", trace)
            recorded = read_trace.read(trace)
            loads = [event for event in recorded["events"] if event["kind"] == 0]
            self.assertEqual([recorded["sites"][event["site"] - 1]["space"] for event in loads], [4, 4, 4, 1])
            self.assertEqual(loads[0]["first"], recorded["buffers"][1]["address"])
            self.assertEqual(loads[0]["stride"], 4)

    def test_a_stride_of_8_words_takes_8_wavefronts_a_request(self):
        result = json.loads(run("run", "banks", "--set", "stride=8", "--on", "emulator", "--json").stdout)
        self.assertIn(8, [site["wavefronts"] / site["requests"] for site in result["sites"]
                          if site["space"] == "shared" and site["operation"] == "ld"])

    def test_a_time_is_null_or_says_whose_it_is(self):
        recorded = json.loads(run("run", "banks", "--on", "emulator", "--json").stdout)["time_us"]
        self.assertLessEqual({"median", "p25", "p75", "runs", "source", "device", "date"}, set(recorded))
        self.assertEqual(recorded["source"], "recorded")
        self.assertTrue(recorded["p25"] <= recorded["median"] <= recorded["p75"])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "nothing.ptx")
            path.write_text(NOTHING)
            done = run("run", str(path), "--on", "emulator", "--json")
        self.assertIsNone(json.loads(done.stdout)["time_us"])

    def test_a_recording_is_one_of_a_named_gpu(self):
        done = json.loads(run("run", "banks", "--on", "recording", "--json").stdout)
        self.assertEqual(done["executor"], "recording")
        self.assertTrue(done["device"])

    def test_blocks_narrow_the_run(self):
        def stores(*words):
            done = json.loads(run("run", "adjdiff", "--variant", "global", "--on", "emulator", "--json", *words).stdout)
            return done["counters"]["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"]
        whole = stores()
        self.assertEqual(stores("--blocks", "all"), whole)
        self.assertEqual(stores("--blocks", "1-2"), whole / 2)
        self.assertEqual(stores("--blocks", "3"), whole / 4)

    def test_the_model_clock_is_named_a_model_and_has_the_chosen_gpus_latencies(self):
        cycles = {}
        for gpu in ("nvidia-h200", "rtx-2070"):
            words = ("run", "adjdiff", "--variant", "shared", "--on", "emulator", "--gpu", gpu)
            clock = json.loads(run(*words, "--json").stdout)["model_clock"]
            self.assertTrue(clock["cycles"] > clock["idle"] > 0)
            cycles[clock["gpu"]] = clock["cycles"]
            self.assertIn(f"model clock (latencies of {clock['gpu']}): block 0 takes {clock['cycles']} cycles",
                          run(*words).stdout)
        self.assertLess(cycles["NVIDIA H200"], cycles["NVIDIA GeForce RTX 2070"])
        recording = json.loads(run("run", "banks", "--on", "recording", "--json").stdout)
        self.assertIsNone(recording["model_clock"])

    def test_list_json_names_lessons_variants_and_ranges(self):
        lessons = {lesson["name"]: lesson for lesson in json.loads(run("list", "--json").stdout)}
        stride = next(p for p in lessons["banks"]["parameters"] if p["name"] == "stride")
        self.assertEqual((stride["minimum"], stride["maximum"]), (0, 64))
        self.assertEqual(lessons["banks"]["minutes"], {"alone": 14, "class": 20})
        self.assertEqual({v["name"] for v in lessons["adjdiff"]["variants"]}, {"host", "global", "shared", "unguarded"})


class Files(unittest.TestCase):
    PTX = """.version 7.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 out, .param .u64 in, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd2, %rd3;
    add.s64 %rd5, %rd1, %rd3;
    ld.global.u32 %r3, [%rd4];
    shl.b32 %r4, %r3, 1;
    st.global.u32 [%rd5], %r4;
DONE:
    ret;
}
"""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.ptx = pathlib.Path(self.folder.name, "twice.ptx")
        self.ptx.write_text(self.PTX)

    def twice(self, *more, elements=40):
        return run("run", str(self.ptx), "--block", "64", "--arg", f"i32[{elements}]=zero", "--arg",
                   f"i32[{elements}]=iota", "--arg", "u32=40", "--on", "emulator", *more)

    def test_a_ptx_file_runs_and_dumps_its_buffer(self):
        dump = pathlib.Path(self.folder.name, "out.bin")
        done = self.twice("--dump", f"0={dump}", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        values = memoryview(dump.read_bytes()).cast("i")
        self.assertEqual(list(values), [2 * i for i in range(40)])
        self.assertEqual(json.loads(done.stdout)["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 5)

    @unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
    def test_values_are_kept_when_asked_for(self):
        kept, plain = (pathlib.Path(self.folder.name, name) for name in ("kept.trace", "plain.trace"))
        self.assertEqual(self.twice("--values", "--trace", str(kept)).returncode, 0)
        self.assertEqual(self.twice("--trace", str(plain)).returncode, 0)
        accesses = [e for e in read_trace.read(kept)["events"] if e["kind"] == 0 and e["warp"] == 0]
        self.assertEqual([list(e["values"].values()) for e in accesses[:2]],
                         [list(range(32)), [2 * i for i in range(32)]])
        self.assertFalse(any("values" in e for e in read_trace.read(plain)["events"]))
        self.assertIn("the same accesses, values,", run("compare", str(kept), str(kept)).stdout)
        self.assertIn("the same accesses, barriers", run("compare", str(kept), str(plain)).stdout)

    def test_out_of_bounds_is_a_fault_with_status_1(self):
        done = self.twice("--json", "--check", "memory", elements=33)
        self.assertEqual(done.returncode, 1, done.stderr)
        fault = json.loads(done.stdout)["faults"][0]
        self.assertEqual(fault["thread"], [33, 0, 0])
        self.assertLessEqual({"kind", "message", "file", "line", "block", "thread", "address"}, set(fault))

    def test_ctrl_c_ends_a_long_run_with_what_ran_marked_as_such(self):
        # it counts, so that it is not found to be endless
        self.ptx.write_text(self.PTX.replace("DONE:\n", "DONE:\n    add.u32 %r5, %r5, 1;\n    bra DONE;\n"))
        try:
            terminal, ours = pty.openpty()  # progress appears on terminals only
        except OSError as none:
            self.skipTest(f"this machine gives no terminal: {none}")
        words = ["run", str(self.ptx), "--grid", "4", "--block", "64", "--arg", "i32[40]=zero", "--arg", "i32[40]=iota",
                 "--arg", "u32=40", "--on", "emulator", "--budget", "1000000000000", "--json"]
        work = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=ours, text=True)
        os.close(ours)
        said = ""
        while "Ctrl+C stops" not in said:
            said += os.read(terminal, 1000).decode()
        work.send_signal(signal.SIGINT)
        found = json.loads(work.communicate(timeout=HANG)[0])
        os.close(terminal)
        self.assertEqual(work.returncode, 0)
        self.assertEqual(found["stopped"], {"blocks_run": 0, "blocks": 4, "reason": "interrupt"})
        self.assertGreater(found["counters"]["warp_instructions"], 1000)

    def test_a_check_covers_what_a_kernel_uses_of_buffers_however_large(self):
        for elements in (40, 10 << 20):
            found = json.loads(self.twice("--check", "race", "--json", elements=elements).stdout)
            self.assertIsNone(found["unchecked"])

    def test_an_output_never_takes_the_place_of_an_input(self):
        folder = pathlib.Path(self.folder.name, "inputs")
        folder.mkdir()
        lesson = folder / "lesson"
        shutil.copytree("lessons/banks", lesson)
        (folder / "h.h").write_text("#define ONE 1\n")
        (folder / "b.bin").write_bytes(bytes(128))
        source = folder / "k.cu"
        source.write_text('// lanescope: --arg i32[32]=file:b.bin\n#include "h.h"\n'
                          "__global__ void k(int *a) { a[threadIdx.x] = ONE; }\n")
        (folder / "main.cu").write_text("int main() { return 0; }\n")
        os.link(source, folder / "link.png")
        os.link(folder / "main.cu", folder / "main")
        os.symlink("k.cu", folder / "alias.cu")
        trace = str(folder / "t.trace")
        self.assertEqual(run("run", str(source), "--on", "emulator", "--trace", trace).returncode, 0)
        os.link(trace, folder / "t.png")
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for words in (["run", source, "--trace", source], ["run", folder / "alias.cu", "--trace", source],
                      ["run", source, "--trace", folder / "h.h"], ["run", source, "--trace", folder / "b.bin"],
                      ["run", source, "--dump", f"0={source}"], ["run", source, "--dump", f"0={folder}/../inputs/k.cu"],
                      ["run", source, "--arg", f"i32[32]=file:{folder}/b.bin", "--dump", f"0={folder}/b.bin"],
                      ["run", lesson, "--trace", lesson / "lesson.yaml"], ["run", lesson, "--trace", lesson / "en.md"],
                      ["render", source, "-o", folder / "link.png"], ["render", trace, "-o", folder / "t.png"],
                      ["export", source, "-o", folder / "link.png"],
                      ["build", folder / "main.cu", "-o", folder / "main"],
                      ["build", folder / "main.cu", "-o", folder / "main.cu"]):
            done = run(*map(str, words))
            self.assertEqual(done.returncode, 2, (words, done.stdout))
            self.assertIn("is a file that this command reads", done.stderr, words)
            self.assertEqual(before, {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}, words)

    def test_traces_of_the_same_run_are_the_same_and_of_another_are_not(self):
        a, b, c = (str(pathlib.Path(self.folder.name, name)) for name in ("a.trace", "b.trace", "c.trace"))
        self.assertEqual(self.twice("--trace", a).returncode, 0)
        self.assertEqual(self.twice("--trace", b).returncode, 0)
        run("run", str(self.ptx), "--block", "64", "--arg", "i32[40]=zero", "--arg", "i32[40]=iota", "--arg", "u32=39",
            "--on", "emulator", "--trace", c)
        self.assertEqual(run("compare", a, b).returncode, 0)
        different = run("compare", a, c)
        self.assertEqual(different.returncode, 1)
        self.assertIn("block 0", different.stdout)

    def test_a_kernel_is_called_as_in_its_source(self):
        two = NOTHING.replace("nothing()", "_Z1fPf()") + NOTHING.split("64\n")[1].replace("nothing()", "_ZN2ns1gEv()")
        self.ptx.write_text(two)
        done = run("run", str(self.ptx), "--on", "emulator")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--kernel: f, g", done.stderr)
        for name, symbol in (("f", "_Z1fPf"), ("g", "_ZN2ns1gEv"), ("_ZN2ns1gEv", "_ZN2ns1gEv")):
            ran = json.loads(run("run", str(self.ptx), "--kernel", name, "--on", "emulator", "--json").stdout)
            self.assertEqual((ran["kernel"], ran["symbol"]), ("f" if "f" in symbol else "g", symbol))

    def test_wrong_arguments_are_named_with_the_kernels_parameters(self):
        done = run("run", str(self.ptx), "--arg", "i32[4]=zero")
        self.assertEqual(done.returncode, 2)
        self.assertIn("3", done.stderr)
        done = run("run", str(self.ptx), "--arg", "i32[4]=sideways", "--arg", "i32[4]=iota", "--arg", "u32=4")
        self.assertEqual(done.returncode, 2)
        self.assertIn("sideways", done.stderr)

    def test_inspect_lists_kernels_and_what_cannot_run(self):
        whole = json.loads(run("inspect", str(self.ptx), "--json").stdout)
        self.assertEqual(whole["kernels"][0]["kernel"], "twice")
        self.assertTrue(whole["can_run"])
        self.ptx.write_text(self.PTX.replace("shl.b32 %r4, %r3, 1", "frobnicate.b32 %r4, %r3, 1"))
        broken = json.loads(run("inspect", str(self.ptx), "--json").stdout)
        self.assertFalse(broken["can_run"])
        self.assertIn("frobnicate", broken["unsupported"][0]["instruction"])
        refused = run("run", str(self.ptx), "--arg", "i32[4]=zero", "--arg", "i32[4]=iota", "--arg", "u32=4")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("frobnicate", refused.stderr)

    COPY = """    .shared .align 4 .b8 cells[128];
    mov.u32 %r5, cells;
    cp.async.ca.shared.global [%r5], [%rd4], 4;
    cp.async.wait_all;
    ld.shared.u32 %r3, [%r5];
    st.global.u32 [%rd5], %r3;
"""

    def test_a_place_without_a_source_line_is_its_line_in_the_ptx(self):
        text = self.PTX.replace("    shl.b32", self.COPY + "    shl.b32").replace("sm_75", "sm_80")
        self.ptx.write_text(text)
        line = {part: text[:text.index(part)].count("\n") + 1 for part in ("cp.async.ca", "ld.shared", "st.global")}
        said = run("run", str(self.ptx), "--on", "emulator", "--check", "memory,race", "--outliers", "--explain", "--arg",
                   "i32[2]=zero", "--arg", "i32[8]=iota", "--arg", "u32=4").stdout
        self.assertRegex(said, rf"(?m)^PTX {line['cp.async.ca']}  ld.global 4 B ")
        self.assertIn(f"    PTX {line['ld.shared']}  ld.shared 4 B", said)
        self.assertIn(f"PTX {line['ld.shared']} · ld.shared 4 B", said)
        self.assertIn(f"        at PTX line {line['st.global']}, by thread (2,0,0)", said)

    def test_a_copy_and_a_load_of_one_line_are_two_rows(self):
        copy = self.COPY.replace("    cp.async.ca", '    .loc 1 7 3\n    cp.async.ca')
        self.ptx.write_text(self.PTX.replace("    shl.b32", copy + "    shl.b32").replace("sm_75", "sm_80") +
                            '.file 1 "copy.cu"\n')
        said = run("run", str(self.ptx), "--on", "emulator", "--arg", "i32[4]=zero", "--arg", "i32[4]=iota", "--arg",
                   "u32=4").stdout
        self.assertRegex(said, r"(?m)^ +7  ld.global 4 B  +1 +1 +1$")
        self.assertRegex(said, r"(?m)^ +7  ld.shared 4 B  +1 +1 +1$")

    def test_inspect_groups_what_cannot_run_by_form_and_gives_each_its_reason(self):
        lines = "frobnicate.b32 %r4, %r3, 1;\n@%p1 frobnicate.b32 %r4, %r3, 2;\n" * 3 + "tex.one %r1;\n"
        text = self.PTX.replace("shl.b32 %r4, %r3, 1;", lines)
        self.assertIn(lines, text)
        self.ptx.write_text(text)
        first = text[:text.index("frobnicate")].count("\n") + 1
        said = [line for line in run("inspect", str(self.ptx)).stdout.splitlines() if "cannot run: " in line]
        self.assertEqual(len(said), 2, said)
        self.assertIn(f"frobnicate.b32, 6 times (PTX lines {first}, {first + 1}, {first + 2}, ..., in twice): ", said[0])
        self.assertIn(f"tex.one %r1 (PTX line {first + 6}, in twice): ", said[1])
        listed = json.loads(run("inspect", str(self.ptx), "--json").stdout)["unsupported"]
        self.assertEqual([one["ptx_line"] for one in listed], list(range(first, first + 7)))
        self.assertTrue(all("is not" in one["reason"] for one in listed), listed)

    def test_inspect_says_which_kernel_cannot_run_and_why_and_run_says_the_same(self):
        call = ".func sample() {\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" \
               "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];\nret;\n}\n"
        kernel = ".visible .entry painted() {\ncall sample;\nret;\n}\n"
        text = self.PTX.replace(".visible .entry", call + ".visible .entry", 1) + kernel
        self.ptx.write_text(text)
        report = json.loads(run("inspect", str(self.ptx), "--json").stdout)
        twice, painted = report["kernels"]
        self.assertTrue(twice["can_run"])
        self.assertFalse(painted["can_run"])
        (one,) = painted["unsupported"]
        self.assertEqual([one], report["unsupported"])
        self.assertEqual(one["function"], "sample")
        self.assertEqual(one["ptx_line"], text[:text.index("tex.1d")].count("\n") + 1)
        self.assertIn("textures", one["reason"])
        refused = run("run", str(self.ptx), "--kernel", "painted", "--on", "emulator")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("tex.1d", refused.stderr)
        self.assertIn("textures", refused.stderr)

    def test_an_access_by_a_generic_address_is_told_in_the_space_it_found(self):
        self.assertIn("ld.global", self.PTX)
        words = [str(self.ptx), "--on", "emulator", "--arg", "i32[4]=zero", "--arg", "i32[4]=iota", "--arg", "u32=4"]
        named = run("run", *words, "--json")
        self.ptx.write_text(self.PTX.replace("ld.global", "ld"))
        generic = run("run", *words, "--json")
        self.assertEqual(json.loads(generic.stdout)["sites"], json.loads(named.stdout)["sites"])

    def test_inspect_names_kernels_and_parameters_as_run_takes_them(self):
        cuda = pathlib.Path(self.folder.name, "scale.cu")
        cuda.write_text("template <typename T> __global__ void scale(T *x, T by, int n) { x[n] *= by; }\n"
                        "template __global__ void scale<float>(float *, float, int);\n"
                        "template __global__ void scale<double>(double *, double, int);\n"
                        "__global__ void fill(const unsigned char *x, double v) { }\n")
        says = run("inspect", str(cuda)).stdout
        self.assertIn("fill(x: u8[N] (const unsigned char *), v: f64 (double))", says)
        for name, kind, real in (("scale<float>", "float", "f32"), ("scale<double>", "double", "f64")):
            self.assertIn(f"{name}(x: {real}[N] ({kind} *), by: {real} ({kind}), n: i32|u32 (int))", says)
        self.assertNotIn("_param_", says)
        for kernel in json.loads(run("inspect", str(cuda), "--json").stdout)["kernels"]:
            first = kernel["parameters"][0]
            self.assertEqual(first["source_name"], "x")
            self.assertIn(first["source_type"], ("float *", "double *", "const unsigned char *"))
            self.assertIn("_param_0", first["name"])

    def test_comments_in_a_kernels_head_change_neither_names_nor_the_guessed_launch(self):
        cuda = pathlib.Path(self.folder.name, "commented.cu")
        guesses = []
        for data, length in (("", ""), (" // data, by (all)", " // length"), ("", " /* length in elements */")):
            cuda.write_text(f"__global__ void twice(float *x,{data}\n                      int n{length}\n)\n"
                            "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    x[i] = 2 * x[i];\n"
                            "    if (i == n) x[0] = 1;\n}\n")
            done = run("run", str(cuda), "--on", "emulator", "--json")
            self.assertEqual(done.returncode, 1, done.stderr)
            shown = json.loads(done.stdout)
            guesses.append((shown["launch"], shown["guessed"], shown["faults"][0]["message"]))
        self.assertEqual(guesses[0], guesses[1])
        self.assertEqual(guesses[0], guesses[2])
        self.assertIn("f32[992]=iota", guesses[0][1]["options"])
        missing = run("run", str(cuda), "--on", "emulator", "--arg", "f32[4]=zero")
        self.assertIn("0 x: f32[N], 1 n: i32|u32", missing.stderr)

    def test_a_file_is_compiled_with_what_a_course_on_newer_gpus_uses(self):
        cuda = pathlib.Path(self.folder.name, "newer.cu")
        cuda.write_text("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\n#error too old\n#endif\n"
                        "__global__ void nothing() { }\n")
        done = run("run", str(cuda), "--on", "emulator")
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(pathlib.Path("/usr/local/cuda/include/cccl").exists(), "no CUDA 13")
    def test_a_barrier_object_is_found_and_no_race(self):
        cuda = pathlib.Path(self.folder.name, "object.cu")
        cuda.write_text("#include <cuda/barrier>\n__global__ void turn(int *out)\n{\n"
                        "__shared__ cuda::barrier<cuda::thread_scope_block> bar;\n__shared__ int s[64];\n"
                        "if (threadIdx.x == 0) init(&bar, blockDim.x);\n__syncthreads();\n"
                        "s[threadIdx.x] = threadIdx.x;\nbar.arrive_and_wait();\n"
                        "out[threadIdx.x] = s[63 - threadIdx.x];\n}\n")
        done = run("run", str(cuda), "--on", "emulator", "--block", "64", "--arg", "i32[64]=zero", "--check",
                   "memory,race")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    LAUNCH = "// lanescope: --block 64 --arg i32[40]=zero --arg i32[40]=iota --arg u32=40\n"

    def commented(self, comment, *more):
        self.ptx.write_text(comment + self.PTX)
        return run("run", str(self.ptx), "--on", "emulator", "--json", *more)

    def test_the_files_own_comment_says_how_to_launch_it(self):
        done = self.commented(self.LAUNCH)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["launch"]["block"], [64, 1, 1])
        dump = pathlib.Path(self.folder.name, "out.bin")
        self.assertEqual(self.commented(self.LAUNCH, "--dump", f"0={dump}").returncode, 0)
        self.assertEqual(len(dump.read_bytes()), 160)
        inspected = run("inspect", str(self.ptx))
        self.assertEqual(inspected.returncode, 0, inspected.stderr)

    def test_the_files_comment_names_no_file_outside_its_folder(self):
        words = "// lanescope: --grid 1 --block 32 --arg i32[8]=file:%s"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.cu")
            pathlib.Path(folder, "data.raw").write_bytes(bytes(32))
            for name, status in (("data.raw", 0), ("/etc/passwd", 2), ("../../etc/passwd", 2)):
                path.write_text("__global__ void k(int *a) { a[threadIdx.x % 8] = 1; }\n" + words % name + "\n")
                done = run("run", str(path), "--on", "emulator")
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual("outside the folder" in done.stderr, status == 2, done.stderr)

    def test_the_command_line_wins_over_the_comment(self):
        done = self.commented(self.LAUNCH, "--block", "32", "--grid=2", "--shared", "16")
        launch = json.loads(done.stdout)["launch"]
        self.assertEqual((launch["grid"], launch["block"], launch["shared_bytes"]), ([2, 1, 1], [32, 1, 1], 16))
        self.assertEqual(self.commented(self.LAUNCH, "--arg", "u32=40").returncode, 2)  # all arguments, or none
        one_of_two = self.LAUNCH.replace("64", "64 --kernel other") + self.LAUNCH.replace("64", "96 --kernel twice")
        self.assertEqual(json.loads(self.commented(one_of_two, "--kernel", "twice").stdout)["launch"]["block"],
                         [96, 1, 1])

    def test_a_comment_that_is_wrong_is_told_with_its_place_in_every_command(self):
        for wrong, culprit in (("--gird 4", "--gird"), ("--block 64x", "'64x'"), ("--grid", "--grid"), ("4", "'4'"),
                               ("--shared -1", "--shared"), ("--check race", "--check"), ("-D", "--define")):
            self.ptx.write_text("\n// lanescope: --kernel twice " + wrong + "\n" + self.PTX)
            png = str(pathlib.Path(self.folder.name, "x.png"))
            for words in (["run"], ["render", "-o", png], ["launch"]):
                done = run(words[0], str(self.ptx), *words[1:])
                self.assertEqual(done.returncode, 2, (words, wrong, done.stderr))
                self.assertRegex(done.stderr, r"^lanescope: [^ ]*twice\.ptx:2:30: ", (words, wrong))
                self.assertIn(culprit, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_window_and_run_count_the_same_dram(self):
        done = self.commented(self.LAUNCH)
        self.assertEqual(json.loads(done.stdout)["dram"]["model"], "hbm3")
        text = run("run", str(self.ptx), "--on", "emulator").stdout
        self.assertIn("hbm3", text)

    def test_what_a_compiler_stores_for_printf_is_no_access_of_the_kernel(self):
        text = """.version 7.0
.target sm_70
.address_size 64
.file 1 "p.cu"
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 words[4] = {37, 100, 10, 0};
.visible .entry p()
{ .local .align 8 .b8 depot[8]; .local .align 8 .b8 own[8]; .reg .b64 %rd<4>; .reg .b32 %r<3>;
.loc 1 2 1
mov.u32 %r1, %tid.x; st.local.u32 [own], %r1; ld.local.u32 %r1, [own];
.loc 1 3 1
st.local.u32 [depot], %r1;
mov.u64 %rd1, words; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, depot; cvta.local.u64 %rd2, %rd2;
{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;
call.uni (c), vprintf, (a, b); ld.param.b32 %r2, [c]; }
ret; }
"""
        self.ptx.write_text(text)
        done = json.loads(run("run", str(self.ptx), "--block", "2", "--on", "emulator", "--json").stdout)
        self.assertEqual(done["output"], "0\n1\n")
        self.assertEqual({site["line"] for site in done["sites"]}, {2})  # the thread's own array stays


class OwnLessons(unittest.TestCase):
    SHIFT = pathlib.Path(__file__).resolve().parent.parent / "lessons" / "shift"

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name, "mine")
        shutil.copytree(self.SHIFT, self.folder)
        self.addCleanup(self.place.cleanup)

    def test_a_folder_is_a_lesson_to_every_command(self):
        folder = str(self.folder)
        done = run("run", folder, "--set", "shift=3", "--on", "emulator", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kernel"], "shift_copy")
        shown = run("inspect", folder + "/", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertTrue(json.loads(shown.stdout)["can_run"])
        picture = self.folder / "frame.png"
        drawn = run("render", folder, "--on", "emulator", "-o", str(picture))
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertTrue(picture.exists())

    def test_a_lesson_of_a_stranger_reads_no_file_outside_its_folder(self):
        outside = pathlib.Path(self.place.name, "outside.cu")
        outside.write_text((self.folder / "shift.cu").read_text())
        lesson = self.folder / "lesson.yaml"
        text = lesson.read_text()
        for name in ("../outside.cu", str(outside)):
            lesson.write_text(text.replace("source: shift.cu", f"source: {name}"))
            self.refused("lies outside the folder")
        lesson.write_text(text)
        (self.folder / "shift.cu").unlink()
        (self.folder / "shift.cu").symlink_to(outside)
        self.refused("lies outside the folder")
        (self.folder / "shift.cu").unlink()
        shutil.copy(outside, self.folder / "shift.cu")
        lesson.write_text(text.replace("fill: iota", "fill: file:/etc/passwd"))
        self.assertNotEqual(lesson.read_text(), text)
        self.refused("lies outside the folder")
        lesson.write_text(text)
        (self.folder / "en.md").unlink()
        os.mkfifo(self.folder / "en.md")
        self.refused("a pipe")

    def refused(self, why):
        done = run("run", str(self.folder), "--on", "emulator")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(why, done.stderr)

    def test_a_lesson_that_multiplies_or_nests_without_end_is_refused_at_once(self):
        lesson = self.folder / "lesson.yaml"
        text = lesson.read_text()
        laughs = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))
        for bad, why in ((laughs + text, "alias"), ("deep: " + "[" * 100000 + "\n" + text, "nested"),
                         ("".join(f"k{i}: 1\n" for i in range(30000)) + text, "too many"),
                         ("# " + "x" * (2 << 20) + "\n" + text, "KiB"),
                         (text.replace("source: shift.cu", 'source: "shift\\e.cu"'), "control character")):
            lesson.write_text(bad)
            self.refused(why)

    def test_inspect_lists_what_is_wrong_with_a_lesson_and_what_it_checked(self):
        good = run("inspect", str(self.folder))
        self.assertEqual(good.returncode, 0, good.stderr)
        self.assertRegex(good.stdout.splitlines()[-1], r"^checked: 2 beats, \d+ settings, \d+ runs; 0 errors, 0 warnings$")
        self.assertNotIn("warning: ", good.stderr)
        words = self.folder / "en.md"
        replies = words.read_text()
        words.write_text(replies.replace("### wrong 4", "### wrong 5"))
        warned = run("inspect", str(self.folder))
        self.assertEqual(warned.returncode, 0, warned.stderr)
        self.assertIn("warning: ", warned.stderr)
        words.write_text(replies)
        lesson = self.folder / "lesson.yaml"
        text = lesson.read_text()
        lesson.write_text(text.replace("choices: [4, 5, 8]", "choices: [4, 6, 8]").replace("at: read", "at: raed", 1))
        bad = run("inspect", str(self.folder))
        self.assertEqual(bad.returncode, 2)
        self.assertRegex(bad.stderr, r"lanescope: .*/lesson\.yaml:\d+: field 'beats\.0\.at': no access is called \"raed\"")
        lesson.write_text(text.replace("choices: [4, 5, 8]", "choices: [4, 6, 8]"))
        bad = run("inspect", str(self.folder), "--json")
        self.assertEqual(bad.returncode, 2)
        self.assertEqual(bad.stderr, "")
        report = json.loads(bad.stdout)
        self.assertTrue(report["can_run"])  # its kernel can
        found = report["lesson"]
        self.assertEqual(set(found), {"folder", "can_open", "problems", "checked"})
        error = next(problem for problem in found["problems"] if problem["level"] == "error")
        self.assertEqual(set(error), {"level", "file", "line", "field", "heading", "message", "remedy"})
        self.assertEqual((error["field"], error["line"] > 0), ("beats.1.choices", True))
        self.assertGreater(found["checked"]["settings"], 2)
        lesson.write_text(text)
        kernel = self.folder / "shift.cu"
        kernel.write_text(kernel.read_text().replace("in[i + shift];", "in[i + shift] + 1;"))
        lesson.write_text(text.replace("in[i + shift];", "in[i + shift] + 1;"))
        wrong = run("inspect", str(self.folder))
        self.assertEqual(wrong.returncode, 1, wrong.stderr)  # the files are fine, a result is wrong
        self.assertIn("goes wrong at copy shift=", wrong.stderr)
        (self.folder / "ko.md").unlink()
        self.assertEqual(json.loads(run("inspect", str(self.folder), "--json").stdout)["lesson"]["can_open"], False)

    def test_a_lesson_that_cannot_be_read_is_one_entry_of_the_list(self):
        lessons = pathlib.Path(self.place.name, "lanescope", "lessons")
        lessons.mkdir(parents=True)
        shutil.move(str(self.folder), lessons / "mine")
        path = lessons / "mine" / "lesson.yaml"
        path.write_text(path.read_text().replace("answer: sectors", "answr: sectors"))
        done = run("list", "--json", XDG_DATA_HOME=self.place.name)
        self.assertEqual(done.returncode, 2)
        listed = {lesson["name"]: lesson for lesson in json.loads(done.stdout)}
        self.assertIn("banks", listed)
        self.assertEqual(set(listed["mine"]), set(listed["banks"]) | {"error"})
        self.assertRegex(listed["mine"]["error"], r"lesson\.yaml:\d+: field 'beats\.1\.answr': there is no such field")
        self.assertEqual(done.stderr.count("lesson.yaml"), 1)

    def test_lessons_of_the_user_are_listed_and_found_by_name(self):
        lessons = pathlib.Path(self.place.name, "lanescope", "lessons")
        lessons.mkdir(parents=True)
        shutil.move(str(self.folder), lessons / "mine")
        shutil.copytree(lessons / "mine", lessons / "banks")  # an installed lesson has the name
        listed = json.loads(run("list", "--json", XDG_DATA_HOME=self.place.name).stdout)
        names = [lesson["name"] for lesson in listed]
        self.assertIn("mine", names)
        self.assertEqual(names.count("banks"), 1)
        done = run("run", "mine", "--on", "emulator", "--json", XDG_DATA_HOME=self.place.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = run("run", "banks", "--on", "emulator", "--json", XDG_DATA_HOME=self.place.name)
        self.assertNotEqual(json.loads(kept.stdout)["kernel"], "shift_copy")
        missing = run("run", "nothing", XDG_DATA_HOME=self.place.name)
        self.assertEqual(missing.returncode, 2)
        self.assertIn("mine", missing.stderr)

    def test_shipped_recordings_are_not_of_another_lesson_with_the_name(self):
        other = self.folder.rename(self.folder.parent / "banks")
        done = run("run", str(other), "--on", "recording")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("there is no recording", done.stderr)

    def test_a_file_or_a_folder_alone_opens_in_the_window(self):
        for target in (str(self.folder), str(self.folder / "shift.cu")):  # without a display the frame is drawn
            done = subprocess.run([PROGRAM, target, "--on", "emulator"], capture_output=True, text=True, timeout=HANG,
                                  cwd=self.place.name, env={**os.environ, "LANGUAGE": "en", "DISPLAY": "",
                                                            "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(pathlib.Path(self.place.name, "lanescope.png").exists())
        missing = run("x.cu")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("x.cu: cannot be opened", missing.stderr)

    def test_a_folder_without_a_lesson_is_named(self):
        done = run("run", self.place.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{self.place.name}: holds no lesson.yaml", done.stderr)
        pathlib.Path(self.place.name, "some.cu").write_text("")
        for words in ((self.place.name,), ("view", self.place.name), ("inspect", self.place.name)):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(f"lanescope {self.place.name}/some.cu", done.stderr, words)


class Arguments(unittest.TestCase):
    """Buffers contain exactly the bytes of their fill: a kernel that does nothing, and --dump."""

    TYPES = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}

    def dumped(self, folder, *buffers):
        names = [f".param .u64 p{i}" for i in range(len(buffers))]
        ptx = pathlib.Path(folder, "nothing.ptx")
        ptx.write_text(NOTHING.replace("nothing()", f"nothing({', '.join(names)})"))
        words = ["run", str(ptx), "--on", "emulator", "--json"]
        for i, buffer in enumerate(buffers):
            words += ["--arg", buffer, "--dump", f"{i}={folder}/{i}.bin"]
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [pathlib.Path(folder, f"{i}.bin").read_bytes() for i in range(len(buffers))]

    def test_every_type_takes_every_fill(self):
        count = 70
        fills = {"zero": lambda i: 0, "iota": lambda i: i, "const:3": lambda i: 3, "mod:7": lambda i: i % 7,
                 "chase:13": lambda i: (i + 13) % count}
        with tempfile.TemporaryDirectory() as folder:
            for kind, letter in self.TYPES.items():
                contents = self.dumped(folder, *(f"{kind}[{count}]={fill}" for fill in fills))
                for (fill, value), content in zip(fills.items(), contents):
                    expected = struct.pack(f"<{count}{letter}", *map(value, range(count)))
                    self.assertEqual(content, expected, (kind, fill))

    def test_random_is_uniform_and_the_seed_makes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            a, again, b, words = self.dumped(folder, "f32[4096]=random:1", "f32[4096]=random:1", "f32[4096]=random:2",
                                             "u32[4096]=random:1")
            self.assertEqual(a, again)
            self.assertNotEqual(a, b)
            floats = memoryview(a).cast("f")
            self.assertTrue(0 <= min(floats) < 0.01 and 0.99 < max(floats) <= 1)
            self.assertAlmostEqual(sum(floats) / 4096, 0.5, delta=0.03)
            self.assertTrue(max(memoryview(words).cast("I")) > 0xff000000)

    def test_a_file_fills_a_buffer_and_must_be_as_long(self):
        with tempfile.TemporaryDirectory() as folder:
            raw = pathlib.Path(folder, "raw")
            raw.write_bytes(bytes(range(64)))
            self.assertEqual(self.dumped(folder, f"u16[32]=file:{raw}"), [bytes(range(64))])
            ptx = pathlib.Path(folder, "nothing.ptx")
            done = run("run", str(ptx), "--arg", f"u16[33]=file:{raw}", "--on", "emulator")
            self.assertEqual(done.returncode, 2)
            self.assertIn("raw", done.stderr)

    def test_scalars_arrive_with_their_bits(self):
        scalars = {"i32=-5": struct.pack("<i", -5), "u32=4294967295": b"\xff" * 4, "i64=-6": struct.pack("<q", -6),
                   "u64=18446744073709551615": b"\xff" * 8, "f32=1.5": struct.pack("<f", 1.5),
                   "f64=-0.1": struct.pack("<d", -0.1)}
        with tempfile.TemporaryDirectory() as folder:
            for scalar, expected in scalars.items():
                kind = f"b{8 * len(expected)}"
                register = "r" if len(expected) == 4 else "d"
                ptx = pathlib.Path(folder, "keep.ptx")
                ptx.write_text(NOTHING.replace("nothing() { ret; }", f"""keep(.param .u64 out, .param .{kind} value)
{{ .reg .b64 %d<3>; .reg .b32 %r<3>; ld.param.u64 %d1, [out]; ld.param.{kind} %{register}2, [value];
st.global.{kind} [%d1], %{register}2; ret; }}"""))
                done = run("run", str(ptx), "--block", "1", "--arg", "u64[1]=zero", "--arg", scalar, "--dump",
                           f"0={folder}/out", "--on", "emulator")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(pathlib.Path(folder, "out").read_bytes()[:len(expected)], expected, scalar)

    def test_small_scalars_and_structures_reach_the_kernel(self):
        keep = """keep(.param .u64 out, .param .u8 c, .param .u16 s, .param .align 4 .b8 p[12])
{ .reg .b64 %d<2>; .reg .b16 %h<3>; .reg .b32 %r<4>; ld.param.u64 %d1, [out]; ld.param.s8 %h1, [c];
ld.param.u16 %h2, [s]; ld.param.u32 %r1, [p]; ld.param.u32 %r2, [p+4]; ld.param.u32 %r3, [p+8];
st.global.u16 [%d1], %h1; st.global.u16 [%d1+2], %h2; st.global.u32 [%d1+4], %r1; st.global.u32 [%d1+8], %r2;
st.global.u32 [%d1+12], %r3; ret; }"""
        with tempfile.TemporaryDirectory() as folder:
            ptx = pathlib.Path(folder, "keep.ptx")
            ptx.write_text(NOTHING.replace("nothing() { ret; }", keep))
            words = ["run", str(ptx), "--block", "1", "--on", "emulator", "--arg", "u8[16]=zero", "--dump",
                     f"0={folder}/out"]
            given = ["--arg", "i8=-2", "--arg", "u16=65000"]
            for structure in ("struct{f32=1.5,u8=7,i32=-1}", "bytes=0000c03f07000000ffffffff"):
                done = run(*words, *given, "--arg", structure)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(pathlib.Path(folder, "out").read_bytes(),
                                 struct.pack("<hHfB3xi", -2, 65000, 1.5, 7, -1), structure)
            done = run(*words, *given, "--arg", "struct{f32=1.5,u8=7}")
            self.assertEqual(done.returncode, 2)
            self.assertIn("argument 3, struct{f32=1.5,u8=7}, has 8 B, but its parameter takes 12 B", done.stderr)
            done = run(*words, "--arg", "i32=-2", "--arg", "u16=65000", "--arg", "bytes=00")
            self.assertIn("argument 1, i32=-2, has 4 B, but its parameter takes 1 B", done.stderr)
            self.assertIn("3 struct{...}|bytes=HEX (12 B)", done.stderr)
            shown = run("inspect", str(ptx))
            self.assertIn("i8|u8|bool, i16|u16, struct{...}|bytes=HEX (12 B)", shown.stdout)

    def test_what_no_argument_can_be_is_refused_in_its_own_words(self):
        with tempfile.TemporaryDirectory() as folder:
            ptx = pathlib.Path(folder, "one.ptx")
            ptx.write_text(NOTHING.replace("nothing()", "one(.param .u64 p)"))
            for argument in ("f8[4]=zero", "f32[0]=zero", "f32[-1]=zero", "f32[4]", "f32[4]=", "f32[4]=sideways",
                             "f32[99999999999999999]=zero", "u8[4]=const:256", "i32[4]=const:x", "i32[4]=mod:0",
                             "i32[4]=file:", "f32=1", "i32=5", "u64=x", "u64=-1", "i64=9223372036854775808", "", "=",
                             "[4]=zero"):
                done = run("run", str(ptx), "--arg", argument, "--on", "emulator")
                self.assertEqual(done.returncode, 2, (argument, done.stderr))
                self.assertEqual(done.stderr.count("\n"), 1, (argument, done.stderr))


class Limits(unittest.TestCase):
    """What this machine has no room for, or no GPU runs, is refused with what is asked for and what there is."""

    def refused(self, head, *words, status=2):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.ptx")
            path.write_text(".version 7.0\n.target sm_70\n.address_size 64\n" + head)
            done = run("run", str(path), "--on", "emulator", *words)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_a_buffer_larger_than_the_memory(self):
        said = self.refused(".visible .entry k(.param .u64 p) { ret; }", "--grid", "1", "--block", "32", "--arg",
                            "f32[5000000000000]=zero", status=3)
        self.assertRegex(said, r"this machine has [0-9.]+ GB of memory free; with buffer \S+ the launch needs 20000.0 GB")

    def test_a_block_and_a_grid_that_no_gpu_runs(self):
        kernel = ".visible .entry k() { ret; }"
        self.assertRegex(self.refused(kernel, "--grid", "1", "--block", "32,64"), "32 x 64 x 1 threads .* 1024")
        self.assertRegex(self.refused(kernel, "--grid", "1,65536", "--block", "32"), "1 x 65536 x 1 blocks .* 65535")
        self.assertRegex(self.refused(kernel, "--grid", "1", "--block", "32", "--shared", "999999"), "999999 .* 232448")

    def test_a_block_other_than_the_one_the_kernel_requires(self):
        kernel = ".visible .entry k(.param .u64 p) .reqntid 64,2 { ret; }"
        for block in "32", "128", "2,64", "64,2,2":
            said = self.refused(kernel, "--block", block, "--arg", "u32[4]=zero")
            self.assertRegex(said, r"k.ptx: kernel k .* 64 x 2 x 1 threads .*; give --block 64,2,1, or leave it out")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.ptx")
            path.write_text(".version 7.0\n.target sm_70\n.address_size 64\n" + kernel)
            for words in ["--arg", "u32[4]=zero"], ["--block", "64,2", "--arg", "u32[4]=zero"], []:
                ran = json.loads(run("run", str(path), "--on", "emulator", "--json", *words).stdout)
                self.assertEqual(ran["launch"]["block"], [64, 2, 1], words)
            report = json.loads(run("inspect", str(path), "--json").stdout)
            self.assertEqual(report["kernels"][0]["required_block"], [64, 2, 1])
            self.assertIn("only blocks of 64 x 2 x 1 threads", run("inspect", str(path)).stdout)

    def test_more_blocks_to_record_than_a_trace_could_name(self):
        said = self.refused(".visible .entry k() { ret; }", "--grid", "2147483647", "--block", "32", "--blocks", "all")
        self.assertIn("too many blocks to record: 2147483647, and the limit is 268435456", said)

    def test_variables_and_local_memory_beyond_the_limits(self):
        said = self.refused(".global .b8 a[4000000000];\n.global .b8 b[4000000000];\n.visible .entry k() { ret; }",
                            "--grid", "1", "--block", "32")
        self.assertIn("b (4000000000 B) does not fit: the limit is 4294967296 bytes", said)
        said = self.refused(".visible .entry k() { .local .b8 a[1048576]; ret; }", "--grid", "1", "--block", "32")
        self.assertIn("needs 1048576 bytes of local memory per thread; the limit is 524288", said)


class Mistakes(unittest.TestCase):
    RACE = NOTHING.replace("nothing() { ret; }", """race(.param .u64 out)
{ .shared .align 4 .b8 cell[4]; .reg .b64 %d<3>; .reg .b32 %r<4>;
ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; st.shared.u32 [cell], %r1; ld.shared.u32 %r2, [cell];
st.global.u32 [%d1], %r2; ret; }""")
    ENDLESS = NOTHING.replace("nothing() { ret; }", """endless(.param .u64 p)
{ .reg .b32 %r<3>; mov.u32 %r1, 0; A: add.u32 %r1, %r1, 1; bra A; }""")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = pathlib.Path(self.folder.name, "mistake.ptx")
        path.write_text(text)
        return str(path)

    def test_a_kernel_that_prints_without_end_is_ended_soon(self):
        call = "{{.param .b64 p; .param .b64 q; .param .b32 r; {} call.uni (r), vprintf, (p, q);}}\n".format(
            "mov.u64 %a, f; cvta.global.u64 %a, %a; st.param.b64 [p], %a; mov.u64 %a, l; cvta.local.u64 %a, %a;"
            "st.param.b64 [q], %a;")
        wide = ", ".join(str(c) for c in b"%999d" * 200)
        path = self.file(".version 7.1\n.target sm_75\n.address_size 64\n"
                         ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
                         f".global .b8 f[1001] = {{{wide}, 0}};\n.visible .entry k()\n{{\n.reg .b64 %a;\n"
                         f".local .b8 l[8];\nL:\n{call}bra L;\n}}\n")
        done = run("run", path, "--on", "emulator", "--budget", "50000000", "--grid", "300", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)  # it took half an hour
        found = json.loads(done.stdout)
        self.assertEqual(found["faults"][0]["kind"], "endless loop")
        self.assertLess(len(found["output"]), 257 << 20)

    def test_a_hundred_thousand_accesses_have_their_rows_and_explanations(self):
        count = 10000 if SANITIZED else 100000
        for body in ("\t.loc 1 {} 1\n\tld.global.u32 %r, [%a];\n", "\tld.local.u32 %r, [memory];\n"):
            lines = "".join(body.format(i + 1) for i in range(count))
            path = self.file('.version 7.1\n.target sm_75\n.address_size 64\n.file 1 "k.cu"\n.visible .entry k(.param .u64 p)'
                             "\n{\n\t.local .b32 memory[4];\n\t.reg .b64 %a;\n\t.reg .b32 %r;\n"
                             f"\tld.param.u64 %a, [p];\n{lines}\tret;\n}}\n")
            done = run("run", path, "--arg", "u32[32]=zero", "--on", "emulator", "--explain")
            self.assertEqual(done.returncode, 0, done.stderr)  # a look at all rows for each took minutes

    @unittest.skipIf(SANITIZED, "four million blocks of one instruction")
    def test_a_grid_of_two_billion_blocks_ends_at_the_budget(self):
        path = self.file(".version 7.1\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n")
        done = run("run", path, "--grid", "2147483647", "--on", "emulator", "--budget", "1000", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)["stopped"]
        self.assertEqual((found["blocks"], found["reason"]), (2147483647, "budget"))
        self.assertLess(found["blocks_run"], 10000000)

    def test_a_race_is_a_hazard_with_both_sites_and_status_1(self):
        words = ("run", self.file(self.RACE), "--block", "64", "--arg", "u32[1]=zero", "--on", "emulator")
        self.assertEqual(run(*words).returncode, 0)  # the check was not requested
        done = run(*words, "--check", "race", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        hazard = json.loads(done.stdout)["hazards"][0]
        for side in ("first", "second"):
            self.assertLessEqual({"file", "line", "operation", "thread"}, set(hazard[side]))
        self.assertIn("HAZARD", run(*words, "--check", "memory,race").stdout)

    def test_findings_say_where_was_looked_and_for_what(self):
        words = ("run", self.file(self.RACE), "--grid", "4", "--block", "64", "--arg", "u32[1]=zero", "--on", "emulator")
        self.assertIn("looked in all 4 blocks for bad accesses: nothing found", run(*words).stdout)
        self.assertIn("not looked for: uninitialized reads, races", run(*words).stdout)
        self.assertIn("looked in block 2 for bad accesses, and for races: ",
                      run(*words, "--check", "race", "--blocks", "2").stdout)
        self.assertIn("looked in blocks 1 to 2 for bad accesses, for uninitialized reads and for races: ",
                      run(*words, "--check", "memory,race", "--blocks", "1-2").stdout)

    def test_dynamic_shared_memory_that_was_not_given_is_told_with_the_option(self):
        text = NOTHING.replace(".visible", ".extern .shared .align 4 .b8 tile[];\n.visible").replace(
            "nothing() { ret; }", "dynamic() { .reg .b32 %r<2>; mov.u32 %r1, 0; st.shared.u32 [tile], %r1; ret; }")
        done = run("run", self.file(text), "--on", "emulator")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--shared BYTES", done.stdout)
        self.assertEqual(run("run", self.file(text), "--on", "emulator", "--shared", "4").returncode, 0)

    def test_an_endless_kernel_meets_its_budget(self):
        done = run("run", self.file(self.ENDLESS), "--arg", "u32[1]=zero", "--on", "emulator", "--budget", "5000",
                   "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["faults"][0]["kind"], "endless loop")

    def test_a_source_that_is_wrong_is_told_with_its_place_in_one_line(self):
        done = run("run", self.file(NOTHING.replace("ret;", "\nfrobnicate.b32 %r1;")), "--on", "emulator")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^lanescope: .*mistake\.ptx:5.*frobnicate.*\n$")

    def test_printf_stays_out_of_the_json(self):
        done = run("run", self.file(NOTHING), "--on", "emulator", "--json")
        self.assertEqual(json.loads(done.stdout)["output"], "")
        self.assertEqual(done.stderr, "")


class Caches(unittest.TestCase):
    HITS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"
    ADJDIFF = (str(pathlib.Path(__file__).resolve().parents[2] / "kernels/adjdiff.cu"), "--kernel", "adjdiff_global", "--grid", "4", "--block", "256", "--arg",
               "f32[1024]=zero", "--arg", "f32[1024]=iota", "--arg", "i32=1024", "--on", "emulator")
    PROGRAM = """__global__ void add(float *c, const float *a, const float *b) { c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }
__global__ void number(int *c) { c[atomicAdd(c, 1) + 1] = 7; }
int main()
{
    float *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    cudaMemset(a, 0, 4096);
    cudaMemset(b, 0, 4096);
    add<<<1, 256>>>(a, a, b);
    add<<<1, 256>>>(a, b, b);
    number<<<1, 64>>>((int *)a);
    return cudaDeviceSynchronize();
}
"""

    def gpu_file(self, *lines):
        facts = ("instruction_latency", "shared_latency", "l1_latency", "l2_latency", "dram_latency")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "own.yaml")
        with open(path, "w") as file:
            file.write("\n".join(("name: A GPU", "source: literature", *lines, "facts:", "")))
            for fact in facts:
                file.write(f"  - {{name: {fact}, value: 4, unit: cycles, source: a book}}\n")
        return path

    def test_a_gpu_that_was_not_measured_has_its_sizes_and_says_so(self):
        own = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model").stdout)["caches"]
        self.assertEqual((own["gpu"], own["measured"]), ("NVIDIA H200", True))
        self.assertNotIn("sources", own)
        self.assertNotIn("not measured", run("run", *self.ADJDIFF, "--caches", "model").stdout.replace("nothing was measured", ""))
        for gpu, room in (("a100", 192 - 32 - 8), ("rtx-2070", 96 - 32 - 8)):
            other = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model", "--gpu", gpu).stdout)["caches"]
            self.assertEqual((other["measured"], other["l1_bytes"]), (False, room << 10))
            self.assertEqual(sorted(other["sources"]), ["l1", "l2", "multiprocessors"])
            self.assertTrue(all(len(source) > 10 for source in other["sources"].values()))
            self.assertIsInstance(other["counters"][self.HITS], int)
            text = run("run", *self.ADJDIFF, "--caches", "model", "--gpu", gpu).stdout
            self.assertIn("these caches were not measured: their sizes are from documents", text)
            self.assertIn("L1 of %d KB" % room, text)
        rows = run("run", *self.ADJDIFF, "--caches", "model", "--gpu", "a100", "--csv").stdout
        self.assertIn(",caches_measured,0\n", rows.replace("\r\n", "\n"))
        self.assertNotIn("caches_measured", run("run", *self.ADJDIFF, "--caches", "model", "--csv").stdout)

    def test_data_beyond_a_smaller_l1_hit_on_the_larger_one_alone(self):
        source = """extern "C" __global__ void twice(float *out, const float *in, int count)
{
    float sum = 0;
    for (int round = 0; round < 2; round++)
        for (int i = threadIdx.x; i < count; i += 32)
            sum += in[i];
    out[threadIdx.x] = sum;
}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "twice.cu")
            with open(path, "w") as file:
                file.write(source)
            share = {}
            for gpu in ("nvidia-h200", "a100", "rtx-2070"):
                for kilobytes in (40, 100, 190):
                    count = kilobytes * 256
                    result = json.loads(run("run", path, "--grid", "1", "--block", "32", "--arg", "f32[32]=zero", "--arg",
                                            f"f32[{count}]=iota", "--arg", f"i32={count}", "--on", "emulator", "--json",
                                            "--caches", "model", "--gpu", gpu).stdout)
                    share[gpu, kilobytes] = result["caches"]["counters"][self.HITS] / (kilobytes * 32)
        fits = {("nvidia-h200", 40), ("nvidia-h200", 100), ("nvidia-h200", 190), ("a100", 40), ("a100", 100), ("rtx-2070", 40)}
        for case, of_the_second_round in share.items():
            self.assertEqual(of_the_second_round == 1, case in fits, (case, of_the_second_round))

    def test_a_program_says_that_its_gpu_was_not_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "two.cu")
            with open(path, "w") as file:
                file.write(self.PROGRAM)
            how = ("run", path, "--caches", "model", "--on", "emulator", "--explain")
            own = json.loads(run(*how, "--json").stdout)["launches"]
            other = json.loads(run(*how, "--json", "--gpu", "a100").stdout)["launches"]
            self.assertEqual([launch["caches"].get("measured") for launch in own], [True, True, None])
            self.assertEqual([launch["caches"].get("measured") for launch in other], [False, False, None])
            self.assertEqual(sorted(other[0]["caches"]["sources"]), ["l1", "l2", "multiprocessors"])
            self.assertEqual(other[0]["caches"]["l1_bytes"], (192 - 32 - 8) << 10)
            self.assertNotIn("caches were not measured", run(*how).stdout)
            self.assertIn("these caches were not measured", run(*how, "--gpu", "a100").stdout)

    def test_a_run_says_where_its_sectors_came_from_only_when_asked(self):
        plain = json.loads(run("run", *self.ADJDIFF, "--json").stdout)
        asked = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model").stdout)
        self.assertNotIn("caches", plain)
        caches, loaded = asked.pop("caches"), asked["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
        self.assertEqual(caches["counters"][self.HITS], loaded - 131)  # each block loads its sectors once
        self.assertEqual(sum(site.pop("l1_hits") for site in asked["sites"]), caches["counters"][self.HITS])
        rows = caches["dram"]
        self.assertEqual(list(rows), list(asked["dram"]))
        self.assertEqual(rows["requests"], caches["counters"]["dram__sectors_read.sum"])
        self.assertEqual(rows["row_hits"] + rows["row_misses"] + rows["row_conflicts"], rows["requests"])
        self.assertLess(rows["requests"], asked["dram"]["requests"])
        self.assertEqual(asked["counters"], plain["counters"])
        self.assertEqual(asked["sites"], plain["sites"])
        text = run("run", *self.ADJDIFF, "--caches", "model").stdout
        self.assertIn("sectors of global loads in the L1: %d of %d (%.1f %%)" %
                      (loaded - 131, loaded, 100 * (loaded - 131) / loaded), text)
        wasted = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model", "--outliers").stdout)["outliers"]
        self.assertEqual(sum(site.get("l1_hits", 0) for site in wasted["sites"]), caches["counters"][self.HITS])
        self.assertEqual({"l1_hits" in site for site in wasted["sites"] if (site["operation"], site["space"]) == ("ld", "global")},
                         {True})
        accesses = [site for site in wasted["sites"] if site["operation"] != "branch"]
        for site in accesses:
            self.assertEqual(site["wasted_beyond_l1_bytes"], max(0, site["wasted_bytes"] - 32 * site.get("l1_hits", 0)))
        beyond = [(site["wasted_beyond_l1_bytes"], site["wasted_bytes"]) for site in accesses]
        self.assertEqual(beyond, sorted(beyond, reverse=True))
        self.assertEqual(wasted["sites_wasted_beyond_l1_bytes"], sum(bytes for bytes, _ in beyond))
        self.assertNotIn("wasted_beyond_l1_bytes", wasted["warps"][0])
        unasked = json.loads(run("run", *self.ADJDIFF, "--json", "--outliers").stdout)["outliers"]
        self.assertNotIn("sites_wasted_beyond_l1_bytes", unasked)
        self.assertNotIn("wasted_beyond_l1_bytes", unasked["sites"][0])

    def test_what_cannot_be_told_is_absent_and_has_a_reason(self):
        some = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model", "--blocks", "0-1").stdout)
        self.assertEqual(some["caches"], {"reason": "only some of the blocks run"})
        for lines, reason in ((("l2_bytes: 4096", "multiprocessors: 2"), "does not say its compute_capability"),
                              (('compute_capability: "6.1"', "l2_bytes: 4096", "multiprocessors: 2"), "does not have the compute capability"),
                              (('compute_capability: "8.0"', "multiprocessors: 2"), "lacks l2_bytes"),
                              (('compute_capability: "8.0"', "l2_bytes: 4096"), "lacks multiprocessors")):
            other = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model", "--gpu", self.gpu_file(*lines)).stdout)
            self.assertEqual(list(other["caches"]), ["reason"])
            self.assertIn(reason, other["caches"]["reason"])
        large = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model", "--gpu", "a100", "--shared", "200000").stdout)
        self.assertEqual(large["caches"], {"reason": "a block of this launch is too large for a multiprocessor of this GPU"})
        outside = json.loads(run("run", *self.ADJDIFF[:-3], "i32=4096", "--on", "emulator", "--grid", "16", "--json",
                                 "--caches", "model").stdout)
        self.assertEqual(len(outside["faults"]), 1)
        self.assertEqual(outside["caches"], {"reason": "a fault ended a block"})
        wrong = run("run", *self.ADJDIFF, "--caches", "all")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--caches takes none, model or warm, not 'all'", wrong.stderr)

    def test_the_text_says_what_the_dram_delivers_beyond_the_misses(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "half.cu")
            with open(path, "w") as file:
                file.write("__global__ void half(float *x, const float *y, int step) { x[threadIdx.x] = y[step * threadIdx.x]; }")
            words = ("run", path, "--grid", "1", "--block", "32", "--arg", "f32[32]=zero", "--arg", "f32[1024]=iota")
            whole = run(*words, "--arg", "i32=1", "--caches", "model", "--on", "emulator").stdout
            self.assertIn("in the L2: 0 of 4 (0.0 %); from the DRAM: 4\n", whole)
            pairs = run(*words, "--arg", "i32=32", "--caches", "model", "--on", "emulator").stdout
            self.assertIn("in the L2: 0 of 32 (0.0 %); from the DRAM, in pairs of sectors and with those of atomics: 64\n", pairs)
            self.assertIn("DRAM (model hbm3, as if there were no caches): 36 bursts", pairs)
            self.assertIn("DRAM (model hbm3): 36 bursts", run(*words, "--arg", "i32=32", "--on", "emulator").stdout)

    def test_a_second_launch_reads_nothing_from_dram(self):
        first = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "model").stdout)
        second = json.loads(run("run", *self.ADJDIFF, "--json", "--caches", "warm").stdout)
        self.assertEqual((first["caches"]["warm"], second["caches"]["warm"]), (False, True))
        self.assertGreater(first["caches"]["counters"]["dram__sectors_read.sum"], 0)
        self.assertEqual(second["caches"]["counters"]["dram__sectors_read.sum"], 0)
        self.assertEqual(second["counters"], first["counters"])  # of one launch, not of two
        self.assertEqual(second["caches"]["counters"][self.HITS], first["caches"]["counters"][self.HITS])
        wrong = run("view", "adjdiff", "--caches", "warm")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--caches warm is for the command 'run' alone", wrong.stderr)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "two.cu")
            with open(path, "w") as file:
                file.write(self.PROGRAM)
            wrong = run("run", path, "--caches", "warm")
            self.assertEqual(wrong.returncode, 2)
            self.assertIn("--caches warm is for a kernel or a lesson, not for a program", wrong.stderr)

    def test_the_l1_holds_the_arrays_of_the_lesson_on_memory_spaces(self):
        found = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"
        for variant, sectors in (("rotated", 4096), ("small", 256), ("indexed", 512)):  # its step `held` says so
            caches = json.loads(run("run", "memory-spaces", "--variant", variant, "--on", "emulator", "--caches", "model",
                                    "--json").stdout)["caches"]["counters"]
            self.assertEqual((caches[found], caches[found.replace("_lookup_hit", "")]), (sectors, sectors))

    def test_every_launch_of_a_program_has_its_own_caches(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "two.cu")
            with open(path, "w") as file:
                file.write(self.PROGRAM)
            result = json.loads(run("run", path, "--json", "--caches", "model", "--on", "emulator").stdout)
            first, second, third = (launch["caches"] for launch in result["launches"])
            self.assertEqual(first["counters"][self.HITS], 0)
            self.assertEqual(second["counters"][self.HITS], 32)
            self.assertIn("depends on which thread comes first", third["reason"])
            text = run("run", path, "--caches", "model", "--on", "emulator").stdout
            self.assertIn("in the L1: 0 of 64", text)
            self.assertIn("in the L1: 32 of 64", text)
            self.assertEqual([sum(site["l1_hits"] for site in launch["sites"] if site["operation"] == "ld")
                              for launch in result["launches"][:2]], [0, 32])

    def test_the_advice_on_a_launch_of_a_program_knows_what_the_l1_holds(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "walk.cu")
            with open(path, "w") as file:
                file.write("""__global__ void walk(float *a)
{
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += a[threadIdx.x * 8 + k];
    a[threadIdx.x] = sum;
}
int main()
{
    float *a;
    cudaMalloc(&a, 32 * 32);
    cudaMemset(a, 0, 32 * 32);
    walk<<<1, 32>>>(a);
    return cudaDeviceSynchronize();
}
""")
            words = ("run", path, "--on", "emulator", "--explain")
            text = run(*words, "--caches", "model").stdout
            self.assertIn("finds 224 of its 256 sectors in the L1. So what is wasted costs work of the L1", text)
            self.assertIn("wasted by all launches, the most first:\n  Sectors that the L1 holds do not count", text)
            self.assertIn(" bytes in 1 launch, nothing of it beyond the L1 · lanescope ", text)
            self.assertNotIn("in the L1", run(*words).stdout)

    def test_the_window_of_a_program_names_the_line_that_wastes_most_beyond_the_l1(self):
        with tempfile.TemporaryDirectory() as folder:
            path, picture = os.path.join(folder, "walk.cu"), os.path.join(folder, "walk.svg")
            with open(path, "w") as file:
                file.write("""__global__ void walk(float *out, const float *near, const float *far, int n)
{
    float sum = 0, own[4];
    for (int k = 0; k < 32; k++)
        sum += near[threadIdx.x * 32 + k];
    sum += far[threadIdx.x * 32];
    for (int k = 0; k < 4; k++)
        own[k * n % 4] = sum + k;
    out[threadIdx.x] = own[n];
}
int main()
{
    float *a;
    cudaMalloc(&a, 20000);
    cudaMemset(a, 0, 20000);
    walk<<<1, 32>>>(a, a + 32, a + 2048, 3);
    return cudaDeviceSynchronize();
}
""")
            for caches, line in ("none", 5), ("model", 6):
                done = run("render", path, "--on", "emulator", "--caches", caches, "--size", "1920x1080", "-o", picture)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(f"waste in line {line}: " in pathlib.Path(picture).read_text(), caches)
            text = run("run", path, "--on", "emulator", "--explain", "--caches", "model").stdout
            self.assertRegex(text, r"9:\d+ · ld\.local .* nothing of it beyond the L1\n")


class Text(unittest.TestCase):
    def test_the_copies_of_an_instruction_are_one_row_and_each_is_in_the_json(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "copies.ptx")
            path.write_text(NOTHING.replace(".visible", '.file 1 "c.cu"\n.visible').replace(
                "nothing() { ret; }", """copies(.param .u64 p)
{ .reg .b64 %d<2>; .reg .b32 %r<2>; ld.param.u64 %d1, [p];
.loc 1 7 3
ld.global.u32 %r1, [%d1]; ld.global.u32 %r1, [%d1+4]; ld.global.u32 %r1, [%d1+8];
.loc 1 8 3
ld.global.u32 %r1, [%d1]; ret; }"""))
            words = ("run", str(path), "--arg", "u32[3]=zero", "--on", "emulator")
            text = run(*words).stdout
            self.assertEqual(len([s for s in json.loads(run(*words, "--json").stdout)["sites"] if s["line"] == 7]), 3)
        self.assertRegex(text, r"(?m)^ +7  ld\.global 4 B  x3 +3 +3 +3$")
        self.assertRegex(text, r"(?m)^ +8  ld\.global 4 B +1 +1 +1$")

    def test_who_compiled_it_is_a_sentence(self):
        self.assertRegex(run("run", "banks", "--on", "emulator").stdout,
                         r"from the PTX shipped with Lanescope, compiled by NVRTC [\d.]+\n")

    def test_a_mistyped_command_is_told_as_one(self):
        for words, meant in ((["rnu", "x.cu", "--grid", "4"], "'run'"), (["inspct", "banks"], "'inspect'"),
                             (["doctr"], "'doctor'"), (["comapre", "a", "b"], "'compare'"),
                             (["frobnicate", "banks"], "--help")):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(f"'{words[0]}'", done.stderr)
            self.assertIn(meant, done.stderr)


class Korean(unittest.TestCase):
    """With --lang ko, or in a Korean environment, text for people is Korean. Text for scripts stays the same."""

    HANGUL = re.compile("[가-힣]")
    WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
    # English remains for commands to type, and for messages of a system without Korean.
    ENGLISH = re.compile("|".join([r"lanescope [a-z. ]+", r"\([^)]*\)",
                                   *(re.escape(os.strerror(code)) for code in sorted(errno.errorcode))]))

    def told(self, done):
        """Every line has Korean words or no words at all; gives back the whole text."""
        text = done.stdout + done.stderr
        self.assertRegex(text, self.HANGUL)
        self.assertEqual([line for line in text.splitlines() if self.WORDS.search(self.ENGLISH.sub("", line))], [])
        return text

    def test_whatever_is_run_compared_listed_or_looked_at_is_told_in_korean(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = (str(pathlib.Path(folder, name)) for name in ("a.trace", "b.trace"))
            for trace, stride in ((a, "1"), (b, "2")):
                done = run("run", "banks", "--set", f"stride={stride}", "--on", "emulator", "--trace", trace, "--lang", "ko")
                self.assertIn("모델 시계", self.told(done))
            self.told(run("compare", a, a, "--lang", "ko"))
            self.assertEqual(run("compare", a, b, "--lang", "ko").returncode, 1)
            self.told(run("compare", a, b, "--lang", "ko"))
            for words in (["run", "banks", "--on", "recording"], ["list"], ["doctor"],
                          ["inspect", str(OwnLessons.SHIFT.parent / "whole")],  # errors for authors are English
                          ["run", "adjdiff", "--variant", "shared"]):
                self.told(run(*words, "--lang", "ko"))

    def test_help_is_korean_and_names_the_same_options(self):
        for command in ("run", "render", "list"):
            both = [run(command, "--help", "--lang", language).stdout for language in ("en", "ko")]
            self.assertEqual(*(re.findall(r"^ .*?(--[a-z-]+)", text, re.M) for text in both))
            self.assertEqual(len(re.findall("[가-힣]", both[0])), 0)
            self.assertGreater(len(re.findall("(?m)^ .*[가-힣]", both[1])), 2)

    def test_the_environment_chooses_as_it_does_in_the_window(self):
        for variables in ({"LANG": "ko_KR.UTF-8"}, {"LANG": "C", "LC_ALL": "ko_KR"},
                          {"LANG": "C.UTF-8", "LANGUAGE": "ko"}):
            environment = {"LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": "", **variables}
            self.assertRegex(run("list", **environment).stdout, self.HANGUL)
            self.assertNotRegex(run("list", "--lang", "en", **environment).stdout, self.HANGUL)
        self.assertNotRegex(run("list", LC_ALL="C", LANGUAGE="ko").stdout, self.HANGUL)  # as scripts ask for English

    def test_errors_are_told_in_korean_wherever_the_option_stands(self):
        cases = [words for words, _ in WrongInput.CASES if "--lang" not in words and "record" not in words]
        for words in cases[::8 if SANITIZED else 1]:
            done = run(words[0], "--lang", "ko", *words[1:]) if len(words) > 1 else run(*words, "--lang=ko")
            self.assertEqual(done.returncode, 2, words)
            self.assertRegex(self.told(done), self.HANGUL, words)

    def test_json_is_the_same_in_both_languages(self):
        for words in (["run", "banks", "--on", "emulator"], ["run", "banks", "--on", "recording"], ["list"],
                      *([] if SANITIZED else [["inspect", "banks"]])):
            both = [run(*words, "--json", "--lang", language).stdout for language in ("en", "ko")]
            self.assertEqual(*both)


class Machine(unittest.TestCase):
    def test_a_gpu_run_without_a_gpu_is_status_3_with_a_remedy(self):
        done = run("run", "banks", "--on", "gpu", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(";", done.stderr)

    def test_whatever_needs_a_gpu_says_so_once(self):
        with tempfile.TemporaryDirectory() as folder:
            for words in (["record", "-o", "x"], ["bench", "trace"], ["bench", "device"],
                          ["render", "banks", "--on", "gpu", "-o", f"{folder}/picture.png"]):
                done = run(*words, CUDA_VISIBLE_DEVICES="")
                self.assertEqual(done.returncode, 3, (words, done.stderr))
                self.assertEqual(done.stderr.count("\n"), 1, (words, done.stderr))

    def test_bench_ui_measures_whatever_a_user_does_in_the_lessons_it_is_given(self):
        if SANITIZED:
            self.skipTest("nobody asks how fast a sanitized window is")
        done = run("bench", "ui", "pitch", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(done.returncode, 0, done.stderr)
        for kind in ("the lesson opened", "a step of the story", "a question answered", "one access forward",
                     "a knob turned: width, ", "a knob turned: align, "):
            self.assertRegex(done.stdout, rf"(?m)^pitch +{kind}")
        self.assertIn("the lesson opened: bound 300 ms, beyond it ", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^new pictures a second while a knob's key is held: at least \d+ ")
        self.assertRegex(done.stdout, "(?m)^(no window: |in a window: )")
        self.assertNotIn("banks", done.stdout)

    def test_a_setting_without_a_recording_is_missing_not_wrong(self):
        done = run("run", "adjdiff", "--set", "length=7", "--on", "recording")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("--on emulator", done.stderr)

    def test_a_folder_without_lessons_is_told_with_the_variable_that_names_it(self):
        for words in (["list"], ["run", "banks"], ["inspect", "banks"]):
            done = run(*words, LANESCOPE_DATA="/dev/null")
            self.assertEqual(done.returncode, 3, (words, done.stderr))
            self.assertIn("LANESCOPE_DATA", done.stderr)

    def test_a_cache_that_cannot_be_written_is_done_without(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "nothing.ptx")
            path.write_text(NOTHING)
            self.assertEqual(run("run", str(path), "--on", "emulator", XDG_CACHE_HOME="/dev/null").returncode, 0)

    def test_doctor_has_a_row_for_everything(self):
        done = run("doctor")
        for row in ("GPU", "driver", "NVRTC", "clang", "renderer", "font", "lessons", "cache", "sandbox"):
            self.assertRegex(done.stdout, rf"(?m)^(ok|--)   {row} ")


class Pictures(unittest.TestCase):
    def test_render_draws_a_png_without_a_display(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "banks.png")
            done = run("render", "banks", "--size", "1280x720", "-o", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            header = path.read_bytes()[:24]
            self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
            still = pathlib.Path(folder, "banks.gif")
            self.assertEqual(run("render", "banks", "--size", "1280x720", "-o", str(still)).returncode, 0)
            self.assertEqual(still.read_bytes()[:10], b"GIF89a\x00\x05\xd0\x02")
            self.assertEqual((int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")), (1280, 720))

    def test_render_draws_shapes_and_text(self):
        with tempfile.TemporaryDirectory() as folder:
            for language, title in (("en", "Bank conflicts"), ("ko", "뱅크 충돌")):
                path = pathlib.Path(folder, f"{language}.svg")
                done = run("render", "banks", "--lang", language, "-o", str(path))
                self.assertEqual(done.returncode, 0, done.stderr)
                root = xml.etree.ElementTree.parse(path).getroot()
                texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
                self.assertIn(title, texts)
            path = pathlib.Path(folder, "banks.pdf")
            self.assertEqual(run("render", "banks", "-o", str(path)).returncode, 0)
            self.assertEqual(path.read_bytes()[:5], b"%PDF-")
            self.assertEqual(sorted(p.name for p in pathlib.Path(folder).iterdir()), ["banks.pdf", "en.svg", "ko.svg"])

    FFMPEG = """#!/usr/bin/env python3
import sys
pixels = sys.stdin.buffer.read()
assert sys.argv[sys.argv.index("-pix_fmt") + 1] == "bgra"
width, height = map(int, sys.argv[sys.argv.index("-s") + 1].split("x"))
open(sys.argv[-1].removeprefix("file:"), "w").write(f"{len(pixels) / (4 * width * height)} frames " + " ".join(sys.argv))
sys.exit("refuse" in sys.argv[-1])
"""

    def test_render_films_an_access_through_ffmpeg_and_leaves_no_half_film(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "ffmpeg")
            program.write_text(self.FFMPEG)
            program.chmod(0o755)
            words = ["render", "banks", "--answered", "--set", "stride=8", "--size", "1100x620", "-o"]
            path = folder + os.pathsep + os.environ["PATH"]
            for name, codec in (("a film.mp4", "libx264"), ("film.webm", "libvpx-vp9")):
                film = pathlib.Path(folder, name)
                done = run(*words, str(film), PATH=path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(film.read_text(), rf"^[1-9]\d+\.0 frames .* {codec} ")
            done = run(*words, folder + "/refuse.mp4", PATH=path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("refuse.mp4", done.stderr)
            without = run(*words, folder + "/none.mp4", PATH="/nowhere")
            self.assertEqual(without.returncode, 3)
            self.assertIn("package ffmpeg", without.stderr)
            self.assertEqual(without.stderr.count("\n"), 1)
            self.assertEqual(sorted(p.name for p in pathlib.Path(folder).iterdir()), ["a film.mp4", "ffmpeg", "film.webm"])

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_ffmpeg_itself_makes_films_of_every_frame_in_the_colours_of_hd(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, codec in (("film.mp4", "h264"), ("film.webm", "vp9")):
                path = folder + "/" + name
                done = run("render", "banks", "--answered", "--set", "stride=8", "--size", "1101x621", "-o", path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                seen = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                       "stream=codec_name,width,height,pix_fmt,color_space,nb_read_frames", "-of",
                                       "json", path], capture_output=True, text=True, check=True).stdout
                film = json.loads(seen)["streams"][0]
                self.assertEqual([film[key] for key in ("codec_name", "width", "height", "pix_fmt", "color_space")],
                                 [codec, 1102, 622, "yuv420p", "bt709"])
                self.assertGreater(int(film["nb_read_frames"]), 20)

    def test_export_puts_each_step_on_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            paper = pathlib.Path(folder, "banks.pdf")
            done = run("export", "banks", "--paper", "letter", "-o", str(paper))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            self.assertIn(b"/MediaBox [ 0 0 792 612 ]", paper.read_bytes())
            pages = pathlib.Path(folder, "pages")
            self.assertEqual(run("export", "banks", "-o", str(pages)).returncode, 0)
            names = sorted(page.name for page in pages.iterdir())
            self.assertEqual(names, [f"page-{i + 1:02d}.svg" for i in range(len(names))])
            self.assertIn("lanescope banks", (pages / "page-01.svg").read_text())

    def test_export_puts_a_files_findings_and_its_lines_on_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            faulty = pathlib.Path(__file__).resolve().parent.parent / "faults" / "race_neighbour.ptx"
            done = run("export", str(faulty), "-o", folder)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            pages = [page.read_text() for page in sorted(pathlib.Path(folder).iterdir())]
            self.assertGreaterEqual(len(pages), 3)
            places = [re.search(r"lanescope view [^<]*", page)[0] for page in pages]
            self.assertEqual(len(places), len(set(places)))
            self.assertIn("race_neighbour.ptx", pages[0])
            broken = pathlib.Path(folder, "broken.ptx")
            broken.write_text(NOTHING.replace("ret;", "frobnicate.b32 %r1;"))
            done = run("export", str(broken), "-o", folder + "/broken.pdf")
            self.assertEqual(done.returncode, 2)
            self.assertIn("frobnicate", done.stderr)
            self.assertFalse(pathlib.Path(folder, "broken.pdf").exists())

    def test_a_report_page_holds_the_run_in_words_and_its_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            faulty = pathlib.Path(__file__).resolve().parent.parent / "faults" / "race_neighbour.ptx"
            launch = ["--grid", "2", "--block", "64", "--arg", "f32[128]=iota", "--arg", "f32[128]=zero"]
            page = pathlib.Path(folder, "race.html")
            done = run("export", str(faulty), *launch, "-o", str(page))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            text = page.read_text()
            self.assertIn("Content-Security-Policy", text)
            self.assertNotIn("<script>", text)
            self.assertIn("There is no window in this file", text)
            self.assertNotIn("http://", text.replace("http://www.w3.org/2000/svg", ""))
            self.assertIn('<p class="verdict bad">Findings: 1</p>', text)
            self.assertIn("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", text)
            self.assertGreaterEqual(text.count("<figure"), 3)
            names = re.findall(r' id="([^"]*)"', text)
            self.assertEqual(len(names), len(set(names)))
            for name in re.findall(r"url\(#([^)]*)\)", text):
                self.assertIn(name, names)
            trace = pathlib.Path(folder, "race.trace")
            run("run", str(faulty), *launch, "--check", "memory,race", "--explain", "--trace", str(trace))
            same = run("compare", str(page), str(trace))
            self.assertEqual((same.returncode, same.stderr), (0, ""))
            again = pathlib.Path(folder, "again.html")
            self.assertEqual(run("export", str(page), "-o", str(again)).returncode, 0)
            self.assertIn("Findings: 1", again.read_text())
            self.assertEqual(run("render", str(page), "-o", str(page) + ".png").returncode, 0)

    def test_a_report_page_quotes_what_a_program_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "a<b>&.ptx")
            page = pathlib.Path(folder, "page.html")
            kernel.write_text(CONSTANTS)
            done = run("export", str(kernel), "--arg", "u32[32]=zero", "-o", str(page))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("a&lt;b&gt;&amp;.ptx", page.read_text())
            self.assertNotIn("a<b>", page.read_text())

    def test_a_report_page_has_a_window_where_the_page_was_built(self):
        """The window's parts come from a file of `./run web`; here from one that looks like it."""
        script = "document.title = 'changed'"
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        with tempfile.TemporaryDirectory() as folder:
            part, page = pathlib.Path(folder, "report.part"), pathlib.Path(folder, "page.html")
            kernel = pathlib.Path(folder, 'a"><script>x.ptx')
            kernel.write_text(CONSTANTS)
            words = ("export", str(kernel), "--arg", "u32[32]=zero", "-o", str(page))
            part.write_text(f"sha256-{digest}\n<script>{script}</script>\n")
            done = run(*words, LANESCOPE_PAGE=str(part))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            text = page.read_text()
            self.assertIn(f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}' 'wasm-unsafe-eval'; "
                          "worker-src blob:", text)
            self.assertEqual(text.count("<script"), 2)  # the trace and the one of the window
            self.assertIn('<canvas id="window"', text)
            self.assertIn('data-name="a&quot;&gt;&lt;script&gt;x.ptx.trace"', text)
            self.assertEqual(run("compare", str(page), str(page)).returncode, 0)
            run("export", "banks", "--set", "stride=8", "--beat", "5", "-o", str(page), LANESCOPE_PAGE=str(part))
            self.assertRegex(page.read_text(), 'data-link="banks/5[?]lang=en&amp;variant=load&amp;stride=8&amp;')
            for other in ("sha256-'; script-src *\n<p>", "no hash\n", "sha256-abc"):
                part.write_text(other)
                run(*words, LANESCOPE_PAGE=str(part))
                self.assertIn("There is no window in this file", page.read_text())
                self.assertEqual(page.read_text().count("<script"), 1)

    def test_a_report_page_without_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            page, picture = pathlib.Path(folder, "page.html"), pathlib.Path(folder, "page.svg")
            race = pathlib.Path(__file__).resolve().parent.parent.parent / "assets" / "samples" / "race.cu"
            for option, there in ((), True), (("--no-source",), False):
                done = run("export", str(race), *option, "-o", str(page))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("Findings: 1", page.read_text())
                self.assertEqual("tile[i]" in page.read_text(), there)
                self.assertEqual(run("render", str(page), "-o", str(picture)).returncode, 0)
                self.assertEqual("tile[i]" in picture.read_text(), there)
            done = run("export", str(race), "--no-source", "-o", str(pathlib.Path(folder, "page.pdf")))
            self.assertEqual(done.returncode, 2)
            self.assertIn("--no-source", done.stderr)

    def test_a_report_page_of_a_whole_program(self):
        with tempfile.TemporaryDirectory() as folder:
            source, page = pathlib.Path(folder, "whole.cu"), pathlib.Path(folder, "page.html")
            source.write_text("""#include <cstdio>
__global__ void fine(int *out) { out[threadIdx.x] = threadIdx.x; }
__global__ void beyond(int *out)
{
    out[threadIdx.x + 1] = 1;
}
int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    fine<<<1, 32>>>(out);
    beyond<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::puts("said by the program");
}
""")
            done = run("export", str(source), "-o", str(page))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            text = page.read_text()
            self.assertIn("launch 2: beyond", text)
            self.assertRegex(text, "launch 2: beyond · [^<]*line 5")
            self.assertIn("launch 1: fine", text)  # in the whole report
            self.assertRegex(text, 'class="verdict bad">Findings: [1-9]')
            self.assertIn("<code>lanescope view page.html --access ", text)  # the file of the trace is gone
            self.assertRegex(text, ">whole.cu<")  # over the pictures
            self.assertNotIn("workplace", text)
            self.assertEqual(run("compare", str(page), str(page)).returncode, 0)
            self.assertEqual(run("export", str(source), "--launch", "1", "-o", str(page)).returncode, 0)
            self.assertIn("launch 1: fine", page.read_text())
            self.assertIn("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", page.read_text())

    def test_a_damaged_report_page_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            self.assertEqual(run("export", "banks", "--set", "stride=8", "-o", str(page)).returncode, 0)
            whole = page.read_text()
            begin = whole.index("lanescope-trace") + 40
            for damage, said in ((whole[:begin], "holds no trace"), (whole[:begin] + "!" + whole[begin + 1:], "base64"),
                                 (whole[:begin] + "A" + whole[begin + 1:], ""), ("<!DOCTYPE html>", "holds no trace")):
                page.write_text(damage)
                done = run("compare", str(page), str(page))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertIn(said, done.stderr)

    def test_export_saves_the_film_of_an_access(self):
        with tempfile.TemporaryDirectory() as folder:
            film = pathlib.Path(folder, "film.gif")
            done = run("export", "banks", "--answered", "--set", "stride=4", "--size", "1100x620", "-o", str(film))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(film.read_bytes()[:6], b"GIF89a")

    def test_a_run_that_cannot_be_made_gives_its_status_and_its_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder, "broken.ptx")
            broken.write_text(NOTHING.replace("ret;", "frobnicate.b32 %r1;"))
            path = pathlib.Path(folder, "picture.png")
            done = run("render", str(broken), "-o", str(path))
            self.assertEqual(done.returncode, 2)
            self.assertIn("frobnicate", done.stderr)
            self.assertTrue(path.exists())
            self.assertEqual(run("render", "banks", "--blocks", "5", "-o", str(path)).returncode, 2)

    def test_blocks_choose_what_render_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "block.png")
            done = run("render", "adjdiff", "--blocks", "0", "--on", "emulator", "-o", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_without_a_display_the_window_command_says_so_and_draws_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
            done = subprocess.run([PROGRAM], cwd=folder, env=environment, capture_output=True, text=True, timeout=HANG)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(pathlib.Path(folder, "lanescope.png").exists())


if __name__ == "__main__":
    unittest.main()
