"""Calls of the driver's interface, by ctypes: each prints what it returned and what it wrote. calls.txt is what a GPU's
own driver printed (an H100 with CUDA 13.0: python3 tests/driver/calls.py > tests/driver/calls.txt)."""
import ctypes
import struct
import sys

from interface import Box, at, call, cuda, integer, size, text, u64

PTX = b"""
.version 7.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 scale = 3;
.visible .entry multiply(.param .u64 to, .param .u64 from, .param .u32 count)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd0, [to];
    ld.param.u64 %rd1, [from];
    ld.param.u32 %r0, [count];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    setp.ge.u32 %p, %r4, %r0;
    @%p bra DONE;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd0, %rd2;
    add.s64 %rd4, %rd1, %rd2;
    ld.global.u32 %r5, [%rd4];
    ld.global.u32 %r6, [scale];
    mul.lo.u32 %r7, %r5, %r6;
    st.global.u32 [%rd3], %r7;
DONE:
    ret;
}
.visible .entry second(.param .u8 small, .param .u64 large)
{
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [large];
    ret;
}
"""


device, other, context, primary, module, function = integer(), integer(), u64(), u64(), u64(), u64()
count, pointer, bytes_, stream, event, late = integer(), u64(), size(), u64(), u64(), u64()

print("before cuInit")
call("cuDeviceGetCount", at(count))
call("cuCtxGetCurrent", at(context))
call("cuInit", 1)
call("cuInit", 0)
print("devices")
call("cuDeviceGetCount", None)
call("cuDeviceGet", at(device), 0, shown=[lambda: device.value])
call("cuDeviceGet", at(other), 9)
call("cuDeviceGet", at(other), -1)
call("cuDeviceTotalMem_v2", None, device)
call("cuDeviceGetAttribute", at(other), 1, device, shown=[lambda: other.value])
call("cuDeviceGetAttribute", at(other), 10, device, shown=[lambda: other.value])
call("cuDeviceGetAttribute", None, 10, device)
call("cuDeviceGetAttribute", at(other), -5, device)
call("cuDeviceComputeCapability", at(other), at(count), device, shown=[lambda: other.value, lambda: count.value])
print("without a context")
call("cuMemAlloc_v2", at(pointer), size(64))
call("cuModuleLoadData", at(module), PTX)
call("cuCtxGetCurrent", at(context), shown=[lambda: context.value])
call("cuCtxSynchronize")
print("contexts")
call("cuDevicePrimaryCtxRelease_v2", device)
call("cuDevicePrimaryCtxRetain", at(primary), device)
call("cuCtxSetCurrent", primary)
call("cuCtxGetCurrent", at(context), shown=[lambda: context.value == primary.value])
call("cuCtxGetDevice", at(other), shown=[lambda: other.value])
call("cuCtxPopCurrent_v2", at(context), shown=[lambda: context.value == primary.value])
call("cuCtxPopCurrent_v2", at(context))
call("cuCtxPushCurrent_v2", primary)
call("cuCtxGetApiVersion", primary, at(count))
print("modules")
call("cuModuleLoadData", None, PTX)
call("cuModuleLoadData", at(module), b"this is no PTX\n")
call("cuModuleLoadData", at(module), PTX)
call("cuModuleGetFunction", at(function), module, b"missing")
call("cuModuleGetFunction", at(function), module, b"multiply")
call("cuModuleGetGlobal_v2", at(pointer), at(bytes_), module, b"scale", shown=[lambda: bytes_.value])
call("cuModuleGetGlobal_v2", at(late), at(bytes_), module, b"missing")
call("cuModuleGetFunctionCount", at(count), module, shown=[lambda: count.value])
call("cuFuncGetAttribute", at(count), 0, function, shown=[lambda: count.value])
call("cuFuncGetAttribute", at(count), 1, function, shown=[lambda: count.value])
call("cuFuncGetAttribute", at(count), 99, function)
call("cuFuncSetAttribute", function, 8, 1 << 20)
call("cuFuncSetAttribute", function, 8, 65536)
offset, extent = size(), size()
for index in range(4):
    call("cuFuncGetParamInfo", function, size(index), at(offset), at(extent),
         shown=[lambda: offset.value, lambda: extent.value] if index < 3 else [])
