"""Whole programs: each tests/programs/NAME.cu is built and run, and what it printed, how it ended, its launches and
their findings are as in NAME.txt. LANESCOPE_WRITE_GOLDEN=1 writes these files. A first comment `// arguments: ...` gives
the program's arguments, `// options: ...` options of `run`.

Each tests/programs/mistakes/NAME.cu has cases, chosen by its argument: faulty ones, of which NAME.txt has the mistakes
that are found, and correct ones, in which none may be found."""
import signal
import concurrent.futures
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

PROGRAM = os.environ["LANESCOPE"]
FOLDER = pathlib.Path("tests/programs").resolve()
SANITIZED = "LANESCOPE_SANITIZED" in os.environ
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
cache = tempfile.TemporaryDirectory()
ENVIRONMENT = {"XDG_CACHE_HOME": cache.name, **os.environ, "LANGUAGE": "en"}


def run(command, *words, **more):
    """On the emulator, also on a machine with a GPU: tests/script/gpu_programs.py is for those."""
    where = ["--on", "emulator"] if command in ("run", "exec") else []
    return subprocess.run([PROGRAM, command, *where, *words], capture_output=True, text=True, env=ENVIRONMENT, timeout=HANG,
                          stdin=subprocess.DEVNULL, **more)


def words_of(source, name):
    found = re.search(rf"^// {name}: (.*)$", source, re.M)
    return found[1].split() if found else []


def facts(found, status):
    """Returns the parts of a report that no version of clang changes, as lines."""
    lines = [f"exit status {status}; {found['end']}, status {found['status']}, signal {found['signal']}"]
    if found["crash"]:
        address = found["crash"].get("address", {})
        lines.append(f"crash at line {found['crash']['line']}, allocation {address.get('allocation')}")
    for launch in found["launches"]:
        shape = launch["launch"]
        lines.append(f"launch {launch['number']}: {launch['kernel']} {shape['grid']} {shape['block']} "
                     f"shared {shape['shared_bytes']}, line {launch['line']}, error {launch['error']}"
                     + (f", from launch {launch['launcher']}" if "launcher" in launch else "")
                     + (f", as launch {launch['same_as']}" if "same_as" in launch else "")
                     + (f", {launch['problem']}" if launch["problem"] else ""))
        lines += [f"  {fault['kind']} at line {fault['line']}, block {fault['block']}, thread {fault['thread']}"
                  for fault in launch["faults"]]
        lines += [f"  race at lines {sorted([hazard['first']['line'], hazard['second']['line']])}"
                  for hazard in launch["hazards"]]
    lines += [f"line {call['line']}: {call['call']} returned {call['error']}" for call in found["calls"]
              if call["error"] and "grid" not in call]
    lines += [f"line {call['line']}: {call['call']}" for call in found["calls"] if call["call"] == "host access"]
    lines += [f"mistake at line {mistake['line']}: {mistake['kind']}" for mistake in found["mistakes"]
              if mistake["fault"]]
    return "\n".join(lines + ["output:", found["output"]])


class Programs(unittest.TestCase):
    maxDiff = None


def test_of(path):
    def test(self):
        source = path.read_text()
        done = run("run", str(path), "--json", *words_of(source, "options"), "--", *words_of(source, "arguments"))
        self.assertTrue(done.stdout, done.stderr)
        text = facts(json.loads(done.stdout), done.returncode)
        golden = path.with_suffix(".txt")
        if os.environ.get("LANESCOPE_WRITE_GOLDEN"):
            golden.write_text(text)
        self.assertEqual(text, golden.read_text())
    return test


for path in sorted(FOLDER.glob("*.cu")):
    setattr(Programs, f"test_{path.stem}", test_of(path))


