"""The driver's interface by ctypes, for the scripts beside this one."""
import ctypes

cuda = ctypes.CDLL("libcuda.so.1")
u64, size, integer, text = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p


def name(code):
    word = text()
    cuda.cuGetErrorName(code, ctypes.byref(word))
    return word.value.decode() if word.value else str(code)


def call(function, *arguments, shown=()):
    code = getattr(cuda, function)(*arguments)
    plain = function.removesuffix("_v2")
    print(plain, name(code), *[value() if callable(value) else value for value in shown])
    return code


def at(value):
    return ctypes.byref(value)


class Box(ctypes.Structure):
    """CUDA_MEMCPY3D"""
    _fields_ = [("from_x", size), ("from_y", size), ("from_z", size), ("from_level", size), ("from_kind", integer),
                ("from_host", ctypes.c_void_p), ("from_device", u64), ("from_array", u64), ("from_unused", u64),
                ("from_pitch", size), ("from_height", size), ("to_x", size), ("to_y", size), ("to_z", size),
                ("to_level", size), ("to_kind", integer), ("to_host", ctypes.c_void_p), ("to_device", u64),
                ("to_array", u64), ("to_unused", u64), ("to_pitch", size), ("to_height", size), ("width", size),
                ("height", size), ("depth", size)]
