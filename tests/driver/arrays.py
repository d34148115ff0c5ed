"""Calls about CUDA arrays of the driver's interface, as in calls.py: each prints what it returned and what it wrote.
arrays.txt is what a GPU's own driver printed: python3 tests/driver/arrays.py > tests/driver/arrays.txt."""
import ctypes

from interface import Box, at, cuda, integer, size, u64
import interface

HOST, DEVICE, ARRAY, UNIFIED = 1, 2, 3, 4
U8, U16, U32, S8, S16, S32, HALF, FLOAT = 1, 2, 3, 8, 9, 10, 16, 32


def call(what, function, *arguments, shown=()):
    print(what + ":", end=" ")
    return interface.call(function, *arguments, shown=shown)


class Plane(ctypes.Structure):
    _fields_ = [("width", size), ("height", size), ("format", integer), ("channels", ctypes.c_uint)]


class Space(ctypes.Structure):
    _fields_ = [("width", size), ("height", size), ("depth", size), ("format", integer), ("channels", ctypes.c_uint),
                ("flags", ctypes.c_uint)]


class Rows(ctypes.Structure):
    _fields_ = [("from_x", size), ("from_y", size), ("from_kind", integer), ("from_host", ctypes.c_void_p),
                ("from_device", u64), ("from_array", u64), ("from_pitch", size), ("to_x", size), ("to_y", size),
                ("to_kind", integer), ("to_host", ctypes.c_void_p), ("to_device", u64), ("to_array", u64),
                ("to_pitch", size), ("width", size), ("height", size)]


context, pointer = u64(), u64()
cuda.cuInit(0)
cuda.cuDevicePrimaryCtxRetain(at(context), 0)
print("without a context")
array = u64()
call("plane", "cuArrayCreate_v2", at(array), at(Plane(64, 8, FLOAT, 1)))
cuda.cuCtxSetCurrent(context)
cuda.cuMemAlloc_v2(at(pointer), size(1 << 16))
print("planes")
call("no handle", "cuArrayCreate_v2", None, at(Plane(64, 8, FLOAT, 1)))
call("no descriptor", "cuArrayCreate_v2", at(array), None)
for what, plane in (("width 0", Plane(0, 8, FLOAT, 1)), ("both 0", Plane(0, 0, FLOAT, 1)),
                    ("format 0", Plane(64, 8, 0, 1)), ("format 5", Plane(64, 8, 5, 1)),
                    ("0 channels", Plane(64, 8, FLOAT, 0)), ("3 channels", Plane(64, 8, FLOAT, 3)),
                    ("5 channels", Plane(64, 8, FLOAT, 5)), ("too wide", Plane(1 << 20, 8, FLOAT, 1)),
                    ("too high", Plane(64, 1 << 20, FLOAT, 1)), ("a line", Plane(64, 0, FLOAT, 1)),
                    ("a long line", Plane(1 << 18, 0, FLOAT, 1)), ("bytes", Plane(7, 3, U8, 4)),
                    ("halves", Plane(16, 2, HALF, 2))):
    made = u64()
    if call(what, "cuArrayCreate_v2", at(made), at(plane)) == 0:
        told = Plane()
        call(what, "cuArrayGetDescriptor_v2", at(told), made,
             shown=[lambda: [told.width, told.height, told.format, told.channels]])
        space = Space()
        call(what, "cuArray3DGetDescriptor_v2", at(space), made,
             shown=[lambda: [space.width, space.height, space.depth, space.format, space.channels, space.flags]])
        call(what, "cuArrayDestroy", made)
print("spaces")
for what, space in (("width 0", Space(0, 8, 8, FLOAT, 1, 0)), ("height 0, depth 8", Space(8, 0, 8, FLOAT, 1, 0)),
                    ("a box", Space(8, 6, 4, S16, 2, 0)), ("a plane", Space(8, 6, 0, U32, 1, 0)),
                    ("a line", Space(8, 0, 0, U32, 1, 0)), ("layers", Space(8, 6, 3, U32, 1, 1)),
                    ("layers of lines", Space(8, 0, 3, U32, 1, 1)), ("layers, depth 0", Space(8, 6, 0, U32, 1, 1)),
                    ("for surfaces", Space(8, 6, 0, U32, 1, 2)), ("a cube", Space(8, 8, 6, U32, 1, 4)),
                    ("a cube of 5", Space(8, 8, 5, U32, 1, 4)), ("a cube, not square", Space(8, 6, 6, U32, 1, 4)),
                    ("for gathers", Space(8, 6, 0, U32, 1, 8)), ("flag 4096", Space(8, 6, 0, U32, 1, 4096)),
                    ("3 channels", Space(8, 6, 4, U32, 3, 0)), ("too deep", Space(8, 6, 1 << 20, U32, 1, 0))):
    made, told = u64(), Space()
    if call(what, "cuArray3DCreate_v2", at(made), at(space)) == 0:
        call(what, "cuArray3DGetDescriptor_v2", at(told), made,
             shown=[lambda: [told.width, told.height, told.depth, told.format, told.channels, told.flags]])
        flat = Plane()
        call(what, "cuArrayGetDescriptor_v2", at(flat), made,
             shown=[lambda: [flat.width, flat.height, flat.format, flat.channels]])
        call(what, "cuArrayDestroy", made)
