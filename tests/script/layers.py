"""The folders of src/ form one pipeline: a file may include only headers of its own folder and of those that its line
in CMakeLists.txt (`lanescope_module`) names, and so must the headers that these include in turn.

A header that begins "For src/ROOM only:" is included from there alone; it may name several, as "For src/a and src/b
only:", and files, as "For src/cli/bench_*.c only:".

Fails when a dependency points the wrong way, when the table of docs/architecture.md names others, when a file outside
`platform` includes SDL, or any file includes CUDA."""
import fnmatch
import os
import pathlib
import re
import sys

FOREIGN = {  # header pattern: the folders that may include it
    r"SDL": {"platform"},
    r"(cuda|nvrtc|cupti|driver_types|vector_types)[a-z_]*\.h$": set(),
}
# The headers that other folders may include, where that is not all of them.
PUBLIC = {"emulator": "emulator.h", "cuda": "cuda.h facts.h driver.h api/api.h", "trace": "trace.h launch.h limits.h executor.h finding.h findings.def time.h by_place.h"}
# Inside these a header may include headers of its own subfolder and of those named here; a .c file any of them.
INSIDE = {
    "emulator": {"core": "", "memory": "core", "lanes": "core memory", "decode": "core memory lanes",
                 "check": "core memory", "run": "core memory",
                 "tier": "core memory lanes run"},
    "cuda": {"record": "", "probe": "record", "process": "record", "api": "", "gpu": "record process api"},
    "cudart": {"layer": "", "backend": "layer", "calls": "layer backend"},
}
# What no file of a subfolder may include: another interface will stand on the same layer.
ABOVE = {"cudart/layer/": "cudart/calls/", "cudart/backend/": "cudart/calls/"}
# What a folder sees through the headers of those, without an include of its own. Keep it short.
THROUGH_HEADERS = {
    "report": "compile",  # the run of a program, the options of a file to run
    "document": "compile",
    "screen": "compile",
    "app": "compile",
    "platform": "trace",  # app.h takes the blocks to record
}
SOURCES = {".c", ".h", ".inc", ".def"}
source = pathlib.Path("src")
INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
files = {path.relative_to(source).as_posix(): path for path in sorted(source.rglob("*")) if path.suffix in SOURCES}
lines = {name: [(number, found[1], found[2]) for number, line in enumerate(path.read_text().splitlines(), 1)
                if (found := INCLUDE.match(line))] for name, path in files.items()}


def rooms_of_build():
    """Returns the folders in the order of CMakeLists.txt, each with those that it may use."""
    folders = {path.name for path in source.iterdir() if path.is_dir()}
    build = re.findall(r"^lanescope_module\((\w+)([^)]*)\)", pathlib.Path("CMakeLists.txt").read_text(), re.M)
    return {room: [word for word in words.split() if word in folders] for room, words in build}


def rooms_of_document():
    """Returns the rows of the table of rooms in docs/architecture.md, each with its last column."""
    table = pathlib.Path("docs/architecture.md").read_text().partition("\n## Rooms\n")[2].partition("\n## ")[0]
    rows = {}
    for room, words in re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", table, re.M):
        like = re.fullmatch(r"those of (\w+), and (\w+)", words)
        rows[room] = (set(rows) - {"cudart", "embed"} if words == "all of them but cudart and embed" else set() if words == "nothing" else
                      rows.get(like[1], set()) | {like[2]} if like else set(words.split()))
    return rows


def file_of(name, own):
    """Returns the file that an include in quotes names: from src/, or beside the including file."""
    beside = os.path.normpath(os.path.join(os.path.dirname(name), own))
    return own if own in files else beside if beside in files else None


def folder_of(name):
    return name.split("/")[0]


def chains(name):
    """Returns every file that an include leads to, with the chain of includes."""
    found = {}
    waiting = [(name, [])]
    while waiting:
        at, way = waiting.pop(0)
        for number, own, _ in lines[at]:
            target = file_of(at, own) if own else None
            if target and target not in found and target != name:
                found[target] = way + [f"{at}:{number}"]
                waiting.append((target, found[target]))
    return found


