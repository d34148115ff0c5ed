"""A kernel's file without main(), as students write it, run without any option: the verdict is right for the launch that
the source gives, and names what is guessed."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
folder = tempfile.TemporaryDirectory()
ENVIRONMENT = {"XDG_CACHE_HOME": os.path.join(folder.name, "cache"), **os.environ, "LANGUAGE": "en"}

VECADD = """__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i %s n)
        c[i] = a[i] + b[i];
}
"""
REVERSE = """__global__ void reverse(int *d, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = d[blockIdx.x * 128 + t];
    %s
    d[blockIdx.x * 128 + t] = s[127 - t];
}
void run(int *d) { reverse<<<8, 128>>>(d, 1024); }
"""
SQUARE = """__global__ void add(const float *a, float *b, int width, int height)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = 0;
    if (x < width && y < height)
        b[y * width + x] += a[y * width + x] + tile[threadIdx.y][threadIdx.x];
}
void run(const float *a, float *b)
{
    const int W = 100, H = 64;
    dim3 block(32, 32);
    dim3 grid((W + block.x - 1) / block.x, (H + 31) / 32);
    add<<<grid, block>>>(a, b, W, H);
}
"""
WAIT = """__global__ void wait_for(int *flag, int *out)
{
    while (*flag == 0)
        ;
    out[threadIdx.x] = 1;
}
"""
COLLATZ = """template <typename T> __global__ void collatz(const T *in, T *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        steps[i] = in[i] %% 2;
}
template __global__ void collatz<long long>(const long long *, long long *, int);
%s
__global__ void other(int *a) { a[threadIdx.x] = 1; }
"""
STRUCTURE = """struct Params { float scale; int n; float offset[2]; };
__global__ void scale(float *x, Params p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= p.n)
        x[i] = x[i] * p.scale + p.offset[i & 1];
}
"""
NAMED = """#define BLOCK 128
__global__ void copy(const float *in, float *out)
{
    __shared__ float s[BLOCK];
    s[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
    out[blockIdx.x * BLOCK + threadIdx.x] = s[threadIdx.x];
}
"""
HEADERS = """#include <iostream>
#include <vector>
__global__ void twice(int *a, int n)
{
    if (threadIdx.x <= n)
        a[threadIdx.x] *= 2;
}
void call(std::vector<int> &v) { twice<<<1, 64>>>(v.data(), 63); std::cout << v[0]; }
"""


def run(source, *words):
    path = pathlib.Path(folder.name, "own.cu")
    path.write_text(source)
    return subprocess.run([PROGRAM, "run", str(path), "--on", "emulator", *words], capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=HANG, stdin=subprocess.DEVNULL)


def facts(source, *words):
    done = run(source, "--check", "memory,race", "--json", *words)
    return json.loads(done.stdout) if done.stdout else {"error": done.stderr}


class Kernels(unittest.TestCase):
    def test_an_index_past_the_end_is_found_without_a_launch(self):
        found = facts(VECADD % "<=")
        self.assertEqual([fault["kind"] for fault in found["faults"]], ["out of bounds"])
        self.assertEqual(facts(VECADD % "<")["faults"], [])

    def test_the_verdict_says_what_is_guessed(self):
        done = run(VECADD % "<")
        self.assertEqual(done.returncode, 0)
        self.assertIn("nothing found with a guessed launch", done.stdout)
        self.assertIn("Guessed: grid, block, a, b, c, n; arrays of 992 elements.", done.stdout)
        self.assertIn("--grid 4 --block 256 --arg 'f32[992]=iota'", done.stdout)
        words = ("--grid", "1", "--block", "32", *["--arg", "f32[8]=iota"] * 3, "--arg", "i32=8")
        self.assertNotIn("uessed", run(VECADD % "<", *words).stdout)
        self.assertNotIn("guessed", facts(VECADD % "<", *words))

    def test_a_launch_with_constants_is_the_one_that_runs(self):
        found = facts(REVERSE % "")
        self.assertEqual(found["launch"]["grid"] + found["launch"]["block"], [8, 1, 1, 128, 1, 1])
        self.assertEqual((found["faults"], len(found["hazards"])), ([], 2))
        found = facts(REVERSE % "__syncthreads();")
        self.assertEqual((found["faults"], found["hazards"]), ([], []))
        self.assertEqual((found["guessed"]["line"], found["guessed"]["parameters"], found["guessed"]["grid"]),
                         (9, "d", False))

    def test_a_dim3_and_what_is_computed_from_constants_are_taken(self):
        found = facts(SQUARE)
        self.assertEqual(found["launch"]["grid"] + found["launch"]["block"], [4, 2, 1, 32, 32, 1])
        self.assertEqual((found["faults"], found["hazards"]), ([], []))
        self.assertEqual(facts(SQUARE.replace("x < width &&", ""))["faults"][0]["kind"], "out of bounds")

    def test_an_endless_loop_is_one_with_either_compiler(self):
        for compiler in ("clang", "nvrtc"):
            done = run(WAIT, "--compiler", compiler, "--budget", "100000", "--check", "memory,race", "--json")
            if done.returncode == 3:
                continue  # this compiler is not here
            self.assertEqual([fault["kind"] for fault in json.loads(done.stdout)["faults"]], ["endless loop"], compiler)

    def test_a_template_is_found_by_its_plain_name(self):
        self.assertEqual(facts(COLLATZ % "", "--kernel", "collatz")["kernel"], "collatz")
        two = COLLATZ % "template __global__ void collatz<int>(const int *, int *, int);"
        self.assertIn("collatz<int>", facts(two, "--kernel", "collatz")["error"])
        self.assertIn("i32[992]", facts(two, "--kernel", "collatz<int>")["guessed"]["options"])
        self.assertIn("i64[992]", facts(two, "--kernel", "collatz< long long >")["guessed"]["options"])

    def test_a_template_without_an_instance_is_told_what_to_write(self):
        self.assertIn("template __global__ void scale<float>",
                      facts("template <typename T> __global__ void scale(T *x) { *x = 1; }\n")["error"])

    def test_a_structure_by_value_gets_the_number_of_elements(self):
        self.assertEqual(facts(STRUCTURE)["faults"][0]["kind"], "out of bounds")
        self.assertEqual(facts(STRUCTURE.replace("<=", "<"))["faults"], [])

    def test_the_block_is_as_large_as_a_constant_names_it(self):
        found = facts(NAMED)
        self.assertEqual((found["launch"]["block"], found["faults"]), ([128, 1, 1], []))

    def test_headers_of_the_library_do_not_stop_a_kernel(self):
        found = facts(HEADERS)
        self.assertEqual(found["faults"][0]["kind"], "out of bounds")
        self.assertEqual(found["launch"]["block"], [64, 1, 1])


unittest.main()
