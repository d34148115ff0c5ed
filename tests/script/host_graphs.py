"""Graphs and batches of hosts that call the driver."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "driver"))
from case import KERNEL, Host  # noqa: E402


class Graphs(Host):
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
stream.value, failed.value = 0, 77
batch(1, (8, 8, 16))  # the default stream
newest = ctypes.c_void_p()
for version in (12080, 13000):
    cuda.cuGetProcAddress_v2(b"cuMemcpyBatchAsync", ctypes.byref(newest), version, ctypes.c_uint64(0), None)
    print(newest.value == ctypes.cast(getattr(cuda, "cuMemcpyBatchAsync" + "_v2" * (version > 13000 - 1)),
                                      ctypes.c_void_p).value)
""")
        self.assertEqual(found["output"].splitlines(), [
            "0 -1 [5, 6, 7, 8]", "1 1 [5, 6, 7, 8]", "1 -1 [5, 6, 7, 8]", "1 -1 [5, 6, 7, 8]", "1 -1 [5, 6, 7, 8]",
            "1 -1 [5, 6, 7, 8]", "1 77 [5, 6, 7, 8]", "True", "True"])
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
node(13, b"")                                       # no condition
node(12, b"")                                       # operations on memory
node(5, b"", [run], struct.pack("BBB5x", 0, 0, 1))  # a programmatic edge
print(cuda.cuGraphInstantiateWithFlags(ctypes.byref(instance), graph, ctypes.c_ulonglong(0)),
      cuda.cuGraphLaunch(instance, None), cuda.cuCtxSynchronize(), list(back))
""")
        self.assertEqual(found["output"].splitlines(), [
            "2 0", "0 0", "5 0", "1 0", "3 0", "4 0", "3 1", "2 1", "13 1", "12 801", "5 801", "host function 5", "0 0 0 [7, 9, 7, 7]"])
        self.assertIn("lanescope: cuGraphAddNode: nodes of kind 12 are not supported", found["errors"])

    def test_nodes_that_are_none_are_errors_and_no_crash(self):
        found, done = self.run_text("""
u64, at, size = ctypes.c_uint64, ctypes.byref, ctypes.c_size_t
stream, memory, graph, nodes, count = u64(), u64(), u64(), (u64 * 4)(), size(4)
cuda.cuStreamCreate(at(stream), 1)
cuda.cuStreamBeginCapture_v2(stream, 2)
print(cuda.cuStreamUpdateCaptureDependencies(stream, at(u64(5)), size(1), 0))
cuda.cuStreamEndCapture(stream, at(graph))
print(cuda.cuGraphNodeGetDependentNodes(u64(7), nodes, at(count)), cuda.cuGraphAddDependencies(graph, at(u64(7)), at(u64(5)), size(1)))
""")
        self.assertEqual(found["output"].splitlines(), ["1", "1 1"], done.stderr)

    def test_what_a_graph_keeps_for_the_program_is_destroyed_with_its_last_copy(self):
        """Both interfaces; the function is called without the lock, so that another thread may call meanwhile."""
        for prefix, library in (("cu", "libcuda.so.1"), ("cuda", "libcudart.so.13")):
            found, _ = self.run_text(f"""
library = ctypes.CDLL("{library}")
prefix = "{prefix}"
""" + """
def call(name, *arguments): return getattr(library, prefix + name)(*arguments)
def at(value): return ctypes.byref(value)
library.cudaSetDevice(0) if prefix == "cuda" else None
said = []
destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data: said.append(data))
graph, copy, instance = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
one, two = ctypes.c_uint64(), ctypes.c_uint64()
print(call("GraphCreate", at(graph), 0), call("UserObjectCreate", at(one), ctypes.c_void_p(11), destroy, 1, 1),
      call("UserObjectCreate", at(two), ctypes.c_void_p(22), destroy, 2, 1))