def foreign_folders(header):
    return next((folders for pattern, folders in FOREIGN.items() if re.match(pattern, header)), None)


def owners_of(text):
    """Returns the folders and files that the first comment of a header reserves it for; none: it is for all."""
    reserved = re.match(r"/\* For (src/\S+(?:(?:, | and )src/\S+)*) only:", text)
    return re.split(", | and ", reserved[1]) if reserved else []


def is_stranger(name, owners):
    return bool(owners) and not any(fnmatch.fnmatch("src/" + name, owner) or
                                    ("src/" + name).startswith(owner + "/") for owner in owners)


def check_the_rule_itself():
    """A small wrong example: the rule must see it, whatever the tree looks like."""
    example = owners_of("/* For src/low and src/high/tool_*.c only: parts. */\n")
    assert [is_stranger(name, example) for name in ("low/a.c", "high/tool_x.c", "high/b.c", "lower/a.c")] == \
        [False, False, True, True]
    assert not is_stranger("high/b.c", owners_of("/* Parts, for src/low only: a remark. */\n"))


check_the_rule_itself()
owners = {name: owners_of(path.read_text()) for name, path in files.items() if name.endswith((".h", ".def"))}
may_use = rooms_of_build()
document = rooms_of_document()
order = list(may_use)
wrong = [f"CMakeLists.txt: no line for src/{folder}"
         for folder in {folder_of(name) for name in files if "/" in name} - set(order)]
wrong += [f"CMakeLists.txt: {used} stands after {room}" for room in order for used in may_use[room]
          if used not in order[:order.index(room)]]
wrong += [f"docs/architecture.md: {room}'s row is not as its line in CMakeLists.txt" for room in set(order) | set(document)
          if room not in order or document.get(room) != set(may_use[room])]
seen = 0
for name in files:
    folder = folder_of(name)
    if folder not in may_use:
        continue  # main.c wires all of them
    allowed = set(may_use[folder]) | {folder}
    through = allowed | set(THROUGH_HEADERS.get(folder, "").split())
    told = set()
    for target, way in chains(name).items():
        seen += len(way) == 1
        used = folder_of(target)
        if used not in (allowed if len(way) == 1 else through) and used not in told:
            told.add(used)
            wrong.append(f"src/{way[0]}: {folder} may not use {used}" + "".join(f", by src/{at}" for at in way[1:]))
        for _, _, header in lines[target]:
            folders = foreign_folders(header or "")
            if folders is not None and folder not in folders and header not in told:
                told.add(header)
                wrong.append(f"src/{way[0]}: {folder} may not include <{header}>, by src/{target}")
    for number, own, header in lines[name]:
        folders = foreign_folders(header or "")
        if folders is not None and folder not in folders:
            wrong.append(f"src/{name}:{number}: {folder} may not include <{header}>")
        target = file_of(name, own) if own else None
        if target and is_stranger(name, owners.get(target, [])):
            wrong.append(f"src/{name}:{number}: src/{target} is for {' and '.join(owners[target])} only")
        room, _, rest = (own or "").partition("/")
        if room != folder and room in PUBLIC and rest not in PUBLIC[room].split():
            wrong.append(f"src/{name}:{number}: of {room} only {PUBLIC[room]} may be included")
        part, inner = name.split("/")[1], rest.split("/")[0]
        if room == folder and name.endswith(".h") and "/" in rest and part in INSIDE.get(folder, {}) and \
                inner != part and inner not in INSIDE[folder][part].split():
            wrong.append(f"src/{name}:{number}: a header of {folder}/{part} may not include {folder}/{inner}")
        if any(name.startswith(low) and (own or "").startswith(high) for low, high in ABOVE.items()):
            wrong.append(f"src/{name}:{number}: {own} stands above it")
print("\n".join(wrong) or f"{seen} includes follow the pipeline, and what they include in turn")
sys.exit(bool(wrong) or seen < 20)
