"""Virtual memory of hosts that call the driver: mappings, their rights, and what the checks find in them."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "driver"))
from case import Host  # noqa: E402

VIRTUAL = """
import struct
UNIT = 2 << 20
MEMORY = struct.pack("iiiiQQ", 1, 0, 1, 0, 0, 0)
def size(bytes): return ctypes.c_size_t(bytes)
def access(address, bytes, rights): return cuda.cuMemSetAccess(address, size(bytes), struct.pack("iii", 1, 0, rights), size(1))
def place(number): return ctypes.c_uint64(base.value + number * UNIT)
def map(number, handle): return cuda.cuMemMap(place(number), size(UNIT), size(0), handle, ctypes.c_uint64(0))
def read(number, at=0, count=1):
    out = (ctypes.c_uint32 * count)()
    return cuda.cuMemcpyDtoH_v2(out, ctypes.c_uint64(place(number).value + at), size(4 * count)), list(out)
def run():
    arguments = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
    return cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None), cuda.cuCtxSynchronize()
base, a, b = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
module, function, pointer = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
PTX = b'''.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 to)
{
    .reg .b64 %rd0;
    .reg .b32 %r0;
    ld.param.u64 %rd0, [to];
    ld.global.u32 %r0, [%rd0];
    add.u32 %r0, %r0, 1;
    st.global.u32 [%rd0], %r0;
    ret;
}
'''
cuda.cuModuleLoadData(ctypes.byref(module), PTX)
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"add")
cuda.cuMemAddressReserve(ctypes.byref(base), size(4 * UNIT), size(0), None, ctypes.c_uint64(0))
for handle in (a, b): cuda.cuMemCreate(ctypes.byref(handle), size(UNIT), MEMORY, ctypes.c_uint64(0))
"""


class Memory(Host):
    def test_memory_mapped_side_by_side_is_one_piece_and_moves_with_its_handle(self):
        found, _ = self.run_text(VIRTUAL + """
there = ctypes.c_int()
print(cuda.cuDeviceGetAttribute(ctypes.byref(there), 102, 0), there.value, map(0, a), map(1, b), access(base, 2 * UNIT, 3))
print(cuda.cuMemsetD32_v2(ctypes.c_uint64(base.value + UNIT - 8), 5, size(4)), read(0, UNIT - 8, 4))  # over the edge
pointer.value = base.value + UNIT  # in the second one
print(run(), read(1, 0, 2))
print(cuda.cuMemUnmap(place(1), size(UNIT)), map(3, b), access(place(3), UNIT, 3), read(3, 0, 2))
print(map(2, b), access(place(2), UNIT, 3), cuda.cuMemsetD32_v2(place(2), 9, size(1)), read(3)[1], "twice")
print(cuda.cuMemRelease(a), cuda.cuMemRelease(b), read(3), cuda.cuMemUnmap(base, size(UNIT)),
      cuda.cuMemUnmap(place(2), size(2 * UNIT)), cuda.cuMemAddressFree(base, size(4 * UNIT)))
""")
        self.assertEqual(found["output"], "0 1 0 0 0\n0 (0, [5, 5, 5, 5])\n(0, 0) (0, [6, 5])\n0 0 0 (0, [6, 5])\n"
                                          "0 0 0 [9] twice\n0 0 (0, [9]) 0 0 0\n")
        self.assertEqual(found["mistakes"], [])

    def test_memory_without_rights_or_for_reading_is_a_fault_of_the_kernel(self):
        for rights, kind in ((1, "write to read-only memory"), (0, "out of bounds")):
            found, _ = self.run_text(VIRTUAL + f"""
pointer.value = base.value
print(map(0, a), access(base, UNIT, 3), cuda.cuMemsetD32_v2(base, 1, size(1)), access(base, UNIT, {rights}), run())
""")
            self.assertEqual(found["output"], "0 0 0 0 (0, 700)\n")
            self.assertEqual([fault["kind"] for launch in found["launches"] for fault in launch["faults"]], [kind])

    def test_use_of_unmapped_memory_is_found(self):
        found, _ = self.run_text(VIRTUAL + """