print(call("GraphRetainUserObject", graph, one, 1, 1), call("GraphRetainUserObject", graph, two, 3, 0), said)
print(call("GraphClone", at(copy), graph), call("GraphInstantiateWithFlags", at(instance), graph, ctypes.c_ulonglong(0)))
print(call("UserObjectRelease", two, 2), call("GraphDestroy", graph), list(said))
print(call("GraphDestroy", copy), list(said), call("GraphExecDestroy", instance), sorted(said))
print(call("UserObjectRelease", one, 1), call("UserObjectRetain", two, 1)) # gone
call("GraphCreate", at(graph), 0)
call("UserObjectCreate", at(one), ctypes.c_void_p(33), destroy, 2, 1)
print(call("GraphRetainUserObject", graph, one, 3, 1), call("GraphRetainUserObject", graph, one, 0, 0), # too many, none
      call("GraphReleaseUserObject", graph, one, 1), call("GraphRetainUserObject", graph, one, 2, 1),
      call("GraphReleaseUserObject", graph, one, 3), call("GraphReleaseUserObject", graph, one, 2), said[2:])
print(call("UserObjectCreate", at(one), None, destroy, 0, 1), call("UserObjectCreate", at(one), None, None, 1, 1),
      call("UserObjectCreate", at(one), None, destroy, 1, 0))
""")
            self.assertEqual(found["output"].splitlines(), [
                "0 0 0", "0 0 []", "0 0", "0 0 []", "0 [] 0 [11, 22]", "1 1", "1 1 1 0 1 0 [33]", "1 1 1"], prefix)

    def test_memory_of_a_graph_and_its_nodes_are_told(self):
        found, _ = self.run_text(KERNEL + """
import os, tempfile
stream, graph, inner, node = (ctypes.c_uint64() for _ in range(4))
first, second, bytes = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64(7)
def at(value): return ctypes.byref(value)
def used(number):
    cuda.cuDeviceGetGraphMemAttribute(0, number, at(bytes))
    return bytes.value
cuda.cuStreamCreate(at(stream), 1)
cuda.cuStreamBeginCapture_v2(stream, 0)
cuda.cuMemAllocAsync(at(first), ctypes.c_size_t(1000), stream)
cuda.cuMemAllocAsync(at(second), ctypes.c_size_t(24), stream)
cuda.cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, stream, arguments, None)
cuda.cuMemFreeAsync(first, stream)
cuda.cuStreamEndCapture(stream, at(graph))
nodes, count = (ctypes.c_uint64 * 4)(), ctypes.c_size_t(4)
cuda.cuGraphGetNodes(graph, nodes, at(count))
kind, of_node, parameters = ctypes.c_int(), ctypes.c_uint64(), (ctypes.c_uint64 * 15)()
kinds = []
for each in nodes:
    cuda.cuGraphNodeGetType(ctypes.c_uint64(each), at(kind))
    kinds.append(kind.value)
print(kinds, used(0), used(1), used(3))
print(cuda.cuGraphMemAllocNodeGetParams(ctypes.c_uint64(nodes[0]), parameters), parameters[13], parameters[14] == first.value)
print(cuda.cuGraphMemFreeNodeGetParams(ctypes.c_uint64(nodes[3]), at(of_node)), of_node.value == first.value,
      cuda.cuGraphMemFreeNodeGetParams(ctypes.c_uint64(nodes[0]), at(of_node)),
      cuda.cuGraphMemAllocNodeGetParams(ctypes.c_uint64(nodes[2]), parameters))
cuda.cuMemFree_v2(second)
zero, one = ctypes.c_uint64(0), ctypes.c_uint64(1)
print(used(0), used(1), cuda.cuDeviceSetGraphMemAttribute(0, 1, at(zero)), used(1),
      cuda.cuDeviceSetGraphMemAttribute(0, 0, at(zero)), cuda.cuDeviceSetGraphMemAttribute(0, 1, at(one)),
      cuda.cuDeviceGetGraphMemAttribute(0, 4, at(bytes)), cuda.cuDeviceGetGraphMemAttribute(1, 0, at(bytes)),
      cuda.cuDeviceGraphMemTrim(0), cuda.cuDeviceGraphMemTrim(1))
