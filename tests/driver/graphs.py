"""Captures and graphs, as a client walks them that adds nodes of its own (Warp does): graphs.txt is what a GPU's own driver
printed: python3 tests/driver/graphs.py > tests/driver/graphs.txt. Handles that are none are in tests/script/hosts.py: a
driver may end the program for them."""
import ctypes

from interface import at, call, cuda, integer, name, size, u64


def entry(function, version):
    """Asks for the function as it was in a version of CUDA."""
    place = ctypes.c_void_p()
    code = cuda.cuGetProcAddress(function.encode(), at(place), version, u64(0))
    return ctypes.CFUNCTYPE(ctypes.c_int)(place.value) if code == 0 else lambda *_: code


def show(words, code, *shown):
    print(words, name(code), *shown)


context, stream, memory, graph, own, other = u64(), u64(), u64(), u64(), u64(), u64()
status, needs, count, number = integer(), u64(), size(), u64()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", at(context), 0)
call("cuCtxSetCurrent", context)
info, update = entry("cuStreamGetCaptureInfo", 11030), entry("cuStreamUpdateCaptureDependencies", 11030)
info_3, update_2 = entry("cuStreamGetCaptureInfo", 13000), entry("cuStreamUpdateCaptureDependencies", 13000)
behind, behind_2 = entry("cuGraphNodeGetDependentNodes", 10000), entry("cuGraphNodeGetDependentNodes", 12030)
before, before_2 = entry("cuGraphNodeGetDependencies", 10000), entry("cuGraphNodeGetDependencies", 12030)
edges, edges_2 = entry("cuGraphGetEdges", 10000), entry("cuGraphGetEdges", 12030)
add, add_2 = entry("cuGraphAddDependencies", 10000), entry("cuGraphAddDependencies", 12030)
kind_of = entry("cuGraphNodeGetType", 10000)

call("cuStreamCreate", at(stream), 1)
call("cuMemAlloc_v2", at(memory), size(64))
show("update, idle", update(stream, None, size(0), 1))
show("info, idle", info(stream, at(status), None, None, None, None), status.value)
call("cuStreamBeginCapture_v2", stream, 2)
call("cuMemsetD32Async", memory, 1, size(16), stream)
show("info", info(stream, at(status), at(number), at(graph), at(needs), at(count)), status.value, count.value)
show("info, no status", info(stream, None, None, None, None, None))
first = ctypes.cast(needs.value, ctypes.POINTER(u64))[0]
call("cuGraphAddEmptyNode", at(own), graph, at(u64(first)), size(1))
show("set", update(stream, at(own), size(1), 1))
show("add", update(stream, at(u64(first)), size(1), 0))
show("flag 2", update(stream, at(own), size(1), 2))
show("info 3", info_3(stream, at(status), at(number), at(graph), at(needs), None, at(count)), count.value)
plain, other_kind = (ctypes.c_char * 8)(), (ctypes.c_char * 8)(0, 0, 1)
show("plain edge", update_2(stream, at(own), plain, size(1), 1))
show("programmatic edge", update_2(stream, at(own), other_kind, size(1), 1))
call("cuMemsetD32Async", memory, 2, size(16), stream)
call("cuStreamEndCapture", stream, at(graph))

nodes, to, kinds = (u64 * 4)(), (u64 * 4)(), (ctypes.c_char * 32)(*[b"x"] * 32)
for words, function in (("behind the first", behind), ("before the first", before)):
    count.value = 4
    show(words, function(u64(first), nodes, at(count)), count.value, nodes[0] == own.value)
    show(words + ", counted", function(u64(first), None, at(count)), count.value)
    show(words + ", no count", function(u64(first), nodes, None))
    show(words + ", no node", function(None, nodes, at(count)))
for words, function in (("behind the own", behind_2), ("before the own", before_2)):
    count.value, kinds.raw = 4, b"x" * 32
    show(words, function(own, nodes, kinds, at(count)), count.value, kinds.raw[:9])
    count.value = 4
    show(words + ", no kinds", function(own, nodes, None, at(count)), count.value)
count.value = 4
show("edges", edges(graph, nodes, to, at(count)), count.value)
count.value, kinds.raw = 4, b"x" * 32
show("edges 2", edges_2(graph, nodes, to, kinds, at(count)), count.value, kinds.raw[:17])
count.value = 4
show("edges, from alone", edges(graph, nodes, None, at(count)))
show("edges, no count", edges(graph, nodes, to, None))
show("edges, no graph", edges(None, nodes, to, at(count)))
for node in (first, own.value):
    kind = integer()
    show("kind", kind_of(u64(node), at(kind)), kind.value)
show("kind, nowhere", kind_of(own, None))
call("cuGraphAddEmptyNode", at(other), graph, None, size(0))
show("edge", add(graph, at(other), at(own), size(1)))
show("edge again", add(graph, at(other), at(own), size(1)))
show("edge to itself", add(graph, at(other), at(other), size(1)))
show("edge 2", add_2(graph, at(u64(first)), at(other), plain, size(1)))
show("edge, no nodes", add(graph, None, None, size(1)))
show("no edges", add(graph, None, None, size(0)))
call("cuGraphDestroy", graph)
call("cuMemFree_v2", memory)
call("cuStreamDestroy_v2", stream)
