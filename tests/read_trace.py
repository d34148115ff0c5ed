"""Reads a trace file (docs/trace-format.md) with Python's standard library, and `zstd` for compressed ones."""
import struct, subprocess, sys

def read(path):
    data = open(path, "rb").read()
    magic, version, compression, size, _checksum = struct.unpack_from("<8sIIQQ", data)
    assert magic == b"lanetrac" and version in (1, 2, 3, 4, 5, 6), "not a trace of version 1 to 6"
    unpack = lambda: subprocess.run(["zstd", "-dcq"], input=data[32:], stdout=subprocess.PIPE, check=True).stdout
    rest = iter(unpack() if compression else data[32:])
    def number():
        byte = next(rest)
        return byte if byte < 128 else byte - 128 + (number() << 7)
    signed = lambda: (lambda n: n >> 1 ^ -(n & 1))(number())
    text = lambda: bytes(next(rest) for _ in range(number())).decode()
    row = lambda fields: {name: text() if kind == "t" else number() for name, kind in (f.split(":") for f in fields.split())}
    table = lambda fields: [row(fields) for _ in range(number())]
    trace = row("kernel:t source:t executor:t device:t driver:t compiler:t date:t grid_x:n grid_y:n grid_z:n block_x:n "
                "block_y:n block_z:n shared_bytes:n shared_base:n first:n last:n clock:n lost:n warp_instructions:n "
                "thread_instructions:n branches:n branches_divergent:n")
    trace["files"], trace["sites"] = table("name:t"), table("operation:n space:n bytes:n file:n line:n column:n text:t")
    trace["buffers"] = table("name:t type:t address:n count:n" + (" rows:n columns:n pitch:n" if version > 1 else ""))
    if version == 1:
        trace["findings"] = table("kind:t message:t site:n file:n line:n column:n block:n x:n y:n z:n address:n")
    else:
        argument = lambda: (text(), [number, signed, text, number][number()]())
        trace["findings"] = [row("form:t kind:t class:n site:n file:n line:n column:n near:n block:n x:n y:n z:n lanes:n "
                                 "address:n wait_total:n") |
                             {"waits": table("thing:n warp:n threads:n line:n near:n"),
                              "arguments": dict(argument() for _ in range(number()))} for _ in range(number())]
    events = trace["events"] = [{} for _ in range(number())]
    for name in ("kind", "site", "block", "warp", "mask", "other", "sm", "space", "time"):
        before = 0
        for e in events:
            before = e[name] = (before + signed()) % 2**64 if name in ("block", "time") else number()
    has_values, firsts, accesses = number(), {}, [e for e in events if e["kind"] in (0, 7, 8, 11) and e["mask"]]
    for e in accesses:
        firsts[e["site"]] = e["first"] = (firsts.get(e["site"], 0) + signed()) % 2**64
    for e in accesses:
        e["listed"] = number()
    for e in accesses:
        e["lanes"] = {lane: e["first"] for lane in range(32) if e["mask"] >> lane & 1}
        at, start, e["stride"] = e["first"], min(e["lanes"]), 0 if e["listed"] else signed()
        for lane in sorted(e["lanes"])[1:]:
            at = at + signed() if e["listed"] else e["first"] + e["stride"] * (lane - start)
            e["lanes"][lane] = at % 2**64
    for e in accesses if has_values else ():
        e["values"] = {lane: number() for lane in e["lanes"]}
    return trace

if __name__ == "__main__":  # as the program's own dump prints events
    kinds = ["access", "arrive", "release", "branch", "reconverge", "exit", "fault", "shuffle", "target", "group", "wait", "registers", "use"]
    operations, spaces = ["ld", "st", "atom", "red", "bar", "bra", "shfl", "atom", "mma"], ["generic", "global", "shared", "local", "const", "param"]
    trace = read(sys.argv[1])
    for e in trace["events"]:
        site = trace["sites"][e["site"] - 1] if e["site"] else None
        line = f"{e['time']} block {e['block']} warp {e['warp']} {kinds[e['kind']]}"
        if e["kind"] == 0:
            line += f" {operations[2 if site['operation'] == 7 else site['operation']]}.{spaces[e['space'] or site['space'] or 1]} {site['bytes']}"
        line += f" {site['line']}:{site['column']}" if site else ""
        line += f" mask {e['mask']:08x}" + (f" taken {e['other']:08x}" if e["kind"] == 3 else "")
        if "first" in e:
            line += "".join(f" {a:#x}" for a in e["lanes"].values()) if e["listed"] else f" {e['first']:#x}{e['stride']:+d}"
        print(line)
