"""Launches the PTX of kernels.py once each, through the driver's interface, and compares what it writes with Python's own
arithmetic: python3 launch.py FOLDER prints a line for each kernel."""
import ctypes
import json
import math
import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1])
TOLD = json.loads((FOLDER / "kernels.json").read_text())
cuda = ctypes.CDLL("libcuda.so.1")
u64 = ctypes.c_uint64


def do(code):
    if code:
        sys.exit(f"error {code}")


class Buffer:
    def __init__(self, letter, values):
        self.letter, self.count, self.place = letter, len(values), u64()
        data = struct.pack(f"{len(values)}{letter}", *values)
        do(cuda.cuMemAlloc_v2(ctypes.byref(self.place), ctypes.c_size_t(len(data))))
        do(cuda.cuMemcpyHtoD_v2(self.place, data, ctypes.c_size_t(len(data))))

    def values(self):
        data = ctypes.create_string_buffer(self.count * struct.calcsize(self.letter))
        do(cuda.cuMemcpyDtoH_v2(data, self.place, ctypes.c_size_t(len(data))))
        do(cuda.cuMemFree_v2(self.place))
        return struct.unpack(f"{self.count}{self.letter}", data.raw)


def launch(name, grid, *arguments):
    module, function = u64(), u64()
    do(cuda.cuModuleLoadData(ctypes.byref(module), (FOLDER / f"{name}.ptx").read_bytes() + b"\0"))
    do(cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
    own = [word.place if isinstance(word, Buffer) else word for word in arguments]
    own += [u64(), u64()]  # Triton's own scratch memory, of which these kernels need none
    places = (ctypes.c_void_p * len(own))(*[ctypes.addressof(word) for word in own])
    do(cuda.cuLaunchKernel(function, *grid, TOLD[name]["threads"], 1, 1, TOLD[name]["shared"], None, places, None))
    do(cuda.cuCtxSynchronize())
    do(cuda.cuModuleUnload(module))


def show(name, wrong):
    print(name, f"{wrong} wrong" if wrong else "right", flush=True)


def differ(found, expected, most):
    return sum(not abs(a - b) <= most * max(1, abs(b)) for a, b in zip(found, expected, strict=True))


def real(seed, count):
    """Returns multiples of 1/64 between -4 and 4, that every type here holds exactly."""
    return [((i * 7919 + seed * 104729) % 512 - 256) / 64 for i in range(count)]


def main():
    i32, f32 = ctypes.c_int, ctypes.c_float
    do(cuda.cuInit(0))
    context = u64()
    do(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    do(cuda.cuCtxSetCurrent(context))

    count = 10000
    x, y = real(1, count), real(2, count)
    buffers = [Buffer("f", values) for values in (x, y, [0] * count)]
    launch("add", (10, 1, 1), *buffers, i32(count))
    show("add", differ(buffers[2].values(), [a + b for a, b in zip(x, y)], 0))

    rows, columns = 24, 781
    x = real(3, rows * columns)
    buffers = [Buffer("f", [0] * len(x)), Buffer("f", x)]
    launch("softmax", (rows, 1, 1), *buffers, i32(columns), i32(columns))
    expected = []
    for row in range(rows):
        powers = [math.exp(value) for value in x[row * columns:(row + 1) * columns]]
        expected += [power / math.fsum(powers) for power in powers]
    show("softmax", differ(buffers[0].values(), expected, 1e-6))

    weight = real(4, columns)
    buffers = [Buffer("f", values) for values in (x, weight, [0] * len(x))]
    launch("normalize", (rows, 1, 1), *buffers, i32(columns), f32(1e-5))
    expected = []
    for row in range(rows):
        own = x[row * columns:(row + 1) * columns]
        mean = math.fsum(own) / columns
        spread = math.sqrt(math.fsum((value - mean) ** 2 for value in own) / columns + 1e-5)
        expected += [(value - mean) / spread * scale for value, scale in zip(own, weight)]
    show("normalize", differ(buffers[2].values(), expected, 1e-5))

    rows, columns = 80, 200
    x = real(5, rows * columns)
    buffers = [Buffer("f", x), Buffer("f", [0] * len(x))]
    launch("transpose", (3, 7, 1), *buffers, i32(rows), i32(columns))
    show("transpose", differ(buffers[1].values(), [x[row * columns + column] for column in range(columns)
                                                   for row in range(rows)], 0))

    x = [i * i * 7919 % 1000 for i in range(5000)]
    buffers = [Buffer("i", x), Buffer("i", [0] * 64)]
    launch("histogram", (10, 1, 1), *buffers, i32(len(x)))
    show("histogram", differ(buffers[1].values(), [sum(value % 64 == b for value in x) for b in range(64)], 0))

    m, n, k = 128, 64, 96
    a, b = real(6, m * k), real(7, k * n)
    buffers = [Buffer("e", a), Buffer("e", b), Buffer("e", [0] * (m * n))]
    launch("matmul", (2, 1, 1), *buffers, i32(m), i32(n), i32(k))
    show("matmul", differ(buffers[2].values(), [sum(a[row * k + i] * b[i * n + column] for i in range(k))
                                               for row in range(m) for column in range(n)], 1e-3))
    do(cuda.cuDevicePrimaryCtxRelease_v2(0))


main()