outer = ctypes.c_uint64()
cuda.cuGraphCreate(at(outer), 0)
cuda.cuGraphAddChildGraphNode(at(node), outer, None, ctypes.c_size_t(0), graph)
print(cuda.cuGraphChildGraphNodeGetGraph(node, at(inner)), inner.value not in (0, graph.value),
      cuda.cuGraphGetNodes(inner, None, at(count)), count.value,
      cuda.cuGraphChildGraphNodeGetGraph(ctypes.c_uint64(nodes[0]), at(inner)))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "graph.dot")
    print(cuda.cuGraphDebugDotPrint(outer, path.encode(), 0), cuda.cuGraphDebugDotPrint(outer, b"/nowhere/x", 0),
          cuda.cuGraphDebugDotPrint(None, path.encode(), 0))
    text = open(path).read()
print(text.count("read\\\\n(2, 1, 1) x (32, 1, 1)"), text.count("allocation"), text.count("->"), text.count("{") - text.count("}"))
""")
        self.assertEqual(found["output"].splitlines(), [
            "[10, 10, 0, 11] 1024 1024 1024", "0 1000 True", "0 True 1 1", "1000 1024 0 1000 1 1 1 101 0 101",
            "0 True 0 4 1", "0 304 1", "1 2 3 0"])

    def test_memory_of_a_graph_lives_as_long_as_the_graph(self):
        """The program frees it between launches, and a node of the graph does; the launch allocates it again."""
        found, _ = self.run_text(KERNEL.replace("ld.global.u32 %r0, [%rd0+64]", "st.global.u32 [%rd0], 9") + """
stream, graph, instance, mine, its, node = (ctypes.c_uint64() for _ in range(6))
def at(value): return ctypes.byref(value)
def in_use():
    bytes = ctypes.c_uint64()
    cuda.cuDeviceGetGraphMemAttribute(0, 0, at(bytes))
    return bytes.value
cuda.cuStreamCreate(at(stream), 1)
cuda.cuStreamBeginCapture_v2(stream, 0)
cuda.cuMemAllocAsync(at(mine), ctypes.c_size_t(64), stream)
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(mine))
cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, None)
cuda.cuStreamEndCapture(stream, at(graph))
needs = (ctypes.c_uint64 * 2)()
count = ctypes.c_size_t(2)
cuda.cuGraphGetNodes(graph, needs, at(count))
parameters = (ctypes.c_uint64 * 15)()
parameters[0], parameters[1], parameters[13] = 1, 1, 4096
print(cuda.cuGraphAddMemAllocNode(at(node), graph, needs, ctypes.c_size_t(2), parameters))
its.value = parameters[14]
free = (ctypes.c_uint64 * 32)(11, 0, its.value)
print(cuda.cuGraphAddNode(at(node), graph, at(node), ctypes.c_size_t(1), free),
      cuda.cuGraphAddMemFreeNode(at(node), graph, None, ctypes.c_size_t(0), ctypes.c_uint64(its.value + 1)), in_use())
print(cuda.cuGraphInstantiateWithFlags(at(instance), graph, ctypes.c_ulonglong(0)), cuda.cuGraphDestroy(graph))
out = (ctypes.c_uint32 * 1)()
for turn in range(2):
    print(cuda.cuGraphLaunch(instance, stream), cuda.cuStreamSynchronize(stream), cuda.cuMemcpyDtoH_v2(out, mine, ctypes.c_size_t(4)),
          out[0], cuda.cuMemFreeAsync(mine, stream), cuda.cuMemFreeAsync(mine, stream), cuda.cuMemFreeAsync(its, stream))