print("memory")
a, b = u64(), u64()
call("cuMemAlloc_v2", at(a), size(0))
call("cuMemAlloc_v2", None, size(4))
call("cuMemAlloc_v2", at(a), size(4096))
call("cuMemAlloc_v2", at(b), size(4096))
call("cuMemAlloc_v2", at(late), size(1 << 60))
base = u64()
call("cuMemGetAddressRange_v2", at(base), at(bytes_), u64(a.value + 100),
     shown=[lambda: base.value == a.value, lambda: bytes_.value])
call("cuMemGetAddressRange_v2", at(base), at(bytes_), u64(16))
numbers = (ctypes.c_uint32 * 1024)(*range(1024))
call("cuMemcpyHtoD_v2", a, numbers, size(4096))
call("cuMemcpyHtoD_v2", a, numbers, size(4097))
call("cuMemcpyHtoD_v2", u64(0), numbers, size(4))
call("cuMemcpyHtoD_v2", a, numbers, size(0))
call("cuMemsetD32_v2", b, 7, size(1024))
call("cuMemsetD32_v2", u64(b.value + 2), 7, size(4))
call("cuMemsetD16_v2", b, 0x0102, size(4))
call("cuMemsetD8_v2", b, 5, size(2))
out = (ctypes.c_uint32 * 1024)()
call("cuMemcpyDtoH_v2", out, b, size(4096), shown=[lambda: list(out[:5])])
kind, managed = ctypes.c_uint(), ctypes.c_uint()
call("cuPointerGetAttribute", at(kind), 2, a, shown=[lambda: kind.value])
call("cuPointerGetAttribute", at(kind), 8, a, shown=[lambda: kind.value & 1])
call("cuPointerGetAttribute", at(kind), 2, u64(8))
pitch = size()
call("cuMemAllocPitch_v2", at(late), at(pitch), size(100), size(3), 4, shown=[lambda: pitch.value])
call("cuMemAllocPitch_v2", at(base), at(pitch), size(100), size(3), 5)
rows = struct.pack("@QQi4xQQQQQQi4xQQQQQQ", 0, 0, 1, ctypes.addressof(numbers), 0, 0, 40, 4, 1, 2, 0, late.value, 0,
                   pitch.value, 20, 2)
call("cuMemcpy2D_v2", rows)
back = struct.pack("@QQi4xQQQQQQi4xQQQQQQ", 4, 1, 2, 0, late.value, 0, pitch.value, 0, 0, 1, ctypes.addressof(out), 0, 0,
                   20, 20, 2)
call("cuMemcpy2D_v2", back, shown=[lambda: list(out[:10])])
call("cuMemFree_v2", late)
call("cuMemFree_v2", u64(a.value + 4))
host = ctypes.c_void_p()
call("cuMemHostAlloc", at(host), size(256), 0)
call("cuMemHostGetDevicePointer_v2", at(late), host, 0, shown=[lambda: late.value == host.value])
call("cuMemFreeHost", host)
print("launches")
n = ctypes.c_uint32(1000)


def parameters(*values):
    return (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])


def launch(what, grid, block, given, extra=None, shared=0, stream=None):
    return call("cuLaunchKernel", what, grid, 1, 1, block, 1, 1, shared, stream, given, extra)