class Killed(unittest.TestCase):
    def test_a_killed_run_leaves_no_folder_and_no_process_to_the_next(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(ENVIRONMENT, TMPDIR=folder)
            script = "setsid sleep 100000 & echo $! ready; wait"
            killed = subprocess.Popen([PROGRAM, "exec", "/bin/sh", "--", "-c", script], env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            child = int(killed.stdout.readline().split()[0])
            killed.kill()
            killed.communicate()
            self.assertEqual(len(os.listdir(folder)), 1)
            subprocess.run([PROGRAM, "exec", "/bin/true"], env=environment, capture_output=True, timeout=HANG)
            self.assertEqual(os.listdir(folder), [])
            status = pathlib.Path(f"/proc/{child}/status")
            while status.exists() and "State:\tZ" not in status.read_text():
                time.sleep(0.01)


def mistakes_of(program, case):
    """Returns the mistakes of host code that a case has, as lines."""
    done = run("exec", program, "--json", "--", case)
    found = json.loads(done.stdout)
    lines = [f"{case}: exit status {done.returncode}"]
    for mistake in found["mistakes"]:
        lines.append(f"  {mistake['kind']}, line {mistake['line']}: {mistake['message']}"
                     + (f" ({mistake['times']} times)" if mistake["times"] > 1 else "")
                     + (f"; unchecked error {mistake['error']}" if mistake["unchecked"] else ""))
    for launch in found["launches"]:
        lines += [f"  {fault['kind']} at line {fault['line']}" for fault in launch["faults"]]
    return "\n".join(lines) + "\n"


def mistakes_test_of(path):
    """Builds a file once and runs each of its cases, which it lists itself."""
    def test(self):
        program = f"{cache.name}/{path.stem}"
        built = run("build", str(path), "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        cases = [line.split() for line in json.loads(run("exec", program, "--json").stdout)["output"].splitlines()]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            texts = list(pool.map(lambda case: mistakes_of(program, case[1]), cases))
        for (sort, case), text in zip(cases, texts):
            self.assertEqual(len(text.splitlines()) > 1, sort == "faulty", text)
        golden = path.with_suffix(".txt")
        if os.environ.get("LANESCOPE_WRITE_GOLDEN"):
            golden.write_text("".join(texts))
        self.assertEqual("".join(texts), golden.read_text())
    return test


class Mistakes(unittest.TestCase):
    maxDiff = None


for path in sorted((FOLDER / "mistakes").glob("*.cu")):
    setattr(Mistakes, f"test_mistakes_in_{path.stem}_are_found_and_correct_ones_are_not", mistakes_test_of(path))


CUBLAS = pathlib.Path(PROGRAM).resolve().parent / "liblanescope_cublas.so"
CCCL = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include/cccl/thrust/version.h"


class Commands(unittest.TestCase):
    @unittest.skipUnless(CCCL.exists(), "there is no CUDA Toolkit 13, whose headers Thrust is")
    @unittest.skipIf(SANITIZED, "nearly all of its time is clang's")
    def test_thrust_and_cub_run_with_the_headers_of_the_toolkit(self):
        done = run("run", str(FOLDER / "parts/thrust_and_cub.cu"), "--check", "none")
        self.assertEqual((done.returncode, done.stdout.splitlines()[:1]), (0, ["0 499 124750 8128"]), done.stderr)

    @unittest.skipIf(SANITIZED, "nearly all of its time is clang's")
    def test_headers_are_precompiled_once_and_the_ptx_is_the_same_without(self):
        def ptx(*words):
            done = run("build", f"{folder}/small.cu", "-o", f"{folder}/built", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return re.search(rb"lanescope program 1 .*?\0", pathlib.Path(folder, "built").read_bytes(), re.S)[0]

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(ENVIRONMENT, XDG_CACHE_HOME=folder):
            kept = pathlib.Path(folder, "lanescope/headers")
            pathlib.Path(folder, "small.cu").write_text("__global__ void k(float *a) { a[threadIdx.x] = sinf(a[0]); }\n"
                                                        "int main() { k<<<1, 32>>>(nullptr); }\n")
            plain = ptx("--", "-I", folder)  # a folder of the user's may hold headers of the same names
            self.assertFalse(kept.exists())
            self.assertEqual(ptx(), plain)
            made = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
            self.assertEqual(len(made), 2)  # for the device and for the host
            self.assertEqual(ptx("-D", "NAME=1"), plain)
            self.assertEqual({path: path.stat().st_mtime_ns for path in kept.iterdir()}, made)
            for path in made:  # those that clang does not take are made anew
                path.write_bytes(path.read_bytes()[:5000])
            self.assertEqual(ptx(), plain)
            self.assertEqual(ptx(), plain)
            self.assertGreater(min(path.stat().st_size for path in made), 5000)

    def test_threads_that_touch_memory_of_the_device_at_once_do_not_break_the_record(self):
        done = run("run", str(FOLDER / "parts/threads.cu"), "--json", "--", "-pthread")
        found = json.loads(done.stdout)
        self.assertEqual((found["end"], found["status"], found["signal"], found["output"]), ("exited", 0, None, "0 wrong\n"))
        self.assertEqual({mistake["line"] for mistake in found["mistakes"]}, {29})

    def test_behind_work_that_failed_a_callback_gets_the_error_and_no_host_function_runs(self):
        done = run("run", str(FOLDER / "parts/callback_after_fault.cu"), "--json")
        self.assertEqual(json.loads(done.stdout)["output"],
                         "called with 700\nadded 0 0\nsynchronized 700\nadded 700 700\n", done.stderr)

    @unittest.skipUnless(CUBLAS.exists(), "there is no OpenBLAS, with which cuBLAS's calls do their work")
    def test_calls_of_cublas_have_the_results_of_its_documentation(self):
        done = run("run", str(FOLDER / "parts/blas.cu"), "--json", "--", "-lcublas")
        found = json.loads(done.stdout)
        self.assertEqual(found["output"].splitlines(), [
            "gemm 0 19 43 22 50", "transposed 0 17 39 23 53", "batched 0 19 43 22 50", "geam 0 2 6 4 8",
            "gemv 0 11 25", "ger 0 10 15 14 20", "axpy 0 14 29", "dot 0 24", "nrm2 0 5", "asum 0 7", "amax 0 2 1",
            "halves to floats 0 19 43 22 50", "transposed floats, kept 0 45 81 52 94", "doubles 0 25",
            "batched halves 0 17664 19328 18176 19776 18688 19712 19200 20224",
            "rounded 6800 6802 7bff 7c00 2 0 8300 3f80 3f82", "types 15",
            "leading 7", "handle 1", "beyond 13"])
        self.assertEqual([mistake["kind"] for mistake in found["mistakes"] if mistake["fault"]],
                         ["library call beyond an allocation", "uninitialized memory in a library call"])

    @unittest.skipUnless(CUBLAS.exists(), "there is no OpenBLAS, with which cuBLAS's calls do their work")
    def test_the_old_names_of_cublas_need_no_handle(self):
        done = run("run", str(FOLDER / "parts/blas_old.cu"), "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["output"]), (0, "0 19 43 22 50, 10, 4\n"), done.stderr)

    @unittest.skipIf(CUBLAS.exists(), "OpenBLAS is there")
    def test_without_openblas_a_program_with_cublas_names_the_package(self):
        done = run("run", str(FOLDER / "parts/blas.cu"), "--", "-lcublas")
        self.assertEqual(done.returncode, 2)
        self.assertIn("libopenblas-dev", done.stderr)

    def test_a_library_of_gpu_code_is_an_error_with_a_remedy(self):
        source = pathlib.Path(cache.name, "library.cu")
        source.write_text("#include <cufft.h>\nint main() { return 0; }\n")
        done = run("run", str(source))
        self.assertEqual(done.returncode, 2)
        self.assertIn("library.cu:1:10: 'cufft.h' file not found", done.stderr)
        self.assertIn("Lanescope has no libraries such as cuFFT", done.stderr)

    def test_a_texture_in_a_kernel_is_an_error_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "texture.cu"
            source.write_text("__global__ void k(cudaTextureObject_t t, float *x) { x[0] = tex2D<float>(t, 0, 0); }\n"
                              "int main() { }\n")
            done = run("run", str(source))
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, "texture.cu:1:.*tex2D.*textures and surfaces are not supported")

    def test_a_public_program_whose_times_touch_their_unit_prints_the_same(self):
        sys.path.insert(0, "tests/public")
        import trial
        for ours, gpu in (("copy 7.0ms", "copy 0.3ms"), ("copy: 12us", "copy: 1us"), ("took (1.5e-3s)", "took (2s)")):
            self.assertTrue(trial.same("sum 7\n" + ours, "sum 7\n" + gpu), ours)
        for ours, gpu in (("sum 7", "sum 8"), ("7 sums", "8 sums"), ("v1.5s", "v1.6s"), ("0x7s", "0x8s")):
            self.assertFalse(trial.same(ours, gpu), ours)

    def test_a_program_that_printed_too_much_is_not_told_to_link(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "talk.cu"
            source.write_text("#include <cstdio>\nint main() { for (;;) puts(\"again and again\"); }\n")
            done = run("run", str(source))
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stdout.endswith("the program was ended because it printed more than --print allows\n"),
                            done.stdout[-400:])

    def test_the_limit_of_output_holds_while_nobody_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "talk.cu"
            source.write_text("#include <cstdio>\nint main() { for (;;) puts(\"again and again\"); }\n")
            built = run("build", "-o", f"{folder}/talk", str(source))
            self.assertEqual(built.returncode, 0, built.stderr)
            with subprocess.Popen([PROGRAM, "exec", f"{folder}/talk"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, env=ENVIRONMENT) as work:
                children, began = pathlib.Path(f"/proc/{work.pid}/task/{work.pid}/children"), False
                while not began or children.read_text().strip(): # until the program has been ended; the pipe is full
                    began = began or bool(children.read_text().strip())
                    time.sleep(0.01)
                text = work.stdout.read()
            self.assertTrue(text.endswith(b"the program was ended because it printed more than --print allows\n"), text[-200:])
            self.assertLess(len(text), 70 << 20)

    def test_an_endless_kernel_shows_progress_and_ctrl_c_says_where_it_was(self):
        try:
            terminal, ours = pty.openpty()  # progress appears on terminals only
        except OSError as none:
            self.skipTest(f"this machine gives no terminal: {none}")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "spin.cu"
            source.write_text("__global__ void spin(unsigned *out, unsigned n)\n{\n    unsigned i = 0;\n    while (i % 4 < n)\n"
                              "        out[threadIdx.x] = i++;\n}\n"
                              "int main()\n{\n    unsigned *d;\n    cudaMalloc(&d, 4096);\n    spin<<<4, 128>>>(d, 10);\n"
                              "    return cudaDeviceSynchronize();\n}\n")
            work = subprocess.Popen([PROGRAM, "run", str(source), "--budget", "1000000000000"], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=ours, text=True, env=ENVIRONMENT)
            os.close(ours)
            said = ""
            # the first lines may come before it can be known that it loops
            while not re.search(r"spin: 0 % of 4 blocks; line [4-6] loops, \d+ % of --budget; \d+ s; Ctrl\+C stops", said):
                said += os.read(terminal, 1000).decode()
            work.send_signal(signal.SIGINT)
            found = work.communicate(timeout=HANG)[0]
            os.close(terminal)
            self.assertEqual(work.returncode, 1)
            self.assertRegex(found, r"the program was stopped\n  kernel spin was in block [0-3], line [4-6], after \d+ s\n")

    def test_a_race_names_the_element_also_where_a_define_is_the_extent(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "rows.cu"
            source.write_text("#define N 8\n__global__ void k(float *out)\n{\n    __shared__ float rows[N][N];\n"
                              "    rows[threadIdx.y][threadIdx.x] = 1;\n"
                              "    out[threadIdx.x] = rows[N - 1 - threadIdx.y][threadIdx.x];\n}\n"
                              "int main()\n{\n    float *d;\n    cudaMalloc(&d, 4096);\n    k<<<1, dim3(8, 8)>>>(d);\n"
                              "    cudaDeviceSynchronize();\n    cudaFree(d);\n}\n")
            self.assertRegex(run("run", str(source)).stdout, r"st of rows\[\d\]\[\d\] at rows.cu:5")

    def test_a_kernel_that_waits_for_nobody_is_said_to_poll(self):
        try:
            terminal, ours = pty.openpty()
        except OSError as none:
            self.skipTest(f"this machine gives no terminal: {none}")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "poll.cu"
            source.write_text("__global__ void wait(volatile int *flag)\n{\n    while (*flag == 0)\n        ;\n}\n"
                              "int main()\n{\n    int *d;\n    cudaMalloc(&d, 4);\n    cudaMemset(d, 0, 4);\n"
                              "    wait<<<2, 32>>>(d);\n    return cudaDeviceSynchronize();\n}\n")
            work = subprocess.Popen([PROGRAM, "run", str(source), "--budget", "1000000000000"], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=ours, text=True, env=ENVIRONMENT)
            os.close(ours)
            said = ""
            while not re.search(r"wait: 0 % of 2 blocks; line 3 polls, \d+ % of --budget", said):
                said += os.read(terminal, 1000).decode()
            work.send_signal(signal.SIGINT)
            work.communicate(timeout=HANG)
            os.close(terminal)

    def test_a_repeated_launch_reports_what_an_executed_one_does(self):
        def report(**more):
            done = subprocess.run([PROGRAM, "run", "--on", "emulator", "--json", str(FOLDER / "repeats.cu")], text=True,
                                  capture_output=True, env=dict(ENVIRONMENT, **more), timeout=HANG, stdin=subprocess.DEVNULL)
            return json.loads(done.stdout)

        repeated, executed = report(), report(LANESCOPE_REPEATS="execute")
        self.assertTrue(any("same_as" in launch for launch in repeated["launches"]))
        self.assertFalse(any("same_as" in launch for launch in executed["launches"]))
        for launch in repeated["launches"]:
            launch.pop("same_as", None)
        self.assertEqual(repeated["launches"], executed["launches"])
        self.assertEqual(repeated["output"], executed["output"])
        text = run("run", str(FOLDER / "repeats.cu")).stdout
        self.assertIn("  repeat an earlier launch on the same memory, and were not executed again: 2\n", text)

    def test_several_files_are_built_and_run_with_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/parts"
            built = run("build", "-o", program, str(FOLDER / "parts/main.cu"), str(FOLDER / "parts/kernel.cu"),
                        str(FOLDER / "parts/host.cpp"), "--", "-lm", "-DFACTOR=3", "-arch=sm_80", "-rdc=true", "-lcudadevrt")
            self.assertEqual(built.returncode, 0, built.stderr)
            done = run("exec", program, "7")
            self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "7 * 3 = 21"), done.stderr)
            self.assertIn("launch 1: multiply<<<(1, 1, 1), (32, 1, 1)>>>, shared memory 0 B; main.cu:", done.stdout)

    def test_FILE_is_the_name_that_the_user_gave(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "own.h").write_text("static const char *const header = __FILE__;\n")
            pathlib.Path(folder, "sub").mkdir()
            pathlib.Path(folder, "sub/a.cu").write_text('#include "../own.h"\n#include <cstdio>\n'
                                                        'int main() { printf("%s %s\\n", __FILE__, header); }\n')
            for place, name in ((folder, "sub/a.cu"), (f"{folder}/sub", "a.cu")):
                done = subprocess.run([PROGRAM, "run", name, "--json"], capture_output=True, text=True, cwd=place,
                                      env=ENVIRONMENT, timeout=HANG)
                header = os.path.join(os.path.dirname(name), "../own.h")
                self.assertEqual(json.loads(done.stdout)["output"], f"{name} {header}\n", done.stderr)

    def test_the_built_program_runs_by_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/vector_add"
            built = run("build", str(FOLDER / "vector_add.cu"), "-o", program)
            self.assertEqual(built.returncode, 0, built.stderr)
            alone = subprocess.run([program], capture_output=True, text=True, timeout=HANG,
                                   env=dict(ENVIRONMENT, ASAN_OPTIONS="detect_leaks=0"))
            self.assertEqual(alone.returncode, 0, alone.stderr)
            self.assertIn("PASSED", alone.stdout)

    def test_a_pure_virtual_function_is_defined_since_ptxas_takes_the_address_of_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "pure.cu").write_text(
                "struct A { __noinline__ __device__ A() {} __device__ virtual int f() = 0; };\n"
                "struct B : A { __device__ int f() override { return 7; } };\n"
                "struct C : A { __device__ int f() override { return 8; } };\n"
                "__global__ void k(int n) { A *a = n ? (A *)new B : (A *)new C; printf(\"%d\\n\", a->f()); }\n"
                "int main() { k<<<1, 1>>>(1); return cudaDeviceSynchronize(); }\n")
            built = run("build", f"{folder}/pure.cu", "-o", f"{folder}/pure")
            self.assertEqual(built.returncode, 0, built.stderr)
            ptx = pathlib.Path(folder, "pure").read_bytes()
            self.assertIn(b"_ZTV1A[3] = {0, 0, __cxa_pure_virtual}", ptx)
            self.assertNotIn(b".extern .func __cxa_pure_virtual", ptx)
            self.assertEqual(run("exec", f"{folder}/pure").stdout.splitlines()[0], "7")

    def test_a_program_built_by_nvcc_runs(self):
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if not nvcc or b"__asan_init" in pathlib.Path(PROGRAM).read_bytes():
            self.skipTest("there is no nvcc, or only programs with the sanitizers can load the library")
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/launches"
            subprocess.run([nvcc, "-arch=sm_90", "-cudart", "shared", "-lineinfo", "-o", program,
                            str(FOLDER / "vector_add.cu")], check=True, timeout=HANG)
            done = run("exec", program)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("PASSED", done.stdout)
            self.assertIn("launch 1: add<<<(4, 1, 1), (256, 1, 1)>>>", done.stdout)
            subprocess.run([nvcc, "-arch=sm_90", "-cudart", "shared", "-o", program, str(FOLDER / "streams.cu")],
                           check=True, timeout=HANG)
            golden = (FOLDER / "streams.txt").read_text()
            self.assertIn(golden[golden.index("times in order"):], run("exec", program).stdout)

    def test_a_recorded_launch_becomes_a_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("run", str(FOLDER / "groups.cu"), "--launch", "2", "--trace", f"{folder}/two.trace")
            self.assertEqual(done.returncode, 0, done.stderr)
            same = run("compare", f"{folder}/two.trace", f"{folder}/two.trace")
            self.assertEqual(same.returncode, 0, same.stderr)
            none = run("run", str(FOLDER / "launches.cu"), "--launch", "99", "--trace", f"{folder}/none.trace")
            self.assertEqual(none.returncode, 2)
            self.assertIn("no launch was recorded", none.stderr)

    def test_a_compile_error_has_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.cu"
            path.write_text("int main()\n{\n    return missing;\n}\n")
            done = run("run", str(path))
            self.assertEqual(done.returncode, 2)
            self.assertIn("wrong.cu:3:12: use of undeclared identifier 'missing'", done.stderr)

    def test_limits_end_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "endless.cu"
            path.write_text("volatile int forever = 1;\nint main()\n{\n    while (forever)\n        ;\n}\n")
            done = run("run", str(path), "--seconds", "1")
            self.assertEqual(done.returncode, 1)
            self.assertIn("the limit (--seconds)", done.stdout)
            path.write_text('#include <cstdio>\nint main()\n{\n    for (;;)\n        puts("again and again");\n}\n')
            done = run("run", str(path), "--json")
            self.assertEqual(json.loads(done.stdout)["end"], "output limit")

    def on_terminal(self, source, typed):
        """Runs a program on a terminal of its own, types when it asks, and returns what the terminal showed."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "asks.cu")
            path.write_text(source)
            process, terminal = pty.fork()
            if process == 0:
                os.execve(PROGRAM, [PROGRAM, "run", "--on", "emulator", str(path)], ENVIRONMENT)
            said = b""
            while True:
                try:
                    part = os.read(terminal, 4096)
                except OSError:  # the other end is closed
                    part = b""
                if not part:
                    break
                said += part
                if typed and b"now" in said:
                    os.write(terminal, typed)
                    typed = b""
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            os.close(terminal)
            return status, said.decode()

    def test_a_program_reads_what_is_typed(self):
        status, said = self.on_terminal("#include <cstdio>\nint main() { int n = 0; puts(\"now\"); fflush(stdout);\n"
                                        "scanf(\"%d\", &n); printf(\"twice: %d\\n\", 2 * n); }\n", b"21\n")
        self.assertEqual(status, 0, said)
        self.assertIn("twice: 42", said)

    def test_ctrl_c_stops_a_program_and_keeps_its_report(self):
        status, said = self.on_terminal("#include <cstdio>\nint main() { int *a; cudaMalloc(&a, 64); puts(\"now\");\n"
                                        "fflush(stdout); for (volatile int i = 0;;) i = i + 1; }\n", b"\x03")
        self.assertEqual(status, 1, said)
        self.assertIn("the program was stopped", said)

    def test_what_a_program_left_running_is_ended_and_said(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "forks.cu")
            path.write_text("#include <unistd.h>\nint main() { if (fork() == 0) for (;;) pause(); }\n")
            done = run("run", str(path))
            self.assertEqual(done.returncode, 0)
            self.assertIn("left processes running", done.stdout)

    def test_what_is_no_program_is_an_error(self):
        for path in ("/nonexistent", str(FOLDER)):
            done = run("exec", path)
            self.assertEqual((done.returncode, done.stdout), (2, ""), path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[1:])