print(in_use(), cuda.cuGraphExecDestroy(instance), in_use(), cuda.cuMemcpyDtoH_v2(out, mine, ctypes.c_size_t(4)))
parameters[13] = 0
print(cuda.cuGraphCreate(at(graph), 0), cuda.cuGraphAddMemAllocNode(at(node), graph, None, ctypes.c_size_t(0), parameters))
parameters[13] = 64
print(cuda.cuGraphAddMemAllocNode(at(node), graph, None, ctypes.c_size_t(0), parameters), cuda.cuGraphDestroy(graph), in_use(),
      cuda.cuMemFree_v2(ctypes.c_uint64(parameters[14])))
""")
        self.assertEqual(found["output"].splitlines(), [
            "0", "0 1 4160", "0 0", "0 0 0 9 0 1 1", "0 0 0 9 0 1 1", "4096 0 0 1", "0 1", "0 0 0 0"])
        self.assertNotIn("leak", [mistake["kind"] for mistake in found["mistakes"] if mistake.get("bytes") in (64, 4096)])

    def test_a_stream_that_joined_a_capture_may_go_before_its_end(self):
        found, _ = self.run_text(KERNEL.replace("+64", "") + """
origin, side, graph, forked, joined = (ctypes.c_uint64() for _ in range(5))
def at(value): return ctypes.byref(value)
for stream in (origin, side): cuda.cuStreamCreate(at(stream), 1)
for event in (forked, joined): cuda.cuEventCreate(at(event), 0)
cuda.cuMemsetD8_v2(memory, 0, ctypes.c_size_t(64))
cuda.cuStreamBeginCapture_v2(origin, 0)
cuda.cuEventRecord(forked, origin)
cuda.cuStreamWaitEvent(side, forked, 0)
cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, side, arguments, None)
cuda.cuEventRecord(joined, side)
cuda.cuStreamWaitEvent(origin, joined, 0)
numbers = []
def note(stream):
    state, number = ctypes.c_int(), ctypes.c_uint64(77)
    cuda.cuStreamGetCaptureInfo_v2(stream, at(state), at(number), None, None, None)
    numbers.append(number.value)
note(origin)
note(side)
print(cuda.cuStreamDestroy_v2(side), cuda.cuStreamDestroy_v2(origin))
count = ctypes.c_size_t()
print(cuda.cuStreamEndCapture(origin, at(graph)), cuda.cuGraphGetNodes(graph, None, at(count)), count.value)
note(origin)
cuda.cuStreamBeginCapture_v2(origin, 0)
note(origin)
print(numbers[0] == numbers[1] != 0, numbers[2], numbers[3] not in numbers[:3])
""")
        self.assertEqual(found["output"], "0 900\n0 0 1\nTrue 0 True\n")

    def test_a_capture_goes_on_in_a_graph_behind_nodes_of_it(self):
        found, _ = self.run_text(KERNEL.replace("ld.global.u32 %r0, [%rd0+64]", "st.global.u32 [%rd0], 9") + """
stream, graph, first, ended, instance = (ctypes.c_uint64() for _ in range(5))
def at(value): return ctypes.byref(value)
def begin(library, prefix, graph, needs=None, count=0, edges=None):
    return getattr(library, prefix + "StreamBeginCaptureToGraph")(stream, graph, needs, edges, ctypes.c_size_t(count), 1)
runtime = ctypes.CDLL("libcudart.so.13")
cuda.cuStreamCreate(at(stream), 1)
cuda.cuGraphCreate(at(graph), 0)
cuda.cuGraphAddEmptyNode(at(first), graph, None, ctypes.c_size_t(0))
needs, count, out = (ctypes.c_uint64 * 1)(first.value), ctypes.c_size_t(9), (ctypes.c_uint32 * 1)()
for library, prefix in ((cuda, "cu"), (runtime, "cuda")):
    print(begin(library, prefix, graph, needs, 1), begin(library, prefix, graph),
          cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, None), cuda.cuGraphDestroy(graph),
          getattr(library, prefix + "StreamEndCapture")(stream, at(ended)), ended.value == graph.value,
          cuda.cuGraphNodeGetDependentNodes(first, None, at(count)), count.value)
