"""Kernels on a GPU, with tests/fake/cuda.c in the place of the driver: its kernels are run by the emulator, so that what
the probes record must be the emulator's own trace."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
FAKE = os.environ["FAKE_DRIVER"]
HANG = 300  # seconds, to end a process that hangs; no verdict depends on it
LESSON = ["run", "lessons/warps"]
KERNEL = ["run", "kernels/reduction_steps.cu", "--compiler", "clang", "--kernel", "reduce_sequential", "--grid", "6",
          "--block", "128", "--arg", "f32[6]=zero", "--arg", "f32[768]=iota", "--blocks", "all"]

COPIES = """.version 8.0
.target sm_80
.address_size 64
.visible .entry copies(.param .u64 from, .param .u64 to)
{
    .reg .b64 %rd<6>;
    .reg .b32 %r<8>;
    .reg .pred %p<3>;
    .shared .align 16 .b8 room[1024];
    ld.param.u64 %rd0, [from];
    ld.param.u64 %rd1, [to];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd2, %r0, 4;
    add.u64 %rd3, %rd0, %rd2;
    mov.u32 %r1, room;
    mad.lo.u32 %r2, %r0, 16, %r1;
    and.b32 %r3, %r0, 31;
    setp.lt.u32 %p0, %r3, 8;
    selp.u32 %r4, 4, 0, %p0;
    cp.async.ca.shared.global [%r2], [%rd3], 4, %r4;
    mul.wide.u32 %rd4, %r3, 16;
    add.u64 %rd4, %rd0, %rd4;
    setp.lt.u32 %p1, %r3, 16;
    cp.async.cg.shared.global [%r2], [%rd4], 16, !%p1;
    mov.u32 %r5, 0;
    cp.async.ca.shared.global [%r2], [%rd3], 4, %r5;
    cp.async.wait_all;
    ld.shared.u32 %r6, [%r2];
    add.u64 %rd5, %rd1, %rd2;
    st.global.u32 [%rd5], %r6;
    ret;
}
"""


class Driver(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.log = pathlib.Path(self.work.name, "log")

    def run_with(self, *words, **environment):
        self.log.write_text("")
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=HANG, env=dict(
            os.environ, LANGUAGE="en", LD_LIBRARY_PATH=FAKE, FAKE_CUDA_LOG=str(self.log),
            ASAN_OPTIONS="detect_leaks=0", **environment))

    def calls(self, name):
        return [line for line in self.log.read_text().splitlines() if line.startswith(name)]

    def trace(self, executor, *words, **environment):
        path = f"{self.work.name}/{executor}.trace"
        done = self.run_with(*KERNEL, *words, "--on", executor, "--trace", path, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def compare(self, gpu, emulator):
        done = self.run_with("compare", gpu, emulator)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_probes_record_what_the_emulator_records(self):
        for words in ([], ["--values"]):
            self.compare(self.trace("gpu", *words), self.trace("emulator", *words))

    def test_lanes_that_copy_nothing_are_in_no_record(self):
        path = pathlib.Path(self.work.name, "copies.ptx")
        path.write_text(COPIES)
        words = ["run", str(path), "--block", "64", "--arg", "u32[256]=iota", "--arg", "u32[64]=zero", "--check", "none"]
        for extra in ([], ["--values"]):
            traces = []
            for executor in ("gpu", "emulator"):
                traces.append(f"{self.work.name}/{executor}.trace")
                done = self.run_with(*words, *extra, "--on", executor, "--trace", traces[-1])
                self.assertEqual(done.returncode, 0, done.stderr)
            self.compare(*traces)
        done = self.run_with(*words, "--on", "gpu", "--json")
        counters = json.loads(done.stdout)["counters"]
        # Of each warp 8 lanes copy by size, side by side; 16 do not ignore the source; none of the last copy.
        self.assertEqual(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 4)
        self.assertEqual(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 2 * (1 + 8))

    def test_without_memory_for_all_blocks_further_launches_bring_the_rest(self):
        gpu = self.trace("gpu", FAKE_CUDA_FREE=str(200 << 10))
        self.assertGreater(len(self.calls("cuLaunchKernel (6 1 1)")), 1)
        self.compare(gpu, self.trace("emulator"))

    def test_a_kernel_is_timed_by_events_after_five_launches(self):
        done = self.run_with(*LESSON, "--on", "gpu")
        self.assertIn("median 250.00 us, quartiles 250.00 and 250.00, 31 runs", done.stdout, done.stderr)
        self.assertEqual(len(self.calls("cuLaunchKernel (1 1 1) (64 1 1)")), 1 + 36)  # one is recorded

    def test_doctor_shows_the_device(self):
        rows = self.run_with("doctor").stdout.splitlines()
        self.assertEqual(rows[0], "ok   GPU         Fake GPU, compute capability 9.0, 4 multiprocessors, 1024 MiB")
        self.assertIn("for CUDA up to 13.0", rows[1])

    def test_an_error_of_the_driver_is_said_in_words(self):
        for error, status, words in (
                ("cuInit 100", 3, "the NVIDIA driver finds no GPU; check that nvidia-smi shows a GPU"),
                ("cuDevicePrimaryCtxRetain 46", 3, "this program cannot use the GPU: another program has exclusive use"),
                ("cuModuleLoadDataEx 222", 3, "the PTX is newer than this NVIDIA driver understands"),
                ("cuMemAlloc_v2 2", 3, "the GPU has no room for a buffer: 1 MiB needed, 512 of 1024 MiB free"),
                ("cuLaunchKernel 701", 2, "needs more registers or shared memory than the GPU has"),
                ("cuCtxSynchronize 999", 1, "preparing failed on the GPU: an error (CUDA_ERROR)")):
            with self.subTest(error):
                done = self.run_with(*KERNEL, "--on", "gpu", FAKE_CUDA_ERROR=error)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.returncode, status, done.stderr)

    def test_a_fault_is_explained(self):
        done = self.run_with(*KERNEL, "--on", "gpu", FAKE_CUDA_FAULT="2")
        self.assertIn("the kernel read or wrote memory outside its buffers; run it with --on emulator", done.stderr)


if __name__ == "__main__":
    unittest.main()
