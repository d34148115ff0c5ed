"""The command `lanescope` of the wheel: the program itself."""
import hashlib
import os
import pathlib
import sys

from ._program import LanescopeError, path


def compatible(program):
    """Makes the names under which hosts find Lanescope's CUDA libraries, for `exec`: a wheel holds no links."""
    libraries = pathlib.Path(program).parent.parent / "lib" / "lanescope"
    library = libraries / "liblanescope_cudart.so"
    if (libraries / "compatible").exists() or not library.exists():
        return
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "lanescope"
    folder = cache / ("libraries-" + hashlib.sha256(str(library).encode()).hexdigest()[:16])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        links = {name: library for name in ("libcudart.so.12", "libcudart.so.13", "libcuda.so.1", "libcuda.so")}
        for name, target in {**links, "bundle": libraries / "bundle"}.items():
            if not (folder / name).is_symlink():
                (folder / name).symlink_to(target)
    except OSError:
        return  # `exec` then says what it lacks
    os.environ.setdefault("LANESCOPE_COMPATIBLE", str(folder))


def main():
    try:
        program = path()
    except LanescopeError as error:
        sys.exit(f"lanescope: {error}")
    compatible(program)
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
