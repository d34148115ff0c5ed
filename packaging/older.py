"""older.py LIBRARY SYMBOL   lets a library take a function of the machine in whatever version it has there. A new glibc gives
hypot a new version, whose results are the same; without it a library of Debian 12 would need glibc 2.35."""
import pathlib
import struct
import subprocess
import sys


def sections(data):
    start, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    text = rows[names][4]
    return {data[text + row[0]:data.index(b"\0", text + row[0])].decode(): row for row in rows}


def main(path, symbol):
    path = pathlib.Path(path)
    data = bytearray(path.read_bytes())
    found = sections(data)
    dynsym, strings, versions, needs = (found[name] for name in (".dynsym", ".dynstr", ".gnu.version", ".gnu.version_r"))
    text = lambda at: data[strings[4] + at:data.index(b"\0", strings[4] + at)].decode()
    cleared = set()
    for i in range(dynsym[5] // 24):
        name, = struct.unpack_from("<I", data, dynsym[4] + 24 * i)
        if text(name) == symbol:
            place = versions[4] + 2 * i
            cleared.add(struct.unpack_from("<H", data, place)[0])
            struct.pack_into("<H", data, place, 1)  # any version
    kept = {struct.unpack_from("<H", data, versions[4] + 2 * i)[0] for i in range(dynsym[5] // 24)}
    at = needs[4]
    while True:
        _, count, _, first, following = struct.unpack_from("<HHIII", data, at)
        part = at + first
        for _ in range(count):
            _, flags, other, _, step = struct.unpack_from("<IHHII", data, part)
            if other in cleared - kept:
                struct.pack_into("<H", data, part + 4, flags | 2)  # weak: a machine may lack it
            part += step
        if not following:
            break
        at += following
    path.write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
