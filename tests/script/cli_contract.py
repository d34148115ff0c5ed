"""The command line is a contract: exit statuses, JSON fields and one-line errors that scripts rely on."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
COUNTERS = """l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
smsp__sass_inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_st.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
branches branches_divergent warp_instructions thread_instructions""".split()


def run(*words, **more):
    environment = dict(os.environ, LANGUAGE="en", **more)
    environment.pop("DISPLAY", None)
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=environment, timeout=120)


class Help(unittest.TestCase):
    def test_every_command_has_help_with_an_example(self):
        for command in "view list run inspect render record compare doctor bench".split():
            done = run(command, "--help")
            self.assertEqual(done.returncode, 0, command)
            self.assertIn("example: lanescope", done.stdout, command)


class WrongInput(unittest.TestCase):
    """Each is status 2 and one line on standard error that names the culprit."""

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
    ]

    def test_wrong_words_get_status_2_and_one_line_that_names_them(self):
        for words, culprit in self.CASES:
            done = run(*words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertEqual(done.stderr.count("\n"), 1, (words, done.stderr))
            self.assertIn(culprit, done.stderr, words)
            self.assertEqual(done.stdout, "", words)

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


class Json(unittest.TestCase):
    def test_run_json_has_the_contracts_fields_and_counters_in_order(self):
        done = run("run", "banks", "--set", "stride=8", "--on", "emulator", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(list(result["counters"]), COUNTERS)
        self.assertEqual(result["executor"], "emulator")
        self.assertIsNone(result["device"])
        self.assertEqual(set(result["launch"]), {"grid", "block", "shared_bytes"})
        for field in "kernel sites dram faults hazards time_us".split():
            self.assertIn(field, result)
        for site in result["sites"]:
            self.assertLessEqual({"line", "column", "operation", "space", "bytes", "requests", "sectors",
                                  "sectors_ideal", "wavefronts", "wavefronts_ideal"}, set(site))

    def test_a_stride_of_8_words_takes_8_wavefronts_a_request(self):
        result = json.loads(run("run", "banks", "--set", "stride=8", "--on", "emulator", "--json").stdout)
        self.assertIn(8, [site["wavefronts"] / site["requests"] for site in result["sites"]
                          if site["space"] == "shared" and site["operation"] == "ld"])

    def test_list_json_names_lessons_variants_and_ranges(self):
        lessons = {lesson["name"]: lesson for lesson in json.loads(run("list", "--json").stdout)}
        stride = next(p for p in lessons["banks"]["parameters"] if p["name"] == "stride")
        self.assertEqual((stride["minimum"], stride["maximum"]), (0, 64))
        self.assertEqual({v["name"] for v in lessons["adjdiff"]["variants"]}, {"host", "global", "shared"})


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

    def test_out_of_bounds_is_a_fault_with_status_1(self):
        done = self.twice("--json", "--check", "memory", elements=33)
        self.assertEqual(done.returncode, 1, done.stderr)
        fault = json.loads(done.stdout)["faults"][0]
        self.assertEqual(fault["thread"], [33, 0, 0])
        self.assertLessEqual({"kind", "message", "file", "line", "block", "thread", "address"}, set(fault))

    def test_ctrl_c_ends_a_long_run_with_what_ran_marked_as_such(self):
        self.ptx.write_text(self.PTX.replace("DONE:\n", "DONE:\n    bra DONE;\n"))
        terminal, ours = pty.openpty()  # progress is for terminals
        words = ["run", str(self.ptx), "--grid", "4", "--block", "64", "--arg", "i32[40]=zero", "--arg", "i32[40]=iota",
                 "--arg", "u32=40", "--on", "emulator", "--budget", "1000000000000", "--json"]
        work = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=ours, text=True)
        os.close(ours)
        said = ""
        while "Ctrl+C stops" not in said:
            said += os.read(terminal, 1000).decode()
        work.send_signal(signal.SIGINT)
        found = json.loads(work.communicate(timeout=60)[0])
        os.close(terminal)
        self.assertEqual(work.returncode, 0)
        self.assertEqual(found["stopped"], {"blocks_run": 0, "blocks": 4})
        self.assertGreater(found["counters"]["warp_instructions"], 1000)

    def test_a_check_that_covers_less_than_asked_for_says_so(self):
        self.assertIsNone(json.loads(self.twice("--check", "race", "--json").stdout)["unchecked"])
        many = json.loads(self.twice("--check", "race", "--json", elements=10 << 20).stdout)
        self.assertIn("80 MB", many["unchecked"])

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


class Machine(unittest.TestCase):
    def test_a_gpu_run_without_a_gpu_is_status_3_with_a_remedy(self):
        done = run("run", "banks", "--on", "gpu", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(";", done.stderr)

    def test_doctor_has_a_row_for_everything(self):
        done = run("doctor")
        for row in ("GPU", "NVRTC", "clang", "window", "font", "lessons", "cache"):
            self.assertIn(row, done.stdout)


class Pictures(unittest.TestCase):
    def test_render_draws_a_png_without_a_display(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "banks.png")
            done = run("render", "banks", "--size", "1280x720", "-o", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            header = path.read_bytes()[:24]
            self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual((int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")), (1280, 720))

    def test_without_a_display_the_window_command_says_so_and_draws_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
            done = subprocess.run([PROGRAM], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(pathlib.Path(folder, "lanescope.png").exists())


if __name__ == "__main__":
    unittest.main()
