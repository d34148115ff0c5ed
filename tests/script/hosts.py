"""Hosts that call the driver: Python by ctypes, and C. Their calls answer as a GPU's own driver does (tests/driver), their
mistakes have their lines, and calls of the runtime share their device."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "driver"))
from case import HANG, HEAD, KERNEL, PROGRAM, Host  # noqa: E402

FOLDER = pathlib.Path("tests/driver").resolve()


class Python(Host):
    def test_calls_answer_as_the_driver_of_a_gpu_does(self):
        for name in ("calls", "arrays", "contexts", "graphs"):
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
