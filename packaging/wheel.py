"""wheel.py STAGE OUT   makes a wheel of python/lanescope and of the program that `cmake --install` put into STAGE, with its
libraries, in the folder OUT. The tag names the oldest glibc that the symbols of all its programs and libraries allow."""
import base64
import hashlib
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The libraries that any Linux has, by PEP 600 and the manylinux policies; all others must lie in the wheel.
SYSTEM = re.compile(r"(ld-linux-[\w-]+|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+))\.so(\.\d+)*")
# libstdc++ with these versions is as old as distributions with this glibc: the policies manylinux_2_28 to manylinux_2_39.
LIBSTDCXX = {25: 28, 28: 31, 29: 34, 30: 35, 33: 39}


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], check=True, capture_output=True, text=True).stdout


def needed(programs):
    """Returns the least minor version of glibc 2, with its reason; ends if a library is neither here nor any system's."""
    inside = {path.name for path in programs}
    glibc, reason = 17, "none"
    for path in programs:
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path)):
            if name not in inside and not SYSTEM.fullmatch(name):
                sys.exit(f"wheel.py: {path.name} needs {name}, which is not in the wheel")
        needs = readelf("-V", path).partition(".gnu.version_r")[2]
        for version in re.findall(r"Name: GLIBC_2\.(\d+)\s+Flags: none", needs):
            if int(version) > glibc:
                glibc, reason = int(version), f"GLIBC_2.{version} in {path.name}"
        for version in re.findall(r"Name: GLIBCXX_3\.4\.(\d+)", needs):
            fitting = [LIBSTDCXX[known] for known in sorted(LIBSTDCXX) if known >= int(version)]
            if not fitting:
                sys.exit(f"wheel.py: {path.name} needs GLIBCXX_3.4.{version}, which wheel.py does not know")
            if fitting[0] > glibc:
                glibc, reason = fitting[0], f"GLIBCXX_3.4.{version} in {path.name}"
    return glibc, reason


def main(stage, out):
    stage = pathlib.Path(stage)
    version = re.search(r"project\(lanescope VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    python = (ROOT / "python/lanescope/__init__.py").read_text()
    if f'__version__ = "{version}"' not in python:
        sys.exit(f"wheel.py: python/lanescope/__init__.py has another version than {version}")
    files = {}
    for path in sorted((ROOT / "python/lanescope").glob("*.py")):
        files[f"lanescope/{path.name}"] = path
    for folder in ("bin", "lib", "share/lanescope", "share/locale"):
        for path in sorted((stage / folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                files[f"lanescope/program/{path.relative_to(stage)}"] = path
    programs = [path for path in files.values() if is_elf(path)]
    glibc, reason = needed(programs)
    tag = f"py3-none-manylinux_2_{glibc}_{platform.machine()}"
    info = f"lanescope-{version}.dist-info"
    texts = {
        f"{info}/METADATA": "\n".join([
            "Metadata-Version: 2.1", "Name: lanescope", f"Version: {version}",
            "Summary: CUDA kernels and GPU memory, lane by lane: a visual simulator", "License: MIT",
            "Requires-Python: >=3.9", "Provides-Extra: notebook", "Requires-Dist: ipython; extra == 'notebook'",
            "Description-Content-Type: text/markdown", "", (ROOT / "docs/notebook.md").read_text()]),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: lanescope\nRoot-Is-Purelib: false\nTag: {tag}\n",
        f"{info}/entry_points.txt": "[console_scripts]\nlanescope = lanescope.__main__:main\n",
        f"{info}/LICENSE": (ROOT / "LICENSE").read_text(),
    }
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    wheel, record = out / f"lanescope-{version}-{tag}.whl", []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def put(name, data, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes for the same files
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
        for name, path in files.items():
            put(name, path.read_bytes(), 0o755 if path.stat().st_mode & 0o111 else 0o644)
        for name, text in texts.items():
            put(name, text.encode(), 0o644)
        record.append(f"{info}/RECORD,,")
        entry = zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, "\n".join(record) + "\n")
    print(f"{wheel}: glibc 2.{glibc} for {reason}; programs and libraries: {len(programs)}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