print(cuda.cuGraphInstantiateWithFlags(at(instance), graph, ctypes.c_ulonglong(0)), cuda.cuGraphLaunch(instance, stream),
      cuda.cuStreamSynchronize(stream), cuda.cuMemcpyDtoH_v2(out, memory, ctypes.c_size_t(4)), out[0])
print(begin(cuda, "cu", None), begin(cuda, "cu", instance), begin(cuda, "cu", graph, None, 1),
      begin(cuda, "cu", graph, (ctypes.c_uint64 * 1)(7), 1), begin(cuda, "cu", graph, needs, 1, b"\\1" + bytes(7)))
print(begin(cuda, "cu", graph), cuda.cuStreamSynchronize(stream), cuda.cuStreamEndCapture(stream, at(ended)),
      cuda.cuGraphGetNodes(graph, None, at(count)), count.value) # the capture is invalid, and the graph the program's
""")
        self.assertEqual(found["output"].splitlines(), [
            "0 401 0 1 0 True 0 1", "0 401 0 1 0 True 0 2", "0 0 0 0 9", "1 1 1 1 1", "0 900 901 0 3"])

    def test_events_for_work_outside_of_a_graph_are_nodes_of_it(self):
        found, _ = self.run_text(KERNEL.replace("+64", "") + """
stream, graph, instance, begin, end = (ctypes.c_uint64() for _ in range(5))
def at(value): return ctypes.byref(value)
cuda.cuStreamCreate(at(stream), 1)
cuda.cuMemsetD8_v2(memory, 0, ctypes.c_size_t(64))
for event in (begin, end): cuda.cuEventCreate(at(event), 0)
cuda.cuStreamBeginCapture_v2(stream, 0)
print(cuda.cuEventRecordWithFlags(begin, stream, 1), cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, None),
      cuda.cuEventRecordWithFlags(end, stream, 1), cuda.cuStreamWaitEvent(stream, begin, 1))
cuda.cuStreamEndCapture(stream, at(graph))
nodes, count, kind, kinds, time = (ctypes.c_uint64 * 9)(), ctypes.c_size_t(9), ctypes.c_int(), [], ctypes.c_float(-1)
cuda.cuGraphGetNodes(graph, nodes, at(count))
for node in nodes[:count.value]:
    cuda.cuGraphNodeGetType(ctypes.c_uint64(node), at(kind))
    kinds.append(kind.value)
print(kinds, cuda.cuEventElapsedTime(at(time), begin, end))
cuda.cuGraphInstantiateWithFlags(at(instance), graph, ctypes.c_ulonglong(0))
print(cuda.cuGraphLaunch(instance, stream), cuda.cuEventSynchronize(end), cuda.cuEventElapsedTime(at(time), begin, end), time.value > 0)
cuda.cuEventDestroy_v2(end)
print(cuda.cuGraphLaunch(instance, stream))
""")
        self.assertEqual(found["output"].splitlines(), ["0 0 0 0", "[7, 0, 7, 6] 400", "0 0 0 True", "400"])

    def test_conditions_choose_graphs_and_repeat_them(self):
        """Kernels set a condition by a function that their PTX only declares."""
        found, _ = self.run_text("""
import struct
PTX = b\'\'\'.version 8.3
.target sm_80
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 cudaGraphSetConditional_param_0, .param .b32 cudaGraphSetConditional_param_1);
.visible .entry down(.param .u64 condition, .param .u64 at)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd0, [condition];
    ld.param.u64 %rd1, [at];
    ld.global.u32 %r0, [%rd1];
    sub.u32 %r0, %r0, 1;
    st.global.u32 [%rd1], %r0;
    { .param .b64 param0; st.param.b64 [param0], %rd0; .param .b32 param1; st.param.b32 [param1], %r0;
      call.uni cudaGraphSetConditional, (param0, param1); }
    ret;
}
\'\'\'
module, function, memory, graph, instance, condition = (ctypes.c_uint64() for _ in range(6))
def at(value): return ctypes.byref(value)
print(cuda.cuModuleLoadData(at(module), PTX), cuda.cuModuleGetFunction(at(function), module, b"down"))
cuda.cuMemAlloc_v2(at(memory), ctypes.c_size_t(16))
cuda.cuGraphCreate(at(graph), 0)
IF, WHILE, SWITCH = 0, 1, 2
def handle(value, flags):
    made = ctypes.c_uint64()
    code = cuda.cuGraphConditionalHandleCreate(at(made), graph, context, value, flags)
    return made if not code else code
