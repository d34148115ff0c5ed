"""What following the caches costs: the processor time of launches and programs with and without it.

    python3 tests/caches_cost.py PROGRAM [OTHER]

PROGRAM and OTHER are `lanescope` of two builds: of each launch they run in turn, so that both have the same minutes. Medians
of three rounds, in seconds of user and system time, data and host code included. Not a test of the suite: it judges
nothing."""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 3
FLOATS, MATRIX, SQUARE, PICTURE = "f32[16777216]", "f32[262144]", "f32[4194304]", "f32[1048576]"
SCATTER = """extern "C" __global__ void scatter(float *out, const float *in, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, seed = i;
    float sum = 0;
    for (int k = 0; k < 64; k++) {
        seed = seed * 1664525u + 1013904223u;
        sum += in[(seed >> 8) % n];
    }
    out[i] = sum;
}
"""
# file, kernel, grid, block, bytes of shared memory, arguments
LAUNCHES = [
    ("matmul", "matmul_naive", "32,32", "16,16", "0", [f"{MATRIX}=zero", f"{MATRIX}=mod:7", f"{MATRIX}=mod:5", "i32=512"]),
    ("matmul", "matmul_tiled", "32,32", "16,16", "0", [f"{MATRIX}=zero", f"{MATRIX}=mod:7", f"{MATRIX}=mod:5", "i32=512"]),
    ("adjdiff", "adjdiff_global", "65536", "256", "0", [f"{FLOATS}=zero", f"{FLOATS}=iota", "i32=16777216"]),
    ("transpose", "transpose_naive", "64,64", "32,32", "0", [f"{SQUARE}=zero", f"{SQUARE}=iota", "i32=2048"]),
    ("transpose", "transpose_tile", "64,64", "32,32", "0", [f"{SQUARE}=zero", f"{SQUARE}=iota", "i32=2048"]),
    ("window", "mean_global", "64,64", "16,16", "0",
     [f"{PICTURE}=zero", f"{PICTURE}=mod:9", "i32=1024", "i32=1024", "i32=5"]),
    ("histogram", "histogram_shared", "4096", "256", "1024",
     ["u32[256]=zero", "u8[16777216]=random:1", "i32=16777216", "i32=256", "i32=1"]),
    ("reduction", "reduction", "65536", "256", "1024", ["f32[65536]=zero", f"{FLOATS}=iota", "i32=16777216"]),
    ("scatter", "scatter", "1024", "256", "0", [f"{PICTURE}=zero", f"{PICTURE}=iota", "i32=1048576"]),
]
PROGRAMS = ["adjacent_difference", "naive_product", "tiled_product", "reduction", "stencil", "histogram"]


def words(folder, file, kernel, grid, block, shared, arguments):
    source = folder / "scatter.cu" if file == "scatter" else ROOT / f"kernels/{file}.cu"
    result = ["run", source, "--kernel", kernel, "--grid", grid, "--block", block, "--shared", shared]
    for argument in arguments:
        result += ["--arg", argument]
    return result + ["--json"]


def spend(program, what, caches):
    """Returns the processor time of a command."""
    options = ["--check", "none", "--on", "emulator"] + (["--caches", "model"] if caches else [])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, what[0], *options, *what[1:]], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_row(name, commands):
    """commands: of each program, what it runs."""
    times = {(program, caches): [] for program, _ in commands for caches in (False, True)}
    for _ in range(ROUNDS):
        for program, what in commands:
            for caches in (False, True):
                times[program, caches].append(spend(program, what, caches))
    row = f"{name:32}"
    for program, _ in commands:
        without, with_them = (statistics.median(times[program, caches]) for caches in (False, True))
        row += f" {without:8.2f} {with_them:8.2f} {with_them / without:6.2f}"
    print(row, flush=True)


def main():
    programs = [os.path.abspath(program) for program in sys.argv[1:]]
    if not programs:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "scatter.cu").write_text(SCATTER)
        print(f"{'':32}" + "  without     with  ratio" * len(programs))
        for launch in LAUNCHES:
            print_row(launch[1], [(program, words(folder, *launch)) for program in programs])
        for source in PROGRAMS:
            commands = []
            for number, program in enumerate(programs):
                made = folder / f"{source}-{number}"
                subprocess.run([program, "build", ROOT / f"assets/bench/{source}.cu", "-o", made], check=True)
                commands.append((program, ["exec", made]))
            print_row(f"program {source}", commands)


main()
