"""Traces made to break the reader of traces: none crashes, hangs, or takes memory out of proportion in any command."""
import glob
import os
import resource
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
HANG = 600  # seconds of processor time, to end a process that hangs; no verdict depends on it
with open(PROGRAM, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()  # memory is counted with the sanitizers' own
FREE_KIB, FACTOR = 100 << 10, 64  # docs/security.md


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (HANG, HANG))


def commands(path, folder):
    chosen = {"run": [path], "compare": [path, path], "render": [path, "-o", folder + "/out.png"],
              "export": [path, "-o", folder + "/out.pdf"]}
    for page in ("clock", "lines", "warps", "why"):
        yield ["render", path, "--overview", page, "-o", folder + "/out.svg"]
    for name in chosen:
        yield [name, *chosen[name]]


class Hostile(unittest.TestCase):
    def run_one(self, arguments, most_kib):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=limit)
        said = process.stderr.read().decode()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 1, 2), f"{arguments}: {said[-2000:]}")
        if not SANITIZED:
            self.assertLess(usage.ru_maxrss, most_kib, arguments)
        return said

    def test_no_command_crashes_hangs_or_takes_all_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(glob.glob("tests/hostile/*.trace")):
                for arguments in commands(path, folder):
                    with self.subTest(name=os.path.basename(path), command=arguments[0]):
                        self.run_one(arguments, FREE_KIB + FACTOR * os.path.getsize(path) // 1024)

    def test_an_honest_trace_of_scattered_loads_takes_no_more(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/scattered.trace"
            grid = "4" if SANITIZED else "32"
            self.run_one(["run", "tests/hostile/scattered.ptx", "--on", "emulator", "--grid", grid, "--block", "256",
                          "--arg", "u32[1048576]=iota", "--arg", "u32[8192]=zero", "--blocks", "all", "--trace", path],
                         1 << 30)
            for arguments in commands(path, folder):
                with self.subTest(command=arguments):
                    self.run_one(arguments, FREE_KIB + FACTOR * os.path.getsize(path) // 1024)

    def test_a_refusal_names_the_field(self):
        for name, field in (("hang_1085", "lanes[4] leave"), ("mem2064_2059", "shared_bytes is larger"),
                            ("signal8_4323", "events.time[2] runs back"), ("hang_924", "findings.thread[1] is outside"),
                            ("bomb_buffers", "header.body_bytes is more"), ("bomb_events4M", "header.body_bytes is more")):
            path = f"tests/hostile/{name}.trace"
            self.assertIn(field, self.run_one(["compare", path, path, "--lang", "en"], 1 << 30), path)


if __name__ == "__main__":
    unittest.main()