def node(kind, handle, bodies, needs=None, graph=None):
    made = ctypes.c_uint64()
    parameters = ctypes.create_string_buffer(struct.pack("iiiiQiIQQ", 13, 0, 0, 0, handle.value, kind, bodies, 0, 0), 256)
    code = cuda.cuGraphAddNode_v2(at(made), graph, needs, None, ctypes.c_size_t(1 if needs else 0), parameters)
    place = struct.unpack_from("Q", parameters, 32)[0]
    return made, (ctypes.c_uint64 * bodies).from_address(place) if not code else code
def fill(graph, offset, value, needs=None):
    made = ctypes.c_uint64()
    parameters = struct.pack("QQIIQQ", memory.value + offset, 0, value, 4, 1, 1)
    cuda.cuGraphAddMemsetNode(at(made), graph, needs, ctypes.c_size_t(1 if needs else 0), parameters, context)
    return made
def launch(graph, condition):
    arguments = (ctypes.c_void_p * 2)(ctypes.addressof(condition), ctypes.addressof(memory))
    parameters = struct.pack("Q7IxxxxQQQQ", function.value, 1, 1, 1, 1, 1, 1, 0, ctypes.addressof(arguments), 0, 0, 0)
    made = ctypes.c_uint64()
    print(cuda.cuGraphAddKernelNode_v2(at(made), graph, None, ctypes.c_size_t(0), parameters))
turns, chosen, never = handle(1, 1), handle(2, 1), handle(0, 1)
begin = fill(graph, 0, 5)
loop, (body,) = node(WHILE, turns, 1, at(begin), graph)
launch(ctypes.c_uint64(body), turns)
switch, cases = node(SWITCH, chosen, 3, at(loop), graph)
for number, case in enumerate(cases): fill(ctypes.c_uint64(case), 4, 100 + number)
either, (then, otherwise) = node(IF, never, 2, at(switch), graph)
fill(ctypes.c_uint64(then), 8, 1)
fill(ctypes.c_uint64(otherwise), 8, 2)
print(cuda.cuGraphDestroy(ctypes.c_uint64(then)), # the node's
      handle(0, 2), node(3, turns, 1, None, graph)[1], node(WHILE, turns, 2, None, graph)[1],
      node(IF, ctypes.c_uint64(memory.value), 1, None, graph)[1])
print(cuda.cuGraphInstantiateWithFlags(at(instance), graph, ctypes.c_ulonglong(0)), cuda.cuGraphDestroy(graph))
out = (ctypes.c_uint32 * 3)()
for turn in range(2):
    cuda.cuMemsetD8_v2(memory, 0, ctypes.c_size_t(16))
    print(cuda.cuGraphLaunch(instance, None), cuda.cuCtxSynchronize(), cuda.cuMemcpyDtoH_v2(out, memory, ctypes.c_size_t(12)), list(out))
print(cuda.cuMemFree_v2(turns), cuda.cuGraphExecDestroy(instance), cuda.cuMemFree_v2(turns))
""")
        self.assertEqual(found["output"].splitlines(), [
            "0 0", "0", "1 1 1 1 1", "0 0", "0 0 0 [0, 102, 2]", "0 0 0 [0, 102, 2]", "1 0 1"])
        self.assertEqual([launch["kernel"] for launch in found["launches"]], ["down"] * 10)
        self.assertEqual([launch["faults"] for launch in found["launches"]], [[]] * 10)


if __name__ == "__main__":
    unittest.main()
