"""One warp copies asynchronously from global to shared memory, in many patterns of addresses. Some lanes copy nothing: the
source's size is 0, or the copy is to ignore the source; they may name memory that does not exist. Prints the sum of what
lies in shared memory then, for each launch: python3 launch.py. results.txt is what it printed on an H200, and counters.txt has
what that counted of these launches, in their order:
    ncu --csv --page raw --print-units base --clock-control none --metrics $(python3 ../triton/counters.py --names) \\
        python3 launch.py > copies.csv && python3 ../triton/counters.py copies.csv > counters.txt"""
import ctypes
import struct
import sys

LANES, ROOM = 32, 16384
FORMS = [(way, size, by) for way, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)) for by in ("size", "predicate")]
cuda = ctypes.CDLL("libcuda.so.1")
u64 = ctypes.c_uint64

# Each lane's place in the source is in a table; all bits set: the lane copies nothing, and names address 0.
KERNEL = """
.visible .entry copy_{way}{size}_{by}(.param .u64 from, .param .u64 table, .param .u64 to, .param .u32 limit)
{{
    .reg .b64 %rd<5>;
    .reg .b32 %r<9>;
    .reg .pred %p<3>;
    .shared .align 16 .b8 room[512];
    ld.param.u64 %rd0, [from];
    ld.param.u64 %rd1, [table];
    ld.param.u64 %rd4, [to];
    ld.param.u32 %r0, [limit];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    cvt.u64.u32 %rd3, %r2;
    add.u64 %rd3, %rd0, %rd3;
    setp.eq.u32 %p1, %r2, -1;
    selp.b64 %rd3, 0, %rd3, %p1;
    setp.ge.u32 %p0, %r1, %r0;
    or.pred %p0, %p0, %p1;
    selp.u32 %r3, 0, {size}, %p0;
    mov.u32 %r4, room;
    mad.lo.u32 %r4, %r1, 16, %r4;
    mov.u32 %r5, 7;
    st.shared.v4.u32 [%r4], {{%r5, %r5, %r5, %r5}};
    cp.async.{way}.shared.global [%r4], [%rd3], {size}, {last};
    cp.async.wait_all;
    ld.shared.v4.u32 {{%r5, %r6, %r7, %r8}}, [%r4];
    add.u32 %r5, %r5, %r6;
    add.u32 %r5, %r5, %r7;
    add.u32 %r5, %r5, %r8;
    add.u64 %rd2, %rd4, %rd2;
    st.global.u32 [%rd2], %r5;
    ret;
}}
"""


def do(code):
    if code:
        sys.exit(f"error {code}")


def numbers():
    """The same numbers everywhere."""
    state = 1
    while True:
        state = (state * 1103515245 + 12345) % (1 << 31)
        yield state >> 8


def cases():
    """Yields a form, the lanes' places and the number of lanes that copy."""
    chance = numbers()
    for form in FORMS:
        for limit in (0, 1, 5, 8, 16, 31, 32):
            yield form, [64 * lane for lane in range(LANES)], limit
            yield form, [64 * lane if lane < limit else None for lane in range(LANES)], LANES
    for way, size, _ in FORMS[::2]:
        form = way, size, "size"
        for apart in (0, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 256, 384):
            for begin in (0, 16, 112):
                if apart % size == 0:
                    yield form, [begin + apart * lane for lane in range(LANES)], LANES
        for within in (128, 256, 512, 1024, 4096):
            for _ in range(8 if way == "cg" else 3):
                yield form, [next(chance) % (within // size) * size for _ in range(LANES)], LANES
                yield form, [next(chance) % (within // size) * size for _ in range(LANES)], next(chance) % LANES
    for _ in range(40):  # pieces of 16 bytes of one line, of two and of four
        pieces = [piece for piece in range(8) if next(chance) % 2] or [0]
        for lines in (1, 2, 4):
            yield ("cg", 16, "size"), [16 * pieces[lane // lines % len(pieces)] + 128 * (lane % lines)
                                       for lane in range(LANES)], LANES


def main():
    text = ".version 8.0\n.target sm_80\n.address_size 64\n" + "".join(
        KERNEL.format(way=way, size=size, by=by, last="%r3" if by == "size" else "%p0") for way, size, by in FORMS)
    context, module, function, source, table, target = u64(), u64(), u64(), u64(), u64(), u64()
    do(cuda.cuInit(0))
    do(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    do(cuda.cuCtxSetCurrent(context))
    do(cuda.cuModuleLoadData(ctypes.byref(module), text.encode() + b"\0"))
    for place, bytes_ in ((source, ROOM), (table, 4 * LANES), (target, 4 * LANES)):
        do(cuda.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(bytes_)))
    do(cuda.cuMemcpyHtoD_v2(source, struct.pack(f"{ROOM // 4}I", *range(ROOM // 4)), ctypes.c_size_t(ROOM)))
    for (way, size, by), places, limit in cases():
        do(cuda.cuModuleGetFunction(ctypes.byref(function), module, f"copy_{way}{size}_{by}".encode()))
        written = struct.pack(f"{LANES}I", *(0xffffffff if place is None else place for place in places))
        do(cuda.cuMemcpyHtoD_v2(table, written, ctypes.c_size_t(4 * LANES)))
        words = [source, table, target, ctypes.c_uint(limit)]
        arguments = (ctypes.c_void_p * 4)(*[ctypes.addressof(word) for word in words])
        do(cuda.cuLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, None, arguments, None))
        do(cuda.cuCtxSynchronize())
        got = (ctypes.c_uint * LANES)()
        do(cuda.cuMemcpyDtoH_v2(got, target, ctypes.c_size_t(4 * LANES)))
        print(f"{way}{size} {by} {limit}", sum(got))
    for place in (source, table, target):
        do(cuda.cuMemFree_v2(place))


main()
