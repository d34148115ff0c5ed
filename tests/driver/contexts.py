"""Which calls of the runtime make the primary context current: each in a process of its own that has made no call before.
contexts.txt is what a GPU's own libraries printed: python3 tests/driver/contexts.py > tests/driver/contexts.txt. A line:
the call, what it returned, what cuCtxGetCurrent then returned, whether a context is current, and whether the primary
context is active."""
import ctypes
import os
import threading

u64, size, integer = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_int


def at(value):
    return ctypes.byref(value)


def apart(function):
    """Runs it in a process of its own. Returns the text that it returned, or the signal that ended it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.write(write, function().encode())
        os._exit(0)
    os.close(write)
    with open(read) as pipe:
        words = pipe.read()
    status = os.waitpid(child, 0)[1]
    return words if status == 0 else f"ended with status {status}"


def libraries():
    return ctypes.CDLL("libcudart.so.13"), ctypes.CDLL("libcuda.so.1")


def state(cuda):
    context, flags, active = u64(), ctypes.c_uint(), integer()
    got = cuda.cuCtxGetCurrent(at(context))
    told = cuda.cuDevicePrimaryCtxGetState(0, at(flags), at(active))
    return f"{got} {bool(context.value)} {active.value if told == 0 else told}"


class Extent(ctypes.Structure):
    _fields_ = [("width", size), ("height", size), ("depth", size)]


room = ctypes.create_string_buffer(1 << 16)
CALLS = [("cudaRuntimeGetVersion", at(integer())), ("cudaDriverGetVersion", at(integer())),
         ("cudaGetLastError",), ("cudaPeekAtLastError",), ("cudaGetDeviceCount", at(integer())),
         ("cudaGetDevice", at(integer())), ("cudaSetDevice", 0), ("cudaSetDevice", 7), ("cudaInitDevice", 0, 0, 0),
         ("cudaSetDeviceFlags", 0), ("cudaGetDeviceFlags", at(ctypes.c_uint())),
         ("cudaDeviceGetAttribute", at(integer()), 1, 0), ("cudaGetDeviceProperties", room, 0),
         ("cudaDeviceCanAccessPeer", at(integer()), 0, 0), ("cudaDeviceGetPCIBusId", room, 64, 0),
         ("cudaDeviceGetByPCIBusId", at(integer()), b"zz"), ("cudaDeviceSynchronize",), ("cudaDeviceReset",),
         ("cudaDeviceGetLimit", at(size()), 0), ("cudaDeviceSetLimit", 0, size(2048)),
         ("cudaDeviceGetCacheConfig", at(integer())), ("cudaDeviceSetCacheConfig", 0),
         ("cudaDeviceGetStreamPriorityRange", at(integer()), at(integer())), ("cudaProfilerStart",),
         ("cudaFree", None), ("cudaFreeHost", None), ("cudaMalloc", at(u64()), size(64)), ("cudaMalloc", None, size(64)),
         ("cudaMallocManaged", at(u64()), size(64), 1), ("cudaMallocHost", at(u64()), size(64)),
         ("cudaHostAlloc", at(u64()), size(64), 0), ("cudaHostRegister", room, size(4096), 0),
         ("cudaMemGetInfo", at(size()), at(size())), ("cudaMemcpy", room, room, size(16), 0),
         ("cudaMemcpyAsync", room, room, size(16), 0, None), ("cudaMemset", None, 0, size(0)),
         ("cudaPointerGetAttributes", room, room), ("cudaStreamCreate", at(u64())),
         ("cudaStreamSynchronize", None), ("cudaStreamQuery", None), ("cudaStreamGetPriority", None, at(integer())),
         ("cudaEventCreate", at(u64())), ("cudaEventQuery", None), ("cudaGraphCreate", at(u64()), 0),
         ("cudaDeviceGetDefaultMemPool", at(u64()), 0), ("cudaDeviceGetMemPool", at(u64()), 0),
         ("cudaMallocAsync", at(u64()), size(64), None), ("cudaFuncGetAttributes", room, None),
         ("cudaDeviceEnablePeerAccess", 0, 0), ("cudaLaunchHostFunc", None, None, None)]
print("one call")
for name, *arguments in CALLS:
    def one():
        runtime, cuda = libraries()
        return f"{getattr(runtime, name)(*arguments)} {state(cuda)}"
    print(name, *[word for word in arguments if isinstance(word, int)], apart(one))


def case(what):
    def run(function):
        def whole():
            return " | ".join(str(word) for word in function(*libraries()))
        print(what + ":", apart(whole))
    return run


print("several calls")


@case("the primary context is the one that is current")
def _(runtime, cuda):
    current, primary = u64(), u64()
    yield runtime.cudaFree(None)
    yield cuda.cuCtxGetCurrent(at(current))
    yield cuda.cuDevicePrimaryCtxRetain(at(primary), 0)
    yield current.value == primary.value


@case("taken from the stack, and a call")
def _(runtime, cuda):
    context = u64()
    yield runtime.cudaFree(None)
    yield cuda.cuCtxPopCurrent_v2(at(context))
    yield state(cuda)
    yield runtime.cudaFree(None)
    yield state(cuda)


@case("set to none, and a call")
def _(runtime, cuda):
    yield runtime.cudaFree(None)
    yield cuda.cuCtxSetCurrent(None)
    yield state(cuda)
    yield runtime.cudaFree(None)
    yield state(cuda)


@case("released, and calls")
def _(runtime, cuda):
    yield runtime.cudaFree(None)
    yield cuda.cuDevicePrimaryCtxRelease_v2(0)
    yield state(cuda)
    yield cuda.cuCtxSynchronize()
    yield runtime.cudaFree(None)
    yield state(cuda)


@case("reset, and calls")
def _(runtime, cuda):
    yield runtime.cudaFree(None)
    yield runtime.cudaDeviceReset()
    yield state(cuda)
    yield cuda.cuCtxSynchronize()
    yield runtime.cudaFree(None)
    yield state(cuda)


@case("a context of the driver stays current")
def _(runtime, cuda):
    own, current, pointer = u64(), u64(), u64()
    yield cuda.cuInit(0)
    yield cuda.cuCtxCreate_v2(at(own), 0, 0)
    yield runtime.cudaMalloc(at(pointer), size(64))
    yield cuda.cuCtxGetCurrent(at(current))
    yield current.value == own.value
    yield state(cuda)
    yield cuda.cuMemFree_v2(pointer)


@case("cudaSetDevice over a context of the driver")
def _(runtime, cuda):
    own, current = u64(), u64()
    yield cuda.cuInit(0)
    yield cuda.cuCtxCreate_v2(at(own), 0, 0)
    yield runtime.cudaSetDevice(0)
    yield cuda.cuCtxGetCurrent(at(current))
    yield current.value == own.value
    yield state(cuda)


@case("memory of the runtime, freed by the driver")
def _(runtime, cuda):
    pointer = u64()
    yield runtime.cudaMalloc(at(pointer), size(64))
    yield cuda.cuMemsetD8_v2(pointer, 1, size(64))
    yield cuda.cuMemFree_v2(pointer)
    yield runtime.cudaFree(pointer)


@case("another thread has none, until its own call")
def _(runtime, cuda):
    said = []
    runtime.cudaFree(None)

    def other():
        said.append(state(cuda))
        said.append(cuda.cuCtxSynchronize())
        said.append(runtime.cudaFree(None))
        said.append(state(cuda))
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    yield from said