call("no handle", "cuArray3DCreate_v2", None, at(Space(8, 6, 4, U32, 1, 0)))
call("no descriptor", "cuArray3DCreate_v2", at(array), None)
print("handles")
call("none", "cuArrayDestroy", u64(0))
call("none", "cuArrayGetDescriptor_v2", at(Plane()), u64(0))
cuda.cuArrayCreate_v2(at(array), at(Plane(64, 8, FLOAT, 1)))
call("no descriptor", "cuArrayGetDescriptor_v2", None, array)
call("no descriptor", "cuArray3DGetDescriptor_v2", None, array)
print("lines of 64 floats")
line, plane, box = u64(), u64(), u64()
cuda.cuArrayCreate_v2(at(line), at(Plane(64, 0, FLOAT, 1)))
cuda.cuArrayCreate_v2(at(plane), at(Plane(64, 8, FLOAT, 1)))
cuda.cuArray3DCreate_v2(at(box), at(Space(8, 6, 4, U32, 1, 0)))
out = (ctypes.c_float * 1024)()
numbers = (ctypes.c_float * 1024)(*range(1024))
cuda.cuMemcpyHtoD_v2(pointer, numbers, size(4096))
for what, array in (("line", line), ("plane", plane), ("box", box)):
    for offset, count in ((0, 256), (4, 252), (4, 256), (2, 4), (0, 6), (256, 0), (256, 4), (0, 0), (252, 4)):
        words = f"{what} {offset} {count}"
        call(words, "cuMemcpyHtoA_v2", array, size(offset), numbers, size(count))
        call(words, "cuMemcpyAtoH_v2", out, array, size(offset), size(count), shown=[lambda: out[0]])
        call(words, "cuMemcpyDtoA_v2", array, size(offset), pointer, size(count))
        call(words, "cuMemcpyAtoD_v2", pointer, array, size(offset), size(count))
        call(words, "cuMemcpyAtoA_v2", array, size(0), array, size(offset), size(count))
call("no host memory", "cuMemcpyHtoA_v2", line, size(0), None, size(4))
call("no array", "cuMemcpyHtoA_v2", u64(0), size(0), numbers, size(4))
call("no memory", "cuMemcpyDtoA_v2", line, size(0), u64(0), size(4))
print("rows of a plane of 64 x 8 floats")


def rows(what, **of):
    fields = dict(from_kind=HOST, from_host=ctypes.addressof(numbers), from_pitch=256, to_kind=ARRAY, to_array=plane,
                  width=256, height=8)
    fields.update(of)
    return call(what, "cuMemcpy2D_v2", at(Rows(**fields)))


rows("all")
rows("width 0", width=0)
rows("height 0", height=0)
rows("one row too many", height=9)
rows("from row 1", to_y=1)
rows("to row 1, 7 rows", to_y=1, height=7)
rows("too wide", width=260, from_pitch=260)
rows("from byte 4", to_x=4)
rows("from byte 4, 252", to_x=4, width=252)
rows("from byte 2", to_x=2, width=4)
rows("half an element", width=2)
rows("pitch below the width", from_pitch=252)
rows("pitch 0", from_pitch=0)
rows("no array", to_array=0)
rows("no host memory", from_host=None)
rows("kind 0", from_kind=0)
rows("kind 9", to_kind=9)
rows("from the device", from_kind=DEVICE, from_device=pointer)
rows("from unified memory", from_kind=UNIFIED, from_device=pointer)
rows("into a line", to_array=line, height=1)
rows("into a line, 2 rows", to_array=line, height=2)
rows("from an array", from_kind=ARRAY, from_array=plane, to_kind=HOST, to_host=ctypes.addressof(out), to_pitch=256)
print([out[0], out[63], out[64], out[511]])
rows("from an array, one row too many", from_kind=ARRAY, from_array=plane, from_y=1, to_kind=HOST,
     to_host=ctypes.addressof(out), to_pitch=256)
rows("array to array", from_kind=ARRAY, from_array=plane, to_array=plane, to_y=4, height=4)
print("boxes of 8 x 6 x 4 words")


def boxes(what, **of):
    fields = dict(from_kind=HOST, from_host=ctypes.addressof(numbers), from_pitch=32, from_height=6, to_kind=ARRAY,
                  to_array=box, width=32, height=6, depth=4)
    fields.update(of)
    return call(what, "cuMemcpy3D_v2", at(Box(**fields)))


boxes("all")
boxes("depth 0", depth=0)
boxes("one plane too many", depth=5)
boxes("from plane 1", to_z=1)
boxes("to plane 1, 3 planes", to_z=1, depth=3)
boxes("one row too many", height=7, from_height=7)
boxes("too wide", width=36, from_pitch=36)
boxes("from byte 2", to_x=2, width=4)
boxes("pitch below the width", from_pitch=28)
boxes("height below the rows", from_height=5)
boxes("pitch and height 0", from_pitch=0, from_height=0, height=1, depth=1)
boxes("level 1", to_level=1)
boxes("from an array", from_kind=ARRAY, from_array=box, to_kind=HOST, to_host=ctypes.addressof(out), to_pitch=32,
      to_height=6)
print([out[0], out[7], out[8], out[191]])
boxes("into a plane", to_array=plane, width=32, height=6, depth=1)
boxes("into a plane, 2 deep", to_array=plane, width=32, height=4, depth=2)
print("the end")
for array in (line, plane, box):
    call("made", "cuArrayDestroy", array)