pointer.value = base.value
print(map(0, a), access(base, UNIT, 3), cuda.cuMemsetD32_v2(base, 1, size(1)))
print(cuda.cuMemUnmap(base, size(UNIT)))
print(run())
""")
        self.assertEqual(found["output"], "0 0 0\n0\n(0, 700)\n")
        freed = [mistake for mistake in found["mistakes"] if mistake["kind"] == "freed pointer in a kernel"]
        self.assertEqual(len(freed), 1, found["mistakes"])
        self.assertIn(f"freed by cuMemUnmap at host.py:{self.line_of('print(cuda.cuMemUnmap')}", freed[0]["message"])

    def test_launches_repeat_on_virtual_memory_with_a_gap_behind_it(self):
        found, done = self.run_text(VIRTUAL + r"""
LONG = PTX.replace(b"add.u32 %r0, %r0, 1;", b".reg .b32 %n;\n.reg .pred %p;\nmov.u32 %n, 0;\nagain:\nadd.u32 %n, %n, 1;\nsetp.lt.u32 %p, %n, 40000;\n@%p bra again;\nmov.u32 %r0, 7;")
cuda.cuModuleLoadData(ctypes.byref(module), LONG)
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"add")
pointer.value = base.value
print(map(0, a), access(base, UNIT, 3), cuda.cuMemsetD32_v2(base, 1, size(UNIT // 4)), {run() for i in range(12)}, read(0))
""")
        self.assertEqual(found["output"], "0 0 0 {(0, 0)} (0, [7])\n", done.stderr)

    def test_many_threads_may_use_virtual_memory_that_is_written_as_a_whole(self):
        found, done = self.run_text(VIRTUAL + """
pointer.value = base.value
print(map(0, a), access(base, UNIT, 3), cuda.cuMemsetD32_v2(base, 1, size(UNIT // 4)))
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
print(cuda.cuLaunchKernel(function, 1024, 1, 1, 64, 1, 1, 0, None, arguments, None), cuda.cuCtxSynchronize())
""")
        self.assertEqual(found["output"], "0 0 0\n0 0\n", done.stderr)

    def test_a_launch_that_races_writes_memory_that_is_mapped_twice_once(self):
        found, done = self.run_text(VIRTUAL + """
TWICE = PTX.replace(b"ret;", b"ld.global.u32 %r0, [%rd0+2097152];\\nadd.u32 %r0, %r0, 10;\\nst.global.u32 [%rd0+2097152], %r0;\\nmov.u32 %r0, %ctaid.x;\\nst.global.u32 [%rd0+64], %r0;\\nret;")
cuda.cuModuleLoadData(ctypes.byref(module), TWICE)
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"add")
pointer.value = base.value
print(map(0, a), map(1, a), access(base, 2 * UNIT, 3), cuda.cuMemsetD32_v2(base, 1, size(32)))
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
print(cuda.cuLaunchKernel(function, 2, 1, 1, 1, 1, 1, 0, None, arguments, None), read(0))
""", "--check", "race")
        self.assertEqual(found["output"], "0 0 0 0\n0 (0, [23])\n", done.stderr)

    def test_races_through_two_mappings_of_the_same_memory_are_found(self):
        """Two threads of a block meet at one place by two addresses; the near miss is the next word, or a barrier between."""
        kernel = """
CROSSED = PTX[:PTX.index(b".visible")] + b'''.visible .entry crossed(.param .u64 to)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<3>;
    .reg .pred %p;
    ld.param.u64 %rd0, [to];
    mov.u32 %r0, %tid.x;
    setp.ne.u32 %p, %r0, 0;
    @!%p st.global.u32 [%rd0], 7;
    BARRIER
    setp.ne.u32 %p, %r0, 32;
    @!%p OTHER.global.u32 VALUES;
    ret;
}'''
def crossed(barrier, other, values, second):
    text = CROSSED.replace(b"BARRIER", barrier).replace(b"OTHER", other).replace(b"VALUES", values)
    cuda.cuModuleLoadData(ctypes.byref(module), text)
    cuda.cuModuleGetFunction(ctypes.byref(function), module, b"crossed")
    print(map(0, a), map(1, second), access(base, UNIT, 3), access(place(1), UNIT, RIGHTS), cuda.cuMemsetD32_v2(base, 1, size(64)))
    pointer.value = base.value
    arguments = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
    print(cuda.cuLaunchKernel(function, 1, 1, 1, 33, 1, 1, 0, None, arguments, None), cuda.cuCtxSynchronize())
"""
        write, load, next_word = 'b"st", b"[%rd0+2097152], %r0"', 'b"ld", b"%r1, [%rd0+2097152]"', 'b"st", b"[%rd0+2097156], %r0"'
        cases = (('b""', write, "a", 3, True), ('b""', load, "a", 1, True), ('b"bar.sync 0;"', write, "a", 3, False),
                 ('b""', next_word, "a", 3, False), ('b""', load, "b", 3, False))
        for barrier, other, second, rights, races in cases:
            with self.subTest(other=other, barrier=barrier, second=second):
                found, done = self.run_text(VIRTUAL + kernel.replace("RIGHTS", str(rights)) +
                                            f"crossed({barrier}, {other}, {second})\n", "--check", "race")
                hazards = [hazard for launch in found["launches"] for hazard in launch["hazards"]]
                self.assertEqual(len(hazards), int(races), (hazards, found["output"], done.stderr))
                self.assertTrue(found["output"].endswith("0 0\n"), found["output"])

    def test_addresses_of_released_ranges_serve_again(self):
        found, _ = self.run_text(VIRTUAL + """
zero, most = ctypes.c_uint64(0), 64 << 30
print({(cuda.cuMemAddressReserve(ctypes.byref(b), size(most), size(0), None, zero), cuda.cuMemAddressFree(b, size(most))) for i in range(40)})
""")
        self.assertEqual(found["output"], "{(0, 0)}\n")

    def test_memory_never_lies_in_a_range_or_behind_all_addresses(self):
        found, _ = self.run_text(VIRTUAL + """
zero, most, memory = ctypes.c_uint64(0), 1 << 38, ctypes.c_uint64()
while most >= UNIT:
    if cuda.cuMemAddressReserve(ctypes.byref(b), size(most), size(0), None, zero): most //= 2
print(map(0, a), access(base, UNIT, 3), cuda.cuMemUnmap(base, size(UNIT)))
print(cuda.cuMemAlloc_v2(ctypes.byref(memory), size(1000)))
""")
        self.assertEqual(found["output"], "0 0 0\n2\n")

    def test_wrong_calls_of_virtual_memory_are_errors(self):
        found, _ = self.run_text(VIRTUAL + """
zero = ctypes.c_uint64(0)
print(cuda.cuMemAddressReserve(ctypes.byref(b), size(UNIT + 1), size(0), None, zero), cuda.cuMemCreate(ctypes.byref(b), size(5), MEMORY, zero),
      cuda.cuMemCreate(ctypes.byref(b), size(1 << 50), MEMORY, zero), cuda.cuMemMap(base, size(5), size(0), a, zero),
      cuda.cuMemMap(base, size(UNIT), size(UNIT), a, zero), cuda.cuMemMap(base, size(2 * UNIT), size(0), a, zero))
print(access(base, UNIT, 3), map(0, a), map(0, a), map(7, a), map(1, ctypes.c_uint64(5)), access(base, UNIT, 2),
      access(base, 2 * UNIT, 3), access(base, UNIT // 2, 3))
print(read(0)[0], cuda.cuMemFree_v2(base), cuda.cuMemUnmap(place(1), size(UNIT)), cuda.cuMemUnmap(base, size(5)),
      cuda.cuMemAddressFree(base, size(4 * UNIT)), cuda.cuMemAddressFree(base, size(UNIT)), cuda.cuMemRelease(zero))
print(access(base, UNIT, 3), cuda.cuMemFree_v2(base))
print(cuda.cuMemRelease(a), cuda.cuMemRelease(a), map(1, a), cuda.cuMemRetainAllocationHandle(ctypes.byref(a), base), map(1, a))
""")
        self.assertEqual(found["output"], "1 1 2 1 1 1\n1 0 1 1 1 1 1 1\n1 1 1 1 1 1 1\n0 1\n0 1 1 0 0\n")


if __name__ == "__main__":
    unittest.main()
