"""Edit and see, in a real window: a file that is saved, as editors do it, is compiled and run again."""
import os
import pathlib
import shutil
import unittest
from sessions import Session
from window import TOOLS

PROGRAM = """#include <cstdio>
__global__ void fill(int *data)
{
    data[threadIdx.x] = threadIdx.x;
}
__global__ void twice(int *data)
{
    int i = threadIdx.x;
    data[i] = 2 * data[i];
}
int main()
{
    int *data;
    cudaMalloc(&data, 256 * sizeof(int));
    fill<<<1, 64>>>(data);
    twice<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
"""
KERNEL = """// lanescope: --grid 1 --block 64 --arg f32[64]=zero
__global__ void set(float *out)
{
    out[threadIdx.x] = 1;
}
"""


@unittest.skipUnless(TOOLS and shutil.which("openbox"), "Xvfb, xdotool and openbox are not installed")
class Saves(Session):
    def write(self, name, text):
        """Saves as most editors do: a new file takes the name of the old one."""
        path = pathlib.Path(self.folder, name)
        path.with_suffix(".new").write_text(text)
        os.replace(path.with_suffix(".new"), path)
        self.did = f"a save of {name}"
        return str(path)

    def write_in_place(self, name, text):
        pathlib.Path(self.folder, name).write_text(text)
        self.did = f"a save of {name} in place"

    def says(self, *words):
        def what(shown):
            self.shown = shown
            return all(word in self.words() for word in words)
        return what

    def test_a_saved_program_runs_again_where_it_was_and_keeps_its_run_when_it_is_wrong(self):
        self.open(self.write("homework.cu", PROGRAM))
        self.until(self.says("Launches: 2"))
        self.press("End", lambda shown: True)
        self.press("Prior", lambda shown: True)
        self.press("Return", lambda shown: "--launch 2" in shown["state"])
        self.press("w", self.says("block 0, warp 1"))
        state = self.shown["state"]
        self.write("homework.cu", "// a new first line\n" + PROGRAM.replace("twice<<<1, 64>>>", "twice<<<1, 96>>>"))
        self.until(self.says("twice<<<1, 96>>>", "block 0, warp 1"))
        self.assertEqual(self.shown["state"], state)
        self.write_in_place("homework.cu", PROGRAM.replace("2 * data[i]", "2 * date[i]"))
        self.until(self.says("the run before this version", "undeclared identifier 'date'"))
        self.assertEqual(self.shown["state"], state)
        self.write("homework.cu", PROGRAM)
        self.until(lambda shown: not self.says("the run before this version")(shown) and self.says("twice<<<1, 64>>>")(shown))
        self.assertEqual(self.shown["state"], state)
        self.close()

    def test_a_header_of_the_program_is_watched_too(self):
        self.write("size.h", "enum { THREADS = 64 };\n")
        text = '#include "size.h"\n' + PROGRAM.replace("fill<<<1, 64>>>", "fill<<<1, THREADS>>>")
        self.open(self.write("homework.cu", text))
        self.until(self.says("Launches: 2", "<<<1, 64>>>"))
        self.write("size.h", "enum { THREADS = 128 };\n")
        self.until(self.says("Launches: 2", "<<<1, 128>>>"))
        self.close()

    def test_a_saved_kernel_runs_again(self):
        self.open(self.write("kernel.cu", KERNEL))
        self.until(self.says("= 1;"))
        self.write("kernel.cu", KERNEL.replace("= 1", "= 7"))
        self.until(self.says("= 7;"))
        self.close()


if __name__ == "__main__":
    unittest.main()
