"""The folders form one pipeline: a file may include only headers of its own folder and of those in its row of MAY_USE.

Fails when a dependency points the wrong way, when a file outside `platform` includes SDL, or a file outside `cuda`
(and `compile`, for NVRTC) includes CUDA."""
import pathlib
import re
import sys

MAY_USE = {
    "base": "",
    "ptx": "base",
    "compile": "base",
    "trace": "base ptx",
    "emulator": "base ptx trace",
    "cuda": "base ptx trace",
    "model": "base ptx trace lesson",
    "run": "base ptx compile trace emulator cuda model recording lesson",
    "recording": "base ptx compile trace emulator cuda model run lesson",
    "lesson": "base ptx compile ui trace emulator cuda model run recording",
    "ui": "base",
    "view": "base ptx trace model run lesson ui",
    "app": "base ptx trace model run recording lesson ui view",
    "platform": "base ui app",
    "cli": "base ptx compile trace emulator cuda model run recording lesson ui view app platform",
}
FOREIGN = {  # header pattern: the folders that may include it
    r"SDL": {"platform"},
    r"(cuda|nvrtc|cupti|driver_types|vector_types)[a-z_]*\.h$": {"cuda", "compile"},
}
# Inside the emulator a header may include headers of its own folder and of those named here; a .c file any of them.
EMULATOR = {"core": "", "memory": "core", "lanes": "core memory", "decode": "core memory lanes",
            "check": "core memory", "run": "core memory"}
source = pathlib.Path("src")
wrong = []
seen = 0
for path in sorted(path for path in source.glob("*/**/*") if path.suffix in {".c", ".h", ".inc", ".def"}):
    folder = path.relative_to(source).parts[0]
    allowed = set(MAY_USE[folder].split()) | {folder}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        own = re.match(r'\s*#\s*include\s+"(?:src/)?([a-z]+)/', line)
        if own and own[1] in MAY_USE:
            seen += 1
            if own[1] not in allowed:
                wrong.append(f"{path}:{number}: {folder} may not use {own[1]}")
        inside = re.match(r'\s*#\s*include\s+"emulator/([a-z]+)/', line)
        if inside and folder != "emulator":
            wrong.append(f"{path}:{number}: of the emulator only emulator/emulator.h may be included")
        elif inside and path.suffix == ".h":
            part = path.relative_to(source).parts[1]
            if inside[1] != part and inside[1] not in EMULATOR[part].split():
                wrong.append(f"{path}:{number}: a header of emulator/{part} may not include emulator/{inside[1]}")
        foreign = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
        for pattern, folders in FOREIGN.items():
            if foreign and re.match(pattern, foreign[1]) and folder not in folders:
                wrong.append(f"{path}:{number}: {folder} may not include <{foreign[1]}>")
print("\n".join(wrong) or f"{seen} includes follow the pipeline")
sys.exit(bool(wrong) or seen < 20)