launch(function, 4, 256, parameters(b, a, n))
call("cuCtxSynchronize")
call("cuMemcpyDtoH_v2", out, b, size(4096), shown=[lambda: [out[0], out[999], out[1000]]])
block = struct.pack("<QQI", b.value, a.value, 10)
buffer, length = ctypes.create_string_buffer(block, 20), size(20)
extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(buffer), 2, ctypes.addressof(length), 0)
call("cuMemsetD32_v2", b, 0, size(1024))
launch(function, 1, 32, None, extra)
call("cuMemcpyDtoH_v2", out, b, size(4096), shown=[lambda: [out[9], out[10]]])
launch(function, 0, 32, parameters(b, a, n))
launch(function, 1, 2048, parameters(b, a, n))
launch(function, 1, 32, None)
launch(function, 1, 32, parameters(b, a, n), extra)
launch(function, 1, 32, parameters(b, a, n), shared=1 << 20)
call("cuLaunchKernel", u64(0), 1, 1, 1, 32, 1, 1, 0, None, parameters(b, a, n), None)
call("cuOccupancyMaxActiveBlocksPerMultiprocessor", at(count), function, 256, size(0), shown=[lambda: count.value])
call("cuMemcpyHtoD_v2", pointer, at(ctypes.c_uint32(5)), size(4))
launch(function, 4, 256, parameters(b, a, n))
call("cuMemcpyDtoH_v2", out, b, size(4096), shown=[lambda: out[3]])
print("streams and events")
call("cuStreamCreate", at(stream), 1)
call("cuEventCreate", at(event), 0)
call("cuEventCreate", at(late), 0)
milliseconds = ctypes.c_float()
call("cuEventElapsedTime", at(milliseconds), event, late)
call("cuEventRecord", event, stream)
call("cuMemcpyHtoDAsync_v2", a, numbers, size(4096), stream)
call("cuEventRecord", late, stream)
call("cuStreamSynchronize", stream)
call("cuEventQuery", late)
call("cuEventElapsedTime", at(milliseconds), event, late, shown=[lambda: milliseconds.value >= 0])
call("cuStreamWaitEvent", stream, event, 0)
call("cuStreamQuery", stream)
call("cuEventDestroy_v2", event)
call("cuStreamDestroy_v2", stream)
print("graphs")
stream = u64()
graph, copied, instance, first, second, nodes_ = u64(), u64(), u64(), u64(), u64(), size()
call("cuStreamCreate", at(stream), 1)
call("cuGraphCreate", at(graph), 1)
call("cuGraphCreate", None, 0)
call("cuGraphCreate", at(graph), 0)


class Kernel(ctypes.Structure):
    _fields_ = [("function", u64), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("arguments", ctypes.c_void_p), ("extra", ctypes.c_void_p), ("kernel", u64), ("context", u64)]


class Fill(ctypes.Structure):
    _fields_ = [("to", u64), ("pitch", size), ("value", ctypes.c_uint), ("element", ctypes.c_uint), ("width", size),
                ("height", size)]


held = parameters(b, a, n)
kernel = Kernel(function, (4, 1, 1), (256, 1, 1), 0, ctypes.addressof(held))
fill = Fill(a.value, 0, 7, 4, 1024, 1)
back = Box(from_kind=2, from_device=b, to_kind=1, to_host=ctypes.addressof(out), width=4096, height=1, depth=1)
call("cuGraphAddMemsetNode", at(first), graph, None, size(0), at(fill), context)
call("cuGraphAddMemsetNode", at(second), graph, None, size(0), at(Fill(a.value, 0, 7, 3, 1024, 1)), context)
call("cuGraphAddMemsetNode", at(second), graph, None, size(0), None, context)
call("cuGraphAddKernelNode_v2", at(second), graph, at(first), size(1), at(kernel))
call("cuGraphAddKernelNode_v2", at(second), graph, at(first), size(1), None)
call("cuGraphAddKernelNode_v2", at(u64()), u64(0), None, size(0), at(kernel))
third = u64()
call("cuGraphAddMemcpyNode", at(third), graph, at(second), size(1), at(back), context)
call("cuGraphGetNodes", graph, None, at(nodes_), shown=[lambda: nodes_.value])
call("cuGraphGetRootNodes", graph, None, at(nodes_), shown=[lambda: nodes_.value])
call("cuGraphGetEdges", graph, None, None, at(nodes_), shown=[lambda: nodes_.value])
for node in (first, second, third):
    call("cuGraphNodeGetType", node, at(count), shown=[lambda: count.value])
