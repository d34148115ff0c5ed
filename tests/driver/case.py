"""Scripts in Python that call the driver by ctypes, run by `lanescope exec`: the base of tests of hosts."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]
SANITIZED = "LANESCOPE_SANITIZED" in os.environ
HANG = 900  # seconds, to end a process that hangs; no verdict depends on it
HEAD = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
cuda.cuInit(0)
context = ctypes.c_uint64()
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
"""
KERNEL = """
PTX = b'''.version 7.0
.target sm_80
.address_size 64
.visible .entry read(.param .u64 from)
{
    .reg .b64 %rd0;
    .reg .b32 %r0;
    ld.param.u64 %rd0, [from];
    ld.global.u32 %r0, [%rd0+64];
    ret;
}
'''
module, function, memory = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
cuda.cuModuleLoadData(ctypes.byref(module), PTX)
cuda.cuModuleGetFunction(ctypes.byref(function), module, b"read")
cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64))
arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
"""


@unittest.skipIf(SANITIZED, "a host without the sanitizers cannot load a library that has them")
class Host(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.script = pathlib.Path(folder.name, "host.py")

    def run_script(self, path, *words):
        command = [PROGRAM, "exec", sys.executable, "--on", "emulator", "--json", *words, "--", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, LANGUAGE="en"))
        self.assertTrue(done.stdout, done.stderr)
        return json.loads(done.stdout), done

    def run_text(self, text, *words):
        self.script.write_text(HEAD + text)
        return self.run_script(self.script, *words)

    def line_of(self, words):
        return next(i + 1 for i, line in enumerate(self.script.read_text().splitlines()) if words in line)
