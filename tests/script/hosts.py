"""Hosts that call the driver: Python by ctypes, and C. Their calls answer as a GPU's own driver does (tests/driver), their
mistakes have their lines, and calls of the runtime share their device."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
SANITIZED = "LANESCOPE_SANITIZED" in os.environ
FOLDER = pathlib.Path("tests/driver").resolve()
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
HEAD = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
cuda.cuInit(0)
context = ctypes.c_uint64()
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
"""
KERNEL = """
PTX = b'''.version 7.0
.target sm_80
.address_size 64
.visible .entry read(.param .u64 from)
{
    .reg .b64 %rd0;
    .reg .b32 %r0;
    ld.param.u64 %rd0, [from];
    ld.global.u32 %r0, [%rd0+64];
    ret;
}
'''
module, function, memory = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
cuda.cuModuleLoadData(ctypes.byref(module), PTX)
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"read")
cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64))
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
"""

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


@unittest.skipIf(SANITIZED, "a host without the sanitizers cannot load a library that has them")
class Python(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.script = pathlib.Path(folder.name, "host.py")

    def run_script(self, path, *words):
        command = [PROGRAM, "exec", sys.executable, "--on", "emulator", "--json", *words, "--", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, LANGUAGE="en"))
        self.assertTrue(done.stdout, done.stderr)
        return json.loads(done.stdout), done

    def run_text(self, text, *words):
        self.script.write_text(HEAD + text)
        return self.run_script(self.script, *words)

    def line_of(self, words):
        return next(i + 1 for i, line in enumerate(self.script.read_text().splitlines()) if words in line)

    def test_calls_answer_as_the_driver_of_a_gpu_does(self):
        for name in ("calls", "arrays", "contexts"):
            found, _ = self.run_script(FOLDER / f"{name}.py")
            self.assertEqual(found["output"], (FOLDER / f"{name}.txt").read_text(), name)

    def test_a_program_is_found_as_a_shell_finds_it_also_behind_the_dashes(self):
        self.script.write_text(HEAD + "print('ran')\n")
        folder, name = os.path.split(sys.executable)
        for words in (["exec", name, "--on", "emulator", "--"], ["exec", "--on", "emulator", "--", name]):
            done = subprocess.run([PROGRAM, *words, str(self.script)], capture_output=True, text=True, timeout=HANG,
                                  stdin=subprocess.DEVNULL, env=dict(os.environ, LANGUAGE="en", PATH=folder))
            self.assertEqual((done.returncode, done.stdout.splitlines()[:1]), (0, ["ran"]), done.stderr)

    def test_a_launch_and_its_fault_have_the_line_of_python(self):
        found, done = self.run_text(KERNEL + """
def start():
    return cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
start()
print(cuda.cuCtxSynchronize())
""")
        launch = found["launches"][0]
        self.assertEqual((launch["kernel"], launch["line"]), ("read", self.line_of("return cuda.cuLaunch")))
        self.assertEqual([(fault["kind"], fault["file"], fault["line"]) for fault in launch["faults"]],
                         [("out of bounds", "kernel.ptx", 9)])  # without .loc the PTX is the source
        self.assertEqual(found["output"], "700\n")
        self.assertEqual(done.returncode, 1)

    def test_limits_of_textures_are_those_of_the_gpu_in_both_interfaces(self):
        """The figures: CUDA C++ Programming Guide, technical specifications of compute capability 9.0."""
        found, _ = self.run_text("""
import os
value, values = ctypes.c_int(), {}
for number in range(1, 148):
    if not cuda.cuDeviceGetAttribute(ctypes.byref(value), number, 0):
        values[number] = value.value
print([values.get(number) for number in (21, 22, 23, 24, 25, 26, 27, 28, 29, 42, 43, 54, 55, 68, 69, 70, 71)])
print([number for number in range(21, 78) if number not in values], values[127], values[112])
runtime = ctypes.CDLL("libcudart.so.13")
properties = (ctypes.c_uint8 * 1008)()
print(runtime.cudaGetDeviceProperties(properties, 0))
print([int.from_bytes(properties[i:i + 4], "little") for i in range(396, 396 + 4 * 10, 4)])
""")
        self.assertEqual(found["output"], "[131072, 131072, 65536, 16384, 16384, 16384, 32768, 32768, 2048, 32768, 2048, "
                         "2046, 32768, 2046, 268435456, 131072, 65000]\n[] 0 0\n0\n"
                         "[131072, 32768, 131072, 65536, 32768, 32768, 131072, 65000, 2097120, 32768]\n")

    def test_a_batch_of_copies_is_done_up_to_the_one_that_fails(self):
        found, _ = self.run_text("""
class Hints(ctypes.Structure):
    _fields_ = [("order", ctypes.c_int), ("from_", ctypes.c_int * 2), ("to", ctypes.c_int * 2), ("flags", ctypes.c_uint)]
memory, stream = ctypes.c_uint64(), ctypes.c_uint64()
cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(16))
cuda.cuStreamCreate(ctypes.byref(stream), 0)
source, back = (ctypes.c_uint32 * 4)(5, 6, 7, 8), (ctypes.c_uint32 * 4)()
addresses, sizes, failed = ctypes.c_uint64 * 3, ctypes.c_size_t * 3, ctypes.c_size_t(77)
def batch(order, bytes, first=(0, 2), count=3):
    to = addresses(memory.value, memory.value + 8, ctypes.addressof(back))
    sources = addresses(ctypes.addressof(source), ctypes.addressof(source) + 8, memory.value)
    hints, begins = (Hints * 2)(Hints(order), Hints(order)), (ctypes.c_size_t * 2)(*first)
    code = cuda.cuMemcpyBatchAsync(to, sources, sizes(*bytes), ctypes.c_size_t(count), hints, begins, ctypes.c_size_t(2),
                                   ctypes.byref(failed), stream)
    print(code, ctypes.c_ssize_t(failed.value).value, list(back))
batch(1, (8, 8, 16))
source[0] = 1
batch(3, (8, 12, 16)) # the second one goes beyond the memory
batch(0, (8, 8, 16))  # no order
batch(1, (8, 8, 16), (1, 2))
batch(1, (8, 8, 16), (0, 0))
batch(1, (8, 8, 16), count=0)
newest = ctypes.c_void_p()
for version in (12080, 13000):
    cuda.cuGetProcAddress_v2(b"cuMemcpyBatchAsync", ctypes.byref(newest), version, ctypes.c_uint64(0), None)
    print(newest.value == ctypes.cast(getattr(cuda, "cuMemcpyBatchAsync" + "_v2" * (version > 13000 - 1)),
                                      ctypes.c_void_p).value)
""")
        self.assertEqual(found["output"].splitlines(), [
            "0 -1 [5, 6, 7, 8]", "1 1 [5, 6, 7, 8]", "1 -1 [5, 6, 7, 8]", "1 -1 [5, 6, 7, 8]", "1 -1 [5, 6, 7, 8]",
            "1 -1 [5, 6, 7, 8]", "True", "True"])
        mistake = next(m for m in found["mistakes"] if m["kind"] == "copy beyond an allocation")
        self.assertEqual(mistake["line"], self.line_of("code = cuda.cuMemcpyBatch"))

    def test_nodes_of_every_kind_are_added_by_one_call(self):
        found, _ = self.run_text(KERNEL.replace("ld.global.u32 %r0, [%rd0+64]", "st.global.u32 [%rd0+4], 9") + """
import struct
def node(kind, body, needs=(), edges=None):
    made, before = ctypes.c_uint64(), (ctypes.c_uint64 * max(1, len(needs)))(*needs)
    parameters = ctypes.create_string_buffer(struct.pack("iiii", kind, 0, 0, 0) + body, 256)
    code = cuda.cuGraphAddNode_v2(ctypes.byref(made), graph, before, edges, ctypes.c_size_t(len(needs)), parameters)
    print(kind, code)
    return made.value
back = (ctypes.c_uint32 * 4)()
graph, inner, instance = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
cuda.cuGraphCreate(ctypes.byref(graph), 0)
cuda.cuGraphCreate(ctypes.byref(inner), 0)
fill = node(2, struct.pack("QQIIQQQ", memory.value, 0, 7, 4, 4, 1, context.value))
run = node(0, struct.pack("Q7IxxxxQQQQ", function.value, 1, 1, 1, 1, 1, 1, 0, ctypes.addressof(arguments), 0, 0, 0), [fill])
empty = node(5, b"", [run])
box = struct.pack("4QixxxxQQQQQQ4QixxxxQQQQQQQQQ", 0, 0, 0, 0, 2, 0, memory.value, 0, 0, 0, 0,
                  0, 0, 0, 0, 1, ctypes.addressof(back), 0, 0, 0, 0, 0, 16, 1, 1)
copy = node(1, struct.pack("iiQ", 0, 0, context.value) + box, [empty])
said = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: print("host function", data))
host = node(3, struct.pack("QQ", ctypes.cast(said, ctypes.c_void_p).value, 5), [copy])
node(4, struct.pack("Qi", inner.value, 0), [host])
node(3, struct.pack("QQ", 0, 0))                    # no function
node(2, struct.pack("QQIIQQQ", memory.value, 0, 7, 3, 4, 1, context.value)) # elements of 3 bytes
node(13, b"")                                       # a condition
node(5, b"", [run], struct.pack("BBB5x", 0, 0, 1))  # a programmatic edge
print(cuda.cuGraphInstantiateWithFlags(ctypes.byref(instance), graph, ctypes.c_ulonglong(0)),
      cuda.cuGraphLaunch(instance, None), cuda.cuCtxSynchronize(), list(back))
""")
        self.assertEqual(found["output"].splitlines(), [
            "2 0", "0 0", "5 0", "1 0", "3 0", "4 0", "3 1", "2 1", "13 801", "5 801", "host function 5", "0 0 0 [7, 9, 7, 7]"])
        self.assertIn("lanescope: cuGraphAddNode: nodes of kind 13 are not supported", found["errors"])

    def test_clusters_of_one_block_fit_as_often_as_blocks(self):
        found, _ = self.run_text(KERNEL + """
import struct
def clusters(x, threads=1024, attribute=4):
    values = ctypes.create_string_buffer(struct.pack("iiiii", attribute, 0, x, 1, 1), 72)
    config = struct.pack("7IxxxxQQI", 4, 1, 1, threads, 1, 1, 0, 0, ctypes.addressof(values), 1)
    count = ctypes.c_int(-1)
    print(cuda.cuOccupancyMaxActiveClusters(ctypes.byref(count), function, config), count.value)
blocks, processors = ctypes.c_int(), ctypes.c_int()
cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(ctypes.byref(blocks), function, 1024, ctypes.c_size_t(0))
cuda.cuDeviceGetAttribute(ctypes.byref(processors), 16, 0)
print(blocks.value * processors.value)
clusters(1)
clusters(2)
clusters(1, 0)
""")
        lines = found["output"].splitlines()
        self.assertEqual(lines[1:], [f"0 {lines[0]}", "801 -1", "1 -1"])
        self.assertIn("clusters of several blocks are not supported", found["errors"])

    def test_mistakes_of_host_code_are_found_in_calls_of_the_driver(self):
        found, _ = self.run_text("""
memory = ctypes.c_uint64()
cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(16))
text = ctypes.create_string_buffer(20)
cuda.cuMemcpyHtoD_v2(memory, text, ctypes.c_size_t(20))
cuda.cuMemFree_v2(memory)
cuda.cuMemFree_v2(memory)
""")
        mistakes = {mistake["kind"]: mistake["line"] for mistake in found["mistakes"]}
        self.assertNotIn("cuda", json.dumps([mistake["remedy"] for mistake in found["mistakes"]]))
        self.assertEqual(mistakes["copy beyond an allocation"], self.line_of("cuda.cuMemcpyHtoD"))
        self.assertEqual(mistakes["double free"], self.line_of("cuda.cuMemFree") + 1)

    def test_the_runtime_and_the_driver_share_a_device(self):
        found, _ = self.run_text("""
for name in ("libcudart.so.12", "libcudart.so.13"):
    runtime = ctypes.CDLL(name)
    memory, out = ctypes.c_uint64(), (ctypes.c_uint32 * 4)()
    print(runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(16)))
    print(cuda.cuMemsetD32_v2(memory, 7, ctypes.c_size_t(4)))
    print(runtime.cudaMemcpy(out, memory, ctypes.c_size_t(16), 2), list(out), cuda.cuMemFree_v2(memory))
""")
        self.assertEqual(found["output"], "0\n0\n0 [7, 7, 7, 7] 0\n" * 2)

    def test_the_driver_is_found_under_the_name_that_is_for_linking(self):
        found, _ = self.run_text("""
print(ctypes.CDLL("libcuda.so").cuCtxSynchronize())
""")
        self.assertEqual(found["output"], "0\n")

    def test_a_call_is_told_at_the_script_that_another_script_runs(self):
        found, _ = self.run_text("""
memory = ctypes.c_uint64(16)
exec(compile("\\n\\ncuda.cuMemFree_v2(memory)", "other.py", "exec"))
""")
        self.assertEqual([(mistake["file"], mistake["line"]) for mistake in found["mistakes"]], [("other.py", 3)])

    def test_what_a_context_owns_is_freed_without_it_being_current(self):
        found, _ = self.run_text(KERNEL + """
stream, event, host = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
cuda.cuStreamCreate(ctypes.byref(stream), 0)
cuda.cuEventCreate(ctypes.byref(event), 0)
cuda.cuMemAllocHost_v2(ctypes.byref(host), ctypes.c_size_t(16))
cuda.cuCtxSetCurrent(None)
print(cuda.cuMemFree_v2(memory), cuda.cuMemFreeHost(host), cuda.cuModuleUnload(module), cuda.cuStreamDestroy_v2(stream),
      cuda.cuEventDestroy_v2(event), cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)))
""")
        self.assertEqual(found["output"], "0 0 0 0 0 201\n")

    def test_a_forked_process_cannot_go_on_with_the_device(self):
        found, done = self.run_text(KERNEL + """
import os
if os.fork() == 0:
    runtime = ctypes.CDLL("libcudart.so.13")
    print(cuda.cuInit(0), cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)), cuda.cuMemFree_v2(memory),
          runtime.cudaDeviceReset(), runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(64)), flush=True)
    exit()
os.wait()
print(cuda.cuMemFree_v2(memory))
""")
        self.assertEqual(found["output"], "3 3 3 3 3\n0\n")
        self.assertIn("CUDA does not work in a process that was forked after its first call", found["errors"])
        self.assertEqual(found["mistakes"], [])

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

    def test_texts_of_ptx_are_linked_and_keep_their_files(self):
        found, done = self.run_text(r"""
HEAD = b".version 7.0\n.target sm_80\n.address_size 64\n"
DECLARED = b".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .u32 offset;\n.common .global .align 8 .u64 shared;\n.weak .func same() { { ret; } }\n"
ONE = HEAD + DECLARED + b'''.global .align 1 .b8 $str[4] = {1, 2, 3};
.visible .entry k(.param .u64 to)
{
    .reg .b64 %d;
    .reg .b32 %r;
    .loc 1 10 0
    mov.u64 %d, $str;
    ld.param.u64 %d, [to];
    { .param .b32 x; .param .b32 r; st.param.b32 [x], 21; call (r), twice, (x); ld.param.b32 %r, [r]; }
    st.global.u32 [%d], %r;
    ret;
}
.file 1 "one.py"
'''
TWO = HEAD + b'''.visible .global .u32 offset = 1;
.global .align 1 .b8 $str[8] = {1, 2, 3}; .global .u64 string = $str;
.common .global .align 8 .u64 shared;
.weak .func same() { { trap; } }
.visible .func (.param .b32 r) twice(.param .b32 x)
{
    .reg .b32 %r<3>;
    .loc	1 20 0
    ld.param.b32 %r1, [x];
    add.u32 %r1, %r1, %r1;
    ld.global.u32 %r2, [offset];
    add.u32 %r1, %r1, %r2;
    st.param.b32 [r], %r1;
    .loc 2 30 0, function_name nothing, inlined_at 1 23 0
    ld.global.u32 %r2, [offset+64];
    ret;
}
.file 1 "two.py"
.file 2 "inlined.py"
'''
state, image, size = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
print(cuda.cuLinkCreate_v2(0, None, None, ctypes.byref(state)))
for text in (ONE, TWO):
    print(cuda.cuLinkAddData_v2(state, 1, text, ctypes.c_size_t(len(text)), None, 0, None, None))
print(cuda.cuLinkAddData_v2(state, 0, TWO, ctypes.c_size_t(len(TWO)), None, 0, None, None))
print(cuda.cuLinkComplete(state, ctypes.byref(image), ctypes.byref(size)))
module, function, memory, out = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint32()
print(cuda.cuModuleLoadData(ctypes.byref(module), image), cuda.cuLinkDestroy(state))
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k")
cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64))
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
""")
        self.assertEqual(found["output"], "0\n0\n0\n209\n0\n0 0\n", done.stderr)
        faults = [(fault["file"], fault["line"]) for launch in found["launches"] for fault in launch["faults"]]
        self.assertEqual(faults, [("two.py", 23)])

    def test_a_client_adds_nodes_of_its_own_to_a_capture_and_walks_the_graph(self):
        """As Warp does, which asks the driver for each function by name and version."""
        found, done = self.run_text("""
def entry(name, version):
    function = ctypes.c_void_p()
    assert cuda.cuGetProcAddress(name, ctypes.byref(function), version, ctypes.c_uint64(0)) == 0, name
    return ctypes.CFUNCTYPE(ctypes.c_int)(function.value)
u64, at, size = ctypes.c_uint64, ctypes.byref, ctypes.c_size_t
info, update = entry(b"cuStreamGetCaptureInfo", 11030), entry(b"cuStreamUpdateCaptureDependencies", 11030)
info_3, update_2 = entry(b"cuStreamGetCaptureInfo", 13000), entry(b"cuStreamUpdateCaptureDependencies", 13000)
behind, behind_2 = entry(b"cuGraphNodeGetDependentNodes", 10000), entry(b"cuGraphNodeGetDependentNodes", 12030)
edges_2 = entry(b"cuGraphGetEdges", 12030)
stream, memory, graph, own, other, status = u64(), u64(), u64(), u64(), u64(), ctypes.c_int()
needs, count, number = u64(), size(), u64()
cuda.cuStreamCreate(at(stream), 1)
cuda.cuMemAlloc_v2(at(memory), size(64))
print("idle", update(stream, None, size(0), 1))
cuda.cuStreamBeginCapture_v2(stream, 2)
cuda.cuMemsetD32Async(memory, 1, size(16), stream)
print("info", info(stream, at(status), at(number), at(graph), at(needs), at(count)), status.value, count.value)
first = ctypes.cast(needs.value, ctypes.POINTER(u64))[0]
cuda.cuGraphAddEmptyNode(at(own), graph, at(u64(first)), size(1))
print("set", update(stream, at(own), size(1), 1), update(stream, at(u64(first)), size(1), 0), update(stream, at(own), size(1), 2),
      update(stream, at(u64(5)), size(1), 0))
print("info", info_3(stream, at(status), at(number), at(graph), at(needs), None, at(count)), count.value)
plain, other_kind = (ctypes.c_char * 8)(), (ctypes.c_char * 8)(0, 0, 1)
print("edges", update_2(stream, at(own), plain, size(1), 1), update_2(stream, at(own), other_kind, size(1), 1))
cuda.cuMemsetD32Async(memory, 2, size(16), stream)
print("end", cuda.cuStreamEndCapture(stream, at(graph)))
nodes, kinds = (u64 * 4)(), (ctypes.c_char * 32)(*[b"x"] * 32)
count.value = 4
print("behind", behind(u64(first), nodes, at(count)), count.value, nodes[0] == own.value)
count.value = 4
print("behind", behind_2(own, nodes, kinds, at(count)), count.value, kinds.raw[:9])
count.value = 4
print("edges", edges_2(graph, nodes, (u64 * 4)(), kinds, at(count)), count.value, kinds.raw[:17])
print("none", behind(u64(7), nodes, at(count)), behind(own, nodes, None))
cuda.cuMemFree_v2(memory)
""")
        self.assertEqual(found["output"].splitlines(), [
            "idle 401", "info 0 1 1", "set 0 0 1 1", "info 0 2", "edges 0 801", "end 0", "behind 0 1 True",
            "behind 0 1 " + repr(bytes(8) + b"x"), "edges 0 2 " + repr(bytes(16) + b"x"), "none 1 1"], done.stderr)

    def test_a_context_lives_until_it_is_detached(self):
        found, _ = self.run_text("""
made, again = ctypes.c_uint64(), ctypes.c_uint64()
print(cuda.cuCtxCreate_v2(ctypes.byref(made), 0, 0), cuda.cuCtxAttach(ctypes.byref(again), 0), again.value == made.value)
print(cuda.cuCtxDetach(made), cuda.cuCtxSetCurrent(made), cuda.cuCtxDetach(made), cuda.cuCtxSetCurrent(made))
""")
        self.assertEqual(found["output"], "0 0 True\n0 0 0 201\n")

    def test_what_is_refused_can_be_linked_and_says_its_name(self):
        found, _ = self.run_text("""
for name in ("cuTensorMapEncodeTiled", "cuTexObjectCreate", "cuSurfObjectCreate", "cuTexRefSetArray", "cuLaunchGrid", "cuParamSetv"):
    print(getattr(cuda, name)(None, None, None))
""")
        self.assertEqual(found["output"], "801\n" * 6)
        self.assertIn("cuTensorMapEncodeTiled (tensor maps) is not supported", found["errors"])

    def test_machine_code_without_ptx_is_refused_in_words(self):
        found, done = self.run_text("""
module = ctypes.c_uint64()
print(cuda.cuModuleLoadData(ctypes.byref(module), b"\\x7fELF" + bytes(60)))
""")
        self.assertEqual(found["output"], "209\n")
        self.assertIn("machine code for a GPU (a cubin), without PTX", found["errors"] if "errors" in found else done.stderr)

    def test_a_handle_that_is_none_is_an_error_and_no_crash(self):
        found, _ = self.run_text(KERNEL + """
wrong = ctypes.c_uint64(0x1234)
print(cuda.cuModuleUnload(module), cuda.cuModuleUnload(module), cuda.cuModuleUnload(wrong))
print(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None))
print(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"read"))
for name in ("cuStreamSynchronize", "cuStreamDestroy_v2", "cuEventQuery", "cuEventDestroy_v2", "cuCtxSetCurrent",
             "cuCtxDestroy_v2", "cuMemFree_v2", "cuMemFreeHost", "cuLinkDestroy", "cuFuncLoad"):
    print(name, getattr(cuda, name)(wrong))
""")
        lines = found["output"].splitlines()
        self.assertEqual(lines[:3], ["0 400 400", "400", "400"])
        self.assertEqual([line.split()[1] for line in lines[3:]],
                         ["400", "400", "400", "400", "201", "201", "1", "1", "400", "400"])


class C(unittest.TestCase):
    def test_a_program_calls_both_interfaces(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "both.cu")
            source.write_text(r"""#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
int main()
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    int *same, value = 0;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, 0, device);
    cuMemAlloc(&memory, 4);
    cuMemsetD32(memory, 5, 1);
    same = (int *)memory;
    cudaMemcpy(&value, same, 4, cudaMemcpyDeviceToHost);
    std::printf("%d\n", value);
    cuMemFree(memory);
    cuCtxDestroy(context);
}
""")
            done = subprocess.run([PROGRAM, "run", str(source), "--on", "emulator", "--json"], capture_output=True,
                                  text=True, timeout=HANG, env=dict(os.environ, LANGUAGE="en"))
            self.assertTrue(done.stdout, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual((found["output"], found["status"], found["mistakes"]), ("5\n", 0, []))


if __name__ == "__main__":
    unittest.main()