known = Kernel()
call("cuGraphKernelNodeGetParams_v2", second, at(known), shown=[lambda: list(known.grid), lambda: list(known.block)])
call("cuGraphKernelNodeGetParams_v2", first, at(known))
call("cuGraphInstantiateWithFlags", at(instance), graph, u64(0))
call("cuGraphLaunch", u64(0), stream)
call("cuGraphLaunch", instance, stream)
call("cuStreamSynchronize", stream, shown=[lambda: out[0], lambda: out[1023]])
kernel.grid = (2, 1, 1)
call("cuGraphExecKernelNodeSetParams_v2", instance, second, at(kernel))
call("cuGraphExecKernelNodeSetParams_v2", instance, first, at(kernel))
fill.value = 9
call("cuGraphExecMemsetNodeSetParams", instance, first, at(fill), context)
call("cuGraphExecMemcpyNodeSetParams", instance, third, at(back), context)
call("cuGraphLaunch", instance, stream)
call("cuStreamSynchronize", stream, shown=[lambda: out[0], lambda: out[511], lambda: out[512], lambda: out[1023]])
call("cuGraphClone", at(copied), graph)
call("cuGraphDestroy", copied)
call("cuGraphExecDestroy", instance)
call("cuGraphDestroy", graph)
call("cuStreamIsCapturing", stream, at(count), shown=[lambda: count.value])
call("cuStreamBeginCapture_v2", stream, 0)
call("cuStreamIsCapturing", stream, at(count), shown=[lambda: count.value])
launch(function, 4, 256, held, stream=stream)
call("cuMemcpyDtoHAsync_v2", out, b, size(4096), stream)
call("cuStreamSynchronize", stream)
call("cuStreamIsCapturing", stream, at(count), shown=[lambda: count.value])
call("cuStreamEndCapture", stream, at(graph), shown=[lambda: graph.value])
call("cuStreamBeginCapture_v2", stream, 0)
launch(function, 4, 256, held, stream=stream)
call("cuMemcpyDtoHAsync_v2", out, b, size(4096), stream)
call("cuStreamEndCapture", stream, at(graph))
call("cuStreamEndCapture", stream, at(copied))
call("cuGraphInstantiate_v2", at(instance), graph, None, None, size(0))
call("cuMemsetD32_v2", a, 2, size(1024))
call("cuGraphLaunch", instance, stream)
call("cuStreamSynchronize", stream, shown=[lambda: out[0], lambda: out[1023]])
call("cuGraphExecDestroy", instance)
call("cuGraphDestroy", graph)
call("cuStreamDestroy_v2", stream)
print("a default stream for each thread")
call("cuMemcpyHtoD_v2_ptds", a, numbers, size(4096))
call("cuLaunchKernel_ptsz", function, 4, 1, 1, 256, 1, 1, 0, None, held, None)
call("cuStreamSynchronize_ptsz", None)
call("cuMemcpyDtoH_v2_ptds", out, b, size(4096), shown=[lambda: out[3]])
print("functions by name")
found = ctypes.c_void_p()
status = integer()
call("cuGetProcAddress_v2", b"cuMemAlloc", at(found), 12000, u64(0), at(status), shown=[lambda: bool(found.value), lambda: status.value])
call("cuGetProcAddress_v2", b"cuNothing", at(found), 12000, u64(0), at(status), shown=[lambda: bool(found.value), lambda: status.value])
print("errors")
word = text()
call("cuGetErrorString", 700, at(word), shown=[lambda: word.value.decode()])
call("cuGetErrorName", 12345, at(word), shown=[lambda: word.value])
print("the end")
call("cuModuleUnload", module)
call("cuMemFree_v2", a)
call("cuMemFree_v2", b)
call("cuCtxSynchronize")
call("cuCtxSetCurrent", None)
call("cuDevicePrimaryCtxRelease_v2", device)
